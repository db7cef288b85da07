"""Matches, outcomes and times as words."""

from __future__ import annotations

from collections.abc import Sequence

from bree.cli.seats import does
from bree.engine.v1.engine_pb2 import Clock, Standing
from bree.engine.v1.types_pb2 import ENDING_FINISHED, Outcome
from bree.gateway.v1 import gateway_pb2 as pb

STATES = {
    pb.MATCH_STATE_OPEN: "open",
    pb.MATCH_STATE_RUNNING: "running",
    pb.MATCH_STATE_OVER: "over",
    pb.MATCH_STATE_CLOSED: "closed",
}


def who(seat: pb.MatchSeat) -> str:
    """Who sits at a seat."""
    if seat.bot_level:
        return f"bot {seat.bot_level}"
    return seat.account or "free"


def whole(seat: pb.MatchSeat, name: str = "") -> str:
    """The same, with who plays for him, and whether he is here."""
    more = [f"bot {seat.stand_in} plays for {'you' if seat.account == name else 'him'}"]
    told = more if seat.stand_in else []
    if seat.account and seat.account == name:
        told.append("you")
    elif seat.here:
        told.append("here")
    return ", ".join([who(seat), *told])


def seats(match: pb.Match) -> str:
    """Who sits where."""
    return ", ".join(f"{seat.seat}: {who(seat)}" for seat in match.seats)


def free(match: pb.Match) -> list[str]:
    """The seats that nobody has taken."""
    return [seat.seat for seat in match.seats if not seat.account and not seat.bot_level]


def listed(words: Sequence[str], between: str = "and") -> str:
    """Words with commas, and one word before the last."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {between} {words[-1]}"


def verdict(outcome: Outcome, mine: Sequence[str] = ()) -> str:
    """How a match ended, to whoever sat at these seats."""
    if outcome.ending != ENDING_FINISHED:
        return "The match was broken off; nobody wins."
    scores = {score.seat: score.score for score in outcome.scores}
    best = [seat for seat, score in scores.items() if score == max(scores.values())]
    if len(best) == len(scores):
        return "It is a draw."
    if len(mine) == 1 and mine[0] not in best:
        return "You lose."
    if len(best) > 1:
        return f"{does(best, 'shares', 'share')} the win."
    return "You win." if list(mine) == best else f"{does(best, 'wins', 'win')}."


def time_left(standing: Standing, seat: str) -> str:
    """What a seat has left on its clock; empty without one."""
    left = next((clock.left_ms for clock in standing.clocks if clock.seat == seat), None)
    return "" if left is None else duration(left)


def duration(ms: int) -> str:
    """A time such as 4:30 or 1:04:30."""
    minutes, seconds = divmod(max(0, ms) // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def clock(clock: Clock) -> str:
    """The time that seats have."""
    bank, move = duration(clock.bank_ms), duration(clock.move_ms)
    late = f"then bot {clock.bot_level} takes over" if clock.bot_level else "then a seat forfeits"
    if not clock.bank_ms:
        return f"{move} a question, {late}"
    return f"{bank} a seat{f' and {move} more a question' if clock.move_ms else ''}, {late}"
