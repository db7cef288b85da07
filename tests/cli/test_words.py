"""Matches, outcomes and times as words."""

from __future__ import annotations

import grpc
import pytest

from bree.cli.online import words
from bree.cli.online.link import trouble
from bree.cli.online.login import Login
from bree.cli.online.names import is_match
from bree.client.patience import Refused
from bree.engine.v1.engine_pb2 import Clock, SeatClock, Standing
from bree.engine.v1.types_pb2 import ENDING_ABORTED, ENDING_FINISHED, Outcome, SeatScore


def outcome(**scores):
    told = [SeatScore(seat=seat, score=score) for seat, score in scores.items()]
    return Outcome(ending=ENDING_FINISHED, scores=told)


@pytest.mark.parametrize(
    ("ended", "mine", "said"),
    [
        (outcome(good=1, dark=-1), ["good"], "You win."),
        (outcome(good=1, dark=-1), ["dark"], "You lose."),
        (outcome(good=1, dark=-1), [], "Good wins."),
        (outcome(good=1, dark=-1), ["good", "dark"], "Good wins."),
        (outcome(good=0, dark=0), ["good"], "It is a draw."),
        (outcome(red=2, blue=2, green=1), [], "Red and Blue share the win."),
        (outcome(red=2, blue=2, green=1), ["green"], "You lose."),
        (outcome(red=2, blue=2, green=1), ["red"], "Red and Blue share the win."),
        (outcome(free_peoples=1, shadow=-1), [], "The Free Peoples win."),
        (outcome(free_peoples=-1, witch_king=1), [], "The Witch-king wins."),
        (Outcome(ending=ENDING_ABORTED), ["good"], "The match was broken off; nobody wins."),
    ],
)
def test_how_a_match_ended(ended, mine, said):
    """To a spectator, to a player, and to one who played himself."""
    assert said == words.verdict(ended, mine)


@pytest.mark.parametrize(
    ("ms", "said"), [(0, "0:00"), (-5, "0:00"), (61_999, "1:01"), (3_661_000, "1:01:01")]
)
def test_times(ms, said):
    """As on a clock."""
    assert said == words.duration(ms)


@pytest.mark.parametrize(
    ("clock", "said"),
    [
        (Clock(bank_ms=60_000), "1:00 a seat, then a seat forfeits"),
        (Clock(bank_ms=60_000, move_ms=5000), "1:00 a seat and 0:05 more a question, then a"),
        (Clock(move_ms=30_000, bot_level="greedy"), "0:30 a question, then bot greedy takes over"),
    ],
)
def test_clocks(clock, said):
    """What seats have, and what happens then."""
    assert words.clock(clock).startswith(said)


def test_a_seats_own_time():
    """Nothing, where no clock runs."""
    standing = Standing(clocks=[SeatClock(seat="good", left_ms=90_000)])

    assert "1:30" == words.time_left(standing, "good")
    assert "" == words.time_left(Standing(), "good")


@pytest.mark.parametrize(
    ("listed", "said"), [([], ""), (["a"], "a"), (["a", "b", "c"], "a, b and c")]
)
def test_lists(listed, said):
    """With one word before the last."""
    assert said == words.listed(listed)


@pytest.mark.parametrize("word", ["c-7f3k2m9pqa", "t-1", "w-a-b"])
def test_what_can_be_a_match(word):
    """Words with hyphens inside."""
    assert is_match(word)


@pytest.mark.parametrize(
    "word", ["confrontation", "show", "-o", "a-", "c-7F", "a-b.record", "x-" * 30]
)
def test_what_cannot(word):
    """Games, commands, options and most files."""
    assert not is_match(word)


CODE = grpc.StatusCode


@pytest.mark.parametrize(
    ("refused", "code", "said"),
    [
        (Refused(CODE.UNAVAILABLE, "x", "UNAVAILABLE"), 3, "h:1 cannot do this now: x"),
        (Refused(CODE.RESOURCE_EXHAUSTED, "x", "RATE_LIMITED"), 3, "h:1 asks for patience: x"),
        (Refused(CODE.UNAVAILABLE, "reset"), 3, "h:1 does not answer; perhaps no platform runs"),
        (Refused(CODE.UNIMPLEMENTED, "x"), 2, "h:1 is no gateway of Bree: x"),
        (Refused(CODE.DATA_LOSS, "frozen", "MATCH_FROZEN"), 2, "frozen"),
        (Refused(CODE.NOT_FOUND, "a\x1b[2Jb\n", "UNKNOWN_MATCH"), 2, "a [2Jb "),
        (Refused(CODE.INTERNAL, "x", "BUG", {"incident": "5d"}), 2, "this is a bug in Bree; its"),
        (Refused(CODE.UNAUTHENTICATED, "x", "UNAUTHENTICATED"), 2, "this needs an account"),
    ],
)
def test_refusals_are_sentences(refused, code, said):
    """What waiting may mend has a code of its own; no control character reaches the terminal."""
    found = trouble(refused, Login("h:1"))

    assert code == found.code
    assert str(found).startswith(said)
