"""The commands of `bree` that need a platform, and what they take.

Design. What they do is in `acts`, which is imported when it is done: it brings gRPC and generated
code, and a game that is played offline shall wait for neither.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from bree.cli.late import imported

PANEL = "On a platform"

app = typer.Typer()
token_app = typer.Typer(help="The token that proves your account.", no_args_is_help=True)
bots_app = typer.Typer(help="Hosted opponents: list them, or seat one.")
app.add_typer(token_app, name="token", rich_help_panel=PANEL)
app.add_typer(bots_app, name="bots", rich_help_panel=PANEL)


def acts() -> Any:
    """What the commands do."""
    return imported("bree.cli.online.acts")


# What the commands take.

Match = Annotated[str, typer.Argument(metavar="MATCH", help="The name of a match.")]
Game = Annotated[str, typer.Argument(help="A game that `bree games --online` lists.")]
AnyGame = Annotated[str | None, typer.Argument(help="Only this game.")]
OneGame = Annotated[str | None, typer.Option("--game", help="Only this game.")]
Seat = Annotated[
    str | None, typer.Option(help="The seat, or random; by default the first free one.")
]
Mine = Annotated[str | None, typer.Option("--seat", help="Which of your seats, if you have more.")]
Eyes = Annotated[str | None, typer.Option("--seat", help="Through the eyes of this seat of yours.")]
At = Annotated[
    str | None, typer.Option(metavar="HOST:PORT", help="The gateway; by default 127.0.0.1:7000.")
]
Name = Annotated[str | None, typer.Option(help="The name you take; without one you are a guest.")]
Token = Annotated[
    bool, typer.Option("--token", help="Take up an account by its token, which is asked for.")
]
Code = Annotated[
    bool,
    typer.Option(
        "--code", help="Take up an account by a login or recovery code, which is asked for."
    ),
]
Authority = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", exists=True, dir_okay=False, help="Who signed the gateway: speak TLS."
    ),
]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask whether that is meant.")]
Options = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=VALUE", help="An option of the game; any number of times."),
]
Preset = Annotated[str | None, typer.Option(help="A well-known choice of options.")]
Against = Annotated[
    str | None, typer.Option(metavar="BOT", help="Hosted bots of this level take the other seats.")
]
Clock = Annotated[
    str | None,
    typer.Option(metavar="BANK+MOVE", help="Time a seat, such as 15m+10s; or +30s a question."),
]
Takeover = Annotated[
    str | None,
    typer.Option(metavar="BOT", help="Who plays on when a clock has run out; else it is lost."),
]
StayOut = Annotated[bool, typer.Option("--stay-out", help="Take no seat yourself.")]
Play = Annotated[bool, typer.Option("--play", help="Play at once.")]
Whole = Annotated[bool, typer.Option("--whole", help="Tell from the beginning.")]
NoBoard = Annotated[bool, typer.Option("--no-board", help="Tell in words only.")]
Everyones = Annotated[bool, typer.Option("--all", help="Everybody's, not only yours.")]
State = Annotated[str | None, typer.Option(help="Only open, running, over or closed ones.")]
Most = Annotated[int, typer.Option(help="So many at most.")]
Best = Most
Metrics = Annotated[
    list[str] | None,
    typer.Option(
        metavar="HOST:PORT",
        help="Where a process tells its figures; with + also the ports after it.",
    ),
]
Every = Annotated[float, typer.Option(help="Seconds between two looks.")]
Once = Annotated[bool, typer.Option("--once", help="Look once, and stop.")]
NoteText = Annotated[str, typer.Argument(metavar="TEXT", help="One line, in quotes.")]
TheSeat = Annotated[str, typer.Argument(metavar="SEAT", help="The name of a seat.")]
Level = Annotated[str, typer.Argument(help="One that `bree bots` lists.")]

# Being somebody.


@app.command("login", rich_help_panel=PANEL)
def login(
    at: At = None,
    name: Name = None,
    *,
    token: Token = False,
    code: Code = False,
    authority: Authority = None,
) -> int:
    """Become somebody on a platform; the account is kept for all other commands."""
    done: int = acts().login(at, name, token=token, code=code, authority=authority)
    return done


@app.command("logout", rich_help_panel=PANEL)
def logout(*, yes: Yes = False) -> int:
    """Forget who you are; without the token or a recovery code the account is lost."""
    code: int = acts().logout(sure=yes)
    return code


@token_app.command("show")
def token_show() -> int:
    """Print your token, to use it elsewhere."""
    code: int = acts().show_token()
    return code


@token_app.command("rotate")
def token_rotate() -> int:
    """Get another token; the old one is worth nothing then."""
    code: int = acts().rotate_token()
    return code


@token_app.command("revoke")
def token_revoke(*, yes: Yes = False) -> int:
    """Give your account up for ever."""
    code: int = acts().revoke_token(sure=yes)
    return code


# Matches.


@app.command("new", rich_help_panel=PANEL)
def new(  # noqa: PLR0913  # a command line has as many options as it has
    game: Game,
    *,
    seat: Seat = None,
    against: Against = None,
    option: Options = None,
    preset: Preset = None,
    clock: Clock = None,
    takeover: Takeover = None,
    stay_out: StayOut = False,
    play: Play = False,
) -> int:
    """Open a match, and take a seat in it."""
    code: int = acts().new(
        game,
        seat=seat,
        against=against,
        options=tuple(option or ()),
        preset=preset,
        clock=clock,
        takeover=takeover,
        stay_out=stay_out,
        play=play,
    )
    return code


@app.command("join", rich_help_panel=PANEL)
def join(match: Match, seat: Seat = None, *, play: Play = False) -> int:
    """Take a seat in a match that has not started."""
    code: int = acts().join(match, seat, play=play)
    return code


@app.command("leave", rich_help_panel=PANEL)
def leave(match: Match) -> int:
    """Give your seats up before the start; its creator closes the match by it."""
    code: int = acts().leave(match)
    return code


@app.command("start", rich_help_panel=PANEL)
def start(match: Match) -> int:
    """Begin a match of yours whose seats are all taken, without playing in this terminal."""
    code: int = acts().start(match)
    return code


@app.command("watch", rich_help_panel=PANEL)
def watch(
    match: Match, seat: Eyes = None, *, whole: Whole = False, no_board: NoBoard = False
) -> int:
    """Look at a match as it happens; anybody may look at any."""
    code: int = acts().watch(match, seat, whole=whole, no_board=no_board)
    return code


@app.command("matches", rich_help_panel=PANEL)
def matches(
    game: OneGame = None, state: State = None, most: Most = 20, *, everyones: Everyones = False
) -> int:
    """List your matches, or everybody's, the newest first."""
    code: int = acts().matches(everyones=everyones, game=game, state=state, most=most)
    return code


