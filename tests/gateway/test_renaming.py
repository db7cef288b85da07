"""Somebody takes another name: what leads to him, what is shown, and what is free again."""

from __future__ import annotations

import asyncio
import time
from types import SimpleNamespace

import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.statuses import Denied
from gateway import accounts as accounts_module
from gateway import current_names, tidying
from gateway.contract import NAME_KEPT_MS, RENAME_MS
from gateway.documents import News
from gateway.matches import now_ms
from tests.gateway.test_archiving import tidying_of
from tests.gateway.test_claim_name import claim, guest, profile, shown
from tests.gateway.test_ratings import over, rating, settle
from tests.gateway.town import Caller, reason, refusal, until

DAY_MS = 86_400_000


@pytest.fixture
def later(monkeypatch):
    """Let so many milliseconds pass."""
    passed = 0

    def later(ms):
        nonlocal passed
        passed += ms
        now = now_ms() + passed
        for module in (accounts_module, tidying):
            monkeypatch.setattr(module, "now_ms", lambda: now)

    return later


async def renamed(caller, name):
    return await caller.ask(pb.RenameAccountRequest(name=name))


async def test_somebody_takes_another_name(town):
    """He is the same account with the same token; both names lead to him."""
    rosie, sam = await town.account("Rosie"), await town.account()
    before = (await rosie.ask(pb.GetAccountRequest())).account
    told = await renamed(rosie, "Rose")

    assert (before.id, before.create_time, "Rose") == (
        told.account.id,
        told.account.create_time,
        told.account.name,
    )
    assert told.account == (await rosie.ask(pb.GetAccountRequest())).account
    assert abs(told.next_time.ToMilliseconds() - now_ms() - RENAME_MS) < DAY_MS
    for name in ("rosie", "ROSE"):
        assert "Rose" == (await profile(sam, name)).account.name
    for name in ("Rosie", "rose"):
        assert "INVALID_REQUEST" == await reason(
            town.nobody().ask(pb.CreateAccountRequest(name=name))
        )


async def test_once_in_thirty_days(town, later):
    """The refusal says when again; to ask for the name that one has is no wish."""
    rosie = await town.account("Rosie")
    assert not (await renamed(rosie, "Rosie")).HasField("next_time")
    told = await renamed(rosie, "Rose")
    denied = await refusal(renamed(rosie, "Rosa"))

    assert ("LIMIT_REACHED", "1", "new names in 30 days") == (
        denied.reason,
        denied.metadata["limit"],
        denied.metadata["of"],
    )
    assert told.next_time.ToDatetime().strftime("%Y-%m-%d %H:%M UTC") in denied.message
    wait = int(denied.metadata["retry_after_ms"])
    assert RENAME_MS - DAY_MS < wait <= RENAME_MS
    assert told == await renamed(rosie, "Rose")
    later(wait)
    assert "Rosa" == (await renamed(rosie, "Rosa")).account.name


async def test_a_guest_chooses_first(town):
    """As before; that does not count."""
    rosie = await guest(town)
    denied = await refusal(renamed(rosie, "Rosie"))
    assert ("NOT_ALLOWED", {"needs": "a name of your choice"}) == (denied.reason, denied.metadata)
    await claim(rosie, "Rosie")

    assert "Rose" == (await renamed(rosie, "Rose")).account.name
    denied = await refusal(rosie.ask(pb.ClaimNameRequest(name="Rosa")))
    assert {"needs": "a guest"} == denied.metadata


@pytest.mark.parametrize("name", ["", "x", "x" * 25, "two words", "admin", "gone-ab12cd34ef", "="])
async def test_a_bad_name_is_refused(town, name):
    """As for a new account."""
    rosie = await town.account()
    for wish in (
        renamed(rosie, name),
        (await guest(town)).ask(pb.ClaimNameRequest(name=name)),
        town.nobody().ask(pb.CreateAccountRequest(name=name or "x")),
    ):
        denied = await refusal(wish)
        assert ("INVALID_REQUEST", {"field": "name"}) == (denied.reason, denied.metadata)

    assert rosie.name == (await rosie.ask(pb.GetAccountRequest())).account.name


