"""What a decision costs, in words: the damage of the Hunt, a temptation, a Companion who falls."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from services.core.frames import Game
from services.warofthering.board import Board
from services.warofthering.play.event_effects import EventPlay
from services.warofthering.play.hunt import Tile, reducers
from services.warofthering.tables import (
    CARD_NAMES,
    COMPANIONS,
    EYE_TILES,
    HOBBITS,
    LARGEST_CORRUPTION,
    LEVEL,
    NO_TILE,
)
from services.warofthering.view.stakes import comes_back, meeting, open_damage
from services.warofthering.words.names import (
    FIGURE_TITLES,
    GUIDE_TITLES,
    TILE_NAMES,
    a_figure,
    many,
)

G = Game[Board]

_BACK = "he returns to the Fellowship when the turn ends"


def figure_falls(b: Board, figure: int) -> str:
    """A figure who dies to cancel hits: how many, and whether he comes back."""
    is_leader = figure not in COMPANIONS
    cancelled = "1 hit" if is_leader else f"up to {many(LEVEL[figure], 'hit')}"
    fate = f"; {_BACK}" if not is_leader and comes_back(b, figure) else ""
    return f"{a_figure(figure)} falls and cancels {cancelled}{fate}."


def corruption_becomes(b: Board, amount: int) -> str:
    """The Corruption now, and what it is after `amount` points more."""
    after = min(b.corruption + amount, LARGEST_CORRUPTION)
    lost = ", and the Ring-bearers are lost" if after == LARGEST_CORRUPTION else ""
    return f"{b.corruption} becomes {after}{lost}"


# The Hunt.


def ask_hunt(g: G) -> str:
    """How much damage is open."""
    return f"Hunt damage of {open_damage(g)} is open: how do you meet it?"


def _meet_hunt(g: G, word: str) -> str:
    b, damage = g.board, open_damage(g)
    if word == "corruption":
        return f"Take it as Corruption: {corruption_becomes(b, damage)}."
    least, most, _ = meeting(b, word, damage)
    met = f"meets {least} of {damage}" if least == most else f"meets {least} to {most} of {damage}"
    return f"{_HOW[word](b)}: {met}{_fate(b, word)}."


def _reduce_by_card(b: Board) -> str:
    cards = reducers(b)
    return f"Discard {CARD_NAMES[cards[0]] if len(cards) == 1 else 'a card on the table'}"


_HOW: Mapping[str, Callable[[Board], str]] = {
    "guide": lambda b: f"Eliminate the Guide, {GUIDE_TITLES[b.guide]}",
    "random": lambda b: "Eliminate a random Companion",
    "separate": lambda b: f"{GUIDE_TITLES[b.guide]} leaves the Fellowship",
    "reveal": lambda b: "Gollum reveals the Fellowship",
    "table": _reduce_by_card,
}


def _fate(b: Board, word: str) -> str:
    """What becomes of whom an answer costs, if it is not the end of him."""
    if word == "guide" and comes_back(b, b.guide):
        return f"; {_BACK}"
    if word == "guide" and b.guide in HOBBITS and not b.in_mordor:
        return "; he leaves the Fellowship and lives"
    if word == "separate" and b.in_mordor:
        return "; he is out of the game"
    return ""


def tile_drawn(g: G) -> str:
    """The Hunt tile that was drawn last, and the damage of an Eye."""
    tiles = (getattr(frame, "tile", NO_TILE) for frame in reversed(g.stack))
    tile = next(tile for tile in tiles if tile != NO_TILE)
    hunts = [frame for frame in g.stack if isinstance(frame, Tile)]
    damage = f", for a damage of {hunts[-1].eye}" if tile in EYE_TILES and hunts else ""
    return f"{TILE_NAMES[tile]}{damage}"


def ask_coat(g: G) -> str:
    """What was drawn."""
    return f"The Hunt tile is {tile_drawn(g)}: do you discard Mithril Coat and Sting for another?"


# Lure of the Ring.


def _tempted(g: G) -> int:
    """The Companion whom Lure of the Ring has picked."""
    plays = [frame for frame in g.stack if isinstance(frame, EventPlay)]
    return plays[-1].memory[0]


def ask_tempted(g: G) -> str:
    """Who is tempted."""
    return f"Lure of the Ring: is {FIGURE_TITLES[_tempted(g)]} lost, or do you take Corruption?"


def _resist(g: G, word: str) -> str:
    b, who = g.board, _tempted(g)
    if word == "corruption":
        return f"{LEVEL[who]} Corruption: {corruption_becomes(b, LEVEL[who])}."
    fate = f"; {_BACK}" if comes_back(b, who) else ""
    return f"{FIGURE_TITLES[who]} is eliminated{fate}."


STAKES: Mapping[str, Callable[[G, str], str]] = {
    "hunt_response": _meet_hunt,
    "lure_of_the_ring": _resist,
}
"""By what is chosen for: the sentence of each answer that tells what it costs."""

ASKED: Mapping[str, Callable[[G], str]] = {
    "hunt_response": ask_hunt,
    "mithril_coat": ask_coat,
    "lure_of_the_ring": ask_tempted,
}
"""The questions that tell what is at stake."""
