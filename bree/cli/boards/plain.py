"""Any game's view as indented text, for a game that has no drawing of its own."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import RenderableType
from rich.text import Text

View = Mapping[str, Any]


def draw(view: View) -> RenderableType:
    """Every field of the view on its own line."""
    return Text(json.dumps(view, indent=2, ensure_ascii=False))


def unite(views: Sequence[View], seat: int = 0) -> View:
    """The seats' views, one after the other."""
    return {str(seat): view for seat, view in enumerate(views)}


def pages(view: View, words: str) -> Sequence[RenderableType]:
    """None: a plain drawing knows no map."""
    return ()


def about(view: View, words: str) -> Iterable[tuple[str, str]]:
    """Nothing: a plain drawing knows no pieces."""
    return ()


def legend() -> Iterable[tuple[str, str]]:
    """Nothing: there are no signs but words."""
    return ()
