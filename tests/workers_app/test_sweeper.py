"""The sweeper, with a list of things due and brokers that may be away."""

from __future__ import annotations

import contextlib
import queue
import threading

import pytest
import redis
from kombu.exceptions import OperationalError

from bree.engine.v1.engine_pb2 import Due, DueKind
from bree.process.brokers import Spread
from tests.workers_app.fakes import away, settings_for
from workers import outlet, sweeper
from workers.bot_turn import Turn
from workers.outlet import Claimed, Outlet
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


class Broker(list):
    """What would have been sent to a broker, which may be away, or full of turns."""

    def __init__(self):
        super().__init__()
        self.waiting = 0
        self.sent = queue.Queue()  # the same, for those who wait for it

    def look(self):
        """How many turns wait, or what looking fails with."""
        self.trouble()
        return self.waiting

    def trouble(self):
        """Raise what this broker fails with."""

    def hear(self, task):
        self.trouble()
        self.append(task)
        self.sent.put(task)

    def send_turn(self, turn, payer, *, alone):
        self.hear((turn, payer, alone))

    def send_score(self, game, match):
        self.hear((game, match))

    def send_leave(self, game, match):
        self.hear(("leave", game, match))


def is_away():
    raise redis.ConnectionError


@pytest.fixture
def sent():
    return Broker()


class Synchronous(Sweeper):
    """Has what it claims sent before it goes on, in the thread of the test."""

    def sweep(self, game):
        total = super().sweep(game)
        for one in self.outlets:
            one.pass_on()
        return total


@pytest.fixture
def make(clients, address, sent):
    def make(brokers=None, kind=Synchronous, **more):
        settings = settings_for(address, **more)
        at = brokers or {"redis://a:1/0": sent}
        outlets = Spread(at, lambda url: Outlet(url, at[url], at[url].look, settings.sweep_backlog))
        return kind(settings, clients, outlets)

    return make


@contextlib.contextmanager
def running(sweeping):
    """A sweeper with all its threads, until the test has seen enough."""
    thread = threading.Thread(target=sweeping.run, args=([GAME],))
    thread.start()
    try:
        yield
    finally:
        sweeping.stopping.set()
        thread.join(20)

    assert not thread.is_alive()


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
    sent.waiting = 11
    engine.due = [TURN, SCORE, CLOCK]
    make(sweep_backlog=10).sweep(GAME)

    assert [SCORE_TASK] == sent
    assert engine.count("Expire") == 1


def test_while_the_broker_is_away_clocks_run_out(make, engine, sent):
    """Nothing is sent, and what was claimed in vain is sent as soon as the broker is back."""
    sweeping, usual = make(), sent.trouble
    sent.trouble = is_away
    engine.due = [TURN, SCORE, LEAVE, CLOCK]
    sweeping.sweep(GAME)
    assert not sent
    assert engine.count("Expire") == 1
    sent.trouble = usual
    sweeping.sweep(GAME)

    assert [TURN_TASK, SCORE_TASK, LEAVE_TASK] == sent


def test_what_has_been_claimed_for_too_long_is_left_to_others(sent):
    """Once its lease is over somebody else is handed it."""
    one = Outlet("a", sent, sent.look, 10)
    one.take(Claimed(GAME, TURN, until=0.0))
    one.take(Claimed(GAME, SCORE, until=float("inf")))

    assert one.pass_on()
    assert [SCORE_TASK] == sent


def test_a_broker_that_stays_away_does_not_fill_the_memory(sent, monkeypatch):
    """What is older than the newest is claimed again, as its lease is over sooner."""
    monkeypatch.setattr(outlet, "MOST_WAITING", 3)
    one, usual = Outlet("a", sent, sent.look, 10), sent.trouble
    sent.trouble = is_away
    for number in range(10):
        due = Due(match=f"c-{number}", kind=DueKind.DUE_KIND_SCORE)
        one.take(Claimed(GAME, due, until=float("inf")))
        assert not one.pass_on()
    sent.trouble = usual

    assert one.pass_on()
    assert [(GAME, f"c-{number}") for number in (7, 8, 9)] == sent


