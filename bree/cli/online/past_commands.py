"""The commands of `bree` that tell what was played on a platform, and what they take."""

from __future__ import annotations

from typing import Annotated

import typer

from bree.cli.online.commands import PANEL, AnyGame, Most, OneGame, acts

app = typer.Typer()

AnyName = Annotated[
    str | None, typer.Argument(metavar="NAME", help="Whose; a bot's is bot:LEVEL; by default you.")
]
Players = Annotated[
    list[str] | None,
    typer.Option("--player", metavar="NAME", help="Who sat there; any number of times."),
]
Options = Annotated[
    str | None, typer.Option(metavar="PRESET", help="A preset of the game, or all options.")
]
Pace = Annotated[str | None, typer.Option(help="Only live, slow or free ones.")]
Side = Annotated[str | None, typer.Option(help="Only from this seat or team.")]
Against = Annotated[str | None, typer.Option(metavar="NAME", help="Only against this one.")]
Result = Annotated[str | None, typer.Option(help="Only won, lost, drawn or aborted ones.")]
Rated = Annotated[
    bool | None, typer.Option("--rated/--unrated", help="Only those that count, or do not.")
]
Since = Annotated[str | None, typer.Option(metavar="DAY", help="Not before this day.")]
Until = Annotated[str | None, typer.Option(metavar="DAY", help="Before this day.")]
Length = Annotated[
    str | None, typer.Option(metavar="FROM-TO", help="With so many entries, such as 50-200.")
]


@app.command("profile", rich_help_panel=PANEL)
def profile(name: AnyName = None) -> int:
    """Who somebody is: ratings, and what was won and lost where and against whom."""
    code: int = acts().profile(name)
    return code


@app.command("results", rich_help_panel=PANEL)
def results(  # noqa: PLR0913  # a command line has as many options as it has
    name: AnyName = None,
    *,
    game: OneGame = None,
    options: Options = None,
    pace: Pace = None,
    side: Side = None,
    against: Against = None,
    result: Result = None,
    rated: Rated = None,
    since: Since = None,
    until: Until = None,
    length: Length = None,
    most: Most = 20,
) -> int:
    """What came of somebody's matches, the newest first; in a pipe, a line each."""
    code: int = acts().results(
        name,
        most,
        game=game,
        options=options,
        pace=pace,
        side=side,
        against=against,
        result=result,
        rated=rated,
        since=since,
        until=until,
        length=length,
    )
    return code


@app.command("search", rich_help_panel=PANEL)
def search(  # noqa: PLR0913  # a command line has as many options as it has
    game: AnyGame = None,
    *,
    player: Players = None,
    options: Options = None,
    pace: Pace = None,
    result: Result = None,
    rated: Rated = None,
    since: Since = None,
    until: Until = None,
    length: Length = None,
    most: Most = 20,
) -> int:
    """Look for matches that are over, by game, players and more; in a pipe, a line each."""
    code: int = acts().search(
        tuple(player or ()),
        most,
        game=game,
        options=options,
        pace=pace,
        result=result,
        rated=rated,
        since=since,
        until=until,
        length=length,
    )
    return code
