"""Step 1 (RULES 5): sets of Territory cards, what a player receives, and where it is placed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import ClassVar

from services.core.decisions import Action, Seat
from services.core.frames import Game, Procedure, Question
from services.risk.board import Board
from services.risk.play.counts import NOWHERE, Place
from services.risk.tables import (
    ALL_LANDS,
    BONUS,
    MOST_DEEDS,
    REGION_LANDS,
    SET,
    TERRITORIES,
    TERRITORY_CARDS,
    bits,
    mask,
    set_value,
)

G = Game[Board]

LEAST_FOR_LANDS = 3


@lru_cache(maxsize=1000)
def sets_in(hand: int) -> tuple[Action, ...]:
    """Every set that a hand holds."""
    return tuple(
        Action("turn_in", cards) for cards in combinations(bits(hand), SET) if set_value(cards)
    )


def turn_in(g: G, seat: int, cards: Sequence[int]) -> int:
    """Lay a set on the discard pile; the battalions it is worth."""
    b = g.board
    value = set_value(cards)
    b.spend_deeds(seat, mask(cards))
    names = [TERRITORY_CARDS[card] for card in cards]
    g.emit("set_turned_in", {"seat": b.name(seat), "cards": names, "battalions": value}, None)
    return value


def region_bonus(b: Board, army: int) -> int:
    """The bonuses of all regions that an army holds completely."""
    held = b.held[army]
    return sum(
        [bonus for lands, bonus in zip(REGION_LANDS, BONUS, strict=True) if not lands & ~held]
    )


@dataclass(slots=True)
class Reinforce(Procedure):
    """Everything is counted from the position at the start of the step (RULES R6)."""

    seat: int = 0
    battalions: int = 0

    script: ClassVar[tuple[str, ...]] = ("count", "offer_set", "take_set", "place")

    def count(self, g: G) -> None:
        b = g.board
        held = b.held[self.seat]
        lands, regions = max(LEAST_FOR_LANDS, held.bit_count() // 3), region_bonus(b, self.seat)
        strongholds = bits(held & b.charter.strongholds)
        for land in strongholds:
            b.add(land, 1)
        self.battalions = lands + regions
        facts = {"seat": b.name(self.seat), "territories": lands, "regions": regions}
        names = [TERRITORIES[land] for land in strongholds]
        g.emit("reinforced", {**facts, "strongholds": names}, None)

    # Who holds five or more must; with fewer he may, while he places.
    def offer_set(self, g: G) -> None:
        if g.board.deeds[self.seat].bit_count() >= MOST_DEEDS:
            g.call(TurnIn(seat=self.seat))

    def take_set(self, g: G) -> None:
        if self.got:
            self.battalions += turn_in(g, self.seat, self.got)
            self.go_to("offer_set")

    def place(self, g: G) -> None:
        g.call(PlaceReinforcements(seat=self.seat, left=self.battalions, lands=ALL_LANDS))


@dataclass(slots=True)
class PlaceReinforcements(Place):
    """A player places what he receives; with three or four cards he may turn a set in as well.

    He is asked the same whatever his cards are, so that all others learn nothing.
    """

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        actions = Place.legal(self, g, seat)
        if self.land != NOWHERE or g.board.deeds[self.seat].bit_count() < SET:
            return actions
        return (*actions, *sets_in(g.board.deeds[self.seat]))

    def take(self, g: G, seat: Seat, action: Action) -> None:
        if action.verb == "turn_in":
            self.left += turn_in(g, self.seat, action.nouns)
        else:
            Place.take(self, g, seat, action)


@dataclass(slots=True)
class TurnIn(Question[Board]):
    """A player with too many cards turns three of them in; five always hold a set."""

    seat: int = 0
    prompt: ClassVar[str] = "reinforce.set"
    neutral: ClassVar[bool] = True

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (self.seat,)

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return sets_in(g.board.deeds[self.seat])

    def take(self, g: G, seat: Seat, action: Action) -> None:
        g.done(*action.nouns)
