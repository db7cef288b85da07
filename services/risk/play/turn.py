"""The turn (RULES 4): the seven steps in order, two of which draw cards (RULES 9.1, 9.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from services.core.decisions import Action, Seat
from services.core.frames import Game, Procedure, Question
from services.risk.board import BLOCK, CORSAIRS, STORMS, Board
from services.risk.play.combat import Combat
from services.risk.play.decks import (
    can_draw_adventure_card,
    can_draw_territory_card,
    draw_adventure_card,
    draw_territory_card,
    gain_adventure_card,
    gain_territory_card,
)
from services.risk.play.fellowship import Fellowship
from services.risk.play.fortify import Fortify
from services.risk.play.leaders import ReplaceLeader
from services.risk.play.orders import begin_turn
from services.risk.play.reinforce import Reinforce
from services.risk.play.resolving import resolve_event
from services.risk.tables import (
    ADVENTURES,
    EVENTS,
    MOST_ADVENTURES,
    MOST_TERRITORY_CARDS,
    bits,
    mask,
)

G = Game[Board]

_EFFECTS = {BLOCK: "bridge", STORMS: "storms", CORSAIRS: "corsairs"}


@dataclass(slots=True)
class Turn(Procedure):
    """One player's turn."""

    drawn: int = 0  # extra territory cards looked for

    script: ClassVar[tuple[str, ...]] = (
        "begin",
        "reinforce",
        "combat",
        "fortify",
        "earn_territory_card",
        "take_territory_card",
        "earn_extra_cards",
        "take_extra_card",
        "earn_adventure_card",
        "replace_leader",
        "fellowship",
        "end",
    )

    def begin(self, g: G) -> None:
        b = g.board
        b.conquered = b.sited = b.extra_cards = b.rested = 0
        b.locked = 0
        b.moves_left = 1
        begin_turn(b)
        g.emit("turn_began", {"seat": b.name(b.turn), "number": b.number}, None)
        for effect in b.end_effects(b.turn):
            g.emit("effect_ended", {"effect": _EFFECTS[effect.kind]}, None)

    def reinforce(self, g: G) -> None:
        g.call(Reinforce(seat=g.board.turn))

    def combat(self, g: G) -> None:
        g.call(Combat())

    def fortify(self, g: G) -> None:
        g.call(Fortify(seat=g.board.turn))

    # Step 4. One card, however much was conquered; then those that missions earned.

    def earn_territory_card(self, g: G) -> None:
        if g.board.conquered and can_draw_territory_card(g.board):
            draw_territory_card(g)
        else:
            self.go_to("earn_extra_cards")

    def take_territory_card(self, g: G) -> None:
        gain_territory_card(g, g.board.turn, self.got[0])

    def earn_extra_cards(self, g: G) -> None:
        b = g.board
        full = b.territory_cards[b.turn].bit_count() >= MOST_TERRITORY_CARDS
        if b.extra_cards and not full and can_draw_territory_card(b):
            draw_territory_card(g)
        else:
            self.go_to("earn_adventure_card")

    def take_extra_card(self, g: G) -> None:
        b = g.board
        b.extra_cards -= 1
        gain_territory_card(g, b.turn, self.got[0])
        self.go_to("earn_extra_cards")

    # Steps 5 to 7.

    def earn_adventure_card(self, g: G) -> None:
        if g.board.sited:
            g.call(Adventure(seat=g.board.turn))

    def replace_leader(self, g: G) -> None:
        b = g.board
        if not b.leader_lands(b.turn):
            g.call(ReplaceLeader(seat=b.turn))

    def fellowship(self, g: G) -> None:
        g.call(Fellowship())

    def end(self, g: G) -> None:
        b = g.board
        b.boons = b.roll_more = b.moves_left = 0


@dataclass(slots=True)
class Adventure(Procedure):
    """Draw until a mission or power card comes; events take effect at once (RULES 9.2)."""

    seat: int = 0

    script: ClassVar[tuple[str, ...]] = ("draw", "take", "lock", "discard")

    def draw(self, g: G) -> None:
        if can_draw_adventure_card(g.board):
            draw_adventure_card(g)
        else:
            self.go_to("lock")

    def take(self, g: G) -> None:
        b = g.board
        (card,) = self.got
        if not EVENTS >> card & 1:
            gain_adventure_card(g, self.seat, card)
            return
        b.turn_over_adventure(card)
        g.emit("event_drawn", {"seat": b.name(self.seat), "card": ADVENTURES[card]}, None)
        self.go_to("draw")
        resolve_event(g, self.seat, card)

    def lock(self, g: G) -> None:
        b = g.board
        b.locked = mask(b.seats) if b.settings.locks_all else 1 << self.seat

    def discard(self, g: G) -> None:
        if g.board.hands[self.seat].bit_count() > MOST_ADVENTURES:
            g.call(DiscardAdventure(seat=self.seat))


@dataclass(slots=True)
class DiscardAdventure(Question[Board]):
    """A fifth card is too many; the one that goes may be the new one."""

    seat: int = 0
    prompt: ClassVar[str] = "adventure.discard"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (self.seat,)

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return [Action("discard", (card,)) for card in bits(g.board.hands[self.seat])]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        (card,) = action.nouns
        b = g.board
        b.discard_adventure(self.seat, card)
        g.emit("adventure_discarded", {"seat": b.name(seat), "card": ADVENTURES[card]}, None)
        g.done()
