"""What a War of the Ring position is judged to be worth, and how its greedy bot plays."""

from __future__ import annotations

import random
from collections import Counter
from itertools import count

import pytest

from services import rules_of
from services.core.decisions import CHANCE, Action
from services.warofthering.play.aftermath import Flight
from tests.conform.walks import chosen, fate
from tests.games.warofthering.positions import given
from workers.bots.budget import Budget
from workers.bots.evals.warofthering import WEIGHTS
from workers.bots.evals.warofthering.parts import HEIR, NEAR, finer_parts_of, parts_of
from workers.bots.greedy import Greedy
from workers.bots.judge import judge_of
from workers.bots.search import Search
from workers.bots.uniform import Uniform

RULES = rules_of("warofthering")
JUDGE = judge_of(RULES)
FREE, SHADOW = 0, 1


def worth(*lines, seat=FREE):
    """What a position is worth to a seat."""
    return JUDGE.value(given(RULES, lines), seat)


@pytest.mark.parametrize("preset", ["two", "four"])
def test_what_one_side_gains_the_other_loses(preset):
    g = RULES.setup(RULES.agree(RULES.presets[preset]))
    pick = fate(f"evals {preset}").pick
    sides = g.board.settings.sides
    for _ in range(300):
        values = [JUDGE.value(g, seat) for seat in range(len(sides))]
        assert all(value == (values[0] if side == FREE else -values[0])
                   for value, side in zip(values, sides, strict=True))  # fmt: skip
        RULES.apply(g, *chosen(RULES, g, pick, pick))


def test_what_is_foreseen_weighs_the_same_parts():
    """Each side in its own way; and ends are worth the same."""
    g = RULES.setup(RULES.agree({}))
    pick = fate("evals foreseen").pick
    differ = 0
    for number in count():
        if not RULES.waiting(g):
            break
        RULES.apply(g, *chosen(RULES, g, pick, pick))
        if number % 5 or not RULES.waiting(g):
            continue
        assert JUDGE.value(g, FREE) == pytest.approx(sum(parts_of(g.board)))
        whole = (*parts_of(g.board), *finer_parts_of(g.board))
        free, shadow = (
            sum(weights[side] * part for weights, part in zip(WEIGHTS.values(), whole, strict=True))
            for side in (FREE, SHADOW)
        )
        assert JUDGE.foresee(g, FREE) == pytest.approx(free)
        assert JUDGE.foresee(g, SHADOW) == pytest.approx(-shadow)
        differ += free != pytest.approx(shadow)
    assert differ
    assert JUDGE.foresee(g, FREE) == JUDGE.value(g, FREE) == -JUDGE.foresee(g, SHADOW)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("waiting phial_of_galadriel", "turn 1"),
        ("waiting elven_rope", "waiting on_on_they_went"),
        ("mordor 2; pool 1, 3, 3", "mordor 2; pool eye, 3, 3"),
        ("dice free: will_of_the_west", "dice free: character"),
        ("dice free: character", "dice free: muster"),
        ("dice shadow: event", "dice shadow: army"),
        ("dice shadow: army", "dice shadow: muster_army"),
        ("dice shadow: event", "dice shadow: character"),
    ],
)
def test_the_free_peoples_foresee_more_from(better, worse):
    """Tiles that will be drawn in Mordor, and what dice show: the plain judge overlooks them."""
    positions = [given(RULES, (line,)) for line in (better, worse)]
    first, second = (sum(finer_parts_of(g.board)) for g in positions)

    assert first > second
    assert JUDGE.foresee(positions[0], FREE) > JUDGE.foresee(positions[1], FREE)
    assert JUDGE.foresee(positions[0], SHADOW) < JUDGE.foresee(positions[1], SHADOW)


@pytest.mark.parametrize("by_distance", [*NEAR, HEIR], ids=["free", "shadow", "heir"])
def test_what_is_nearer_counts_more(by_distance):
    """Or as much, and nothing counts against a side."""
    assert sorted(by_distance, reverse=True) == list(by_distance)
    assert by_distance[0] > by_distance[2] > 0 <= by_distance[-1]


def test_a_worth_is_told_as_a_chance():
    """By a scale of its own, since searches go by differences: neither hopeless nor certain."""
    g = given(RULES, ("fellowship hollin",))

    thought = Greedy(worlds=1).think(RULES, g, FREE, random.Random(1).randrange)

    assert len(thought.weighed) > 3
    assert all(0.2 < weighed.value < 0.95 for weighed in thought.weighed)


