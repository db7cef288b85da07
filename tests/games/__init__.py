"""The games that the shared suites run on: those of the platform, and the core's toy."""

from __future__ import annotations

from typing import Any

import services
from services.core.contract import Rules
from tests.games.skirmish.rules import RULES as TOY

GAMES = (*services.GAMES, TOY.name)


def rules_of(name: str) -> Rules[Any]:
    """The rules of the game called `name`, the toy included."""
    return TOY if name == TOY.name else services.rules_of(name)
