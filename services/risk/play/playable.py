"""Which power cards may be played where (RULES 9.2, 9.3): for all to work out, from what lies open.

Order of reading: the windows, and what an attacker plays as he names an invasion.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from services.risk.board import Board
from services.risk.tables import (
    BY_SEA,
    HAS_DIE,
    IN_WINDOW,
    MOUNT_DOOM,
    PATH,
    PORTS,
    TERRITORY,
    bits,
    mask,
    named,
)

TURN_START, LAST_INVASION = "turn_start", "after_last_invasion"
INVADED, INVADED_BY_SEA = ATTACK_WINDOWS = (
    "invasion_declared_defender",
    "battle_declared_defender",
)
BEFORE_LEAVING, AFTER_ROLL, BEFORE_MOVING = FELLOWSHIP_WINDOWS = (
    "fellowship_before_leaving",
    "fellowship_after_roll",
    "fellowship_final",
)
"""The windows, as `data/` and texts call them."""

_GRIMA, _SIEGE, _ENEMY = (
    named("grima_wormtongue"),
    named("siege_machines"),
    named("the_enemy_is_at_hand"),
)
_BORNE, _HUNT = named("borne_to_another_place"), named("hunt_for_the_ringbearer")
_WITHDRAWAL, _STORMS, _SAILS = (
    named("strategic_withdrawal"),
    named("violent_storms"),
    named("black_sails"),
)
_CAPTURED, _LAIR, _BALROG = (
    named("captured_by_orcs"),
    named("shelobs_lair"),
    named("a_balrog_is_come"),
)
_GORGOROTH, _MORGUL, _MORIA = (
    TERRITORY["gorgoroth"],
    TERRITORY["minas_morgul"],
    TERRITORY["moria"],
)


def admitted(b: Board, window: str, seat: int, source: int = 0, target: int = 0) -> int:
    """The cards that a seat may play in a window, if it holds them: for all to work out."""
    return IN_WINDOW[window] & ~_BARRED[window](b, seat, source, target) & ~b.open_cards()


# Each answers which cards of its window are of no use here.


def _at_turn_start(b: Board, seat: int, source: int, target: int) -> int:
    barred = 0
    leaders = b.leader_lands(seat)
    if not leaders or leaders == b.held[seat]:
        barred |= _BORNE
    if b.ring == MOUNT_DOOM and b.owner[PATH[b.ring]] != seat:
        barred |= _HUNT
    return barred


def _for_defender(b: Board, seat: int, source: int, target: int) -> int:
    return 0 if b.army[target] > 1 and retreats(b, seat, target) else _WITHDRAWAL


def _for_port(b: Board, seat: int, source: int, target: int) -> int:
    return 0 if PORTS >> target & 1 else _STORMS  # the window opens in battles by sea only


def _before_leaving(b: Board, seat: int, source: int, target: int) -> int:
    return IN_WINDOW[BEFORE_LEAVING] if HAS_DIE[b.ring] else 0


def _after_roll(b: Board, seat: int, source: int, target: int) -> int:
    here = PATH[b.ring]
    return (0 if here == _GORGOROTH else _CAPTURED) | (0 if here == _MORGUL else _LAIR)


def _before_moving(b: Board, seat: int, source: int, target: int) -> int:
    return 0 if PATH[b.ring] == _MORIA else _BALROG


_BARRED: Mapping[str, Callable[[Board, int, int, int], int]] = {
    TURN_START: _at_turn_start,
    INVADED: _for_defender,
    INVADED_BY_SEA: _for_port,
    LAST_INVASION: lambda b, seat, source, target: 0,
    BEFORE_LEAVING: _before_leaving,
    AFTER_ROLL: _after_roll,
    BEFORE_MOVING: _before_moving,
}


# Those that an attacker plays as he names an invasion.

READY = IN_WINDOW["pre_invasion"] | IN_WINDOW["invasion_declared_attacker"]


def aims(b: Board, card: int, source: int, targets: int, *, below: bool = False) -> int:
    """Those of these targets for which such a card may be played, invaded from this source."""
    bit = 1 << card
    if bit & (_SIEGE | _ENEMY):
        return targets & b.settings.strongholds
    if bit & _GRIMA:
        return mask(land for land in bits(targets) if b.army[land] > 1)
    if bit & _SAILS:  # a battle below mountains is never by sea
        return 0 if below else targets & BY_SEA[source]
    return targets


def retreats(b: Board, seat: int, land: int) -> list[tuple[int, int]]:
    """Where a garrison may withdraw to, without its Leader and with him."""
    plain = b.ways(land, led=False) & b.held[seat]
    found = [(to, 0) for to in bits(plain)]
    if b.has_leader(land):
        found += [(to, 1) for to in bits(b.ways(land, led=True) & b.held[seat] & ~b.led)]
    return found
