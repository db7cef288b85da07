"""The board in short: what digests are made of.

Design. A dump has every number in words; a digest needs only that no two boards have the same gist.
So everything that does not follow from the rest is taken as it is: arrays, whose length is always
the same, one behind the other, and the other fields in words.
"""

from __future__ import annotations

from operator import attrgetter

from services.warofthering.board import Board

_FOLLOWS = {"armies", "leaders", "places", "table", "units"}
"""What is kept beside the counts and piles because it is asked for all the time."""
_ARRAYS = ("captors", "cards", "control", "counts", "dice", "given", "knowers", "mixed",
           "politics", "tiles")  # fmt: skip
_FIELDS = {name for kind in Board.__mro__ for name in getattr(kind, "__slots__", ())}
_REST = sorted(_FIELDS - _FOLLOWS - {"charter", "fight", *_ARRAYS})

_arrays = attrgetter(*_ARRAYS)
_rest = attrgetter(*_REST)


def gist(b: Board) -> bytes:
    """Everything on the board, such that different boards have different gists."""
    fight = b.fight.dump() if b.fight else []
    rest = [*b.charter.options.values(), _rest(b), fight]
    return b"".join(_arrays(b)) + repr(rest).encode()
