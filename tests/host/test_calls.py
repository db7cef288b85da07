"""Every method of the service, as it is meant to be used."""

from __future__ import annotations

import asyncio
import hmac

import grpc
import pytest

from bree.engine.v1 import engine_pb2 as e
from bree.engine.v1 import types_pb2 as t
from bree.process import metrics
from services.core.fair import commitment
from services.core.reading import parse_record
from services.core.replaying import replay
from services.host.in_memory_store import InMemoryStore
from services.host.serialization import Due
from services.host.settings import HostSettings
from tests.games.skirmish.rules import RULES
from tests.host.engines import (
    KEY,
    MATCH,
    METADATA,
    START,
    Time,
    in_loop,
    refused,
    replica,
)

C = grpc.StatusCode


@in_loop
async def test_a_game_describes_itself():
    """All that is needed to offer it without knowing it."""
    async with replica() as engine:
        game = await engine.call("DescribeGame", e.DescribeGameRequest())

        assert ("skirmish", "Skirmish", 1) == (game.game, game.title, game.edition)
        assert [o.name for o in RULES.options] == [o.name for o in game.options]
        assert (2, 3) == (game.options[0].span.first, game.options[0].span.last)
        assert ["full", "small"] == list(game.options[2].values)
        assert "full" == game.options[2].default_value
        assert not game.options[2].HasField("span")
        assert ["duel", "brawl", "raid"] == [preset.name for preset in game.presets]
        assert [t.OptionChoice(name="seats", value="3")] == list(game.presets[1].options)
        assert "Three play three rounds." == game.presets[1].meaning
        assert ["gondor", "mordor"] == list(game.seats)
        assert {"battle.seal_cards", "battle.take_losses"} <= set(game.prompts)
        assert HostSettings.model_fields["bot_levels"].default == ",".join(game.bot_levels)
        assert ["uniform", "novice"] == game.bot_levels[:2]


@in_loop
async def test_a_commitment_is_a_promise_about_a_name():
    """The same from every replica with the key, before the match and when it has begun."""
    async with replica() as one, replica() as other:
        chosen = [t.OptionChoice(name="seats", value="3")]
        request = e.CommitMatchRequest(match=MATCH, options=chosen)
        promise = await one.call("CommitMatch", request)
        again = await other.call("CommitMatch", request)
        another = await one.call("CommitMatch", e.CommitMatchRequest(match="s-match-2"))
        created = await one.create(seats="3")

        assert promise == again
        assert promise.commitment == created.commitment != another.commitment
        assert 64 == len(promise.commitment)
        assert ["gondor", "mordor", "rohan"] == list(promise.seats)
        assert ["3", "3", "full"] == [option.value for option in promise.options]


@in_loop
async def test_two_keys_make_two_promises():
    """A secret follows from the key and from nothing that others know."""
    async with replica() as one, replica(fate_key="11" * 32) as other:
        request = e.CommitMatchRequest(match=MATCH)
        promises = {(await x.call("CommitMatch", request)).commitment for x in (one, other)}

        assert 2 == len(promises)


@in_loop
async def test_a_new_key_keeps_old_promises():
    """What was promised begins with the old key, goes on with both, and is told at its end."""
    store = InMemoryStore()
    async with replica(store) as old, replica(store, fate_key=f"{'11' * 32},{KEY}") as new:
        request = e.CommitMatchRequest(match=MATCH)
        promise = (await old.call("CommitMatch", request)).commitment
        assert promise != (await new.call("CommitMatch", request)).commitment
        created = await new.create(commitment=promise)
        await old.play("gondor", "r1")
        await new.play_on()
        record = parse_record((await new.record()).text)

        assert promise == created.commitment == record.fairness.commitment
        assert commitment(record.fairness.secret) == promise
        assert replay(record, RULES).is_over


@in_loop
async def test_a_promise_that_was_never_made_is_refused():
    """Nothing begins with it."""
    async with replica() as engine:
        call = engine.create(commitment="ab" * 32)
        await refused(call, "INVALID_REQUEST", C.INVALID_ARGUMENT, field="commitment")
        await refused(engine.view(), "UNKNOWN_MATCH", C.NOT_FOUND)


@in_loop
async def test_a_match_begins_with_the_chance_that_comes_first():
    """Four cards are drawn before anyone is asked; both are asked then."""
    async with replica() as engine:
        created = await engine.create()
        standing = (await engine.view()).standing

        assert (1, 4) == (created.edition, created.revision)
        assert (4, ["gondor", "mordor"]) == (standing.revision, list(standing.waiting))
        assert not standing.HasField("outcome")
        assert not standing.clocks


