"""The commands of `bree` for whoever hosts: they start the platform, and look after it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from bree.cli import ledger
from bree.cli.late import imported
from bree.cli.talk import Talk

PANEL = "To host a platform"

app = typer.Typer()
app.add_typer(ledger.app, name="ledger", rich_help_panel=PANEL)

Check = Annotated[
    bool, typer.Option("--check", help="Play one match between bots, verify it, and stop.")
]
AcceptStore = Annotated[
    bool, typer.Option("--accept-store", help="The store lost something: use it as it is now.")
]
Games = Annotated[
    list[str] | None, typer.Argument(metavar="GAME...", help="The games it serves; by default all.")
]
State = Annotated[
    Path | None,
    typer.Option(metavar="FOLDER", help="Where everything is kept; or the variable BREE_STATE."),
]
Port = Annotated[
    int | None,
    typer.Option(metavar="PORT", help="The gateway's port; or BREE_GATEWAY_PORT. By default 7000."),
]


def _override(state: Path | None, port: int | None, games: Sequence[str] = ()) -> None:
    """What the command line says goes before what the environment says."""
    if games:
        os.environ["BREE_GAMES"] = ",".join(games)
    if state is not None:
        os.environ["BREE_STATE"] = str(state)
    if port is not None:
        os.environ["BREE_GATEWAY_PORT"] = str(port)


@app.command("run", rich_help_panel=PANEL)
def run(
    games: Games = None,
    *,
    state: State = None,
    port: Port = None,
    check: Check = False,
    accept_store: AcceptStore = False,
) -> int:
    """Run the whole platform on this machine until Ctrl-C."""
    _override(state, port, games or ())
    run = imported("bree.local.run")
    code: int = run.accept_store() if accept_store else run.run(only_check=check)
    return code


@app.command("doctor", rich_help_panel=PANEL)
def doctor(*, state: State = None, port: Port = None) -> int:
    """Say what is installed, what is missing, which ports are free, and how the platform is."""
    _override(state, port)
    found = list(
        imported("bree.local.doctor").findings(imported("bree.local.settings").of_this_run())
    )
    table = Table(box=None, show_header=False, pad_edge=False)
    for overflow in ("ellipsis", "ellipsis", "fold"):
        table.add_column(overflow=overflow)
    for each in found:
        mark = Text("ok", "green") if each.is_well else Text("!!", "bold red")
        table.add_row(mark, Text(each.what, "bold"), Text(each.how))
    Talk().show(table)
    return 0 if all(each.is_well for each in found) else 1
