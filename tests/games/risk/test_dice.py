"""The dice of battles beside the exact odds, by hand and by an enumeration of another kind."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from services.core.decisions import CHANCE
from services.risk import RULES
from services.risk.play.dice import RollBattle, capped_losses, losses
from services.risk.tables import FACES, THROWS
from tests.games.risk.positions import given

FACE = range(1, 7)


def counted(attack, defence, more=(0, 0)):
    """In how many throws the attacker loses 0, 1 or 2 battalions."""
    found = Counter(
        losses(dice[:attack], dice[attack:], more)[0]
        for dice in product(FACE, repeat=attack + defence)
    )
    return tuple(found[lost] for lost in range(min(attack, defence) + 1))


@pytest.mark.parametrize(
    ("attack", "defence", "expected"),
    [
        (1, 1, (15, 21)),
        (2, 1, (125, 91)),
        (3, 1, (855, 441)),
        (1, 2, (55, 161)),
        (2, 2, (295, 420, 581)),
        (3, 2, (2890, 2611, 2275)),
    ],
)
def test_plain_battles_have_the_known_odds(attack, defence, expected):
    """The odds that every player of the game without bonuses knows."""
    assert expected == counted(attack, defence)


def at_most(best, second):
    """In how many throws of three dice the highest is `best` and the next one `second`."""
    if second > best:
        return 0
    if second == best:
        return 3 * (best - 1) + 1
    return 3 * (2 * (second - 1) + 1)


def pairs_of(dice):
    """By highest and second die, in how many throws they come."""
    if dice == 3:
        return {(a, b): at_most(a, b) for a in FACE for b in FACE if b <= a}
    return {(a, b): 1 if a == b else 2 for a in FACE for b in FACE if b <= a}


@pytest.mark.parametrize("more", list(product((0, 1, 2), repeat=2)))
@pytest.mark.parametrize("attack", [2, 3])
def test_battles_with_bonuses_have_the_odds_of_their_highest_dice(attack, more):
    """Counted over the two dice that matter, not over throws: bonuses lift the highest alone."""
    expected = Counter()
    for (a, b), ours in pairs_of(attack).items():
        for (c, d), theirs in pairs_of(2).items():
            lost = (a + more[0] <= c + more[1]) + (b <= d)
            expected[lost] += ours * theirs

    assert tuple(expected[lost] for lost in range(3)) == counted(attack, 2, more)


def test_losses_are_as_many_as_there_are_pairs():
    for attack, defence in product((1, 2, 3), (1, 2)):
        for dice in product((1, 3, 6), repeat=attack + defence):
            assert min(attack, defence) == sum(losses(dice[:attack], dice[attack:], (1, 2)))


def test_a_cap_only_takes_what_is_above_it():
    for a, b in product(FACE, repeat=2):
        for more in product((0, 1, 2), repeat=2):
            expected = int(min(6, a + more[0]) <= min(6, b + more[1]))
            assert (expected, 1 - expected) == capped_losses([a], [b], more, 6)
            assert losses([a], [b], more) == capped_losses([a], [b], more, 99)


def test_chance_throws_every_throw_equally_often():
    """Each of the 7776 throws of three dice against two comes from one pair of draws."""
    game = given(RULES, ["yellow: moria 6, harad 1; red: eregion 4; rest neutral 1"])
    question = RollBattle(attack=3, defence=2)
    thrown = Counter()
    for first, second in product(range(216), range(36)):
        draws = iter((first, second))
        action = question.deal(game, lambda n, draws=draws: next(draws))
        assert question.allows(game, CHANCE, action)
        thrown[FACES[action.nouns[0]] + FACES[action.nouns[1]]] += 1

    assert set(product(FACE, repeat=5)) == set(thrown)
    assert {1} == set(thrown.values())


def test_a_throw_is_spelt_by_its_digits():
    assert 6 + 36 + 216 + 1296 == len(set(THROWS))
    assert all(tuple(map(int, name)) == faces for name, faces in zip(THROWS, FACES, strict=True))
