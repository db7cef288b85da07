"""A state leads to the same place however it is followed, and notices when it does not."""

from __future__ import annotations

import random

import pytest

from services import GAMES
from services.core.reading import parse_record
from services.core.record import Fairness, Record
from services.core.replaying import replay
from services.host.clocks import Clock
from services.host.match_state import MatchState
from services.host.serialization import Handover, LogEntry, Player, Setup
from services.host.steps import Diverged
from tests.games import rules_of

SECRET = bytes(range(32))


def begun(game, clock=None, **options):
    """A state at its first question, and the entries that led there."""
    rules = rules_of(game)
    agreed = rules.agree(options)
    players = tuple(Player(seat, "", "", seat.encode()) for seat in rules.seats(agreed))
    commitment = Fairness.of(SECRET, ()).commitment
    state = MatchState(rules, Setup(rules.edition, agreed, players, clock, commitment, 0), SECRET)
    return state, list(state.begin().entries)


def played(state, entries, seed, most=500):
    """Play at random on copies, not for ever; every state on the way, and all entries."""
    chance = random.Random(seed)
    states = [state]
    while not state.is_over and len(states) < most:
        state = state.copy()
        seat = chance.choice(list(state.asked))
        action = chance.choice(state.table.rules.ask(state.table.game, seat).actions)
        now = state.at + chance.randrange(1000)
        entries += state.act(seat, action, state.asked[seat], now, f"r{len(entries)}").entries
        states.append(state)
    return states


def facts_of(state):
    """All that matters of a state."""
    seats = range(len(state.table.seats))
    clocks = state.clocks and [
        (state.clocks.left(seat, state.at), state.clocks.expires(seat)) for seat in seats
    ]
    numbers = [state.table.number(seat) for seat in seats]
    dump = state.table.rules.dump(state.table.game)
    return dump, numbers, state.asked, state.revision, state.at, clocks, state.fate.drawn


def followed(state, entries):
    """Follow all entries; the state after each step."""
    facts, at = [], 0
    while at < len(entries):
        step = state.follow(entries, at)
        at += len(step.entries)
        facts.append(facts_of(state))
    return facts


@pytest.mark.parametrize("game", ["skirmish", *GAMES])
@pytest.mark.parametrize("seed", range(3))
def test_what_was_played_is_followed_to_the_same_places(game, seed):
    """Positions, question numbers, clocks and draws agree after every step."""
    clock = Clock(60_000, 500)
    first, entries = begun(game, clock)
    states = played(first, entries, seed)
    facts = followed(fresh(game, clock), entries)

    assert len(facts) >= len(states) - 1
    assert [facts_of(state) for state in states[-len(facts) :]] == facts


def fresh(game, clock):
    """A state before chance has done anything."""
    state, _ = begun(game, clock)
    return MatchState(state.table.rules, state.setup, SECRET)


@pytest.mark.parametrize("seed", range(3))
def test_its_entries_are_a_record_that_verifies(seed):
    """Whoever has the rules can play it again without the host."""
    first, entries = begun("skirmish")
    last = played(first, entries, seed)[-1]
    setup = last.setup
    record = Record(
        game="skirmish",
        edition=1,
        options=setup.options,
        seats=tuple(player.seat for player in setup.players),
        fairness=Fairness.of(SECRET, tuple(player.nonce for player in setup.players)),
        entries=tuple(entry.entry() for entry in entries),
        scores=last.table.rules.scores(last.table.game),
        sitting=tuple(player.sitting() for player in setup.players),
    )

    assert record.head() == last.head

    assert replay(parse_record(record.text()), last.table.rules).is_over


@pytest.mark.parametrize("field", ["who", "what", "digest"])
def test_an_entry_that_was_changed_is_noticed_where_it_stands(field):
    """Whoever decided, whatever it was, wherever it led."""
    first, entries = begun("skirmish")
    played(first, entries, 1, 12)
    for n, entry in enumerate(entries):
        wrong = {"who": "rohan", "what": "fall" if entry.what != "fall" else "ready"}
        changed = entries[:]
        changed[n] = entry._replace(**{field: wrong.get(field, "00000000")})
        with pytest.raises(Diverged) as caught:
            followed(fresh("skirmish", None), changed)

        assert n + 1 == caught.value.revision


def test_a_draw_that_was_not_dealt_is_noticed():
    """Though it was possible, and its digest would be right."""
    _, entries = begun("skirmish")
    other = "draw charge" if entries[0].what == "draw horn" else "draw horn"
    with pytest.raises(Diverged, match="entry 1: chance dealt"):
        followed(fresh("skirmish", None), [entries[0]._replace(what=other), *entries[1:]])


def test_a_log_that_stops_before_chance_has_answered_is_noticed():
    """A decision and what follows from it are stored as one."""
    _, entries = begun("skirmish")
    with pytest.raises(Diverged, match="entry 4: chance has not answered"):
        followed(fresh("skirmish", None), entries[:3])


def test_a_copy_shares_nothing_that_changes():
    """Whatever is tried on a copy, the original is where it was."""
    state, entries = begun("skirmish", Clock(1000, 0))
    before = facts_of(state)
    twin = state.copy()
    played(twin, entries, 5)
    twin.hand_over(Handover(twin.revision, "gondor", "greedy", 5))

    assert before == facts_of(state)
    assert (("", ""), ()) == (state.levels, state.handovers)


def test_giving_up_ends_a_game_of_two_and_is_followed():
    """The entry says who did it, and whose request it was."""
    state, entries = begun("skirmish")
    entries += state.give_up("resign", 1, 70, "r-1").entries

    assert state.is_over
    assert LogEntry("host", "resign mordor", entries[-1].digest, 70, "r-1") == entries[-1]
    assert facts_of(state) == followed(twin := fresh("skirmish", None), entries)[-1]
    assert frozenset({1}) == twin.forfeited


def test_a_game_of_three_goes_on_without_the_one_who_gave_up():
    """The others are asked, under new numbers."""
    state, entries = begun("skirmish", seats="3")
    entries += state.give_up("expire", 0, 70).entries
    states = played(state, entries, 1)

    assert {1, 2} >= set(state.asked)
    assert states[-1].is_over


def test_time_never_goes_back():
    """Though the clocks of two machines disagree."""
    state, _ = begun("skirmish")
    state.at = 500

    assert (500, 700) == (state.now(400), state.now(700))


def test_a_handover_is_made_where_it_was_made_before():
    """After the entry that it followed, and once."""
    clock = Clock(0, 100)
    state, entries = begun("skirmish", clock)
    handover = Handover(state.revision, "gondor", "greedy", 150)
    state.hand_over(handover)
    twin = fresh("skirmish", clock)
    twin.take_over([handover])
    assert ("", "") == twin.levels

    followed(twin, entries)
    twin.take_over([handover])
    twin.take_over([handover])
    assert (("greedy", ""), (handover,)) == (twin.levels, twin.handovers)
    assert facts_of(state) == facts_of(twin)
