"""What is at stake in the question that stands: the damage of the Hunt, or the hits on an army."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from services.core.decisions import Action
from services.core.frames import Game
from services.warofthering.board import Board
from services.warofthering.play.asking import ANSWERS, Choose
from services.warofthering.play.casualties import TakeLosses, hits_of, loss_choices
from services.warofthering.play.hunt import Tile
from services.warofthering.tables import (
    ELITE,
    FIGURES,
    GOLLUM,
    GUIDES,
    HOBBITS,
    LEVEL,
    NO_FIGURE,
    REGION_COUNT,
    REGION_OF,
    REGIONS,
    REGULAR,
)

G = Game[Board]
Part = Mapping[str, object]


# The Hunt.


class Meeting(NamedTuple):
    """How much of the damage an answer meets, and who falls or leaves for it."""

    least: int
    most: int
    companion: int = NO_FIGURE


def open_damage(g: G) -> int:
    """The damage of the Hunt tile that is being met; 0 if there is none."""
    tiles = [frame for frame in g.stack if isinstance(frame, Tile)]
    return tiles[-1].damage if tiles else 0


def meeting(b: Board, word: str, damage: int) -> Meeting:
    """What an answer to the damage of the Hunt meets of it."""
    if word == "corruption":
        return Meeting(damage, damage)
    if word == "guide":
        met = min(LEVEL[b.guide], damage)
        return Meeting(met, met, b.guide)
    if word == "random":
        levels = [min(LEVEL[who], damage) for who in b.company()]
        return Meeting(min(levels), max(levels))
    return Meeting(1, 1, b.guide if word == "separate" else NO_FIGURE)


def comes_back(b: Board, who: int) -> bool:
    """Whether a Companion who is eliminated returns to the Fellowship when the turn ends (D07)."""
    return who in HOBBITS and not b.in_mordor and not b.settings.readings.hobbits_separate_at_once


def hunt_damage(g: G) -> Part | None:
    """The damage that must be met, and what each answer does about it."""
    asked = g.question()
    if not isinstance(asked, Choose) or asked.what != "hunt_response":
        return None
    damage = open_damage(g)
    words = [ANSWERS[option] for option in asked.options]
    return {"damage": damage, "answers": [_answer(g.board, word, damage) for word in words]}


def _answer(b: Board, word: str, damage: int) -> Part:
    least, most, who = meeting(b, word, damage)
    known = who not in (NO_FIGURE, GOLLUM)
    return {
        "answer": word,
        "least": least,
        "most": most,
        "companion": GUIDES[who] if known else None,
        "returns": word == "guide" and comes_back(b, who),
    }


# Hits on an army.


def losses(g: G) -> Part | None:
    """The hits that an army takes, and what each loss costs and spares."""
    asked = g.question()
    if not isinstance(asked, TakeLosses):
        return None
    b = g.board
    choices = loss_choices(b, asked.area, asked.side, asked.hits, asked.in_battle)
    return {
        "seat": b.settings.seats[asked.seat],
        "region": REGIONS[REGION_OF[asked.area]],
        "garrison": asked.area >= REGION_COUNT,
        "hits": asked.hits,
        "choices": [_loss(b, action) for action in choices],
    }


def _loss(b: Board, action: Action) -> Part:
    (unit,) = action.nouns
    reduced = action.verb == "reduce"
    return {
        "figure": FIGURES[unit],
        "hits": hits_of(b, action),
        "replaced_by": FIGURES[REGULAR + unit - ELITE] if reduced else None,
    }
