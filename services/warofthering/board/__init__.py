"""Everything on the table, read in three parts: figures, tracks, piles; here copied and saved."""

from __future__ import annotations

from typing import Any, Self

from services.core.saving import number, numbers, parts, word
from services.warofthering.board.fight import Fight
from services.warofthering.board.figures import NO_FORCE, areas_in
from services.warofthering.board.piles import (
    ALL_KNOW,
    DISCARDED,
    FACE_DOWN,
    IN_DECK,
    IN_HAND,
    IN_PLAY,
    LAST_PILE,
    NO_HOLDER,
    ON_TABLE,
    Piles,
)
from services.warofthering.board.tracks import DRAWN_GAME, NO_SEAT, REASONS, UNDECIDED
from services.warofthering.settings import Settings
from services.warofthering.tables import (
    ANY_SEAT,
    AREA_COUNT,
    AT_WAR,
    CARD_COUNT,
    CHARACTERS,
    CRACK_OF_DOOM,
    FACES,
    FIGURE_COUNT,
    LARGEST_CORRUPTION,
    LARGEST_PROGRESS,
    NATIONS,
    NOBODY,
    OFF_TRACK,
    REGION_COUNT,
    TILE_COUNT,
    TILE_PILES,
    TOTALS,
)

__all__ = [
    "ALL_KNOW",
    "DISCARDED",
    "DRAWN_GAME",
    "FACE_DOWN",
    "IN_DECK",
    "IN_HAND",
    "IN_PLAY",
    "NO_FORCE",
    "NO_HOLDER",
    "NO_SEAT",
    "ON_TABLE",
    "REASONS",
    "UNDECIDED",
    "Board",
    "Fight",
    "areas_in",
]

_FLAGS = ("hidden", "acted_in_mordor", "free_die_hunted", "used_messenger", "minion_seen")


