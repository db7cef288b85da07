"""What people read: every question, action and event of this game as a sentence."""

from __future__ import annotations

from services.core.decisions import Action, Event, Seat
from services.core.frames import Game
from services.warofthering.board import Board

G = Game[Board]


def question(g: G, seat: Seat) -> str:
    """The question put to a seat."""
    asked = g.question()
    assert asked is not None
    what = asked.shown(g, seat).get("what")
    text = f"{asked.prompt} {what or ''}".replace(".", " ").replace("_", " ").strip()
    return f"{text[0].upper()}{text[1:]}?"


def sentence(spelt: str, action: Action) -> str:
    """What an action would do."""
    text = spelt.replace("_", " ")
    return f"{text[0].upper()}{text[1:]}."


def report(event: Event) -> str:
    """An event as a sentence, from what its facts say and nothing else."""
    facts = ", ".join(f"{key} {value}" for key, value in event.facts.items() if value is not None)
    text = f"{event.kind} {facts}".replace("_", " ").strip()
    return f"{text[0].upper()}{text[1:]}."
