"""What every store promises, tried on each of them."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from itertools import count

import pytest

from services.host.in_memory_store import InMemoryStore
from services.host.store import Away, Census, Change, Moved, RedisStore, Stored
from tests.host.engines import in_loop

GAMES = (f"game{n}" for n in count())
ONE = Change(lines=["good\tmove"], fields={"setup": "s"}, due=[(100, "bot|m-1|90")])


@pytest.fixture(params=["memory", "redis", "cluster"])
def opened(request):
    """Opens an empty store of one kind, which closes itself; the test has the loop."""

    @asynccontextmanager
    async def memory():
        yield InMemoryStore()

    if request.param == "memory":
        return memory
    server = request.getfixturevalue(f"shared_{request.param}")

    @asynccontextmanager
    async def redis():
        store = RedisStore(server.url, next(GAMES))
        try:
            yield store
        finally:
            await store.close()

    return redis


@in_loop
async def test_a_match_begins_once(opened):
    """Version 0 means that there is none: whoever comes second changes nothing."""
    async with opened() as store:
        assert await store.load("m-1") is None
        assert await store.append("m-1", 0, ONE)
        assert not await store.append("m-1", 0, Change(lines=["other"], fields={"setup": "t"}))

        assert Stored(1, 1, ("good\tmove",), {"setup": "s"}) == await found(store, "m-1")


@in_loop
async def test_a_change_needs_the_version_it_was_made_for(opened):
    """An older one, and one that is not there yet, change nothing at all."""
    async with opened() as store:
        await store.append("m-1", 0, ONE)
        await store.append("m-1", 1, Change(lines=["dark\tpass", "chance\troll"]))
        for version in (0, 1, 3):
            late = Change(["x"], {"setup": "x"}, ["bot|m-1|90"], [(1, "bot|m-1|91")])

            assert not await store.append("m-1", version, late)
        stored = await found(store, "m-1")

        assert Stored(2, 3, ("good\tmove", "dark\tpass", "chance\troll"), {"setup": "s"}) == stored
        assert ["bot|m-1|90"] == await store.claim(1000, 2000, 10)


@in_loop
async def test_a_change_needs_the_history_it_was_made_for(opened):
    """Though the version is the same: a store that lost something comes by it again."""
    async with opened() as store:
        await store.append("m-1", 0, ONE._replace(head="aa"))
        for head in ("", "bb"):
            assert not await store.append("m-1", 1, Change(lines=["dark\tpass"]), head)
            assert 1 == len((await store.load("m-1", 1, 0, head)).lines)
        assert Stored(1, 0, (), {}, "aa") == await store.load("m-1", 1, 0, "aa")
        assert await store.append("m-1", 1, Change(lines=["dark\tpass"], head="cc"), "aa")
        assert await store.append("m-1", 2, Change(fields={"settled": "1"}), "cc")

        stored = await found(store, "m-1")
        assert ("cc", {"setup": "s", "settled": "1"}) == (stored.head, stored.fields)


@in_loop
async def test_of_many_changes_for_one_version_one_is_made(opened):
    """However many come at the same time."""
    async with opened() as store:
        await store.append("m-1", 0, ONE)
        changes = [store.append("m-1", 1, Change(lines=[f"seat\t{n}"])) for n in range(40)]
        done = await asyncio.gather(*changes)
        stored = await found(store, "m-1")

        assert 1 == sum(done)
        assert ("good\tmove", f"seat\t{done.index(True)}") == stored.lines


@in_loop
async def test_a_reader_gets_what_it_lacks(opened):
    """The lines after those it has; and nothing but the version if that is all there is."""
    async with opened() as store:
        await store.append("m-1", 0, ONE)
        await store.append("m-1", 1, Change(lines=["a", "b"], fields={"ended": "yes"}))

        fields = {"setup": "s", "ended": "yes"}

        assert Stored(2, 3, ("b",), fields) == await found(store, "m-1", 1, 2)
        assert Stored(2, 3, (), fields) == await found(store, "m-1", 1, 3)
        assert Stored(2, 3, (), {}) == await store.load("m-1", 2, 3)


@in_loop
async def test_a_change_need_not_have_lines(opened):
    """Fields alone are a new version as well."""
    async with opened() as store:
        await store.append("m-1", 0, Change(fields={"setup": "s"}))
        await store.append("m-1", 1, Change(fields={"settled": "1"}))

        assert Stored(2, 0, (), {"setup": "s", "settled": "1"}) == await found(store, "m-1")


@in_loop
async def test_what_is_due_again_stays_due(opened):
    """With its new time, though the same change says that it is no longer due."""
    async with opened() as store:
        await store.append("m-1", 0, ONE)
        again = Change(undue=["bot|m-1|90"], due=[(5000, "bot|m-1|90")])
        assert await store.append("m-1", 1, again)

        assert [] == await store.claim(4999, 9000, 10)
        assert ["bot|m-1|90"] == await store.claim(5000, 9000, 10)


@in_loop
async def test_a_match_is_forgotten_with_what_is_due_in_it_and_no_other_is(opened):
    """Nothing of it is left: it may even begin again, though nobody does that."""
    async with opened() as store:
        due = [(1, "leave|m-1||0||1"), (2, "score|m-1||0||2")]
        await store.append("m-1", 0, ONE._replace(head="aa", due=due))
        await store.append("m-2", 0, ONE._replace(due=[(1, "leave|m-2||0||1")]))

        assert await store.forget("m-1", 1, [member for _, member in due], "aa")
        assert await store.load("m-1") is None
        assert ["leave|m-2||0||1"] == await store.claim(1000, 2000, 10)
        assert Stored(1, 1, ("good\tmove",), {"setup": "s"}) == await found(store, "m-2")
        assert await store.append("m-1", 0, ONE)
        assert 1 == (await store.load("m-1")).revision


@in_loop
async def test_only_the_match_that_was_seen_is_forgotten(opened):
    """Neither another version nor another history: and then nothing has changed."""
    async with opened() as store:
        await store.append("m-1", 0, ONE._replace(head="aa"))
        before = await found(store, "m-1")
        for version, head in ((2, "aa"), (0, ""), (1, ""), (1, "bb")):
            assert not await store.forget("m-1", version, ["bot|m-1|90"], head)

        assert before == await found(store, "m-1")
        assert ["bot|m-1|90"] == await store.claim(1000, 1000, 10)


@in_loop
async def test_a_match_is_forgotten_twice_like_once(opened):
    """Whoever did not hear that it is gone asks again, and takes what was left due with it."""
    async with opened() as store:
        await store.append("m-1", 0, ONE._replace(head="aa"))

        assert await store.forget("m-1", 1, [], "aa")
        assert await store.forget("m-1", 1, ["bot|m-1|90"], "aa")
        assert [] == await store.claim(1000, 2000, 10)
        assert await store.forget("m-9", 7, [], "aa")


@in_loop
async def test_texts_of_all_peoples_come_back(opened):
    """Labels of players are what people are called."""
    async with opened() as store:
        await store.append("m-1", 0, Change(lines=["žluťoučký\tkůň"], fields={"setup": "日本\n語"}))
        stored = await found(store, "m-1")

        assert (("žluťoučký\tkůň",), "日本\n語") == (stored.lines, stored.fields["setup"])


@in_loop
async def test_what_is_due_is_handed_out_once_for_a_lease(opened):
    """What has been claimed is not handed out again before its lease ends, and then it is."""
    async with opened() as store:
        await store.append("m-1", 0, Change(due=[(100, "bot|m-1|100"), (300, "clock|m-1|300")]))

        assert [] == await store.claim(99, 500, 10)
        assert ["bot|m-1|100"] == await store.claim(100, 500, 10)
        assert [] == await store.claim(299, 500, 10)
        assert ["clock|m-1|300"] == await store.claim(300, 600, 10)
        assert ["bot|m-1|100"] == await store.claim(599, 900, 10)


@in_loop
async def test_what_is_no_longer_due_is_gone_though_it_is_handed_out(opened):
    """A change removes what it says, and nothing else."""
    async with opened() as store:
        await store.append("m-1", 0, Change(due=[(1, "bot|m-1|1"), (2, "bot|m-1|2")]))
        await store.append("m-2", 0, Change(due=[(1, "bot|m-2|1")]))
        await store.claim(10, 50, 10)
        await store.append("m-1", 1, Change(undue=["bot|m-1|1"], due=[(3, "bot|m-1|3")]))
        left = await store.claim(100, 200, 10)

        assert {"bot|m-1|2", "bot|m-1|3", "bot|m-2|1"} == set(left)


@in_loop
async def test_no_more_is_claimed_than_asked_for_and_nothing_is_forgotten(opened):
    """Many matches in many partitions, claimed in small bites."""
    async with opened() as store:
        members = {f"bot|m-{n}|{n}" for n in range(60)}
        for n in range(60):
            await store.append(f"m-{n}", 0, Change(due=[(n, f"bot|m-{n}|{n}")]))
        bites = [await store.claim(1000, 2000, 7) for _ in range(10)]

        assert [7] * 8 + [4, 0] == [len(bite) for bite in bites]
        assert members == {member for bite in bites for member in bite}


@in_loop
async def test_a_census_counts_what_is_due_handed_out_or_not(opened):
    """By kind, with the age of the oldest; what becomes due later does not count."""
    async with opened() as store:
        await store.append("m-1", 0, Change(due=[(100, "bot|m-1|100"), (900, "clock|m-1|900")]))
        await store.append("m-2", 0, Change(due=[(50, "bot|m-2|50"), (200, "score|m-2|200")]))
        await store.claim(60, 400, 10)

        assert {"bot": Census(2, 50), "score": Census(1, 200)} == await store.census(500)


@in_loop
async def test_whoever_listens_hears_every_change_from_then_on(opened):
    """First comes the news that it listens; what happened before is not told."""
    async with opened() as store:
        await store.append("m-1", 0, ONE)
        news = store.listen()

        assert await anext(news) is None
        await store.append("m-1", 1, Change(lines=["a"]))
        assert not await store.append("m-1", 1, Change(lines=["b"]))
        await store.append("m-2", 0, ONE)

        assert [Moved("m-1", 2), Moved("m-2", 1)] == [await anext(news), await anext(news)]
        await news.aclose()


async def found(store, *arguments):
    """What a store has, its lines as a tuple."""
    stored = await store.load(*arguments)
    return stored._replace(lines=tuple(stored.lines))


# What only a Redis has to prove.


@in_loop
async def test_what_was_stored_is_there_after_a_power_cut(own_redis):
    """An append that was acknowledged is on the disk."""
    store = RedisStore(own_redis.url, "game", patience=2)
    for n in range(50):
        assert await store.append("m-1", n, Change(lines=[f"line {n}"], due=[(n, f"bot|m-1|{n}")]))
    own_redis.kill()
    own_redis.start()
    await asyncio.sleep(0.05)  # for the loop to see that the connection has gone
    stored = await store.load("m-1")

    assert (50, [f"line {n}" for n in range(50)]) == (stored.version, list(stored.lines))
    assert 50 == len(await store.claim(1000, 2000, 100))
    await store.close()


@in_loop
async def test_scripts_that_redis_forgot_are_told_again(own_redis):
    """A Redis that was started anew knows none."""
    store = RedisStore(own_redis.url, "game")
    await store.append("m-1", 0, ONE)
    own_redis.say("SCRIPT", "FLUSH")

    assert await store.append("m-1", 1, Change(lines=["a"]))
    own_redis.say("SCRIPT", "FLUSH")
    assert {"bot": Census(1, 90)} == await store.census(500)
    await store.close()


@pytest.mark.parametrize(
    ("name", "value"), [("maxmemory", "1"), ("min-replicas-to-write", "3")], ids=["full", "alone"]
)
@in_loop
async def test_a_redis_that_takes_no_changes_is_away(own_redis, name, value):
    """Nothing was changed, so it may be tried again; reading goes on."""
    store = RedisStore(own_redis.url, "game")
    await store.append("m-1", 0, ONE)
    own_redis.say("CONFIG", "SET", name, value)
    with pytest.raises(Away):
        await store.append("m-1", 1, Change(lines=["a"], fields={"x": "y"}, due=[(1, "bot|m|1")]))
    own_redis.say("CONFIG", "SET", name, "0")
    stored = await store.load("m-1")

    assert (1, ["good\tmove"]) == (stored.version, list(stored.lines))
    await store.close()
