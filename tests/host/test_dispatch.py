"""Workers are told at once, if they can be; nobody ever waits for it."""

from __future__ import annotations

import base64
import contextvars
import json
import socket
import time
from contextlib import ExitStack, contextmanager

import pytest

from bree.engine.v1 import engine_pb2 as e
from bree.process import traces, turns
from bree.process.brokers import Spread
from bree.process.turns import Turns
from services.host import dispatch
from services.host.dispatch import Broker, Brokers
from services.host.in_memory_store import InMemoryStore
from services.host.serialization import Due
from tests.host.engines import Time, creation, in_loop, replica
from tests.redis_server import free_port, redis_server

TURN = Due("bot_turn", "m-1", "good", 7, "greedy", 5, "rosie", alone=True)
SCORE = Due("score", "m-2", "", 0, "", 6)
CLOCK = Due("clock", "m-3", "good", 8, "", 9)


def tasks(server, queue):
    """The tasks that wait in a queue, the oldest first: their names and arguments."""
    found = []
    while (reply := server.say("RPOP", queue)) != b"$-1\r\n":
        message = json.loads(reply.split(b"\r\n", 1)[1])
        _, arguments, _ = json.loads(base64.b64decode(message["body"]))
        found.append((message["headers"]["task"], arguments))
    return found


def headers(server, queue):
    """Those of the oldest task that waits in a queue."""
    return json.loads(server.say("RPOP", queue).split(b"\r\n", 1)[1])["headers"]


def test_bots_and_scorers_are_told_by_task(own_redis):
    """Each on its queue, with arguments by name; clocks are for the sweeper."""
    broker = Broker(own_redis.url, "duel")
    broker.tell([TURN, CLOCK, SCORE])
    broker.close()
    turn = {"game": "duel", "match": "m-1", "seat": "good", "question": 7, "level": "greedy"}

    assert [("bree.next_turn", {})] == tasks(own_redis, "bots")
    assert (turn, "rosie", True, "") == Turns(own_redis.url).take("t", "w", 1)
    assert [("bree.score", {"game": "duel", "match": "m-2"})] == tasks(own_redis, "scoring")


def test_a_task_says_which_call_it_follows_from(own_redis):
    """In its headers, whoever made the call."""
    parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    broker = Broker(own_redis.url, "duel")
    context = contextvars.copy_context()
    context.run(traces.arrive, "Service/Method", [("traceparent", parent)])
    context.run(broker.tell, [SCORE])
    broker.tell([SCORE])
    broker.close()
    told = [headers(own_redis, "scoring").get("traceparent") for _ in range(2)]

    assert [parent.removesuffix("01") + "00", None] == told  # nothing is kept here


def test_a_broker_that_is_away_holds_nobody_up(monkeypatch):
    """What cannot be sent is dropped when too much of it waits; the sweeper has it all."""
    monkeypatch.setattr(dispatch, "MOST_WAITING", 50)
    monkeypatch.setattr(dispatch, "REST_SECONDS", 0.2)
    broker = Broker(f"redis://127.0.0.1:{free_port()}/0", "duel")
    began = time.monotonic()
    for _ in range(1000):
        broker.tell([TURN])
    broker.close()

    assert time.monotonic() - began < 2
    assert broker._queue.qsize() <= 50


def test_a_broker_that_comes_back_is_told_again(own_redis, monkeypatch):
    """What was lost meanwhile is lost; what comes after it is not."""
    monkeypatch.setattr(dispatch, "REST_SECONDS", 0.05)
    broker = Broker(own_redis.url, "duel")
    broker.tell([TURN])
    until = time.monotonic() + 5
    while not (found := tasks(own_redis, "bots")) and time.monotonic() < until:
        time.sleep(0.01)
    own_redis.kill()
    broker.tell([TURN])
    time.sleep(0.2)
    own_redis.start()
    while not (again := tasks(own_redis, "bots")) and time.monotonic() < until:
        broker.tell([TURN])
        time.sleep(0.05)
    broker.close()

    assert 1 == len(found)
    assert again


@contextmanager
def two_brokers():
    """Two that keep nothing."""
    with ExitStack() as stack:
        yield [stack.enter_context(redis_server("--appendonly", "no")) for _ in range(2)]


def turn_of(payer, number=1):
    return TURN._replace(match=f"{payer}-{number}", question=number, payer=payer)


def waiting(server):
    """The payers whose turns wait at a broker, each as often as he has one."""
    at, found = Turns(server.url), []
    while (taken := at.take(f"t-{len(found)}", "w", 1_000_000)) is not None:
        found.append(taken.payer)
    at.close()
    return found


def test_all_turns_of_a_payer_wait_at_one_broker(monkeypatch):
    """Those of many payers at each, as evenly as stated; and as many tasks as turns."""
    monkeypatch.setattr(dispatch, "REST_SECONDS", 60.0)  # all is sent before the end
    payers = [f"rosie-{n}" for n in range(200)]
    with two_brokers() as servers:
        brokers = Brokers([server.url for server in servers], "duel")
        for number in range(3):
            brokers.tell([turn_of(payer, number) for payer in payers])
            brokers.tell([SCORE._replace(match=f"m-{number}-{n}") for n in range(20)])
        brokers.close()
        sent = [len(tasks(server, "bots")) for server in servers]
        scored = [len(tasks(server, "scoring")) for server in servers]
        a, b = map(waiting, servers)

    assert sorted(3 * payers) == sorted(a + b)
    assert not set(a) & set(b)
    assert all(count == 3 for count in map((a + b).count, payers))
    assert all(abs(len(each) - 300) <= 60 for each in (a, b))  # a fifth of the half
    assert [len(a), len(b)] == sent
    assert 60 == sum(scored)
    assert all(scored)


@contextmanager
def silent():
    """A broker that takes connections and answers nobody: its address."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"redis://127.0.0.1:{server.getsockname()[1]}/0"


def test_a_broker_that_is_silent_holds_up_its_own_turns_only(own_redis, monkeypatch):
    """However long it is: what belongs to the other is sent."""
    monkeypatch.setattr(turns, "SECONDS", 60.0)
    with silent() as url:
        urls = [url, own_redis.url]
        spread = Spread(urls, urls.index)
        held, free = (next(p for p in map(str, range(100)) if spread.of(p) == n) for n in (0, 1))
        brokers = Brokers(urls, "duel")
        brokers.tell([turn_of(held, n) for n in range(3)])
        brokers.tell([turn_of(free)])
        until = time.monotonic() + 20
        while not (found := tasks(own_redis, "bots")) and time.monotonic() < until:
            time.sleep(0.01)
        brokers.close()

        assert 1 == len(found)
        assert [free] == waiting(own_redis)


@pytest.mark.parametrize("alone", [True, False])
@in_loop
async def test_a_bots_turn_is_paid_by_who_is_named_at_the_beginning(alone):
    """Replicas that never heard of it know it, too; and whether a person waits for it."""
    now, store = Time(), InMemoryStore()
    seats = ("gondor", "mordor") if alone else ("mordor",)
    request = creation(levels=dict.fromkeys(seats, "greedy"))
    request.payer = "rosie"
    claim = e.ClaimDueRequest(limit=10, lease_ms=5000, overdue_ms=1000)
    async with replica(store, now=now) as engine, replica(store, now=now) as other:
        await engine.call("CreateMatch", request)
        now.ms += 1000
        dues = (await other.call("ClaimDue", claim)).due

        assert {("rosie", alone)} == {(due.payer, due.alone) for due in dues}
        assert {("rosie", alone)} == {(due.payer, due.alone) for due in engine.dispatch.sent}