class Board(Piles):
    """One position of one game."""

    __slots__ = ("fight",)

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.fight: Fight | None = None  # the battle being fought; there is never another

    @property
    def battle(self) -> Fight:
        """The battle being fought, where there must be one."""
        assert self.fight is not None
        return self.fight

    def copy(self) -> Self:
        new = object.__new__(type(self))
        new.settings = self.settings
        new.counts = self.counts[:]
        new.units = self.units[:]
        new.armies = self.armies[:]
        new.leaders = self.leaders[:]
        new.led = self.led
        new.winged = self.winged
        new.places = self.places[:]
        new.control = self.control[:]
        new.captors = self.captors[:]
        new.mixed = self.mixed[:]
        new.leading = self.leading
        new.turn = self.turn
        new.result = self.result
        new.reason = self.reason
        new.politics = self.politics[:]
        new.active = self.active
        new.region = self.region
        new.mordor = self.mordor
        new.progress = self.progress
        new.hidden = self.hidden
        new.corruption = self.corruption
        new.guide = self.guide
        new.acted_in_mordor = self.acted_in_mordor
        new.tiles = self.tiles[:]
        new.dice = self.dice[:]
        new.hunt_shadow = self.hunt_shadow
        new.hunt_free = self.hunt_free
        new.free_die_hunted = self.free_die_hunted
        new.rings = self.rings
        new.acted = self.acted
        new.resting = self.resting
        new.ring_users = self.ring_users
        new.used_messenger = self.used_messenger
        new.tentative = self.tentative
        new.actions = self.actions
        new.minion_seen = self.minion_seen
        new.cards = self.cards[:]
        new.knowers = self.knowers[:]
        new.given = self.given[:]
        new.table = self.table
        new.fight = self.fight and self.fight.copy()
        return new

    def dump(self) -> list[Any]:
        """The board as whole numbers, strings and lists of these."""
        return [
            list(self.settings.options.items()),
            [[at, n] for at, n in enumerate(self.counts) if n],
            list(self.control),
            list(self.captors),
            list(self.mixed),
            list(self.leading),
            [self.turn, self.result, self.reason],
            [list(self.politics), self.active],
            [self.region, self.mordor, self.progress, self.corruption, self.guide],
            [int(getattr(self, flag)) for flag in _FLAGS],
            list(self.tiles),
            [list(self.dice), self.hunt_shadow, self.hunt_free, self.tentative],
            [*self.rings, self.ring_users],
            [*self.acted, *self.resting],
            list(self.cards),
            list(self.knowers),
            list(self.given),
            self.fight.dump() if self.fight else [],
        ]

    @classmethod
    def load(cls, settings: Settings, saved: list[Any]) -> Board:
        """The board that `dump` saved, its options already agreed; `Invalid` if it did not."""
        b = cls(settings)
        (_, counts, control, captors, mixed, leading, end, politics, ring, flags, tiles, dice,
         rings, acted, cards, knowers, given, fight) = parts(saved, 18)  # fmt: skip
        b._load_figures(counts)
        seats = len(settings.seats)
        b.control = bytearray(numbers(control, REGION_COUNT, 0, NOBODY))
        b.captors = bytearray(numbers(captors, REGION_COUNT, 0, ANY_SEAT))
        b.mixed = bytearray(numbers(mixed, AREA_COUNT, 0, 1))
        b.leading = tuple(numbers(leading, 2, 0, seats - 1))
        b._load_end(end)
        boxes, active = parts(politics, 2)
        b.politics = bytearray(numbers(boxes, len(NATIONS), 1, AT_WAR))
        b.active = number(active, 0, (1 << len(NATIONS)) - 1)
        b._load_fellowship(ring)
        for flag, value in zip(_FLAGS, numbers(flags, len(_FLAGS), 0, 1), strict=True):
            setattr(b, flag, bool(value))
        b.tiles = bytearray(numbers(tiles, TILE_PILES * TILE_COUNT, 0, 9))
        faces, shadow, free, tentative = parts(dice, 4)
        b.dice = bytearray(numbers(faces, 2 * len(FACES), 0, 20))
        b.hunt_shadow, b.hunt_free = number(shadow, 0, 20), number(free, 0, 20)
        b.tentative = number(tentative, 0, NO_SEAT)
        *held, b.ring_users = numbers(rings, 3, 0, 15)
        b.rings = (held[0], held[1])
        nations, areas, resting, where = numbers(acted, 4, 0, (1 << AREA_COUNT) - 1)
        b.acted, b.resting = (nations, areas), (resting, where)
        b.cards = bytearray(numbers(cards, CARD_COUNT, 0, LAST_PILE))
        b.knowers = bytearray(numbers(knowers, CARD_COUNT, 0, ALL_KNOW))
        b.given = bytearray(numbers(given, CARD_COUNT, 0, seats))
        b.table = sum(1 << card for card, pile in enumerate(b.cards) if pile == ON_TABLE)
        b.fight = Fight.load(fight) if fight else None
        return b

    def _load_figures(self, saved: object) -> None:
        self.counts = bytearray(AREA_COUNT * FIGURE_COUNT)
        self.units = bytearray(2 * AREA_COUNT)
        self.armies = [0, 0]
        self.leaders = bytearray(AREA_COUNT)
        self.led = self.winged = 0
        self.places = bytearray([OFF_TRACK]) * len(CHARACTERS)
        for pair in parts(saved, None):
            at, count = numbers(pair, 2, 0, AREA_COUNT * FIGURE_COUNT - 1)
            self.add(*divmod(at, FIGURE_COUNT), number(count, 1, max(TOTALS)))

    def _load_end(self, saved: object) -> None:
        turn, result, reason = parts(saved, 3)
        self.turn = number(turn, 1, 1 << 30)
        self.result = number(result, UNDECIDED, DRAWN_GAME)
        self.reason = word(reason, REASONS)

    def _load_fellowship(self, saved: object) -> None:
        region, mordor, progress, corruption, guide = parts(saved, 5)
        self.region = number(region, 0, REGION_COUNT - 1)
        self.mordor = number(mordor, 0, OFF_TRACK if mordor == OFF_TRACK else CRACK_OF_DOOM)
        self.progress = number(progress, 0, LARGEST_PROGRESS)
        self.corruption = number(corruption, 0, LARGEST_CORRUPTION)
        self.guide = number(guide, CHARACTERS.start, CHARACTERS.stop)
