"""Costs (RULES 5): what a card or a landmark tile costs a side now, in coins."""

from __future__ import annotations

from services.duel.board import KEPT, SKILL_COUNT, Board
from services.duel.tables import (
    CHAIN_FROM,
    CHOICE_OF,
    COINS,
    DISCARD_FACTOR,
    DOUBLE_DISCARD,
    NEEDS,
    NO_SURCHARGE,
    NONE,
    TILE_NEEDS,
    WILD_SKILL,
    WILD_SKILLS,
)

_OPTIONS = tuple(CHOICE_OF.values())
# No skill is on both choice cards, so each covers what it can and nothing is lost by the order.
assert not _OPTIONS[0] & _OPTIONS[1]


def missing(b: Board, side: int, needs: tuple[tuple[int, int], ...]) -> int:
    """How many symbols a side must buy."""
    skills, base, lacking, which = b.skills, side * SKILL_COUNT, 0, 0
    for skill, count in needs:
        short = count - skills[base + skill]
        if short > 0:
            lacking += short
            which |= 1 << skill
    if not lacking:
        return 0
    owned = b.choices[side]
    if owned:
        for number, options in enumerate(_OPTIONS):
            if owned >> number & 1 and which & options:
                lacking -= 1
    if lacking and b.tokens[WILD_SKILL] == KEPT + side:
        return max(0, lacking - WILD_SKILLS)
    return lacking


def short_of(
    b: Board, side: int, needs: tuple[tuple[int, int], ...]
) -> tuple[tuple[int, int], ...]:
    """The symbols that a side does not produce for certain, each skill with how many."""
    short = ((skill, count - b.skills[side * SKILL_COUNT + skill]) for skill, count in needs)
    return tuple((skill, count) for skill, count in short if count > 0)


def is_chained(b: Board, side: int, card: int) -> bool:
    """Whether a side has the symbol that makes this card free."""
    symbol = CHAIN_FROM[card]
    return symbol != NONE and bool(b.chains[side] >> symbol & 1)


def card_price(b: Board, side: int, card: int) -> int:
    """What a side pays for a card that is not chained."""
    return COINS[card] + missing(b, side, NEEDS[card])


def surcharge(b: Board, side: int) -> int:
    """What a tile costs for the fortresses that stand already (rulings R-05, R-06)."""
    return 0 if b.has_token(side, NO_SURCHARGE) else b.fortresses(side)


def tile_price(b: Board, side: int, tile: int) -> int:
    """What a side pays for a landmark tile."""
    return surcharge(b, side) + missing(b, side, TILE_NEEDS[tile])


def discard_income(b: Board, side: int) -> int:
    """What discarding a card brings, if the reserve has it."""
    return b.chapter * (DISCARD_FACTOR if b.has_token(side, DOUBLE_DISCARD) else 1)
