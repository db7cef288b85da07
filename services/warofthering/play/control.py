"""Control of settlements (RULES 12.6, 12.7), and putting right what follows from a change.

`arrive` is called for a region that an army has entered; `tidy` after every action, battle and
card: it ends sieges without a besieger, lets Strongholds without a garrison fall, removes Free
Peoples Leaders without units, and discards cards on the table that have lost their reason.
"""

from __future__ import annotations

from services.core.frames import Game
from services.warofthering.board import Board
from services.warofthering.play import kept, politics
from services.warofthering.play.asking import say
from services.warofthering.tables import (
    AREAS,
    FALLEN,
    FIGURE_COUNT,
    FREE,
    GARRISON_OF,
    IS_SETTLEMENT,
    LEADERS,
    NATION_OF,
    REGION_OF,
    REGIONS,
    SIDE_OF_NATION,
    SIDES,
    STRONGHOLDS,
)

G = Game[Board]


def arrive(g: G, region: int, side: int) -> None:
    """An army of a side stands in the field there: politics react, an empty settlement falls."""
    politics.react_to_entry(g, region, side)
    capture(g, region, side)


def capture(g: G, region: int, side: int) -> None:
    """Take a settlement that no enemy unit defends, if an army of this side is there (12.7)."""
    b = g.board
    if not IS_SETTLEMENT[region] or b.control[region] == side:
        return
    if not b.units_at(region, side) or b.has_army_in(region, 1 - side):
        return
    b.take_control(region, side, b.commander(region, side))
    say(g, "settlement_captured", region=REGIONS[region], side=SIDES[side])
    nation = NATION_OF[region]
    if SIDE_OF_NATION[nation] != side:
        politics.react_to_capture(g, region)


def tidy(g: G) -> None:
    """Put right whatever no longer stands as the rules want it."""
    remove_lone_leaders(g)
    if g.board.has_sieges():
        for region in STRONGHOLDS:
            settle_siege(g, region)
    take_strongholds(g)
    tidy_table(g)


def take_strongholds(g: G) -> None:
    """A Stronghold of which the whole garrison is gone falls to the besiegers (12.6, 16.6)."""
    b = g.board
    for region in STRONGHOLDS:
        enemy = 1 - b.control[region]
        if b.units[2 * region + enemy]:
            capture(g, region, enemy)


def settle_siege(g: G, region: int) -> None:
    """A siege ends when the besiegers or the garrison are gone (12.2, 12.6)."""
    b = g.board
    garrison = GARRISON_OF[region]
    first = garrison * FIGURE_COUNT
    if not any(b.counts[first : first + FIGURE_COUNT]):
        return
    for side in (0, 1):
        if b.units_at(garrison, side) and not b.units_at(region, 1 - side):
            b.return_garrison(region)
            say(g, "siege_ended", region=REGIONS[region])
            return
    if not b.units_at(garrison, 0) and not b.units_at(garrison, 1):
        b.return_garrison(region)  # whoever is left stands among the enemy
        for side in (0, 1):
            capture(g, region, side)


def remove_lone_leaders(g: G) -> None:
    """Free Peoples Leaders without a unit beside them are out of the game (2)."""
    b = g.board
    for area in b.areas_with_lone_leaders():
        there = [(f, n) for f, n in b.figures_at(area, FREE) if f in LEADERS]
        for leader, number in there:
            b.move(leader, area, FALLEN, number)
        lost = sum(number for _, number in there)
        say(g, "leaders_lost", region=REGIONS[REGION_OF[area]], number=lost)


def tidy_table(g: G) -> None:
    """Discard the cards on the table whose time is over (16.3)."""
    b = g.board
    if b.table:
        for card, is_gone in kept.GONE.items():
            if b.is_on_table(card) and is_gone(b):
                politics.discard_from_table(g, card)


def area_name(area: int) -> str:
    """The id of an area, for events."""
    return AREAS[area]
