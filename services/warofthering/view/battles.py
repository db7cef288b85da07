"""The battle being fought, and the figures that a seat is picking."""

from __future__ import annotations

from collections.abc import Mapping

from services.core.decisions import Seat
from services.core.frames import Game
from services.warofthering.board import Board
from services.warofthering.board.fight import CARD, HITS, KINDS, REROLL_HITS
from services.warofthering.play.battle import Round
from services.warofthering.play.characters import Gather, figures_in
from services.warofthering.play.forces import NOT_BEGUN, Detach
from services.warofthering.play.strength import combat_dice, leadership, target_number
from services.warofthering.tables import (
    DECK_OF_CARD,
    DECKS,
    FIGURE_COUNT,
    FREE,
    LOSSES,
    NO_CARD,
    REGION_COUNT,
    REGION_OF,
    REGIONS,
    SHADOW,
    SIDES,
)
from services.warofthering.view.cards import FACES_UP
from services.warofthering.view.places import figures, pile

G = Game[Board]
Part = Mapping[str, object]


def battle(g: G, viewer: Seat | None) -> Part | None:
    """The battle, if there is one."""
    b = g.board
    fight = b.fight
    if fight is None:
        return None
    sealed = _sealed(g)
    return {
        "region": REGIONS[fight.region],
        "origin": REGIONS[REGION_OF[fight.source]],
        "kind": KINDS[fight.kind],
        "attacker": SIDES[fight.attacker],
        "round": fight.round,
        "free": _force(b, FREE, sealed[FREE]),
        "shadow": _force(b, SHADOW, sealed[SHADOW]),
        "your_card": _own_card(b, viewer, sealed),
        "lost": pile(b, LOSSES),
    }


def _sealed(g: G) -> tuple[int, ...]:
    """By side: the Combat card chosen and not yet revealed."""
    rounds = [frame for frame in g.stack if isinstance(frame, Round)]
    return rounds[-1].sealed if rounds else (NO_CARD, NO_CARD)


def _force(b: Board, side: int, sealed: int) -> Part:
    fight = b.battle
    card = fight.modifier(side, CARD)
    stands = bool(fight.units(side))
    return {
        "seat": b.settings.seats[fight.seats[side]],
        "figures": figures(fight.group(side)),
        "dice": combat_dice(b, side) if stands else 0,
        "target": target_number(fight, side),
        "leadership": leadership(b, side),
        "hits": fight.modifier(side, HITS) + fight.modifier(side, REROLL_HITS),
        "card": None if card == NO_CARD else FACES_UP[card],
        "back": None if sealed == NO_CARD else DECKS[DECK_OF_CARD[sealed]],
    }


def _own_card(b: Board, viewer: Seat | None, sealed: tuple[int, ...]) -> Part | None:
    """The card that the viewer has chosen itself: nobody else sees more than its back."""
    for side, card in enumerate(sealed):
        if card != NO_CARD and b.battle.seats[side] == viewer:
            return FACES_UP[card]
    return None


def selection(g: G) -> Part | None:
    """The figures that a seat has picked of an army or a group, while it picks them."""
    asked = g.question()
    b = g.board
    if isinstance(asked, Detach):
        group = asked.picked if asked.way != NOT_BEGUN else asked.able
        region, garrison = REGIONS[REGION_OF[asked.area]], asked.area >= REGION_COUNT
        seat, purpose = b.settings.seats[asked.seat], asked.what
    elif isinstance(asked, Gather):
        picked = figures_in(asked.picked)
        group = tuple(int(figure in picked) for figure in range(FIGURE_COUNT))
        region, garrison, seat, purpose = None, False, b.settings.seats[asked.seat], "companions"
    else:
        return None
    return {
        "seat": seat,
        "purpose": purpose,
        "region": region,
        "garrison": garrison,
        "figures": figures(group),
    }
