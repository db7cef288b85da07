"""The Combat halves of the Free Peoples' cards, by title, in the order of the decks."""

from __future__ import annotations

from services.warofthering.board import Board
from services.warofthering.cards.combat import combat
from services.warofthering.cards.tactics import (
    choose_figure,
    convert_misses,
    enemy_fewer,
    enemy_most,
    extra_hits,
    has,
    has_elite,
    plus,
    rolled_hits,
    spend_chosen,
    stop_hits,
    volley,
    with_fellowship,
)
from services.warofthering.tables import COMPANIONS

combat("it_is_a_gift", {3: (plus(1, reroll=1),)}, with_fellowship)


def _companions(b: Board, side: int) -> list[int]:
    return b.battle.characters(side, COMPANIONS)


combat(
    "mighty_attack",
    {4: (choose_figure(_companions, "forfeit"), spend_chosen, convert_misses(lambda b, side: 1))},
    has(*COMPANIONS),
)

combat(
    "brave_stand", {3: (enemy_fewer(lambda b, side: len(_companions(b, side))),)}, has(*COMPANIONS)
)

combat("daylight", {3: (enemy_most(3),)})

combat("no_quarter", {5: (extra_hits(1, lambda b, side: rolled_hits(b, side) >= 1),)})

combat("shield_wall", {6: (stop_hits(1, lambda b, side: rolled_hits(b, 1 - side) >= 2),)})

combat("charge", {2: (volley(lambda b, side: b.battle.elites(side)),)}, has_elite)
