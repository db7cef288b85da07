"""How each game's position is drawn in a terminal: one module a game, from its view only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any, Protocol, cast

from rich.console import RenderableType

from services.manifests import manifests

View = Mapping[str, Any]
PLAIN = "plain"


class Drawing(Protocol):
    """What a module of this package offers."""

    def draw(self, view: View) -> RenderableType:
        """The whole position as one viewer sees it."""
        ...

    def unite(self, views: Sequence[View], seat: int = 0) -> View:
        """All that the seats together see, drawn as for one of them; for games that are over."""
        ...

    def about(self, view: View, words: str) -> Iterable[tuple[str, str]]:
        """What is printed on the pieces and cards that these words name: titles and texts."""
        ...


def drawing_of(game: str) -> Drawing:
    """The drawing that the game's manifest names; a plain one, if it names none."""
    told = manifests().get(game)  # a platform may serve games that are not installed here
    name = told.board if told and told.board else PLAIN
    return cast("Drawing", import_module(f"{__name__}.{name}"))
