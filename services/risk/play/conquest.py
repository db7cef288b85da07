"""Conquest (RULES 6.1) and elimination (RULES 12)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from services.core.frames import Game, Procedure
from services.risk.board import Board
from services.risk.play.counts import Follow, Place
from services.risk.play.ending import Ending, fall, is_decided, next_rank
from services.risk.play.leaders import tell_leader
from services.risk.play.missions import Mission
from services.risk.play.reinforce import TurnIn, turn_in
from services.risk.play.uprising import show_secrets
from services.risk.tables import ALL_LANDS, MOST_TERRITORY_CARDS, NEUTRAL, TERRITORIES

G = Game[Board]


@dataclass(slots=True)
class Conquest(Procedure):
    """The last defender is gone: the attacker moves in."""

    seat: int = 0
    source: int = 0
    target: int = 0
    dice: int = 0
    loser: int = NEUTRAL
    led: int = 0  # a Leader moved in

    script: ClassVar[tuple[str, ...]] = (
        "enter",
        "ask_who_follows",
        "follow",
        "complete_mission",
        "eliminate",
    )

    def enter(self, g: G) -> None:
        b = g.board
        self.loser = b.owner[self.target]
        b.led &= ~(1 << self.target)
        b.give(self.target, self.seat, self.dice)
        b.add(self.source, -self.dice)
        b.conquered = 1
        facts = {"seat": b.name(self.seat), "loser": b.name(self.loser)}
        where = {"territory": TERRITORIES[self.target], "battalions": self.dice}
        g.emit("conquered", {**facts, **where}, None)
        if b.has_leader(self.source) and not b.rested >> self.source & 1:
            self.led = 1
            b.move_leader(self.source, self.target)
            tell_leader(g, self.seat, self.source, self.target)
            b.sited |= b.settings.sites >> self.target & 1
        if b.secrets:
            show_secrets(g, self.seat)

    def ask_who_follows(self, g: G) -> None:
        g.call(Follow(seat=self.seat, most=g.board.army[self.source] - 1))

    def follow(self, g: G) -> None:
        number = self.got[0] if self.got else 0
        if number:
            b = g.board
            b.add(self.source, -number)
            b.add(self.target, number)
            facts = {"from": TERRITORIES[self.source], "to": TERRITORIES[self.target]}
            g.emit("followed", {**facts, "battalions": number}, None)

    def complete_mission(self, g: G) -> None:
        if self.led:
            g.call(Mission(seat=self.seat, land=self.target))

    def eliminate(self, g: G) -> None:
        b = g.board
        if self.loser != NEUTRAL and b.is_in(self.loser) and not b.held[self.loser]:
            g.call(Elimination(seat=self.seat, loser=self.loser))


@dataclass(slots=True)
class Elimination(Procedure):
    """A player has lost his last battalion."""

    seat: int = 0
    loser: int = 0
    battalions: int = 0

    script: ClassVar[tuple[str, ...]] = ("fall", "offer_set", "take_set", "place")

    def fall(self, g: G) -> None:
        b = g.board
        facts = {"seat": b.name(self.loser), "by": b.name(self.seat), "place": next_rank(b)}
        g.emit(
            "eliminated",
            {**facts, "territory_cards": b.territory_cards[self.loser].bit_count()},
            None,
        )
        b.hand_over_territory_cards(self.loser, self.seat)
        fall(g, self.loser)
        if is_decided(b):
            g.stack[:] = [Ending()]

    # Only while he holds five or more; with fewer he may not (RULES R24).
    def offer_set(self, g: G) -> None:
        if g.board.territory_cards[self.seat].bit_count() >= MOST_TERRITORY_CARDS:
            g.call(TurnIn(seat=self.seat))

    def take_set(self, g: G) -> None:
        if self.got:
            self.battalions += turn_in(g, self.seat, self.got)
            self.go_to("offer_set")

    def place(self, g: G) -> None:
        g.call(Place(seat=self.seat, left=self.battalions, lands=ALL_LANDS))
