"""What an invasion of Risk promises: the odds of the dice, and what a territory is worth."""

from __future__ import annotations

from functools import lru_cache
from itertools import product

from services.risk.board import Board
from services.risk.tables import (
    BONUS,
    MISSION_AT,
    MOUNT_DOOM,
    NEUTRAL,
    NOBODY,
    REGION_LANDS,
    REGION_OF,
)

CARD, LEADER, SITE = 1.2, 1.5, 1.5
WHOLE_REGION, PART_OF_REGION = 1.6, 0.6
ELIMINATION = 5.0
HARMED, BROKEN, CAPTURED = 0.5, 0.8, 0.7  # an enemy, his region (each bonus), his Leader (a part)
AT_MISSION = 2.5
BATTALION = 0.3
MOST = 30
"""Armies above this count as this many."""


@lru_cache(maxsize=256)
def _round(attack: int, defence: int, more: int, more_theirs: int) -> tuple[float, ...]:
    """How likely it is that the attacker loses 0, 1, 2 … battalions in one battle."""
    found = [0, 0, 0]
    for dice in product(range(1, 7), repeat=attack + defence):
        ours = sorted(dice[:attack], reverse=True)
        theirs = sorted(dice[attack:], reverse=True)
        ours[0] += more
        theirs[0] += more_theirs
        found[sum(a <= d for a, d in zip(ours, theirs, strict=False))] += 1
    return tuple(count / 6 ** (attack + defence) for count in found)


@lru_cache(maxsize=20_000)
def odds(attack: int, defence: int, more: int, more_theirs: int) -> tuple[float, float]:
    """How likely the attackers are to win, and how many of them are left on average."""
    if not defence:
        return 1.0, float(attack)
    if not attack:
        return 0.0, 0.0
    dice, theirs = min(3, attack), min(2, defence)
    won = left = 0.0
    pairs = min(dice, theirs)
    for lost, chance in enumerate(_round(dice, theirs, more, more_theirs)[: pairs + 1]):
        win, rest = odds(attack - lost, defence - (pairs - lost), more, more_theirs)
        won += chance * win
        left += chance * rest
    return won, left


def late(b: Board) -> float:
    """How near the end is: 0 at the beginning of the Ring's way, 1 at its end."""
    return b.ring / MOUNT_DOOM


def battalion(b: Board) -> float:
    """What one battalion is worth: less and less as the end comes near."""
    return BATTALION * (1.1 - b.ring / MOUNT_DOOM)


def hostile(b: Board, seat: int) -> int:
    """The territories that a seat may invade, wherever they are."""
    ally = b.settings.ally(seat)
    friends = b.held[seat] | b.held[NOBODY]
    return ~(friends if ally is None else friends | b.held[ally])


def invasion(b: Board, seat: int, source: int, target: int, reserves: int = 0) -> float:
    """What fighting to the end is worth on average, for what is won and what it costs.

    `reserves` go into the source before.
    """
    walls = b.settings.strongholds >> target & 1
    more, more_theirs = b.led >> source & 1, (b.led >> target & 1) + walls
    attack, defence = min(b.army[source] - 1 + reserves, MOST), min(b.army[target], MOST)
    won, left = odds(attack, defence, more, more_theirs)
    risked = attack - left
    return won * _prize(b, seat, source, target) - battalion(b) * risked - 0.15


def _prize(b: Board, seat: int, source: int, target: int) -> float:
    nearing, loser, bit = b.ring / MOUNT_DOOM, b.owner[target], 1 << target
    worth = (1 + nearing) * (1 + 2 * (b.settings.strongholds >> target & 1))
    region = REGION_OF[target]
    lands, bonus = REGION_LANDS[region], BONUS[region]
    size, before = lands.bit_count(), (b.held[seat] & lands).bit_count()
    worth += bonus * PART_OF_REGION * (2 * before + 1) / (size * size)
    worth += bonus * (WHOLE_REGION + nearing - PART_OF_REGION) * (before + 1 == size)
    if loser < NEUTRAL:
        worth += HARMED
        worth += bonus * BROKEN * (not lands & ~b.held[loser])
        worth += ELIMINATION * (b.held[loser] == bit) + CAPTURED * LEADER * (b.led >> target & 1)
    if not b.conquered or b.turn != seat:
        worth += CARD * (1 - 0.7 * nearing)
    if b.led >> source & 1:
        worth += SITE * (b.settings.sites >> target & 1 and not b.sited)
        worth += AT_MISSION * (b.hands[seat] >> MISSION_AT.get(target, 63) & 1)
    return worth
