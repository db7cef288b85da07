"""Ways between territories: what may be invaded from where, and what is connected (RULES 1, 6, 8).

Design. A bridge that You Shall Not Pass! blocks is open to groups with a Leader. Where no bridge is
blocked, which is nearly always, the printed neighbours are the answer.
"""

from __future__ import annotations

from services.risk.board import UNDERGROUND, Board
from services.risk.tables import ALL_LANDS, BRIDGE_ENDS, BY_SEA, NEAR, UNDER_MOUNTAINS, bits


def ways(b: Board, land: int, *, led: bool) -> int:
    """The adjacent territories that a group may enter from here, with or without a Leader."""
    near = NEAR[land]
    if b.blocked and not led:
        for bridge in bits(b.blocked):
            ends = BRIDGE_ENDS[bridge]
            if land in ends:
                near &= ~(1 << ends[1] if land == ends[0] else 1 << ends[0])
    return near


def enemies(b: Board, seat: int) -> int:
    """The territories that a seat may not call its own or its partner's."""
    lands = ALL_LANDS & ~b.held[seat]
    ally = b.charter.ally(seat)
    return lands if ally is None else lands & ~b.held[ally]


def targets(b: Board, seat: int, source: int) -> int:
    """What a seat may invade from one of its territories."""
    if b.army[source] < 2 or b.stormed >> source & 1:
        return 0
    return ways(b, source, led=b.has_leader(source)) & enemies(b, seat) & ~b.stormed


def sources(b: Board, seat: int) -> list[int]:
    """From where a seat may invade something."""
    near, foes, army, led = NEAR, enemies(b, seat) & ~b.stormed, b.army, b.led
    found = []
    for land in bits(b.held[seat] & ~b.stormed):
        if army[land] > 1 and near[land] & foes:
            if b.blocked and not ways(b, land, led=bool(led >> land & 1)) & foes:
                continue
            found.append(land)
    return found


def mountain_targets(b: Board, seat: int, source: int) -> int:
    """What a seat may invade below the mountains from one of its territories (RULES R42)."""
    if b.army[source] < 2 or b.stormed >> source & 1:
        return 0
    return UNDER_MOUNTAINS[source] & enemies(b, seat) & ~b.stormed


def mountain_sources(b: Board, seat: int) -> list[int]:
    """From where a seat may invade something below the mountains."""
    return [land for land in bits(b.held[seat]) if mountain_targets(b, seat, land)]


def may_fight_from(b: Board, seat: int, source: int, named: int, target: int) -> bool:
    """Whether an invasion may be fought from here: adjacent, or the source first named (6.1)."""
    if b.owner[source] != seat or b.army[source] < 2:
        return False
    if source == named and b.boons & UNDERGROUND:
        return True
    if b.stormed >> source & 1:
        return False
    return bool(ways(b, source, led=b.has_leader(source)) >> target & 1)


def other_sources(b: Board, seat: int, source: int, named: int, target: int) -> list[int]:
    """Where an invasion may be fought from besides `source`."""
    near = (NEAR[target] | 1 << named) & b.held[seat] & ~(1 << source)
    return [land for land in bits(near) if may_fight_from(b, seat, land, named, target)]


def is_by_sea(b: Board, source: int, named: int, target: int) -> bool:
    """Whether a battle is fought across a sea route."""
    below = b.boons & UNDERGROUND and source == named
    return not below and bool(BY_SEA[source] >> target & 1)


def connected(b: Board, seat: int, start: int, *, led: bool) -> int:
    """The territories of a seat that a group can reach from here through its own."""
    held = b.held[seat]
    found = edge = 1 << start
    while edge:
        near = 0
        for land in bits(edge):
            near |= ways(b, land, led=led)
        edge = near & held & ~found
        found |= edge
    return found & ~(1 << start)
