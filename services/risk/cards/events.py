"""Events (RULES 9.2, 9.5): they take effect the moment they are drawn.

Order of reading: what those do that ask nothing, turning cards over, Local Uprising, the table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from services.core.decisions import Seat
from services.core.frames import Game, Procedure
from services.risk.board import CORSAIRS, STORMS, Board
from services.risk.play.decks import (
    can_draw_territory_card,
    draw_territory_card,
    everyone_but,
)
from services.risk.play.leaders import MOST_LEADERS, Appoint
from services.risk.play.resolving import EVENT_EFFECTS, gain_battalions
from services.risk.play.uprising import rise
from services.risk.tables import (
    EVENTS,
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

TURNED_OVER, MUSTERED = 3, 3
"""Territories that an event turns over; battalions for each of them, in a mustering."""


def _garrison(stem: str) -> Callable[[G, Seat], None]:
    event = GARRISON_EVENTS[stem]

    # A neutral holder is treated like one of the other alignment (RULES 13.1).
    def effect(g: G, seat: Seat) -> None:
        b = g.board
        holder = b.owner[event.land]
        if holder != NEUTRAL and b.settings.sides[holder] == event.friend:
            gain_battalions(g, event.land, event.gain)
        else:
            _lose_battalions(g, event.land, event.loss)

    return effect


def _lose_battalions(g: G, land: int, battalions: int) -> None:
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
        _lose_battalions(g, land, g.board.army[land] // 2)


def _mustering(g: G, lands: Sequence[int], seat: int) -> None:
    for land in lands:
        gain_battalions(g, land, MUSTERED)


_LANDS_EFFECTS: Mapping[str, Callable[[G, Sequence[int], int], None]] = {
    "winter_storms": _storms,
    "raiders": _raiders,
    "mustering_of_middle_earth": _mustering,
}
"""By event that turns cards over: what befalls their territories."""


def _turn_over(stem: str) -> Callable[[G, Seat], None]:
    return lambda g, seat: g.call(TurnOver(seat=seat, event=stem))


# Turning cards over. Wild cards are laid aside and replaced (RULES R18).


@dataclass(slots=True)
class TurnOver(Procedure):
    """Three Territory cards are turned over, and something befalls their territories."""

    seat: int = 0
    event: str = ""
    turned: tuple[int, ...] = ()

    script: ClassVar[tuple[str, ...]] = ("draw", "turn", "befall")

    def draw(self, g: G) -> None:
        aside = mask(self.turned)
        if self._count() < TURNED_OVER and can_draw_territory_card(g.board, aside):
            draw_territory_card(g, aside)
        else:
            self.go_to("befall")

    def _count(self) -> int:
        return sum([card < LANDS for card in self.turned])

    def turn(self, g: G) -> None:
        (card,) = self.got
        g.board.turn_over_territory_card(card)
        g.emit("turned_over", {"card": TERRITORY_CARDS[card]}, None)
        self.turned = (*self.turned, card)
        self.go_to("draw")

    def befall(self, g: G) -> None:
        lands = [card for card in self.turned if card < LANDS]
        _LANDS_EFFECTS[self.event](g, lands, self.seat)


# Local Uprising.


@dataclass(slots=True)
class Uprising(Procedure):
    """A Territory card lies secret before its drawer until he holds its territory."""

    seat: int = 0

    script: ClassVar[tuple[str, ...]] = ("draw", "keep")

    def draw(self, g: G) -> None:
        if can_draw_territory_card(g.board):
            draw_territory_card(g)
        else:
            g.done()

    def keep(self, g: G) -> None:
        (card,) = self.got
        b = g.board
        if card >= LANDS:
            b.turn_over_territory_card(card)
            g.emit("turned_over", {"card": TERRITORY_CARDS[card]}, None)
            self.go_to("draw")
            return
        name = b.name(self.seat)
        if b.held[self.seat] >> card & 1:
            b.turn_over_territory_card(card)
            rise(g, self.seat, card)
            return
        b.keep_secret(self.seat, card)
        g.emit("secret_kept", {"seat": name, "card": TERRITORY_CARDS[card]}, [self.seat])
        g.emit("secret_kept", {"seat": name}, everyone_but(b, self.seat))


EVENT_EFFECTS.update(
    {
        "appoint_second_leader": _appoint,
        "corsairs_of_umbar": _corsairs,
        "local_uprising": lambda g, seat: g.call(Uprising(seat=seat)),
        **{stem: _turn_over(stem) for stem in _LANDS_EFFECTS},
        **{stem: _garrison(stem) for stem in GARRISON_EVENTS},
    }
)
assert EVENT_EFFECTS.keys() == {STEM[card] for card in bits(EVENTS)}
