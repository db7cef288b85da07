"""A course leads to the same place however it is followed, and notices when it does not."""

from __future__ import annotations

import random

import pytest

from services import GAMES
from services.core.reading import parse_record
from services.core.record import Fairness, Record
from services.core.replaying import replay
from services.host.clocks import Clock
from services.host.course import Course, Diverged
from services.host.saved import Handover, Line, Player, Setup
from tests.games import rules_of

SECRET = bytes(range(32))


def begun(game, clock=None, **options):
    """A course at its first question, and the lines that led there."""
    rules = rules_of(game)
    agreed = rules.agree(options)
    players = tuple(Player(seat, "", "", seat.encode()) for seat in rules.seats(agreed))
    commitment = Fairness.of(SECRET, ()).commitment
    course = Course(rules, Setup(rules.edition, agreed, players, clock, commitment, 0), SECRET)
    return course, list(course.begin().lines)


def played(course, lines, seed, most=500):
    """Play at random on copies, not for ever; every course on the way, and all lines."""
    chance = random.Random(seed)
    courses = [course]
    while not course.is_over and len(courses) < most:
        course = course.copy()
        seat = chance.choice(list(course.asked))
        action = chance.choice(course.table.rules.ask(course.table.game, seat).actions)
        now = course.at + chance.randrange(1000)
        lines += course.act(seat, action, course.asked[seat], now, f"r{len(lines)}").lines
        courses.append(course)
    return courses


def state(course):
    """All that matters of a course."""
    seats = range(len(course.table.seats))
    clocks = course.clocks and [
        (course.clocks.left(seat, course.at), course.clocks.expires(seat)) for seat in seats
    ]
    numbers = [course.table.number(seat) for seat in seats]
    dump = course.table.rules.dump(course.table.game)
    return dump, numbers, course.asked, course.revision, course.at, clocks, course.fate.drawn


def followed(course, lines):
    """Follow all lines; the state after each step."""
    states, at = [], 0
    while at < len(lines):
        step = course.follow(lines, at)
        at += len(step.lines)
        states.append(state(course))
    return states


@pytest.mark.parametrize("game", ["skirmish", *GAMES])
@pytest.mark.parametrize("seed", range(3))
def test_what_was_played_is_followed_to_the_same_places(game, seed):
    """Positions, question numbers, clocks and draws agree after every step."""
    clock = Clock(60_000, 500)
    first, lines = begun(game, clock)
    courses = played(first, lines, seed)
    states = followed(fresh(game, clock), lines)

    assert len(states) >= len(courses) - 1
    assert [state(course) for course in courses[-len(states) :]] == states


def fresh(game, clock):
    """A course before chance has done anything."""
    course, _ = begun(game, clock)
    return Course(course.table.rules, course.setup, SECRET)


@pytest.mark.parametrize("seed", range(3))
def test_its_lines_are_a_record_that_verifies(seed):
    """Whoever has the rules can play it again without the host."""
    first, lines = begun("skirmish")
    last = played(first, lines, seed)[-1]
    setup = last.setup
    record = Record(
        game="skirmish",
        edition=1,
        options=setup.options,
        seats=tuple(player.seat for player in setup.players),
        fairness=Fairness.of(SECRET, tuple(player.nonce for player in setup.players)),
        entries=tuple(line.entry() for line in lines),
        scores=last.table.rules.scores(last.table.game),
        sitting=tuple(player.sitting() for player in setup.players),
    )

    assert record.head() == last.head

    assert replay(parse_record(record.text()), last.table.rules).is_over


@pytest.mark.parametrize("field", ["who", "what", "digest"])
def test_a_line_that_was_changed_is_noticed_where_it_stands(field):
    """Whoever decided, whatever it was, wherever it led."""
    first, lines = begun("skirmish")
    played(first, lines, 1, 12)
    for n, line in enumerate(lines):
        wrong = {"who": "rohan", "what": "fall" if line.what != "fall" else "ready"}
        changed = lines[:]
        changed[n] = line._replace(**{field: wrong.get(field, "00000000")})
        with pytest.raises(Diverged) as caught:
            followed(fresh("skirmish", None), changed)

        assert n + 1 == caught.value.revision


def test_a_draw_that_was_not_dealt_is_noticed():
    """Though it was possible, and its digest would be right."""
    _, lines = begun("skirmish")
    other = "draw charge" if lines[0].what == "draw horn" else "draw horn"
    with pytest.raises(Diverged, match="entry 1: chance dealt"):
        followed(fresh("skirmish", None), [lines[0]._replace(what=other), *lines[1:]])


def test_a_log_that_stops_before_chance_has_answered_is_noticed():
    """A decision and what follows from it are stored as one."""
    _, lines = begun("skirmish")
    with pytest.raises(Diverged, match="entry 4: chance has not answered"):
        followed(fresh("skirmish", None), lines[:3])


def test_a_copy_shares_nothing_that_changes():
    """Whatever is tried on a copy, the original is where it was."""
    course, lines = begun("skirmish", Clock(1000, 0))
    before = state(course)
    twin = course.copy()
    played(twin, lines, 5)
    twin.hand_over(Handover(twin.revision, "gondor", "greedy", 5))

    assert before == state(course)
    assert (("", ""), ()) == (course.levels, course.handovers)


def test_giving_up_ends_a_game_of_two_and_is_followed():
    """The line says who did it, and whose request it was."""
    course, lines = begun("skirmish")
    lines += course.give_up("resign", 1, 70, "r-1").lines

    assert course.is_over
    assert Line("host", "resign mordor", lines[-1].digest, 70, "r-1") == lines[-1]
    assert state(course) == followed(twin := fresh("skirmish", None), lines)[-1]
    assert frozenset({1}) == twin.gone


def test_a_game_of_three_goes_on_without_the_one_who_gave_up():
    """The others are asked, under new numbers."""
    course, lines = begun("skirmish", seats="3")
    lines += course.give_up("expire", 0, 70).lines
    courses = played(course, lines, 1)

    assert {1, 2} >= set(course.asked)
    assert courses[-1].is_over


def test_time_never_goes_back():
    """Though the clocks of two machines disagree."""
    course, _ = begun("skirmish")
    course.at = 500

    assert (500, 700) == (course.now(400), course.now(700))


def test_a_handover_is_made_where_it_was_made_before():
    """After the entry that it followed, and once."""
    clock = Clock(0, 100)
    course, lines = begun("skirmish", clock)
    handover = Handover(course.revision, "gondor", "greedy", 150)
    course.hand_over(handover)
    twin = fresh("skirmish", clock)
    twin.take_over([handover])
    assert ("", "") == twin.levels

    followed(twin, lines)
    twin.take_over([handover])
    twin.take_over([handover])
    assert (("greedy", ""), (handover,)) == (twin.levels, twin.handovers)
    assert state(course) == state(twin)
