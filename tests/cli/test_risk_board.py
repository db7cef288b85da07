"""The drawing of Risk: every territory, its holder and its battalions; 79 columns."""

from __future__ import annotations

import random
import re
from io import StringIO

import pytest
from rich.console import Console

from bree.cli.boards import drawing_of, risk
from bree.cli.boards.risk_facts import CARDS, WHEN
from services import rules_of
from services.core.decisions import CHANCE
from tests.games.risk.positions import given

RULES = rules_of("risk")
CARDLESS = RULES.setup(RULES.agree({}))


def drawn(seen):
    """The drawing as plain text."""
    console = Console(width=80, file=StringIO(), highlight=False)
    console.print(risk.draw(seen))
    return console.file.getvalue()


def positions(chosen, seed=1):
    """Positions on the way through a match played at random."""
    chance = random.Random(f"{chosen} {seed}")
    game = RULES.setup(RULES.agree(chosen))
    while waiting := RULES.waiting(game):
        yield game
        actions = RULES.ask(game, waiting[0]).actions if waiting[0] != CHANCE else ()
        action = chance.choice(actions) if actions else RULES.deal(game, chance.randrange)
        RULES.apply(game, waiting[0], action)
    yield game


def assert_whole(seen):
    text = drawn(seen)
    assert all(len(line) == 79 for line in text.splitlines())
    names = {land["territory"]: land["name"] for land in seen["map"]["territories"]}
    for land in seen["territories"]:
        letter = (land["holder"] or "·")[0].upper()
        star = "★" if land["leader"] else " "
        line = f"{letter}{land['battalions']:>3}{star}{names[land['territory']]}"
        assert line in text, line
    for player in seen["players"]:
        assert f"{player['points']['total']} points" in text
    for card in seen["players"][0]["adventure_cards"]["known"]:
        assert CARDS[card].title in re.sub(r"\s+", " ", text)


@pytest.mark.parametrize("players", ["2", "3", "4"])
def test_every_position_of_random_games_is_drawn_whole(players):
    """For every number of seats, as every viewer sees it, from the first deal to the end."""
    for number, game in enumerate(positions({"players": players})):
        if number % 100 and RULES.waiting(game):
            continue
        for viewer in (*range(int(players)), None):
            assert_whole(RULES.view(game, viewer))
        united = risk.unite([RULES.view(game, seat) for seat in range(int(players))])
        assert_whole(united)
        for player in united["players"]:
            assert player["adventure_cards"]["count"] == len(player["adventure_cards"]["known"])


def test_others_cards_are_a_number():
    game = list(positions({"players": "3", "setup_mode": "random"}))[-1]
    for seat, name in enumerate(("yellow", "red", "black")):
        text = drawn(RULES.view(game, seat))
        assert "Your Adventure cards" in text or not game.board.hands[seat]
        assert f"{name.capitalize()}'s Adventure" not in text


def test_the_end_says_who_won_and_why():
    seen = RULES.view(list(positions({"setup_mode": "random", "team_mode": "on"}))[-1], 0)

    assert "win: the Ring is destroyed." in drawn(seen) or "win: nobody else is" in drawn(seen)
    assert 2 == len(seen["result"]["winners"])


def test_about_tells_borders_places_and_cards():
    seen = RULES.view(next(positions({"players": "2"})), 0)
    told = dict(risk.about(seen, "moria"))

    assert "Eregion (Rohan)" in told
    assert "Beside Eregion, Gladden Fields" in told["Moria (Rhovanion)"]
    assert "Mines of Moria" in told["Moria (Rhovanion)"]
    assert "4 for evil" in told["Gates of Moria"]
    assert [] == list(risk.about(seen, ""))
    assert "Rhudaur (bridge)" in dict(risk.about(seen, "gates"))["Eregion (Rohan)"]


def test_risk_has_its_own_drawing_and_every_card_its_text():
    assert drawing_of("risk") is risk
    assert 60 == len(CARDS)
    assert all(card.text for card in CARDS.values())


def test_a_card_says_what_of_it_is_reconstructed():
    """As the choice to play it does."""
    told = {name: dict(risk.about(RULES.view(CARDLESS, 0), name)) for name in ("Bree", "Edoras")}
    missions = [card for name, card in CARDS.items() if name.startswith("mission")]

    assert 17 == sum(card.reconstructed for card in CARDS.values())
    assert 22 == len(missions)
    assert "Points (reconstructed): 2 for good, 1 for evil." in told["Bree"]["Bree"]
    assert "Points: 2 for good, 2 for evil." in told["Edoras"]["Edoras"]


def test_what_is_planned_is_drawn_for_its_own_player():
    """And what he still has to place, and how he defends."""
    lines = ["at reinforce; yellow: harad 1; rest red 1"]
    game = given(RULES, lines)
    RULES.apply(game, 0, RULES.parse("place harad 2"))
    game.board.stands = 0b11

    assert "To be placed as you said: Harad +2" in drawn(RULES.view(game, 0))
    assert "Still to be placed: 1" in drawn(RULES.view(game, 0))
    assert "You defend with two dice without being asked." in drawn(RULES.view(game, 0))
    assert "To be placed as you said" not in drawn(RULES.view(game, 1))


def test_when_he_is_asked_for_cards_is_drawn_for_its_own_player():
    lines = ["players 2; yellow: moria 4; rest red 1; yellow holds power_ambush power_gollum"]
    game = given(RULES, lines)
    assert "asked for cards on your own turn only, unless" in drawn(RULES.view(game, 0))
    for answer in ("ask attacked", "keep_missions"):
        RULES.apply(game, 0, RULES.parse(answer))
    text = drawn(RULES.view(game, 0))

    assert "You are asked for cards when you are attacked." in text
    assert "You keep your missions." in text
    other = drawn(RULES.view(game, 1))
    assert "on your own turn only" in other
    assert "keep your missions" not in other
    assert "Ambush" not in other


def test_a_card_says_that_its_holder_must_want_to_be_asked():
    told = dict(risk.about(RULES.view(CARDLESS, 0), "gollum"))

    assert "say on your turn that you want to be asked" in told["Gollum"]
    assert set(WHEN) <= {card.title for card in CARDS.values()}
