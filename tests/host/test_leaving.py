"""A match that is over leaves the store, and answers as before: from the ledger."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager

import grpc
import pytest

from bree.engine.v1 import engine_pb2 as e
from services import rules_of
from services.host.archived_store import MOST_HEADS, Archived, ArchivedStore
from services.host.in_memory_store import InMemoryStore
from services.host.serialization import Due
from tests.games.skirmish.rules import RULES
from tests.host.archives import Archive, creation, everything, play
from tests.host.engines import MATCH, START, Time, in_loop, refused, replica
from tests.host.stores import Faulty, Late, picture

C = grpc.StatusCode
LEDGER = "postgresql://somewhere/ledger"
GAMES = ("confrontation", "duel", "risk", "warofthering")


class Town:
    """Engines on one store and one archive."""

    def __init__(self, rules=RULES, store=None, **more):
        self.rules, self.time, self.archive = rules, Time(), Archive()
        self.live = InMemoryStore() if store is None else store
        self.more = {"ledger_url": LEDGER, **more}

    @asynccontextmanager
    async def engine(self):
        store = ArchivedStore(self.live, self.archive)
        async with replica(store, self.rules, self.time, **self.more) as engine:
            yield engine

    async def played(self, engine, match=MATCH, luck=1, **more):
        """A match played to its end; how it began."""
        create = creation(self.rules, match, {}, **more)
        await engine.call("CreateMatch", create)
        await play(engine, match, self.time, luck)
        return create

    async def settled(self, engine, match=MATCH):
        """What an engine keeps of a match that is archived and settled."""
        kept = await self.archive.take(engine, match)
        await engine.call("SettleMatch", e.SettleMatchRequest(match=match))
        return kept


def forgetting(kept, match=MATCH):
    return e.ForgetMatchRequest(match=match, head=kept.head, revision=kept.revision)


@pytest.mark.parametrize("game", GAMES)
@in_loop
async def test_a_match_that_has_left_answers_as_before_to_the_byte(game):
    """To every seat and to spectators, at every revision; and it refuses the same in the same way.

    From the engine that knew it, and from one that was started since.
    """
    rules = rules_of(game)
    town = Town(rules)
    seats = rules.seats(rules.agree({}))
    clock = e.Clock(bank_ms=4_000_000, move_ms=1000, bot_level="novice")
    create = creation(rules, MATCH, {seats[-1]: "greedy"}, clock=clock)
    async with town.engine() as engine:
        await engine.call("CreateMatch", create)
        await engine.hand_over(seats[0], "novice")
        await play(engine, MATCH, town.time, luck=7)
        kept = await town.settled(engine)
        before = await everything(engine, MATCH, create, every=7)
        await engine.call("ForgetMatch", forgetting(kept))

        assert not town.live.matches
        assert not town.live.due
        assert_same(before, await everything(engine, MATCH, create, every=7))
    async with town.engine() as engine:
        assert_same(before, await everything(engine, MATCH, create, every=7))
    assert not town.live.matches
    assert len(before) > 100


@in_loop
async def test_a_short_match_answers_as_before_at_every_revision():
    """With offers, and something taken back: the toy game has all that tables can do."""
    town = Town()
    async with town.engine() as engine:
        create = await town.played(engine)
        kept = await town.settled(engine)
        before = await everything(engine, MATCH, create)
        await engine.call("ForgetMatch", forgetting(kept))

        assert_same(before, await everything(engine, MATCH, create))
    async with town.engine() as engine:
        assert_same(before, await everything(engine, MATCH, create))


def assert_same(before, after):
    """Which answers differ is said by name."""
    different = [name for name in before if before[name] != after.get(name)]

    assert [] == different
    assert before.keys() == after.keys()


# When it leaves.


@pytest.mark.parametrize(("ledger", "due"), [(LEDGER, [60_000]), ("", [])])
@in_loop
async def test_a_settled_match_is_due_to_leave_when_its_time_is_over(ledger, due):
    """After the time that is set, in the place of its scoring; without a ledger it stays."""
    town = Town(live_seconds=60, ledger_url=ledger)
    async with town.engine() as engine:
        await town.played(engine)
        [scoring] = town.live.due
        now = town.time.ms
        await town.settled(engine)
        await engine.call("SettleMatch", e.SettleMatchRequest(match=MATCH))

        leaving = {Due("leave", MATCH, "", 0, "", now + ms).member(): now + ms for ms in due}
        assert scoring.startswith("score|")
        assert leaving == town.live.due
        asked = e.ClaimDueRequest(limit=5, lease_ms=1000)
        assert [] == list((await engine.call("ClaimDue", asked)).due)
        town.time.ms += 60_000
        claimed = (await engine.call("ClaimDue", asked)).due
        assert [e.DUE_KIND_LEAVE] * len(due) == [one.kind for one in claimed]


# What is not forgotten.


@in_loop
async def test_only_a_settled_match_of_this_history_is_forgotten():
    """Everything else is refused with its reason, and nothing changes."""
    town = Town()
    async with town.engine() as engine:
        await engine.call("CreateMatch", creation(RULES, "running-1", {}))
        await town.played(engine)
        kept = await town.archive.take(engine, MATCH)
        before = picture(town.live)

        async def is_refused(request, reason, code, **metadata):
            await refused(engine.call("ForgetMatch", request), reason, code, **metadata)
            assert before == picture(town.live)

        over, settled = "a match that is over", "a match that is settled"
        running = e.ForgetMatchRequest(match="running-1")
        await is_refused(running, "NOT_ALLOWED", C.PERMISSION_DENIED, needs=over)
        await is_refused(forgetting(kept), "NOT_ALLOWED", C.PERMISSION_DENIED, needs=settled)
        await engine.call("SettleMatch", e.SettleMatchRequest(match=MATCH))
        before = picture(town.live)
        looking = forgetting(kept)
        looking.only_look = True
        await engine.call("ForgetMatch", looking)
        assert before == picture(town.live)
        latest = str(kept.revision)
        for head, revision in (("", kept.revision), ("ab" * 32, kept.revision), (kept.head, 1)):
            for only_look in (False, True):
                other = e.ForgetMatchRequest(
                    match=MATCH, head=head, revision=revision, only_look=only_look
                )
                await is_refused(other, "HISTORY_CHANGED", C.ABORTED, revision=latest)
        unknown = e.ForgetMatchRequest(match="nobody-1")
        await is_refused(unknown, "UNKNOWN_MATCH", C.NOT_FOUND)
        for wrong in (e.ForgetMatchRequest(match="?"), e.ForgetMatchRequest(match=MATCH, head="x")):
            await is_refused(wrong, "INVALID_REQUEST", C.INVALID_ARGUMENT)
        negative = e.ForgetMatchRequest(match=MATCH, head=kept.head, revision=-1)
        await is_refused(negative, "INVALID_REQUEST", C.INVALID_ARGUMENT, field="revision")


@in_loop
async def test_a_match_is_forgotten_twice_like_once():
    """By the same engine or by another; and an answer that was lost is given again."""
    faulty = Faulty(InMemoryStore())
    town = Town(store=faulty)
    async with town.engine() as one, town.engine() as other:
        await town.played(one)
        kept = await town.settled(one)
        faulty.lose_requests = 1
        await refused(
            one.call("ForgetMatch", forgetting(kept)), "OUTCOME_UNKNOWN", C.UNAVAILABLE, match=MATCH
        )
        faulty.lose_replies = 1
        await refused(
            one.call("ForgetMatch", forgetting(kept)), "OUTCOME_UNKNOWN", C.UNAVAILABLE, match=MATCH
        )
        for engine in (one, other, one):
            await engine.call("ForgetMatch", forgetting(kept))

        assert not faulty.inner.matches
        assert not faulty.inner.due


@in_loop
async def test_a_match_that_changes_while_it_is_forgotten_is_looked_at_again():
    """A change that comes between the look and the dropping is not lost unseen."""
    late = Late(InMemoryStore())
    town = Town(store=late)
    async with town.engine() as engine:
        await town.played(engine)
        kept = await town.settled(engine)
        late.hold()
        forgotten = asyncio.ensure_future(engine.call("ForgetMatch", forgetting(kept)))
        await late.has_read.wait()
        late.inner.matches[MATCH].version += 1
        late.let_go()
        await forgotten

        assert not late.inner.matches
        assert ["forget", "load", "forget"] == late.asked[-3:]


# What must not come back.


@in_loop
async def test_a_match_that_has_left_never_begins_anew():
    """The call that began it may come again, however late: its answer is the one of then."""
    town = Town()
    async with town.engine() as engine:
        create = await town.played(engine)
        kept = await town.settled(engine)
        await engine.call("ForgetMatch", forgetting(kept))
        answer = await engine.call("CreateMatch", create)

        assert not town.live.matches
        assert not town.live.due
        assert answer.commitment
    async with town.engine() as engine:
        assert answer == await engine.call("CreateMatch", create)
        assert not town.live.matches


@in_loop
async def test_an_engine_that_knew_only_its_middle_brings_nothing_back():
    """It was asked last while the match ran; now it learns from the ledger how it ended."""
    town = Town()
    async with town.engine() as one, town.engine() as other:
        await one.call("CreateMatch", creation(RULES, MATCH, {}))
        await one.play("gondor", "r-first")
        seat = (await other.view()).standing.waiting[0]
        asked = (await other.view(seat)).question
        past = await other.past(1, seat)
        await play(one, MATCH, town.time, luck=2)
        end = await one.view(seat)
        kept = await town.settled(one)
        await one.call("ForgetMatch", forgetting(kept))
        late = other.act(seat, asked.number, asked.choices[0].action.text, "r-late")
        await refused(late, "MATCH_OVER", C.FAILED_PRECONDITION, ending="ENDING_FINISHED")

        assert end == await other.view(seat)
        assert past.view == (await other.past(1, seat)).view
        assert await one.record() == await other.record()
        assert not town.live.matches
        assert not town.live.due


@in_loop
async def test_those_who_watch_are_told_the_end_though_the_match_has_left():
    """One who watched to the end, one who comes after, and one whose engine missed the end."""
    late = Late(InMemoryStore())
    town = Town(store=late)
    async with town.engine() as one, town.engine() as other:
        await one.call("CreateMatch", creation(RULES, MATCH, {}))
        watching = other.watch()
        await anext(aiter(watching))
        await play(one, MATCH, town.time, luck=3)
        kept = await town.settled(one)
        await one.call("ForgetMatch", forgetting(kept))
        told = [step async for step in watching]
        after = [step async for step in other.watch()]

        assert told[-1].standing.HasField("outcome")
        assert after[-1].standing == told[-1].standing
        assert kept.revision == after[-1].standing.revision


# The ledger away, and what nobody knows.


@in_loop
async def test_while_the_ledger_is_away_what_has_left_is_out_of_reach_and_not_unknown():
    """What is live goes on, and begins; what has left says whose fault it is, and then is there."""
    town = Town()
    async with town.engine() as engine:
        await town.played(engine)
        kept = await town.settled(engine)
        await engine.call("ForgetMatch", forgetting(kept))
    async with town.engine() as engine:
        town.archive.away = True
        for method, request in (
            ("GetSeatView", e.GetSeatViewRequest(match=MATCH)),
            ("GetSeatView", e.GetSeatViewRequest(match=MATCH, revision=1)),
            ("GetRecord", e.GetRecordRequest(match=MATCH)),
            ("Resign", e.ResignRequest(match=MATCH, seat="gondor", request_id="x")),
            ("GetSeatView", e.GetSeatViewRequest(match="nobody-1")),
        ):
            await refused(engine.call(method, request), "UNAVAILABLE", C.UNAVAILABLE, part="ledger")
        asked = len(town.archive.asked)
        for number in range(5):
            await engine.call("CreateMatch", creation(RULES, f"new-{number}", {}))
        assert asked + 1 == len(town.archive.asked)
        await play(engine, "new-1", town.time, luck=4)
        town.archive.away = False

        assert (await engine.view()).standing.HasField("outcome")
        await refused(engine.view(match="nobody-1"), "UNKNOWN_MATCH", C.NOT_FOUND)


@in_loop
async def test_a_match_that_is_live_is_never_asked_of_the_ledger():
    """What is played needs it for nothing but to begin."""
    town = Town()
    async with town.engine() as engine:
        await engine.call("CreateMatch", creation(RULES, MATCH, {}))
        asked = len(town.archive.asked)
        await play(engine, MATCH, town.time, luck=4)
        await engine.record()
        await engine.past(1)

        assert asked == len(town.archive.asked)


@in_loop
async def test_whoever_looks_again_at_a_match_that_has_left_does_not_ask_the_ledger_again():
    """It does not change there; but of so many matches only the heads are remembered."""
    town = Town()
    async with town.engine() as engine:
        await town.played(engine)
        kept = await town.settled(engine)
        await engine.call("ForgetMatch", forgetting(kept))
        await engine.view()
        asked = len(town.archive.asked)
        for _ in range(5):
            await engine.view()
            await engine.past(3)
            await engine.past(4)

        assert asked + 2 >= len(town.archive.asked)  # the past is read, to the first look
        assert MOST_HEADS < 100_000


@in_loop
async def test_what_cannot_be_read_is_no_unknown_match():
    """Bytes that are broken are told as that, and the others are read."""
    town = Town()
    async with town.engine() as engine:
        await town.played(engine)
        kept = await town.settled(engine)
        await engine.call("ForgetMatch", forgetting(kept))
        text, data = town.archive.matches[MATCH]
    for broken in (b"", b"2", data[:-9], b"1" + data[1:40]):
        town.archive.matches[MATCH] = Archived(text, broken)
        async with town.engine() as engine:
            denied = await refused(engine.view(), "UNAVAILABLE", C.UNAVAILABLE, part="ledger")
            assert "cannot be read" in denied.message
    assert START < town.time.ms