def test_nothing_is_worth_more_than_winning():
    g = given(RULES, ())
    assert -5_000 < JUDGE.value(g, FREE) < 5_000
    RULES.forfeit(g, FREE)

    assert JUDGE.value(g, SHADOW) > 5_000


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("fellowship hollin", "fellowship rivendell"),
        ("fellowship hollin; progress 2", "fellowship hollin"),
        ("mordor 1", "fellowship morannon"),
        ("mordor 3", "mordor 2"),
        ("corruption 2", "corruption 5"),
        ("hunt shadow 0", "hunt shadow 2"),
        ("fellowship hollin", "fellowship hollin; revealed"),
        ("lorien: 3 elves_regular", "lorien: 1 elves_regular"),
        ("active gondor", "box gondor 2"),
        ("aragorn_in", "nobody"),
        ("pelargir: strider", "bree: strider"),
        ("hand free_peoples: athelas", "hand shadow: stormcrow"),
        ("dice free: event, event", "dice free: event"),
    ],
)
def test_the_free_peoples_prefer(better, worse):
    lines = {
        "aragorn_in": "minas_tirith: 3 gondor_regular, 1 gondor_elite, 1 gondor_leader, aragorn",
        "nobody": "minas_tirith: 3 gondor_regular, 1 gondor_elite, 1 gondor_leader",
    }

    assert worth(lines.get(better, better)) > worth(lines.get(worse, worse))


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("control shadow lorien; lorien: 2 sauron_regular", "moria: 4 sauron_regular"),
        ("near_lorien", "far_from_lorien"),
        ("at_war southrons", "box southrons 3"),
        ("morannon: 5 sauron_regular, mouth_of_sauron", "morannon: 5 sauron_regular"),
        (
            "fellowship hollin; hollin: 1 nazgul",
            "fellowship hollin; bree: 1 north_regular, 0 nazgul",
        ),
    ],
)
def test_the_shadow_prefers(better, worse):
    lines = {
        "near_lorien": "clear; lorien: 2 elves_regular; dimrill_dale: 9 sauron_regular",
        "far_from_lorien": "clear; lorien: 2 elves_regular; north_rhun: 9 sauron_regular",
    }
    more, less = lines.get(better, better), lines.get(worse, worse).replace(", 0 nazgul", "")

    assert worth(more, seat=SHADOW) > worth(less, seat=SHADOW)


def test_only_a_decision_between_actions_is_settled():
    g = given(RULES, ("at_war rohan; dice free: army",))
    assert JUDGE.is_settled(g, FREE)
    march = next(a for a in RULES.ask(g, FREE).actions if RULES.spell(a).endswith("move_armies"))
    RULES.apply(g, FREE, march)

    assert not JUDGE.is_settled(g, FREE)


def test_habits_answer_with_what_is_offered():
    """All through random games, whoever is asked and whatever for."""
    g = RULES.setup(RULES.agree({}))
    pick = fate("habits").pick
    for _ in range(1500):
        waiting = RULES.waiting(g)
        if waiting and waiting[0] != CHANCE:
            actions = RULES.ask(g, waiting[0]).actions
            assert JUDGE.likely(g, waiting[0], actions, pick) in actions
        RULES.apply(g, *chosen(RULES, g, pick, pick))


def test_an_army_goes_all_together_by_habit():
    g = given(RULES, ("at_war rohan; dice free: army",))
    assert JUDGE.likely(g, FREE, [Action("all"), Action("take", (0,))], lambda n: n - 1)


# How it plays.


def contest(names, seed, limit):
    """A game between greedy and uniform bots: its board, and how often each did what."""
    pick = random.Random(seed).randrange
    bots = [Greedy(worlds=2) if name == "greedy" else Uniform() for name in names]
    g = RULES.setup(RULES.agree({"turn_limit": str(limit)}))
    counts = (Counter(), Counter())
    while waiting := RULES.waiting(g):
        seat = waiting[0]
        if seat == CHANCE:
            action = RULES.deal(g, pick)
        else:
            action = bots[seat].choose(RULES, RULES.guess(g, seat, pick), seat, pick)
            counts[seat][RULES.spell(action).split()[-1]] += 1
        RULES.apply(g, seat, action)
    return g.board, counts


