"""The shared connection: order, what is sure when it is lost, and that it comes back."""

from __future__ import annotations

import asyncio

import pytest

from bree.redis import connection as connections
from bree.redis.client import Away, Quorum, RedisAddress, RedisClient, Unsure
from bree.redis.connection import Connection
from bree.redis.resp import ReplyError
from tests.host.engines import in_loop
from tests.redis_server import free_port, redis_server


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("redis://host", RedisAddress("host")),
        ("redis://host:7/3", RedisAddress("host", 7, database=3)),
        (
            "rediss://user:p%40ss@host:7/",
            RedisAddress("host", 7, tls=True, user="user", password="p@ss"),
        ),
        ("redis://:secret@host", RedisAddress("host", password="secret")),
        ("unix:///run/redis.sock?db=2", RedisAddress(path="/run/redis.sock", database=2)),
    ],
)
def test_a_url_names_a_place(url, address):
    """All that a connection needs is in it."""
    assert address == RedisAddress.of(url)


@pytest.mark.parametrize("url", ["http://host", "redis://host/abc", "host:6379", ""])
def test_a_url_that_names_none_is_refused(url):
    """A mistake in a setting is found at the start."""
    with pytest.raises(ValueError, match="database"):
        RedisAddress.of(url)


def test_a_place_does_not_tell_its_password():
    """It stands in logs."""
    assert "host:7" == str(RedisAddress.of("redis://user:hush@host:7"))


@in_loop
async def test_each_caller_gets_its_own_reply(shared_redis):
    """Hundreds share one connection, some of them giving up meanwhile."""
    client = RedisClient(RedisAddress.of(shared_redis.url), 5)
    await client.call("PING")
    calls = [asyncio.create_task(client.call("ECHO", f"{n}")) for n in range(300)]
    await asyncio.sleep(0)
    for call in calls[::7]:
        call.cancel()
    replies = await asyncio.gather(*calls, return_exceptions=True)
    late = [reply for n, reply in enumerate(replies) if n % 7]

    assert [f"{n}" for n in range(300) if n % 7] == late
    await client.close()


@in_loop
async def test_many_commands_are_answered_in_their_order(shared_redis):
    """And a refusal of one is one of the answers."""
    client = RedisClient(RedisAddress.of(shared_redis.url), 5)

    assert ["a", "b"] == await client.many([("ECHO", "a"), ("ECHO", "b")])
    first, refused, last = await client.many([("ECHO", "a"), ("NONSENSE",), ("ECHO", "b")])
    assert ("a", "b") == (first, last)
    assert isinstance(refused, ReplyError)
    assert "unknown command" in str(refused)
    assert [] == await client.many([])
    await client.close()


@in_loop
async def test_nobody_there_is_certain():
    """What could not be sent was not carried out."""
    client = RedisClient(RedisAddress(port=free_port()), 5)
    with pytest.raises(Away, match="no connection to"):
        await client.call("PING")
    await client.close()


@in_loop
async def test_a_connection_lost_while_waiting_is_not(own_redis):
    """Redis may have carried it out or not; and afterwards a new connection is made."""
    client = RedisClient(RedisAddress.of(own_redis.url), 5)
    await client.call("PING")
    waiting = asyncio.create_task(client.call("BLPOP", "nothing", 0))
    await asyncio.sleep(0.05)
    own_redis.kill()
    with pytest.raises(Unsure):
        await waiting
    with pytest.raises(Away):
        await client.call("PING")
    own_redis.start()

    assert "PONG" == await client.call("PING")
    await client.close()


@in_loop
async def test_a_silent_redis_is_given_up(shared_redis):
    """A caller waits no longer than patience lasts, and a quarter."""
    client = RedisClient(RedisAddress.of(shared_redis.url), 0.2)
    async with asyncio.timeout(2):
        with pytest.raises(Unsure):
            await client.call("BLPOP", "nothing", 0)

    assert "PONG" == await client.call("PING")
    await client.close()


