"""Boards as they come from a platform, as the views that `cli.boards` draws.

Design. The codec that writes a game's views reads them here, so a board is drawn by the same code
here and offline. What a newer game sends as plain data is drawn as text. Any other game that this
`bree` does not know can be played without a board: every question comes with its answers in words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from google.protobuf.any_pb2 import Any
from rich.console import RenderableType
from rich.text import Text

from bree.cli.boards import Drawing, View, drawing_of, plain
from services import GAMES
from services.host.boards import StructCodec, codec_of


def is_known(game: str) -> bool:
    """Whether this `bree` can draw a game."""
    return game in GAMES


def view_of(game: str, packed: Any) -> View:
    """The view that a board was made of; an empty one if it cannot be read here."""
    for codec in (codec_of(game) if is_known(game) else StructCodec(), StructCodec()):
        board = codec.message()
        if packed.Unpack(board):
            return codec.decode(board)
    return {}


class Undrawn:
    """What stands where a board would, of a game that is not known here."""

    def draw(self, view: View) -> RenderableType:
        """Its view as text, if that could be read, or a sentence."""
        if view:
            return plain.draw(view)
        return Text("This bree cannot draw the board of this game; a newer one may.", "yellow")

    def unite(self, views: Sequence[View], seat: int = 0) -> View:
        """Nothing."""
        return {}

    def pages(self, view: View, words: str) -> Sequence[RenderableType]:
        """None."""
        return ()

    def about(self, view: View, words: str) -> Iterable[tuple[str, str]]:
        """Nothing."""
        return ()

    def legend(self) -> Iterable[tuple[str, str]]:
        """Nothing."""
        return ()


def drawing(game: str) -> Drawing:
    """How a game is drawn."""
    return drawing_of(game) if is_known(game) else Undrawn()
