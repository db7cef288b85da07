"""The search, on games whose best moves are known."""

from __future__ import annotations

import random
from collections import Counter
from types import SimpleNamespace

import pytest

from services.core.decisions import Action
from tests.workers.toys import (
    Bet,
    Crowded,
    HideAndSeek,
    Interrupted,
    Kingmaker,
    Lopsided,
    Nim,
    Pennies,
    State,
    TwoSteps,
)  # fmt: skip
from workers.bots import one_ply, search
from workers.bots.budget import Budget
from workers.bots.greedy import roll_out
from workers.bots.judge import ByScores, Judge
from workers.bots.search import Search, beaten_share
from workers.bots.tree import Node


def thought(rules, simulations=400, *, game=None, seat=0, seed=1):
    """What a search thinks of a game's first question, or of a later one."""
    bot, pick = Search(Budget(simulations)), random.Random(seed).randrange
    return bot.think(rules, game or rules.setup(), seat, pick)


def choice(rules, simulations=400, **more):
    return thought(rules, simulations, **more).action.nouns[0]


def value_of(rules, chosen, simulations=2000, **more):
    """What a search expects of one of the choices."""
    weighed = {w.action.nouns[0]: w.value for w in thought(rules, simulations, **more).weighed}
    return weighed[chosen]


@pytest.mark.parametrize("heap", [5, 6, 7, 9, 10, 11])
def test_nim_is_played_as_it_is_won(heap):
    """Whoever leaves a multiple of four wins."""
    assert heap % 4 == 1 + choice(Nim(heap), 1500)


def test_the_second_seat_thinks_for_itself():
    """Values are kept for whoever decides, not for seat 0."""
    game = State([(0, 0)])  # of eight, seven are left

    assert 3 == 1 + choice(Nim(8), 1500, game=game, seat=1)


@pytest.mark.parametrize(("faces", "best"), [(2, 1), (4, 0), (5, 0), (1, 1)])
def test_chance_counts_as_often_as_it_falls(faces, best):
    """Of a die and an even chance the better one is taken."""
    assert best == choice(Bet(faces), 1000)


@pytest.mark.parametrize("faces", [1, 3, 5])
def test_the_value_of_a_throw_is_its_chance(faces):
    """Chance is dealt anew each time that a move is tried, never remembered."""
    assert faces / 6 == pytest.approx(value_of(Bet(faces), 0, 4000), abs=0.08)


def test_sealed_picks_are_not_seen_by_the_other_seat():
    """If the other seat saw our penny, we should expect to lose."""
    for chosen in (0, 1):
        assert 0.5 == pytest.approx(value_of(Pennies(), chosen), abs=0.1)


def test_sealed_picks_find_the_mixture_that_cannot_be_beaten():
    """Two times heads is a draw, two times tails a win: then heads two times of three."""
    rules = Lopsided()

    heads, tails = sorted(thought(rules, 1500).weighed)

    assert 2 / 3 == pytest.approx(heads.visits / (heads.visits + tails.visits), abs=0.1)
    assert 1 / 3 == pytest.approx(heads.value, abs=0.08)


def test_where_others_choose_at_the_same_time_no_choice_is_certain():
    """A bot that always shows the same penny would be found out."""
    shown = Counter(choice(Pennies(), 100, seed=seed) for seed in range(60))

    assert min(shown[0], shown[1]) > 12


def test_a_pick_that_the_other_has_made_is_not_seen():
    """The same expectation, whatever the other one holds in its hand."""
    values = [value_of(Pennies(), 0, game=State([(1, shown)])) for shown in (0, 1)]

    assert values[0] == values[1] == pytest.approx(0.5, abs=0.15)


def test_nobody_in_the_search_acts_on_what_its_seat_cannot_know():
    """A seeker who knew the place would always find it, and hiding would be worth nothing."""
    for chosen in (0, 1):
        assert 0.2 < value_of(HideAndSeek(), chosen, 4000) < 0.7


def test_three_seats_each_want_their_own():
    """Seat 0 does not hope for a kindness that costs the third seat its place."""
    assert 0 == choice(Kingmaker(), 600)
    assert 0 == choice(Kingmaker(), 600, game=State([(0, 1)]), seat=2)


def test_two_answers_in_a_row_are_one_plan():
    """The first is right only with the second."""
    assert 2 == choice(TwoSteps())


