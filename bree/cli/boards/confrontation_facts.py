"""What is printed on the Confrontation's map, tiles and cards, for drawing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from services.confrontation import tables
from services.confrontation.tables import CHARACTER_KEYS, PRINTED, PRINTED_MAP, SPECIALS

SIDES = tables.SIDES


@dataclass(frozen=True, slots=True)
class Region:
    """A region as it is printed."""

    name: str
    row: int  # 1 is the Shire's
    mountain: bool
    home_of: str | None
    capacity: int


@dataclass(frozen=True, slots=True)
class Card:
    """A combat card or a special card as it is printed."""

    name: str
    side: str

    @property
    def short(self) -> str:
        """The name for small boxes."""
        return self.name.removeprefix("The ")


@dataclass(frozen=True, slots=True)
class Tile(Card):
    """A character as it is printed."""

    strength: int


REGIONS: Mapping[str, Region] = {
    key: Region(r["name"], r["row"], r["mountain"], r["home_of"], r["capacity_per_side"])
    for key, r in PRINTED_MAP.items()
}
ROWS: tuple[tuple[str, ...], ...] = tuple(
    tuple(key for key, region in REGIONS.items() if region.row == row) for row in range(1, 8)
)
"""The map from the Shire to Mordor, each row from left to right as Good sees it."""


def _links(links: Sequence[Sequence[int]]) -> Mapping[str, tuple[str, ...]]:
    return {
        key: tuple(tables.REGIONS[to] for to in near)
        for key, near in zip(tables.REGIONS, links, strict=True)
    }


FORWARD: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    side: _links(tables.FORWARD[n]) for n, side in enumerate(SIDES)
}
"""By side: where one step forward leads."""
BESIDE = _links(tables.NEIGHBOURS)
SIDEWAYS = _links(tables.SIDEWAYS)
"""Neighbours in the row, and those of them to which there is a way."""

TILES: Mapping[str, Tile] = {
    key: Tile(PRINTED[key]["name"], PRINTED[key]["side"], PRINTED[key]["strength"])
    for key in CHARACTER_KEYS
}
CARDS: Mapping[str, Card] = {
    key: Card(PRINTED[key]["name"], PRINTED[key]["side"]) for key in (*tables.CARDS, *SPECIALS)
}
