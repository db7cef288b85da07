"""What the commands of `bree` that need a platform do, each from its arguments to its exit code."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bree.cli.online import account, company, lists, past, records, table, words
from bree.cli.online.link import LONG, linked, looked_at
from bree.cli.online.session import Session
from bree.cli.online.top import Top
from bree.cli.online.watching import Watching
from bree.cli.talk import Talk
from bree.cli.trouble import Trouble
from bree.gateway.v1 import gateway_pb2 as pb

# Being somebody.


def login(
    at: str | None, name: str | None, *, token: bool, code: bool, authority: Path | None
) -> int:
    """`bree login`."""
    return account.login(Talk(), account.Wanted(at, name, token, code, authority))


def logout(*, sure: bool) -> int:
    """`bree logout`."""
    return account.logout(Talk(), sure=sure)


def show_token() -> int:
    """`bree token show`."""
    return account.show_token()


def rotate_token() -> int:
    """`bree token rotate`."""
    return account.rotate(Talk())


def revoke_token(*, sure: bool) -> int:
    """`bree token revoke`."""
    return account.revoke(Talk(), sure=sure)


# Matches before they start.


def new(  # noqa: PLR0913  # as many as the command has
    game: str,
    *,
    seat: str | None,
    against: str | None,
    options: Sequence[str],
    preset: str | None,
    clock: str | None,
    takeover: str | None,
    stay_out: bool,
    play: bool,
) -> int:
    """`bree new`."""
    if play and stay_out:
        raise Trouble("--play plays a seat, which --stay-out does not take")
    wanted = table.Wanted(game, options, preset, clock, takeover, seat, against, stay_out)
    talk = Talk()
    with linked(talk) as link:
        match = table.new(link, wanted)
    _say_opened(talk, match, stay_out=stay_out)
    return play_match(match.id, None) if play else 0


def _say_opened(talk: Talk, match: pb.Match, *, stay_out: bool) -> None:
    talk.say(match.id, "bold green")
    talk.say(f"{words.seats(match)}; {words.STATES[match.state]}.")
    if words.free(match):
        talk.say(f"  bree join {match.id}              for whoever plays with you")
        talk.say(f"  bree bots add {match.id} LEVEL    for a hosted bot")
    if not stay_out:
        talk.say(f"  bree play {match.id}")
    elif words.free(match):
        talk.say(f"  bree start {match.id}             when all seats are taken")
    talk.say(f"  bree watch {match.id}")


def join(match: str, seat: str | None, *, play: bool) -> int:
    """`bree join`."""
    talk = Talk()
    with linked(talk) as link:
        joined, mine = table.join(link, table.found(link, match), seat or "")
    talk.say(f"You are {mine} in {joined.id}. {words.seats(joined)}.", "bold green")
    if play:
        return play_match(joined.id, mine)
    if joined.state in (pb.MATCH_STATE_OPEN, pb.MATCH_STATE_RUNNING):
        talk.say(f"  bree play {joined.id}")
    return 0


def leave(match: str) -> int:
    """`bree leave`."""
    talk = Talk()
    with linked(talk) as link:
        left = link.client.leave(table.found(link, match).id)
    talk.say(f"{left.id} is {'closed' if left.state == pb.MATCH_STATE_CLOSED else 'left'}.")
    return 0


def start(match: str) -> int:
    """`bree start`."""
    talk = Talk()
    with linked(talk) as link:
        begun = link.client.start(table.found(link, match).id)
    talk.say(f"{begun.id} is {words.STATES[begun.state]}. {words.seats(begun)}.")
    return 0


def add_bot(match: str, level: str, seat: str | None) -> int:
    """`bree bots add`."""
    talk = Talk()
    with linked(talk) as link:
        added = link.client.add_bot(table.found(link, match).id, level, seat or "")
        playing = link.seats_of(added.match)
    talk.say(f"Bot {level} is {added.seat} in {match}. {words.seats(added.match)}.")
    if not words.free(added.match):
        talk.say(f"  bree {'play' if playing else 'start'} {match}")
    return 0


def remove_bot(match: str, seat: str) -> int:
    """`bree bots remove`."""
    talk = Talk()
    with linked(talk) as link:
        left = link.client.remove_bot(table.found(link, match).id, seat)
    talk.say(f"{words.seats(left)}.")
    return 0


# Matches that are being played.


def stand_in(match: str, level: str, seat: str | None) -> int:
    """`bree bots stand-in`."""
    with linked(Talk()) as link:
        shown, mine = company.seated(link, match, seat)
        company.lend(link, shown, mine, level)
    return 0


def stand_down(match: str, seat: str | None) -> int:
    """`bree bots stand-down`."""
    talk = Talk()
    with linked(talk) as link:
        shown, mine = company.seated(link, match, seat)
        if not company.take_back(link, shown, mine):
            talk.say(f"No bot plays {mine} for you.")
    talk.say(f"  bree play {shown.id}")
    return 0


def note(match: str, text: str, seat: str | None) -> int:
    """`bree note`."""
    with linked(Talk()) as link:
        shown, mine = company.seated(link, match, seat)
        company.say_note(link, shown, mine, text)
    return 0


def notes(match: str, seat: str | None) -> int:
    """`bree notes`."""
    with linked(Talk()) as link:
        shown, mine = company.seated(link, match, seat)
        company.list_notes(link, shown, mine)
    return 0


def who(match: str) -> int:
    """`bree who`."""
    with linked(Talk()) as link:
        company.say_who(link, table.found(link, match))
    return 0


def play_match(match: str, seat: str | None) -> int:
    """`bree play MATCH`."""
    with linked(Talk(), LONG) as link:
        shown = table.found(link, match)
        mine = table.my_seat(link, shown, seat)
        try:
            shown = table.until_started(link, shown, begin=True)
        except KeyboardInterrupt:
            link.talk.say()
            link.talk.say(f"To go on: bree play {shown.id}")
            return 0
        if shown.state == pb.MATCH_STATE_OVER:
            raise Trouble(f"{shown.id} is over: bree record {shown.id} fetches its record")
        Session(link, shown, mine).run()
    return 0


def watch(match: str, seat: str | None, *, whole: bool, no_board: bool) -> int:
    """`bree watch`."""
    with linked(Talk(), LONG) as link:
        shown = table.found(link, match)
        eyes = table.my_seat(link, shown, seat) if seat else ""
        drawn = link.talk.console.is_terminal and not no_board
        try:
            shown = table.until_started(link, shown, begin=False)
            Watching(link, shown, eyes, drawn=drawn).run(whole=whole)
        except KeyboardInterrupt:
            link.talk.say()
    return 0


def fetch_record(match: str, to: Path | None) -> int:
    """`bree record MATCH`."""
    with linked(Talk()) as link:
        return records.fetch(link, match, to)


def verify(match: str) -> int:
    """`bree verify MATCH`."""
    with linked(Talk()) as link:
        return records.verify(link, match)


# Lists and figures.


def games(at: str | None) -> int:
    """`bree games --online`."""
    with looked_at(Talk(), at) as link:
        return lists.games(link)


def bots(game: str | None) -> int:
    """`bree bots`."""
    with linked(Talk()) as link:
        return lists.bots(link, game)


def matches(*, everyones: bool, game: str | None, state: str | None, most: int) -> int:
    """`bree matches`."""
    with linked(Talk()) as link:
        return lists.matches(link, everyones=everyones, game=game, state=state, most=most)


def ranks(game: str | None, most: int) -> int:
    """`bree ranks`."""
    with linked(Talk()) as link:
        return lists.ranks(link, game, most)


def profile(name: str | None) -> int:
    """`bree profile`."""
    with linked(Talk()) as link:
        return past.profile(link, name)


def results(name: str | None, most: int, **wanted: Any) -> int:
    """`bree results`."""
    with linked(Talk()) as link:
        return past.results(link, name, past.Wanted(**wanted), most)


def search(players: Sequence[str], most: int, **wanted: Any) -> int:
    """`bree search`."""
    with linked(Talk()) as link:
        return past.search(link, players, past.Wanted(**wanted), most)


def top(places: Sequence[str], every: float, *, once: bool) -> int:
    """`bree top`."""
    with linked(Talk()) as link:
        return Top(link, places).run(every, once=once)
