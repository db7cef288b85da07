"""What an opponent may infer about hidden pieces, exactly (RULES 12.4).

Design. All that a side shows of its pieces is a chain of short tuples of whole numbers, a *trail*,
shared by copies of a game and never changed. From it follows the set of *worlds*: every assignment
of that side's nine pieces to places, with the piece that a card obliges and the faces of tiles that
were drafted unseen. The set is made only when somebody asks, from the set one link before it, and
kept while there is room. It does not depend on the truth, so what is drawn from it cannot tell the
truth: `guess` and the inferences of a view both come from here.

A world is one whole number: five bits a piece for its place, four for the obliged piece plus one,
two a piece for a face that is known (1, 2) or not (0).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import combinations

from services.confrontation.tables import NOWHERE, TUNNEL
from services.core.errors import Invalid
from services.core.saving import number, numbers, parts

START, MOVED, ABLE, AT, PUT, MARK, UNMARK = range(7)
"""What a link of a trail says, as its first number."""

ANY, OBLIGED, OTHERS = range(3)
"""Which pieces a link speaks of."""

PIECES = 9
_BITS = 5  # of a place
_PLACE = (1 << _BITS) - 1
_MARK_AT = _BITS * PIECES
_MARK = 15 << _MARK_AT
_FACE_AT = _MARK_AT + 4
_EITHER = 3
"""Both bits of a face: it could be the first or the second."""

ROOM = 1_500_000
"""Worlds that are kept, over all games; the longest unused are forgotten first."""

Link = tuple[int, ...]
Masks = tuple[int, int]
"""The pieces that could have done something, a bit for each, by the face that they show; both are
the same where the roster is known."""


# What can be seen, each as a link.


def started(counts: Iterable[int]) -> Link:
    """All were placed: a count for each region."""
    return (START, *counts)


def moved(start: int, to: int, could: Masks, which: int = ANY, *, obliges: bool = False) -> Link:
    """A hidden piece went from one place to another; it may have become the obliged one."""
    return (MOVED, start, to, *could, which, int(obliges))


def able(which: int, groups: Iterable[int]) -> Link:
    """Some piece could move: for each region, the region and the two masks."""
    return (ABLE, which, *groups)


def seen(piece: int, place: int, face: int) -> Link:
    """A piece was shown; its face is 1 or 2, or 0 where it was known."""
    return (AT, piece, place, face)


def put(piece: int, place: int) -> Link:
    """A piece that all can see went somewhere, or left the game."""
    return (PUT, piece, place)


def marked(place: int, could: Masks) -> Link:
    """A card obliged one of the hidden pieces in a place."""
    return (MARK, place, *could)


UNMARKED: Link = (UNMARK,)
"""No piece is obliged any more."""


# Trails.


class Trail:
    """One side's trail: its last link, and the trail before it."""

    __slots__ = ("before", "link")

    def __init__(self, before: Trail | None, link: Link) -> None:
        self.before = before
        self.link = link

    def links(self) -> list[Link]:
        """Every link, the first one first."""
        links, trail = [], self
        while trail.before is not None:
            links.append(trail.link)
            trail = trail.before
        return [trail.link, *reversed(links)]


def trail_of(links: object) -> Trail | None:
    """The trail with these links, read back; `Invalid` if they are none."""
    trail = None
    for link in parts(links, None):
        whole = numbers(link, None, 0, _LARGEST)
        kind = number(whole[0] if whole else None, START, UNMARK)
        spare = len(whole) - _LENGTHS[kind]
        if spare and (kind != ABLE or spare < 0 or spare % 3):
            raise Invalid("this is no link of a trail", said=repr(link)[:80])
        trail = _read(trail, tuple(whole))
    return trail


@lru_cache(maxsize=10_000)
def _read(before: Trail | None, link: Link) -> Trail:
    """The same trail as when it was last read, with which its worlds may have been kept."""
    return Trail(before, link)


_LENGTHS = {START: 1 + TUNNEL, MOVED: 7, ABLE: 2, AT: 4, PUT: 3, MARK: 4, UNMARK: 1}
_LARGEST = (1 << PIECES) - 1


def world_of(places: Iterable[int], obliged: int | None) -> int:
    """The world with these places of the pieces, and no face known."""
    mark = 0 if obliged is None else obliged + 1
    return sum(place << _BITS * piece for piece, place in enumerate(places)) | mark << _MARK_AT


def place_of(world: int, piece: int) -> int:
    """Where a piece, counted from 0 within its side, stands in this world."""
    return world >> _BITS * piece & _PLACE


def obliged_in(world: int) -> int | None:
    """The piece that a card speaks of in this world, if any."""
    mark = world >> _MARK_AT & 15
    return mark - 1 if mark else None


def face_in(world: int, piece: int) -> int | None:
    """Which of its two faces a tile shows in this world, `None` where it may be either."""
    face = world >> _FACE_AT + 2 * piece & _EITHER
    return face - 1 if face else None


def worlds(trail: Trail) -> tuple[int, ...]:
    """Every world that agrees with the trail, in ascending order."""
    missing: list[Trail] = []
    known, at = _kept.find(trail), trail
    while known is None:
        missing.append(at)
        if at.before is None:
            break
        at = at.before
        known = _kept.find(at)
    found = known or ()
    for at in reversed(missing):
        found = tuple(sorted(_LINKS[at.link[0]](found, at.link)))
        _kept.keep(at, found)
    return found


