"""Events (RULES 9.2, 9.5): they take effect the moment they are drawn.

Order of reading: the event, what those do that ask nothing, turning cards over, the two that ask.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from services.core.decisions import Action, Seat
from services.core.frames import Game, Procedure, Question
from services.risk.board import CORSAIRS, STORMS, Board
from services.risk.cards.power import reinforce
from services.risk.play.decks import DrawDeed, everyone_but, refill_deeds
from services.risk.tables import (
    GARRISON_EVENTS,
    LANDS,
    NEUTRAL,
    STEM,
    TERRITORIES,
    TERRITORY_CARDS,
    bits,
    mask,
)

G = Game[Board]

TURNED_OVER, MUSTERED, RISEN, MOST_LEADERS = 3, 3, 4, 2


def resolve_event(g: G, seat: int, card: int) -> None:
    """Carry out an event that a seat has drawn."""
    stem = STEM[card]
    if stem in GARRISON_EVENTS:
        _garrison(g, stem)
    else:
        _EFFECTS[stem](g, seat)


# A neutral holder is treated like one of the other alignment (RULES 13.1).
def _garrison(g: G, stem: str) -> None:
    b = g.board
    land, friend, gain, loss = GARRISON_EVENTS[stem]
    holder = b.owner[land]
    if holder != NEUTRAL and b.settings.sides[holder] == friend:
        reinforce(g, land, gain)
    else:
        _weaken(g, land, loss)


def _weaken(g: G, land: int, battalions: int) -> None:
    lost = g.board.lose(land, battalions)
    g.emit("battalions_lost", {"territory": TERRITORIES[land], "battalions": lost}, None)


def _corsairs(g: G, seat: int) -> None:
    g.board.begin_effect(CORSAIRS, 0, seat)


def _appoint(g: G, seat: int) -> None:
    if g.board.leader_lands(seat).bit_count() < MOST_LEADERS:
        g.call(Appoint(seat=seat))


def _storms(g: G, lands: Sequence[int], seat: int) -> None:
    g.board.begin_effect(STORMS, mask(lands), seat)


def _raiders(g: G, lands: Sequence[int], seat: int) -> None:
    for land in lands:
        _weaken(g, land, g.board.army[land] // 2)


def _mustering(g: G, lands: Sequence[int], seat: int) -> None:
    for land in lands:
        reinforce(g, land, MUSTERED)


_EFFECTS: Mapping[str, Callable[[G, int], None]] = {
    "appoint_second_leader": _appoint,
    "corsairs_of_umbar": _corsairs,
    "winter_storms": lambda g, seat: g.call(TurnOver(seat=seat, event="winter_storms")),
    "raiders": lambda g, seat: g.call(TurnOver(seat=seat, event="raiders")),
    "mustering_of_middle_earth": lambda g, seat: g.call(
        TurnOver(seat=seat, event="mustering_of_middle_earth")
    ),
    "local_uprising": lambda g, seat: g.call(Uprising(seat=seat)),
}
_OF_LANDS: Mapping[str, Callable[[G, Sequence[int], int], None]] = {
    "winter_storms": _storms,
    "raiders": _raiders,
    "mustering_of_middle_earth": _mustering,
}


# Turning cards over. Wild cards are laid aside and replaced (RULES R18).


@dataclass(slots=True)
class TurnOver(Procedure):
    """Three Territory cards are turned over, and something befalls their territories."""

    seat: int = 0
    event: str = ""
    turned: tuple[int, ...] = ()

    script: ClassVar[tuple[str, ...]] = ("draw", "turn", "befall")

    def draw(self, g: G) -> None:
        if self._count() == TURNED_OVER or not refill_deeds(g, mask(self.turned)):
            self.go_to("befall")
        else:
            g.call(DrawDeed())

    def _count(self) -> int:
        return sum([card < LANDS for card in self.turned])

    def turn(self, g: G) -> None:
        (card,) = self.got
        g.board.turn_over_deed(card)
        g.emit("turned_over", {"card": TERRITORY_CARDS[card]}, None)
        self.turned = (*self.turned, card)
        self.go_to("draw")

    def befall(self, g: G) -> None:
        lands = [card for card in self.turned if card < LANDS]
        _OF_LANDS[self.event](g, lands, self.seat)


# Local Uprising.


@dataclass(slots=True)
class Uprising(Procedure):
    """A Territory card lies secret before its drawer until he holds its territory."""

    seat: int = 0

    script: ClassVar[tuple[str, ...]] = ("draw", "keep")

    def draw(self, g: G) -> None:
        if refill_deeds(g):
            g.call(DrawDeed())
        else:
            g.done()

    def keep(self, g: G) -> None:
        (card,) = self.got
        b = g.board
        if card >= LANDS:
            b.turn_over_deed(card)
            g.emit("turned_over", {"card": TERRITORY_CARDS[card]}, None)
            self.go_to("draw")
            return
        name = b.name(self.seat)
        if b.held[self.seat] >> card & 1:
            b.turn_over_deed(card)
            _rise(g, self.seat, card)
            return
        b.keep_secret(self.seat, card)
        g.emit("secret_kept", {"seat": name, "card": TERRITORY_CARDS[card]}, [self.seat])
        g.emit("secret_kept", {"seat": name}, everyone_but(b, self.seat))


def _rise(g: G, seat: int, card: int) -> None:
    facts = {"seat": g.board.name(seat), "territory": TERRITORIES[card]}
    g.emit("uprising_begun", facts, None)
    reinforce(g, card, RISEN)


def show_secrets(g: G, seat: int) -> None:
    """A seat has gained a territory: its uprising begins if that was its secret."""
    b = g.board
    for owner, card, _, laid in b.secrets:
        if owner == seat and not laid and b.held[seat] >> card & 1:
            b.show_secret(seat, card)
            _rise(g, seat, card)
    b.deny_secrets(seat)


# Appoint a Second Leader.


@dataclass(slots=True)
class Appoint(Question[Board]):
    """A Leader joins the board; the same question as when the last one is replaced (RULES 7)."""

    seat: int = 0
    prompt: ClassVar[str] = "leader.appoint"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        b = g.board
        free = b.held[self.seat] & ~b.led
        return (self.seat,) if free and b.is_in(self.seat) else ()

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        b = g.board
        return [Action("station", (land,)) for land in bits(b.held[self.seat] & ~b.led)]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        (land,) = action.nouns
        g.board.led |= 1 << land
        facts = {"seat": g.board.name(self.seat), "territory": TERRITORIES[land]}
        g.emit("leader_stationed", facts, None)
        g.done()
