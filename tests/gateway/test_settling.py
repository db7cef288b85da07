"""A settlement is one transaction: the match, its record, its ratings and what follows, or none."""

from __future__ import annotations

import asyncio
import json

import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from bree.ledger.packing import unpack
from gateway.documents import ListEntry, Seat, text_of
from tests.gateway.stores import joined
from tests.gateway.test_ratings import over as ended
from tests.gateway.test_ratings import settled, settlement
from tests.gateway.test_store import MATCH, RECORDED, over, rating
from tests.gateway.town import refusal

COUNTS = """
SELECT (SELECT count(*) FROM bree.matches), (SELECT count(*) FROM bree.seats),
  (SELECT count(*) FROM bree.records), (SELECT count(*) FROM bree.ratings),
  (SELECT count(*) FROM bree.rating_history), (SELECT count(*) FROM bree.outbox)
"""


@pytest.fixture
def store_of(fresh_redis, ledger_url):
    return joined(fresh_redis, ledger_url)


async def counts(store):
    return tuple(await store.ledger.row("test", COUNTS))


async def test_all_of_a_match_is_kept(store):
    """With everybody who sat there, and the record as it was sent, packed."""
    match = over("h-1", left=("a2", "a3"))
    ratings = [rating("Rosie", 1.5), rating("bot:novice", -2)]
    assert (await store.settle(match, ratings, RECORDED)).now
    row = await store.ledger.row("test", "SELECT * FROM bree.matches")
    record = await store.ledger.row("test", "SELECT * FROM bree.records")
    history = await store.ledger.read("test", "SELECT * FROM bree.rating_history ORDER BY player")

    assert ("h-1", "hopscotch", "over", MATCH.created_ms, text_of(match), "counted") == (
        *row[:4], row["doc"], row["settled"]
    )  # fmt: skip
    assert RECORDED.text == unpack(record["record"]).decode()
    assert (RECORDED.kept, RECORDED.head, 17) == (
        unpack(record["kept"]), record["head"], record["revision"]
    )  # fmt: skip
    assert (1, 3, 1, 2, 2, 1) == await counts(store)
    assert [("Rosie", 25.0, 26.6, 1), ("bot:novice", 25.0, 23.1, 1)] == [
        (one["player"], one["mu_before"], one["mu"], one["version"]) for one in history
    ]
    for account in ("a1", "a2", "a3"):
        assert ["h-1"] == [entry.name for entry in await store.seated(account, None, 9)]
    assert match == await store.match("h-1")
    assert ["h-1"] == [e.name for e in await store.listed("hopscotch", match.state, None, 9)]


async def test_a_repeated_settlement_changes_nothing(store):
    """Nor does one with other ratings, or another record."""
    assert (await store.settle(over("h-1"), [rating("Rosie", 1.5)], RECORDED)).now
    before = await counts(store)
    for ratings in ([rating("Rosie", 1.5)], [rating("Rosie", 9, 1), rating("Sam", 1)], []):
        found = await store.settle(over("h-1"), ratings, RECORDED._replace(text="other"))
        assert (False, None) == found[:2]

    assert before == await counts(store)


async def test_of_settlements_at_once_each_counts_once(store):
    """Of one match, and of matches of the same players, in whatever order they sat."""
    names = [f"player-{n}" for n in range(4)]

    async def settle(number):
        while True:
            found = await store.ratings("hopscotch", names)
            known = [one or rating(name, 0) for one, name in zip(found, names, strict=True)]
            order = known[number % 4 :] + known[: number % 4]
            done = await store.settle(over(f"h-{number // 2}"), order, RECORDED)
            if done.changed is None:
                return done.now

    done = await asyncio.gather(*(settle(number) for number in range(16)))

    assert 8 == sum(done)
    assert [8] * 4 == [one.matches for one in await store.ratings("hopscotch", names)]
    assert (8, 16, 8, 4, 32, 8) == await counts(store)


