"""What is printed on the Confrontation's map, tiles and cards, for drawing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

SIDES = ("good", "dark")


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


def _read(name: str) -> Any:
    return json.loads((files("services") / "confrontation" / "data" / name).read_text("utf-8"))


_MAP, _CAST, _DECK = _read("board.json"), _read("characters.json"), _read("cards.json")

REGIONS: Mapping[str, Region] = {
    r["id"]: Region(r["name"], r["row"], r["mountain"], r["home_of"], r["capacity_per_side"])
    for r in _MAP["regions"]
}
ROWS: tuple[tuple[str, ...], ...] = tuple(
    tuple(key for key, region in REGIONS.items() if region.row == row) for row in range(1, 8)
)
"""The map from the Shire to Mordor, each row from left to right as Good sees it."""

TILES: Mapping[str, Tile] = {
    c["id"]: Tile(c["name"], c["side"], c["strength"]) for c in _CAST["characters"].values()
}
CARDS: Mapping[str, Card] = {
    c["id"]: Card(c["name"], c["side"]) for c in _DECK["cards"] + _DECK["special_cards"]
}
