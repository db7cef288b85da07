"""What all have seen of hands is noted, and every imagined world agrees with it."""

from __future__ import annotations

import random

import pytest

from services.risk import RULES
from services.risk.tables import ADVENTURE, IN_WINDOW, TERRITORY_CARDS
from services.risk.worlds import fill
from tests.games.risk.positions import given
from tests.play import Play

BASE = ["players 3; yellow: moria 6, harad 1; red: eregion 4, nurn 1, dunland 1; rest black 1"]


def worlds(game, seat, number=60):
    """Imagined worlds of a seat."""
    pick = random.Random("worlds").randrange
    return [RULES.guess(game, seat, pick).board for _ in range(number)]


def play_from(*lines):
    lines = [*BASE, *lines]
    return Play(RULES, {"players": "3"}, given(RULES, lines))


@pytest.mark.parametrize("orders", ["", "; red asks attacked"])
@pytest.mark.parametrize("hand", ["mission_bree mission_erech", "mission_bree power_courage_alone"])
def test_a_window_tells_nothing_of_hands(hand, orders):
    """Neither who is asked there nor who is not (RULINGS 11)."""
    play = play_from(f"red holds {hand}{orders}", "black holds power_gollum")
    play("yellow: invade moria eregion")
    cards = IN_WINDOW["invasion_declared_defender"]

    assert (("red",) if orders else ("yellow",)) == play.waiting
    for seat in (0, 2):
        found = [bool(b.hands[1] & cards) for b in worlds(play.game, seat, 200)]
        assert {True, False} == set(found)


def test_cards_that_lie_open_are_in_no_imagined_hand():
    game = given(RULES, [*BASE, "red holds mission_bree; black played power_gollum"])

    gone = 1 << ADVENTURE["power_gollum"]
    assert not any(b.hands[1] & gone or b.deck & gone for b in worlds(game, 0))


def test_a_secret_is_none_of_the_territories_its_holder_has_held():
    game = given(RULES, [*BASE, "red secret umbar"])

    for b in worlds(game, 0):
        ((seat, card, _, _),) = b.secrets
        assert (seat, "eregion") != (1, TERRITORY_CARDS[card])
        assert TERRITORY_CARDS[card] not in ("nurn", "dunland", "wild_1", "wild_2")
    assert len({b.secrets[0][1] for b in worlds(game, 0)}) > 20


def test_who_was_eliminated_knows_the_cards_that_were_taken_until_they_are_shown():
    play = play_from("red deeds lorien wild_1", "black holds power_gollum")
    play.game.board.give(TERRITORY_CARDS.index("nurn"), 2, 1)
    play.game.board.give(TERRITORY_CARDS.index("dunland"), 2, 1)
    play.game.board.give(TERRITORY_CARDS.index("eregion"), 1, 1)
    play("yellow: invade moria eregion\nyellow: fight 3")
    play("chance: battle 654 1\nyellow: move 0")
    taken = sum(1 << TERRITORY_CARDS.index(name) for name in ("lorien", "wild_1"))

    assert all(b.territory_cards[0] == taken for b in worlds(play.game, 1))
    assert any(b.territory_cards[0] != taken for b in worlds(play.game, 2))
    shown = [p["territory_cards"] for p in play.view("red")["players"]]
    assert {"count": 2, "known": ["lorien", "wild_1"]} == shown[0]
    assert [] == play.view("black")["players"][0]["territory_cards"]["known"]


def test_cards_of_an_older_shuffling_stay_apart():
    """All saw which cards became the new deck: older hands hold none of these."""
    game = given(RULES, [*BASE, "red deeds lorien harad", "only_deeds moria"])
    b = game.board
    b.draw_territory_card(2, TERRITORY_CARDS.index("moria"))
    b.shuffle_territory_cards(b.territory_discard)
    new = b.territory_deck

    assert not any(world.territory_cards[1] & new for world in worlds(game, 0))
    assert all(world.territory_deck == new for world in worlds(game, 0))


@pytest.mark.parametrize("seed", range(20))
def test_places_are_filled_with_what_they_admit(seed):
    """Also where chance alone would hardly ever find it: then all fillings are tried."""
    pick = random.Random(seed).randrange
    admits = [0b111 << place for place in range(9)] + [1, 1 << 10]
    laid = fill(admits, (1 << 11) - 1, pick)

    assert len(admits) == len(set(laid))
    assert all(admitted >> card & 1 for admitted, card in zip(admits, laid, strict=True))