async def test_an_older_name_is_ones_own_for_ninety_days(town, later):
    """Its bearer alone may take it back; then a gateway lets it go, and somebody else has it."""
    rosie, sam = await town.account("Rosie"), await town.account("Sam")
    await renamed(rosie, "Rose")
    for wish in (renamed(sam, "Rosie"), (await guest(town)).ask(pb.ClaimNameRequest(name="rosie"))):
        denied = await refusal(wish)
        assert "the name" in denied.message
        assert "taken" in denied.message
    later(RENAME_MS)
    assert "Rosie" == (await renamed(rosie, "Rosie")).account.name
    later(NAME_KEPT_MS - 1000)
    assert 0 == await tidying_of(town).free_names()
    later(2000)
    assert 1 == await tidying_of(town).free_names()

    assert "Rose" == (await renamed(sam, "Rose")).account.name
    assert "Rose" == (await profile(rosie, "Sam")).account.name
    assert "Rosie" == (await profile(sam, "Rosie")).account.name


async def test_names_are_freed_with_all_else_that_is_tidied(town, later, monkeypatch):
    """More of them than are let go in one step; by one gateway, whose turn it is."""
    monkeypatch.setattr(tidying, "REST_SECONDS", 0.001)
    monkeypatch.setattr(tidying, "PAGE", 2)
    for number in range(3):
        await renamed(await town.account(f"Rosie{number}"), f"Rose{number}")
    later(NAME_KEPT_MS + 1000)
    work = tidying_of(town)
    await work._tidy_in_turn()

    for number in range(3):
        assert (await town.nobody().ask(pb.CreateAccountRequest(name=f"Rosie{number}"))).token
    assert 0 == await work.free_names()


async def test_ratings_stay_with_whoever_has_earned_them(town, later):
    """Under his names; who takes an older one of them begins anew."""
    rosie, sam = await town.account("Rosie"), await town.account("Sam")
    assert await settle(town, await over(town, rosie, sam))
    await renamed(rosie, "Rose")
    assert await settle(town, await over(town, rosie, sam))
    for name in ("Rose", "Rosie", ""):
        mine = await rating(rosie, name)
        assert ("Rose", 2) == (mine.account, mine.matches)
    later(NAME_KEPT_MS)
    assert 1 == await tidying_of(town).free_names()
    new = await town.account("Rosie")
    assert ("Rosie", 0) == ((mine := await rating(new)).account, mine.matches)
    assert await settle(town, await over(town, new, sam))

    assert 1 == (await rating(sam, "Rosie")).matches
    assert 2 == (await rating(sam, "Rose")).matches
    leaders = (await sam.ask(pb.ListLeadersRequest(game="hopscotch"))).leaders
    assert {"Rose": 2, "Rosie": 1, "Sam": 3} == {one.account: one.matches for one in leaders}
    assert "Rosie" == (await profile(sam, "Rosie")).ratings[0].account


async def test_all_see_the_name_of_now_and_records_the_name_of_then(town):
    """In matches, lists and ranks, though others were shown the older one a moment ago."""
    other = await town.gateway()
    rosie, sam = await town.account("Rosie"), await town.account("Sam", other)
    match = await town.running_match(rosie, "novice")
    assert await settle(town, await over(town, rosie, "novice"))
    listing, ranks = pb.ListMatchesRequest(), pb.ListLeadersRequest(game="hopscotch")
    assert ("Rosie", ["Rosie", "novice"]) == await shown(sam, match)
    assert "Rosie" in [one.account for one in (await sam.ask(ranks)).leaders]
    await renamed(rosie, "Rose")

    assert ("Rose", ["Rose", "novice"]) == await shown(sam, match)
    assert {"Rose"} == {m.creator for m in (await sam.ask(listing)).matches}
    assert "Rose" in [one.account for one in (await sam.ask(ranks)).leaders]
    assert "Rosie" == town.world.matches[match].request.players[0].label
    assert 1 == (await town.act(rosie, match, "red")).standing.revision


