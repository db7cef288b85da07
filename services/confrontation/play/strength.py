"""Base strengths in a battle (RULES 5 B8, 9, 10): the printed ones, and what bends them."""

from __future__ import annotations

from services.confrontation.board import Board
from services.confrontation.tables import CHARACTERS, DARK, REGION, STRENGTH

_AT = {
    "battle region is fangorn": (REGION["fangorn"],),
    "battle region in [rohan, gondor]": (REGION["rohan"], REGION["gondor"]),
}
_SAM_FOR_FRODO = "tag:frodo in same region"


def base(
    b: Board, where: int, good: int, dark: int, silenced: int, boosted: int
) -> tuple[int, int]:
    """The strengths of both combatants, cards and support apart."""
    against = _dark_strength(b, dark)
    printed = STRENGTH[b.face[good]]
    if silenced:
        return printed, against
    return _good_strength(b, where, good, against, boosted), against


def _dark_strength(b: Board, piece: int) -> int:
    character = CHARACTERS[b.face[piece]]
    for text in character.strengths:
        if text["condition"] == "orcs attacking" and b.turn == DARK:
            return int(text["value"])
    return character.strength


def _good_strength(b: Board, where: int, piece: int, against: int, boosted: int) -> int:
    character = CHARACTERS[b.face[piece]]
    for text in character.strengths:
        condition = text["condition"]
        if condition == _SAM_FOR_FRODO and boosted:
            return int(text["value"])
        if condition == "sam attacked" and b.turn == DARK:
            return against
        if where in _AT.get(condition, ()):
            return int(text["value"])
    return character.strength


KNOWN_CONDITIONS = {*_AT, _SAM_FOR_FRODO, "sam attacked", "orcs attacking"}
assert all(text["condition"] in KNOWN_CONDITIONS for c in CHARACTERS for text in c.strengths)
