"""Turns that fail: how often they are tried, and what becomes of those that always do."""

from __future__ import annotations

import pytest

from bree.process import metrics
from tests.redis_server import redis_server
from tests.workers_app.fakes import away, settings_for
from workers.app import make_app
from workers.bot_turn import Turn
from workers.queues import Queues
from workers.tries import Tries

TURN = Turn("confrontation", "c-1", "good", 7, "greedy")
MOST = 3


@pytest.fixture(scope="module")
def broker():
    with redis_server() as server:
        yield server


@pytest.fixture
def settings(address, broker):
    broker.say("FLUSHALL")
    return settings_for(address, store_url=broker.url, turn_tries=MOST)


@pytest.fixture
def tries(settings):
    return Tries(settings)


def replaced(engine):
    return [request for name, request in engine.calls if name == "ReplaceBot"]


def given_up():
    return metrics.BOT_TURNS.labels("confrontation", "greedy", "given_up")._value.get()


def crash():
    """The process that plays is gone, which nobody can catch."""
    raise KeyboardInterrupt


def fail(tries, clients, times, turn=TURN, how=lambda: "failed"):
    """Try a number of times; how that ended each time."""
    return [tries.play(clients, turn, how) for _ in range(times)]


def test_a_turn_that_always_fails_is_given_up(tries, clients, engine):
    """After `turn_tries` tries the engine is asked for another bot, and it is counted."""
    before = given_up()

    assert ["failed"] * MOST == fail(tries, clients, MOST)
    assert not replaced(engine)
    assert ["given up"] == fail(tries, clients, 1)
    (request,) = replaced(engine)
    assert tuple(TURN)[1:] == (request.match, request.seat, request.question, request.bot_level)
    assert given_up() - before == 1


def test_a_turn_that_takes_its_process_along_is_given_up(tries, clients, engine):
    """It is counted before it is played, as nobody can count it afterwards."""
    for _ in range(MOST):
        with pytest.raises(KeyboardInterrupt):
            tries.play(clients, TURN, crash)

    assert tries.play(clients, TURN, crash) == "given up"
    assert len(replaced(engine)) == 1


@pytest.mark.parametrize("how", ["waits", "handed on", "stale", "over", "unavailable", "unfit"])
def test_what_is_not_its_own_fault_is_not_counted(tries, clients, engine, how):
    """Played, settled, out of reach, or of another edition, however often."""
    assert [how] * 2 * MOST == fail(tries, clients, 2 * MOST, how=lambda: how)
    assert not replaced(engine)


def test_one_success_forgives_what_failed_before(tries, clients, engine):
    """Failures count in a row only."""
    for _ in range(MOST):
        fail(tries, clients, MOST - 1)
        tries.play(clients, TURN, lambda: "waits")

    assert not replaced(engine)


def test_turns_are_counted_one_by_one(tries, clients, engine):
    """Another question, seat, match or level is another turn."""
    others = [
        TURN._replace(question=8),
        TURN._replace(seat="dark"),
        TURN._replace(match="c-2"),
        TURN._replace(level="uniform"),
    ]
    for turn in (TURN, *others):
        fail(tries, clients, MOST, turn)

    assert not replaced(engine)


def test_workers_count_together(settings, clients, engine):
    """Whichever worker tries, it is the same turn."""
    for _ in range(MOST):
        fail(Tries(settings), clients, 1)

    assert fail(Tries(settings), clients, 1) == ["given up"]


def test_an_engine_that_is_away_is_asked_again(tries, clients, engine):
    """What could not be given up is given up by the next one who tries."""
    fail(tries, clients, MOST)
    engine.before["ReplaceBot"] = [away()] * 50
    assert fail(tries, clients, 1) == ["failed"]
    engine.before["ReplaceBot"].clear()

    assert fail(tries, clients, 1) == ["given up"]


def test_a_match_that_is_frozen_by_it_is_given_up_as_well(tries, clients, engine):
    """If the weakest bot fails nobody has the seat, and nobody tries again."""
    weakest = TURN._replace(level="uniform")
    fail(tries, clients, MOST, weakest)

    assert fail(tries, clients, 1, weakest) == ["given up"]


def test_without_a_broker_turns_are_played(address, clients):
    """Nobody counts, and nobody waits."""
    tries = Tries(settings_for(address, store_url="redis://127.0.0.1:1/0", turn_tries=2))

    assert ["failed"] * 9 == fail(tries, clients, 9)


def test_what_waits_for_no_success_is_forgotten(tries, clients, broker):
    """A count does not stay at the broker for ever."""
    fail(tries, clients, 1)
    (key,) = [line for line in broker.say("KEYS", "*").split(b"\r\n") if b"bree" in line]

    assert 0 < int(broker.say("TTL", key.decode()).strip(b":\r\n")) <= 3600


def test_the_task_of_a_worker_counts(settings, clients, engine):
    """What Celery runs is counted: a match that the engine does not know fails for ever."""
    queues = Queues(make_app(settings), settings)
    for number in range(MOST + 1):
        queues.send_turn(TURN, "rosie", alone=False)
        queues.play_next(f"task {number}", clients)

    assert len(replaced(engine)) == 1