def two_brokers():
    return {f"redis://{name}:1/0": Broker() for name in "ab"}


def turns_of(payers):
    return [
        Due(match=f"c-{n}", kind=DueKind.DUE_KIND_BOT_TURN, seat="good", question=n, payer=payer)
        for payer in payers
        for n in range(3)
    ]


def test_all_turns_of_a_payer_go_to_one_broker(make, engine):
    """And there are payers at each."""
    brokers, payers = two_brokers(), [f"rosie-{n}" for n in range(20)]
    engine.due = turns_of(payers)
    make(brokers).sweep(GAME)
    a, b = ({payer for _, payer, _ in found} for found in brokers.values())

    assert len(payers) * 3 == sum(map(len, brokers.values()))
    assert not a & b
    assert a
    assert b


def at_each(sweeping):
    """A payer at each of the brokers, in their order."""
    names = [one.name for one in sweeping.outlets]
    found = {sweeping.outlets.of(payer).name: payer for payer in map(str, range(100))}
    return [found[name] for name in names]


def test_a_broker_that_is_crowded_keeps_back_its_own_turns_only(make, engine):
    """Those of the other are sent."""
    brokers = two_brokers()
    a, b = brokers.values()
    a.waiting = 11
    sweeping = make(brokers, sweep_backlog=10)
    one, other = at_each(sweeping)
    engine.due = turns_of([one, other])
    sweeping.sweep(GAME)

    assert [] == a
    assert [other] * 3 == [payer for _, payer, _ in b]


@pytest.mark.parametrize("how", ["away", "silent"])
def test_a_broker_that_is_away_holds_up_its_own_turns_only(make, engine, how, monkeypatch):
    """Whether it refuses at once, or answers nobody; it has its own as soon as it is back."""
    monkeypatch.setattr(outlet, "REST_SECONDS", 0.05)
    brokers, back = two_brokers(), threading.Event()
    a, b = brokers.values()

    def trouble():
        if not (back.is_set() if how == "away" else back.wait(20)):
            raise redis.ConnectionError

    a.trouble = trouble
    sweeping = make(brokers, kind=Sweeper, sweep_seconds=0.01)
    one, other = at_each(sweeping)
    engine.due = turns_of([one, other])
    with running(sweeping):
        try:
            assert [other] * 3 == [b.sent.get(timeout=10)[1] for _ in range(3)]
            engine.due = turns_of([other])
            assert [other] * 3 == [b.sent.get(timeout=10)[1] for _ in range(3)]
            assert [] == a
        finally:
            back.set()
        assert [one] * 3 == [a.sent.get(timeout=10)[1] for _ in range(3)]


def test_a_sweeper_that_ends_sends_what_it_has_claimed(make, engine, sent):
    """Nobody else would be handed it for a while."""
    sweeping = make(kind=Sweeper)
    engine.due = [TURN, SCORE]
    engine.before["ClaimDue"] = [sweeping.stopping.set]
    sweeping.run([GAME])

    assert [TURN_TASK, SCORE_TASK] == sent


def test_a_long_list_is_done_at_once(make, engine, sent, monkeypatch):
    """A full batch is followed by the next one without a pause."""
    monkeypatch.setattr(sweeper, "BATCH", 2)
    engine.due = [SCORE] * 5

    assert make().sweep(GAME) == 5
    assert len(claims(engine)) == 3


def test_a_sweeper_goes_on_after_a_failure(make, engine, sent, monkeypatch):
    """Engine and broker may be away, and even a bug of ours is no end."""
    monkeypatch.setattr(outlet, "REST_SECONDS", 0.01)
    troubles = iter([OperationalError, OSError, ZeroDivisionError])
    sweeping = make(kind=Sweeper, sweep_seconds=0.01)

    def fail():
        trouble = next(troubles, None)
        if trouble:
            engine.due = [TURN]
            raise trouble

    sent.trouble = fail
    engine.before["ClaimDue"] = [away()] * 8  # longer than the patience of one call
    engine.due = [TURN]
    with running(sweeping):
        assert TURN_TASK == sent.sent.get(timeout=20)
