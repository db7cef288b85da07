"""Whom Sentinels name, who is believed, and clients that follow."""

from __future__ import annotations

import asyncio

import pytest
from celery import Celery
from redis.exceptions import ConnectionError as Lost
from redis.exceptions import ReadOnlyError

from bree.process.turns import Turns
from bree.redis.primaries import broker, client
from bree.redis.sentinels import (
    Address,
    Nobody,
    Said,
    Sentinels,
    in_order,
    primary,
    primary_now,
    said_by,
)
from tests.redis_group import redis_group
from tests.redis_node import HOST, wait_until
from tests.redis_server import redis_program

needs_servers = pytest.mark.skipif(redis_program() is None, reason="there is no server here")
AT = (Address("a", 1), Address("b", 2))
TURN = {"game": "duel", "match": "m", "seat": "left", "question": 1, "level": "novice"}


@pytest.mark.parametrize(
    ("url", "named"),
    [
        ("redis+sentinel://a:1,b:2/bree", Sentinels(AT, "bree")),
        (
            "rediss+sentinel://me:p%40ss@a:1,b:2/bree/3?sentinel_user=s&sentinel_password=q%26",
            Sentinels(AT, "bree", "rediss", "me", "p@ss", 3, "s", "q&"),
        ),
        ("redis+sentinel://[::1]/x", Sentinels((Address("::1", 26379),), "x")),
        ("redis://a:1/0", None),
        ("unix:///run/redis.sock", None),
    ],
)
def test_a_url_names_sentinels(url, named):
    """With whom they watch over, and how to be let in; other URLs name none."""
    assert named == Sentinels.of(url)


@pytest.mark.parametrize(
    "url",
    [
        "redis+sentinel://a:1,b:2",
        "redis+sentinel:///bree",
        "redis+sentinel://a:1,/bree",
        "redis+sentinel://a:70000/bree",
        "redis+sentinel://a:x/bree",
        "redis+sentinel://a:1/bree/x",
        "redis+sentinel://a:1/bree?tls=yes",
    ],
)
def test_a_url_that_names_none_is_refused(url):
    """In a sentence that says what one looks like."""
    with pytest.raises(ValueError, match="redis\\+sentinel://:password@host:port"):
        Sentinels.of(url)


def test_a_url_does_not_tell_its_password():
    """It stands in logs."""
    assert "bree of a:1, b:2" == str(Sentinels.of("redis+sentinel://:hush@a:1,b:2/bree"))


def test_what_servers_are_called_by():
    """Each server and each Sentinel has a URL of its own, with its own password."""
    found = Sentinels.of("rediss+sentinel://:p%40@a:1/bree/2?sentinel_password=q")

    assert "rediss://:p%40@[::1]:7/2" == found.server(Address("::1", 7))
    assert "rediss://:q@a:1" == found.sentinel(found.addresses[0])


def test_celery_is_told_the_same():
    """In its own words: all Sentinels, and whom they watch over."""
    url, options = broker("redis+sentinel://:p@a:1,b:2/bree/3?sentinel_password=q")

    assert "sentinel://:p@a:1/3;sentinel://:p@b:2/3" == url
    assert ("bree", "q") == (options["master_name"], options["sentinel_kwargs"]["password"])
    assert ("redis://a:1/0", {}) == broker("redis://a:1/0")


def test_the_latest_configuration_is_believed_first():
    """A Sentinel that is cut off from the others names who was the primary."""
    old, new = Address("old", 1), Address("new", 2)
    said = [Said(3, old), None, Said(4, new), Said(4, new)]

    assert [new, old] == in_order(said)
    assert Said(4, new) == said_by(["new", "2"], ["name", "bree", "config-epoch", "4"])
    assert said_by(None, {}) is None


@needs_servers
def test_who_is_named_must_be_a_primary():
    """One Sentinel that watches over a replica, as if it were the primary, is not believed."""
    with redis_group(replicas=1, sentinels=1) as group:
        replica = group.replicas()[0]
        sentinels = Sentinels.of(group.url)
        group.sentinels[0].say("SENTINEL", "MONITOR", "wrong", HOST, replica.port, 1)
        wrong = sentinels._replace(service="wrong")

        assert group.primary().port == primary_now(sentinels).port
        assert primary_now(sentinels) == asyncio.run(primary(sentinels))
        for nobody in (wrong, sentinels._replace(service="unknown")):
            with pytest.raises(Nobody, match="there is no primary"):
                primary_now(nobody)
            with pytest.raises(Nobody, match="there is no primary"):
                asyncio.run(primary(nobody))


@needs_servers
def test_workers_follow():
    """Their clients, the turns that wait and Celery's own way to the broker, all as they are."""
    with redis_group() as group:
        plain, turns = client(group.url, decode_responses=True), Turns(group.url)
        url, options = broker(group.url)
        app = Celery("bree", broker=url, set_as_current=False)
        app.conf.broker_transport_options = options
        assert plain.set("a", "1")
        assert turns.add(TURN, "rosie", alone=False)
        with app.connection_for_write() as connection:
            connection.SimpleQueue("before").put("hello")
        old = group.primary()
        wait_until(lambda: all(one.offset() == old.offset() for one in group.replicas()), "behind")
        old.kill()
        group.until_promoted(old)
        wait_until(lambda: _answers(plain), "the client does not follow")

        assert "1" == plain.get("a")
        assert TURN == turns.take("task", "worker", 2).turn
        with app.connection_for_write() as connection:
            assert "hello" == connection.SimpleQueue("before").get(timeout=10).payload
        for one in (plain, turns):
            one.close()


@needs_servers
def test_a_client_leaves_a_primary_that_became_a_replica():
    """It is told so once, and asks who it is now."""
    with redis_group(replicas=1, sentinels=1) as group:
        plain = client(group.url)
        assert plain.set("a", "1")
        group.swap()
        with pytest.raises(ReadOnlyError):
            plain.set("a", "2")

        assert plain.set("a", "2")
        plain.close()


def _answers(plain):
    try:
        return plain.ping()
    except (Lost, TimeoutError):
        return False
