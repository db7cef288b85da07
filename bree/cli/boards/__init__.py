"""How each game's position is drawn in a terminal: one module a game, from its view only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol, cast

from rich.console import RenderableType

View = Mapping[str, Any]


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
    """The drawing of this game, or a plain one where it has none of its own."""
    own = f"{__name__}.{game}"
    return cast("Drawing", import_module(own if find_spec(own) else f"{__name__}.plain"))
