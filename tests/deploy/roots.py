"""A scratch root: the base that images begin with, and commands that run in it.

Design. It takes root on Linux, and nothing that builds or runs containers. The base is made by
Debian's debootstrap: the distribution of the image that the Dockerfiles name, with Debian's own
Python of the same version for that image's. A command runs in it with mounts and processes of its
own, which are gone when it ends; and with the network of the machine.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

SUITE = "bookworm"
PACKAGES = ("ca-certificates", "netbase", "tzdata", "python3", "python3-venv", "python3-pip")
NEEDED = ("unshare", "chroot", "dpkg-deb", "apt-get")
STEP_SECONDS = 900.0

REACHING = re.compile(
    r"(?i)^((https?|no|all)_proxy|pip_(index_url|extra_index_url|cert|default_timeout)"
    r"|npm_config_registry|node_extra_ca_certs|ssl_cert_(file|dir))$"
)
"""Variables by which programs reach the network from this machine."""

INSIDE = """
set -e
root=$1 user=$2 folder=$3 writes=$4
shift 4
mount --make-rprivate /
mount --bind "$root" "$root"
[ "$writes" = yes ] || mount -o remount,bind,ro "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount -t tmpfs -o mode=1777,size=64m tmpfs "$root/dev/shm"
exec chroot --userspec="$user" "$root" /bin/sh -c 'cd "$0" && exec "$@"' "$folder" "$@"
"""


class Failed(Exception):
    """A command did not do what it should, and what it said."""


def missing() -> str:
    """What keeps this machine from making roots, as a sentence; empty if nothing does."""
    if os.geteuid() != 0:
        return "to change the root takes to be root"
    lacks = [name for name in NEEDED if shutil.which(name) is None]
    return f"there is no {', '.join(lacks)}" if lacks else ""


def base(at: Path) -> Path:
    """The base of all images, made if it is not there yet."""
    if at.is_dir():
        return at
    fresh = at.with_name(f"{at.name}.fresh")
    shutil.rmtree(fresh, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        bootstrap = _debootstrap(Path(folder))
        tool = [str(bootstrap / "usr/sbin/debootstrap"), "--variant=minbase"]
        _checked(
            [*tool, f"--include={','.join(PACKAGES)}", SUITE, str(fresh)],
            {**os.environ, "DEBOOTSTRAP_DIR": str(bootstrap / "usr/share/debootstrap")},
        )
    (fresh / "dev/shm").mkdir(exist_ok=True)
    (fresh / "usr/local/bin/python").symlink_to("/usr/bin/python3")
    shutil.copy("/etc/ssl/certs/ca-certificates.crt", fresh / "etc/ssl/certs/ca-certificates.crt")
    shutil.rmtree(fresh / "var/cache/apt", ignore_errors=True)
    return fresh.rename(at)


def _debootstrap(folder: Path) -> Path:
    """Debian's package, unpacked and not installed."""
    _checked(["apt-get", "download", "--quiet", "debootstrap"], dict(os.environ), folder)
    (package,) = folder.glob("debootstrap_*.deb")
    _checked(["dpkg-deb", "--extract", str(package), str(folder / "unpacked")], dict(os.environ))
    return folder / "unpacked"


def copy(source: Path, to: Path) -> Path:
    """The same root once more."""
    shutil.rmtree(to, ignore_errors=True)
    to.parent.mkdir(parents=True, exist_ok=True)
    _checked(["cp", "--archive", "--reflink=auto", str(source), str(to)], dict(os.environ))
    return to


def arguments(root: Path, user: str, folder: str, command: list[str], *, writes: bool) -> list[str]:
    """How a command is started inside."""
    own = ["unshare", "--mount", "--pid", "--fork", "--kill-child"]
    told = [str(root), user, folder, "yes" if writes else "no", *command]
    return [*own, "sh", "-c", INSIDE, "sh", *told]


def build(root: Path, folder: str, command: str, environment: Mapping[str, str]) -> str:
    """Do a step of a build as root, with the network as it is reached from here."""
    shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
    reaching = {name: value for name, value in os.environ.items() if REACHING.match(name)}
    inside = arguments(root, "0:0", folder, ["/bin/sh", "-c", command], writes=True)
    return _checked(inside, {**reaching, "HOME": "/root", **environment})


def run(
    root: Path, user: str, folder: str, command: list[str], environment: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    """Run a command as a container would be run: as its user, and writing to /tmp alone."""
    inside = arguments(root, user, folder, command, writes=False)
    return subprocess.run(
        inside, env=dict(environment), capture_output=True, text=True, check=False,
        timeout=STEP_SECONDS,
    )  # fmt: skip


def _checked(command: list[str], environment: Mapping[str, str], cwd: Path | None = None) -> str:
    done = subprocess.run(
        command, env=dict(environment), cwd=cwd, capture_output=True, text=True, check=False,
        timeout=STEP_SECONDS,
    )  # fmt: skip
    if done.returncode:
        said = "\n".join((done.stdout + done.stderr).strip().splitlines()[-20:])
        raise Failed(f"{command[-1][:200]}: ended with {done.returncode}:\n{said}")
    return done.stdout
