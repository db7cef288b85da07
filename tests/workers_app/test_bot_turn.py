"""A bot's turn, against an engine that loses answers, goes away and is asked twice."""

from __future__ import annotations

import threading

import pytest
from celery.exceptions import SoftTimeLimitExceeded

from bree.engine.v1.engine_pb2 import DECIDER_BOT
from tests.workers_app.fakes import away, settings_for
from workers import bot_turn
from workers.bot_turn import Turn, play
from workers.bots.budget import Budget
from workers.bots.levels import budget_of
from workers.bots.search import Search
from workers.bots.uniform import Uniform
from workers.clients import Clients

MATCH = "c-1"


class Handed(list):
    """The turns that were handed on."""

    def __call__(self, turn):
        self.append(turn)


@pytest.fixture
def table(engine):
    return engine.begin(MATCH)


@pytest.fixture
def handed():
    return Handed()


def turn_of(table, seat=None, level="uniform"):
    """The turn of a seat that is asked something."""
    seat = table.waiting()[0] if seat is None else seat
    return Turn("confrontation", MATCH, table.name(seat), table.number(seat), level)


def acts(engine):
    """The answers that an engine was sent."""
    return [request for name, request in engine.calls if name == "Act"]


def play_all(clients, table, handed, level="uniform"):
    """Play a match to its end, one turn after the other."""
    while not table.is_over:
        play(clients, turn_of(table, level=level), 60, handed)


def test_a_turn_goes_on_until_its_seat_has_to_wait(clients, engine, table, handed):
    """One task answers all that the seat is asked in a row, and nothing of the other seat's."""
    seat = table.waiting()[0]

    assert play(clients, turn_of(table), 60, handed) == "waits"
    assert seat not in table.waiting()
    assert not handed
    assert {table.name(seat)} == {act.seat for act in acts(engine)}
    assert len(acts(engine)) > 1


@pytest.mark.parametrize("level", ["uniform", "greedy", "novice"])
def test_turn_by_turn_a_match_ends(clients, engine, table, handed, level):
    """Bots of every level play a whole match, each answer taken."""
    play_all(clients, table, handed, level)

    said = [entry for entry in table.entries if entry.who in table.seats]
    assert len(said) == len(acts(engine))


def test_the_same_turn_twice_is_one_answer(clients, table, handed):
    """A task that is delivered again finds its question answered."""
    turn = turn_of(table)
    play(clients, turn, 60, handed)
    revision = table.revision

    assert play(clients, turn, 60, handed) == "stale"
    assert revision == table.revision


def test_a_turn_is_bounded(clients, engine, table, handed, monkeypatch):
    """What is left of a long run of questions is handed on, and can be played from there."""
    monkeypatch.setattr(bot_turn, "LONGEST_RUN", 2)

    assert play(clients, turn_of(table), 60, handed) == "handed on"
    assert len(acts(engine)) == 2
    assert [turn_of(table)] == handed


def test_a_turn_is_bounded_in_time(clients, engine, table, handed):
    """A turn whose time is over answers one question and hands on the next."""
    assert play(clients, turn_of(table), 0, handed) == "handed on"
    assert len(acts(engine)) == 1
    assert [turn_of(table)] == handed


def test_a_lost_answer_is_asked_for_again(clients, engine, table, handed):
    """An answer that was stored and not acknowledged is sent again under the same id."""
    engine.after["Act"].append(away("OUTCOME_UNKNOWN"))
    before = table.revision

    assert play(clients, turn_of(table), 0, handed) == "handed on"
    first, second = acts(engine)
    assert first == second
    assert table.revision - before == 1


def test_a_worker_that_dies_before_its_answer_has_changed_nothing(clients, engine, table, handed):
    """The turn delivered to another worker is played as if nothing had been."""

    def die():
        raise KeyboardInterrupt

    turn, before = turn_of(table), table.revision
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bot_turn.uuid, "uuid4", die)
        with pytest.raises(KeyboardInterrupt):
            play(clients, turn, 60, handed)

    assert before == table.revision
    assert play(clients, turn, 60, handed) == "waits"