@in_loop
async def test_a_quiet_connection_is_kept(shared_redis):
    """Patience is for replies that do not come, not for callers that do not."""
    client = RedisClient(RedisAddress.of(shared_redis.url), 0.1)
    await client.call("PING")
    connection = client._connection
    await asyncio.sleep(0.3)
    await client.call("PING")

    assert connection is client._connection
    await client.close()


@in_loop
async def test_a_password_and_a_database_are_said_first():
    """Whoever does not know the password is not let in, which is certain."""
    with redis_server("--requirepass", "hush") as server:
        client = RedisClient(RedisAddress(port=server.port, password="hush", database=3), 5)

        assert "OK" == await client.call("SET", "a", "b")
        await client.close()
        stranger = RedisClient(RedisAddress(port=server.port, password="wrong"), 5)
        with pytest.raises(Away, match="does not let us in"):
            await stranger.call("PING")
        await stranger.close()


@in_loop
async def test_who_listens_learns_that_the_connection_was_lost(own_redis):
    """It must look for itself then."""
    news = RedisClient(RedisAddress.of(own_redis.url), 5).listen(["channel"])

    assert await anext(news) is None
    own_redis.say("PUBLISH", "channel", "hello")
    assert "hello" == await anext(news)
    own_redis.kill()
    with pytest.raises(Away, match="was lost"):
        await anext(news)
    await news.aclose()


@in_loop
async def test_a_quiet_channel_is_not_a_lost_one(shared_redis):
    """Somebody who listens asks for signs of life."""
    news = RedisClient(RedisAddress.of(shared_redis.url), 0.5).listen(["quiet"])
    await anext(news)
    message = asyncio.ensure_future(anext(news))
    await asyncio.sleep(1.25)
    shared_redis.say("PUBLISH", "quiet", "still here")

    assert "still here" == await message
    await news.aclose()


@in_loop
async def test_one_who_does_not_keep_up_listening_is_cut_off(shared_redis, monkeypatch):
    """What is not heard does not pile up without end."""
    monkeypatch.setattr(connections, "MOST_UNREAD", 10)
    news = RedisClient(RedisAddress.of(shared_redis.url), 5).listen(["loud"])
    await anext(news)
    for n in range(50):
        shared_redis.say("PUBLISH", "loud", str(n))
    await asyncio.sleep(0.1)
    heard = []
    with pytest.raises(Away):
        heard += [message async for message in news]

    assert len(heard) <= 10
    await news.aclose()


@in_loop
async def test_what_was_read_of_a_connection_that_is_lost_is_not_confirmed(own_redis):
    """Nor said to be certainly undone: it was there when it was read."""
    client = RedisClient(RedisAddress.of(own_redis.url), 5, Quorum(1, 100))

    async def read():
        async with client.fenced():
            await client.call("GET", "a")
            own_redis.kill()
            async with asyncio.timeout(5):
                await client._connection.closed.wait()

    with pytest.raises(Unsure, match="on which it was read was lost"):
        await read()
    await client.close()


@in_loop
async def test_what_is_told_is_no_reply():
    """Though somebody waits for one: a channel may speak before the next is listened to."""
    connection = Connection(RedisAddress(), 5)
    connection.transport, connection.messages = Silent(), asyncio.Queue()
    reply = connection.send(("SSUBSCRIBE", "b"))
    connection.data_received(b"*3\r\n$8\r\nsmessage\r\n$1\r\na\r\n$5\r\nhello\r\n")
    connection.data_received(b"*3\r\n$10\r\nssubscribe\r\n$1\r\nb\r\n:2\r\n")

    assert ["ssubscribe", "b", 2] == await reply
    assert ["smessage", "a", "hello"] == connection.messages.get_nowait()


class Silent:
    """A transport that leads nowhere."""

    def write(self, data):
        """Nobody hears it."""
