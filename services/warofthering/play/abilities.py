"""Advancing a nation, Elven Rings, and the forced discards of cards on the table (RULES 6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from services.core.frames import Game, Procedure
from services.warofthering.board import Board
from services.warofthering.play import kept, muster, politics
from services.warofthering.play.asking import choose, say
from services.warofthering.play.hands import HandQuestion, discard_unseen
from services.warofthering.tables import (
    ARAGORN,
    BOROMIR,
    CHARACTER_DECK,
    DECK_OF_CARD,
    DWARVES,
    ELVES,
    EREBOR,
    FREE,
    GANDALF_THE_GREY,
    GANDALF_THE_WHITE,
    GIMLI,
    GONDOR,
    ICON,
    IS_GREAT,
    LEGOLAS,
    MINAS_TIRITH,
    NATION_OF,
    NO_CARD,
    NOWHERE,
    SHADOW,
    SIDE_OF_NATION,
    STRATEGY_DECK,
    WILL,
)

G = Game[Board]

_NATION_BY = {BOROMIR: GONDOR, LEGOLAS: ELVES, GIMLI: DWARVES}


# Advancing a nation.


def advancing_companions(b: Board, seat: int) -> list[int]:
    """The nations that a Companion where he stands can advance with any die."""
    return [
        nation
        for who, nation in _NATION_BY.items()
        if b.owns(seat, who)
        and b.can_advance(nation)
        and not b.is_resting(nation)
        and _is_at_home(b, who, nation)
    ]


def _is_at_home(b: Board, who: int, nation: int) -> bool:
    region = b.region_of(who)
    if region == NOWHERE or not b.is_unconquered(region):
        return False
    if who == GIMLI:
        return region == EREBOR
    return IS_GREAT[region] and NATION_OF[region] == nation


@dataclass(slots=True)
class AdvanceNation(Procedure):
    """A seat advances a nation one step, by a Muster result or by a Companion's ability."""

    seat: int = 0
    by_companion: int = 0

    script: ClassVar[tuple[str, ...]] = ("choose_nation", "advance")

    def choose_nation(self, g: G) -> None:
        b = g.board
        by_die, by_companion = muster.advance_choices, advancing_companions
        nations = (by_companion if self.by_companion else by_die)(b, self.seat)
        choose(g, self.seat, "nation", nations, "advance")

    def advance(self, g: G) -> None:
        cause = politics.COMPANION if self.by_companion else politics.MUSTERED
        (nation,) = self.got
        politics.advance(g, nation, cause)
        g.board.note_action(SIDE_OF_NATION[nation], 1 << nation, 0)


# Forced discards of cards on the table. A way to pay is the card, and what else it costs.

_COSTLY = (kept.POWER_TOO_GREAT, kept.TOM_BOMBADIL)


def forced_discards(b: Board, seat: int, face: int) -> list[int]:
    """The cards on the table that a seat can have discarded with a die of this face."""
    if not b.table:
        return []
    if b.settings.sides[seat] == SHADOW:
        return [card for card in _COSTLY if b.is_on_table(card) and _can_pay(b, seat)]
    found = []
    if b.is_on_table(kept.PALANTIR) and (face == WILL or _may_give_ring(b, seat)):
        found.append(kept.PALANTIR)
    if b.is_on_table(kept.DENETHORS_FOLLY) and (face == WILL or _is_counselled(b)):
        found.append(kept.DENETHORS_FOLLY)
    return found


def can_force_discard(b: Board, seat: int, face: int) -> bool:
    """Whether a seat can have a card on the table discarded."""
    return bool(forced_discards(b, seat, face))


def _is_counselled(b: Board) -> bool:
    wise = (GANDALF_THE_GREY, GANDALF_THE_WHITE, ARAGORN)
    return any(b.region_of(who) == MINAS_TIRITH for who in wise)


def _may_give_ring(b: Board, seat: int) -> bool:
    return bool(b.rings[FREE]) and not has_used_ring(b, seat)


def has_used_ring(b: Board, seat: int) -> bool:
    """Whether this turn's Elven Ring is used: by the seat, or by anyone of its side (D24)."""
    if not b.ring_users:
        return False
    if b.settings.readings.each_player_uses_a_ring:
        return bool(b.ring_users >> seat & 1)
    team = b.settings.teams[b.settings.sides[seat]]
    return any(b.ring_users >> mate & 1 for mate in team)


def give_ring(g: G, seat: int) -> None:
    """A side uses an Elven Ring: the Free Peoples' goes to the Shadow, the Shadow's is gone."""
    b = g.board
    free, shadow = b.rings
    b.rings = (free - 1, shadow + 1) if b.settings.sides[seat] == FREE else (free, shadow - 1)
    b.ring_users |= 1 << seat
    say(g, "ring_used", seat=b.settings.seats[seat], free=b.rings[0], shadow=b.rings[1])


def _can_pay(b: Board, seat: int) -> bool:
    """Whether the Shadow holds a Strategy card with the Army icon, and a Character card."""
    armies = (card for card in b.hand(seat, STRATEGY_DECK) if ICON[card] == "army")
    return next(armies, None) is not None and bool(b.hand(seat, CHARACTER_DECK))


@dataclass(slots=True)
class PayCard(HandQuestion):
    """The Shadow chooses a card that it discards to pay."""

    prompt: ClassVar[str] = "event.pay"
    neutral: ClassVar[bool] = True
    verb: ClassVar[str] = "discard"

    deck: int = CHARACTER_DECK

    def fits(self, b: Board, card: int) -> bool:
        icon = self.deck == CHARACTER_DECK or ICON[card] == "army"
        return DECK_OF_CARD[card] == self.deck and icon


@dataclass(slots=True)
class DiscardByForce(Procedure):
    """A seat pays to have a card on the table discarded."""

    seat: int = 0
    face: int = 0
    card: int = NO_CARD

    script: ClassVar[tuple[str, ...]] = ("choose_card", "pay", "pay_first", "pay_second", "discard")

    def choose_card(self, g: G) -> None:
        choose(g, self.seat, "card", forced_discards(g.board, self.seat, self.face), "force")

    def pay(self, g: G) -> None:
        (self.card,) = self.got
        b = g.board
        if b.settings.sides[self.seat] == SHADOW:
            g.call(PayCard(seat=self.seat, deck=STRATEGY_DECK))
        elif self.card == kept.PALANTIR and self.face != WILL:
            give_ring(g, self.seat)

    def pay_first(self, g: G) -> None:
        for card in self.got:
            discard_unseen(g, self.seat, card)
            g.call(PayCard(seat=self.seat, deck=CHARACTER_DECK))

    def pay_second(self, g: G) -> None:
        for card in self.got:
            discard_unseen(g, self.seat, card)

    def discard(self, g: G) -> None:
        politics.discard_from_table(g, self.card)