@in_loop
async def test_a_match_created_again_is_the_same_match():
    """Though it has gone on since, and on another replica; time does not matter."""
    time = Time()
    async with replica(now=time) as engine, replica(engine.engine.store, now=time) as other:
        created = await engine.create()
        await engine.play("gondor", "r1")
        time.ms += 1000

        assert created == await engine.create() == await other.create()
        assert 5 == (await other.view()).standing.revision


@in_loop
async def test_a_view_has_the_board_and_the_question():
    """The board in an Any, the choices with words for people."""
    async with replica() as engine:
        await engine.create()
        view = await engine.view("gondor")
        question = view.question

        assert view.view.type_url.endswith("/google.protobuf.Struct")
        assert ("battle.seal_cards", "Gondor, SealCards?") == (question.prompt, question.sentence)
        assert 1 <= question.number
        assert "ready" == question.choices[0].action.text
        pick = question.choices[1].action
        assert ("pick", pick.text.split()[1:]) == (pick.verb, list(pick.nouns))
        assert f"Gondor: {pick.text}." == question.choices[1].sentence


@in_loop
async def test_a_spectator_is_asked_nothing():
    """Nor is he told by name: no viewer at all is a spectator."""
    async with replica() as engine:
        await engine.create()
        view = await engine.call("GetSeatView", e.GetSeatViewRequest(match=MATCH))

        assert view == await engine.view("")
        assert not view.HasField("question")
        assert ["gondor", "mordor"] == list(view.standing.waiting)


@in_loop
async def test_an_answer_tells_what_happened_and_what_is_asked_next():
    """One round trip a move: events, the next question, where the match stands."""
    async with replica() as engine:
        await engine.create()
        asked = await engine.question("gondor")
        picked = await engine.act("gondor", asked.number, asked.choices[1].action.text, "r1")
        ready = await engine.act("gondor", picked.question.number, "ready", "r2")

        assert ["card_picked"] == [event.kind for event in picked.events]
        assert picked.question.number > asked.number
        assert ["ready"] == [choice.action.text for choice in picked.question.choices]
        assert ["got_ready"] == [event.kind for event in ready.events]
        assert not ready.HasField("question")
        assert ["mordor"] == list(ready.standing.waiting)


@in_loop
async def test_chance_is_stored_with_the_answer_that_it_follows():
    """The last to be ready rolls the dice: three entries, one revision after the other."""
    async with replica() as engine:
        await engine.create()
        await engine.play("gondor", "r1")
        before = (await engine.view()).standing.revision
        response = await engine.play("mordor", "r2")

        assert before + 3 == response.standing.revision
        assert ["got_ready", "rolled", "rolled"] == [event.kind for event in response.events]


@in_loop
async def test_a_match_goes_to_its_end_and_its_record_verifies():
    """The outcome is in the standing; the record has the secret, and the promise was kept."""
    async with replica() as engine:
        promised = (await engine.create()).commitment
        standing = await engine.play_on()
        response = await engine.record("gondor")
        record = parse_record(response.text)
        table = replay(record, RULES)

        assert t.ENDING_FINISHED == standing.outcome.ending
        scores = {score.seat: score.score for score in standing.outcome.scores}
        assert scores == dict(zip(table.seats, RULES.scores(table.game), strict=True))
        assert standing == response.standing
        assert promised == commitment(record.fairness.secret)
        assert ("Gondor", "Mordor") == record.players
        assert not response.seen


@in_loop
async def test_the_secret_is_the_one_that_the_design_says():
    """Any engine with the key finds it again, and so may whoever moves to other software."""
    async with replica() as engine:
        await engine.create()
        await engine.play_on()
        record = parse_record((await engine.record()).text)
        message = b"bree secret 1\n" + MATCH.encode()

        assert hmac.digest(bytes.fromhex(KEY), message, "sha256") == record.fairness.secret


@in_loop
async def test_a_running_match_tells_what_a_viewer_saw():
    """One entry for each revision, with events for those who may know, and no text."""
    async with replica() as engine:
        await engine.create()
        asked = await engine.question("mordor")
        await engine.act("mordor", asked.number, asked.choices[1].action.text, "r1")
        mine, theirs = await engine.record("mordor"), await engine.record("gondor")

        assert "" == mine.text == theirs.text
        assert [1, 2, 3, 4, 5] == [entry.revision for entry in mine.seen]
        assert ["chance"] * 4 + ["mordor"] == [entry.who for entry in mine.seen]
        kinds = [[event.kind for event in entry.events] for entry in mine.seen]
        assert [[], [], ["card_drawn"], ["card_drawn"], ["card_picked"]] == kinds
        assert ["card_drawn"] * 2 == [event.kind for entry in theirs.seen for event in entry.events]
        assert 5 == mine.standing.revision


