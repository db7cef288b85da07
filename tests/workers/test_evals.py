"""What a Confrontation position is judged to be worth."""

from __future__ import annotations

import random

from services import rules_of
from services.core.decisions import CHANCE
from tests.play import Play
from workers.bots.judge import judge_of

RULES = rules_of("confrontation")
JUDGE = judge_of(RULES)

SETUP = """
    good: place aragorn arthedain
    good: place gimli cardolan
    good: place frodo rhudaur
    good: place gandalf eregion
    good: leave enedwaith
    dark: place orcs dagorlad
    dark: place shelob gondor
    dark: leave mirkwood
    dark: place saruman fangorn
    dark: place witch_king rohan
"""


def worth(script, setup=SETUP):
    """What the position after this script is worth to Good."""
    play = Play(RULES)
    play(setup + script)
    return JUDGE.value(play.game, 0)


def test_what_one_side_gains_the_other_loses():
    """All through random games the two values cancel out."""
    chance = random.Random("evals")
    game = RULES.setup(RULES.agree({"match": "two_games_swap_sides"}))
    while waiting := RULES.waiting(game):
        assert JUDGE.value(game, 0) == -JUDGE.value(game, 1)
        seat = waiting[0]
        if seat == CHANCE:
            action = RULES.deal(game, chance.randrange)
        else:
            action = chance.choice(RULES.ask(game, seat).actions)
        RULES.apply(game, seat, action)


def test_nothing_is_worth_more_than_winning():
    """A game that is over is worth more, or less, than any that is not."""
    play = Play(RULES)
    play(SETUP)
    going_on = JUDGE.value(play.game, 0)
    play("host: resign dark")
    won = JUDGE.value(play.game, 0)
    lost = worth("host: resign good")

    assert -5_000 < going_on < 5_000
    assert won > 5_000
    assert lost < -5_000


def test_a_game_that_was_won_before_counts():
    """In a match of two games, for whoever sits there, whatever side that is now."""
    game = RULES.setup(RULES.agree({"match": "two_games_swap_sides"}))
    before = [JUDGE.value(game, seat) for seat in (0, 1)]
    game.board.points = (1, 0)
    after = [JUDGE.value(game, seat) for seat in (0, 1)]

    assert after[0] > before[0]
    assert after[1] < before[1]


def test_the_ring_is_worth_more_on_its_way():
    """A step of the Ring-bearer, to a friend's side, is worth more than another's."""
    setup = SETUP.replace("gimli cardolan", "frodo cardolan").replace(
        "frodo rhudaur", "gimli rhudaur"
    )

    ring = worth("dark: move orcs mirkwood\ngood: move frodo eregion\n", setup)
    other = worth("dark: move orcs mirkwood\ngood: move aragorn eregion\n", setup)

    assert ring > other


def test_the_ring_in_reach_of_an_attack_is_worth_less():
    """Next to a Dark piece that may attack him the Ring-bearer is in danger."""
    safe = worth("dark: move orcs mirkwood\ngood: move aragorn eregion\n")
    threatened = worth("dark: move saruman misty_mountains\ngood: move aragorn eregion\n")

    assert safe > threatened


def test_the_side_that_wins_a_battle_has_more():
    """Of two ends of the same battle, each side prefers the one in which its own piece lives."""
    battle = "dark: move witch_king moria\ngood: move gandalf moria\n"

    good_lives = worth(battle + "dark: card dark_1\ngood: card good_5\n")
    dark_lives = worth(battle + "dark: card dark_6\ngood: card good_1\n")

    assert good_lives > dark_lives + 100


def test_only_a_turn_that_begins_is_settled():
    """Neither a half made placement nor a battle can be judged; the end can."""
    play = Play(RULES)
    play("good: place frodo arthedain")
    assert not JUDGE.is_settled(play.game, 0)

    play = Play(RULES)
    play(SETUP)
    assert JUDGE.is_settled(play.game, 0)

    play("host: resign good")
    assert JUDGE.is_settled(play.game, 0)
