"""Preconditions of event cards, in the words of the cards; each makes a query of board and seat.

"City", "Stronghold" and "Settlement" of a side mean whose they are by origin, unless control is
mentioned (RULES 16.8). A garrison is an army in its region.
"""

from __future__ import annotations

from collections.abc import Iterable

from services.warofthering.board import Board
from services.warofthering.play.event_effects import Needs
from services.warofthering.tables import (
    ARAGORN,
    COMPANIONS,
    FREE,
    IS_SETTLEMENT,
    NATION_OF,
    NOWHERE,
    OWNER,
    SHADOW,
    SIDE_OF,
    STRIDER,
    STRONGHOLDS,
)


def every(*needs: Needs) -> Needs:
    """All of these hold."""
    return lambda b, seat: all(need(b, seat) for need in needs)


def at_war(nation: int) -> Needs:
    """The nation is At War."""
    return lambda b, seat: b.is_at_war(nation)


def all_at_war(side: int) -> Needs:
    """Every nation of the side is At War."""
    return lambda b, seat: b.are_all_at_war(side)


def active(nation: int) -> Needs:
    """The nation is active."""
    return lambda b, seat: b.is_active(nation)


def in_play(*characters: int) -> Needs:
    """Any of these is on the map."""
    return lambda b, seat: any(b.is_on_map(who) for who in characters)


def in_company(*companions: int) -> Needs:
    """Any of these is in the Fellowship."""
    return lambda b, seat: any(b.is_in_company(who) for who in companions)


def company_left(b: Board, seat: int) -> bool:
    """A Companion is in the Fellowship."""
    return bool(b.company())


def in_regions(characters: Iterable[int], regions: Iterable[int]) -> Needs:
    """Any of these characters is in one of the regions, besieged or not."""
    who, where = tuple(characters), frozenset(regions)
    return lambda b, seat: any(b.region_of(one) in where for one in who)


def any_companion_in(*regions: int) -> Needs:
    """Any Companion on the map is in one of the regions."""
    return in_regions(COMPANIONS, regions)


def in_nation(characters: Iterable[int], nation: int) -> Needs:
    """Any of these characters is within the border of the nation."""
    who = tuple(characters)
    return lambda b, seat: any(
        b.region_of(one) != NOWHERE and NATION_OF[b.region_of(one)] == nation for one in who
    )


def is_with_army(b: Board, who: int) -> bool:
    """Whether a character is with units of his side."""
    return b.is_on_map(who) and b.units_at(b.place_of(who), SIDE_OF[who]) > 0


def besieges(b: Board, region: int) -> bool:
    """Whether the Shadow besieges the Stronghold of a region."""
    return b.is_besieged_by(region, SHADOW)


def besieged_regions(b: Board, side: int) -> list[int]:
    """The regions whose Stronghold a side besieges."""
    return [region for region in STRONGHOLDS if b.is_besieged_by(region, side)]


def revealed(b: Board, seat: int) -> bool:
    """The Fellowship is revealed."""
    return not b.hidden


def progressed(b: Board, seat: int) -> bool:
    """The Fellowship is on step 1 or higher of its track; in Mordor it is on none."""
    return b.progress > 0


def away_from_free_settlements(b: Board, seat: int) -> bool:
    """The Fellowship is in no region with a settlement that belongs to the Free Peoples."""
    return b.in_mordor or not (IS_SETTLEMENT[b.region] and OWNER[b.region] == FREE)


def is_guide(who: int) -> Needs:
    """He is the Guide."""
    return lambda b, seat: b.guide == who


RANGERS = (STRIDER, ARAGORN)
"""One person in two figures, of which at most one is on the map."""


def ranger(b: Board) -> int:
    """Strider or Aragorn, whichever of them is on the map, where one must be."""
    return next(who for who in RANGERS if b.is_on_map(who))
