"""The board in short: what digests are made of.

Design. A digest needs only that no two boards have the same gist, in the canonical form that the
project has for positions. So everything that does not follow from the rest is taken as it is:
arrays, the other fields by the alphabet of their names, and the battle, if one is fought.
"""

from __future__ import annotations

from operator import attrgetter
from string import ascii_lowercase, ascii_uppercase, digits

from services.core.canonical import canonical
from services.warofthering.board import Board, Fight

_FOLLOWS = {"actions", "armies", "leaders", "led", "places", "table", "units", "winged"}
"""What is kept beside the rest because it is asked for all the time."""
ARRAYS = ("captors", "cards", "control", "dice", "given", "knowers", "mixed", "politics", "tiles")
_SIGN = f"{digits}{ascii_uppercase}{ascii_lowercase}".encode().ljust(256, b"?")
"""By number, the sign of a count: no kind of figure has as many as there are signs."""
_FIELDS = {name for kind in Board.__mro__ for name in getattr(kind, "__slots__", ())}
REST = sorted(_FIELDS - _FOLLOWS - {"settings", "counts", "fight", *ARRAYS})

IN_BATTLE = sorted({*Fight.__slots__} - {"modifiers", "force"})
_battle = attrgetter(*IN_BATTLE)
_arrays = attrgetter(*ARRAYS)
_rest = attrgetter(*REST)


def gist(b: Board) -> str:
    """Everything on the board, such that different boards of one game have different gists."""
    fight = b.fight
    battle = None if fight is None else (fight.force, fight.modifiers, _battle(fight))
    arrays = '","'.join([array.hex() for array in _arrays(b)])  # in hexadecimal nothing is escaped
    counts = b.counts.translate(_SIGN).decode()
    return f'[["{counts}","{arrays}"],{canonical((_rest(b), battle))[1:]}'
