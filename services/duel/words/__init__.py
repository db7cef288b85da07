"""What people read: every question, action and event of this game as a sentence."""

from __future__ import annotations

from services.duel.words.actions import sentence
from services.duel.words.events import report
from services.duel.words.questions import question

__all__ = ["question", "report", "sentence"]
