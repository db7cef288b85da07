"""Positions of the past: what they show to whom, and that it is what was shown at the time."""

from __future__ import annotations

import asyncio
import random

import grpc
import pytest
from google.protobuf.struct_pb2 import Struct

from bree.engine.v1 import engine_pb2 as e
from services import GAMES
from services.host import pasts
from services.host.in_memory_store import InMemoryStore
from tests.games import rules_of
from tests.host.engines import MATCH, in_loop, refused, replica
from tests.host.stores import Faulty, picture

C = grpc.StatusCode
BACK = e.OFFER_KIND_TAKE_BACK


def creation(game):
    rules = rules_of(game)
    seats = rules.seats(rules.agree({}))
    players = [e.Player(seat=seat, nonce=seat.encode()) for seat in seats]
    return e.CreateMatchRequest(match=MATCH, players=players)


def bare(view):
    """A view without what belongs to the present alone."""
    view.standing.ClearField("offers")
    view.standing.ClearField("outcome")
    view.can_undo = False
    return view


async def shown(engine, seats):
    """What everyone who looks is shown now."""
    return {seat: bare(await engine.view(seat)) for seat in ("", *seats)}


async def played(engine, seats, chance, most):
    """Play with second thoughts and agreements; what all were shown after each step."""
    seen = {}
    for n in range(most):
        now = await shown(engine, seats)
        standing = now[""].standing
        seen[standing.revision] = now
        if not standing.waiting:
            break
        seat = chance.choice(list(standing.waiting))
        done = await engine.play(seat, f"p{n}", chance.randrange(30))
        if done.can_undo and chance.random() < 0.5:
            now = await shown(engine, seats)
            seen[done.standing.revision] = now
            await engine.undo(seat, f"u{n}")
        elif chance.random() < 0.1 and done.standing.waiting:
            seen[done.standing.revision] = await shown(engine, seats)
            made = await engine.offer(seat, BACK, f"o{n}")
            seen[made.revision] = await shown(engine, seats)
            for other in seats:
                if other != seat:
                    number = made.offers[0].number
                    await engine.answer_offer(other, number, f"a{n}", accept=chance.random() < 0.8)
                    break
    return seen


@pytest.mark.parametrize("game", ["skirmish", *GAMES])
@pytest.mark.parametrize("spacing", [4, 64])
@in_loop
async def test_the_past_is_what_was_shown_at_the_time(game, spacing, monkeypatch):
    """To every seat and to a spectator, at every revision where the match stood; in any order."""
    monkeypatch.setattr(pasts, "SPACING", spacing)
    rules, chance = rules_of(game), random.Random(f"{game} {spacing}")
    store = InMemoryStore()
    async with replica(store, rules) as engine:
        await engine.call("CreateMatch", creation(game))
        seats = rules.seats(rules.agree({}))
        seen = await played(engine, seats, chance, 60)
        async with replica(store, rules) as other:
            looks = [(revision, seat) for revision in seen for seat in ("", *seats)]
            chance.shuffle(looks)
            for revision, seat in looks:
                asked = chance.choice((engine, other))
                assert seen[revision][seat] == await asked.past(revision, seat)

    assert 20 < len(seen)


@in_loop
async def test_between_steps_nobody_is_asked():
    """After a decision and before chance has answered, exactly so many entries have been made."""
    async with replica() as engine:
        await engine.create()
        await engine.play("gondor", "p1")
        await engine.play("mordor", "p2")
        end = (await engine.view()).standing
        pictures = [await engine.past(n, "gondor") for n in range(end.revision + 1)]

        waiting = [list(x.standing.waiting) for x in pictures]
        assert [[]] * 4 + [["gondor", "mordor"], ["mordor"], [], []] == waiting[:8]
        assert list(range(len(pictures))) == [x.standing.revision for x in pictures]
        assert [4] == [n for n, x in enumerate(pictures[:8]) if x.HasField("question")]
        cards = [len(dict(plain(x))["hand"]) for x in pictures]
        assert [0, 1, 2, 2, 2] == cards[:5]
        assert not any(x.standing.HasField("outcome") for x in pictures)
        record = await engine.call(
            "Resign", e.ResignRequest(match=MATCH, seat="gondor", request_id="r")
        )
        over = await engine.past(record.standing.revision, "gondor")
        assert record.standing.head == over.standing.head
        assert not over.standing.HasField("outcome")


def plain(view):
    board = Struct()
    assert view.view.Unpack(board)
    return board


@in_loop
async def test_a_seat_sees_of_the_past_what_it_knew_then():
    """Not the card that it came to see later; and the other hand never."""
    async with replica() as engine:
        await engine.create()
        for n in range(5):
            waiting = (await engine.view()).standing.waiting
            await engine.play(waiting[0], f"p{n}", 1)
        last = (await engine.view()).standing.revision
        for revision in range(last + 1):
            for seat in ("gondor", "mordor", ""):
                then = await engine.past(revision, seat)
                assert bool(seat) == (dict(plain(then)).get("hand") is not None)
        assert await engine.past(4, "mordor") != await engine.past(4, "gondor")


