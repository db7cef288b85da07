"""The setup in numbers: deal, claims, battalions, Leaders and hands (RULES 3, 17)."""

from __future__ import annotations

import random

import pytest

from services.core.decisions import CHANCE
from services.risk import RULES
from services.risk.play.setup import muster_weights
from services.risk.tables import EVENTS, NEUTRAL, SHIELD, bits
from tests.play import Play

MODES = ("classic", "batched", "random", "random_claims", "random_battalions")


def set_up(chosen, seed=1):
    """A game at its first turn, and every decision made on the way."""
    chance = random.Random(f"{chosen} {seed}")
    game, made = RULES.setup(RULES.agree(chosen)), []
    while not game.board.number:
        (who,) = RULES.waiting(game)
        actions = RULES.ask(game, who).actions if who != CHANCE else ()
        action = chance.choice(actions) if actions else RULES.deal(game, chance.randrange)
        made.append((who, action, game.copy()))
        RULES.apply(game, who, action)
    return game.board, made


@pytest.mark.parametrize(("players", "battalions"), [("2", 162), ("3", 156), ("4", 180)])
@pytest.mark.parametrize("mode", MODES)
def test_every_setup_ends_with_all_battalions_leaders_and_cards(players, battalions, mode):
    """RULES 17; the first turn may have added a stronghold's battalions, which are taken off."""
    b, made = set_up({"players": players, "setup_mode": mode})
    _, _, before = made[-1]
    b = before.board

    assert battalions == sum(b.army)
    assert battalions == sum(map(b.battalions_of, (*b.seats, NEUTRAL)))
    for seat in b.seats:
        assert 2 == b.leader_lands(seat).bit_count()
        assert 1 == b.territory_cards[seat].bit_count()
        assert 4 == b.hands[seat].bit_count()
        assert not b.hands[seat] & EVENTS
        assert 0 == b.reserve[seat]


@pytest.mark.parametrize(
    ("players", "shares"),
    [
        ("2", {0: {"good": 16}, 1: {"evil": 16}, NEUTRAL: {"neutral": 21}}),
        ("3", {0: {"good": 16}, 1: {"evil": 8, "neutral": 8}, 2: {"evil": 8, "neutral": 8}}),
        ("4", {0: {"good": 8}, 1: {"evil": 8}, 2: {"good": 8}, 3: {"evil": 8}}),
    ],
)
def test_cards_are_dealt_by_shield(players, shares):
    """RULES S3, S4: one battalion each, two for the neutral army."""
    _, made = set_up({"players": players})
    b = next(game.board for _, action, game in made if action.verb == "roll")
    dealt = {
        army: {
            shield: (b.held[army] & lands).bit_count()
            for shield, lands in SHIELD.items()
            if b.held[army] & lands
        }
        for army in (*b.seats, NEUTRAL)
        if b.held[army]
    }

    assert shares == dealt
    assert {2 if b.owner[land] == NEUTRAL else 1 for land in bits(b.held[0])} == {1}
    assert all(b.army[land] == 2 for land in bits(b.held[NEUTRAL]))


@pytest.mark.parametrize(
    ("players", "claims", "left"), [("2", 11, {38, 39}), ("3", 16, {30, 31}), ("4", 32, {29})]
)
def test_claims_and_what_is_left_for_reinforcing(players, claims, left):
    """RULES 3."""
    _, made = set_up({"players": players})
    claimed = [game for _, action, game in made if action.verb == "claim"]
    first = next(game.board for _, action, game in made if action.verb == "place")

    assert claims == len(claimed)
    assert left == set(first.reserve)


def test_a_batch_is_placed_in_one_go_and_the_rest_if_fewer():
    """RULES 3.1: with 30 or 31 left of 52, by sixes: five whole batches, then what is left."""
    _, made = set_up({"players": "3", "setup_mode": "batched", "setup_batch": "6"})
    sizes = [
        sum(game.question().plan().values()) for _, action, game in made if action.verb == "confirm"
    ]

    assert [6] * 15 == sizes[:15]
    assert {30, 31} >= {sum(sizes[seat::3]) for seat in range(3)}


def test_random_setups_ask_nobody():
    """RULES 3.1."""
    for players in "234":
        _, made = set_up({"players": players, "setup_mode": "random"})
        assert {CHANCE} == {who for who, _, _ in made}
    _, made = set_up({"setup_mode": "random_claims"})
    assert {"place", "confirm", "back", "station"} == {
        action.verb for who, action, _ in made if who != CHANCE
    }
    _, made = set_up({"setup_mode": "random_battalions"})
    assert {"station"} == {action.verb for who, action, _ in made if who != CHANCE}


def test_borders_weigh_thrice_and_crowded_territories_nothing():
    """RULES 3.1."""
    _, made = set_up({"players": "2", "setup_mode": "random"})
    seen = set()
    for _, action, game in made:
        if action.verb != "muster":
            continue
        b = game.board
        weights = dict(muster_weights(b, b.owner[action.nouns[0]]))
        fewest = min(b.army[land] for land in bits(b.held[b.owner[action.nouns[0]]]))
        assert action.nouns[0] in weights
        assert fewest >= 6 or all(b.army[land] < 6 for land in weights)
        seen |= set(weights.values())

    assert {1, 3} == seen


def test_the_first_random_leader_stands_in_a_stronghold():
    """RULES 3.1."""
    for seed in range(5):
        _, made = set_up({"players": "4", "setup_mode": "random"}, seed)
        for _, action, game in made:
            if action.verb != "station":
                continue
            b, (land,) = game.board, action.nouns
            seat = b.owner[land]
            if not b.leader_lands(seat) and b.held[seat] & b.settings.strongholds:
                assert b.settings.strongholds >> land & 1
            elif b.leader_lands(seat):
                free = bits(b.held[seat] & ~b.led)
                assert b.army[land] == max(b.army[other] for other in free)


def test_ties_for_the_highest_die_are_thrown_again():
    """RULES S5."""
    play = Play(RULES, {"players": "4"})
    while play.ask("chance").prompt == "setup.deal":
        play(f"chance: {play.offered('chance')[0]}")
    play("chance: roll 6616")

    assert play.allows("chance", "roll 616")
    play("chance: roll 335\n")
    assert ("green",) != play.waiting
    assert ("black",) == play.waiting


def test_the_ring_begins_in_the_shire():
    b, made = set_up({"players": "3"})

    assert {0} == {game.board.ring for _, _, game in made}
    assert b.number == 1
