"""Every question as a sentence, which says how much is decided about."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from services.core.decisions import Seat
from services.core.frames import Game
from services.duel.board import Board
from services.duel.tables import REGION_NAMES
from services.duel.words.printed import many

G = Game[Board]


def _place(g: G, asked: Any) -> str:
    units = many(min(asked.units, g.board.supply[g.board.turn]), "unit")
    if asked.regions & (asked.regions - 1):
        return f"Where do you place {units}?"
    return f"Do you place {units} in {REGION_NAMES[asked.regions.bit_length() - 1]}?"


def _place_freely(g: G, asked: Any) -> str:
    units = many(min(asked.count, g.board.supply[g.board.turn]), "unit")
    return f"Where do you place a unit? You may place {units}."


def _build(g: G, asked: Any) -> str:
    where = REGION_NAMES[asked.region]
    return f"Do you build a fortress in {where}, though it makes your next landmarks dearer?"


def _advance(g: G, asked: Any) -> str:
    if asked.most == 1:
        return "Do you make the quest step?"
    return f"How many of your {asked.most} quest steps do you make?"


def _left(what: str, thing: str) -> Callable[[G, Any], str]:
    return lambda g, asked: f"{what} You have {many(asked.count, thing)} left."


def _plain(what: str) -> Callable[[G, Any], str]:
    return lambda g, asked: what


QUESTIONS: Mapping[str, Callable[[G, Any], str]] = {
    "chapter.deal": _plain("Chance turns up the next card."),
    "chapter.set_aside": _plain("Chance sets a card aside, unseen."),
    "chapter.landmark": _plain("Chance turns up the next landmark."),
    "turn.choose": _plain("Do you play a card, discard one, or take a landmark?"),
    "turn.again": _plain("You have earned another turn. Do you take it?"),
    "armies.place": _place,
    "armies.place_freely": _place_freely,
    "armies.move": _left("Which unit do you move, and where?", "movement"),
    "armies.remove": _left("Where do you remove an enemy unit?", "removal"),
    "armies.build": _build,
    "armies.raze": _plain("Which enemy fortress do you remove?"),
    "quest.advance": _advance,
    "alliance.draw": _plain("Chance draws the next token of the stack."),
    "alliance.keep": _plain("Which alliance token do you keep?"),
    "alliance.race": _plain("From which race do you choose a token?"),
    "alliance.three": _plain("Do you make the alliance of three races now?"),
    "discard.play": _plain("Which card of the discard pile do you play?"),
    "discard.strip": _plain("Which grey card does your opponent lose?"),
    "maneuver.choose": _left("Which maneuver do you make?", "maneuver"),
}
"""By prompt."""


def question(g: G, seat: Seat) -> str:
    """The question put to a seat."""
    asked = g.question()
    assert asked is not None
    return QUESTIONS[asked.prompt](g, asked)
