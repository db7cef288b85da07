"""What every store does: the one on Redis and a ledger, and the one in memory."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import replace

import pytest

from gateway.contract import ALL, Reservation
from gateway.documents import (
    Account,
    Clock,
    ListEntry,
    Match,
    News,
    Note,
    Outcome,
    Rating,
    Recorded,
    Seat,
    State,
)
from gateway.memory_store import MemoryStore

MATCH = Match(
    id="h-abc",
    game="hopscotch",
    options=(("seats", "2"),),
    seats=(Seat("red", "a1", "Rosie", "", "00ff"), Seat("blue", bot_level="novice", nonce="01")),
    creator="a1",
    creator_name="Rosie",
    created_ms=1_700_000_000_123,
    commitment="00" * 32,
    clock=Clock(60_000, 5_000, "novice"),
    outcome=Outcome(1, (("red", 1), ("blue", -1))),
    left=("a2",),
)

NOTE = Note("a1", "Rosie", "red", "Mûmakil: {m:1} 'now'", 17, "r1")


RECORDED = Recorded("a record\nof some lines: “Mûmakil”\n", b"\x00kept", "0f" * 16, 17)


@pytest.fixture
def store_of(every_store_of):
    return every_store_of


def over(match, game="hopscotch", settled="counted", **given):
    """A match that is over for good."""
    return replace(MATCH, id=match, game=game, state=State.OVER, settled=settled, **given)


def rating(player, ordinal, version=0):
    return Rating(player, ordinal + 25.1, 8.3333333333333339, ordinal, version=version)


async def test_an_account_is_found_by_id_and_by_name(store):
    """Names are found whether or not they are in capitals."""
    rosie = Account("a1", "Rosie", guest=True, created_ms=17)

    assert await store.add_account(rosie, "hash")
    assert (rosie, "hash") == await store.credentials("a1")
    assert rosie == await store.account_named("rOSIE")
    assert await store.credentials("a2") is None
    assert await store.account_named("sam") is None


async def test_a_name_is_given_once(store):
    """Whoever comes second leaves nothing behind."""
    await store.add_account(Account("a1", "Rosie"), "hash")

    assert not await store.add_account(Account("a2", "ROSIE"), "other")
    assert await store.credentials("a2") is None
    assert "a1" == (await store.account_named("rosie")).id


async def test_one_of_many_gets_a_name(store):
    """However many ask at once."""
    found = await asyncio.gather(
        *(store.add_account(Account(f"a{n}", "Rosie"), "hash") for n in range(20))
    )

    assert 1 == sum(found)


async def test_a_token_is_swapped_once(store):
    """A repetition after a lost answer succeeds; whoever had an older one fails."""
    await store.add_account(Account("a1", "Rosie"), "old")

    assert await store.swap_token("a1", "old", "new")
    assert await store.swap_token("a1", "old", "new")
    assert not await store.swap_token("a1", "old", "newer")
    assert not await store.swap_token("a2", "", "new")
    assert "new" == (await store.credentials("a1")).token_hash


async def test_reservations_are_few_and_held_by_their_requests(store):
    """The same request gets the same match, even when there is no more room."""
    first = Reservation("h-1", "d1", "r1")

    assert first == await store.reserve("a1", first, 10, 2)
    assert first == await store.reserve("a1", Reservation("h-9", "d9", "r1"), 11, 2)
    assert await store.reserve("a1", Reservation("h-2", "d2"), 20, 2)
    assert await store.reserve("a1", Reservation("h-3", "d3", "r3"), 30, 2) is None
    assert first == await store.reserve("a1", Reservation("h-3", "d3", "r1"), 30, 2)
    assert await store.reserve("a2", Reservation("h-3", "d3"), 30, 2)
    assert [ListEntry(20, "h-2"), ListEntry(10, "h-1")] == await store.reserved("a1")
    assert first == await store.reservation("a1", "r1")
    assert await store.reservation("a1", "r3") is None


async def test_a_reservation_is_given_up_unless_it_was_renewed(store):
    """What was read may have changed since."""
    await store.reserve("a1", Reservation("h-1", "d"), 10, 5)
    await store.reserve("a1", Reservation("h-2", "d"), 10, 5)
    await store.reserve("a1", Reservation("h-2", "d"), 11, 5)
    await store.unreserve("a1", [ListEntry(10, "h-1"), ListEntry(10, "h-2"), ListEntry(10, "h-3")])
    await store.unreserve("a1", [])

    assert [ListEntry(11, "h-2")] == await store.reserved("a1")


async def test_a_match_is_kept_as_it_was(store):
    """Every field comes back, and a second one of its name does not replace it."""
    assert MATCH == await store.add_match(MATCH)
    assert MATCH == await store.add_match(replace(MATCH, game="other"))
    assert MATCH == await store.match("h-abc")
    assert [None, MATCH] == await store.matches(["h-x", "h-abc"])
    assert [] == await store.matches([])
    assert await store.match("h-x") is None


async def test_a_bare_match_is_kept_as_it_was(store):
    """What is absent stays absent."""
    bare = Match("h-1", "hopscotch", (), (Seat("red"),), "a1", "Rosie", 0, "")

    assert bare == await store.add_match(bare)


async def test_a_match_is_swapped_by_one(store):
    """Whoever read an older version must read again; a repetition succeeds."""
    await store.add_match(MATCH)
    second = replace(MATCH, state=State.RUNNING, version=2)
    other = replace(MATCH, state=State.CLOSED, version=2)

    assert await store.swap_match(MATCH, second)
    assert await store.swap_match(MATCH, second)
    assert not await store.swap_match(MATCH, other)
    assert second == await store.match("h-abc")
    assert await store.swap_match(second, replace(other, version=3))
    assert not await store.swap_match(MATCH, replace(MATCH, id="h-x", version=2))


async def test_lists_are_read_page_by_page(store):
    """Newest first; of one millisecond, the last name first."""
    for n in range(10):
        await store.list_match(replace(MATCH, id=f"h-{n}", created_ms=n // 3), State.OPEN)
    await store.list_match(MATCH, State.RUNNING)
    found, after = [], None
    while page := await store.listed("hopscotch", State.OPEN, after, 4):
        found += page
        after = page[-1]

    assert [f"h-{n}" for n in reversed(range(10))] == [place.name for place in found]
    assert [] == await store.listed("other", State.OPEN, None, 4)


async def test_a_page_goes_on_though_its_last_match_is_gone(store):
    """Or has moved: nothing is left out and nothing comes twice."""
    for n in range(6):
        await store.list_match(replace(MATCH, id=f"h-{n}", created_ms=5), State.OPEN)
    page = await store.listed("hopscotch", State.OPEN, None, 2)
    await store.unlist_match(replace(MATCH, id="h-4"), State.OPEN)
    gone = await store.listed("hopscotch", State.OPEN, page[-1], 2)
    await store.list_match(replace(MATCH, id="h-2", created_ms=9), State.OPEN)
    moved = await store.listed("hopscotch", State.OPEN, gone[-1], 9)

    assert ["h-5", "h-4"] == [place.name for place in page]
    assert ["h-3", "h-2"] == [place.name for place in gone]
    assert ["h-1", "h-0"] == [place.name for place in moved]


async def test_an_account_enters_so_many_matches(store):
    """Entering again is no other match; leaving one makes room."""
    one, two, three = (replace(MATCH, id=f"h-{n}", created_ms=n) for n in (1, 2, 3))

    assert await store.enter("a1", one, 100, 2)
    assert await store.enter("a1", two, 100, 2)
    assert not await store.enter("a1", three, 100, 2)
    assert await store.enter("a1", one, 200, 2)
    await store.unlive("a1", [ListEntry(100, "h-1"), ListEntry(100, "h-2")])
    assert [ListEntry(200, "h-1")] == await store.live("a1")
    assert [ListEntry(2, "h-2"), ListEntry(1, "h-1")] == await store.seated("a1", None, 9)


async def test_a_match_that_is_over_leaves_all_lists_but_one(store):
    """It is no longer open, running or live; what it ends as, and who sat there, stay listed."""
    other = replace(MATCH, id="h-other")
    for match in (MATCH, other):
        await store.enter("a1", match, 100, 9)
        for state in (State.OPEN, State.RUNNING, State.OVER):
            await store.list_match(match, state)
    await store.finish(MATCH)
    await store.finish(MATCH)

    for state in (State.OPEN, State.RUNNING):
        assert ["h-other"] == [p.name for p in await store.listed("hopscotch", state, None, 9)]
    assert 2 == len(await store.listed("hopscotch", State.OVER, None, 9))
    assert ["h-other"] == [place.name for place in await store.live("a1")]
    assert 2 == len(await store.seated("a1", None, 9))


async def test_an_end_is_kept_until_it_was_told(store):
    """Once for each match that was live until then, and for those who sat there."""
    for number in range(3):
        match = replace(MATCH, id=f"h-{number}")
        await store.enter("a1", match, 100, 9)
        await store.finish(match)
        await store.finish(match)
    kept = await store.ended("a1")
    await store.unended("a1", [kept[0], ListEntry(1, "h-1")])

    assert {"h-0", "h-1", "h-2"} == {place.name for place in kept}
    assert kept[1:] == await store.ended("a1")
    await store.finish(replace(MATCH, id="h-0"))
    assert kept[1:] == await store.ended("a1")
    assert [] == await store.ended("a2")


async def test_ratings_are_settled_once(store):
    """A match counts once, for all its players or for none."""
    found = await store.settle(
        over("h-1"), [rating("Rosie", 1.5), rating("bot:novice", -2)], RECORDED
    )
    again = await store.settle(over("h-1"), [rating("Rosie", 9, 1)], RECORDED)
    rosie, bot, sam = await store.ratings("hopscotch", ["Rosie", "bot:novice", "Sam"])

    assert (True, None) == found[:2]
    assert (False, None) == again[:2]
    assert replace(rating("Rosie", 1.5), matches=1, version=1) == rosie
    assert replace(rating("bot:novice", -2.0), matches=1, version=1) == bot
    assert sam is None
    assert "counted" == await store.settled("hopscotch", "h-1")
    assert "" == await store.settled("hopscotch", "h-2")


async def test_a_settlement_without_ratings_is_one(store):
    """A match that does not count is settled all the same."""
    assert (await store.settle(over("h-1", settled="uncounted"), [], RECORDED)).now
    assert not (await store.settle(over("h-1"), [rating("Rosie", 1)], RECORDED)).now
    assert "uncounted" == await store.settled("hopscotch", "h-1")
    assert [None] == await store.ratings("hopscotch", ["Rosie"])


async def test_an_old_rating_settles_nothing(store):
    """Not even for the other player."""
    await store.settle(over("h-1"), [rating("Rosie", 1.5)], RECORDED)
    found = await store.settle(over("h-2"), [rating("Sam", 1), rating("Rosie", 3, 0)], RECORDED)

    assert (False, 1) == found[:2]
    assert [None] == await store.ratings("hopscotch", ["Sam"])
    assert "" == await store.settled("hopscotch", "h-2")


async def test_settlements_at_once_are_one_after_the_other(store):
    """Of many that read the same version, one is written."""
    found = await asyncio.gather(
        *(store.settle(over(f"h-{n}"), [rating("Rosie", n)], RECORDED) for n in range(20))
    )

    assert 1 == sum(done.now for done in found)
    assert 1 == (await store.ratings("hopscotch", ["Rosie"]))[0].matches


async def test_leaders_are_the_best_first(store):
    """A new rating moves its player; games do not mix."""
    for n, player in enumerate(("Ann", "Bob", "Cid", "Dan")):
        await store.settle(over(f"h-{player}"), [rating(player, n % 2 + 0.1)], RECORDED)
    await store.settle(over("h-9"), [rating("Ann", 7.5, 1)], RECORDED)
    await store.settle(over("o-1", game="other"), [rating("Eve", 9)], RECORDED)
    first = await store.leaders("hopscotch", None, 2)
    rest = await store.leaders("hopscotch", ListEntry(first[-1].ordinal, first[-1].player), 9)

    assert ["Ann", "Dan", "Bob", "Cid"] == [leader.player for leader in (*first, *rest)]
    assert 7.5 == first[0].ordinal


async def test_news_reach_everyone_who_listens(store_of, loop):
    """The first news is that one listens now. In order, but for those of a cluster."""
    one, two = store_of(), store_of()
    is_one_server = isinstance(one, MemoryStore) or not one._client.is_cluster
    async with aclosing(one.news()) as first, aclosing(two.news()) as second:
        assert News("listening") == await anext(first)
        assert News("listening") == await anext(second)
        told = [
            News("started", "h-1", ("a1", "a2")),
            News("token", accounts=("a1",)),
            News("follow", accounts=("a1",), more="a=="),
            *(News("changed", f"h-{n}") for n in range(2, 40)),
        ]
        for news in told:
            await one.tell(news)
        for subscriber in (first, second):
            heard = [await anext(subscriber) for _ in told]
            if is_one_server:
                assert told == heard
            assert sorted(told, key=about) == sorted(heard, key=about), "each has its own order"
    await one.close()
    await two.close()


def about(news):
    return news.match or news.accounts[0]


async def test_notes_of_a_team_are_numbered_and_bounded(store):
    """Each under its writer's request id once; teams and matches are apart."""
    kept = [
        await store.add_note("h-1", "warm", NOTE._replace(request_id=f"r{n}"), 3) for n in range(5)
    ]
    again = await store.add_note("h-1", "warm", NOTE._replace(request_id="r4", text="no"), 3)
    other = await store.add_note("h-1", "warm", NOTE._replace(account="a2", request_id="r4"), 3)

    assert [1, 2, 3, 4, 5] == [note.number for note in kept]
    assert kept[4] == again == NOTE._replace(request_id="r4", number=5)
    assert 6 == other.number
    assert [6, 5, 4] == [note.number for note in await store.notes("h-1", "warm", ALL, 9)]
    assert [5] == [note.number for note in await store.notes("h-1", "warm", 6, 1)]
    assert [] == await store.notes("h-1", "cold", ALL, 9)
    assert [] == await store.notes("h-2", "warm", ALL, 9)


async def test_who_is_here_is_so_until_his_time_is_over(store):
    """A time is made longer by whoever says so, and shorter only by going; it ends once."""
    assert await store.arrive("a1", 10, 100)
    assert not await store.arrive("a1", 20, 90)
    await store.stay(["a1", "a2"], 80)
    assert {"a1", "a2"} == await store.here(["a1", "a2", "a3"], 79)
    assert {"a1"} == await store.here(["a1", "a2", "a3"], 80)
    await store.depart("a1", 60)
    await store.depart("a3", 60)
    assert set() == await store.here(["a1", "a3"], 60)
    await store.stay(["a1"], 100)
    assert ["a2"] == await store.gone(90, 9)
    assert [] == await store.gone(90, 9)
    assert await store.arrive("a1", 100, 200)
    assert set() == await store.here([], 1)