def test_a_long_list_is_opened_little_by_little():
    """With few visits few actions are tried; with many the one that wins is found."""
    assert 30 > len(thought(Crowded(), 100).weighed)
    assert 99 == choice(Crowded(), 3000)


def test_priors_say_what_is_tried_first(monkeypatch):
    """A game's own idea of what is likely goes before the order of the list."""
    judge = ByScores(Crowded())
    judge.priors = lambda game, seat, actions: [0.001] * 99 + [0.901]
    monkeypatch.setattr(search, "judge_of", lambda rules: judge)

    assert 99 == choice(Crowded(), 20)


class Unscaled(Judge):
    """Says 40 more for each move that was right, from anywhere: nothing like a chance to win."""

    def value(self, game, seat):
        right = sum(choice == 1 for who, choice in game.moves if who == 0)
        return (900 if seat == 0 else -900) + (40 * right if seat == 0 else -40 * right)

    def is_settled(self, game, seat):
        return True


def test_a_judge_without_a_scale_is_gauged_on_the_spot(monkeypatch):
    """However far from even all positions are, better ones are told from worse ones."""
    monkeypatch.setattr(search, "judge_of", lambda rules: Unscaled())

    found = thought(Nim(40), 60)

    assert Action("choose", (1,)) == found.action
    assert 0.55 < found.weighed[0].value < 0.95


def test_habits_finish_what_is_half_done():
    """Where a game says how people go on, nobody goes on at random."""
    rules, game = TwoSteps(), State()
    judge = ByScores(rules)
    judge.is_settled = lambda game, seat: False
    judge.likely = lambda game, seat, actions, pick: actions[2]

    roll_out(rules, judge, game, 0, random.Random(1).randrange)

    assert [(0, 2), (0, 2)] == game.moves


def test_the_only_action_needs_no_thought():
    """No draw is spent where there is nothing to choose."""
    rules = Nim(1)

    found = Search(Budget(100)).think(rules, rules.setup(), 0, lambda _: 1 / 0)

    assert Action("choose", (0,)) == found.action
    assert not found.weighed


def test_the_same_picks_make_the_same_choice():
    """Nothing but the picks is random."""
    thoughts = {repr(thought(Nim(17), 300, seed=5)) for _ in range(3)}

    assert 1 == len(thoughts)


# Budgets.


def visits(rules, budget, monkeypatch, clock=lambda: 0.0):
    """How often a search has visited all that it could do."""
    monkeypatch.setattr(search, "time", SimpleNamespace(monotonic=clock))
    found = Search(budget).think(rules, rules.setup(), 0, random.Random(2).randrange)
    return sum(weighed.visits for weighed in found.weighed)


def test_a_search_ends_with_its_nodes(monkeypatch):
    """Sooner, if nothing can change any more; later never."""
    assert 50 == visits(Bet(3), Budget(50, temperature=1), monkeypatch)
    assert 500 > visits(Bet(6), Budget(500), monkeypatch)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_a_search_goes_no_deeper_than_it_is_told(depth):
    """What follows is judged at once; in Nim every choice is a question of its own."""
    bot, pick = Search(Budget(300, depth=depth)), random.Random(1).randrange
    rules = Nim(20)
    found = bot.think(rules, rules.setup(), 0, pick)

    assert {1: 1, 2: 1 + 3, 3: 1 + 3 + 9}[depth] == len(bot._memory.nodes)
    assert 300 == sum(weighed.visits for weighed in found.weighed)


def test_a_search_ends_with_its_time(monkeypatch):
    """Whatever is left of its nodes; and it has looked at something even then."""
    clock = iter(range(1000))

    assert 5 == visits(Bet(3), Budget(500, seconds=4), monkeypatch, lambda: next(clock))
    assert 1 == visits(Bet(3), Budget(500, seconds=-1), monkeypatch)


def test_a_temperature_takes_what_was_visited_less():
    """A warm bot does not always play the best that it knows."""
    rules = Bet(6)
    chosen = Counter(
        Search(Budget(30, temperature=1)).choose(
            rules, rules.setup(), 0, random.Random(seed).randrange
        )
        for seed in range(60)
    )

    assert 2 == len(chosen)
    assert chosen[Action("choose", (0,))] > 30


# What is remembered.


def second_thought(rules, between=()):
    """What a search with a memory thinks of its second question, and how many nodes it knew."""
    bot, pick = Search(Budget(200)), random.Random(3).randrange
    game = rules.setup()
    action = bot.choose(rules, game, 0, pick)
    rules.apply(game, 0, action)
    game.moves += between
    root = {}

    class Spy(search.TreeSearch):
        def run(self):
            root["visits"] = self.root.visits
            super().run()

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(search, "TreeSearch", Spy)
        found = bot.think(rules, game, 0, pick)
    return found.action.nouns[0], root["visits"]


