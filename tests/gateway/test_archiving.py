"""Matches leave what is live: settled ones for a worker, those that never began by themselves."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.statuses import Denied
from gateway import retention, tidying
from gateway.contract import ALL, Archived, Reservation
from gateway.documents import ListEntry, Note, Recorded, Seat, State, Team
from gateway.matches import now_ms
from gateway.outbox import Outbox
from gateway.retention import Retention
from gateway.settings import GatewaySettings
from gateway.tidying import Tidying
from tests.gateway.test_store import MATCH
from tests.gateway.town import reason, refusal, until

RECORDED = Recorded("bree record 1\n", b"kept", "ab" * 32, 7)
LISTS = (State.OPEN, State.RUNNING, State.OVER, State.CLOSED)
DAY_MS = 86_400_000


async def settled(town, *, large=False):
    """A match that was played and settled; who played it."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    note = pb.SayNoteRequest(match=match, seat="red", text="Well.", request_id="n-1")
    await asyncio.gather(rosie.ask(note), return_exceptions=True)  # where seats have teams
    await rosie.ask(pb.ResignMatchRequest(match=match, seat="red", request_id="end"))
    await town.worker().ask(settlement(town, match, large=large))
    return match, rosie, sam


def settlement(town, match, *, large=False, **more):
    """What a worker says of a match that is over; a large record it does not send."""
    standing = town.world.matches[match].standing()
    named = {"head": standing.head, "revision": max(1, standing.revision)}
    record = {} if large else {"record": "bree record 1\n", "kept": b"kept"}
    return pb.SettleRatingsRequest(
        match=match, outcome=standing.outcome, **{**record, **named, **more}
    )


async def live(store, match, accounts=()):
    """Where a match still stands among what is live."""
    found = []
    for state in LISTS:
        aged = await store.aged("hopscotch", state, None, now_ms() + DAY_MS, 1000)
        found += [state for entry in aged if entry.name == match]
    for account in accounts:
        for listed in (store.live(account), store.reserved(account)):
            found += [account for entry in await listed if entry.name == match]
        seated = await store.seated(account, None, ALL, past=False)
        found += [f"{account} sat" for entry in seated if entry.name == match]
    return found + (["itself"] if await store.match(match, past=False) else [])


# A settled match.


async def test_a_settled_match_leaves_and_is_found_as_before(town):
    """Its lists and itself are gone from what is live; whoever asks is told the same."""
    match, rosie, _ = await settled(town)
    shown = (await rosie.ask(pb.GetMatchRequest(match=match))).match
    mine = await rosie.ask(pb.ListMatchesRequest(mine=True))
    over = await rosie.ask(pb.ListMatchesRequest(state=pb.MATCH_STATE_OVER))
    account = (await town.store.match(match)).creator
    archived = await town.worker().ask(pb.ArchiveMatchRequest(match=match))
    standing = town.world.matches[match].standing()

    assert (standing.head, max(1, standing.revision)) == (archived.head, archived.revision)
    assert [] == [where for where in await live(town.store, match, [account]) if "sat" not in where]
    assert shown == (await rosie.ask(pb.GetMatchRequest(match=match))).match
    assert mine == await rosie.ask(pb.ListMatchesRequest(mine=True))
    if type(town.store).__name__ == "LedgerStore":  # one in memory keeps no past lists
        assert over == await rosie.ask(pb.ListMatchesRequest(state=pb.MATCH_STATE_OVER))
    again = await town.worker().ask(pb.ArchiveMatchRequest(match=match))
    assert archived == again


async def test_only_what_the_ledger_and_the_engine_have_alike_leaves(town):
    """A match that is not settled, one with another history, one that nobody knows."""
    rosie, sam = await town.account(), await town.account()
    running = await town.running_match(rosie, sam)
    opened = await town.open_match(rosie)
    match, _, _ = await settled(town)
    before = await live(town.store, match)
    town.world.matches[match]._heads[-1] = "cd" * 32
    worker = town.worker()
    for asked, why in (
        (running, "NOT_ALLOWED"),
        (opened, "NOT_ALLOWED"),
        (match, "HISTORY_CHANGED"),
    ):
        assert why == await reason(worker.ask(pb.ArchiveMatchRequest(match=asked)))
    assert "UNKNOWN_MATCH" == await reason(worker.ask(pb.ArchiveMatchRequest(match="h-nobody22")))
    assert "INVALID_REQUEST" == await reason(worker.ask(pb.ArchiveMatchRequest(match="?")))
    assert "UNAUTHENTICATED" == await reason(rosie.ask(pb.ArchiveMatchRequest(match=match)))

    assert before == await live(town.store, match)
    assert [State.RUNNING, "itself"] == await live(town.store, running)


