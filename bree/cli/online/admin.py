"""The commands of `bree admin`, for accounts that the configuration of a platform names.

Design. They ask the gateway as everybody else does, with the token that `bree login` has kept, so
they work from anywhere. What they do is in `desk`, which is imported when it is done.
"""

from __future__ import annotations

from typing import Annotated, Any

import typer

from bree.cli.late import imported

app = typer.Typer(
    help="Sit at the host's desk: accounts, matches, reports, notices, and the log of it all.",
    no_args_is_help=True,
)


def desk() -> Any:
    """What the commands do."""
    return imported("bree.cli.online.desk")


# What the commands take.

Who = Annotated[str, typer.Argument(metavar="ACCOUNT", help="The name of an account, or its id.")]
Match = Annotated[str, typer.Argument(metavar="MATCH", help="The name of a match.")]
Seat = Annotated[str, typer.Argument(metavar="SEAT", help="The name of a seat.")]
Level = Annotated[str, typer.Argument(help="One that `bree bots` lists.")]
Why = Annotated[
    str, typer.Option("--why", metavar="TEXT", help="The reason, which is told and kept.")
]
For = Annotated[
    str, typer.Option("--for", metavar="TIME", help="How long: 30m, 12h, 3d, 2w, or ever.")
]
Prefix = Annotated[str, typer.Argument(metavar="NAME", help="What their names begin with.")]
Most = Annotated[int, typer.Option(min=1, help="So many at most.")]
Of = Annotated[str, typer.Option("--of", metavar="ACCOUNT", help="Only those of this account.")]
Sure = Annotated[bool, typer.Option("--yes", help="It cannot be undone.")]
Text = Annotated[str, typer.Argument(metavar="TEXT", help="One line, in quotes.")]
NewName = Annotated[str, typer.Argument(metavar="NAME", help="The name that it gets.")]
Number = Annotated[int, typer.Argument(metavar="NUMBER", help="The number of a report.")]
Banned = Annotated[bool, typer.Option("--banned", help="Only those who are shut out.")]
Muted = Annotated[bool, typer.Option("--muted", help="Only those whom nobody reads.")]
Leaving = Annotated[bool, typer.Option("--leaving", help="Only those who are being deleted.")]
Bots = Annotated[bool, typer.Option("--bots", help="Only programs.")]
Game = Annotated[str, typer.Option(help="Only this game.")]
State = Annotated[str, typer.Option(help="Only open, running, over or closed ones.")]
Older = Annotated[str, typer.Option(metavar="TIME", help="Only those so old: 30m, 12h, 3d.")]
Held = Annotated[bool, typer.Option("--held", help="Only those that are held.")]
Everything = Annotated[bool, typer.Option("--all", help="Closed ones, too.")]
Replay = Annotated[
    bool, typer.Option("--replay", help="Play it again under the rules at hand, and compare.")
]
LosingSeat = Annotated[str, typer.Option("--seat", metavar="SEAT", help="The seat that loses.")]
LosingTeam = Annotated[str, typer.Option("--team", metavar="TEAM", help="The team that loses.")]
Last = Annotated[int, typer.Option(min=0, help="Print so many of its last lines; 0 is all.")]


# Accounts.


@app.command("accounts")
def accounts(
    prefix: Prefix = "",
    *,
    banned: Banned = False,
    muted: Muted = False,
    leaving: Leaving = False,
    bots: Bots = False,
    most: Most = 20,
) -> int:
    """List accounts, the newest first."""
    flags = {"banned": banned, "muted": muted, "leaving": leaving, "bot": bots}
    code: int = desk().accounts(prefix, [flag for flag, is_so in flags.items() if is_so], most)
    return code


@app.command("account")
def account(who: Who) -> int:
    """Tell of one account: how it comes in, what it plays, what was reported of it."""
    code: int = desk().account(who)
    return code


@app.command("rename")
def rename(who: Who, name: NewName, *, why: Why) -> int:
    """Give an account another name in place of one that offends."""
    code: int = desk().rename(who, name, why)
    return code


