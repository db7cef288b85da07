"""Talking with the person at the terminal: lines in, words and drawings out."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from rich.console import Console, RenderableType
from rich.text import Text

with suppress(ImportError):  # where there is no readline, lines are typed without it
    import readline  # noqa: F401  # importing it gives `input` its line editing


class ReaderGone(Exception):
    """Whoever read the output reads no more, such as `head` after ten lines."""


class Screen(Console):
    """The console that output goes to: plain words stay plain."""

    def __init__(self) -> None:
        super().__init__(highlight=False, emoji=False, markup=False)

    def on_broken_pipe(self) -> None:
        raise ReaderGone


class Talk:
    """The screen, and the lines that are typed or piped in."""

    def __init__(self) -> None:
        self.console = Screen()
        self.is_live = sys.stdin.isatty()
        self.is_asking = False  # somebody is typing; nothing should come in between

    def say(self, words: str = "", style: str = "") -> None:
        """Print a line of plain words; nothing in them is taken for markup."""
        self.console.print(Text(words, style), soft_wrap=False)

    def line(self, words: str) -> None:
        """Print one line as it is, however long, for programs to read."""
        try:
            self.console.file.write(f"{words}\n")
            self.console.file.flush()
        except BrokenPipeError:
            raise ReaderGone from None

    def show(self, drawing: RenderableType) -> None:
        """Print a drawing, a table or a line of styled text."""
        self.console.print(drawing)

    def read(self, prompt: str) -> str:
        """The next line, without blanks around it; `EOFError` when there are no more."""
        if self.is_live:
            self.is_asking = True
            try:
                return input(prompt).strip()
            finally:
                self.is_asking = False
        line = sys.stdin.readline()
        if not line:
            self.say()
            raise EOFError
        # What is piped in is not seen otherwise, and the output should read like a game.
        self.say(prompt + line.strip(), "bold")
        return line.strip()

    def read_quietly(self) -> str:
        """The next line that is piped in, shown to nobody."""
        return sys.stdin.readline()

    @contextmanager
    def busy(self, words: str) -> Iterator[None]:
        """Show that something is going on, if there is a screen to show it on."""
        if not self.console.is_terminal:
            yield
            return
        with self.console.status(Text(words, "dim")):
            yield
