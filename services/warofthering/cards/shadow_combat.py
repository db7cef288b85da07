"""The Combat halves of the Shadow's cards, by title, in the order of the decks."""

from __future__ import annotations

from services.warofthering.board import Board
from services.warofthering.board.fight import EARLY_HITS
from services.warofthering.cards.combat import combat
from services.warofthering.cards.tactics import (
    both_plus,
    extra_hits,
    forfeit_nazgul,
    has,
    nazgul_points,
    plus,
    rolled_hits,
    volley,
    with_fellowship,
)
from services.warofthering.tables import DISTANCE, ELITE, MORIA, SOUTHRONS

combat("one_for_the_dark_lord", {3: (plus(1, reroll=1),)}, with_fellowship)

combat("cruel_as_death", {3: (forfeit_nazgul(2), plus(1))}, nazgul_points(2))


def _near_moria(b: Board, side: int) -> bool:
    return DISTANCE[MORIA][b.battle.region] <= 2


combat("durins_bane", {2: (volley(lambda b, side: 3, target=4),)}, _near_moria)

combat("desperate_battle", {3: (both_plus(1),)})


def _hits_more(b: Board, side: int) -> bool:
    own, enemy = (rolled_hits(b, s) + b.battle.bend(s, EARLY_HITS) for s in (side, 1 - side))
    return own > enemy


# Two effects, each at its own initiative.
combat("mumakil", {3: (plus(1),), 5: (extra_hits(1, _hits_more),)}, has(ELITE + SOUTHRONS))
