"""Names for people: territories, numbers of battalions."""

from __future__ import annotations

from services.risk.tables import TERRITORY_NAMES


def land_name(land: int) -> str:
    """The name of a territory."""
    return TERRITORY_NAMES[land]


def battalions(number: int) -> str:
    """So many battalions."""
    return "1 battalion" if number == 1 else f"{number} battalions"