class _Kept:
    """The sets of worlds made lately, within a budget."""

    def __init__(self) -> None:
        self._sets: OrderedDict[Trail, tuple[int, ...]] = OrderedDict()
        self._size = 0

    def find(self, trail: Trail) -> tuple[int, ...] | None:
        found = self._sets.get(trail)
        if found is not None:
            self._sets.move_to_end(trail)
        return found

    def keep(self, trail: Trail, found: tuple[int, ...]) -> None:
        self._sets[trail] = found
        self._size += len(found)
        while self._size > ROOM and len(self._sets) > 1:
            self._size -= len(self._sets.popitem(last=False)[1])


_kept = _Kept()

Worlds = Iterable[int]


# By kind of link: the worlds that agree with it, of those before it.


def _after_start(_: Worlds, link: Link) -> Iterator[int]:
    """Every placement with the counts seen."""
    counts = [(place, count) for place, count in enumerate(link[1:]) if count]

    def place_next(free: tuple[int, ...], at: int, world: int) -> Iterator[int]:
        if at == len(counts):
            unused = sum((1 << _BITS * piece) * NOWHERE for piece in range(PIECES) if piece >= size)
            yield world | unused
            return
        place, count = counts[at]
        for chosen in combinations(free, count):
            rest = tuple(piece for piece in free if piece not in chosen)
            yield from place_next(rest, at + 1, world | sum(place << _BITS * p for p in chosen))

    size = sum(count for _, count in counts)
    yield from place_next(tuple(range(size)), 0, 0)


def _after_move(before: Worlds, link: Link) -> set[int]:
    _, start, to, first, second, which, obliges = link
    found: set[int] = set()
    for piece in range(PIECES):
        able = _able(piece, start, first, second, which)
        step = (to - start) << _BITS * piece
        if obliges:
            mark = piece + 1 << _MARK_AT
            found.update((w & ~_MARK) + step | mark for w in able(before))
        else:
            found.update(w + step for w in able(before))
    return found


def _able(
    piece: int, place: int, first: int, second: int, which: int
) -> Callable[[Worlds], Iterable[int]]:
    """The worlds in which this piece stands there and is one that could, its face noted."""
    could = (first >> piece & 1) + 2 * (second >> piece & 1)
    mask, at = _PLACE << _BITS * piece, place << _BITS * piece
    mark, marked = piece + 1 << _MARK_AT, which == OBLIGED
    face_mask, face = _EITHER << _FACE_AT + 2 * piece, could << _FACE_AT + 2 * piece

    def keep(before: Worlds) -> Iterable[int]:
        there: Iterable[int] = [w for w in before if w & mask == at] if could else ()
        if which != ANY:
            there = [w for w in there if (w & _MARK == mark) is marked]
        if could == _EITHER:
            return there
        return [w | face for w in there if w & face_mask in (0, face)]

    return keep


def _after_able(before: Worlds, link: Link) -> set[int]:
    _, which, *groups = link
    left, found = set(before), set()
    for place, first, second in zip(groups[::3], groups[1::3], groups[2::3], strict=True):
        for piece in range(PIECES):
            could = (first >> piece & 1) + 2 * (second >> piece & 1)
            if could == 0:
                continue
            able = set(_able(piece, place, first, second, which)(left))
            found |= able
            left = _without(left, able, piece, could)
    return found


def _without(left: set[int], able: set[int], piece: int, could: int) -> set[int]:
    """The worlds in which this piece could not after all: elsewhere, or with its other face."""
    shift = _FACE_AT + 2 * piece
    plain = {w & ~(_EITHER << shift) for w in able}
    rest = {w for w in left if w not in able and w not in plain}
    if could != _EITHER:
        other = (_EITHER - could) << shift
        rest |= {w | other for w in plain if w in left}
    return rest


def _after_seen(before: Worlds, link: Link) -> list[int]:
    _, piece, place, face = link
    mask, at = _PLACE << _BITS * piece, place << _BITS * piece
    there = [w for w in before if w & mask == at]
    if not face:
        return there
    shift = _FACE_AT + 2 * piece
    return [w | face << shift for w in there if w >> shift & _EITHER in (0, face)]


def _after_put(before: Worlds, link: Link) -> set[int]:
    _, piece, place = link
    mask, at = _PLACE << _BITS * piece, place << _BITS * piece
    return {w & ~mask | at for w in before}


def _after_mark(before: Worlds, link: Link) -> set[int]:
    _, place, first, second = link
    found: set[int] = set()
    for piece in range(PIECES):
        mark = piece + 1 << _MARK_AT
        able = _able(piece, place, first, second, ANY)(before)
        found.update(w & ~_MARK | mark for w in able)
    return found


def _after_unmark(before: Worlds, _: Link) -> set[int]:
    return {w & ~_MARK for w in before}


_LINKS: dict[int, Callable[[Worlds, Link], Iterable[int]]] = {
    START: _after_start,
    MOVED: _after_move,
    ABLE: _after_able,
    AT: _after_seen,
    PUT: _after_put,
    MARK: _after_mark,
    UNMARK: _after_unmark,
}
