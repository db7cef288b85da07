"""The game engines of Bree, and the machinery they share. A folder with a `game.toml` is a game."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from services.core.errors import Invalid
from services.manifests import manifests

if TYPE_CHECKING:
    from services.core.contract import Rules

GAMES = tuple(manifests())


def rules_of(name: str) -> Rules[Any]:
    """The rules of the game called `name`."""
    if name not in GAMES:
        raise Invalid(f"no such game; there are {', '.join(GAMES)}", said=name)
    rules: Rules[Any] = import_module(f"services.{name}").RULES
    return rules
