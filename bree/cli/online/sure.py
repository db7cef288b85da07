"""What is asked again before it is done, because it cannot be undone, or not by everybody."""

from __future__ import annotations

from bree.cli.talk import Talk
from bree.cli.trouble import Trouble

_YES = ("y", "yes")


def make_sure(talk: Talk, what: str, *, sure: bool) -> None:
    """Go on if that is meant; say what it means where nobody can be asked."""
    if sure:
        return
    if not talk.is_live:
        raise Trouble(f"{what} Say --yes if that is meant")
    talk.say(what, "yellow")
    if talk.read("Go on? [y/N] ").lower() not in _YES:
        raise Trouble("nothing was done")
