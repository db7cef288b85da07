"""A store that was emptied or set back under a gateway: what callers are told, and what is kept."""

from __future__ import annotations

import asyncio

import pytest
import redis
from prometheus_client import REGISTRY

from bree.gateway.v1 import gateway_pb2 as pb
from bree.process import accept
from bree.process.epoch import KEYS
from bree.process.store_monitor import StoreMonitor
from gateway import accounts
from gateway.settings import GatewaySettings
from tests.gateway.stores import joined
from tests.gateway.town import reason, refusal

EMPTY = {"part": "store", "why": "empty"}


@pytest.fixture
def client(own_redis):
    with redis.Redis(port=own_redis.port, decode_responses=True) as made:
        yield made


@pytest.fixture
def store_of(own_redis, ledger_url):
    return watched(own_redis, ledger_url)


def watched(server, ledger_url):
    """What makes a store that looks after its past, on a server or a cluster."""

    def made():
        store = joined(server, ledger_url)()
        settings = told(store_new=True)
        store.monitor = StoreMonitor(settings, settings.epoch(), store, "gateway")
        return store

    return made


def told(**given):
    """The settings of a gateway that looks at its store only when it must."""
    return GatewaySettings(platform_token="x" * 16, engines="hopscotch=127.0.0.1:1", **given)


async def test_a_name_is_not_given_away_again_when_the_store_was_emptied(town, client):
    """Even at once, before anybody has looked at the store again."""
    rosie = await town.account("Rosie7")
    client.flushall()
    denied = await refusal(town.nobody().ask(pb.CreateAccountRequest(name="Rosie7")))

    assert ("UNAVAILABLE", EMPTY) == (denied.reason, denied.metadata)
    assert "the store is empty" in denied.message
    assert not client.keys("bree:g:*")
    assert "UNAVAILABLE" == await reason(rosie.ask(pb.CreateMatchRequest(game="hopscotch")))
    other = town.same(rosie, await town.gateway())
    assert "UNAVAILABLE" == await reason(other.ask(pb.GetAccountRequest()))
    accept.accept(client, [])
    await town.store.monitor.look()

    assert "INVALID_REQUEST" == await reason(
        town.nobody().ask(pb.CreateAccountRequest(name="Rosie7"))
    )


async def test_a_token_is_not_called_wrong_by_a_store_that_has_lost_it(town, client):
    """Who hears that may throw it away; when the store is back, it is right again."""
    rosie = await town.account()
    await rosie.ask(pb.GetAccountRequest())
    kept = {key: client.dump(key) for key in client.keys("*")}
    client.flushall()
    await asyncio.sleep(2 * accounts.BELIEVED_SECONDS)
    denied = await refusal(rosie.ask(pb.GetAccountRequest()))
    assert ("UNAVAILABLE", EMPTY) == (denied.reason, denied.metadata)
    for key, value in kept.items():
        client.restore(key, 0, value, replace=True)
    await town.store.monitor.look()

    assert rosie.name == (await rosie.ask(pb.GetAccountRequest())).account.name


async def test_nothing_goes_on_in_a_store_that_went_back_too_far(town, client):
    """Until the host has accepted it; then what it has goes on, and the rest is gone."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    monitor = town.store.monitor
    monitor.epoch.may_lose_ms = 0
    await monitor.look(add=True)
    kept = {key: client.dump(key) for key in client.keys("*")}
    late = await town.account("Late")
    await monitor.look(add=True)
    client.flushall()
    for key, value in kept.items():
        client.restore(key, 0, value)
    await monitor.look(add=True)
    denied = await refusal(rosie.ask(pb.ListMatchesRequest()))

    assert ("UNAVAILABLE", "went_back") == (denied.reason, denied.metadata["why"])
    assert "gone back in time" in denied.message
    accept.accept(client, [])
    await monitor.look()
    assert match == (await rosie.ask(pb.GetMatchRequest(match=match))).match.id
    assert late.name == (await late.ask(pb.GetAccountRequest())).account.name


async def test_an_empty_store_is_a_new_one_only_if_that_was_said(own_redis, ledger_url, client):
    """A gateway that starts on one says what it lacks."""
    store = joined(own_redis, ledger_url)()
    settings = told()
    store.monitor = StoreMonitor(settings, settings.epoch(), store, "gateway")
    with pytest.raises(Exception, match="the store is empty"):
        await store.match("h-1")
    accept.accept(client, [])
    await store.monitor.look()

    assert None is await store.match("h-1")
    assert client.hexists(KEYS[0], "run")
    await store.close()


async def test_play_goes_on_after_a_failover_that_lost_a_moment(town, own_redis):
    """It is counted; an account that was made in that moment is there, and nothing else is lost."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    monitor = town.store.monitor
    await monitor.look(add=True)
    own_redis.kill()
    kept = {log: log.read_bytes() for log in own_redis.folder.rglob("*.aof")}
    own_redis.start()
    otho = await town.account("Otho")
    await monitor.look(add=True)
    own_redis.kill()
    for log, content in kept.items():
        log.write_bytes(content)
    own_redis.start()
    before = losses()
    await monitor.look(add=True)

    assert before + 1 == losses()
    assert 1 == (await town.act(rosie, match, "red")).standing.revision
    assert otho.name == (await otho.ask(pb.GetAccountRequest())).account.name
    await monitor.look(add=True)
    assert before + 1 == losses()


def losses():
    return REGISTRY.get_sample_value("bree_store_losses_total", {"kind": "went_back"}) or 0
