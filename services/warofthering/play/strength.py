"""How strong an army is in a battle (RULES 11.2 B5 to B7): dice, target numbers, Leadership."""

from __future__ import annotations

from services.warofthering.board import Board
from services.warofthering.board.fight import (
    FEWER,
    FORFEITED,
    LEADERS_SPENT,
    MOST,
    MOST_COMBAT_DICE,
    SIEGE,
    SPENT,
    SUPPRESSED,
    Fight,
)
from services.warofthering.play.forces import elite_leaders
from services.warofthering.tables import (
    ARAGORN,
    CAPTAINS,
    CITY,
    FORTIFICATION,
    FREE,
    GANDALF_THE_WHITE,
    LEADERS,
    LEADERSHIP,
    NAZGUL,
    SETTLEMENT,
    SHADOW,
    STRIDER,
    WITCH_KING,
)


def captains(b: Board, side: int) -> int:
    """How many Captains of the West take part: each is a die more (S01)."""
    fight = b.battle
    if side != FREE:
        return 0
    are_all_captains = b.settings.readings.unlisted_abilities
    suppressed = fight.modifier(side, SUPPRESSED)
    return sum(
        1
        for who in fight.characters(side)
        if who in CAPTAINS and not suppressed >> who & 1 and (are_all_captains or _is_listed(who))
    )


def _is_listed(who: int) -> bool:
    """Whether the guide lists him as a Captain; Strider and Aragorn it does not."""
    return who not in (STRIDER, ARAGORN)


def combat_dice(b: Board, side: int) -> int:
    """How many dice a side rolls: units and captains, less reductions, at most the cap (B5)."""
    fight = b.battle
    dice = min(MOST_COMBAT_DICE, fight.units(side) + captains(b, side))
    dice = max(dice - fight.modifier(side, FEWER) - fight.fewer_always[side], 1)
    return min(dice, fight.modifier(side, MOST))


def target_number(fight: Fight, side: int) -> int:
    """What a side's dice must reach (B6)."""
    if side != fight.attacker:
        return 5
    walls = SETTLEMENT[fight.region] in (CITY, FORTIFICATION) and fight.round == 1
    return 6 if fight.kind == SIEGE or walls else 5


def is_hit(pips: int, bonus: int, target: int) -> bool:
    """Whether a die hits: a natural 1 never does, a natural 6 always."""
    return pips == 6 or (pips > 1 and pips + bonus >= target)


def silent(b: Board, side: int) -> int:
    """The characters of a side who do not count for Leadership now, as bits (17.3).

    The White Rider has given up his own for the whole battle, with that of the Nazgûl (S01).
    """
    fight = b.battle
    rider = side == FREE and fight.white_rider
    given_up = 1 << GANDALF_THE_WHITE if rider else 0
    return fight.modifier(side, SPENT) | fight.modifier(side, SUPPRESSED) | given_up


def nazgul_leadership(b: Board) -> int:
    """What the Nazgûl and the Witch-king in the battle count (17.4)."""
    fight = b.battle
    if fight.white_rider:
        return 0
    spent = silent(b, SHADOW)
    king = fight.count(SHADOW, WITCH_KING) and not spent >> WITCH_KING & 1
    points = fight.count(SHADOW, NAZGUL) + LEADERSHIP[WITCH_KING] * bool(king)
    lost = fight.modifier(SHADOW, FORFEITED) + fight.modifier(SHADOW, LEADERS_SPENT)
    return max(points - lost, 0)


def leadership(b: Board, side: int) -> int:
    """All Leadership of a side that counts this round (B7)."""
    fight = b.battle
    spent = silent(b, side)
    points = sum(
        LEADERSHIP[who]
        for who in fight.characters(side)
        if who != WITCH_KING and not spent >> who & 1
    )
    if side == SHADOW:
        elites = sum(fight.count(side, elite) for elite in elite_leaders(b))
        return points + nazgul_leadership(b) + elites
    leaders = sum(fight.count(side, leader) for leader in LEADERS)
    return points + max(leaders - fight.modifier(side, LEADERS_SPENT), 0)
