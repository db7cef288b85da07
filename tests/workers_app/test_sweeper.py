"""The sweeper, with a list of things due and a broker that may be away."""

from __future__ import annotations

import threading

import pytest
import redis
from kombu.exceptions import OperationalError

from bree.engine.v1.engine_pb2 import Due, DueKind
from tests.workers_app.fakes import away, settings_for
from workers import sweeper
from workers.bot_turn import Turn
from workers.sweeper import Sweeper

GAME = "confrontation"
TURN = Due(
    match="c-1",
    kind=DueKind.DUE_KIND_BOT_TURN,
    seat="good",
    question=7,
    bot_level="greedy",
    payer="rosie",
    alone=True,
)
SCORE = Due(match="c-2", kind=DueKind.DUE_KIND_SCORE)
LEAVE = Due(match="c-4", kind=DueKind.DUE_KIND_LEAVE)
CLOCK = Due(match="c-3", kind=DueKind.DUE_KIND_CLOCK, seat="dark", question=4)

TURN_TASK = (Turn(GAME, "c-1", "good", 7, "greedy"), "rosie", True)
SCORE_TASK = (GAME, "c-2")
LEAVE_TASK = ("leave", GAME, "c-4")


class Sent(list):
    """What would have been sent."""

    def trouble(self):
        """Raise what sending fails with."""

    def send_turn(self, turn, payer, *, alone):
        self.trouble()
        self.append((turn, payer, alone))

    def send_score(self, game, match):
        self.trouble()
        self.append((game, match))

    def send_leave(self, game, match):
        self.trouble()
        self.append(("leave", game, match))


@pytest.fixture
def sent():
    return Sent()


@pytest.fixture
def make(clients, address, sent):
    def make(waiting=0, **more):
        return Sweeper(
            settings_for(address, **more),
            clients,
            sent,
            lambda: waiting,
        )

    return make


def claims(engine):
    return [request for name, request in engine.calls if name == "ClaimDue"]


def test_what_is_overdue_is_sent_again(make, engine, sent):
    """Turns and finished matches become tasks, with all that the tasks need."""
    engine.due = [TURN, SCORE, LEAVE]

    assert make().sweep(GAME) == 3
    assert [TURN_TASK, SCORE_TASK, LEAVE_TASK] == sent


def test_a_clock_that_ran_out_is_told_to_the_engine(make, engine, sent):
    """The engine decides whether the time is over; no worker is needed for it."""
    engine.due = [CLOCK]
    make().sweep(GAME)
    (expired,) = [request for name, request in engine.calls if name == "Expire"]

    assert (expired.match, expired.seat, expired.question) == ("c-3", "dark", 4)
    assert not sent


def test_a_match_that_cannot_go_on_does_not_hold_up_others(make, engine, sent):
    """A refusal of one is logged, and the rest is done."""
    engine.before["Expire"] = [away("MATCH_FROZEN")]
    engine.due = [CLOCK, TURN]

    assert make().sweep(GAME) == 2
    assert [TURN_TASK] == sent


def test_the_lease_and_the_age_are_as_set(make, engine):
    """What the sweeper asks for is what it was told to."""
    make(sweep_lease_ms=7000, sweep_overdue_ms=250).sweep(GAME)
    (claim,) = claims(engine)

    assert (claim.lease_ms, claim.overdue_ms) == (7000, 250)


def test_while_many_turns_wait_none_is_sent_again(make, engine, sent):
    """A full queue is not made fuller; what is scored or runs out of time goes on."""
    engine.due = [TURN, SCORE, CLOCK]
    make(waiting=11, sweep_backlog=10).sweep(GAME)

    assert [SCORE_TASK] == sent
    assert engine.count("Expire") == 1


def test_while_the_broker_is_away_clocks_run_out(make, engine, sent):
    """Nothing is sent, and what was claimed in vain is had again as soon as the broker is back."""

    def waiting():
        raise redis.ConnectionError

    sweeping = make()
    sweeping.waiting = waiting
    engine.due = [TURN, SCORE, LEAVE, CLOCK]
    sweeping.sweep(GAME)
    (claim,) = claims(engine)

    assert not sent
    assert engine.count("Expire") == 1
    assert claim.lease_ms == 1000


def test_a_long_list_is_done_at_once(make, engine, sent, monkeypatch):
    """A full batch is followed by the next one without a pause."""
    monkeypatch.setattr(sweeper, "BATCH", 2)
    engine.due = [SCORE] * 5

    assert make().sweep(GAME) == 5
    assert len(claims(engine)) == 3


def test_a_sweeper_goes_on_after_a_failure(make, engine, sent):
    """Engine and broker may be away, and even a bug of ours is no end."""
    sweeping = make(sweep_seconds=0.01)
    troubles = iter([OperationalError, OSError, ZeroDivisionError])

    def fail():
        trouble = next(troubles, None)
        if trouble:
            engine.due = [TURN]
            raise trouble
        sweeping.stopping.set()

    sent.trouble = fail
    engine.before["ClaimDue"] = [away()] * 8  # longer than the patience of one call
    engine.due = [TURN]
    thread = threading.Thread(target=sweeping.run, args=([GAME],))
    thread.start()
    thread.join(20)

    assert not thread.is_alive()
    assert [TURN_TASK] == sent
