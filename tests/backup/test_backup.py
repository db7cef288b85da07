"""A backup while people play, and a platform that is brought back from it."""

from __future__ import annotations

import asyncio

import pytest

from bree.backup import after, checking, live, restoring, taking
from bree.backup.file import Broken, Reader
from bree.backup.taking import Refused
from bree.engine.v1 import engine_pb2 as e
from bree.ledger import audit
from bree.ledger.audit import Deed
from services.host.serialization import Due
from tests.backup.platform import GAME, RUN, account, begin, document, ended, play
from tests.golden import record_paths
from tests.host.engines import KEY, Time, in_loop

KEYS = [bytes.fromhex(KEY)]


async def playing(servers, time=None):
    """A platform with a match that runs, one with a clock, one that is over, and two accounts."""
    await begin(servers)
    async with servers.engine(time) as engine, servers.store() as redis, servers.sql() as sql:
        await play(engine, "c-running", 5)
        await play(engine, "c-clocked", 3, clock=True)
        for match in ("c-running", "c-clocked"):
            await document(redis, match, "running")
        await document(redis, "c-open", "open")
        await redis.set("bree:g:{c:hash}", "id-Rosie", px=600_000)
        await redis.hset("bree:g:{a:id-Rosie}", mapping={"name": "Rosie", "token": "old"})
        await redis.zadd("bree:g:{a:id-Rosie}:live", {"c-running": 5})
        await redis.zadd("bree:g:{h:all}", {"id-Rosie": 5})
        for name in ("Rosie", "Sam"):
            await account(sql, name)
        await ended(sql, "c-ended", a_record())


def a_record():
    texts = [path.read_text("utf-8") for path in record_paths() if path.parent.name == GAME]
    return min(texts, key=len)


async def taken(servers, folder):
    return (await taking.back_up(servers.where, folder, {})).path


@in_loop
async def test_all_of_both_servers_comes_back(servers, others, tmp_path):
    """But for copies of accounts, which are the ledger's, and who is here."""
    await playing(servers, Time())
    before, rows = await servers.everything(), await servers.rows()
    with Reader(await taken(servers, tmp_path)) as source:
        came = await restoring.restore(others.where, source)
    now = await others.everything()

    assert (2, 1, 2) == (len(came.live), came.ended, came.accounts)
    assert rows == await others.rows()
    assert {"bree:g:{a:id-Rosie}", "bree:g:{h:all}"} == set(before) - set(now)
    clocked = {key for key in now if "c-clocked:head" in key or key.endswith(":due")}
    assert clocked
    same = set(now) - clocked
    assert {key: before[key] for key in same} == {key: now[key] for key in same}
    async with others.store() as redis:
        assert 0 < await redis.pttl("bree:g:{c:hash}") <= 600_000


@in_loop
async def test_the_store_follows_the_one_that_was(servers, others, tmp_path):
    """Whoever knew the old one takes it for its successor, and engines know their key again."""
    await playing(servers)
    with Reader(await taken(servers, tmp_path)) as source:
        came = await restoring.restore(others.where, source)
    async with others.store() as redis:
        epoch = await redis.hgetall("{bree:epoch}")

        assert came.run == epoch["run"] != RUN
        assert {RUN, "before-it"} == set(epoch["follows"].split())
        assert 1 == await redis.scard("{bree:epoch}:fate")
        assert not await redis.exists(restoring.MARK)
    async with others.sql() as sql:
        assert "" == await sql.fetchval("SELECT store FROM bree.platform")
        await sql.execute("INSERT INTO bree.outbox (kind, at_ms) VALUES ('over', 1)")


@in_loop
async def test_matches_go_on_where_they_were(servers, others, tmp_path):
    """To their end, by the same chance, with the same history."""
    await playing(servers)
    with Reader(await taken(servers, tmp_path)) as source:
        await restoring.restore(others.where, source)
    async with others.engine() as engine, servers.engine() as old:
        came, was = await engine.play_on("c-running"), await old.play_on("c-running")

        assert was.head == came.head
        assert came.HasField("outcome")