@pytest.mark.parametrize("table", ["seats", "records", "ratings", "rating_history", "outbox"])
async def test_what_breaks_in_the_middle_leaves_nothing(store, table):
    """Wherever it breaks."""
    await store.ledger.read(
        "test",
        """
        CREATE OR REPLACE FUNCTION bree.broken() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '53100'; END $$""",
    )
    await store.ledger.read(
        "test",
        f"""
        CREATE TRIGGER broken BEFORE INSERT ON bree.{table}
        FOR EACH ROW EXECUTE FUNCTION bree.broken()""",
    )
    try:
        with pytest.raises(Exception, match="disk is full"):
            await store.settle(over("h-1"), [rating("Rosie", 1.5)], RECORDED)
    finally:
        await store.ledger.read("test", f"DROP TRIGGER broken ON bree.{table}")

    assert (0,) * 6 == await counts(store)
    assert (await store.settle(over("h-1"), [rating("Rosie", 1.5)], RECORDED)).now


async def test_a_first_rating_that_two_write_at_once_is_written_by_one(store):
    """The other is told that it has changed, and has written nothing."""
    pair = [rating("Ann", 1), rating("Bob", 2)]
    done = await asyncio.gather(
        *(store.settle(over(f"h-{n}"), pair[:: 1 - 2 * (n % 2)], RECORDED) for n in range(6))
    )

    assert 1 == sum(one.now for one in done)
    assert {None, 0, 1} >= {one.changed for one in done}
    assert (1, 2, 1, 2, 2, 1) == await counts(store)


async def test_the_past_and_what_is_live_are_one_list(store):
    """In the order of time and name, whichever has them, without gaps or doubles."""
    times = [5, 5, 5, 7, 7, 9, 9, 9, 9, 11]
    for n, at in enumerate(times):
        match = over(f"h-{n}", created_ms=at, seats=(Seat("red", "a1", "Rosie"),), left=())
        if n % 3 != 1:
            await store.settle(match, [], RECORDED)
        if n % 3 != 0:
            await store.add_match(match)
            await store.list_match(match, match.state)
            await store.enter("a1", match, 1, 99)
    wanted = sorted(((float(at), f"h-{n}") for n, at in enumerate(times)), reverse=True)
    for most in (1, 2, 3, 20):
        for ask in (
            lambda after, most: store.listed("hopscotch", over("x").state, after, most),
            lambda after, most: store.seated("a1", after, most),
        ):
            found, after = [], None
            while page := await ask(after, most):
                found += page
                after = page[-1]
            assert wanted == found

    live = await store.seated("a1", None, 20, past=False)
    assert {"h-1", "h-2", "h-4", "h-5", "h-7", "h-8"} == {entry.name for entry in live}
    found = await store.matches([f"h-{n}" for n in range(11)])
    assert [*(f"h-{n}" for n in range(10)), None] == [one and one.id for one in found]


async def test_a_page_that_begins_at_an_odd_place_is_answered(store):
    """Page tokens are written by callers, after all."""
    match = over("h-1", created_ms=5, seats=(Seat("red", "a1", "Rosie"),), left=())
    await store.settle(match, [], RECORDED)
    for score, names in ((1e300, ["h-1"]), (5.5, ["h-1"]), (5.0, []), (-1e300, [])):
        found = await store.seated("a1", ListEntry(score, "h-0"), 9)
        assert names == [entry.name for entry in found], score


async def test_a_worker_without_a_record_is_sent_away(town):
    """Two versions may run side by side; what it was to settle comes to a newer one."""
    rosie, sam = await town.account(), await town.account()
    match = await ended(town, rosie, sam)
    request = settled(match, await settlement(town, match))
    request.record = ""
    denied = await refusal(town.worker().ask(request))
    assert ("UNAVAILABLE", {"part": "worker"}) == (denied.reason, denied.metadata)
    for head, revision in (("not hex", 1), ("0F", 1), ("0f", -1)):
        wrong = pb.SettleRatingsRequest()
        wrong.CopyFrom(request)
        wrong.record, wrong.head, wrong.revision = "a record", head, revision
        assert "INVALID_REQUEST" == (await refusal(town.worker().ask(wrong))).reason

    assert 0 == (await counts(town.store))[0]
    request.record = "a record"
    assert (await town.worker().ask(request)).counted
    kept = await town.store.ledger.row("test", "SELECT doc FROM bree.matches")
    assert ("over", "counted") == (json.loads(kept[0])["state"], json.loads(kept[0])["settled"])
