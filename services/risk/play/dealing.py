"""The deal (RULES S2 to S4, S10, S11): territories, then a first card and a first hand for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from services.core.decisions import Action, Seat
from services.core.frames import Game, Procedure, Question
from services.risk.board import Board
from services.risk.play.decks import DealHand, DrawDeed, gain_adventure_card, gain_territory_card
from services.risk.tables import EVIL, GOOD, NEUTRAL, NOBODY, SHIELD, TERRITORIES, bits

G = Game[Board]

NEUTRAL_LANDS, NEUTRAL_BATTALIONS = 21, 2
EVIL_SHARE = 8  # of each pile, for an evil player of three


def deal_plan(b: Board) -> list[tuple[int, str, int]]:
    """Who is dealt how many cards with which shield (RULES S3)."""
    sides = b.settings.sides
    if len(sides) == 2:
        return [(0, "good", 16), (1, "evil", 16), (NEUTRAL, "neutral", NEUTRAL_LANDS)]
    shares = {side: 16 // sides.count(side) for side in (GOOD, EVIL)}
    shields = {GOOD: "good", EVIL: "evil"}
    plan = [(seat, shields[side], shares[side]) for seat, side in enumerate(sides)]
    if len(sides) == 3:
        plan += [(seat, "neutral", EVIL_SHARE) for seat, side in enumerate(sides) if side == EVIL]
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
