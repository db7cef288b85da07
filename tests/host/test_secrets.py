"""Nothing that leaves an engine tells a viewer what it may not know."""

from __future__ import annotations

import random

import pytest

from bree.engine.v1 import engine_pb2 as e
from services import GAMES
from services.core.errors import Refused
from services.core.fair import seed
from services.host import wire
from services.host.boards import codec_of
from services.host.serialization import LogEntry
from tests.games import rules_of
from tests.games.skirmish.rules import RULES
from tests.host.engines import MATCH, in_loop, replica
from tests.host.test_match_state import begun, played


@pytest.mark.parametrize("game", ["skirmish", *GAMES])
@pytest.mark.parametrize("at", range(3))
def test_answers_do_not_depend_on_what_a_seat_cannot_know(game, at):
    """In a world that the seat imagines, its board, its question and the standing are the same."""
    rules, chance, shown = rules_of(game), random.Random(at), codec_of(game).encode
    first, lines = begun(game)
    for state in played(first, lines, at, 60)[::5]:
        for seat in range(len(state.table.seats)):
            world = state.copy()
            world.table.game = rules.guess(state.table.game, seat, chance.randrange)

            assert wire.question(state, seat) == wire.question(world, seat)
            assert wire.standing(state, state.at) == wire.standing(world, world.at)
            assert shown(rules.view(state.table.game, seat)) == shown(
                rules.view(world.table.game, seat)
            )


@in_loop
async def test_no_digest_and_no_secret_ever_leaves_while_a_match_runs():
    """In no answer of any method, to no viewer, in no form; afterwards the record has them."""
    async with replica() as engine:
        await engine.create(rounds="6")
        sent = [await engine.call("CommitMatch", e.CommitMatchRequest(match=MATCH))]
        last = None
        for n in range(12):
            standing = (await engine.view()).standing
            seat = standing.waiting[0]
            asked = await engine.question(seat)
            imagine = e.ImagineRequest(match=MATCH, seat=seat, question=asked.number)
            sent.append(await engine.call("Imagine", imagine))
            last = await engine.play(seat, f"r{n}", 1)
            sent.append(last)
            for viewer in ("gondor", "mordor", ""):
                sent += [await engine.view(viewer), await engine.record(viewer)]
                sent.append(await engine.watch(seat=viewer).read())
        secret = engine.engine.matches.secret(MATCH)
        seeds = seed(secret, [b"gondor", b"mordor"])
        lines = [LogEntry.of(text) for text in engine.engine.store.matches[MATCH].lines]
        tokens = [line.digest for line in lines] + [x.hex() for x in (secret, seeds)]
        said = b"".join(message.SerializeToString() for message in sent)

        assert last is not None
        assert not last.standing.HasField("outcome")
        assert len(lines) > 15
        assert [] == [token for token in tokens if token.encode() in said]
        assert secret not in said
        assert seeds not in said
        await engine.play_on()
        text = (await engine.record()).text
        assert secret.hex() in text
        assert all(line.digest in text for line in lines)


@in_loop
async def test_each_viewer_is_told_its_own_events_and_no_others():
    """By answers, streams and records alike: who may see it is what the rules say."""
    async with replica() as engine:
        await engine.create(rounds="6")
        calls = {seat: engine.watch(seat=seat) for seat in ("gondor", "mordor", "")}
        streamed = {seat: [*(await call.read()).events] for seat, call in calls.items()}
        acted = {"gondor": [], "mordor": []}
        for n in range(14):
            seat = (await engine.view()).standing.waiting[0]
            acted[seat].append(await engine.play(seat, f"r{n}", 1))
            for viewer, call in calls.items():
                streamed[viewer] += (await call.read()).events
        for viewer, events in streamed.items():
            seen = (await engine.record(viewer)).seen
            private = {int(event.facts["seat"]) for event in events if event.kind in PRIVATE}

            assert events == [event for entry in seen for event in entry.events]
            assert private == ({RULES.seats({"seats": "2"}).index(viewer)} if viewer else set())
        for seat, answers in acted.items():
            for answer in answers:
                assert all(
                    event.kind not in PRIVATE or int(event.facts["seat"]) == SEATS.index(seat)
                    for event in answer.events
                )


