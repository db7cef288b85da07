"""Becomes a program that runs as another user, for programs that refuse to run as root.

    python -m bree.local.as_user WAY USER GROUP FOLDER COMMAND...

Design. There are two ways. In a `namespace` of its own a process has another number and stays what
it is outside: it reads and writes all that is its starter's, wherever that lies. Not every
container lets anyone make one. Then root becomes the `other` user in earnest, and keeps of its
powers the one to pass through folders that are closed to that user, such as a home directory.
It ends with code 126 and a sentence if the way is not open here.
"""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path

NAMESPACE, OTHER = "namespace", "other"

NEW_USER = 0x10000000
"""Of Linux: a namespace of users."""

KEEP_CAPABILITIES, AMBIENT, RAISE = 8, 47, 2
CAPABILITIES_VERSION = 0x20080522
PASS_THROUGH = 1
"""Of Linux: what prctl is asked for, and the power to read and write where others may not."""

CLOSED = 126


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _Powers(ctypes.Structure):
    _fields_ = (
        ("effective", ctypes.c_uint32),
        ("permitted", ctypes.c_uint32),
        ("inheritable", ctypes.c_uint32),
    )


def _enter_namespace(user: int, group: int) -> None:
    """Be another user here, and who one was to everyone outside."""
    outside = os.geteuid(), os.getegid()
    linux = ctypes.CDLL(None, use_errno=True)
    if linux.unshare(NEW_USER):
        raise OSError(ctypes.get_errno(), "no namespace can be made")
    own = Path("/proc/self")
    (own / "setgroups").write_text("deny", encoding="ascii")
    (own / "uid_map").write_text(f"{user} {outside[0]} 1", encoding="ascii")
    (own / "gid_map").write_text(f"{group} {outside[1]} 1", encoding="ascii")


def _become(user: int, group: int) -> None:
    """Be another user for everyone."""
    linux = ctypes.CDLL(None) if sys.platform == "linux" else None
    if linux is not None:
        linux.prctl(KEEP_CAPABILITIES, 1, 0, 0, 0)
    os.setgroups([])
    os.setgid(group)
    os.setuid(user)
    if linux is not None:  # without this power only open folders can be passed, which may do
        power = _Powers(*3 * (1 << PASS_THROUGH,))
        linux.capset(
            ctypes.byref(_Header(CAPABILITIES_VERSION, 0)), ctypes.byref((_Powers * 2)(power))
        )
        linux.prctl(AMBIENT, RAISE, PASS_THROUGH, 0, 0)


WAYS = {NAMESPACE: _enter_namespace, OTHER: _become}


def main(way: str, user: str, group: str, folder: str, *command: str) -> None:
    """Go that way, into the folder, and become the command."""
    try:
        WAYS[way](int(user), int(group))
        os.chdir(folder)
        os.execv(command[0], command)  # noqa: S606  # the program of whoever runs this
    except (OSError, AttributeError) as error:
        sys.stderr.write(f"{command[0]} cannot be run as user {user}: {error}\n")
        raise SystemExit(CLOSED) from None


if __name__ == "__main__":
    main(*sys.argv[1:])
