"""The lobby: opening, joining, filling, leaving and starting a match."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bree.cli.online import words
from bree.cli.online.link import Link
from bree.cli.online.names import is_match
from bree.cli.online.promises import Promises
from bree.cli.trouble import Trouble
from bree.engine.v1.engine_pb2 import Clock, DescribeGameResponse
from bree.gateway.v1 import gateway_pb2 as pb

NONCE_BYTES = 16
BY_CHANCE = "random"
"""The seat that is any of the free ones."""
LOOK_SECONDS = 1.0
"""Time between two looks at a match that has not started."""

_TIME = re.compile(r"([0-9]{1,5})(s|m|h)?")
_UNITS = {"s": 1_000, "m": 60_000, "h": 3_600_000, None: 60_000}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a new match is to be."""

    game: str
    options: Sequence[str] = ()
    preset: str | None = None
    clock: str | None = None
    takeover: str | None = None
    seat: str | None = None
    against: str | None = None
    stay_out: bool = False


def found(link: Link, match: str) -> pb.Match:
    """A match, its promise noted unless it is too late; `Trouble` if this cannot be one."""
    if not is_match(match):
        raise Trouble(f"{match!r} is not the name of a match; bree matches lists yours")
    shown = link.client.match(match)
    if shown.state in (pb.MATCH_STATE_OPEN, pb.MATCH_STATE_RUNNING):
        Promises().note(shown.id, shown.commitment)
    return shown


# Opening.


def new(link: Link, wanted: Wanted) -> pb.Match:
    """Open a match, sit down, seat the bots, and begin if nobody is missing."""
    game = _described(link, wanted.game)
    if wanted.stay_out and wanted.seat:
        raise Trouble("--stay-out takes no seat: leave --seat away")
    for flag, level in (("--against", wanted.against), ("--takeover", wanted.takeover)):
        if level and level not in game.bot_levels:
            levels = words.listed(game.bot_levels, "or") or "nothing"
            raise Trouble(f"{flag} takes {levels}, not {level!r}")
    match = link.client.create(wanted.game, _options(game, wanted), _clock(wanted))
    Promises().note(match.id, match.commitment)
    names = [*(seat.seat for seat in match.seats), BY_CHANCE]  # which may depend on the options
    if wanted.seat and wanted.seat not in names:
        link.client.leave(match.id)
        raise Trouble(f"--seat takes {words.listed(names, 'or')}, not {wanted.seat!r}")
    if not wanted.stay_out:
        match = join(link, match, wanted.seat or "")[0]
    if wanted.against:
        for seat in words.free(match):
            match = link.client.add_bot(match.id, wanted.against, seat).match
    return match if words.free(match) else link.client.start(match.id)


def _described(link: Link, game: str) -> DescribeGameResponse:
    games = {one.game: one for one in link.client.games()}
    if game not in games:
        names = words.listed(list(games), "or") or "no game just now"
        raise Trouble(f"{link.login.gateway} plays {names}, not {game!r}")
    return games[game]


def _options(game: DescribeGameResponse, wanted: Wanted) -> Mapping[str, str]:
    """The preset's options, then those that were given one by one."""
    chosen: dict[str, str] = {}
    if wanted.preset is not None:
        presets = {preset.name: preset.options for preset in game.presets}
        if wanted.preset not in presets:
            known = words.listed(list(presets), "or") or "nothing here"
            raise Trouble(f"--preset takes {known}, not {wanted.preset!r}")
        chosen |= {option.name: option.value for option in presets[wanted.preset]}
    for option in wanted.options:
        name, equals, value = option.partition("=")
        if not equals:
            raise Trouble(f"--option takes name=value, not {option!r}")
        chosen[name] = value
    return chosen


def _clock(wanted: Wanted) -> Clock | None:
    if wanted.clock is None:
        if wanted.takeover:
            raise Trouble("--takeover says who plays on when a clock has run out: give --clock")
        return None
    bank, plus, move = wanted.clock.partition("+")
    bank_ms, move_ms = (_ms(part, wanted.clock) if part else 0 for part in (bank, move))
    if not (bank or move) or (plus and not move):
        raise _no_clock(wanted.clock)
    return Clock(bank_ms=bank_ms, move_ms=move_ms, bot_level=wanted.takeover or "")


def _ms(part: str, whole: str) -> int:
    said = _TIME.fullmatch(part)
    if not said:
        raise _no_clock(whole)
    return int(said[1]) * _UNITS[said[2]]


def _no_clock(said: str) -> Trouble:
    return Trouble(f"--clock takes BANK, BANK+MOVE or +MOVE, such as 15m+10s or +30s, not {said!r}")


# Seats.


def join(link: Link, match: pb.Match, seat: str) -> tuple[pb.Match, str]:
    """Sit down, with a nonce of one's own, which is noted."""
    mine = link.seats_of(match)
    if seat in mine:
        return match, seat
    if mine and seat in ("", BY_CHANCE):
        return match, mine[0]
    nonce = secrets.token_bytes(NONCE_BYTES)
    joined = link.client.join(match.id, seat, nonce)
    Promises().note(match.id, match.commitment, {joined.seat: nonce})
    return joined.match, joined.seat


def my_seat(link: Link, match: pb.Match, wanted: str | None) -> str:
    """The one seat of this account that is meant."""
    mine = link.seats_of(match)
    if wanted:
        names = [seat.seat for seat in match.seats]
        if wanted not in names:
            raise Trouble(f"--seat takes {words.listed(names, 'or')}, not {wanted!r}")
        if wanted not in mine:
            raise Trouble(f"you do not sit at {wanted} of {match.id}; {words.seats(match)}")
        return wanted
    if not mine:
        join = f"bree join {match.id}, or " if words.free(match) else ""
        raise Trouble(f"you do not sit in {match.id}: {join}bree watch {match.id}")
    if len(mine) > 1:
        raise Trouble(f"you sit at {words.listed(mine)}: say which, with --seat")
    return mine[0]


# Starting.


def until_started(link: Link, match: pb.Match, *, begin: bool) -> pb.Match:
    """The match once it runs or is over: begun by its creator, else waited for."""
    asked: list[str] | None = None
    while match.state == pb.MATCH_STATE_OPEN:
        missing = words.free(match)
        if not missing and begin and match.creator == link.name:
            match = link.client.start(match.id)
            continue
        if missing != asked:
            asked = missing
            _say_missing(link, match, missing)
        with link.talk.busy(_waiting(match, missing)):
            time.sleep(LOOK_SECONDS)
        match = link.client.match(match.id)
    if match.state == pb.MATCH_STATE_CLOSED:
        raise Trouble(f"{match.id} was closed before it started")
    return match


def _waiting(match: pb.Match, missing: Sequence[str]) -> str:
    if missing:
        return f"Waiting for somebody to take {words.listed(missing)}. Control-C leaves."
    return f"Waiting for {match.creator} to start {match.id}. Control-C leaves."


def _say_missing(link: Link, match: pb.Match, missing: Sequence[str]) -> None:
    link.talk.say(f"{match.id} has not started. {words.seats(match)}.")
    if missing:
        link.talk.say(f"Others take a seat with: bree join {match.id}")
        if match.creator == link.name:
            link.talk.say(f"A hosted bot takes one with: bree bots add {match.id} LEVEL")