@pytest.mark.parametrize("step", ["keep_notes", "take_out", "ForgetMatch"])
async def test_a_gateway_that_dies_on_the_way_leaves_what_can_be_done_again(
    town, step, monkeypatch
):
    """Whichever step fails, before or after: the next try does the rest."""
    match, _, _ = await settled(town)
    worker, request = town.worker(), pb.ArchiveMatchRequest(match=match)
    if step == "ForgetMatch":
        town.engine.before[step].append(Denied("UNAVAILABLE", "gone", part="engine"))
    else:
        work = getattr(type(town.store), step)

        async def fails(store, match):
            await work(store, match)
            raise Denied("UNAVAILABLE", "gone", part="store")

        monkeypatch.setattr(type(town.store), step, fails)
    denied = await refusal(worker.ask(request))
    monkeypatch.undo()

    assert "UNAVAILABLE" == denied.reason
    assert (await worker.ask(request)).revision
    assert [] == await live(town.store, match)


async def test_a_record_that_is_too_long_to_send_is_had_from_the_engine(town):
    """By its head, and only if it is that one."""
    match, _, _ = await settled(town, large=True)
    kept = await town.store.archived(match)
    standing = town.world.matches[match].standing()

    assert Archived(standing.head, max(1, standing.revision)) == kept
    rosie, sam = await town.account(), await town.account()
    other = await town.running_match(rosie, sam)
    await rosie.ask(pb.ResignMatchRequest(match=other, seat="red", request_id="end"))
    wrong = settlement(town, other, large=True, head="ab" * 32)
    assert "HISTORY_CHANGED" == await reason(town.worker().ask(wrong))
    assert await town.store.archived(other) is None


# What a store does with it.


async def test_a_match_is_taken_out_with_all_that_names_it(store):
    """Lists of its accounts, its request, its notes; others stay."""
    match = replace(
        MATCH, state=State.OVER, settled="counted", teams=(Team("one", ("red", "blue")),)
    )
    other = replace(match, id="h-abd")
    for one in (match, other):
        await store.reserve("a1", Reservation(one.id, "digest", f"r-{one.id}"), 5, 9)
        await store.reserve("a1.alone", Reservation(one.id, ""), 5, 9)
        await store.add_match(one)
        for state in LISTS:
            await store.list_match(one, state)
        for account in ("a1", "a2"):
            await store.enter(account, one, 5, 9)
        await store.add_note(one.id, "one", Note("a1", "Rosie", "red", "žádný", 5, "n-1"), 9)
        await store.settle(one, [], RECORDED)
        await store.keep_notes(one)
    noted = await store.notes(match.id, "one", ALL, 9)
    await store.take_out(match)
    await store.take_out(match)

    assert [] == [where for where in await live(store, match.id, ["a1"]) if "sat" not in where]
    assert await store.reservation("a1", f"r-{match.id}") is None
    assert [other.id] == [entry.name for entry in await store.reserved("a1.alone")]
    assert match == await store.match(match.id)
    assert noted == await store.notes(match.id, "one", ALL, 9)
    assert await store.notes(other.id, "one", ALL, 9)
    assert other == await store.match(other.id, past=False)
    assert f"r-{other.id}"[2:] == (await store.reservation("a1", f"r-{other.id}")).match
    assert Archived("ab" * 32, 7) == await store.archived(match.id)