async def test_a_gateway_that_hears_no_news_knows_after_a_minute(town, monkeypatch):
    """And not before: names are not looked up at each call."""
    other = await town.gateway()
    await other.gateway.news_subscriber.close()
    rosie, sam = await town.account("Rosie"), await town.account("Sam", other)
    match = await town.running_match(rosie, "novice")
    assert ("Rosie", ["Rosie", "novice"]) == await shown(sam, match)
    looked, look = [], other.gateway.store.accounts

    async def noted(ids):
        looked.append(ids)
        return await look(ids)

    monkeypatch.setattr(other.gateway.store, "accounts", noted)
    await renamed(rosie, "Rose")
    looked.clear()
    assert ("Rosie", ["Rosie", "novice"]) == await shown(sam, match)
    assert not looked
    clock = SimpleNamespace(monotonic=lambda: time.monotonic() + 60)
    monkeypatch.setattr(current_names, "time", clock)
    assert ("Rose", ["Rose", "novice"]) == await shown(sam, match)
    assert 1 == len(looked)


async def test_a_name_that_changes_while_it_is_looked_up_is_not_kept(town, monkeypatch):
    """What was read before the news is shown once, and read again."""
    rosie, sam = await town.account("Rosie"), await town.account("Sam")
    match = await town.running_match(rosie, "novice")
    names, look = town.process.gateway.news_subscriber.names, town.store.accounts
    account = rosie.token.partition(".")[0]
    names.forget([account], "Rosie")

    async def slow(ids):
        found = await look(ids)
        if names._forgotten == 1:
            names.forget([account], "Rosie")
        return found

    names._forgotten = 1
    monkeypatch.setattr(town.store, "accounts", slow)
    await shown(sam, match)
    assert f"={account}" not in names._known
    await shown(sam, match)
    assert "Rosie" == names._known[f"={account}"][0]


async def test_names_are_shown_as_they_were_known_while_the_store_is_away(town, monkeypatch):
    """However old that is; and not every call finds out anew that it is away."""
    rosie, sam = await town.account("Rosie"), await town.account("Sam")
    match = await town.running_match(rosie, "novice")
    await renamed(rosie, "Rose")
    assert ("Rose", ["Rose", "novice"]) == await shown(sam, match)
    monkeypatch.setattr(current_names, "NAMED_SECONDS", -1)
    town.process.gateway.news_subscriber.names._known.clear()
    await shown(sam, match)

    looked = []

    async def away(ids):
        looked.append(ids)
        raise Denied("UNAVAILABLE", "away", part="store")

    monkeypatch.setattr(town.store, "accounts", away)
    for _ in range(3):
        assert ("Rose", ["Rose", "novice"]) == await shown(sam, match)
    assert 1 == len(looked)


async def test_an_older_gateways_news_are_understood(town):
    """It tells the name that was borne before in the place of what ratings are kept under."""
    rosie, sam = await town.account("Rosie"), await town.account("Sam")
    match = await town.running_match(rosie, "novice")
    await shown(sam, match)
    names, account = town.process.gateway.news_subscriber.names, rosie.token.partition(".")[0]
    assert f"={account}" in names._known
    await town.store.tell(News("named", accounts=(account,), more="Rosie"))

    await until(lambda: f"={account}" not in names._known)


async def test_one_account_takes_one_of_many_names(town):
    """At two gateways at once; the others are free."""
    other = await town.gateway()
    rosie = await town.account("Rosie")
    callers = (rosie, town.same(rosie, other)) * 3
    wishes = [renamed(caller, f"Rose{n}") for n, caller in enumerate(callers)]
    found = await asyncio.gather(*wishes, return_exceptions=True)
    [winner] = [one.account.name for one in found if isinstance(one, pb.RenameAccountResponse)]

    assert winner == (await rosie.ask(pb.GetAccountRequest())).account.name
    free = [f"Rose{n}" for n in range(6) if f"Rose{n}" != winner]
    for name in free:
        assert (await town.nobody().ask(pb.CreateAccountRequest(name=name))).token


async def test_a_session_has_the_new_name_at_once(town):
    """On every device, at every gateway."""
    other = await town.gateway()
    rosie = await town.account("Rosie")
    code = (await rosie.ask(pb.CreateLoginCodeRequest())).code
    phone = town.nobody(other)
    told = await phone.ask(pb.StartSessionRequest(code=code))
    phone = Caller(phone.channel, told.token)
    assert "Rosie" == (await phone.ask(pb.GetAccountRequest())).account.name
    await renamed(phone, "Rose")

    assert "Rose" == (await rosie.ask(pb.GetAccountRequest())).account.name
