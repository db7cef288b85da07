"""The commands of `bree`, and what its exit codes mean.

0: done. 1: a record was read and does not hold. 2: a file, a path, an option or a wish does not do.
3: the platform is away, and the same may succeed later. One sentence on stderr says what is wrong.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from bree import __version__
from bree.cli import hosting, records
from bree.cli.arena.command import Wanted as ArenaWanted
from bree.cli.arena.command import arena
from bree.cli.games import show_games
from bree.cli.online import commands as online
from bree.cli.online import past_commands
from bree.cli.online.names import is_match
from bree.cli.playing import Wanted, named, play
from bree.cli.replaying import replay
from bree.cli.talk import ReaderGone, Talk
from bree.cli.trouble import USAGE, Trouble
from bree.process.variables import slips
from services.core.errors import Refused


class Records(typer.core.TyperGroup):
    """`bree record MATCH` fetches a record; what has no hyphen is a command for files."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put in the command that a match stands for."""
        named = any(is_match(word) for word in args) and not set(args) & set(self.commands)
        return super().parse_args(ctx, ["fetch", *args] if named else args)


HERE = "In this terminal"

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,  # a bug is reported with its traceback as it is
)
record_app = typer.Typer(
    cls=Records,
    help="Look at recorded games; bree record MATCH fetches one from a platform.",
    no_args_is_help=True,
)
app.add_typer(record_app, name="record", rich_help_panel=HERE)

# What the commands take.

File = Annotated[Path, typer.Argument(metavar="FILE", help="A record of a game.")]
Played = Annotated[
    str | None,
    typer.Argument(metavar="GAME|MATCH", help="A game to play here, or a match on a platform."),
]
Checked = Annotated[
    str, typer.Argument(metavar="FILE|MATCH", help="A record of a game, or a match on a platform.")
]
Online = Annotated[bool, typer.Option("--online", help="Those of the platform.")]
Out = Annotated[
    Path | None, typer.Option("--out", "-o", metavar="FILE", help="Where to; - is the output.")
]
Seat = Annotated[
    str | None, typer.Option(help="The seat you take, or random; by default the first.")
]
Bot = Annotated[str | None, typer.Option(help="The bot in the other seats; by default greedy.")]
Options = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=VALUE", help="An option of the game; any number of times."),
]
Preset = Annotated[str | None, typer.Option(help="A well-known choice of options.")]
Seed = Annotated[
    str | None,
    typer.Option(metavar="HEX", help="Chance and bots follow from this; for tests."),
]
Keep = Annotated[
    Path | None, typer.Option("--record", metavar="FILE", help="Where the game is kept.")
]
Resume = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Go on with the game in this file.")
]
Hotseat = Annotated[
    bool, typer.Option("--hotseat", help="People play every seat, in turns at this terminal.")
]
Explain = Annotated[
    bool, typer.Option("--explain", help="The bots say what they think of their answers.")
]
Games = Annotated[
    list[str] | None, typer.Argument(metavar="GAME...", help="The games; by default all.")
]
Fighters = Annotated[
    list[str] | None, typer.Option(help="Bots that meet each other; by default every level.")
]
Pairs = Annotated[int, typer.Option(min=1, help="Pairs of games for each two bots.")]
Minutes = Annotated[
    float | None, typer.Option(min=0, help="No game is begun after so many minutes.")
]
Jobs = Annotated[int, typer.Option(min=0, help="Games at the same time; by default one a core.")]
Results = Annotated[
    Path | None,
    typer.Option("--keep", metavar="FILE", help="Where results are kept, and gone on from."),
]
To = Annotated[
    int | None, typer.Option(help="Draw the position after so many decisions, and stop.")
]
Eyes = Annotated[str | None, typer.Option("--seat", help="Look through the eyes of this seat.")]
Opened = Annotated[
    bool, typer.Option("--open", help="Show all that any seat sees; for finished games.")
]