@in_loop
async def test_a_revision_that_is_not_there_is_refused():
    """Before the first and after the last, of a match that runs; of an unknown one and seat."""
    async with replica() as engine:
        await engine.create()
        before = picture(engine.engine.store)
        for revision in (-1, 5, 2**62, -(2**62)):
            said = {"match": MATCH, "revision": str(revision), "latest": "4"}
            await refused(engine.past(revision), "UNKNOWN_REVISION", C.OUT_OF_RANGE, **said)
        await refused(engine.past(1, "rohan"), "UNKNOWN_SEAT", C.NOT_FOUND)
        await refused(engine.past(1, "", "s-none"), "UNKNOWN_MATCH", C.NOT_FOUND)
        assert before == picture(engine.engine.store)
        assert 4 == (await engine.past(4)).standing.revision
        assert [MATCH] == list(engine.engine.matches.pasts._kept)


@in_loop
async def test_a_match_that_goes_on_is_followed_from_where_it_was(monkeypatch):
    """By one who looks again and again: nothing is read twice but what is new."""
    monkeypatch.setattr(pasts, "SPACING", 8)
    store = InMemoryStore()
    faulty = Faulty(store)
    async with replica(store) as one, replica(faulty) as other:
        await one.create(rounds="6")
        standing = (await one.view()).standing
        n = 0
        while standing.waiting:
            n += 1
            standing = (await one.play(standing.waiting[0], f"p{n}", n)).standing
            now = bare(await one.view("gondor"))
            assert now == await other.past(standing.revision, "gondor")
            assert other.engine.matches.pasts._kept[MATCH].lines == store.matches[MATCH].lines
        begun = len(faulty.asked)
        for revision in range(standing.revision):
            await other.past(revision)
        assert ["load"] * standing.revision == faulty.asked[begun:]


@in_loop
async def test_what_is_kept_has_a_bound(monkeypatch):
    """Those that were looked at longest ago are forgotten, and found again."""
    monkeypatch.setattr(pasts, "SPACING", 8)
    async with replica() as engine:
        kept = engine.engine.matches.pasts
        for n in range(4):
            await engine.create(f"s-many-{n}")
            await engine.play_on(f"s-many-{n}")
        views = [await engine.past(9, "gondor", f"s-many-{n}") for n in range(4)]
        size = kept.size
        kept.capacity = size // 2
        again = [await engine.past(9, "gondor", f"s-many-{n}") for n in range(4)]

        assert views == again
        assert 1 <= len(kept._kept) < 4
        assert kept.size <= kept.capacity


@in_loop
async def test_many_who_look_at_once_are_shown_the_same():
    """While the match goes on."""
    store = InMemoryStore()
    async with replica(store) as one, replica(store) as other:
        await one.create(rounds="6")
        standing = await one.play_on(most=12)
        looks = [x.past(n, "mordor") for n in range(standing.revision) for x in (one, other)]
        more = asyncio.create_task(one.play_on(most=6))
        views = await asyncio.gather(*looks)
        await more

        assert views[::2] == views[1::2]


@in_loop
async def test_a_history_that_was_lost_is_not_shown():
    """A store that was set back and went on otherwise: the past is that of what goes on."""
    store = InMemoryStore()
    async with replica(store) as one:
        await one.create(rounds="6")
        await one.play_on(most=6)
        kept = store.matches[MATCH]
        await one.past(10, "gondor")
        async with replica(InMemoryStore()) as twin:
            await twin.create(rounds="6")
            await twin.play_on(most=9, choice=1)
            other = twin.engine.store.matches[MATCH]
            kept.lines[:], kept.version, kept.head = other.lines, other.version, other.head
            kept.fields |= other.fields
            wanted = [await twin.past(n, "gondor") for n in range(len(other.lines) + 1)]
        assert wanted == [await one.past(n, "gondor") for n in range(len(kept.lines) + 1)]


@in_loop
async def test_a_match_that_cannot_be_replayed_has_no_past():
    """It is frozen, as it is for all calls; and where the store is away, that is said."""
    faulty = Faulty(InMemoryStore())
    async with replica(faulty) as engine:
        await engine.create()
        await engine.play("gondor", "p1", 1)
        faulty.away = True
        await refused(engine.past(2), "UNAVAILABLE", C.UNAVAILABLE)
        faulty.away = False
        lines = faulty.inner.matches[MATCH].lines
        lines[1] = lines[1].replace("draw", "burn")
        await refused(engine.past(2), "MATCH_FROZEN", C.DATA_LOSS)
        await refused(engine.past(2), "MATCH_FROZEN", C.DATA_LOSS)
