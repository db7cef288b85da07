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
from services.risk.play.counts import Place
from services.risk.play.windows import PASS
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

    # Who holds three or four is asked whatever they are, so that all others learn nothing.
    def offer_set(self, g: G) -> None:
        if g.board.deeds[self.seat].bit_count() >= SET:
            g.call(TurnIn(seat=self.seat))

    def take_set(self, g: G) -> None:
        if self.got:
            self.battalions += turn_in(g, self.seat, self.got)
            self.go_to("offer_set")

    def place(self, g: G) -> None:
        g.call(Place(seat=self.seat, left=self.battalions, lands=ALL_LANDS))


@dataclass(slots=True)
class TurnIn(Question[Board]):
    """A player turns three cards in; with four or fewer he need not."""

    seat: int = 0
    prompt: ClassVar[str] = "reinforce.set"
    neutral: ClassVar[bool] = True

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (self.seat,)

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        hand = g.board.deeds[self.seat]
        may_pass = [] if hand.bit_count() >= MOST_DEEDS else [PASS]
        return [*may_pass, *sets_in(hand)]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        g.done(*action.nouns)