# The commands.


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `bree` and return its exit code; no complaint is more than a sentence."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # no byte that comes or goes can stop a game
    for slip in slips(os.environ):
        print(f"bree: {slip}", file=sys.stderr)
    try:
        code = app(arguments, prog_name="bree", standalone_mode=False)
    except typer.TyperException as e:
        return _complain(e.format_message())
    except Trouble as e:
        return _complain(str(e), e.code)
    except Refused as e:
        return _complain(str(e))
    except ReaderGone:  # what is still buffered has nowhere to go
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (KeyboardInterrupt, typer.Abort):
        return 130
    return code or 0


def _complain(why: str, code: int = USAGE) -> int:
    sentence = " ".join(why.split()).rstrip(".")
    if sentence:  # else help has been printed, because nothing was asked for
        print(f"bree: {sentence}.", file=sys.stderr)
    return code


def _tell_version(asked: bool) -> None:
    if asked:
        Talk().say(f"bree {__version__}")
        raise typer.Exit


Version = Annotated[
    bool,
    typer.Option("--version", callback=_tell_version, is_eager=True, help="Say which Bree it is."),
]


@app.callback()
def bree(*, version: Version = False) -> None:
    """Middle-earth board games in the terminal, alone or on a platform."""


@app.command("games", rich_help_panel=HERE)
def games(at: online.At = None, *, on_platform: Online = False) -> int:
    """What can be played: options, their values, presets, bots."""
    if on_platform or at:
        code: int = online.acts().games(at)
        return code
    return show_games(Talk())


@app.command("play", rich_help_panel=HERE)
def play_command(  # noqa: PLR0913  # a command line has as many options as it has
    game: Played = None,
    *,
    seat: Seat = None,
    bot: Bot = None,
    option: Options = None,
    preset: Preset = None,
    seed: Seed = None,
    record: Keep = None,
    resume: Resume = None,
    hotseat: Hotseat = False,
    explain: Explain = False,
) -> int:
    """Play in this terminal: alone, with somebody beside you, or your seat of a MATCH."""
    options = tuple(option or ())
    if game and is_match(game):
        if bot or options or preset or seed or record or resume or hotseat or explain:
            raise Trouble("of these options a match of a platform takes --seat alone")
        code: int = online.acts().play_match(game, seat)
        return code
    wanted = Wanted(game, seat, bot, options, preset, seed, record, resume, hotseat, explain)
    return play(Talk(), wanted)


@app.command("arena", rich_help_panel=HERE)
def arena_command(  # noqa: PLR0913  # a command line has as many options as it has
    games: Games = None,
    *,
    bot: Fighters = None,
    pairs: Pairs = 20,
    minutes: Minutes = None,
    keep: Results = None,
    jobs: Jobs = 0,
    option: Options = None,
) -> int:
    """Let bots play each other, seats swapped, and rate them; by default the whole ladder."""
    chosen = dict(named(text) for text in option or ())
    wanted = ArenaWanted(games or (), bot or (), pairs, minutes, keep, chosen, jobs)
    return arena(Talk(), wanted)


@app.command("verify", rich_help_panel=HERE)
def verify(what: Checked) -> int:
    """Replay a record and check every draw, decision, digest and the result."""
    if is_match(what) and not Path(what).exists():
        code: int = online.acts().verify(what)
        return code
    return records.verify(Talk(), Path(what))


@record_app.command("fetch")
def record_fetch(match: online.Match, out: Out = None) -> int:
    """Fetch the record of a match that is over; `bree record MATCH` is the same."""
    code: int = online.acts().fetch_record(match, out)
    return code


@record_app.command("verify")
def record_verify(file: File) -> int:
    """Replay a record and check every draw, decision, digest and the result."""
    return records.verify(Talk(), file)


@record_app.command("show")
def record_show(file: File) -> int:
    """Print a record in words: who played, every decision, the result."""
    return records.show(Talk(), file)


@record_app.command("replay")
def record_replay(file: File, to: To = None, seat: Eyes = None, opened: Opened = False) -> int:
    """Go through a recorded game, the board drawn after each decision."""
    return replay(Talk(), file, seat, to, opened=opened)


app.add_typer(online.app)
app.add_typer(past_commands.app)
app.add_typer(hosting.app)

if __name__ == "__main__":
    sys.exit(main())
