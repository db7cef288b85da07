"""The commands of `bree account`: what its owner does with an account; `hosting` adds its own.

Design. As in `commands`, what they do is imported when it is done.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

import typer

from bree.cli.late import imported

MINE = "Your own account"

app = typer.Typer(
    help="Your account on a platform; and, for its host, what is kept of anybody.",
    no_args_is_help=True,
)


class Scope(StrEnum):
    """What a token may do."""

    READ = "read"
    PLAY = "play"
    BOT = "bot"


TokenName = Annotated[str, typer.Argument(metavar="NAME", help="What you call the token.")]
Scoped = Annotated[
    Scope,
    typer.Option(help="What it may do: look; look and play; what a program needs that plays."),
]
TokenId = Annotated[str, typer.Argument(metavar="ID", help="One that `bree account tokens` lists.")]
New = Annotated[
    bool, typer.Option("--new", help="Make ten new ones; older ones are worth nothing.")
]
Wanted = Annotated[str, typer.Argument(metavar="NAME", help="The name you want.")]
SessionId = Annotated[
    str | None, typer.Argument(metavar="ID", help="One that `bree account sessions` lists.")
]
All = Annotated[bool, typer.Option("--all", help="All but the one of this terminal.")]
TokensToo = Annotated[bool, typer.Option("--tokens-too", help="With --all: all tokens as well.")]


def _acts() -> Any:
    return imported("bree.cli.online.ways")


@app.command("tokens", rich_help_panel=MINE)
def tokens() -> int:
    """List the tokens that you have made for programs."""
    code: int = _acts().tokens()
    return code


@app.command("new-token", rich_help_panel=MINE)
def new_token(name: TokenName, *, scope: Scoped = Scope.PLAY) -> int:
    """Make a token for a program, which is told once; no such token can touch your account."""
    code: int = _acts().new_token(name, scope)
    return code


@app.command("end-token", rich_help_panel=MINE)
def end_token(token: TokenId) -> int:
    """Have a token be worth nothing, at once and everywhere."""
    code: int = _acts().end_token(token)
    return code


@app.command("codes", rich_help_panel=MINE)
def codes(*, new: New = False) -> int:
    """Say how many recovery codes are left; each begins a session once, with bree login --code."""
    code: int = _acts().codes(new=new)
    return code


@app.command("rename", rich_help_panel=MINE)
def rename(name: Wanted) -> int:
    """Take another name, once in 30 days; a guest's first choice does not count."""
    code: int = _acts().rename(name)
    return code


@app.command("sessions", rich_help_panel=MINE)
def sessions() -> int:
    """List the devices on which your account is in use."""
    code: int = _acts().sessions()
    return code


@app.command("end-session", rich_help_panel=MINE)
def end_session(
    session: SessionId = None, *, everyone: All = False, tokens_too: TokensToo = False
) -> int:
    """Log a device out, or all of them."""
    code: int = _acts().end_session(session, everyone=everyone, tokens_too=tokens_too)
    return code
