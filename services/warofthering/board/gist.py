"""The board in short: what digests are made of.

Design. A dump has every number in words; a digest needs only that no two boards have the same gist.
So everything that does not follow from the rest is taken as it is: arrays, whose length is always
the same, one behind the other, and the other fields in words.
"""

from __future__ import annotations

from operator import attrgetter

from services.warofthering.board import Board, Fight

_FOLLOWS = {"armies", "deeds", "leaders", "led", "places", "table", "units", "winged"}
"""What is kept beside the rest because it is asked for all the time."""
_ARRAYS = ("captors", "cards", "control", "counts", "dice", "given", "knowers", "mixed",
           "politics", "tiles")  # fmt: skip
_FIELDS = {name for kind in Board.__mro__ for name in getattr(kind, "__slots__", ())}
_REST = sorted(_FIELDS - _FOLLOWS - {"charter", "fight", *_ARRAYS})

_IN_BATTLE = sorted({*Fight.__slots__} - {"bends", "force"})
_battle = attrgetter(*_IN_BATTLE)
_arrays = attrgetter(*_ARRAYS)
_rest = attrgetter(*_REST)


def gist(b: Board) -> bytes:
    """Everything on the board, such that different boards of one game have different gists."""
    fight = b.fight
    if fight is None:
        return b"".join(_arrays(b)) + repr(_rest(b)).encode()
    battle = b"".join((*_arrays(b), fight.force))
    return battle + repr((_rest(b), fight.bends, _battle(fight))).encode()
