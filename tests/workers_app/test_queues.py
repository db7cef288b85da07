"""A worker's way to its turns: a task takes whichever is next, and another task follows it."""

from __future__ import annotations

import pytest
import redis

from tests.redis_server import redis_server
from tests.workers_app.fakes import settings_for
from workers.app import make_app
from workers.bot_turn import Turn
from workers.queues import Queues


@pytest.fixture(scope="module")
def server():
    with redis_server("--appendonly", "no") as server:
        yield server


@pytest.fixture
def queues(server, address):
    server.say("FLUSHALL")
    settings = settings_for(address, broker_url=server.url, store_url=server.url)
    return Queues(make_app(settings), settings)


def waiting(server):
    """How many tasks wait for workers."""
    return int(server.say("LLEN", "bots")[1:])


def turn_of(engine, match):
    table = engine.begin(match)
    seat = table.waiting()[0]
    return Turn("confrontation", match, table.name(seat), table.number(seat), "uniform")


def test_a_task_plays_whichever_turn_is_next(queues, engine, clients, server):
    """The one account has two that came first; the other's only one comes in between."""
    one, two, other = (turn_of(engine, match) for match in ("c-1", "c-2", "c-3"))
    queues.send_turn(one, "evil", alone=False)
    queues.send_turn(two, "evil", alone=False)
    queues.send_turn(other, "good", alone=False)
    for task in ("t1", "t2", "t3"):
        queues.play_next(task, clients)
    played = [r.match for name, r in engine.calls if name == "Imagine"]

    assert ["c-1", "c-3", "c-2"] == list(dict.fromkeys(played))
    assert waiting(server) >= 3


def test_a_task_without_a_turn_does_nothing(queues, engine, clients, server):
    """There may be more tasks than turns."""
    queues.play_next("t1", clients)

    assert not engine.calls
    assert 0 == waiting(server)


def test_a_task_that_ends_sends_another_if_turns_wait(queues, engine, clients, server):
    """It may have been the one whose account held all that it may hold."""
    queues.send_turn(turn_of(engine, "c-1"), "evil", alone=False)
    queues.send_turn(turn_of(engine, "c-2"), "evil", alone=False)
    server.say("DEL", "bots")
    queues.play_next("t1", clients)
    assert 1 == waiting(server)
    queues.play_next("t2", clients)

    assert 1 == waiting(server)


def test_a_turn_that_is_a_bug_lets_go(queues, clients, server):
    """What it held others may have."""
    queues.turns.add({"game": "chess"}, "a", alone=False)
    with pytest.raises(TypeError):
        queues.play_next("t1", clients)

    assert b":0\r\n" == server.say("HLEN", "{bree:turns}:held")


def test_a_broker_that_is_away_is_left_to_the_sweepers(queues, clients, monkeypatch):
    """A task that cannot ask for a turn is no bug."""

    def away(*_):
        raise redis.ConnectionError

    monkeypatch.setattr(queues.turns, "take", away)
    queues.play_next("t1", clients)