@in_loop
async def test_an_event_says_with_which_entry_it_happened():
    """The same in answers, in one long step and in the record, for each who saw it."""
    async with replica() as engine:
        await engine.create()
        answers = []
        for n in range(6):
            waiting = (await engine.view()).standing.waiting
            answers.append((waiting[0], await engine.play(waiting[0], f"r{n}")))
        for seat in ("gondor", "mordor"):
            seen = (await engine.record(seat)).seen
            placed = [(event, entry.revision) for entry in seen for event in entry.events]
            watching = engine.watch(seat=seat)
            step = await watching.read()
            watching.cancel()
            told = [event for who, done in answers if who == seat for event in done.events]

            assert placed == [(event, event.revision) for event in step.events]
            assert len({revision for _, revision in placed}) > 3
            assert told
            assert all((event, event.revision) in placed for event in told)


@in_loop
async def test_resigning_is_an_entry_of_the_record():
    """The rules say what it means; here the other one wins."""
    async with replica() as engine:
        await engine.create()
        request = e.ResignRequest(match=MATCH, seat="gondor", request_id="r1")
        standing = (await engine.call("Resign", request)).standing
        record = parse_record((await engine.record()).text)

        assert t.ENDING_FINISHED == standing.outcome.ending
        assert [("gondor", 0), ("mordor", 3)] == [
            (s.seat, s.score) for s in standing.outcome.scores
        ]
        assert ("host", "resign gondor") == record.entries[-1][:2]
        assert replay(record, RULES).is_over


@in_loop
async def test_aborting_ends_a_match_without_scores():
    """For nobody's gain."""
    async with replica() as engine:
        await engine.create()
        standing = (
            await engine.call("Abort", e.AbortRequest(match=MATCH, request_id="a"))
        ).standing
        record = parse_record((await engine.record()).text)

        assert t.ENDING_ABORTED == standing.outcome.ending
        assert not standing.outcome.scores
        assert not standing.waiting
        assert record.aborted
        assert replay(record, RULES).is_over


@in_loop
async def test_an_imagined_world_can_be_loaded_and_looks_the_same():
    """To the seat it was imagined for; others may hold other cards in it."""
    async with replica() as engine:
        await engine.create()
        asked = await engine.question("mordor")
        request = e.ImagineRequest(match=MATCH, seat="mordor", question=asked.number)
        hands = set()
        for _ in range(40):
            imagined = await engine.call("Imagine", request)
            world = RULES.load(imagined.world)
            assert ("skirmish", 1, 1) == (imagined.game, imagined.edition, imagined.seat_number)
            assert RULES.view(world, 1) == RULES.view(engine_game(engine), 1)
            hands.add(world.board.hands[0])

        assert len(hands) > 1


def engine_game(engine):
    return engine.engine.matches.cache.find(MATCH).state.table.game


@in_loop
async def test_a_bots_turn_is_due_until_it_is_taken():
    """The workers are told at once, and whoever sweeps is told what is overdue."""
    time = Time()
    async with replica(now=time) as engine:
        await engine.create(levels={"mordor": "greedy"})
        asked = (await engine.question("mordor")).number
        claim = e.ClaimDueRequest(limit=10, lease_ms=5000, overdue_ms=1000)

        assert [Due("bot_turn", MATCH, "mordor", asked, "greedy", START)] == engine.dispatch.sent
        assert not (await engine.call("ClaimDue", claim)).due
        time.ms += 1000
        (due,) = (await engine.call("ClaimDue", claim)).due
        assert (MATCH, e.DUE_KIND_BOT_TURN, "mordor") == (due.match, due.kind, due.seat)
        assert (asked, "greedy", START) == (due.question, due.bot_level, due.since.ToMilliseconds())
        assert not (await engine.call("ClaimDue", claim)).due
        time.ms += 6000
        assert [due] == list((await engine.call("ClaimDue", claim)).due)
        await engine.play("mordor", "b1")
        await engine.play("gondor", "r1")
        time.ms += 60_000
        left = (await engine.call("ClaimDue", claim)).due
        assert asked not in [one.question for one in left]


