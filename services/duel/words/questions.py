"""Every question as a sentence."""

from __future__ import annotations

from collections.abc import Mapping

from services.core.decisions import Seat
from services.core.frames import Game
from services.duel.board import Board

G = Game[Board]

QUESTIONS: Mapping[str, str] = {
    "chapter.deal": "Chance turns up the next card.",
    "chapter.set_aside": "Chance sets a card aside, unseen.",
    "chapter.landmark": "Chance turns up the next landmark.",
    "turn.choose": "Do you play a card, discard one, or take a landmark?",
    "turn.again": "You have earned another turn. Do you take it?",
    "armies.place": "Where do your units go?",
    "armies.place_freely": "Where do you place a unit?",
    "armies.move": "Which unit do you move, and where?",
    "armies.remove": "Where do you remove an enemy unit?",
    "armies.build": "Do you build the fortress, though it makes your next landmarks dearer?",
    "armies.raze": "Which enemy fortress do you remove?",
    "quest.advance": "How many steps of the quest do you make?",
    "alliance.draw": "Chance draws the next token of the stack.",
    "alliance.keep": "Which alliance token do you keep?",
    "alliance.race": "From which race do you choose a token?",
    "alliance.three": "Do you make the alliance of three races now?",
    "discard.play": "Which card of the discard pile do you play?",
    "discard.strip": "Which grey card does your opponent lose?",
    "maneuver.choose": "Which maneuver do you make?",
}


def question(g: G, seat: Seat) -> str:
    """The question put to a seat."""
    asked = g.question()
    assert asked is not None
    return QUESTIONS[asked.prompt]
