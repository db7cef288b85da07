"""Boards as they come from a platform, as the views that `cli.boards` draws.

Design. A game's own `wire` module reads what the same module has written, so a board is drawn by
the same code here and offline. A game that this `bree` does not know can be played without a board:
every question comes with its answers in words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from importlib.util import find_spec

from google.protobuf import any_pb2, descriptor_pool, message_factory
from rich.console import RenderableType
from rich.text import Text

from bree.cli.boards import Drawing, View, drawing_of
from services import GAMES


def is_known(game: str) -> bool:
    """Whether this `bree` can draw a game."""
    return game in GAMES and find_spec(f"services.{game}.wire") is not None


def view_of(game: str, packed: any_pb2.Any) -> View:
    """The view that a board was made of; an empty one of a game that is not known here."""
    if not is_known(game):
        return {}
    wire = import_module(f"services.{game}.wire").WIRE  # which brings the game's messages
    described = descriptor_pool.Default().FindMessageTypeByName(packed.TypeName())
    board = message_factory.GetMessageClass(described)()
    packed.Unpack(board)
    view: View = wire.view(board)
    return view


class Undrawn:
    """What stands where a board would, of a game that is not known here."""

    def draw(self, view: View) -> RenderableType:
        """A sentence."""
        return Text("This bree cannot draw the board of this game; a newer one may.", "yellow")

    def unite(self, views: Sequence[View], seat: int = 0) -> View:
        """Nothing."""
        return {}

    def about(self, view: View, words: str) -> Iterable[tuple[str, str]]:
        """Nothing."""
        return ()


def drawing(game: str) -> Drawing:
    """How a game is drawn."""
    return drawing_of(game) if is_known(game) else Undrawn()
