"""The bots: legal, blind to what their seat cannot know, and one stronger than the other."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from functools import partial
from itertools import islice, pairwise

import pytest

from services import GAMES, rules_of
from services.core.decisions import CHANCE
from services.core.errors import Invalid
from tests.games.skirmish.rules import RULES as SKIRMISH
from workers.bots import BOTS, PLAIN, bot_of, made_of
from workers.bots.budget import Budget
from workers.bots.greedy import Greedy
from workers.bots.judge import ByScores, Judge, judge_of, own_judge
from workers.bots.levels import USUAL, budget_of
from workers.bots.search import Search
from workers.bots.uniform import Uniform

RULES = [SKIRMISH, *map(rules_of, GAMES)]
EVERY_GAME = pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
BRIEF = Budget(simulations=12)
INFORMED = Budget(
    simulations=4,
    prior_temperature=0.2,
    prior_visits=2,
    worlds=3,
    depth=1,
    temperature=0.5,
    blunder_rate=0.1,
)
MOST = 80
"""The questions of a game that are looked at, where each costs a search or more."""
EVERY_BOT = pytest.mark.parametrize(
    "new",
    [Uniform, partial(Greedy, worlds=2), partial(Search, BRIEF), partial(Search, INFORMED)],
    ids=["uniform", "greedy", "search", "informed"],
)


def positions(rules, seed, options=None):
    """Every position of a game in which all play at random."""
    chance = random.Random(seed)
    game = rules.setup(rules.agree(options or {}))
    while rules.waiting(game):
        yield game
        seat = chance.choice(rules.waiting(game))
        if seat == CHANCE:
            action = rules.deal(game, chance.randrange)
        else:
            action = chance.choice(rules.ask(game, seat).actions)
        rules.apply(game, seat, action)


LONG, APART = 900, 30
"""The positions of a game that may last for ever, and how far apart they are."""


def asked(rules, seed):
    """Every question of such a game: the position and the seat that it is put to."""
    endless = rules.bound(rules.agree({})) is None
    for number, game in enumerate(positions(rules, seed)):
        if endless and number > LONG:
            return
        for seat in rules.waiting(game) if not endless or number % APART == 0 else ():
            if seat != CHANCE:
                yield game, seat


def some_asked(rules, seed):
    """Some of them, from the beginning to the end: games may have thousands."""
    number = sum(1 for _ in asked(rules, seed))
    yield from islice(asked(rules, seed), 0, None, 1 + number // MOST)


def contest(rules, bots, seed):
    """The scores of one game between bots that see imagined worlds only."""
    pick = random.Random(seed).randrange
    game = rules.setup(rules.agree({}))
    while waiting := rules.waiting(game):
        seat = waiting[0]
        if seat == CHANCE:
            action = rules.deal(game, pick)
        else:
            action = bots[seat].choose(rules, rules.guess(game, seat, pick), seat, pick)
        rules.apply(game, seat, action)
    return rules.scores(game)


@EVERY_GAME
@EVERY_BOT
def test_a_choice_is_always_legal(rules, new):
    """Whatever is asked, the answer is one of those that are offered."""
    for game, seat in some_asked(rules, "legal"):
        pick = random.Random(0).randrange
        world = rules.guess(game, seat, pick)

        action = new().choose(rules, world, seat, pick)

        assert action in rules.ask(game, seat).actions
        assert rules.allows(game, seat, action)


@EVERY_GAME
@EVERY_BOT
def test_a_choice_does_not_depend_on_what_the_seat_cannot_know(rules, new):
    """In the truth and in a world with other secrets the same picks lead to the same answer."""
    differ = 0
    for number, (game, seat) in enumerate(some_asked(rules, "blind")):
        other = rules.guess(game, seat, random.Random(number).randrange)
        differ += rules.dump(other) != rules.dump(game)

        choices = [
            new().choose(rules, world.copy(), seat, random.Random(7).randrange)
            for world in (game, other)
        ]

        assert choices[0] == choices[1], f"question {number} to seat {seat}"
    assert differ


@EVERY_GAME
@EVERY_BOT
def test_choosing_leaves_no_trace_in_the_true_game(rules, new):
    """A bot may do with its world what it likes: the game is another object."""
    for game, seat in some_asked(rules, "trace"):
        before = rules.dump(game)
        pick = random.Random(1).randrange
        new().choose(rules, rules.guess(game, seat, pick), seat, pick)

        assert before == rules.dump(game)


@pytest.mark.parametrize("preset", ["classic_2002", "deluxe_variant", "deluxe_draft"])
def test_greedy_plays_every_preset_to_its_end(preset):
    """Special cards and variant texts ask questions of their own; each gets a legal answer."""
    rules = rules_of("confrontation")
    special = {"deluxe_variant": "set_deluxe", "deluxe_draft": "off"}.get(preset, "set_2002")
    pick = random.Random(3).randrange
    game = rules.setup(rules.agree({"preset": preset, "special_cards": special}))
    bot = Greedy(worlds=1)
    while waiting := rules.waiting(game):
        seat = waiting[0]
        if seat == CHANCE:
            action = rules.deal(game, pick)
        else:
            action = bot.choose(rules, rules.guess(game, seat, pick), seat, pick)
            assert rules.allows(game, seat, action)
        rules.apply(game, seat, action)

    assert (0, 0) != rules.scores(game)


@pytest.mark.parametrize("seat", [0, 1])
def test_greedy_beats_uniform_in_either_seat(seat):
    """Ten games of the Confrontation with fixed seeds; played at random Good wins one in ten."""
    rules = rules_of("confrontation")
    bots = [Uniform(), Uniform()]
    bots[seat] = Greedy(worlds=4)

    wins = Counter(contest(rules, bots, seed)[seat] for seed in range(10))

    assert wins[1] >= 8


def test_the_only_action_is_chosen_without_a_thought():
    """No draw is spent where there is nothing to choose."""
    rules = rules_of("confrontation")
    game, seat = next((g, s) for g, s in asked(rules, "only") if len(rules.ask(g, s).actions) == 1)

    def never(_):
        raise AssertionError

    assert rules.ask(game, seat).actions[0] == Greedy().choose(rules, game, seat, never)


@EVERY_GAME
def test_what_is_remembered_does_not_depend_on_what_the_seat_cannot_know(rules):
    """Two bots with memories, one told the truth and one other secrets, play the same game."""
    bots = defaultdict(lambda: Search(BRIEF))
    pick, differ, left = random.Random("memory").randrange, 0, MOST
    game = with_secrets(rules, pick)
    while left and (waiting := rules.waiting(game)):
        seat = waiting[0]
        if seat == CHANCE:
            rules.apply(game, CHANCE, rules.deal(game, pick))
            continue
        left -= len(rules.ask(game, seat).actions) > 1
        worlds = (game.copy(), rules.guess(game, seat, pick))
        differ += rules.dump(worlds[0]) != rules.dump(worlds[1])

        actions = [
            bots[seat, n].choose(rules, world, seat, random.Random(9).randrange)
            for n, world in enumerate(worlds)
        ]

        assert actions[0] == actions[1]
        rules.apply(game, seat, actions[0])
    assert differ


def with_secrets(rules, pick):
    """A game played at random until the seat that is asked does not know everything."""
    game = rules.setup(rules.agree({}))
    while True:
        seat = rules.waiting(game)[0]
        if seat == CHANCE:
            rules.apply(game, CHANCE, rules.deal(game, pick))
        elif rules.dump(rules.guess(game, seat, pick)) != rules.dump(game):
            return game
        else:
            actions = rules.ask(game, seat).actions
            rules.apply(game, seat, actions[pick(len(actions))])


def test_bots_are_known_by_name():
    """The names are those that a host may ask for; another name is refused."""
    assert {*PLAIN, *USUAL} == {*BOTS}
    assert len({*BOTS}) == len(BOTS)
    for name in BOTS:
        assert bot_of(name, "duel") is not bot_of(name, "duel")  # each may have a memory
    with pytest.raises(Invalid, match="no such bot; there are uniform, novice"):
        bot_of("gandalf", "duel")


@pytest.mark.parametrize("game", GAMES)
def test_each_level_may_think_more_than_the_one_below(game):
    """In simulations, or by evaluating every answer, and in seconds; the weak are warmer."""
    budgets = [budget_of(game, level) for level in USUAL]

    for below, above in pairwise(budgets):
        assert below.simulations < above.simulations or bool(below.prior_temperature) < bool(
            above.prior_temperature
        )
        assert below.seconds <= above.seconds
        assert below.temperature >= above.temperature
        assert below.temperature > above.temperature or below.blunder_rate >= above.blunder_rate
    assert 1 == len({bot_of(level, game, 0.5).budget.seconds for level in USUAL})


@pytest.mark.parametrize("game", GAMES)
def test_what_a_bot_is_made_of_tells_levels_apart(game):
    """Results of one bot are never taken for those of another."""
    made = {made_of(bot, game) for bot in BOTS}

    assert len(BOTS) == len(made)


@EVERY_GAME
def test_greedy_says_what_it_thinks(rules):
    """Its choice first; every answer that is worth a thought, each tried in as many worlds."""
    game, seat = next((g, s) for g, s in asked(rules, "said") if len(rules.ask(g, s).actions) > 2)

    thought = Greedy(worlds=2).think(rules, game, seat, random.Random(1).randrange)

    assert thought.action == thought.weighed[0].action
    offered = rules.ask(game, seat).actions
    assert {w.action for w in thought.weighed} == {*judge_of(rules).candidates(game, seat, offered)}
    assert {2} == {w.visits for w in thought.weighed}
    assert thought.weighed[0].value == max(w.value for w in thought.weighed)


@pytest.mark.parametrize("game", [game for game in GAMES if own_judge(game)])
def test_a_judge_says_only_what_bots_ask(game):
    """A misspelt member would never be asked for, and its default would stand in for it."""
    said = {name for name in vars(type(own_judge(game))) if not name.startswith("_")}

    assert set() == said - {*vars(Judge)}
    assert set() == {*own_judge(game).budgets} - {*USUAL}


def test_a_game_that_bots_are_told_nothing_of_has_every_level():
    """With the usual budgets; each plays it to its end."""
    assert own_judge(SKIRMISH.name) is None
    for level in BOTS:
        bots = [bot_of(level, SKIRMISH.name) for _ in SKIRMISH.seats(SKIRMISH.agree({}))]

        assert len(contest(SKIRMISH, bots, level)) == len(bots)
    assert [USUAL[level] for level in USUAL] == [budget_of(SKIRMISH.name, one) for one in USUAL]


def test_a_game_without_evals_is_judged_by_its_scores():
    """The lead over the best of the others; settled when the seat is asked again."""
    judge = judge_of(SKIRMISH)
    assert isinstance(judge, ByScores)
    for game, seat in asked(SKIRMISH, "scores"):
        scores = list(SKIRMISH.scores(game))
        own = scores.pop(seat)

        assert own - max(scores) == judge.value(game, seat)
        assert judge.is_settled(game, seat)
        assert judge.is_settled(game, 1 - seat) is (1 - seat in SKIRMISH.waiting(game))
