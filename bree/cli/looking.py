"""What may be looked at beside the board, wherever one is drawn: the map, its signs, and names."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rich.table import Table as Grid
from rich.text import Text

from bree.cli.boards import Drawing, View
from bree.cli.talk import Talk

Look = Callable[[Talk, Drawing, View, str], None]


def show_map(talk: Talk, drawing: Drawing, view: View, words: str) -> None:
    """The pages of the map that these words name; without words the whole of it."""
    pages = drawing.pages(view, words)
    for page in pages:
        talk.show(page)
    if not pages:
        nothing = f"No part of a map is called {words!r} here." if words else "There is no map."
        talk.say(nothing, "yellow")


def show_legend(talk: Talk, drawing: Drawing, view: View, words: str) -> None:
    """What the signs mean."""
    grid = Grid.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="bold", no_wrap=True)
    grid.add_column()
    for sign, meaning in drawing.legend():
        grid.add_row(Text(f"  {sign}"), Text(meaning))
    talk.show(grid)
    if not grid.row_count:
        talk.say("There are no signs: all is in words.", "yellow")


def show_about(talk: Talk, drawing: Drawing, view: View, words: str) -> None:
    """What these words name."""
    found = list(drawing.about(view, words))
    for title, text in found:
        talk.show(Text.assemble((title, "bold"), f"  {text}"))
    if not found and words:
        talk.say(f"Nothing in this game is called {words!r}.", "yellow")
    elif not found:
        talk.say("You hold nothing yet. about NAME tells of a region or a card.", "yellow")


LOOKS: Mapping[str, tuple[Look, str]] = {
    "map": (show_map, "the map; map NAME for a part of it, or the page with a region"),
    "about": (show_about, "what your pieces and cards do; about NAME for one, or for a region"),
    "legend": (show_legend, "what the signs of the board and of the map mean"),
}
"""By command: what shows it, and what it shows."""
