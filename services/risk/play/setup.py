"""The setup (RULES 3): deal, claim, reinforce, Leaders, hands, who begins; then the turns.

Order of reading: the match, claiming, placing battalions at random, Leaders. What a player decides
in one mode of setup, chance decides in another (RULES 3.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from services.core.decisions import CHANCE, Action, Pick, Seat
from services.core.frames import Game, Procedure, Question
from services.risk.board import Board
from services.risk.play.counts import PlaceByTurns, PlaceInSetup, tell_placed
from services.risk.play.dealing import Deal, DealDeeds, DealHands, deal, deal_plan, tell_land
from services.risk.play.dice import RollOff
from services.risk.play.turn import Turn
from services.risk.tables import ALL_LANDS, LANDS, NEAR, NOBODY, SHIELD, bits

G = Game[Board]

CROWDED = 6
"""Battalions in a territory that gets no more at random while another has fewer."""


class Ahead(NamedTuple):
    """Battalions that a seat places without being asked, one in each of its turns.

    All know where its last one went, and how many there can be at most; how many there are, the
    seat alone.
    """

    land: int
    left: int
    most: int


NOTHING_AHEAD = Ahead(0, 0, 0)


@dataclass(slots=True)
class Match(Procedure):
    """The whole game."""

    first: int = 0  # who begins what comes next
    seat: int = 0  # whose turn it is in the setup
    ordered: tuple[tuple[int, ...], ...] = ()  # by seat: what it has placed ahead, see Ahead

    script: ClassVar[tuple[str, ...]] = (
        "deal_territories",
        "roll_for_claims",
        "begin_claims",
        "claim",
        "reinforce",
        "place_ahead",
        "first_leaders",
        "second_leaders",
        "deal_territory_cards",
        "deal_adventure_cards",
        "roll_for_first_turn",
        "begin",
        "take_turn",
        "next_turn",
    )

    # S2-S4: each card drawn puts a battalion on its territory.
    def deal_territories(self, g: G) -> None:
        b = g.board
        for army, shield, share in deal_plan(b):
            pile = SHIELD[shield]
            lacking = share - (b.held[army] & pile).bit_count()
            left = b.held[NOBODY] & pile
            if lacking == left.bit_count():  # what is left is his: there is nothing to draw
                for land in bits(left):
                    deal(g, army, land)
            elif lacking:
                self.go_to("deal_territories")
                g.call(Deal(army=army, shield=shield))
                return

    def roll_for_claims(self, g: G) -> None:
        g.call(RollOff(seats=tuple(g.board.playing())))

    def begin_claims(self, g: G) -> None:
        self.first = self.seat = self.got[0]

    def claim(self, g: G) -> None:
        b = g.board
        if b.held[NOBODY]:
            self._seat_that_plays(b)
            chosen = ClaimByLot if b.settings.claims_at_random else Claim
            g.call(chosen(seat=self.seat))
            self.seat = b.after(self.seat)
            self.go_to("claim")

    # S7: who has run out is skipped.
    def reinforce(self, g: G) -> None:
        b = g.board
        if not any(b.reserve[seat] for seat in b.playing()):
            self.ordered = ()
            self.go_to("first_leaders")
            return
        self._seat_that_plays(b)
        left, batch = b.reserve[self.seat], b.settings.batch
        if not left:
            self._next_to_reinforce(b)
        elif b.settings.places_at_random:
            self.go_to("reinforce")
            g.call(Muster(seat=self.seat))
        elif batch > 1:
            g.call(PlaceInSetup(seat=self.seat, left=min(left, batch), lands=ALL_LANDS))
            self._next_to_reinforce(b)
        elif not self.ahead(self.seat).left:
            self._order(b, NOTHING_AHEAD)
            g.call(PlaceByTurns(seat=self.seat))

    def place_ahead(self, g: G) -> None:
        """One battalion where it was said, now or when the seat was last asked (RULINGS 19)."""
        b, seat = g.board, self.seat
        ahead = Ahead(*self.got) if self.got else self.ahead(seat)
        if ahead.left and b.is_in(seat):
            b.add(ahead.land, 1)
            b.spend_reserve(seat, 1)
            tell_placed(g, seat, ahead.land, 1)
            self._order(b, Ahead(ahead.land, ahead.left - 1, ahead.most - 1))
        self._next_to_reinforce(b)

    def _order(self, b: Board, ahead: Ahead) -> None:
        ordered = list(self.ordered or [tuple(NOTHING_AHEAD)] * len(b.seats))
        ordered[self.seat] = tuple(ahead)
        self.ordered = tuple(ordered)

    def ahead(self, seat: int) -> Ahead:
        """What a seat has placed ahead."""
        return Ahead(*self.ordered[seat]) if self.ordered else NOTHING_AHEAD

    def _next_to_reinforce(self, b: Board) -> None:
        self.seat = b.after(self.seat)
        self.go_to("reinforce")

    def first_leaders(self, g: G) -> None:
        self._station(g, 0)

    def second_leaders(self, g: G) -> None:
        self._station(g, 1)

    def _station(self, g: G, leaders: int) -> None:
        """Ask the first seat in setup order that has no more Leaders than these for another."""
        b = g.board
        for seat in b.from_seat(self.first if b.is_in(self.first) else b.after(self.first)):
            if b.leader_lands(seat).bit_count() <= leaders and without_leader(b, seat):
                self.go_to("second_leaders" if leaders else "first_leaders")
                g.call((StationByLot if b.settings.leads_at_random else Station)(seat=seat))
                return

    # S10 and S11: all 66 territory cards are shuffled together.
    def deal_territory_cards(self, g: G) -> None:
        g.call(DealDeeds())

    def deal_adventure_cards(self, g: G) -> None:
        g.call(DealHands())

    def roll_for_first_turn(self, g: G) -> None:
        g.call(RollOff(seats=tuple(g.board.playing())))

    def begin(self, g: G) -> None:
        b = g.board
        b.turn = self.got[0]
        g.emit("first_turn", {"seat": b.settings.seats[b.turn]}, None)

    def take_turn(self, g: G) -> None:
        g.board.number += 1
        g.call(Turn())

    # Effects of a seat that is out end when its turn would have come (RULES 9.5).
    def next_turn(self, g: G) -> None:
        b = g.board
        following = b.after(b.turn)
        passed = (b.turn + 1) % len(b.territory_cards)
        while passed != following:
            b.end_effects(passed)
            passed = (passed + 1) % len(b.territory_cards)
        b.turn = following
        self.go_to("take_turn")

    def _seat_that_plays(self, b: Board) -> None:
        if not b.is_in(self.seat):
            self.seat = b.after(self.seat)


# Claiming.

_CLAIMS = tuple(Action("claim", (land,)) for land in range(LANDS))


@dataclass(slots=True)
class Claim(Question[Board]):
    """A player puts a battalion on a territory that nobody holds (RULES S6)."""

    seat: int = 0
    prompt: ClassVar[str] = "setup.claim"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (self.seat,) if g.board.is_in(self.seat) else ()

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return [_CLAIMS[land] for land in bits(g.board.held[NOBODY])]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        (land,) = action.nouns
        g.board.give(land, self.seat, 1)
        if g.board.reserve[self.seat]:  # none left, only if others gave up while claiming
            g.board.spend_reserve(self.seat, 1)
        tell_land(g, "claimed", self.seat, land)
        g.done()


@dataclass(slots=True)
class ClaimByLot(Claim):
    """Chance does."""

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (CHANCE,)


# Placing at random.


def muster_weights(b: Board, seat: int) -> list[tuple[int, int]]:
    """The territories of a seat, each with its weight: borders thrice, crowded ones not at all."""
    held = b.held[seat]
    lands = bits(held)
    crowded = min(b.army[land] for land in lands) < CROWDED
    return [
        (land, 3 if NEAR[land] & ~held else 1)
        for land in lands
        if not crowded or b.army[land] < CROWDED
    ]


@dataclass(slots=True)
class Muster(Question[Board]):
    """Chance puts one battalion on a territory of a seat (RULES 3.1)."""

    seat: int = 0
    prompt: ClassVar[str] = "setup.muster"

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return [Action("muster", (land,)) for land, _ in muster_weights(g.board, self.seat)]

    def deal(self, g: G, pick: Pick) -> Action:
        weights = muster_weights(g.board, self.seat)
        drawn = pick(sum([weight for _, weight in weights]))
        for land, weight in weights:
            drawn -= weight
            if drawn < 0:
                return Action("muster", (land,))
        raise AssertionError

    def take(self, g: G, seat: Seat, action: Action) -> None:
        (land,) = action.nouns
        g.board.add(land, 1)
        g.board.spend_reserve(self.seat, 1)
        tell_land(g, "mustered", self.seat, land)
        g.done()


# Leaders.


def without_leader(b: Board, seat: int) -> int:
    """The territories of a seat where no Leader of his stands."""
    return b.held[seat] & ~b.led


@dataclass(slots=True)
class Station(Question[Board]):
    """A player puts a Leader on one of his territories (RULES S8, S9)."""

    seat: int = 0
    prompt: ClassVar[str] = "setup.leader"

    def choices(self, b: Board) -> int:
        """Where the Leader may go."""
        return without_leader(b, self.seat)

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (self.seat,) if g.board.is_in(self.seat) else ()

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return [Action("station", (land,)) for land in bits(self.choices(g.board))]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        (land,) = action.nouns
        g.board.led |= 1 << land
        tell_land(g, "leader_stationed", self.seat, land)
        g.done()


@dataclass(slots=True)
class StationByLot(Station):
    """Chance does: the first in a stronghold, the second among most battalions (RULES 3.1)."""

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (CHANCE,)

    def choices(self, b: Board) -> int:
        free = without_leader(b, self.seat)
        strong = free & b.settings.strongholds
        if strong and not b.leader_lands(self.seat):
            return strong
        most = max(b.army[land] for land in bits(free))
        return sum(1 << land for land in bits(free) if b.army[land] == most)
