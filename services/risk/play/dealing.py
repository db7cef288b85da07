"""The deal (RULES S2 to S4, S10, S11): territories, then a first card and a first hand for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from services.core.decisions import Action, Seat
from services.core.frames import Game, Procedure, Question
from services.risk.board import Board
from services.risk.play.decks import DealHand, DrawDeed, gain_adventure_card, gain_territory_card
from services.risk.tables import ALIGNMENTS, EVIL, NEUTRAL, NOBODY, SHIELD, TERRITORIES, bits

G = Game[Board]

SIDE_LANDS, NEUTRAL_LANDS, NEUTRAL_BATTALIONS = 16, 21, 2
"""Territories with the shield of either alignment, and with the neutral one; battalions in each of
the latter that the neutral army is dealt."""
EVIL_SHARE = 8
"""Neutral territories of each evil player of three."""


class Share(NamedTuple):
    """The territories of one shield that an army is dealt."""

    army: int
    shield: str
    lands: int


def deal_plan(b: Board) -> list[Share]:
    """Who is dealt what, in this order (RULES S3)."""
    sides = b.settings.sides
    plan = [
        Share(seat, ALIGNMENTS[side], SIDE_LANDS // sides.count(side))
        for seat, side in enumerate(sides)
    ]
    if len(sides) == 2:
        plan.append(Share(NEUTRAL, "neutral", NEUTRAL_LANDS))
    elif len(sides) == 3:
        plan += [
            Share(seat, "neutral", EVIL_SHARE) for seat, side in enumerate(sides) if side == EVIL
        ]
    return plan


@dataclass(slots=True)
class Deal(Question[Board]):
    """Chance deals a territory with this shield to an army."""

    army: int = 0
    shield: str = "neutral"
    prompt: ClassVar[str] = "setup.deal"

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        left = g.board.held[NOBODY] & SHIELD[self.shield]
        return [Action("deal", (land,)) for land in bits(left)]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        deal(g, self.army, action.nouns[0])
        g.done()


def deal(g: G, army: int, land: int) -> None:
    """An army gets the territory of a card that was dealt to it (RULES S4)."""
    b = g.board
    b.give(land, army, NEUTRAL_BATTALIONS if army == NEUTRAL else 1)
    if army != NEUTRAL:
        b.spend_reserve(army, 1)
    tell_land(g, "dealt", army, land)


def tell_land(g: G, kind: str, army: int, land: int) -> None:
    """Say that something happened to an army in a territory."""
    g.emit(kind, {"seat": g.board.name(army), "territory": TERRITORIES[land]}, None)


@dataclass(slots=True)
class DealDeeds(Procedure):
    """One territory card for each player."""

    seat: int = 0

    script: ClassVar[tuple[str, ...]] = ("draw", "take")

    def draw(self, g: G) -> None:
        if self.seat == len(g.board.territory_cards):
            g.done()
        elif g.board.is_in(self.seat):
            g.call(DrawDeed())

    def take(self, g: G) -> None:
        if self.got:
            gain_territory_card(g, self.seat, self.got[0])
        self.seat += 1
        self.go_to("draw")


@dataclass(slots=True)
class DealHands(Procedure):
    """Four Adventure cards for each player, none of them an event."""

    seat: int = 0

    script: ClassVar[tuple[str, ...]] = ("draw", "take")

    def draw(self, g: G) -> None:
        if self.seat == len(g.board.territory_cards):
            g.done()
        elif g.board.is_in(self.seat):
            g.call(DealHand())

    def take(self, g: G) -> None:
        for card in self.got:
            gain_adventure_card(g, self.seat, card)
        self.seat += 1
        self.go_to("draw")