PRIVATE = ("card_drawn", "card_picked")
SEATS = ("gondor", "mordor")


@in_loop
async def test_a_question_is_shown_to_the_seat_it_is_put_to():
    """What others are asked would tell which cards they hold."""
    async with replica() as engine:
        await engine.create()
        views = {seat: await engine.view(seat) for seat in ("gondor", "mordor", "")}
        choices = {
            seat: [choice.action.text for choice in view.question.choices]
            for seat, view in views.items()
        }
        game = engine.engine.matches.cache.find(MATCH).state.table.game

        assert not choices[""]
        for number, seat in enumerate(SEATS):
            assert [RULES.spell(a) for a in RULES.ask(game, number).actions] == choices[seat]


@in_loop
async def test_imagined_worlds_do_not_depend_on_the_secret():
    """Two matches that look the same to a seat are imagined in the same way."""
    async with replica() as engine:
        await engine.create()
        asked = await engine.question("gondor")
        request = e.ImagineRequest(match=MATCH, seat="gondor", question=asked.number)
        cached = engine.engine.matches.cache.find(MATCH)
        truth = cached.state.table.game.board.hands[1]
        found = [
            RULES.load((await engine.call("Imagine", request)).world).board.hands[1]
            for _ in range(60)
        ]

        assert 2 <= len(set(found))
        assert found.count(truth) < 60


LONG = {"confrontation": {}, "warofthering": {}, "risk": {"setup_mode": "random"}}
"""Games with neutral questions, and how to come to these sooner."""


@pytest.mark.parametrize("game", LONG)
def test_a_neutral_question_is_answered_alike_for_others_whatever_is_held(game):
    """What is refused, is in the same words; the safe answer tells them no other standing.

    Unless the answer has opened something, by which they know more.
    """
    rules, alike = rules_of(game), 0
    for at in range(300):
        chance = random.Random(at)
        for state, seat, other in neutrals(game, at):
            world = state.copy()
            world.table.game = rules.guess(state.table.game, other, chance.randrange)
            keep_plans(world.table.game, state.table.game)
            asks = [rules.ask(one.table.game, seat) for one in (state, world)]
            assert refusals(state, seat) == refusals(world, seat)
            if asks[0].actions[0] == asks[1].actions[0]:
                (events, standing), (others, there) = (
                    sent(one, seat, other, asks[0].actions[0]) for one in (state, world)
                )
                assert events != others or standing == there
                alike += events == others and len(asks[0].actions) != len(asks[1].actions)
        if alike > 5:
            return
    raise AssertionError(alike)


def keep_plans(world, truth):
    """What seats intend shows by whom is asked next, whatever anybody holds: let it be as it is."""
    for name in ("orders", "stands"):
        if hasattr(truth.board, name):
            setattr(world.board, name, getattr(truth.board, name))
    for there, here in zip(world.stack, truth.stack, strict=True):
        for name in ("limit", "most"):
            if hasattr(here, name):
                setattr(there, name, getattr(here, name))


def neutrals(game, seed):
    """Courses of a random match where a neutral question stands; whose, and another seat."""
    first, lines = begun(game, **LONG[game])
    for state in played(first, lines, seed, 600):
        for seat in state.asked:
            if state.table.rules.ask(state.table.game, seat).neutral:
                seats = range(len(state.table.seats))
                yield from ((state, seat, other) for other in seats if other != seat)


def refusals(state, seat):
    """How bad answers are refused: all that is said."""
    said, number = [], state.asked[seat]
    for n, what in ((number - 1, "pass"), (number, "pass frodo"), (number + 1, "pass")):
        with pytest.raises(Refused) as error:
            state.copy().act(seat, what, n, state.at, "r")
        said.append((type(error.value), error.value.why))
    return said


def sent(state, seat, other, action):
    """What another seat is sent when this is answered; heads are all of one length."""
    state = state.copy()
    step = state.act(seat, action, state.asked[seat], state.at, "r")
    standing = wire.standing(state, state.at)
    standing.head = "0" * len(standing.head)
    told = [one.SerializeToString() for one in wire.events(state, step.emitted, other)]
    return told, standing.SerializeToString()