# Opponents, ranks, figures.


@bots_app.callback(invoke_without_command=True)
def bots(context: typer.Context, game: OneGame = None) -> int:
    """Hosted opponents: list them, or seat one."""
    code: int = 0 if context.invoked_subcommand else acts().bots(game)
    return code


@bots_app.command("add")
def bots_add(match: Match, level: Level, seat: Seat = None) -> int:
    """Seat a hosted bot in a match that you have opened."""
    code: int = acts().add_bot(match, level, seat)
    return code


@bots_app.command("remove")
def bots_remove(match: Match, seat: TheSeat) -> int:
    """Send a hosted bot away from a seat, before the start."""
    code: int = acts().remove_bot(match, seat)
    return code


@bots_app.command("stand-in")
def bots_stand_in(match: Match, level: Level, seat: Mine = None) -> int:
    """Let a hosted bot play on for you in a match that runs; everybody can see it."""
    code: int = acts().stand_in(match, level, seat)
    return code


@bots_app.command("stand-down")
def bots_stand_down(match: Match, seat: Mine = None) -> int:
    """Play on yourself, at a seat that a bot plays for you."""
    code: int = acts().stand_down(match, seat)
    return code


@app.command("who", rich_help_panel=PANEL)
def who(match: Match) -> int:
    """Who sits where in a match, in which team, and who is here now."""
    code: int = acts().who(match)
    return code


@app.command("note", rich_help_panel=PANEL)
def note(match: Match, text: NoteText, seat: Mine = None) -> int:
    """Write to your team in a match that runs; nobody else ever reads it."""
    code: int = acts().note(match, text, seat)
    return code


@app.command("notes", rich_help_panel=PANEL)
def notes(match: Match, seat: Mine = None) -> int:
    """Read what your team has written."""
    code: int = acts().notes(match, seat)
    return code


@app.command("ranks", rich_help_panel=PANEL)
def ranks(game: AnyGame = None, most: Best = 10) -> int:
    """The best of each game, and you."""
    code: int = acts().ranks(game, most)
    return code


@app.command("top", rich_help_panel=PANEL)
def top(metrics: Metrics = None, every: Every = 2.0, *, once: Once = False) -> int:
    """Look at the platform at work: matches, moves a second, what waits; Control-C leaves."""
    code: int = acts().top(tuple(metrics or ()), every, once=once)
    return code
