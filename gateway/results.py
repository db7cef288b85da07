"""What a match that is over was to each who sat there: rows that profiles and searches read.

Design. They follow from the match, from the names under which ratings are kept and from the length
of its record, and from nothing else: so they can be made again at any time, and are the same.
Options are kept all of them in one order; a preset has a name only where somebody reads it, so
nothing that is kept changes its meaning when a game names its presets anew.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence

from bree.engine.v1 import types_pb2 as types
from bree.engine.v1.engine_pb2 import DescribeGameResponse
from gateway.documents import Match, Result
from gateway.paces import pace_of

WON, LOST, DRAWN, ABORTED = RESULTS = ("won", "lost", "drawn", "aborted")

LONGEST_OPTIONS = 400


def spelt(options: Iterable[tuple[str, str]]) -> str:
    """Options as one text, the same in whatever order; what is too long ends with its digest."""
    text = " ".join(f"{name}={value}" for name, value in sorted(options))
    if len(text) <= LONGEST_OPTIONS:
        return text
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    return f"{text[: LONGEST_OPTIONS - 18]} #{digest}"


def presets(game: DescribeGameResponse) -> dict[str, str]:
    """The presets of a game: by name, its options as one text."""
    usual = {spec.name: spec.default_value for spec in game.options}
    return {
        preset.name: spelt((usual | _chosen(preset.options)).items()) for preset in game.presets
    }


def _chosen(options: Iterable[types.OptionChoice]) -> dict[str, str]:
    return {option.name: option.value for option in options}


def results_of(match: Match, players: Sequence[str], length: int, ended_ms: int) -> list[Result]:
    """A row for each seat at which somebody sat.

    `players` are the names under which ratings are kept, by seat.
    """
    scores = dict(match.outcome.scores) if match.outcome else {}
    came = _came(match, scores)
    return [
        Result(
            match=match.id,
            seat=seat.name,
            side=_side(match, seat.name),
            account=seat.account,
            player=player,
            game=match.game,
            pace=pace_of(match.clock),
            options=spelt(match.options),
            ended_ms=ended_ms,
            length=length,
            result=came[seat.name],
            score=scores.get(seat.name, 0),
            rated=match.settled == "counted",
        )
        for seat, player in zip(match.seats, players, strict=True)
        if not seat.is_free
    ]


def _side(match: Match, seat: str) -> str:
    team = match.team_of(seat)
    return team.name if team else seat


def _came(match: Match, scores: Mapping[str, int]) -> dict[str, str]:
    """What came of it by seat. A side has what the best of its seats has."""
    seats = [seat.name for seat in match.seats]
    if not scores:
        return dict.fromkeys(seats, ABORTED)
    sides: dict[str, int] = {}
    for seat in seats:
        side = _side(match, seat)
        sides[side] = max(scores[seat], sides.get(side, scores[seat]))
    best = max(sides.values())
    first = DRAWN if list(sides.values()).count(best) > 1 else WON
    return {seat: first if sides[_side(match, seat)] == best else LOST for seat in seats}
