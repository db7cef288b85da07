"""What people read: every question, action and event of this game as a sentence."""

from __future__ import annotations

from services.risk.words.actions import sentence
from services.risk.words.events import report
from services.risk.words.questions import question

__all__ = ["question", "report", "sentence"]
