"""What people read: every question, action and event of this game as a sentence."""

from __future__ import annotations

from services.warofthering.words.actions import sentence
from services.warofthering.words.events import report
from services.warofthering.words.questions import question

__all__ = ["question", "report", "sentence"]