@pytest.mark.timeout(300)
@pytest.mark.parametrize("seat", [FREE, SHADOW])
def test_greedy_beats_uniform_and_plays_recognisably(seat):
    """The Free Peoples walk to Mordor and destroy the Ring; the Shadow hunts and conquers."""
    names = ["uniform", "uniform"]
    names[seat] = "greedy"
    board, counts = contest(names, 5, 40)

    assert board.result == seat
    assert board.reason != "turn_limit"
    wanted = {FREE: ("move_fellowship", "recruit"), SHADOW: ("recruit", "attack")}
    assert all(counts[seat][verb] for verb in wanted[seat])


def test_an_army_that_a_card_puts_to_flight_goes_somewhere():
    """A retreat outside a battle: habit asks for no odds there."""
    g = given(RULES, ("clear", "north_ithilien: 2 southrons_regular; control shadow osgiliath"))
    area = next(a for a in range(300) if g.board.units_at(a, SHADOW))
    g.stack.append(Flight(area=area))
    g.advance()
    actions = RULES.ask(g, SHADOW).actions
    assert len(actions) > 1

    assert JUDGE.likely(g, SHADOW, actions, lambda n: 0) in actions


def weighed(*lines, actions):
    """What is offered after these actions, and what of it is worth a thought."""
    g = given(RULES, lines)
    for spelt in actions:
        RULES.apply(g, RULES.waiting(g)[0], RULES.parse(spelt))
    seat = RULES.waiting(g)[0]
    offered = RULES.ask(g, seat).actions
    return [
        [RULES.spell(a) for a in those] for those in (offered, JUDGE.sensible(g, seat, offered))
    ]


def marching(where):
    """A position in which an army is chosen, and two could go."""
    return (
        "clear; to_act shadow; dice shadow: army",
        f"{where}: 2 sauron_regular, 1 sauron_elite, 1 nazgul; moria: 1 sauron_regular",
    )


@pytest.mark.parametrize(("where", "is_worth_it"), [("gorgoroth", False), ("minas_morgul", True)])
def test_an_army_goes_whole_or_leaves_one_behind(where, is_worth_it):
    """What else could stay is not thought of; and one only where there is something to hold."""
    begun = ["act army move_armies"]
    offered, found = weighed(*marching(where), actions=begun)
    assert f"part {where}" in offered
    assert is_worth_it == (f"part {where}" in found)

    if is_worth_it:
        begun += [f"part {where}", "region north_ithilien"]
        assert ["leave sauron_regular"] == weighed(*marching(where), actions=begun)[1]
        assert ["go"] == weighed(*marching(where), actions=[*begun, "leave sauron_regular"])[1]


def test_every_army_is_thought_of_and_the_likely_ones_more_than_once():
    """A question of a hundred marches is not looked at answer by answer."""
    offered, found = weighed(*marching("gorgoroth"), actions=["act army move_armies"])

    assert {"moria", "gorgoroth"} == {text.split()[1] for text in found}
    assert {*found} < {*offered}


def test_nobody_takes_back_what_he_has_begun():
    """Not by habit, not after a thought, not by a blunder and not at random."""
    g = given(RULES, marching("gorgoroth"))
    RULES.apply(g, SHADOW, RULES.parse("act army move_armies"))
    actions = RULES.ask(g, SHADOW).actions
    assert RULES.parse("back") == actions[-1]

    assert RULES.parse("back") not in JUDGE.sensible(g, SHADOW, actions)
    for bot in (Uniform(), Search(Budget(simulations=1, blunder_rate=1.0))):
        chosen_ones = {bot.choose(RULES, g.copy(), SHADOW, lambda n, at=at: at % n)
                       for at in range(2 * len(actions))}  # fmt: skip
        assert len(chosen_ones) > 1
        assert RULES.parse("back") not in chosen_ones
    for draw in (lambda n: 0, lambda n: n - 1):
        assert RULES.parse("back") != JUDGE.likely(g, SHADOW, actions, draw)


def test_nazgul_fly_where_they_are_needed():
    """To armies of the Shadow, and to the Fellowship."""
    offered, found = weighed(
        "clear; to_act shadow; dice shadow: character; fellowship hollin",
        "minas_morgul: 2 sauron_regular; moria: 3 sauron_regular, 1 nazgul",
        actions=["act character move_minions"],
    )

    assert len(offered) > 50
    assert {"region hollin", "region minas_morgul"} == {*found}
