"""Whole games at random: what RULES 17 says must hold after each decision, counted anew."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from services.core.decisions import CHANCE, Event
from services.core.frames import Game
from services.duel import RULES
from services.duel.board import FACE_DOWN, REGION_COUNT, SKILL_COUNT, Board
from services.duel.play.cost import missing
from services.duel.play.resolving import RESOLVE
from services.duel.tables import (
    ALL_REGIONS,
    CARDS,
    CHOICE_OF,
    CHOICES,
    NEEDS,
    NONE,
    RED,
    REGION,
    SIDES,
    TILE_NEEDS,
    TOKEN,
    TOKENS,
    Effect,
)
from tests.games.duel.positions import given

EVERY_OPTION = dict(RULES.presets["generous"])
AUTOMATIC = dict(RULES.presets["brisk"])
G = Game[Board]


def played(seed: int, chosen: dict[str, str]) -> Iterator[tuple[G, list[Event]]]:
    """A game at random, position by position, each with what led to it."""
    chance, events = random.Random(seed), []
    game = RULES.setup(RULES.agree(chosen))
    while waiting := RULES.waiting(game):
        yield game, events
        (seat,) = waiting
        if seat == CHANCE:
            action = RULES.deal(game, chance.randrange)
        else:
            action = chance.choice(RULES.ask(game, seat).actions)
        events = RULES.apply(game, seat, action)
    yield game, events


@pytest.mark.parametrize(
    "chosen", [{}, EVERY_OPTION, AUTOMATIC], ids=["standard", "every_option", "automatic"]
)
@pytest.mark.parametrize("seed", range(8))
def test_nothing_is_lost_or_doubled(seed: int, chosen: dict[str, str]) -> None:
    for game, _ in played(seed, chosen):
        RULES.audit(game)
        view: Any = RULES.view(game, None)
        b, players = game.board, view["players"]
        if not chosen:
            assert 30 == view["reserve"] + sum(players[side]["coins"] for side in SIDES)
        for side in SIDES:
            units = sum(region["units"][side] for region in view["regions"])
            forts = sum(region["fortress"] == side for region in view["regions"])
            assert 15 == players[side]["units"] + units
            assert 7 == players[side]["fortresses"] + forts
        assert_cards_are_conserved(view, b)
        assert_stacks_are_conserved(view)


def assert_cards_are_conserved(view: Any, b: Board) -> None:
    in_display = sum(not slot["taken"] for slot in view["display"])
    in_areas = sum(len(view["players"][side]["cards"]) for side in SIDES)
    later = 23 * (3 - b.chapter)
    # Until the three cards are set aside the bag holds them beside those that are face down.
    unlaid = max(0, len(b.bag) - b.display.count(FACE_DOWN))
    assert 69 == in_display + in_areas + view["discard"]["count"] + later + unlaid


def assert_stacks_are_conserved(view: Any) -> None:
    kept = sum(len(view["players"][side]["tokens"]) for side in SIDES)
    stacked = sum(stack["unseen"] + (stack["top"] is not None) for stack in view["stacks"])
    assert 18 == kept + stacked + len(view["revealed"])
    owned = sum(len(view["players"][side]["landmarks"]) for side in SIDES)
    assert 7 == owned + len(view["landmarks"]) + view["landmark_stack"]


@pytest.mark.parametrize("seed", range(8))
def test_only_the_side_on_turn_is_asked_and_only_it_wins_before_the_end(seed: int) -> None:
    last = None
    for game, _ in played(seed, EVERY_OPTION):
        waiting = RULES.waiting(game)
        assert waiting in ((CHANCE,), (game.board.turn,), ())
        if waiting:
            last = game.board.turn
        elif game.board.reason not in ("most_regions", "equal_regions"):
            assert last == game.board.result


def test_what_is_paid_is_what_was_shown() -> None:
    """Events, prices of the view and coins agree."""
    for seed in range(6):
        before: Any = None
        for game, events in played(seed, {}):
            for event in events:
                if event.kind == "card_played" and event.facts["mode"] != "from_discard":
                    assert_paid(before, event)
            before = RULES.view(game, None)


def assert_paid(before: Any, event: Event) -> None:
    card, side = event.facts["card"], event.facts["side"]
    (slot,) = (s for s in before["display"] if s["card"] and s["card"]["card"] == card)
    price = slot["card"]["prices"][side]
    assert slot["available"]
    assert price["affordable"]
    assert event.facts["price"] == price["coins"]
    assert price["chained"] is (event.facts["mode"] == "chained")


@pytest.mark.parametrize("seed", range(3))
def test_prices_are_made_of_the_parts_that_are_shown(seed: int) -> None:
    """Printed coins and missing symbols; missing symbols and surcharge; nothing with a chain."""
    for game, _ in played(seed, {}):
        view: Any = RULES.view(game, None)
        for side in SIDES:
            has = view["players"][side]
            for card in (slot["card"] for slot in view["display"] if slot["card"]):
                price = card["prices"][side]
                assert price["chained"] is (card["chain_from"] in has["chains"])
                missing_symbols = 0 if price["chained"] else price["missing"]
                whole = 0 if price["chained"] else card["coins"] + missing_symbols
                assert (missing_symbols, whole) == (price["missing"], price["coins"])
                assert price["affordable"] is (price["coins"] <= has["coins"])
            for tile in view["landmarks"]:
                price = tile["prices"][side]
                assert price["coins"] == price["missing"] + has["surcharge"]
                assert price["affordable"] is (price["coins"] <= has["coins"])


@pytest.mark.parametrize("seed", range(4))
def test_the_price_is_the_least_that_any_use_of_choices_would_give(seed: int) -> None:
    """All ways to fix the choice cards and the wild skill are tried, for random play areas."""
    chance = random.Random(seed)
    board = RULES.setup(RULES.agree({})).board
    for side in (0, 1):
        for skill in range(SKILL_COUNT):
            board.skills[side * SKILL_COUNT + skill] = chance.randrange(4)
        board.choices[side] = chance.randrange(4)
        wild = chance.randrange(2)
        board.tokens[TOKEN["elves_wild_skill"]] = 3 + side if wild else 0
        for needs in (*NEEDS, *TILE_NEEDS):
            assert least(board, side, needs, wild) == missing(board, side, needs)


def least(board: Board, side: int, needs: tuple[tuple[int, int], ...], wild: int) -> int:
    owned = [CHOICE_OF[card] for n, card in enumerate(CHOICES) if board.choices[side] >> n & 1]
    offers = [[skill for skill in range(SKILL_COUNT) if options >> skill & 1] for options in owned]
    offers += [list(range(SKILL_COUNT))] * wild
    prices = []
    for chosen in product(*offers):
        have = [
            board.skills[side * SKILL_COUNT + skill] + chosen.count(skill)
            for skill in range(SKILL_COUNT)
        ]
        prices.append(sum(max(0, count - have[skill]) for skill, count in needs))
    return min(prices)


def test_random_games_end_in_every_way_that_takes_no_giving_up() -> None:
    reasons = set()
    for seed in range(400):
        *_, (game, _) = played(seed, AUTOMATIC)  # at random nobody goes far who may refuse
        reasons.add(game.board.reason)
        if len(reasons) == 5:
            return

    assert {"quest_of_the_ring", "support_of_the_races", "conquest"} <= reasons


def test_what_is_hidden_is_in_no_view_and_in_no_event_for_others() -> None:
    """Neither a face-down card nor one set aside is named to who has not seen it."""
    for seed in range(6):
        for game, events in played(seed, {}):
            b = game.board
            for seat in (0, 1, None):
                hidden = {CARDS[card] for card in b.bag}
                if not b.knows_aside(seat):
                    hidden |= {CARDS[card] for card in b.aside}
                assert not hidden & set(named(RULES.view(game, seat)))
                told = [event.facts for event in events if event.is_seen_by(seat)]
                assert not hidden & set(named(told))
            unseen = {TOKENS[t] for t, where in enumerate(b.tokens) if where == 0}
            assert not unseen & set(named(RULES.view(game, 0)))


def named(value: object, key: str = "") -> Iterator[str]:
    """Every card and token that is named in a view or in facts."""
    if isinstance(value, dict):
        for inner_key, inner in value.items():
            yield from named(inner, inner_key)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from named(inner, key)
    elif isinstance(value, str) and key in ("card", "cards", "token", "tokens"):
        yield value


def test_units_of_both_sides_never_stay_together() -> None:
    for seed in range(4):
        for game, _ in played(seed, {}):
            units = game.board.units
            assert not [
                region
                for region in range(REGION_COUNT)
                if units[region] and units[REGION_COUNT + region]
            ]


def test_a_price_says_which_symbols_are_short() -> None:
    """Those a side produces for certain are not; a chain needs none; a choice leaves them short."""
    game = given(RULES, ["chapter 2; display dwarves, archers; landmarks bree; sauron: gimli",
                         "fellowship: dwarf_smith_first, lothlorien_cloak"])  # fmt: skip
    view: Any = RULES.view(game, 0)
    shown = {slot["card"]["card"]: slot["card"] for slot in view["display"] if slot["card"]}
    (bree,) = view["landmarks"]

    assert {"strength": 2, "leadership": 1} == shown["dwarves"]["skills"]
    assert {} == shown["dwarves"]["prices"]["sauron"]["short"]
    assert {"strength": 1, "leadership": 1} == shown["dwarves"]["prices"]["fellowship"]["short"]
    assert {"knowledge": 1} == shown["archers"]["prices"]["fellowship"]["short"]
    assert {"strength": 2, "courage": 2, "leadership": 1} == bree["prices"]["fellowship"]["short"]


@pytest.mark.parametrize("preset", ["standard", "brisk"])
def test_a_card_is_red_by_its_colour_and_not_by_what_it_names(preset: str) -> None:
    """Who has the red tokens places more units, and anywhere, with red cards and nothing else."""
    tokens = "token sauron: elves_red_anywhere, humans_red_reinforcement"
    options = [f"option {name} {value}" for name, value in RULES.presets[preset].items()]
    two = 1 << REGION["rohan"] | 1 << REGION["gondor"]
    for colour, regions, asked in (
        (RED, two, (2, ALL_REGIONS)),
        (RED, 1 << REGION["rohan"], (2, ALL_REGIONS)),
        (NONE, two, (1, two)),
    ):
        game = given(RULES, [*options, "display orcs, gimli", tokens])
        RESOLVE["place_units"](game, Effect("place_units", 1, regions, colour))
        question: Any = game.stack[-1]
        assert asked == (question.units, question.regions)


@pytest.mark.parametrize("preset", RULES.presets)
def test_who_refuses_all_that_may_be_refused_comes_to_an_end_as_soon(preset: str) -> None:
    """Each turn takes a card or a tile, whatever is refused in it."""
    for seed in range(10):
        chance = random.Random(seed)
        game, turns = RULES.setup(RULES.agree(RULES.presets[preset])), 0
        while waiting := RULES.waiting(game):
            (seat,) = waiting
            actions = () if seat == CHANCE else RULES.ask(game, seat).actions
            passes = [action for action in actions if action.verb == "pass"]
            turns += seat != CHANCE and RULES.ask(game, seat).prompt == "turn.choose"
            action = RULES.deal(game, chance.randrange) if not actions else chance.choice(actions)
            RULES.apply(game, seat, passes[0] if passes else action)
        assert turns <= 67
