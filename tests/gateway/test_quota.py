"""Prices: what goes through the past of a match is paid by its length."""

from __future__ import annotations

import asyncio

import pytest

from bree.engine.v1 import engine_pb2 as engine
from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.statuses import Denied
from gateway.documents import Account
from gateway.limits import TokenBuckets
from gateway.methods import PRICES, SERVICES
from gateway.quota import ENTRIES_A_CALL, LOOKUP_PRICE, RECENT_HEADS, Quota
from gateway.record_cache import KEPT_SECONDS, RecordCache
from tests.gateway.test_limits import Clock, wait_of
from tests.gateway.town import reason

ROSIE = Account("rosie", "Rosie")
SLOW = {"calls_a_second": 0.01, "calls_burst": 20}
"""What is taken out of a bucket stays out for as long as a test takes."""


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def quota(clock):
    return Quota(TokenBuckets(100, 50, "", clock))


def standing(revision):
    return engine.Standing(revision=revision, head=f"{revision:064x}")


def owed(quota):
    """How long the account has to wait, in ms, before anything."""
    try:
        quota.calls.take(ROSIE.id, 0)
    except Denied as denied:
        return int(denied.metadata["retry_after_ms"])
    return 0


def test_a_call_takes_as_much_as_it_costs(clock):
    """What costs more than there ever is takes a full bucket."""
    buckets = TokenBuckets(10, 20, "", clock)
    buckets.take("a", 15)

    with pytest.raises(Denied) as refused:
        buckets.take("a", 8)
    assert "300" == refused.value.metadata["retry_after_ms"]
    buckets.take("a", 5)
    buckets.take("b", 1000)
    assert wait_of(buckets, "b") in (100, 101)


def test_prices_are_of_methods_that_exist():
    """A misspelt one would be 1."""
    methods = {name for service in SERVICES.values() for name in service.methods_by_name}

    assert set(PRICES) <= methods


def test_the_past_is_paid_by_its_length(quota, clock):
    """Who owes more than he has is refused until it is paid off, to the millisecond."""
    quota.charge_past(ROSIE, 50 * ENTRIES_A_CALL)
    assert 0 == owed(quota)
    quota.charge_past(ROSIE, 30 * ENTRIES_A_CALL)
    assert 300 == owed(quota)
    clock.now += 0.3

    assert 0 == owed(quota)


async def test_debts_are_known_before_the_next_dear_call(quota):
    """However many are made at once: they go one after the other, and the rest is refused."""
    done, refused = [], []

    async def call(number):
        try:
            async with quota.costly(ROSIE):
                await asyncio.sleep(0)
                quota.charge_past(ROSIE, 40 * ENTRIES_A_CALL)
                done.append(number)
        except Denied as denied:
            refused.append(denied.reason)

    await asyncio.gather(*map(call, range(20)))

    assert [0, 1] == done
    assert ["RATE_LIMITED"] * 18 == refused
    assert not quota._lock._locks


def test_an_old_head_that_is_refused_is_paid(quota):
    """It was looked for through the whole match; one of late is known without that."""
    for revision in range(600):
        quota.note("m", standing(revision))
    stale = Denied("STALE_QUESTION", "")

    quota.charge_refusal(ROSIE, "m", standing(600 - RECENT_HEADS).head, stale)
    assert 0.0 == quota.calls._full_at.get(ROSIE.id, 0.0)
    quota.charge_refusal(ROSIE, "m", standing(5).head, stale)
    assert quota.calls._full_at[ROSIE.id] == pytest.approx(1000 + 599 / ENTRIES_A_CALL / 100)


def test_another_history_begins_anew(quota):
    """Its revisions come again, and are no repetitions."""
    quota.note("m", standing(600))
    quota.charge_refusal(ROSIE, "m", "f" * 64, Denied("HISTORY_CHANGED", "", revision=12))

    assert -1 == quota.revision("m")
    assert quota.calls._full_at[ROSIE.id] == pytest.approx(1000 + 1 / 100)


def record(size):
    return pb.GetMatchRecordResponse(text="x" * size)


def test_records_are_kept_as_far_as_there_is_room(clock):
    """The one that was not asked for the longest goes first."""
    cache = RecordCache(3500, clock)
    for name in "abc":
        cache.keep(name, record(1000))
    assert cache.find("a")
    cache.keep("d", record(1000))
    cache.keep("e", record(5000))

    assert [True, False, True, True, False] == [bool(cache.find(name)) for name in "abcde"]
    assert cache.size <= 3500


def test_records_are_not_kept_for_long(clock):
    """A store that is set back may have lost the end of a match."""
    cache = RecordCache(3500, clock)
    cache.keep("a", record(10))
    clock.now += KEPT_SECONDS

    assert None is cache.find("a")
    assert 0 == cache.size


def left(town, account):
    """What an account has left."""
    calls = town.process.gateway.admission.calls
    missing = max(0.0, calls._full_at.get(account, 0.0) - calls.clock()) * calls.a_second
    return round(calls.burst - missing, 1)


async def identity(caller):
    return (await caller.ask(pb.GetAccountRequest())).account.id


@pytest.mark.parametrize("town", [SLOW], indirect=True)
async def test_a_repeated_act_is_dearer_than_an_act(town):
    """It is looked up in the store, and gone through for its answer."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(sam, rosie)
    who = await identity(rosie)
    await town.act(sam, match, "red")
    before = left(town, who)
    request = pb.ActRequest(
        match=match, seat="blue", question=10, action="count 1", request_id="r10"
    )
    first = await rosie.ask(request)

    assert before - 1 == left(town, who)
    assert first == await rosie.ask(request)
    assert before - 2 - LOOKUP_PRICE - round(2 / ENTRIES_A_CALL, 1) == pytest.approx(
        left(town, who), abs=0.1
    )


@pytest.mark.parametrize("town", [SLOW], indirect=True)
async def test_the_record_of_a_match_that_is_over_is_made_once(town):
    """Whoever asks; of a match that goes on nothing is kept."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam, length=2)
    ask = pb.GetMatchRecordRequest(match=match)
    await rosie.ask(ask)
    town.count(match, 2)
    one = await rosie.ask(ask)
    before = town.engine.calls["GetRecord"]

    assert one.text
    assert one == await sam.ask(ask)
    assert before == town.engine.calls["GetRecord"]


@pytest.mark.parametrize("town", [SLOW], indirect=True)
async def test_watching_from_the_beginning_is_paid_by_the_length_of_the_match(town):
    """And watching from where it stands is not."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(sam, rosie, length=99)
    town.count(match, 60)
    who = await identity(rosie)
    before = left(town, who)
    stream = rosie.stream(pb.WatchMatchRequest(match=match, after_revision=60))
    await stream.next()
    stream.cancel()

    assert before - PRICES["WatchMatch"] == left(town, who)
    stream = rosie.stream(pb.WatchMatchRequest(match=match))
    await stream.next()
    stream.cancel()
    assert before - 2 * PRICES["WatchMatch"] - 60 / ENTRIES_A_CALL == left(town, who)


@pytest.mark.parametrize("town", [{"calls_a_second": 1, "calls_burst": 1}], indirect=True)
async def test_who_is_refused_waits_for_it(town):
    """A flood is as fast as its answers."""
    rosie = await town.account()
    await rosie.ask(pb.GetAccountRequest())
    began = asyncio.get_running_loop().time()

    assert "RATE_LIMITED" == await reason(rosie.ask(pb.GetAccountRequest()))
    assert asyncio.get_running_loop().time() - began >= 0.2
