"""Who holds which territory with how many, where the Leaders and the Ring stand; seats and turn.

Territories are numbers; a set of them is one whole number with a bit for each.
"""

from __future__ import annotations

from array import array
from functools import lru_cache
from typing import NamedTuple

from services.risk.settings import Settings
from services.risk.tables import ALL_LANDS, BRIDGE_ENDS, LANDS, NEAR, NEUTRAL, NOBODY, bits

STORMS, BLOCK, CORSAIRS = range(3)
"""Effects that last: a set of territories, a bridge, nothing more."""
SAILS, UNWALLED, UNDERGROUND = 1, 2, 4
"""What cards make of an invasion: Black Sails, no bonus for a stronghold, a way below mountains."""

REASONS = ("", "ring_destroyed", "last_player")
"""Why a game ended; empty while it goes on."""


@lru_cache(maxsize=1000)
def near_without(bridges: int) -> tuple[int, ...]:
    """By territory: the adjacent ones, were these bridges not there."""
    near = list(NEAR)
    for bridge in bits(bridges):
        one, other = BRIDGE_ENDS[bridge]
        near[one] &= ~(1 << other)
        near[other] &= ~(1 << one)
    return tuple(near)


@lru_cache(maxsize=1000)
def _clockwise(seats: int, gone: tuple[int, ...], first: int) -> tuple[int, ...]:
    order = [(first + step) % seats for step in range(seats)]
    return tuple([seat for seat in order if seat not in gone])


class Lasting(NamedTuple):
    """An effect of a card that lasts until the next turn of its seat would begin."""

    kind: int  # one of the three above
    of: int  # what they say: a set of territories, a bridge, nothing
    seat: int


class Lands:
    """The map and those around it."""

    __slots__ = (
        "army",
        "blocked",
        "boons",
        "conquered",
        "extra_cards",
        "gone",
        "held",
        "lasting",
        "led",
        "locked",
        "moves_left",
        "number",
        "orders",
        "orders_maybe",
        "owner",
        "placing",
        "reason",
        "reserve",
        "rested",
        "ring",
        "roll_more",
        "settings",
        "sited",
        "stands",
        "stands_seen",
        "stormed",
        "taxed",
        "turn",
    )

    def __init__(self, settings: Settings) -> None:
        seats = len(settings.seats)
        self.settings = settings
        self.owner = bytearray([NOBODY]) * LANDS
        self.army = array("q", [0]) * LANDS
        self.held = [0] * NOBODY + [ALL_LANDS]  # by army: its territories
        self.led = 0  # the territories with a Leader
        self.ring = 0  # of its path, from 0
        self.reserve: tuple[int, ...] = (settings.battalions,) * seats  # to be placed in the setup
        self.turn = 0
        self.number = 0  # of turns begun
        self.gone: tuple[int, ...] = ()  # seats that are out, the first one first
        self.conquered = 0  # of the turn: something was conquered
        self.sited = 0  # of the turn: a Leader conquered a site of power
        self.extra_cards = 0  # of the turn: territory cards earned by missions
        self.moves_left = 0  # of the turn: fortify moves
        self.boons = 0  # of the invasion: what cards have made of it
        self.roll_more = 0  # of the Fellowship's step: what cards add to its roll
        self.locked = 0  # of the turn: seats that may play no more cards
        self.rested = 0  # of the turn: where a Leader must stay who completed a mission
        self.stands = 0  # seats that defend with two dice unasked; each knows it of itself alone
        self.stands_seen = 0  # seats of which all have seen whether they do, and nothing since
        self.orders: tuple[int, ...] = (0,) * seats  # what each is asked, see play/orders
        self.orders_maybe: tuple[int, ...] = (1,) * seats  # a set: what all know they can be
        self.lasting: tuple[Lasting, ...] = ()
        self.placing: tuple[int, ...] = ()  # by seat, how many stand below it; empty until the end
        self.reason = ""
        self.derive()

    # Seats.

    @property
    def seats(self) -> range:
        """Every seat, those that are out included."""
        return range(len(self.settings.seats))

    def name(self, army: int) -> str:
        """What texts call an army: its colour, or neutral."""
        return "neutral" if army == NEUTRAL else self.settings.seats[army]

    def is_in(self, seat: int) -> bool:
        """Whether a seat still plays."""
        return seat not in self.gone

    def playing(self) -> list[int]:
        """The seats that are not out."""
        return [seat for seat in self.seats if seat not in self.gone]

    def after(self, seat: int) -> int:
        """The next seat clockwise that is not out."""
        count = len(self.settings.seats)
        return _clockwise(count, self.gone, (seat + 1) % count)[0]

    def from_seat(self, seat: int) -> tuple[int, ...]:
        """The seats that still play, clockwise from this one."""
        return _clockwise(len(self.settings.seats), self.gone, seat)

    # Territories.

    def give(self, land: int, army: int, battalions: int) -> None:
        """A territory changes hands; this number of battalions stands in it then."""
        bit = 1 << land
        self.held[self.owner[land]] &= ~bit
        self.held[army] |= bit
        self.owner[land] = army
        self.army[land] = battalions

    def add(self, land: int, battalions: int) -> None:
        """Put battalions into a territory; a negative number takes some away."""
        self.army[land] += battalions

    def lose(self, land: int, battalions: int) -> int:
        """Take battalions away, never the last; how many they were."""
        lost = min(battalions, self.army[land] - 1)
        self.army[land] -= lost
        return lost

    def leader_lands(self, seat: int) -> int:
        """Where a seat's Leaders stand."""
        return self.led & self.held[seat]

    def has_leader(self, land: int) -> bool:
        """Whether a Leader stands there: its holder's."""
        return bool(self.led >> land & 1)

    def ways(self, land: int, *, led: bool) -> int:
        """The adjacent territories that a group may enter from here, with or without a Leader.

        A bridge that You Shall Not Pass! blocks is open to groups with a Leader. Where none is
        blocked, which is nearly always, the printed neighbours are the answer.
        """
        near = NEAR if led or not self.blocked else near_without(self.blocked)
        return near[land]

    def move_leader(self, start: int, to: int) -> None:
        """A Leader goes somewhere else."""
        self.led = self.led & ~(1 << start) | 1 << to

    def battalions_of(self, army: int) -> int:
        """All battalions of an army."""
        return sum([self.army[land] for land in bits(self.held[army])])

    def spend_reserve(self, seat: int, battalions: int) -> None:
        """Take battalions from those that a seat has yet to place in the setup."""
        left = list(self.reserve)
        left[seat] -= battalions
        self.reserve = tuple(left)

    # Effects that last.

    def begin_effect(self, kind: int, of: int, seat: int) -> None:
        """An effect holds until the next turn of this seat would begin."""
        self.lasting = (*self.lasting, Lasting(kind, of, seat))
        self.derive()

    def end_effects(self, seat: int) -> list[Lasting]:
        """The effects of this seat are over; which they were."""
        ended = [effect for effect in self.lasting if effect.seat == seat]
        if ended:
            self.lasting = tuple(effect for effect in self.lasting if effect.seat != seat)
            self.derive()
        return ended

    def derive(self) -> None:
        """Work out again what follows from the effects that last."""
        self.stormed = 0  # territories that nobody may invade or invade from
        self.blocked = 0  # bridges that only a Leader opens
        self.taxed = False  # invasions by sea cost battalions
        for effect in self.lasting:
            if effect.kind == STORMS:
                self.stormed |= effect.of
            elif effect.kind == BLOCK:
                self.blocked |= 1 << effect.of
            else:
                self.taxed = True