@in_loop
async def test_nobody_loses_time_by_it(servers, others, tmp_path):
    """What was left to think is left, and is due as much later."""
    time = Time()
    await playing(servers, time)
    async with servers.engine(time) as engine:
        seat = (await engine.view("", "c-clocked")).standing.waiting[0]
        before = (await engine.view(seat, "c-clocked")).standing.clocks
    path = await taken(servers, tmp_path)
    with Reader(path) as source:
        source.said["taken_ms"] -= 50_000_000  # it was long ago
        await restoring.restore(others.where, source)
    time.ms += 50_000_000
    async with others.engine(time) as engine:
        after_it = (await engine.view(seat, "c-clocked")).standing.clocks
    for was, is_now in zip(before, after_it, strict=True):
        assert was.seat == is_now.seat
        assert abs(was.left_ms - is_now.left_ms) < 60_000
    async with others.store() as redis:
        home = live.home_of(GAME, "c-clocked")
        due = dict(await redis.zrange(f"{home}:due", 0, -1, withscores=True))
        clocks = [member for member in due if Due.of(member).match == "c-clocked"]
        fields = await redis.hgetall(f"{home}:m:c-clocked:head")

        assert clocks
        assert [due[clock] for clock in clocks] == [Due.of(clock).since for clock in clocks]
        assert set(clocks) <= set(fields["due"].split())


@in_loop
async def test_what_ends_meanwhile_comes_from_the_ledger(servers, others, tmp_path, monkeypatch):
    """It is in both then, and over."""
    await playing(servers)
    copy_out = taking.tables.copy_out

    async def ends_first(connection, to):
        async with servers.sql() as sql:
            await ended(sql, "c-running", a_record())
        return await copy_out(connection, to)

    monkeypatch.setattr(taking.tables, "copy_out", ends_first)
    with Reader(await taken(servers, tmp_path)) as source:
        came = await restoring.restore(others.where, source)
    async with others.store() as redis:
        left = [key async for key in redis.scan_iter() if "c-running" in key]

    assert {"c-clocked"} == {one.match for one in came.live}
    assert [] == left
    assert {"c-ended", "c-running"} == {row[0] for row in (await others.rows())["matches"]}


@in_loop
async def test_what_begins_meanwhile_is_whole(servers, others, tmp_path, monkeypatch):
    """A document that says that its match runs never comes without it."""
    await playing(servers)
    keys = live.keys

    async def begins_first(store, *, documents, now_ms):
        if documents:
            async with servers.engine() as engine, servers.store() as redis:
                await play(engine, "c-late", 2)
                await document(redis, "c-late", "running")
        async for key in keys(store, documents=documents, now_ms=now_ms):
            yield key

    monkeypatch.setattr(live, "keys", begins_first)
    with Reader(await taken(servers, tmp_path)) as source:
        came = await restoring.restore(others.where, source)

    assert {"c-running", "c-clocked", "c-late"} == {one.match for one in came.live}


@in_loop
async def test_a_backup_is_of_matches_that_were(servers, tmp_path):
    """However they go on while it is taken: each was like that at one moment, and replays."""
    await playing(servers)
    done = asyncio.Event()

    async def go_on():
        async with servers.engine() as engine:
            for n in range(30):
                await play(engine, f"c-more-{n}", 6)
            done.set()

    going_on = asyncio.create_task(go_on())
    paths = []
    while not done.is_set():
        paths.append(await taken(servers, tmp_path / str(len(paths))))
    await going_on
    for path in paths:
        with Reader(path) as source:
            found = await checking.check(source, KEYS)

        assert [] == found.wrong


# Checking.


