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

    def pages(self, view: View, words: str) -> Sequence[RenderableType]:
        """The pages of the map that these words name; without words the whole of it."""
        ...

    def about(self, view: View, words: str) -> Iterable[tuple[str, str]]:
        """What the regions, pieces and cards are that these words name: titles and texts."""
        ...

    def legend(self) -> Iterable[tuple[str, str]]:
        """Every sign of the drawing and of the map, with what it means."""
        ...


def drawing_of(game: str) -> Drawing:
    """The drawing that the game's manifest names; a plain one, if it names none."""
    told = manifests().get(game)  # a platform may serve games that are not installed here
    name = told.board if told and told.board else PLAIN
    return cast("Drawing", import_module(f"{__name__}.{name}"))
