"""Everything on the table: where each piece stands, what is shown, hands, and what has been seen.

Pieces are numbered: 0 … 8 are Good's, 9 … 17 Dark's. A piece is a tile; the character it shows is
its face. Flat arrays throughout: a copy is a handful of small copies.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Any, Self

from services.confrontation.settings import Settings
from services.confrontation.tables import (
    CAPACITY,
    CHARACTERS,
    DARK,
    FULL_HAND,
    GOOD,
    NOBODY,
    NOWHERE,
    PLACES,
    STAYS_SHOWN,
    TAG,
    TILES,
)
from services.confrontation.worlds import PIECES, Link, Trail, put, seen, trail_of
from services.core.canonical import canonical
from services.core.saving import number, numbers, parts, word

PIECES_OF = (range(PIECES), range(PIECES, 2 * PIECES))
ALL_PIECES = range(2 * PIECES)

FREE, MUST, BARRED = range(3)
"""What a card makes of the obliged piece: nothing, the one that moves, or the one that may not."""

UNDECIDED, DRAWN = -1, 2
"""Results beside the two sides."""

REASONS = (
    "",
    "ring_in_mordor",
    "ring_bearer_defeated",
    "shire_overrun",
    "witch_king_in_shire",
    "no_move_left",
    "turn_limit",
    "forfeit",
)
"""Why a game ended; empty while it goes on."""


class Board:
    """One position of one game. `turn` is a side; seats and sides differ in a second game."""

    __slots__ = (
        "bearer",
        "count",
        "duty",
        "face",
        "faced",
        "fixed",
        "game",
        "gazed",
        "hands",
        "mark",
        "place",
        "ply",
        "points",
        "reason",
        "result",
        "settings",
        "shown",
        "specials",
        "struck",
        "trails",
        "turn",
    )

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.game = 0  # of the match, from 0
        self.points: tuple[int, ...] = (0, 0)  # by seat, over the games of the match
        self.clear()

    def clear(self) -> None:
        """Begin a game: nothing placed, all hands full."""
        self.place = bytearray([NOWHERE]) * (2 * PIECES)
        self.count = bytearray(2 * PLACES)  # by side and place
        self.count[NOWHERE] = self.count[PLACES + NOWHERE] = PIECES
        self.face = bytearray([NOBODY]) * (2 * PIECES)
        self.faced = 0  # pieces whose character the opponent knows of
        self.shown = 0  # pieces shown this turn
        self.fixed = 0  # pieces shown for good
        self.gazed = 0  # pieces shown by the Palantír
        self.hands = FULL_HAND
        self.specials = 0  # special cards chosen and not yet used
        self.turn = DARK
        self.ply = 0
        self.struck = False  # the Orcs' strike is spent
        self.bearer = NOBODY
        self.mark = NOBODY  # the piece that a card obliges
        self.duty = FREE
        self.result = UNDECIDED
        self.reason = ""
        self.trails: tuple[Trail | None, ...] = (None, None)  # by side: what its opponent has seen

    def copy(self) -> Self:
        new = object.__new__(type(self))
        new.settings = self.settings
        new.game = self.game
        new.points = self.points
        new.place = self.place[:]
        new.count = self.count[:]
        new.face = self.face[:]
        new.faced = self.faced
        new.shown = self.shown
        new.fixed = self.fixed
        new.gazed = self.gazed
        new.hands = self.hands
        new.specials = self.specials
        new.turn = self.turn
        new.ply = self.ply
        new.struck = self.struck
        new.bearer = self.bearer
        new.mark = self.mark
        new.duty = self.duty
        new.result = self.result
        new.reason = self.reason
        new.trails = self.trails
        return new

    # Who sits where.

    def seat_of(self, side: int) -> int:
        """The seat that plays a side in this game of the match."""
        return side ^ self.game

    def side_of(self, seat: int) -> int:
        """The side that a seat plays in this game of the match."""
        return seat ^ self.game

    # Pieces and places.

    def number_at(self, side: int, place: int) -> int:
        """How many pieces a side has there."""
        return self.count[side * PLACES + place]

    def has_room(self, side: int, place: int) -> bool:
        """Whether one more piece of this side may stand there."""
        return self.count[side * PLACES + place] < CAPACITY[place]

    def pieces_at(self, side: int, place: int) -> list[int]:
        """The pieces of a side that stand there."""
        found, start = [], side * PIECES
        end = start + PIECES
        while (piece := self.place.find(place, start, end)) >= 0:
            found.append(piece)
            start = piece + 1
        return found

    def pieces_in_play(self, side: int) -> list[int]:
        """The pieces of a side that are on the board."""
        return [piece for piece in PIECES_OF[side] if self.place[piece] != NOWHERE]

    def fallen(self, side: int) -> list[int]:
        """The pieces of a side that were defeated."""
        return [
            piece
            for piece in PIECES_OF[side]
            if self.place[piece] == NOWHERE and self.face[piece] != NOBODY
        ]

    def piece_of(self, character: int) -> int:
        """The piece that shows this character, or `NOBODY`."""
        piece = self.face.find(character)
        return piece if piece >= 0 else NOBODY

    def tagged(self, side: int, tag: str) -> int:
        """The piece in play, of either face, that texts call by this tag, or `NOBODY`."""
        for piece in PIECES_OF[side]:
            if self.place[piece] != NOWHERE and TAG[self.face[piece]] == tag:
                return piece
        return NOBODY

    def move(self, piece: int, to: int) -> None:
        """Put a piece somewhere else, seen or unseen."""
        base = PLACES if piece >= PIECES else 0
        self.count[base + self.place[piece]] -= 1
        self.count[base + to] += 1
        self.place[piece] = to

    # What is seen.

    def is_shown(self, piece: int) -> bool:
        """Whether the opponent sees which character this is."""
        return bool((self.shown | self.fixed | self.gazed) >> piece & 1)

    def is_immobile(self, piece: int) -> bool:
        """Whether a piece that was shown must stay where it is."""
        return bool(self.fixed >> piece & 1) and self.face[piece] in STAYS_SHOWN

    def is_nameable(self, piece: int) -> bool:
        """Whether an attacker may name this defender: it has been shown this turn."""
        if self.settings.names_shown:
            return bool((self.shown | self.gazed) >> piece & 1)
        return bool(self.gazed >> piece & 1)

    def see(self, side: int, link: Link) -> None:
        """Note what a side's opponent has seen of its pieces."""
        good, dark = self.trails
        if side == GOOD:
            self.trails = (Trail(good, link), dark)
        else:
            self.trails = (good, Trail(dark, link))

    def show(self, piece: int) -> None:
        """Turn a piece to the opponent, until it is concealed."""
        bit = 1 << piece
        if not (self.shown | self.fixed | self.gazed) & bit:
            side, number = divmod(piece, PIECES)
            self.see(side, seen(number, self.place[piece], self._face_bits(piece)))
            self.faced |= bit
        self.shown |= bit
        if self.face[piece] in STAYS_SHOWN:
            self.fixed |= 1 << piece

    def relocate(self, piece: int, to: int) -> None:
        """Move a piece that everyone sees. Where it has left, it is hidden again."""
        self.see(piece // PIECES, put(piece % PIECES, to))
        self.move(piece, to)
        self.hide(piece)

    def hide(self, piece: int) -> None:
        """Turn a piece away again, unless it is shown for good."""
        self.shown &= ~(1 << piece)
        self.gazed &= ~(1 << piece)

    def _face_bits(self, piece: int) -> int:
        """Which face of its tile a piece shows, as a trail notes it; 0 where all know it."""
        if self.faced >> piece & 1:
            return 0
        return 1 + face_number(self.face[piece], piece)

    # Cards.

    def used(self, side: int) -> int:
        """The cards of this cycle already spent, as a set of bits."""
        return FULL_HAND[side] & ~self.hands[side]

    def spend(self, side: int, card: int) -> None:
        """Lay a card among the used ones."""
        self._hold(side, self.hands[side] & ~(1 << card))

    def take_back(self, side: int, card: int) -> None:
        """Take a card from the used ones into the hand."""
        self._hold(side, self.hands[side] | 1 << card)

    def refill(self) -> None:
        """Take all nine cards back, once the ninth has been spent."""
        for side in (GOOD, DARK):
            if not self.hands[side]:
                self._hold(side, FULL_HAND[side])

    def _hold(self, side: int, cards: int) -> None:
        self.hands = (cards, self.hands[1]) if side == GOOD else (self.hands[0], cards)

    # Saving.

    def dump(self) -> list[Any]:
        """The board as whole numbers, strings and lists of these."""
        return [
            list(self.settings.options.items()),
            [self.game, *self.points],
            list(self.place),
            list(self.face),
            [self.faced, self.shown, self.fixed, self.gazed],
            [*self.hands, self.specials],
            [self.turn, self.ply, int(self.struck)],
            [self.bearer, self.mark, self.duty],
            [self.result, self.reason],
            [trail.links() if trail else [] for trail in self.trails],
        ]

    def gist(self) -> str:
        """What tells this board from others with the same past: of a trail, its latest link."""
        good, dark = self.trails
        links = good and good.link, dark and dark.link
        return canonical((self.settings.text, _told_apart_by(self), links))

    @classmethod
    def load(cls, settings: Settings, saved: list[Any]) -> Board:
        """The board that `dump` saved, its options already agreed; `Invalid` if it did not."""
        _, match, place, face, shown, cards, turn, ring, end, trails = parts(saved, 10)
        b = cls(settings)
        b.game, *points = numbers(match, 3, 0, 2 * PIECES)
        b.points = tuple(points)
        b.place = bytearray(numbers(place, len(ALL_PIECES), 0, NOWHERE))
        b.face = bytearray(
            number(who, 0, NOBODY if who == NOBODY else len(CHARACTERS) - 1)
            for who in numbers(face, len(ALL_PIECES), 0, NOBODY)
        )
        b.count = bytearray(2 * PLACES)
        for piece in ALL_PIECES:
            b.count[(piece // PIECES) * PLACES + b.place[piece]] += 1
        b.faced, b.shown, b.fixed, b.gazed = numbers(shown, 4, 0, (1 << len(ALL_PIECES)) - 1)
        good, dark, b.specials = numbers(cards, 3, 0, FULL_HAND[GOOD] | FULL_HAND[DARK])
        b.hands = (good & FULL_HAND[GOOD], dark & FULL_HAND[DARK])
        side, ply, struck = parts(turn, 3)
        b.turn, b.ply = number(side, GOOD, DARK), number(ply, 0, 1 << 40)
        b.struck = bool(number(struck, 0, 1))
        b.bearer, b.mark, b.duty = numbers(ring, 3, 0, NOBODY)
        result, reason = parts(end, 2)
        b.result, b.reason = number(result, UNDECIDED, DRAWN), word(reason, REASONS)
        b.trails = tuple(trail_of(links) for links in parts(trails, 2))
        return b


TOLD_APART_BY = (
    "place", "face", "faced", "shown", "fixed", "gazed", "hands", "specials", "turn", "ply",
    "struck", "bearer", "mark", "duty", "result", "reason", "game", "points",
)  # fmt: skip
"""What tells boards apart, in the order of docs/positions.md."""
_told_apart_by = attrgetter(*TOLD_APART_BY)


def face_number(character: int, piece: int) -> int:
    """Which face of a drafted tile this character is, 0 or 1."""
    side, number = divmod(piece, PIECES)
    return TILES[side][number].index(character)


def bits(cards: int) -> list[int]:
    """The members of a set of bits, in ascending order."""
    return [n for n in range(cards.bit_length()) if cards >> n & 1]


def anyone_at(board: Board, place: int) -> bool:
    """Whether a piece of either side stands there."""
    return bool(board.count[place] or board.count[PLACES + place])


def name_of(board: Board, piece: int) -> str:
    """The id of the character that a piece shows."""
    return CHARACTERS[board.face[piece]].key