@in_loop
async def test_a_bot_that_goes_on_is_not_told_what_it_has_been_answered():
    """Its next question is due all the same, in case it does not."""
    async with replica() as engine:
        await engine.create(levels={"mordor": "greedy"})
        engine.dispatch.sent.clear()
        response = await engine.play("mordor", "b1", choice=1)

        assert response.question.number
        assert [] == engine.dispatch.sent
        (member,) = engine.engine.store.due
        assert Due.of(member).question == response.question.number


@in_loop
async def test_what_others_do_does_not_make_a_turn_due_again():
    """A turn that somebody is thinking about keeps its lease, and is sent once."""
    time = Time()
    async with replica(now=time) as engine:
        await engine.create(levels={"mordor": "greedy"})
        time.ms += 2000
        claim = e.ClaimDueRequest(limit=10, lease_ms=60_000, overdue_ms=0)
        assert 1 == len((await engine.call("ClaimDue", claim)).due)
        await engine.play("gondor", "r1", 1)
        time.ms += 2000

        assert not (await engine.call("ClaimDue", claim)).due
        assert 1 == len(engine.dispatch.sent)


@in_loop
async def test_a_finished_match_is_due_until_it_is_settled():
    """However it ended; settling twice is settling once."""
    async with replica() as engine:
        await engine.create()
        await engine.call("Abort", e.AbortRequest(match=MATCH, request_id="a"))
        claim = e.ClaimDueRequest(limit=10, lease_ms=1000)
        (due,) = (await engine.call("ClaimDue", claim)).due

        assert (e.DUE_KIND_SCORE, MATCH, "", 0) == (due.kind, due.match, due.seat, due.question)
        assert ["score"] == [one.kind for one in engine.dispatch.sent]
        for _ in range(2):
            await engine.call("SettleMatch", e.SettleMatchRequest(match=MATCH))
        assert {} == engine.engine.store.due
        assert (await engine.record()).text


@in_loop
async def test_what_is_due_is_counted_for_those_who_watch_over_it():
    """How much of each kind, and for how long the oldest has been waiting."""
    time = Time()
    async with replica(now=time, census_seconds=0.1) as engine:
        await engine.create(levels={"gondor": "greedy", "mordor": "greedy"})
        await engine.create("m-over")
        await engine.call("Abort", e.AbortRequest(match="m-over", request_id="a"))
        time.ms += 5000
        await asyncio.sleep(0.3)
        kinds = ("bot_turn", "score", "clock")
        found = [metrics.DUE.labels("skirmish", kind)._value.get() for kind in kinds]
        ages = [metrics.DUE_AGE_SECONDS.labels("skirmish", kind)._value.get() for kind in kinds]

        assert ([2, 1, 0], [5, 5, 0]) == (found, ages)


@in_loop
async def test_how_long_bots_and_scores_were_waited_for_is_measured():
    """From when they were due until they were done; what others do meanwhile is not theirs."""
    time = Time()
    turns, scores = (
        metrics.DONE_AFTER_SECONDS.labels("skirmish", kind) for kind in ("bot_turn", "score")
    )
    before = measured(turns), measured(scores)
    async with replica(now=time) as engine:
        await engine.create(levels={"gondor": "greedy"})
        time.ms += 3000
        await engine.play("mordor", "person")
        time.ms += 4000
        await engine.play("gondor", "bot")
        await engine.call("Abort", e.AbortRequest(match=MATCH, request_id="a"))
        time.ms += 20_000
        for _ in range(2):
            await engine.call("SettleMatch", e.SettleMatchRequest(match=MATCH))
    done = measured(turns), measured(scores)

    assert [[1, 7], [1, 20]] == [
        [b - a for a, b in zip(*pair, strict=True)] for pair in zip(before, done, strict=True)
    ]


def measured(histogram):
    """How many and how much in all."""
    return sum(one.get() for one in histogram._buckets), histogram._sum.get()


@pytest.mark.parametrize("metadata", [(), (("authorization", "Bearer wrong"),)])
@in_loop
async def test_only_the_platform_is_let_in(metadata):
    """Whoever has not its token is told nothing, not even which game this is."""
    async with replica() as engine:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await engine.stub.DescribeGame(e.DescribeGameRequest(), metadata=metadata)

        assert grpc.StatusCode.UNAUTHENTICATED == caught.value.code()
        assert await engine.stub.DescribeGame(e.DescribeGameRequest(), metadata=METADATA)
