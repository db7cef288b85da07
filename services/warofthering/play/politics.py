"""Politics (RULES 10): nations become active and advance towards war.

`rouse` and `advance` are the only ways to change the Political Track; both say why, because cards
on the table ask.
"""

from __future__ import annotations

from services.core.frames import Game
from services.warofthering.board import Board
from services.warofthering.play import kept
from services.warofthering.play.asking import say
from services.warofthering.tables import (
    AT_WAR,
    CARDS,
    FREE,
    IS_GREAT,
    NATION_OF,
    NATIONS,
    NATIONS_OF,
    NO_NATION,
    NOWHERE,
    REGION_OF,
    ROUSES,
    SIDE_OF_NATION,
)

G = Game[Board]

# Why a nation is activated, or advances.
ENTERED, ATTACKED, DECLARED, COMPANION, CARD, CAPTURED, MUSTERED, WITCH_KING = (
    "entered", "attacked", "declared", "companion", "card", "captured", "mustered", "witch_king",
)  # fmt: skip


def rouse(g: G, nation: int, cause: str, region: int = NOWHERE) -> None:
    """Activate a nation, for good, unless it is active or a card forbids it (10.2)."""
    b = g.board
    if b.is_active(nation) or not kept.may_rouse(b, nation, cause, region):
        return
    b.active |= 1 << nation
    say(g, "nation_activated", nation=NATIONS[nation])


def advance(g: G, nation: int, cause: str, steps: int = 1) -> None:
    """Move a nation towards war, as far as it may go (10.1, 10.3)."""
    b = g.board
    before = b.politics[nation]
    while steps and b.can_advance(nation):
        b.politics[nation] += 1
        steps -= 1
    if b.politics[nation] == before:
        return
    say(g, "nation_advanced", nation=NATIONS[nation], box=b.politics[nation])
    if nation in NATIONS_OF[FREE] and cause in (ATTACKED, COMPANION):
        by_attack = cause == ATTACKED
        discard_when(g, kept.ADVANCED_BY_ATTACK if by_attack else kept.ADVANCED_BY_COMPANION)


def to_war(g: G, nation: int, cause: str) -> None:
    """Move a nation all the way to war, if it is active."""
    advance(g, nation, cause, AT_WAR)


def step_back(g: G, nation: int) -> None:
    """Move a nation one box away from war; the first box is the last."""
    b = g.board
    if b.politics[nation] > 1:
        b.politics[nation] -= 1
        say(g, "nation_stepped_back", nation=NATIONS[nation], box=b.politics[nation])


def react_to_attack(g: G, area: int, side: int) -> None:
    """Every nation with units in an army that is attacked becomes active and advances (10.3)."""
    nations = g.board.nations_at(area, side)
    for nation in NATIONS_OF[side]:
        if nations >> nation & 1:
            rouse(g, nation, ATTACKED, REGION_OF[area])
            advance(g, nation, ATTACKED)


def react_to_entry(g: G, region: int, side: int) -> None:
    """A Free Peoples nation becomes active when a Shadow army enters one of its regions (10.2)."""
    nation = NATION_OF[region]
    if nation != NO_NATION and side != FREE == SIDE_OF_NATION[nation]:
        rouse(g, nation, ENTERED, region)


def react_to_capture(g: G, region: int) -> None:
    """A nation whose settlement the enemy captures advances (10.3)."""
    advance(g, NATION_OF[region], CAPTURED)


def rouse_by_companion(g: G, companion: int, region: int) -> None:
    """A Companion ends a movement or enters play: he activates the nation if he can (8.2)."""
    if region == NOWHERE or not IS_GREAT[region] or not g.board.is_unconquered(region):
        return
    if NATION_OF[region] in ROUSES[companion]:
        rouse(g, NATION_OF[region], COMPANION, region)


def discard_when(g: G, trigger: int) -> None:
    """Discard the cards on the table that something which happened brings to an end."""
    for card in kept.GONE_WHEN[trigger]:
        if g.board.is_on_table(card):
            discard_from_table(g, card)


def discard_from_table(g: G, card: int) -> None:
    """Take one card off the table."""
    g.board.discard(card)
    say(g, "table_card_discarded", card=CARDS[card])
