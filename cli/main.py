"""The commands of `bree`, and what its exit codes mean.

0: done. 1: a record was read and does not hold. 2: a file, a path or an option does not do; one
sentence on stderr says what.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from cli import records
from cli.games import show_games
from cli.playing import Wanted, play
from cli.replaying import replay
from cli.talk import ReaderGone, Talk
from cli.trouble import Trouble
from services.core.errors import Refused

app = typer.Typer(
    help="Middle-earth board games in the terminal.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,  # a bug is reported with its traceback as it is
)
record_app = typer.Typer(help="Look at recorded games.", no_args_is_help=True)
app.add_typer(record_app, name="record")

# What the commands take.

File = Annotated[Path, typer.Argument(metavar="FILE", help="A record of a game.")]
Game = Annotated[str | None, typer.Argument(help="A game that `bree games` lists.")]
Seat = Annotated[str | None, typer.Option(help="The seat you take; by default the first.")]
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
    try:
        code = app(arguments, prog_name="bree", standalone_mode=False)
    except typer.TyperException as e:
        return _complain(e.format_message())
    except (Trouble, Refused) as e:
        return _complain(str(e))
    except ReaderGone:  # what is still buffered has nowhere to go
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (KeyboardInterrupt, typer.Abort):
        return 130
    return code or 0


def _complain(why: str) -> int:
    sentence = " ".join(why.split()).rstrip(".")
    if sentence:  # else help has been printed, because nothing was asked for
        print(f"bree: {sentence}.", file=sys.stderr)
    return 2


@app.command("games")
def games() -> int:
    """What can be played: options, their values, presets, bots."""
    return show_games(Talk())


@app.command("play")
def play_command(  # noqa: PLR0913  # a command line has as many options as it has
    game: Game = None,
    *,
    seat: Seat = None,
    bot: Bot = None,
    option: Options = None,
    preset: Preset = None,
    seed: Seed = None,
    record: Keep = None,
    resume: Resume = None,
    hotseat: Hotseat = False,
) -> int:
    """Play a game in this terminal, against the machine or with somebody beside you."""
    options = tuple(option or ())
    wanted = Wanted(game, seat, bot, options, preset, seed, record, resume, hotseat)
    return play(Talk(), wanted)


@app.command("verify")
def verify(file: File) -> int:
    """Replay a record and check every draw, decision, digest and the result."""
    return records.verify(Talk(), file)


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


if __name__ == "__main__":
    sys.exit(main())
