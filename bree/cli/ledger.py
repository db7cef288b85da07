"""The commands of `bree ledger`, for whoever hosts a platform."""

from __future__ import annotations

import os
from typing import Annotated, Any

import typer

from bree.cli.late import imported
from bree.cli.talk import Talk
from bree.cli.trouble import Away, Trouble

app = typer.Typer(
    help="Look after the ledger, which keeps accounts, ratings and finished matches.",
    no_args_is_help=True,
)

At = Annotated[
    str | None,
    typer.Option(
        "--ledger",
        metavar="URL",
        help="Which one; or the variable BREE_LEDGER_URL. By default that of bree run.",
    ),
]


@app.command("upgrade")
def upgrade(at: At = None) -> int:
    """Make its tables what this version of Bree needs; what is so already stays."""
    return _asked("upgrade", at)


@app.command("status")
def status(at: At = None) -> int:
    """Say which schema it has, and whether this version of Bree can use it."""
    return _asked("status", at)


@app.command("import")
def import_(at: At = None) -> int:
    """Move a platform to it that has everything in Redis; what was moved stays moved."""
    os.environ["BREE_LEDGER_URL"] = _url(at)
    code: int = imported("bree.importing.command").main()
    return code


def _asked(what: str, at: str | None) -> int:
    """What a command of the ledger has to say; one that is away may be back later."""
    upgrading: Any = imported("bree.ledger.upgrade")
    try:
        Talk().say(getattr(upgrading, what)(_url(at)))
    except upgrading.Refused as refused:
        raise (Away if refused.is_away else Trouble)(str(refused)) from None
    return 0


def _url(at: str | None) -> str:
    """Where the ledger is: as was said, as the environment says, or where `bree run` has it."""
    said = at or os.environ.get("BREE_LEDGER_URL", "")
    try:
        if said:
            url: str = imported("bree.ledger.settings").checked(said)
            return url
        local = imported("bree.local.settings").of_this_run()
        url = imported("bree.local.ledger").url_of_this_run(local)
    except ValueError as error:
        raise Trouble(f"{'--ledger' if at else 'BREE_LEDGER_URL'}: {error}") from None
    except imported("bree.local.settings").Trouble as trouble:
        raise Trouble(f"{trouble}; name a ledger with --ledger or BREE_LEDGER_URL") from None
    return url
