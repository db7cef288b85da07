"""What may be invaded from which territory, and what is connected (RULES 1, 6, 8)."""

from __future__ import annotations

from functools import lru_cache

from services.risk.board import UNDERGROUND, Board
from services.risk.board.lands import near_without
from services.risk.tables import ALL_LANDS, BY_SEA, NEAR, UNDER_MOUNTAINS, bits

Front = tuple[int, int]
"""A territory, and the set of those that can be invaded from it."""


def enemies(b: Board, seat: int) -> int:
    """The territories that a seat may not call its own or its partner's."""
    lands = ALL_LANDS & ~b.held[seat]
    ally = b.settings.ally(seat)
    return lands if ally is None else lands & ~b.held[ally]


def invasions(b: Board, seat: int) -> list[Front]:
    """What a seat may invade without a card."""
    near, foes, army, led = NEAR, enemies(b, seat) & ~b.stormed, b.army, b.led
    found = []
    for land in bits(b.held[seat] & ~b.stormed):
        if army[land] > 1:
            lands = near[land] & foes
            if lands and b.blocked:
                lands &= b.ways(land, led=bool(led >> land & 1))
            if lands:
                found.append((land, lands))
    return found


def mountain_targets(b: Board, seat: int, source: int) -> int:
    """What a seat may invade below the mountains from one of its territories (RULES R42)."""
    if b.army[source] < 2 or b.stormed >> source & 1:
        return 0
    return UNDER_MOUNTAINS[source] & enemies(b, seat) & ~b.stormed


def mountain_invasions(b: Board, seat: int) -> list[Front]:
    """What a seat may invade below the mountains."""
    fronts = [(land, mountain_targets(b, seat, land)) for land in bits(b.held[seat])]
    return [(land, targets) for land, targets in fronts if targets]


def may_fight_from(b: Board, seat: int, source: int, named: int, target: int) -> bool:
    """Whether an invasion may be fought from here: adjacent, or the source first named (6.1)."""
    if b.owner[source] != seat or b.army[source] < 2:
        return False
    if source == named and b.boons & UNDERGROUND:
        return True
    if b.stormed >> source & 1:
        return False
    near = b.ways(source, led=b.has_leader(source)) if b.blocked else NEAR[source]
    return bool(near >> target & 1)


def other_sources(b: Board, seat: int, source: int, named: int, target: int) -> list[int]:
    """Where an invasion may be fought from besides `source`."""
    near = (NEAR[target] | 1 << named) & b.held[seat] & ~(1 << source)
    return [land for land in bits(near) if may_fight_from(b, seat, land, named, target)]


def is_by_sea(b: Board, source: int, named: int, target: int) -> bool:
    """Whether a battle is fought across a sea route."""
    below = b.boons & UNDERGROUND and source == named
    return not below and bool(BY_SEA[source] >> target & 1)


@lru_cache(maxsize=2000)
def components(held: int, blocked: int = 0) -> tuple[int, ...]:
    """The connected parts of a set of territories, where these bridges are blocked."""
    roads, found = near_without(blocked), []
    while held:
        part = edge = held & -held
        while edge:
            near = 0
            for land in bits(edge):
                near |= roads[land]
            edge = near & held & ~part
            part |= edge
        found.append(part)
        held &= ~part
    return tuple(found)


def connected(b: Board, seat: int, start: int, *, led: bool) -> int:
    """The territories of a seat that a group can reach from here through its own."""
    parts = components(b.held[seat], 0 if led else b.blocked)
    return next(part for part in parts if part >> start & 1) & ~(1 << start)
