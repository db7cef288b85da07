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
from bree.cli.online.account_commands import app as account_app
from bree.cli.online.admin import app as admin_app
from bree.cli.talk import Talk
from bree.cli.trouble import Trouble

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
    list[str] | None, typer.Argument(metavar="GAME...", help="Which games; by default all.")
]
State = Annotated[
    Path | None,
    typer.Option(metavar="FOLDER", help="Where everything is kept; or the variable BREE_STATE."),
]
Port = Annotated[
    int | None,
    typer.Option(metavar="PORT", help="The gateway's port; or BREE_GATEWAY_PORT. By default 7000."),
]
To = Annotated[
    Path, typer.Option("--to", metavar="FOLDER", help="Where the backup goes, under a dated name.")
]
Keys = Annotated[
    bool,
    typer.Option("--keys", help="With the fate key, so that it can be gone on with elsewhere."),
]
Thorough = Annotated[
    bool, typer.Option("--thorough", help="Replay every record, and not only some of them.")
]
Backup = Annotated[Path, typer.Argument(metavar="FILE", help="A backup.")]
Lost = Annotated[
    str,
    typer.Option(
        metavar="URL", help="The store that is given up: say what was played after the backup."
    ),
]
OnlyCheck = Annotated[bool, typer.Option("--check", help="Only look whether it is whole.")]
Wait = Annotated[
    float, typer.Option(min=0, metavar="SECONDS", help="How long to wait until it has happened.")
]
Anybody = Annotated[
    str | None,
    typer.Argument(metavar="[NAME]", help="An account of the platform that you host, not yours."),
]
ExportTo = Annotated[
    Path | None,
    typer.Option("--to", metavar="FILE", help="A new file; by default it has the account's name."),
]
Sure = Annotated[bool, typer.Option("--yes", help="Do not ask whether that is meant.")]

Sample = Annotated[
    int, typer.Option(min=0, metavar="N", help="So many that run and so many that are over.")
]
Seed = Annotated[
    str, typer.Option(metavar="WORD", help="Another word is another sample, the same the same.")
]
AsJson = Annotated[bool, typer.Option("--json", help="For programs.")]

app.add_typer(admin_app, name="admin", rich_help_panel=PANEL)
app.add_typer(account_app, name="account", rich_help_panel="On a platform")


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


@app.command("backup", rich_help_panel=PANEL)
def backup(
    *,
    to: To = Path("backups"),
    state: State = None,
    keys: Keys = False,
    thorough: Thorough = False,
) -> int:
    """Write everything that the platform keeps into a file while people play, and verify it."""
    _override(state, None)
    code: int = imported("bree.local.backup").back_up(to, keys=keys, thorough=thorough)
    return code


@app.command("restore", rich_help_panel=PANEL)
def restore(
    file: Backup,
    *,
    state: State = None,
    lost: Lost = "",
    check: OnlyCheck = False,
    thorough: Thorough = False,
) -> int:
    """Bring a platform back from a backup, into servers that are empty."""
    _override(state, None)
    commands = imported("bree.local.backup")
    code: int = commands.check(file, thorough=thorough) if check else commands.restore(file, lost)
    return code


@app.command("archive", rich_help_panel=PANEL)
def archive(*, state: State = None, wait: Wait = 60) -> int:
    """Have settled matches leave the live store for the ledger now, and not in an hour."""
    _override(state, None)
    code: int = imported("bree.local.archive").archive(wait)
    return code


@account_app.command("export")
def account_export(name: Anybody = None, *, to: ExportTo = None, state: State = None) -> int:
    """Write all that is kept of you into a file: account, ratings, matches, records, notes."""
    if name is None:
        own: int = imported("bree.cli.online.own").export(to)
        return own
    _override(state, None)
    code: int = imported("bree.local.people").export(name, to or Path(f"{name}.zip"))
    return code


@account_app.command("delete")
def account_delete(name: Anybody = None, *, state: State = None, yes: Sure = False) -> int:
    """Have your account be deleted in a week, or that of NAME now; matches played stay."""
    if name is None:
        own: int = imported("bree.cli.online.own").delete(sure=yes)
        return own
    if not yes:
        raise Trouble("it cannot be undone: add --yes")
    _override(state, None)
    code: int = imported("bree.local.people").delete(name)
    return code


@account_app.command("keep")
def account_keep() -> int:
    """Undo bree account delete before the week is over."""
    code: int = imported("bree.cli.online.own").keep()
    return code


@admin_app.command("replay")
def admin_replay(
    games: Games = None,
    *,
    sample: Sample = 0,
    seed: Seed = "",
    as_json: AsJson = False,
    state: State = None,
) -> int:
    """Say which matches would go differently by the rules at hand; nothing is changed.

    Run it with a version that is to come, before it comes. The exit code is 1 if any would.
    """
    _override(state, None)
    rehearsal = imported("bree.local.rehearsal")
    code: int = rehearsal.replay(games or (), sample, seed, as_json=as_json)
    return code