def test_a_blunder_is_any_answer_without_a_thought():
    """As often as the budget says; in between the search thinks as ever."""
    bot, pick = Search(Budget(300, blunder_rate=0.25)), random.Random(1).randrange
    rules = Nim(5)
    thoughts = [bot.think(rules, rules.setup(), 0, pick) for _ in range(400)]
    blunders = Counter(t.action.nouns[0] for t in thoughts if not t.weighed)

    assert 70 < blunders.total() < 130
    assert {0, 1, 2} == set(blunders)
    assert {0} == {t.action.nouns[0] for t in thoughts if t.weighed}


def test_a_turn_is_thought_through_once():
    """The next question of the same turn begins with what the last one has found out."""
    chosen, known = second_thought(TwoSteps())

    assert 1 == chosen
    assert 0 < known <= 100


def test_what_happened_meanwhile_makes_a_search_begin_anew():
    """What was found out before a die fell says nothing of the position after it."""
    chosen, known = second_thought(Interrupted(), [(-1, 4)])

    assert (1, 0) != (chosen, known) or known == 0
    assert 0 == known


def test_another_position_makes_a_search_begin_anew():
    """A bot that is asked about something else does not mistake it for what it knew."""
    rules, bot, pick = TwoSteps(), Search(Budget(200)), random.Random(3).randrange
    bot.choose(rules, rules.setup(), 0, pick)

    thoughts = [
        one.think(rules, State([(0, 0)]), 0, random.Random(4).randrange)
        for one in (bot, Search(Budget(200)))
    ]

    assert thoughts[0] == thoughts[1]


def test_what_is_limited_keeps_its_proportions():
    """Fewer visits, the same values, the same favourite."""
    node, pick = Node(), random.Random(1).randrange
    actions = [Action("choose", (n,)) for n in range(3)]
    for _ in range(300):
        action, edge = node.choose(actions, lambda offered: [1 / 3] * 3, pick)
        node.visits += 1
        edge.visits += 1
        edge.total += (0.2, 0.5, 0.8)[action.nouns[0]]
    before = {action: (edge.visits, edge.value) for action, edge in node.edges.items()}

    node.limit_visits(100)

    assert 100 == node.visits
    for action, edge in node.edges.items():
        assert before[action][1] == pytest.approx(edge.value)
        assert edge.visits == before[action][0] // 3
        assert edge.offered >= edge.visits


# What an end is worth.


@pytest.mark.parametrize(
    ("scores", "shares"),
    [
        ((1, -1), (1, 0)),
        ((1, 1), (0.5, 0.5)),
        ((3, 1, 2), (1, 0, 0.5)),
        ((1, 0, 1, 0), (5 / 6, 1 / 6, 5 / 6, 1 / 6)),
    ],
)
def test_an_end_is_worth_the_seats_that_are_beaten(scores, shares):
    """Ties count half; so teams share what they have won."""
    assert shares == pytest.approx([beaten_share(scores, seat) for seat in range(len(scores))])


# Worlds that are used again, evaluations, and what is worth a thought.


def test_worlds_may_be_used_again():
    """With a budget of worlds no more than these are imagined; the best is found all the same."""
    rules, imagined = Bet(2), []
    guess = rules.guess
    rules.guess = lambda g, seat, pick: imagined.append(seat) or guess(g, seat, pick)

    found = Search(Budget(200, worlds=5)).think(rules, rules.setup(), 0, random.Random(1).randrange)

    assert Action("choose", (1,)) == found.action
    assert len(imagined) <= 5 + 2  # one of the memory, none of the calibration: it has a scale


def test_a_world_that_is_used_again_is_not_changed():
    """Simulations go down in copies."""
    rules, game = Pennies(), State([(1, 1)])
    pick = random.Random(2).randrange
    tree_search = search.TreeSearch(
        rules, game, 0, pick, rules.ask(game, 0).actions, Budget(60, worlds=2)
    )

    tree_search.run()

    assert [1, 1] == [len(world.moves) for world in tree_search.worlds]