@in_loop
async def test_a_history_that_was_changed_is_found(servers, tmp_path):
    await playing(servers)
    async with servers.store() as redis:
        home = live.home_of(GAME, "c-running")
        line = (await redis.lindex(f"{home}:m:c-running:log", -1)).split("\t")
        await redis.lset(f"{home}:m:c-running:log", -1, "\t".join([*line[:2], "00ff", *line[3:]]))
    with Reader(await taken(servers, tmp_path)) as source:
        found = await checking.check(source, KEYS)

    assert (2, 1) == (found.live, found.records)
    assert ["c-running"] == [wrong.split()[1] for wrong in found.wrong]


@in_loop
async def test_a_record_that_was_changed_is_found(servers, tmp_path):
    await playing(servers)
    async with servers.sql() as sql:
        await ended(sql, "c-forged", forged(a_record()))
    with Reader(await taken(servers, tmp_path)) as source:
        found = await checking.check(source, KEYS)
        none = await checking.check(source, KEYS, share=0)

    assert ["c-forged:"] == [wrong.split()[4] for wrong in found.wrong]
    assert (2, 0) == (found.records, none.records)


def forged(record: str) -> str:
    lines = record.splitlines()
    at = max(n for n, line in enumerate(lines) if line.count("\t") or " " in line) // 2
    return "\n".join([*lines[:at], *lines[at + 1 :]]) + "\n"


@in_loop
async def test_another_key_goes_on_with_nothing(servers, tmp_path):
    """And without one nothing is said of what is live."""
    await playing(servers)
    with Reader(await taken(servers, tmp_path)) as source:
        other = await checking.check(source, [b"\x01" * 32])
        without = await checking.check(source, [])

    assert 2 == len(other.wrong)
    assert (0, []) == (without.live, without.wrong)


@in_loop
async def test_what_was_played_after_it_is_said(servers, tmp_path):
    await playing(servers)
    path = await taken(servers, tmp_path)
    async with servers.engine() as engine:
        await engine.play_on("c-running", 2)
        await play(engine, "c-new", 1)
    with Reader(path) as source:
        async with servers.where.live() as store:
            said = {one.match: one async for one in after.after(store, source)}

    assert {"c-running", "c-new"} == set(said)
    assert 1 == said["c-new"].first
    assert f"match c-running of {GAME}: entries {said['c-running'].first} to" in str(
        said["c-running"]
    )


# Where there is somebody.


@in_loop
async def test_nothing_is_restored_over_a_platform(servers, others, tmp_path):
    """Neither over a store with something, nor over a ledger with somebody; nothing is touched."""
    await playing(servers)
    path = await taken(servers, tmp_path)
    async with others.store() as redis:
        await redis.set("bree:g:{n:rosie}", "id-9")
    await _refused(others, path, "the store is not empty")
    async with others.store() as redis:
        assert "id-9" == await redis.get("bree:g:{n:rosie}")
        await redis.flushall()
    await begin(others)
    async with others.sql() as sql:
        await account(sql, "Lobelia")
    await _refused(others, path, "the ledger is not empty")

    assert ["Lobelia"] == [row[1] for row in (await others.rows())["accounts"]]
    assert {} == await others.everything()


@in_loop
async def test_a_database_of_somebody_else_stays(servers, others, tmp_path):
    await playing(servers)
    path = await taken(servers, tmp_path)
    async with others.sql() as sql:
        await sql.execute("CREATE SCHEMA bree; CREATE TABLE bree.mine (a int)")
    await _refused(others, path, "is no ledger")
    async with others.sql() as sql:
        assert 0 == await sql.fetchval("SELECT count(*) FROM bree.mine")


async def _refused(servers, path, why):
    with Reader(path) as source, pytest.raises(Refused, match=why):
        await restoring.restore(servers.where, source)


