"""What a position of Duel is judged to be worth, and how well greedy plays by it."""

from __future__ import annotations

import random

import pytest

from services import rules_of
from services.core.decisions import CHANCE
from tests.games.duel.positions import given
from tests.play import Play
from workers.bots.greedy import Greedy
from workers.bots.judge import judge_of
from workers.bots.uniform import Uniform

RULES = rules_of("duel")
JUDGE = judge_of(RULES)
FELLOWSHIP, SAURON = 0, 1


def worth(*lines):
    """What a position is worth to Sauron, who is on turn."""
    return JUDGE.value(
        given(RULES, ["chapter 2; display archers, spearmen, eowyn", *lines]), SAURON
    )


def contest(bots, seed):
    """The scores of a game between two bots."""
    pick = random.Random(seed).randrange
    game = RULES.setup(RULES.agree({}))
    while waiting := RULES.waiting(game):
        (seat,) = waiting
        if seat == CHANCE:
            action = RULES.deal(game, pick)
        else:
            action = bots[seat].choose(RULES, RULES.guess(game, seat, pick), seat, pick)
        RULES.apply(game, seat, action)
    return RULES.scores(game)


def test_what_one_side_gains_the_other_loses():
    """All through random games the two values cancel out."""
    chance = random.Random("evals")
    for _ in range(3):
        game = RULES.setup(RULES.agree({}))
        while waiting := RULES.waiting(game):
            assert JUDGE.value(game, FELLOWSHIP) == pytest.approx(-JUDGE.value(game, SAURON))
            (seat,) = waiting
            chosen = chance.choice if seat != CHANCE else None
            action = (
                chosen(RULES.ask(game, seat).actions)
                if chosen
                else RULES.deal(game, chance.randrange)
            )
            RULES.apply(game, seat, action)


def test_nothing_is_worth_more_than_winning_and_a_shared_victory_is_worth_nothing():
    """A game that is over is worth more, or less, than any that is not."""
    play = Play(RULES, game=given(RULES, ["display orcs, gimli; quest sauron 13; coins sauron 20"]))
    going_on = JUDGE.value(play.game, SAURON)
    play("host: resign fellowship")
    shared = Play(RULES, game=given(RULES, ["chapter 3; display banners"]))
    shared("sauron: discard banners")

    assert 0 < going_on < 5_000 < JUDGE.value(play.game, SAURON)
    assert -5_000 > JUDGE.value(play.game, FELLOWSHIP)
    assert 0 == JUDGE.value(shared.game, SAURON)


@pytest.mark.parametrize("side", ["sauron", "fellowship"])
def test_the_last_steps_of_the_quest_are_the_dearest(side):
    """The nearer the goal, the more a step is worth; the enemy's are as bad as one's own good."""
    at = [worth(f"quest {side} {steps}") for steps in (0, 1, 12, 13)]
    first, last = at[1] - at[0], at[3] - at[2]

    assert abs(last) > 2 * abs(first)
    assert (first > 0) is (last > 0) is (side == "sauron")


def test_races_are_worth_the_more_the_fewer_are_missing():
    """The fifth race threatens to win; a second symbol of a race adds nothing to the support."""
    two = worth("sauron: legolas, gimli")
    three = worth("sauron: legolas, gimli, aragorn")
    four = worth("sauron: legolas, gimli, aragorn, frodo_and_sam")
    with_eagle = worth(
        "sauron: legolas, gimli, aragorn, frodo_and_sam; token sauron: hobbits_eagle"
    )

    assert two < three < four < with_eagle
    assert four - three > three - two
    assert with_eagle - four > four - three


def test_being_nearly_everywhere_is_a_threat():
    """The sixth region is worth more than the third; a fortress is worth more than a unit."""
    regions = ["lindon", "arnor", "rhovanion", "enedwaith", "rohan", "gondor"]

    def present(count):
        army = ", ".join(f"{region} 1" for region in regions[:count])
        return worth(f"army fellowship: mordor 1; army sauron: {army}")

    assert present(6) - present(5) > 1.5 * (present(3) - present(2))
    assert worth("fortress sauron: gondor") > worth("army sauron: mordor 2, gondor 1")


def test_skills_and_coins_are_worth_less_when_there_is_less_to_buy():
    """At the end of the last chapter they are worth next to nothing."""

    def gain(chapter, display, line):
        base = f"chapter {chapter}; display {display}"
        with_it, without = (given(RULES, [base, extra]) for extra in (line, "coins sauron 2"))
        return JUDGE.value(with_it, SAURON) - JUDGE.value(without, SAURON)

    early, late = ("2", "archers, spearmen, eowyn"), ("3", "banners")
    assert gain(*early, "sauron: nazgul_first") > 4 * gain(*late, "sauron: nazgul_first") > 0
    assert gain(*early, "coins sauron 8") > 2 * gain(*late, "coins sauron 8") > 0


def test_only_a_turn_that_begins_is_settled():
    """Neither a question in the middle of a turn nor a draw can be judged; the end can."""
    play = Play(RULES, game=given(RULES, ["display orcs, gimli, balrog"]))
    assert JUDGE.is_settled(play.game, SAURON)
    play("sauron: play orcs")
    assert not JUDGE.is_settled(play.game, SAURON)
    play("sauron: place gondor")
    assert JUDGE.is_settled(play.game, SAURON)
    play("host: resign sauron")
    assert JUDGE.is_settled(play.game, SAURON)
    assert not JUDGE.is_settled(RULES.setup(RULES.agree({})), SAURON)


@pytest.mark.parametrize("quest", ["sauron 13", "fellowship 13"])
def test_greedy_takes_a_win_that_lies_there(quest):
    """One step from the goal it plays the card that makes it."""
    side, _ = quest.split()
    game = given(
        RULES, [f"turn {side}; display orcs, gollum_in_the_cave_free, nazgul_first; quest {quest}"]
    )
    action = Greedy(worlds=2).choose(RULES, game, game.board.turn, random.Random(1).randrange)

    assert "play gollum_in_the_cave_free" == RULES.spell(action)


@pytest.mark.parametrize("seat", [FELLOWSHIP, SAURON])
def test_greedy_beats_uniform_in_either_seat(seat):
    """Ten games with fixed seeds; between equals each would win about half."""
    bots = [Uniform(), Uniform()]
    bots[seat] = Greedy(worlds=2)

    assert sum(contest(bots, seed)[seat] == 1 for seed in range(10)) >= 9


def test_greedy_plays_every_option_to_its_end():
    """The questions of the options get legal answers, too."""
    chosen = {
        "two_extra_turns": "add_up",
        "three_races": "may_wait",
    }
    pick = random.Random(3).randrange
    game = RULES.setup(RULES.agree({**chosen, "coins": "unlimited"}))
    bot = Greedy(worlds=1)
    while waiting := RULES.waiting(game):
        (seat,) = waiting
        if seat == CHANCE:
            action = RULES.deal(game, pick)
        else:
            action = bot.choose(RULES, RULES.guess(game, seat, pick), seat, pick)
            assert RULES.allows(game, seat, action)
        RULES.apply(game, seat, action)

    assert (0, 0) != RULES.scores(game)