def test_an_engine_that_is_away_leaves_the_turn_to_the_sweeper(clients, engine, table, handed):
    """A turn does not wait for long, and does nothing."""
    engine.before["Imagine"] = [away()] * 100

    assert play(clients, turn_of(table), 60, handed) == "unavailable"
    assert table.revision == 0


def test_turns_do_not_queue_up_behind_an_engine_that_is_away(clients, engine, table, handed):
    """The first turn is patient; those that follow try once, until the engine is back."""

    def tries():
        before = engine.count("Imagine")
        engine.before["Imagine"] = [away()] * 100
        assert play(clients, turn_of(table), 0, handed) == "unavailable"
        return engine.count("Imagine") - before

    assert tries() > 1
    assert tries() == 1
    engine.before["Imagine"].clear()
    assert play(clients, turn_of(table), 0, handed) == "handed on"
    assert tries() > 1


def test_the_next_replica_answers(address, table, handed):
    """One replica out of reach is no obstacle."""
    clients = Clients(settings_for(f"127.0.0.1:1,{address},127.0.0.1:2", gateway="127.0.0.1:1"))
    clients.open()

    assert play(clients, turn_of(table), 60, handed) == "waits"
    clients.close()


def test_of_two_turns_at_once_one_plays(clients, engine, table, handed):
    """Two workers that were given the same turn make one run of answers between them."""
    meet = threading.Barrier(2)
    engine.imagined = lambda _: engine.count("Imagine") <= 2 and meet.wait(10)
    results = []
    turn = turn_of(table)
    threads = [
        threading.Thread(target=lambda: results.append(play(clients, turn, 60, handed)))
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(results) == ["stale", "waits"]
    assert len(acts(engine)) == 1 + sum(entry.who == turn.seat for entry in table.entries)


class TooSlow:
    def choose(self, rules, world, seat, pick):
        world.stack.clear()  # a bot may do to its world what it likes
        raise SoftTimeLimitExceeded


class Broken:
    def choose(self, rules, world, seat, pick):
        raise ZeroDivisionError


@pytest.mark.parametrize("bot", [TooSlow(), Broken()])
def test_a_bot_that_cannot_choose_does_not_hold_up_the_match(
    clients, engine, table, handed, monkeypatch, bot
):
    """It answers with something legal, and the rest is handed on to a fresh task."""
    monkeypatch.setattr(bot_turn, "bot_for", lambda *_: bot)

    assert play(clients, turn_of(table), 60, handed) == "handed on"
    assert len(acts(engine)) == 1
    assert [turn_of(table)] == handed


class Killed(Search):
    """A search whose process dies while it thinks."""

    def think(self, rules, world, seat, pick):
        super().think(rules, world, seat, pick)
        raise SystemExit


def test_a_worker_that_dies_thinking_costs_only_its_time(
    clients, engine, table, handed, monkeypatch
):
    """Nothing has been sent, so the next worker answers the same question from the beginning."""
    turn = turn_of(table, level="novice")
    with monkeypatch.context() as dying:
        dying.setattr(bot_turn, "bot_for", lambda *_: Killed(Budget(20)))
        with pytest.raises(SystemExit):
            play(clients, turn, 60, handed)

    assert (0, []) == (table.revision, acts(engine))
    assert play(clients, turn, 60, handed) == "waits"
    assert len(acts(engine)) == 1 + sum(entry.who == turn.seat for entry in table.entries[1:])
    assert play(clients, turn, 60, handed) == "stale"


def test_a_search_answers_within_the_time_of_its_turn(clients, engine, table, handed, monkeypatch):
    """A host that gives its workers little time gets weaker answers, but gets them."""
    thought = []

    class Watched(Search):
        def think(self, rules, world, seat, pick):
            found = super().think(rules, world, seat, pick)
            thought.append(sum(weighed.visits for weighed in found.weighed))
            return found

    monkeypatch.setattr("workers.bots.Search", Watched)
    play(clients, turn_of(table, level="master"), 0.001, handed)

    assert len(acts(engine)) == 1
    assert 0 < thought[0] < budget_of("confrontation", "master").simulations // 4


def test_one_bot_plays_the_whole_of_a_turn(clients, table, handed, monkeypatch):
    """So that it need not think twice about what it has planned."""
    made = []

    def bot_for(*asked):
        made.append(asked)
        return Uniform()

    monkeypatch.setattr(bot_turn, "bot_for", bot_for)
    play(clients, turn_of(table), 60, handed)

    assert [("confrontation", "uniform", 60)] == made


def test_a_match_that_is_over_needs_no_turn(clients, table, handed):
    """The end of a match settles the turns that were on their way."""
    turn = turn_of(table)
    table.resign(0)

    assert play(clients, turn, 60, handed) == "over"


def test_a_seat_that_is_not_asked_needs_no_turn(clients, table, handed):
    """A turn for a seat that waits does nothing."""
    while len(table.waiting()) > 1:
        play(clients, turn_of(table), 60, handed)
    idle = 1 - table.waiting()[0]
    revision = table.revision

    assert play(clients, turn_of(table, idle), 60, handed) == "stale"
    assert revision == table.revision


def test_an_unknown_edition_is_left_alone(clients, engine, table, handed):
    """A worker does not guess at rules that it does not have."""
    engine.edition += 1

    assert play(clients, turn_of(table), 60, handed) == "unfit"
    assert table.revision == 0


def test_an_unknown_level_is_left_alone(clients, table, handed):
    """A worker does not play for a bot that it does not have."""
    assert play(clients, turn_of(table, level="grandmaster"), 60, handed) == "unfit"
    assert table.revision == 0


def test_an_unknown_game_or_match_is_no_turn(clients, table, handed):
    """A game may be known to others; a match that the engine does not know is known to nobody."""
    turn = turn_of(table)

    assert play(clients, turn._replace(match="c-2"), 60, handed) == "failed"
    assert play(clients, turn._replace(game="chess"), 60, handed) == "unfit"


def test_a_bot_is_given_what_the_engine_imagined(clients, engine, table, handed, monkeypatch):
    """The world that a bot chooses in is the one that came over the wire, and not the position."""
    sent, seen = [], []

    class Looks(Uniform):
        def choose(self, rules, world, seat, pick):
            seen.append(rules.dump(world))
            return super().choose(rules, world, seat, pick)

    engine.imagined = lambda response: sent.append(response.world)
    monkeypatch.setattr(bot_turn, "bot_for", lambda *_: Looks())
    play_all(clients, table, handed)

    assert sent == seen


def test_a_turn_whose_seat_is_taken_back_meanwhile_decides_nothing(clients, engine, table, handed):
    """Its answer comes too late, which is nobody's mistake; the question stands for the person."""
    turn = turn_of(table)
    engine.imagined = lambda _: engine.taken_back.add(turn.seat)
    assert play(clients, turn, 60, handed) == "stale"
    assert [DECIDER_BOT] == [act.by for act in acts(engine)]
    assert turn.question == table.number(table.seat(turn.seat))
    assert [] == handed


def test_a_turn_goes_no_further_than_to_where_its_seat_is_taken_back(
    clients, engine, table, handed
):
    """What it has answered counts once; of the next question nothing is decided."""
    turn = turn_of(table)
    answered = []

    def imagine(_):
        if answered:
            engine.taken_back.add(turn.seat)
        answered.append(turn.seat)

    engine.imagined = imagine
    before = table.revision
    assert play(clients, turn, 60, handed) == "stale"
    assert 2 == len(acts(engine))
    assert before < table.revision
    assert turn.question < table.number(table.seat(turn.seat))