async def test_a_list_is_gone_through_from_its_oldest_entry(store):
    """Up to a time, a page at a time, many of one time by their names, though some go meanwhile."""
    for number in range(40):
        at = (5, 7, 30)[min(number // 5, 1) + number // 38]
        await store.list_match(replace(MATCH, id=f"h-{number:02}", created_ms=at), State.OPEN)
    after, pages = None, []
    while page := await store.aged("hopscotch", State.OPEN, after, 10, 4):
        after = page[-1]
        pages.append([entry.name for entry in page])
        await store.unlist("hopscotch", State.OPEN, [after.name, "h-99"])
    await store.unlist("hopscotch", State.OPEN, [])
    left = await store.aged("hopscotch", State.OPEN, None, 99, 99)

    assert [f"h-{number:02}" for number in range(38)] == [name for page in pages for name in page]
    assert [4] * 9 + [2] == [len(page) for page in pages]
    assert 30 == len(left)
    assert [ListEntry(30, "h-38"), ListEntry(30, "h-39")] == left[-2:]


async def test_of_many_one_has_the_turn(store_of):
    """It keeps it for as long as it goes on, and another has it when it is silent."""
    store = store_of()
    if type(store).__name__ == "LedgerStore":
        assert await store.take_turn("tidying", "one", 200)
        assert not await store.take_turn("tidying", "other", 200)
        assert await store.take_turn("other work", "other", 200)
        assert await store.take_turn("tidying", "one", 20)
        await until(lambda: store.take_turn("tidying", "other", 60_000))
        assert not await store.take_turn("tidying", "one", 200)
    await store.close()


# What is kept no longer.


on_the_ledger = pytest.mark.parametrize("store_of", ["ledger"], indirect=True)


def retention_of(town, **more):
    return Retention(gateway_settings(town, **more), town.process.gateway.store)


async def ended(town, days):
    """A match that was over so many days ago, and has left what is live; who played it."""
    match, rosie, sam = await settled(town)
    await town.worker().ask(pb.ArchiveMatchRequest(match=match))
    await Outbox(town.store, town.process.gateway.matches).deliver()
    older = "UPDATE bree.matches SET created_ms = created_ms - $2, ended_ms = ended_ms - $2"
    asked = (f"{older} WHERE id = $1", match, days * DAY_MS)
    await town.store.ledger.write("older", lambda c: c.execute(*asked))
    return match, rosie, sam


@on_the_ledger
async def test_matches_are_dropped_when_the_host_keeps_them_no_longer(town, monkeypatch):
    """With all that belongs to them; ratings stay, and so does what is younger, or still live."""
    monkeypatch.setattr(retention, "AT_ONCE", 2)
    old = [await ended(town, 31) for _ in range(3)]
    young, live, untold = [(await ended(town, days))[0] for days in (29, 31, 31)]
    shown = await town.store.match(live)
    await town.store.add_match(shown)
    late = "INSERT INTO bree.outbox (kind, match, at_ms, next_ms) VALUES ('over', $1, 1, $2)"
    await town.store.ledger.write("late", lambda c: c.execute(late, untold, now_ms() + DAY_MS))
    match, rosie, _ = old[0]
    rating = await rosie.ask(pb.GetRatingRequest(game="hopscotch"))
    counted = "INSERT INTO bree.rating_history SELECT 'hopscotch', 'r', $1, 1, 1, 1, 1, 1, 1, 1, 1"
    await town.store.ledger.write("counted", lambda c: c.execute(counted, match))

    assert 0 == await retention_of(town).drop()
    assert 3 == await retention_of(town, keep_seconds=30 * 86_400).drop()
    assert "UNKNOWN_MATCH" == await reason(rosie.ask(pb.GetMatchRequest(match=match)))
    assert rating == await rosie.ask(pb.GetRatingRequest(game="hopscotch"))
    for kept in (young, live, untold):
        assert await town.store.past_match(kept)
    history = "SELECT count(*) FROM bree.rating_history WHERE match = $1"
    assert 1 == (await town.store.ledger.row("history", history, match))[0]
    assert 0 == await retention_of(town, keep_seconds=30 * 86_400).drop()


@on_the_ledger
async def test_closed_matches_have_a_time_of_their_own(town):
    """Who keeps what was played need not keep what never was."""
    rosie = await town.account()
    closed = await town.open_match(rosie)
    await rosie.ask(pb.LeaveMatchRequest(match=closed))
    await put_back(town, closed, 3 * DAY_MS)
    await tidying_of(town, live_seconds=0).tidy()
    aged = "UPDATE bree.matches SET ended_ms = created_ms WHERE id = $1"
    await town.store.ledger.write("aged", lambda c: c.execute(aged, closed))

    assert 0 == await retention_of(town, keep_seconds=2 * 86_400).drop()
    assert await town.store.past_match(closed)
    assert 1 == await retention_of(town, keep_closed_seconds=2 * 86_400).drop()
    assert await town.store.past_match(closed) is None


@pytest.mark.parametrize("setting", ["keep_seconds", "keep_closed_seconds"])
def test_nobody_loses_what_was_just_played(setting):
    """A slip of a few zeros is refused."""
    with pytest.raises(ValueError, match="for a day at least"):
        GatewaySettings(engines="a=b:1", platform_token="x" * 16, **{setting: 3600})


# What never began.


def tidying_of(town, **more):
    gateway = town.process.gateway
    return Tidying(gateway_settings(town, **more), gateway.store, gateway.matches)


def gateway_settings(town, **more):
    return town.settings.model_copy(update=more)


async def put_back(town, match, ms):
    """Make a match so much older."""
    store = town.store
    known = await store.match(match)
    older = replace(known, created_ms=known.created_ms - ms, version=known.version + 1)
    assert await store.swap_match(known, older)
    for state in LISTS:
        aged = await store.aged("hopscotch", state, None, now_ms() + DAY_MS, 1000)
        if match in [entry.name for entry in aged]:
            await store.list_match(older, state)


async def test_a_closed_match_leaves_when_its_time_is_over(town):
    """It is shown and listed as before; one that was closed just now stays a while."""
    rosie = await town.account()
    late, old = await town.open_match(rosie), await town.open_match(rosie)
    for match in (late, old):
        await rosie.ask(pb.LeaveMatchRequest(match=match))
    await put_back(town, old, 7200_000)
    shown = await rosie.ask(pb.GetMatchRequest(match=old))
    work = tidying_of(town, live_seconds=3600)

    assert 0 == await tidying_of(town, live_seconds=3 * 3600).tidy()
    assert 1 == await work.tidy()
    assert [] == await live(town.store, old)
    assert [State.CLOSED, "itself"] == await live(town.store, late)
    assert shown == await rosie.ask(pb.GetMatchRequest(match=old))
    assert not await work.tidy()


async def test_an_open_match_that_nobody_joins_is_closed_and_then_leaves(town):
    """One that somebody has joined, that runs, or that is young, stays as it is."""
    rosie, sam = await town.account(), await town.account()
    alone, joined, young = [await town.open_match(rosie, seats=2) for _ in range(3)]
    running = await town.running_match(rosie, sam)
    await rosie.ask(pb.JoinMatchRequest(match=alone))
    await sam.ask(pb.JoinMatchRequest(match=joined))
    for match in (alone, joined, running):
        await put_back(town, match, 8 * DAY_MS)
    work = tidying_of(town, open_seconds=7 * 86_400, live_seconds=31_536_000)
    closing = tidying_of(town, open_seconds=7 * 86_400)
    forever = tidying_of(town, open_seconds=0)

    assert 0 == await forever.tidy()
    await work.tidy()
    states = [(await town.store.match(m)).state for m in (alone, joined, young, running)]
    assert [State.CLOSED, State.OPEN, State.OPEN, State.RUNNING] == states
    await closing.tidy()
    assert [] == await live(town.store, alone)
    account = (await town.store.match(alone)).creator
    assert alone not in [entry.name for entry in await town.store.reserved(account)]
    assert await rosie.ask(pb.GetMatchRequest(match=alone))


async def test_entries_that_point_to_nothing_are_dropped(town):
    """A crash left them, or a late repetition; those of matches that are there stay."""
    rosie, sam = await town.account(), await town.account()
    running = await town.running_match(rosie, sam)
    await put_back(town, running, 8 * DAY_MS)
    store, known = town.store, await town.store.match(running)
    for state in LISTS:
        await store.list_match(replace(known, id="h-gone"), state)
    await store.list_match(replace(known, id="h-new", created_ms=now_ms()), State.OPEN)

    assert 4 == await tidying_of(town, open_seconds=0, live_seconds=0).tidy()
    assert [] == await live(store, "h-gone")
    assert [State.OPEN] == await live(store, "h-new")
    assert [State.RUNNING, "itself"] == await live(store, running)


async def test_a_long_list_is_looked_at_a_part_at_a_time(town, monkeypatch):
    """No part is looked at twice before the rest was, though nothing leaves."""
    monkeypatch.setattr(tidying, "PAGES", 1)
    monkeypatch.setattr(tidying, "PAGE", 2)
    old, looked = now_ms() - 8 * DAY_MS, []
    for number in range(5):
        seats = (Seat("red", "a2"),)
        stays = replace(MATCH, id=f"h-{number}", created_ms=old + number // 4, seats=seats)
        await town.store.add_match(stays)
        await town.store.list_match(stays, State.OPEN)
    matches = type(town.store).matches

    async def spy(store, ids, **more):
        looked.append(list(ids))
        return await matches(store, ids, **more)

    monkeypatch.setattr(type(town.store), "matches", spy)
    work = tidying_of(town)
    for _ in range(5):
        assert 0 == await work.tidy()

    assert [["h-0", "h-1"], ["h-2", "h-3"], ["h-4"], ["h-0", "h-1"]] == looked


async def test_whoever_joins_at_that_moment_keeps_the_match_open(town, monkeypatch):
    """It is decided on the match as it is when it is written."""
    rosie, sam = await town.account(), await town.account()
    match = await town.open_match(rosie, seats=2)
    await put_back(town, match, 8 * DAY_MS)
    listed = type(town.store).list_match

    async def joined(store, one, state):
        if state is State.CLOSED:
            await sam.ask(pb.JoinMatchRequest(match=match))
        await listed(store, one, state)

    monkeypatch.setattr(type(town.store), "list_match", joined)
    await tidying_of(town).tidy()

    assert State.OPEN is (await town.store.match(match)).state
