"""Who reads the events and nothing else knows the table: each says what happened, and to whom."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from services.core.decisions import CHANCE, Event
from services.duel import RULES
from services.duel.board import FACE_DOWN
from services.duel.tables import CARD, CARDS, COVERED_BY, DECKS, FACE_UP, SIDES, SLOT_AT
from tests.games.duel.positions import given
from tests.games.duel.test_play import AUTOMATIC, EVERY_OPTION, played

OTHER = {"fellowship": "sauron", "sauron": "fellowship"}


class Onlooker:
    """Keeps the books by what is told to everyone."""

    def __init__(self) -> None:
        self.coins = {"fellowship": 3, "sauron": 2}
        self.units = Counter({("fellowship", "arnor"): 2, ("sauron", "mordor"): 2})
        self.forts: dict[str, str] = {}
        self.quest = Counter[str]()
        self.cards: dict[str, list[str]] = {"fellowship": [], "sauron": []}
        self.tokens: dict[str, set[str]] = {"fellowship": set(), "sauron": set()}
        self.tiles: dict[str, set[str]] = {"fellowship": set(), "sauron": set()}
        self.discarded = Counter[str]()
        self.offered = set[str]()
        self.revealed = set[str]()
        self.sought: list[str] = []
        self.turned_up: dict[int, str] = {}

    def hear(self, event: Event) -> None:
        if event.seen_by is None:
            getattr(self, f"_{event.kind}", lambda **facts: None)(**event.facts)

    def _chapter_began(self, chapter: int) -> None:
        self.turned_up = {}

    def _card_revealed(self, slot: int, card: str) -> None:
        self.turned_up[slot] = card

    def _landmark_revealed(self, landmark: str) -> None:
        self.offered.add(landmark)

    def _card_played(self, side: str, card: str, mode: str, price: int) -> None:
        self.coins[side] -= price
        self.cards[side].append(card)
        if mode == "from_discard":
            self.discarded[card] -= 1

    def _card_discarded(self, side: str, card: str, coins: int) -> None:
        self.coins[side] += coins
        self.discarded[card] += 1

    def _card_lost(self, side: str, card: str) -> None:
        self.cards[side].remove(card)
        self.discarded[card] += 1

    def _landmark_taken(self, side: str, landmark: str, price: int) -> None:
        self.coins[side] -= price
        self.offered.remove(landmark)
        self.tiles[side].add(landmark)

    def _coins_gained(self, side: str, coins: int) -> None:
        assert coins > 0
        self.coins[side] += coins

    def _coins_lost(self, side: str, coins: int) -> None:
        assert coins > 0
        self.coins[side] -= coins

    def _quest_advanced(self, side: str, steps: int, step: int) -> None:
        self.quest[side] += steps
        assert step == self.quest[side]

    def _units_placed(self, side: str, region: str, units: int) -> None:
        assert units > 0
        self.units[side, region] += units

    def _conflict_fought(self, region: str, losses: int) -> None:
        for side in SIDES:
            self.units[side, region] -= losses

    def _unit_moved(self, side: str, **ways: str) -> None:
        self.units[side, ways["from"]] -= 1
        self.units[side, ways["to"]] += 1

    def _unit_removed(self, side: str, region: str) -> None:
        self.units[side, region] -= 1

    def _fortress_built(self, side: str, region: str) -> None:
        self.forts[region] = side

    def _fortress_removed(self, side: str, region: str) -> None:
        assert side == self.forts.pop(region)

    def _alliance_sought(self, side: str, races: list[str]) -> None:
        self.sought = races

    def _tokens_revealed(self, side: str, tokens: list[str]) -> None:
        self.revealed = set(tokens)
        assert {token.partition("_")[0] for token in tokens} <= set(self.sought)

    def _token_kept(self, side: str, token: str) -> None:
        assert token in self.revealed
        self.tokens[side].add(token)

    def agree(self, view: Any) -> None:
        """Assert that a view shows what was told."""
        for side in SIDES:
            has = view["players"][side]
            assert self.coins[side] == has["coins"]
            assert self.quest[side] == view["track"]["steps"][side]
            assert self.cards[side] == [card["card"] for card in has["cards"]]
            assert self.tokens[side] == {token["token"] for token in has["tokens"]}
            assert self.tiles[side] == set(has["landmarks"])
        for region in view["regions"]:
            name = region["region"]
            assert {side: self.units[side, name] for side in SIDES} == region["units"]
            assert self.forts.get(name) == region["fortress"]
        assert self.offered == {tile["landmark"] for tile in view["landmarks"]}
        shown = {s["slot"]: s["card"]["card"] for s in view["display"] if s["card"]}
        assert shown.items() <= self.turned_up.items()
        known = {card["card"] for card in view["discard"]["known"]}
        assert {card for card, count in self.discarded.items() if count > 0} <= known


@pytest.mark.parametrize(
    "chosen", [{}, EVERY_OPTION, AUTOMATIC], ids=["standard", "generous", "brisk"]
)
@pytest.mark.parametrize("seed", range(10))
def test_who_hears_the_events_knows_the_table(seed: int, chosen: dict[str, str]) -> None:
    onlooker = Onlooker()
    for game, events in played(seed, chosen):
        for event in events:
            onlooker.hear(event)
        onlooker.agree(RULES.view(game, None))


@pytest.mark.parametrize("seed", range(6))
def test_what_a_side_does_is_told_of_that_side(seed: int) -> None:
    """Events name the side on turn, but for losses, which are its opponent's."""
    losses = {"unit_removed", "fortress_removed", "coins_lost", "card_lost"}
    actor = ""
    for game, events in played(seed, EVERY_OPTION):
        for event in events:
            if "side" in event.facts:
                expected = OTHER[actor] if event.kind in losses else actor
                assert expected == event.facts["side"], event
        waiting = RULES.waiting(game)
        actor = SIDES[game.board.turn] if waiting != (CHANCE,) else actor


