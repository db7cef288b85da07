"""The shared connection to a Redis that goes away, at each point of a call: nobody waits for ever.

Each ending comes after a number of commands that were answered: at none the connection is lost
between being made and being used, or in the midst of its greeting.
"""

from __future__ import annotations

import asyncio
import gc

import pytest
import uvloop

from bree.redis import client as redis_clients
from bree.redis.client import Away, Quorum, RedisAddress, RedisClient, Unsure
from tests.host.fickle import ENDINGS, Fickle, fall_silent, hang_up
from tests.host.garbage import only_new_objects

PATIENCE = 0.1
LONG = 5
"""Seconds that stand for ever."""

runners = pytest.mark.parametrize("run", [asyncio.run, uvloop.run], ids=["asyncio", "uvloop"])
endings = pytest.mark.parametrize("ending", ENDINGS, ids=lambda ending: ending.__name__)


@pytest.fixture
def watched(monkeypatch):
    """Runs a test, and fails if the loop had to say something, such as of an error unretrieved."""
    said = []

    def watch(run, work):
        async def in_time():
            asyncio.get_running_loop().set_exception_handler(
                lambda _, context: said.append(context)
            )
            async with asyncio.timeout(LONG):
                await work
            gc.collect()
            await asyncio.sleep(0)

        with only_new_objects():
            run(in_time())
            gc.collect()
        assert [] == said

    return watch


async def call(client):
    """Several callers at once; all that became of them."""
    return await asyncio.gather(
        *(client.call("GET", "a") for _ in range(3)), return_exceptions=True
    )


async def many(client):
    """Commands that go out together."""
    commands = [("GET", "a")] * 3
    return await asyncio.gather(
        client.many(commands), client.many(commands), return_exceptions=True
    )


async def safely(client):
    """Commands that replicas must have, in both ways; this server never says that any has."""
    client.quorum = Quorum(1, 20)
    asked = [
        one
        for _ in range(2)
        for one in (
            client.call_safely("SET", "a", "b", news=("PUBLISH", "a", "b")),
            client.read("GET", "a", may_be_lost=bool),
        )
    ]
    return await asyncio.gather(*asked, return_exceptions=True)


@runners
@endings
@pytest.mark.parametrize("use", [call, many, safely])
@pytest.mark.parametrize("greeted", [False, True], ids=["bare", "greeted"])
@pytest.mark.parametrize("answered", [0, 1, 2, 4])
def test_every_caller_hears_of_it(run, ending, use, greeted, answered, watched):
    """Each has a reply, or is told whether his command may have been carried out."""

    async def test():
        async with Fickle(answered, ending).open() as redis:
            address = RedisAddress(port=redis.port, database=1 if greeted else 0)
            client = RedisClient(address, PATIENCE)
            for outcome in await use(client):
                assert isinstance(outcome, Away | Unsure | str | list), outcome
            await client.close()

    watched(run, test())


@runners
@pytest.mark.parametrize("use", [call, many])
def test_a_connection_that_is_lost_before_it_is_used_was_not_used(run, use, watched, monkeypatch):
    """It closes when it has been made, and before its caller goes on: that is certain."""
    connect = redis_clients.connect

    async def lost(address, patience):
        connection = await connect(address, patience)
        connection.abort()
        await connection.closed.wait()
        return connection

    monkeypatch.setattr(redis_clients, "connect", lost)

    async def test():
        async with Fickle(9, hang_up).open() as redis:
            client = RedisClient(RedisAddress(port=redis.port), PATIENCE)

            assert {Away} == {type(outcome) for outcome in await use(client)}
            news = RedisClient(RedisAddress(port=redis.port), PATIENCE).listen(["news"])
            with pytest.raises(Away):
                await anext(news)
            await client.close()

    watched(run, test())


@runners
def test_what_had_not_left_was_not_carried_out(run, watched):
    """Commands of this turn of the loop are still here when the connection is lost."""

    async def test():
        async with Fickle(9, hang_up).open() as redis:
            client = RedisClient(RedisAddress(port=redis.port), PATIENCE)
            await client.call("PING")
            sent = client._connection.send(("GET", "a"))
            await asyncio.sleep(0)
            unsent = client._connection.send(("GET", "b"))
            client._connection.connection_lost(None)

            assert (Unsure, Away) == (type(sent.exception()), type(unsent.exception()))
            await client.close()

    watched(run, test())


@runners
@endings
@pytest.mark.parametrize("answered", [0, 1, 2])
def test_who_listens_hears_of_it(run, ending, answered, watched):
    """A channel that is lost is no quiet channel."""

    async def test():
        async with Fickle(answered, ending).open() as redis:
            news = RedisClient(RedisAddress(port=redis.port), PATIENCE).listen(["news"])
            with pytest.raises(Away):
                assert [None] == [message async for message in news]

    watched(run, test())


@runners
def test_a_reply_that_trickles_in_is_given_up(run, watched, monkeypatch):
    """Signs of life are no reply: a caller has a deadline of his own."""

    async def trickle(self, reader, writer):
        writer.write(b"$9999\r\n")
        while not writer.is_closing():
            writer.write(b".")
            await asyncio.sleep(PATIENCE / 10)

    monkeypatch.setattr(Fickle, "speak", trickle)

    async def test():
        async with Fickle(0, fall_silent).open() as redis:
            client = RedisClient(RedisAddress(port=redis.port), PATIENCE)
            with pytest.raises(Unsure):
                await client.call("GET", "a")
            await client.close()

    watched(run, test())


@runners
@pytest.mark.parametrize("part", [b"$", b"$100\r\nab", b"*2\r\n$1\r\na\r\n"])
def test_half_a_reply_is_none(run, part, watched):
    """The connection ends in the midst of it."""

    async def test():
        async with Fickle(0, hang_up, part).open() as redis:
            client = RedisClient(RedisAddress(port=redis.port), PATIENCE)
            with pytest.raises(Unsure):
                await client.call("GET", "a")
            await client.close()

    watched(run, test())


@runners
def test_callers_that_gave_up_leave_nothing_behind(run, watched):
    """Neither an error that nobody looked at, nor a connection that nobody will close."""

    async def test():
        async with Fickle(1, fall_silent).open() as redis:
            client = RedisClient(RedisAddress(port=redis.port), PATIENCE)
            callers = [asyncio.create_task(use(client)) for use in (call, many) * 3]
            await asyncio.sleep(PATIENCE / 10)
            for caller in callers:
                caller.cancel()
            await asyncio.wait(callers)
            await client.close()
            await redis.left.wait()

    watched(run, test())


@runners
def test_a_link_that_closes_tells_those_who_wait_for_a_connection(run, watched):
    """They are not cancelled: nobody asked them to stop."""

    async def test():
        async with Fickle(0, fall_silent).open() as redis:
            client = RedisClient(RedisAddress(port=redis.port, database=1), PATIENCE)
            callers = asyncio.ensure_future(call(client))
            await asyncio.sleep(PATIENCE / 10)
            await client.close()

            assert {Away} == {type(outcome) for outcome in await callers}
            with pytest.raises(Away, match="has been closed"):
                await client.call("PING")

    watched(run, test())


@runners
def test_a_connection_that_does_not_greet_in_time_is_closed(run, watched):
    """It would stay open for as long as the other end likes."""

    async def test():
        async with Fickle(0, fall_silent).open() as redis:
            client = RedisClient(RedisAddress(port=redis.port, database=1), PATIENCE)
            with pytest.raises(Away):
                await client.call("PING")
            await redis.left.wait()
            await client.close()

    watched(run, test())
