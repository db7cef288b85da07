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
from services.risk.play.orders import ORDERS_OFFERED, give, is_order, may_change
from services.risk.play.playable import TURN_START, admitted
from services.risk.play.resolving import resolve
from services.risk.play.windows import play, plays
from services.risk.tables import (
    ALL_LANDS,
    BONUS,
    MOST_TERRITORY_CARDS,
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
    b.spend_territory_cards(seat, mask(cards))
    names = [TERRITORY_CARDS[card] for card in cards]
    g.emit("set_turned_in", {"seat": b.name(seat), "cards": names, "battalions": value}, None)
    return value


# Cards of the turn's start are choices of the first question of a turn, which is asked in any case.


def first_plays(b: Board, seat: int) -> tuple[Action, ...]:
    """The cards that a seat may play as its turn begins."""
    return plays(b, seat, admitted(b, TURN_START, seat)) if b.hands[seat] else ()


def play_first(g: G, seat: int, card: int) -> None:
    """Play one of them."""
    play(g, seat, card)
    resolve(g, seat, card)


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
    sets: int = 0  # that were turned in

    script: ClassVar[tuple[str, ...]] = ("count", "offer_set", "take_set", "place")

    def count(self, g: G) -> None:
        b = g.board
        held = b.held[self.seat]
        lands, regions = max(LEAST_FOR_LANDS, held.bit_count() // 3), region_bonus(b, self.seat)
        strongholds = bits(held & b.settings.strongholds)
        for land in strongholds:
            b.add(land, 1)
        self.battalions = lands + regions
        facts = {"seat": b.name(self.seat), "territories": lands, "regions": regions}
        names = [TERRITORIES[land] for land in strongholds]
        g.emit("reinforced", {**facts, "strongholds": names}, None)

    # Who holds five or more must; with fewer he may, while he places.
    def offer_set(self, g: G) -> None:
        if g.board.territory_cards[self.seat].bit_count() >= MOST_TERRITORY_CARDS:
            g.call(TurnIn(seat=self.seat, first=int(not self.sets)))

    def take_set(self, g: G) -> None:
        if self.got:
            self.battalions += turn_in(g, self.seat, self.got)
            self.sets += 1
            self.go_to("offer_set")

    def place(self, g: G) -> None:
        may_change(g.board, self.seat)
        first = int(not self.sets)
        g.call(
            PlaceReinforcements(seat=self.seat, left=self.battalions, lands=ALL_LANDS, first=first)
        )


@dataclass(slots=True)
class PlaceReinforcements(Place):
    """A player places what he receives; with three or four cards he may turn a set in as well.

    Before he places any he may play cards, unless he has turned a set in, and give standing orders.
    He is asked the same whatever his cards are, so that all others learn nothing.
    """

    first: int = 0  # nothing was turned in or placed this turn

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        b, actions = g.board, Place.legal(self, g, seat)
        if self.land != NOWHERE:
            return actions
        if b.territory_cards[seat].bit_count() >= SET:
            actions = (*actions, *sets_in(b.territory_cards[seat]))
        if self.planned:
            return actions
        cards = first_plays(b, seat) if self.first else ()
        return (*actions, *cards, *ORDERS_OFFERED[b.orders[seat]])

    def take(self, g: G, seat: Seat, action: Action) -> None:
        if action.verb == "turn_in":
            self.first = 0
            self.left += turn_in(g, self.seat, action.nouns)
        elif action.verb == "play":
            play_first(g, seat, action.nouns[0])
        elif is_order(action):
            give(g.board, seat, action)
        else:
            Place.take(self, g, seat, action)


@dataclass(slots=True)
class TurnIn(Question[Board]):
    """A player with too many cards turns three of them in; five always hold a set."""

    seat: int = 0
    first: int = 0  # it is the first question of a turn
    prompt: ClassVar[str] = "reinforce.set"
    neutral: ClassVar[bool] = True

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (self.seat,)

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        sets = sets_in(g.board.territory_cards[self.seat])
        return (*sets, *first_plays(g.board, seat)) if self.first else sets

    def take(self, g: G, seat: Seat, action: Action) -> None:
        if action.verb == "play":
            play_first(g, seat, action.nouns[0])
        else:
            g.done(*action.nouns)