def test_evaluations_find_in_a_long_list_what_few_simulations_would_not(monkeypatch):
    """Each action is judged once before any is searched; so it begins with the best."""
    rules, judge = Crowded(), ByScores(Crowded())
    judge.value = lambda game, seat: float(game.moves[-1][1] == 99) if seat == 0 else 0.0
    judge.is_settled = lambda game, seat: True
    for module in (search, one_ply):
        monkeypatch.setattr(module, "judge_of", lambda rules: judge)
    pick = random.Random(3).randrange

    found = Search(Budget(20, prior_temperature=0.1)).think(rules, rules.setup(), 0, pick)

    assert Action("choose", (99,)) == found.action


class Slow(Crowded):
    """Counts what is done, as a clock that stands still otherwise."""

    done = 0

    def apply(self, g, seat, action):
        self.done += 1
        return super().apply(g, seat, action)


@pytest.mark.parametrize(("seconds", "worlds"), [(10_000, 4), (250, 3), (50, 1), (-1, 1)])
def test_evaluations_end_with_their_time(seconds, worlds, monkeypatch):
    """After the world that it is looking into; one is looked into even then."""
    rules = Slow()
    monkeypatch.setattr(search, "time", SimpleNamespace(monotonic=lambda: rules.done))
    pick = random.Random(4).randrange
    game = rules.setup()
    actions = rules.ask(game, 0).actions
    search.TreeSearch(
        rules, game, 0, pick, actions, Budget(20, seconds=seconds, prior_temperature=0.1)
    )

    assert worlds * len(actions) == rules.done


def test_evaluations_say_what_is_even_and_what_is_much(monkeypatch):
    """As well as moves do that are tried for it, and nothing more is tried."""
    judge = Unscaled()
    for module in (search, one_ply):
        monkeypatch.setattr(module, "judge_of", lambda rules: judge)
    rules, game, pick = Nim(40), State(), random.Random(5).randrange
    tried = []
    monkeypatch.setattr(rules, "guess", lambda g, *_: tried.append(1) or g.copy())
    tree_search = search.TreeSearch(
        rules, game, 0, pick, rules.ask(game, 0).actions, Budget(9, prior_temperature=0.5)
    )

    worths = [judge.value(State([(0, n)]), 0) for n in range(3)]
    assert one_ply.WORLDS == len(tried)
    assert tree_search.calibration.chance(State([(0, 1)]), 0) > 0.6
    assert tree_search.calibration.chance(State([(0, 0)]), 0) < 0.5
    assert sum(worths) / 3 == pytest.approx(tree_search.calibration.even[0])


@pytest.mark.parametrize(("simulations", "chosen"), [(1, 0), (300, 1)])
def test_an_evaluation_with_prior_visits_counts_as_simulations(simulations, chosen, monkeypatch):
    """So a few simulations do not drown what it has found, and many overrule it if it was wrong."""
    rules, game, judge, each = Nim(40), State(), Unscaled(), 3
    for module in (search, one_ply):
        monkeypatch.setattr(module, "judge_of", lambda rules: judge)
    wrong = {Action("choose", (n,)): [worth] for n, worth in enumerate((990.0, 970.0, 900.0))}
    monkeypatch.setattr(search, "evaluated", lambda *_: wrong)
    budget = Budget(simulations, prior_temperature=0.5, prior_visits=each, depth=1)

    found = Search(budget).think(rules, game, 0, random.Random(6).randrange)

    assert Action("choose", (chosen,)) == found.action
    believed = each * len(wrong)
    assert believed < sum(weighed.visits for weighed in found.weighed) <= believed + simulations
    assert each <= min(weighed.visits for weighed in found.weighed)


def test_priors_from_evaluations_leave_something_for_all():
    worlds = ((2.0, 4.0), (1.0, 1.0), (-300.0, -100.0))
    found = {Action("choose", (n,)): worths for n, worths in enumerate(worlds)}

    first, second, last = one_ply.priors_from(found, 1.0).values()

    assert first + second + last == pytest.approx(1)
    assert first > 5 * second > 5 * last > 0, "two spreads behind, and far behind"
    assert last == pytest.approx(one_ply.UNIFORM_SHARE / 3)


def test_only_what_is_worth_a_thought_is_searched(monkeypatch):
    """A game may leave out what is never better."""
    judge = ByScores(Nim(7))
    judge.sensible = lambda game, seat, actions: actions[:2]
    monkeypatch.setattr(search, "judge_of", lambda rules: judge)

    found = thought(Nim(7), 200)

    assert {(0,), (1,)} == {weighed.action.nouns for weighed in found.weighed}