@pytest.mark.parametrize("seed", range(4))
def test_extra_turns_are_told_as_they_are_earned(seed: int) -> None:
    before = 0
    for game, events in played(seed, EVERY_OPTION):
        earned = sum(event.kind == "extra_turn_earned" for event in events)
        refused = sum(event.kind == "extra_turn_refused" for event in events)
        after = game.board.extra
        assert after in {before + earned - refused, before + earned - 1}
        before = after


@pytest.mark.parametrize("taken", [0, 1, 2])
@pytest.mark.parametrize("chapter", [1, 2, 3])
def test_the_view_lays_cards_where_the_layout_has_them(chapter: int, taken: int) -> None:
    """Row, place and what lies over a slot, of a display of which the last cards are taken."""
    left = range(20 - taken)
    face_up = [slot for slot in FACE_UP[chapter - 1] if slot in left]
    cards = [CARDS[card] for card in DECKS[chapter]][: len(face_up)]
    lines = [f"slot {slot}: {card}" for slot, card in zip(face_up, cards, strict=True)]
    lines += [f"slot {slot}: face_down" for slot in left if slot not in face_up]
    view: Any = shown(chapter, lines)

    assert list(range(20)) == [slot["slot"] for slot in view["display"]]
    for slot in view["display"]:
        number = slot["slot"]
        over = [n for n in COVERED_BY[chapter - 1][number] if n in left]
        assert SLOT_AT[chapter - 1][number] == (slot["row"], slot["x"])
        assert over == slot["covered_by"]
        assert slot["taken"] is (number not in left)
        assert slot["available"] is (number in left and not over)
        assert (slot["card"] is None) is (number not in face_up)


def shown(chapter: int, lines: list[str]) -> Any:
    """The view of a position in which what is face down has not been turned up yet."""
    game = given(RULES, [f"chapter {chapter}", *lines[:1]])
    b = game.board
    for line in lines[1:]:
        slot, face = line.removeprefix("slot ").split(": ")
        b.display[int(slot)] = FACE_DOWN if face == "face_down" else CARD[face]
        b.left |= 1 << int(slot)
    return RULES.view(game, 0)