@app.command("mute")
def mute(who: Who, *, lasting: For, why: Why) -> int:
    """Let nobody read what an account writes."""
    code: int = desk().shut(who, "mute", lasting, why)
    return code


@app.command("unmute")
def unmute(who: Who, *, why: Why) -> int:
    """Let it be read again."""
    code: int = desk().open_again(who, "mute", why)
    return code


@app.command("ban")
def ban(who: Who, *, lasting: For, why: Why) -> int:
    """Shut an account out; what it plays goes on without it."""
    code: int = desk().shut(who, "ban", lasting, why)
    return code


@app.command("unban")
def unban(who: Who, *, why: Why) -> int:
    """Let it in again."""
    code: int = desk().open_again(who, "ban", why)
    return code


@app.command("delete")
def delete(who: Who, *, why: Why, yes: Sure = False) -> int:
    """Delete an account for ever; what others have a part in keeps a pseudonym."""
    code: int = desk().delete(who, why, sure=yes)
    return code


# Matches.


@app.command("matches")
def matches(
    *,
    of: Of = "",
    game: Game = "",
    state: State = "",
    older: Older = "",
    held: Held = False,
    most: Most = 20,
) -> int:
    """List matches, the newest first."""
    code: int = desk().matches(of, game, state, older, held=held, most=most)
    return code


@app.command("match")
def match(name: Match, *, replay: Replay = False) -> int:
    """Look at a match as a spectator does, and at what is to happen in it."""
    code: int = desk().replay(name) if replay else desk().match(name)
    return code


@app.command("abort")
def abort(name: Match, *, why: Why) -> int:
    """End a match for nobody's gain; close one that has not begun."""
    code: int = desk().act("AbortMatch", name, why)
    return code


@app.command("adjudicate")
def adjudicate(name: Match, *, seat: LosingSeat = "", team: LosingTeam = "", why: Why) -> int:
    """Rule that a seat or a team of a match has lost."""
    code: int = desk().adjudicate(name, seat, team, why)
    return code


@app.command("hand-over")
def hand_over(name: Match, seat: Seat, level: Level, *, why: Why) -> int:
    """Let a hosted bot play on for the person at a seat."""
    code: int = desk().act("HandOverSeatByHost", name, why, seat=seat, level=level)
    return code


@app.command("give-back")
def give_back(name: Match, seat: Seat, *, why: Why) -> int:
    """Give a seat back to its person."""
    code: int = desk().act("GiveBackSeatByHost", name, why, seat=seat)
    return code


@app.command("hold")
def hold(name: Match, *, why: Why) -> int:
    """Stop a match: nobody decides anything in it, and its clocks stand still."""
    code: int = desk().act("HoldMatch", name, why)
    return code


@app.command("release")
def release(name: Match, *, why: Why) -> int:
    """Let a match go on that was stopped."""
    code: int = desk().act("ReleaseMatch", name, why)
    return code


# What lies on the desk.


@app.command("reports")
def reports(*, of: Of = "", everything: Everything = False, most: Most = 20) -> int:
    """List what players have reported, the oldest open one first."""
    code: int = desk().reports(of, everything=everything, most=most)
    return code


@app.command("close")
def close(number: Number, verdict: Text) -> int:
    """Close a report, and say what came of it."""
    code: int = desk().close(number, verdict)
    return code


@app.command("notices")
def notices(*, of: Of = "", most: Most = 20) -> int:
    """List the notices to everybody, and those to one account."""
    code: int = desk().notices(of, most)
    return code


@app.command("notice")
def notice(text: Text, *, lasting: For, why: Why) -> int:
    """Tell everybody something, for as long as it counts."""
    code: int = desk().notice(text, lasting, why)
    return code


@app.command("queues")
def queues() -> int:
    """Count what is to happen in the matches of each game."""
    code: int = desk().queues()
    return code


@app.command("limits")
def limits() -> int:
    """List the limits in force, by the names of their settings."""
    code: int = desk().limits()
    return code


@app.command("log")
def log(last: Last = 20) -> int:
    """Verify the audit log from its first line, and print the last ones."""
    code: int = desk().log(last)
    return code
