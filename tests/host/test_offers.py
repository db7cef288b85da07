"""Offers: what may be proposed, who must answer, what comes of it, and that records tell it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import grpc
import pytest

from bree.engine.v1 import engine_pb2 as e
from bree.engine.v1 import types_pb2 as t
from bree.process import metrics
from services import GAMES
from services.core.reading import parse_record
from services.core.replaying import replay
from services.host import agreements, match_state, wire
from services.host.in_memory_store import InMemoryStore
from services.host.requests import Act
from services.host.table_requests import MakeOffer
from tests.games import rules_of
from tests.games.skirmish.rules import RULES
from tests.host.engines import MATCH, Time, in_loop, refused, replica
from tests.host.stores import Faulty, picture

C = grpc.StatusCode
FOLDER = Path(__file__).resolve().parents[2] / "services"
BACK, ABORT, DRAW = e.OFFER_KIND_TAKE_BACK, e.OFFER_KIND_ABORT, e.OFFER_KIND_DRAW


def told(standing):
    """By number: the kind, whose it is, and who has yet to answer."""
    return {o.number: (o.kind, o.seat, list(o.awaited)) for o in standing.offers}


async def not_allowed(call, needs):
    await refused(call, "NOT_ALLOWED", C.PERMISSION_DENIED, needs=needs)


async def kinds(engine, seat="mordor", after=0):
    """What a seat has seen happen at the table."""
    seen = (await engine.record(seat)).seen
    return [
        event.kind
        for entry in seen[after:]
        for event in entry.events
        if event.kind in agreements.KINDS
    ]


# What is played, and what comes of it.


@in_loop
async def test_what_all_agree_on_is_taken_back_past_chance_and_all_that_was_seen():
    """To before the last decision of the seat that asked; all questions come anew."""
    async with replica() as engine:
        await engine.create()
        await engine.play("mordor", "r0")
        before = {seat: await engine.view(seat) for seat in ("gondor", "mordor", "")}
        rolled = await engine.play("gondor", "r1")
        dice = [dict(x.facts)["dice"] for x in rolled.events if x.kind == "rolled"]
        number = (await engine.question(rolled.standing.waiting[0])).number
        counters = [
            metrics.DECISIONS.labels("skirmish", "battle.seal_cards")._value,
            metrics.OFFERS.labels("skirmish", "offer")._value,
            metrics.OFFERS.labels("skirmish", "accept")._value,
            metrics.TAKEN_BACK.labels("skirmish", "agreed")._value,
        ]
        was = [counter.get() for counter in counters]
        made = await engine.offer("gondor", BACK, "o1")
        assert {9: (BACK, "gondor", ["mordor"])} == told(made)
        done = await engine.answer_offer("mordor", 9, "a1", accept=True)
        now = [counter.get() for counter in counters]

        assert [0, 1, 1, 1] == [after - before for after, before in zip(now, was, strict=True)]
        assert {} == told(done)
        for seat, view in before.items():
            now = await engine.view(seat)
            assert (view.view, view.question.choices) == (now.view, now.question.choices)
            assert list(view.standing.waiting) == list(now.standing.waiting)
        assert (await engine.question("gondor")).number > number
        assert ["offer_made", "offer_answered", "decision_taken_back"] == await kinds(engine)
        again = await engine.play("gondor", "r2")
        assert dice != [dict(x.facts)["dice"] for x in again.events if x.kind == "rolled"]


@in_loop
async def test_a_record_with_all_of_it_verifies():
    """On two replicas in turn, and after a restart: heads, digests and draws are those of all."""
    store = InMemoryStore()
    async with replica(store) as one, replica(store) as other:
        await one.create(rounds="6")
        heads = {}
        for n in range(30):
            engine = (one, other)[n % 2]
            waiting = (await engine.view()).standing.waiting
            if not waiting:
                break
            standing = (await engine.play(waiting[0], f"p{n}", n % 3)).standing
            heads[standing.revision] = standing.head
            if n % 4 == 3 and standing.waiting:
                asker, answerer = ("gondor", "mordor") if n % 8 == 3 else ("mordor", "gondor")
                made = await other.offer(asker, BACK, f"o{n}")
                standing = await one.answer_offer(
                    answerer, made.offers[0].number, f"a{n}", accept=n % 12 != 11
                )
                heads[standing.revision] = standing.head
        if (await one.view()).standing.waiting:
            await one.call("Resign", e.ResignRequest(match=MATCH, seat="gondor", request_id="r"))
        text = (await other.record()).text
    record = parse_record(text)

    assert 3 <= text.count("host: takeback ")
    assert "mordor! decline " in text or "gondor! decline " in text
    replay(record, RULES)
    *mine, end = record.heads()
    last = len(record.entries)
    assert heads == {n: end if n == last else mine[n] for n in heads}
    async with replica(store) as third:
        assert text == (await third.record()).text


@in_loop
async def test_all_agree_to_end_it():
    """Nobody gains by it, and nothing stands any more."""
    async with replica() as engine:
        await engine.create()
        made = await engine.offer("gondor", ABORT, "o1")
        standing = await engine.answer_offer("mordor", made.offers[0].number, "a1", accept=True)

        assert t.ENDING_ABORTED == standing.outcome.ending
        assert {} == told(standing)
        text = (await engine.record()).text
        ends = ["gondor! offer abort", "mordor! accept 5", "host: abort"]
        assert ends == [line.rpartition(" ~")[0] for line in text.splitlines()[-6:-3]]
        replay(parse_record(text), RULES)


@in_loop
async def test_all_agree_to_a_draw_where_the_game_knows_one():
    """Every seat has the same score, and the record says so."""
    async with replica() as engine:
        await engine.create()
        await engine.offer("gondor", DRAW, "o1")
        standing = await engine.answer_offer("mordor", 5, "a1", accept=True)

        assert [0, 0] == [score.score for score in standing.outcome.scores]
        assert t.ENDING_FINISHED == standing.outcome.ending
        record = parse_record((await engine.record()).text)
        assert ((0, 0), "draw") == (record.scores, record.entries[-1].what)
        replay(record, RULES)


def test_none_of_the_published_games_knows_a_draw_by_agreement():
    """Their rules have none, so none is offered; DescribeGame says so."""
    for game in GAMES:
        assert [BACK, ABORT] == list(wire.description(rules_of(game), ()).offers)
    assert [BACK, ABORT, DRAW] == list(wire.description(RULES, ()).offers)


@in_loop
async def test_a_draw_is_not_offered_where_the_game_knows_none(monkeypatch):
    """The engine says so."""
    monkeypatch.setattr(RULES, "offers", ("takeback", "abort"))
    async with replica() as engine:
        await engine.create()
        await not_allowed(engine.offer("gondor", DRAW, "o"), "a game that knows it")


# Who is asked.


@in_loop
async def test_every_other_person_must_accept():
    """One of two is not enough; and one who declines ends it."""
    async with replica() as engine:
        await engine.create(seats="3")
        number = (await engine.offer("rohan", ABORT, "o1")).offers[0].number
        standing = await engine.answer_offer("gondor", number, "a1", accept=True)
        assert {number: (ABORT, "rohan", ["mordor"])} == told(standing)
        assert not standing.HasField("outcome")
        needs = "a seat whose answer is awaited"
        await not_allowed(engine.answer_offer("gondor", number, "a2", accept=False), needs)
        await not_allowed(engine.answer_offer("rohan", number, "a3", accept=True), needs)
        standing = await engine.answer_offer("mordor", number, "a4", accept=False)

        assert {} == told(standing)
        assert not standing.HasField("outcome")
        gone = engine.answer_offer("gondor", number, "a5", accept=True)
        await not_allowed(gone, "an offer that stands")


@in_loop
async def test_bots_are_not_asked_and_accept_nothing():
    """Where nobody else plays there is nobody to ask; of three, the other person decides."""
    async with replica() as engine:
        await engine.create(levels={"mordor": "greedy"})
        before = picture(engine.engine.store)
        for kind in (BACK, ABORT, DRAW):
            await not_allowed(engine.offer("gondor", kind, "o"), "another person")
        await not_allowed(engine.offer("mordor", ABORT, "o"), "a person at this seat")
        assert before == picture(engine.engine.store)
        await engine.create("s-three", seats="3", levels={"mordor": "greedy"})
        made = await engine.offer("gondor", ABORT, "o", "s-three")
        assert [["rohan"]] == [list(offer.awaited) for offer in made.offers]
        number = made.offers[0].number
        answer = engine.answer_offer("mordor", number, "a", accept=True, match="s-three")
        await not_allowed(answer, "a person at this seat")
        over = await engine.answer_offer("rohan", number, "a", accept=True, match="s-three")
        assert over.HasField("outcome")


@in_loop
async def test_a_bot_that_takes_a_seat_over_is_not_awaited():
    """Nor does an offer stand that nobody else is to answer, or that was the bot's seat's."""
    now = Time()
    store = InMemoryStore()
    async with replica(store, now=now) as engine:
        await engine.create(seats="3", clock=e.Clock(move_ms=1000, bot_level="greedy"))
        made = await engine.offer("gondor", ABORT, "o1")
        await engine.offer("mordor", DRAW, "o2")
        number = made.offers[0].number
        now.ms += 500
        await engine.play("gondor", "p1")
        await engine.play("rohan", "p2")
        now.ms += 600
        question = (await engine.question("mordor")).number
        gone = e.ExpireRequest(match=MATCH, seat="mordor", question=question)
        expired = await engine.call("Expire", gone)
        assert expired.expired
        assert {number: (ABORT, "gondor", ["rohan"])} == told(expired.standing)
        async with replica(store, now=now) as twin:
            assert expired.standing == (await twin.view()).standing
            over = await twin.answer_offer("rohan", number, "a1", accept=True)
            assert over.HasField("outcome")


@in_loop
async def test_whoever_gives_up_is_asked_nothing_and_has_offered_nothing():
    """What the one who is left was asked for lapses, and everyone hears of it."""
    async with replica() as engine:
        await engine.create(seats="3")
        first = await engine.offer("gondor", ABORT, "o1")
        await engine.offer("rohan", DRAW, "o2")
        number = first.offers[0].number
        await engine.answer_offer("mordor", number, "a1", accept=True)
        await engine.call("Resign", e.ResignRequest(match=MATCH, seat="rohan", request_id="r"))

        assert {} == told((await engine.view()).standing)
        assert 2 == (await kinds(engine)).count("offer_lapsed")
        gave_up = engine.offer("rohan", ABORT, "o3")
        await refused(gave_up, "NOT_ASKED", C.FAILED_PRECONDITION)


# When an offer ends without an answer, and when it may be made.


@in_loop
async def test_what_was_to_be_taken_back_lapses_with_the_next_decision():
    """Of anyone; the other offers stand. It may be offered again at once."""
    async with replica() as engine:
        await engine.create()
        await engine.play("gondor", "p1", 1)
        await engine.offer("gondor", BACK, "o1")
        await engine.offer("mordor", DRAW, "o2")
        after = (await engine.play("mordor", "p2", 1)).standing
        assert {7: (DRAW, "mordor", ["gondor"])} == told(after)
        assert ["offer_made", "offer_made", "offer_lapsed"] == await kinds(engine)
        await not_allowed(
            engine.answer_offer("mordor", 6, "a", accept=True), "an offer that stands"
        )
        assert 2 == len((await engine.offer("gondor", BACK, "o3")).offers)
        undone = await engine.undo("mordor", "u")
        assert {7: (DRAW, "mordor", ["gondor"])} == told(undone.standing)


@in_loop
async def test_one_offer_of_a_seat_stands_and_what_was_declined_waits_for_a_decision():
    """The same for what was withdrawn; another kind may be offered."""
    async with replica() as engine:
        await engine.create()
        await not_allowed(engine.offer("gondor", BACK, "o"), "a decision of this seat")
        await engine.play("gondor", "p1", 1)
        await engine.offer("gondor", BACK, "o1")
        for kind in (BACK, ABORT):
            await not_allowed(
                engine.offer("gondor", kind, "o2"), "an answer to the offer that stands"
            )
        await engine.answer_offer("mordor", 6, "a1", accept=False)
        barred = "a decision of this seat since then"
        await not_allowed(engine.offer("gondor", BACK, "o3"), barred)
        await engine.offer("gondor", DRAW, "o4")
        await engine.answer_offer("gondor", 8, "a2", accept=False)
        await not_allowed(engine.offer("gondor", DRAW, "o5"), barred)
        await engine.play("mordor", "p2", 1)
        await not_allowed(engine.offer("gondor", DRAW, "o6"), barred)
        await engine.play("gondor", "p3")
        made = await engine.offer("gondor", DRAW, "o7")

        assert 1 == len(made.offers)
        table = ["offer_made", "offer_answered", "offer_made", "offer_withdrawn", "offer_made"]
        assert table == await kinds(engine)


@in_loop
async def test_nothing_stands_when_the_match_is_over():
    """Whatever was offered."""
    async with replica() as engine:
        await engine.create()
        await engine.offer("gondor", DRAW, "o1")
        end = e.ResignRequest(match=MATCH, seat="mordor", request_id="r")
        standing = (await engine.call("Resign", end)).standing

        assert {} == told(standing)
        for call in (
            engine.offer("gondor", ABORT, "o2"),
            engine.answer_offer("mordor", 5, "a", accept=True),
        ):
            await refused(call, "MATCH_OVER", C.FAILED_PRECONDITION)


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        (e.MakeOfferRequest(match=MATCH, seat="gondor", request_id="o"), "kind"),
        (e.MakeOfferRequest(match=MATCH, seat="gondor", kind=9, request_id="o"), "kind"),
        (e.MakeOfferRequest(match=MATCH, seat="Gondor", kind=1, request_id="o"), "seat"),
        (e.MakeOfferRequest(match=MATCH, seat="gondor", kind=1), "request_id"),
        (e.AnswerOfferRequest(match=MATCH, seat="gondor", request_id="o"), "offer"),
        (e.AnswerOfferRequest(match=MATCH, seat="gondor", offer=-1, request_id="o"), "offer"),
        (e.AnswerOfferRequest(match="?", seat="gondor", offer=1, request_id="o"), "match"),
    ],
)
@in_loop
async def test_what_is_malformed_is_refused_by_its_field(request_, field):
    """Whatever stands in the store."""
    async with replica() as engine:
        await engine.create()
        before = picture(engine.engine.store)
        method = type(request_).__name__.removesuffix("Request")
        call = engine.call(method, request_)
        await refused(call, "INVALID_REQUEST", C.INVALID_ARGUMENT, field=field)
        assert before == picture(engine.engine.store)


# Once, whatever happens.


@in_loop
async def test_the_same_request_is_one_offer_and_one_answer():
    """On two replicas at once, and later; the id stands for nothing else."""
    store = InMemoryStore()
    async with replica(store) as one, replica(store) as other:
        await one.create()
        await one.play("gondor", "p1", 1)
        made = await asyncio.gather(*[x.offer("gondor", BACK, "o1") for x in (one, other) * 4])
        assert [made[0]] * 8 == made
        answers = await asyncio.gather(
            *[x.answer_offer("mordor", 6, "a1", accept=True) for x in (one, other) * 4]
        )
        assert [answers[0]] * 8 == answers
        assert 8 == answers[0].revision
        await other.play("gondor", "p2", 1)
        assert made[0] == await other.offer("gondor", BACK, "o1")
        assert answers[0] == await one.answer_offer("mordor", 6, "a1", accept=True)
        for call in (
            one.offer("gondor", ABORT, "o1"),
            other.answer_offer("mordor", 6, "a1", accept=False),
            one.undo("gondor", "o1"),
        ):
            await refused(call, "REQUEST_ID_REUSED", C.ALREADY_EXISTS)


@in_loop
async def test_of_a_decision_and_an_answer_at_once_the_store_takes_one_first():
    """If the decision was first, what was offered has lapsed."""
    for n in range(8):
        store = InMemoryStore()
        async with replica(store) as one, replica(store) as other:
            await one.create()
            await one.play("gondor", "p1", 1)
            await one.offer("gondor", BACK, "o1")
            number = (await other.question("gondor")).number
            calls = [
                one.answer_offer("mordor", 6, "a1", accept=True),
                other.act("gondor", number, "ready", "p2"),
            ]
            done = await asyncio.gather(*(calls if n % 2 else calls[::-1]), return_exceptions=True)
            failed = [x for x in done if isinstance(x, grpc.aio.AioRpcError)]

            assert 1 == len(failed)
            assert failed[0].code() in (C.PERMISSION_DENIED, C.ABORTED)
            views = [(await x.view("gondor")).SerializeToString() for x in (one, other)]
            assert views[0] == views[1]


@in_loop
async def test_an_answer_of_which_nobody_knows_is_given_again():
    """And what was agreed on happens once."""
    for lost in ("lose_requests", "lose_replies"):
        faulty = Faulty(InMemoryStore())
        async with replica(faulty) as engine:
            await engine.create()
            await engine.play("gondor", "p1", 1)
            await engine.offer("gondor", BACK, "o1")
            setattr(faulty, lost, 1)
            unsure = engine.answer_offer("mordor", 6, "a1", accept=True)
            await refused(unsure, "OUTCOME_UNKNOWN", C.UNAVAILABLE)
            standing = await engine.answer_offer("mordor", 6, "a1", accept=True)
            assert 8 == standing.revision == (await engine.view()).standing.revision


@in_loop
async def test_a_replica_that_was_behind_goes_back_with_the_others():
    """Though what it goes back to was decided before all that it knows."""
    store = InMemoryStore()
    async with replica(store) as one, replica(store) as other:
        await one.create()
        watching = other.watch(seat="mordor")
        await watching.read()
        await one.play("gondor", "p1")
        await one.play("mordor", "p2")
        known = (await other.view()).standing.revision
        await one.offer("gondor", BACK, "o1")
        await one.answer_offer("mordor", known + 1, "a1", accept=True)
        mine = await one.view("mordor")

        assert mine == await other.view("mordor")
        seen = []
        while not seen or seen[-1].standing.revision < mine.standing.revision:
            seen.append(await watching.read())
        assert mine.question == seen[-1].question
        assert "decision_taken_back" == seen[-1].events[-1].kind


@in_loop
async def test_spam_cannot_fill_a_match(monkeypatch):
    """However a seat tries: the number of its offers follows from what was decided."""
    monkeypatch.setattr(match_state, "UNDOS_BESIDE", 2)
    async with replica() as engine:
        await engine.create()
        await engine.play("gondor", "p", 1)
        refusals = 0
        for n in range(60):
            for kind in (BACK, ABORT, DRAW):
                try:
                    made = await engine.offer("gondor", kind, f"o{n}-{kind}")
                except grpc.aio.AioRpcError:
                    refusals += 1
                else:
                    number = made.offers[0].number
                    await engine.answer_offer("gondor", number, f"w{n}-{kind}", accept=False)
        assert 177 == refusals
        assert 5 + 6 == (await engine.view()).standing.revision


@in_loop
async def test_an_offer_makes_nobody_miss_a_question():
    """Whoever proposes something has not answered by that, however late a stream is looked at."""
    async with replica() as engine:
        match = await first_hit(engine)
        commands, hub = engine.engine.servicer.commands, engine.engine.hub
        stream = hub.questions(match, "mordor", untold_only=True)
        await anext(stream)
        news = asyncio.create_task(anext(stream))
        await asyncio.sleep(0)
        question = (await engine.engine.matches.find(match)).state.asked[0]
        ready = {"seat": "gondor", "number": question, "said": "ready", "request": "r"}
        # Nothing here waits for anything, so the stream comes to its turn after both.
        await commands.do(Act.of(RULES, match=match, **ready))
        await commands.do(MakeOffer(match, "mordor", "abort", "o"))
        state, _, _ = await asyncio.wait_for(news, 5)

        assert 1 in state.asked
        await stream.aclose()


async def first_hit(engine):
    """A match in which mordor is asked for losses as soon as gondor is ready."""
    for n in range(30):
        name = f"s-hit-{n}"
        await engine.create(name)
        await engine.play("mordor", "r", match=name)
        twin = (await engine.engine.matches.find(name)).state.copy()
        twin.act(0, RULES.parse("ready"), twin.asked[0], 0, "try")
        if 1 in twin.asked:
            return name
    raise AssertionError("nobody hits anything")


# Words.


def test_the_kinds_of_the_table_are_no_games():
    """So a client can tell them apart by their kinds alone."""
    sources = [path for game in GAMES for path in (FOLDER / game).rglob("*.py")]
    text = "".join(path.read_text("utf-8") for path in sources)

    assert '"card_' in text
    assert [] == [kind for kind in agreements.KINDS if f'"{kind}"' in text]
