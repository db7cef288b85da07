"""`bree account export`, `delete` and `keep`, of one's own account on a platform."""

from __future__ import annotations

import os
from pathlib import Path

from bree.cli.online.link import Link, linked
from bree.cli.online.sure import make_sure
from bree.cli.talk import Talk
from bree.cli.trouble import Trouble

LEAVING = (
    "The account {name} leaves its open matches now, and is deleted in a week with all that "
    "is kept of it; what it has played stays, under another name."
)


def export(to: Path | None) -> int:
    """Write all that the platform keeps of the caller into a file that is new."""
    talk = Talk()
    with linked(talk) as link:
        path = to or Path(f"{link.name}.tar.gz")
        with talk.busy(f"Writing {path}."):
            size = _write(link, path)
        who = link.name
    talk.say(f"{path}: all that is kept of {who}, {size} bytes; README.txt in it says what.")
    return 0


def _write(link: Link, path: Path) -> int:
    """Write the file, whole or not at all; its size."""
    pieces = link.client.export()
    first = next(pieces, b"")  # a refusal shall leave nothing behind
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise Trouble(f"{path} cannot be written: {error.strerror}") from None
    try:
        with os.fdopen(file, "wb") as out:
            size = out.write(first) + sum(map(out.write, pieces))
    except BaseException as error:
        path.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise Trouble(f"{path} cannot be written: {error.strerror}") from None
        raise
    return size


def delete(*, sure: bool) -> int:
    """Have the caller's account be deleted in a week."""
    talk = Talk()
    with linked(talk) as link:
        make_sure(talk, LEAVING.format(name=link.name), sure=sure)
        with talk.busy("Waiting until every gateway knows."):
            until = link.client.delete_account()
    talk.say(f"{link.name} is deleted on {until:%Y-%m-%d} at {until:%H:%M} UTC.")
    talk.say("Until then bree account keep undoes it, and bree account export gives your data out.")
    return 0


def keep() -> int:
    """Have the caller's account stay after all."""
    talk = Talk()
    with linked(talk) as link, talk.busy("Waiting until every gateway knows."):
        account = link.client.keep_account()
    talk.say(f"{account.name} stays.")
    return 0