@in_loop
async def test_who_was_cut_off_begins_again(servers, others, tmp_path, monkeypatch):
    """Wherever it was: with the same file it is finished, with another it is not begun."""
    await playing(servers)
    path, second = await taken(servers, tmp_path / "a"), await taken(servers, tmp_path / "b")
    for place in ("put_keys", "copy_in", "_accept"):
        where = {"put_keys": live, "copy_in": restoring.tables}.get(place, restoring)
        with monkeypatch.context() as cut:
            cut.setattr(where, place, _cut_off)
            with Reader(path) as source, pytest.raises(KeyboardInterrupt):
                await restoring.restore(others.where, source)
        with Reader(second) as source:
            source.said["taken_ms"] += 1
            with pytest.raises(Refused, match="half of another backup"):
                await restoring.restore(others.where, source)
    with Reader(path) as source:
        came = await restoring.restore(others.where, source)

    assert 2 == len(came.live)
    assert await servers.rows() == await others.rows()


async def _cut_off(*_, **__):
    raise KeyboardInterrupt


@in_loop
async def test_an_empty_platform_is_not_backed_up(servers, tmp_path):
    """Nor is one without a ledger: it is said, and no file is left."""
    with pytest.raises(Refused, match="ledger is empty"):
        await taken(servers, tmp_path)
    await begin(servers)
    async with servers.store() as redis:
        await redis.delete("{bree:epoch}")
    with pytest.raises(Refused, match="store is empty"):
        await taken(servers, tmp_path)
    servers.redis.kill()
    with pytest.raises(Refused, match="store cannot be read") as caught:
        await taken(servers, tmp_path)

    assert caught.value.is_away
    assert [] == list(tmp_path.iterdir())


@in_loop
async def test_a_later_schema_needs_a_later_version(servers, others, tmp_path):
    await playing(servers)
    with Reader(await taken(servers, tmp_path)) as source:
        source.said["schema"] = 999
        with pytest.raises(Broken, match="999"):
            await restoring.restore(others.where, source)


@in_loop
async def test_the_desk_goes_on_where_it_was(servers, others, tmp_path):
    """Numbers of reports and notices go on, the log holds, and what is held stays held."""
    time = Time()
    await playing(servers, time)
    async with servers.engine(time) as engine, servers.sql() as sql:
        hold = e.HoldMatchRequest(match="c-clocked", hold=True)
        before = (await engine.call("HoldMatch", hold)).standing.clocks
        for n in range(3):
            async with sql.transaction():
                await audit.note(sql, Deed(n, "a Gaffer", f"ban account {n}", "żółw"))
            await sql.execute(REPORTED)
            await sql.execute(TOLD)
    with Reader(await taken(servers, tmp_path)) as source:
        source.said["taken_ms"] -= 50_000_000  # it was long ago
        await restoring.restore(others.where, source)
    async with others.sql() as sql:
        assert 3 < await sql.fetchval(f"{REPORTED} RETURNING id")
        assert 3 < await sql.fetchval(f"{TOLD} RETURNING id")
        async with sql.transaction():
            await audit.note(sql, Deed(9, "a Gaffer", "ban account 9", ""))
        lines = [audit.Line(*row) for row in await sql.fetch(audit.LINES, 0, 99)]
    chain = audit.Chain()
    assert [] == list(filter(None, map(chain.trouble, lines)))
    assert ["upgrade", "restore"] == [x.what for x in lines if not x.what.startswith("ban")]
    async with others.engine(time) as engine:
        release = e.HoldMatchRequest(match="c-clocked", hold=False)
        time.ms += 50_000_000 + 7000
        after_it = (await engine.call("HoldMatch", release)).standing
    assert not after_it.hold.held
    assert [one.left_ms for one in before] == [one.left_ms for one in after_it.clocks]


REPORTED = """
INSERT INTO bree.reports (at_ms, by_account, about, match, kind, text)
VALUES (1, 'id-Rosie', 'id-Sam', '', 'talk', '')
"""
TOLD = "INSERT INTO bree.notices (at_ms, until_ms, kind, text) VALUES (1, 2, 'news', '')"
