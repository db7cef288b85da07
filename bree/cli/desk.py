"""Where one person answers: the question, its numbered answers, and the commands beside them.

Design. A desk knows a question as sentences and texts, wherever the game is played; `HomeDesk` has
what goes with a table in this process, and `cli.online` what goes with a match on a platform.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import NamedTuple

from rich.rule import Rule
from rich.table import Table as Grid
from rich.text import Text

from bree.cli.boards import Drawing, View
from bree.cli.log import Log
from bree.cli.looking import LOOKS, Look
from bree.cli.talk import Talk
from services.core.ranges import ranges

LONG_RANGE = 4
"""Numbers in a row from which on a range is told by its ends."""
_YES = ("y", "yes")


class Left(Exception):
    """The person has left the game as it stands."""


class Wish(Enum):
    """What a person may want instead of answering."""

    UNDO = "undo"
    RESIGN = "resign"


class Choice(NamedTuple):
    """One answer: its text as records have it, and what it would do."""

    text: str
    sentence: str


class Asked(NamedTuple):
    """A question as it is put to a person."""

    sentence: str
    choices: Sequence[Choice]


Command = Callable[[Asked, str], Wish | None]
Commands = Mapping[str, tuple[Command, str]]


class Desk(ABC):
    """One person's place at the terminal."""

    def __init__(self, name: str, drawing: Drawing, talk: Talk, log: Log) -> None:
        self.name = name
        self.drawing = drawing
        self.talk = talk
        self.log = log
        self.drawn: View | None = None
        self.commands: Commands = {
            "help": (self._help, "this"),
            "board": (self._board, "draw the board again"),
            **{name: (self._looking(look), told) for name, (look, told) in LOOKS.items()},
            "log": (self._log, "what you have seen happen so far"),
            **self.own_commands(),
        }

    def own_commands(self) -> Commands:
        """What may be said at this kind of desk besides."""
        return {}

    @abstractmethod
    def view(self) -> View:
        """All that this seat may know."""

    def answer(self, asked: Asked) -> int | Wish:
        """Put the question, and read lines until one names an answer: its place in the list."""
        self._draw_if_changed()
        self.tell()
        self._put(asked)
        while True:
            said = " ".join(self.talk.read(f"{self.name}> ").split())
            reply = self._reply(asked, said)
            if reply is not None:
                return reply

    def draw(self) -> None:
        """Draw the board as this seat sees it."""
        self.drawn = self.view()
        self.talk.show(self.drawing.draw(self.drawn))

    def tell(self) -> None:
        """Say what this seat has seen happen since it was last told."""
        for line in self.log.news():
            self.talk.say(f"  • {line}")

    def _draw_if_changed(self) -> None:
        if self.view() != self.drawn:
            self.draw()

    def _put(self, asked: Asked) -> None:
        self.talk.show(Rule(Text(f"{self.name} decides"), style="dim", align="left"))
        self.talk.say(asked.sentence, "bold")
        self._list(asked, range(len(asked.choices)), folded=True)

    def _list(self, asked: Asked, numbers: Sequence[int], *, folded: bool = False) -> None:
        """The answers with their numbers, and their texts at the edge where there is room.

        Folded, of answers that differ in a count alone the first and the last are enough.
        """
        left_out = _between([choice.text for choice in asked.choices]) if folded else {}
        grid = Grid.grid(padding=(0, 2, 0, 0))
        grid.add_column(justify="right", style="bold yellow", width=3)
        grid.add_column()
        room = self.talk.console.width - 7  # a number, and the blanks after both columns
        for n in numbers:
            if n in left_out:
                if left_out[n]:
                    grid.add_row("…", Text("and every number between", "dim"))
                continue
            text, sentence = asked.choices[n]
            blanks = room - len(sentence) - len(text)
            beside = " " * blanks + text if blanks > 1 else ""
            grid.add_row(str(n + 1), Text.assemble(sentence, (beside, "dim")))
        self.talk.show(grid)

    # What was said.

    def _reply(self, asked: Asked, said: str) -> int | Wish | None:
        lowered = said.lower()
        spelt = {choice.text: n for n, choice in enumerate(asked.choices)}
        if lowered in spelt:
            return spelt[lowered]
        if said.isdecimal():
            return self._numbered(asked, said)
        command, _, rest = said.partition(" ")
        if command.lower() in self.commands:
            return self.commands[command.lower()][0](asked, rest)
        return self._in_words(asked, lowered.split()) if said else None

    def _numbered(self, asked: Asked, said: str) -> int | None:
        if len(said) < 6 and 1 <= int(said) <= len(asked.choices):
            return int(said) - 1
        self.talk.say(f"The answers have the numbers 1 to {len(asked.choices)}.", "yellow")
        return None

    def _in_words(self, asked: Asked, words: Sequence[str]) -> int | None:
        """The one answer whose text has all these words; or a list of those that could be meant."""
        texts = [choice.text for choice in asked.choices]
        named = [n for n, text in enumerate(texts) if set(words) <= set(text.split())]
        if len(named) == 1:
            return named[0]
        found = [n for n, text in enumerate(texts) if all(word in text for word in words)]
        if found:
            self.talk.say("Say which, by its number:", "yellow")
            self._list(asked, found)
        else:
            why = f"{' '.join(words)!r} is no answer here."
            numbers = f"Type a number from 1 to {len(asked.choices)}, an answer's text, or help."
            self.talk.say(f"{why} {numbers}", "yellow")
        return None

    # The commands.

    def _help(self, asked: Asked, rest: str) -> None:
        self.talk.say(
            "Answer with a number, or with the grey text beside it. Some words of an answer"
        )
        self.talk.say("list the answers in which they occur. Instead of answering you may say:")
        grid = Grid.grid(padding=(0, 2, 0, 0))
        for name, (_, meaning) in self.commands.items():
            grid.add_row(Text(f"  {name}", "bold yellow"), meaning)
        self.talk.show(grid)

    def _board(self, asked: Asked, rest: str) -> None:
        self.draw()
        self._put(asked)

    def _log(self, asked: Asked, rest: str) -> None:
        if not self.log.lines:
            self.talk.say("Nothing has happened yet.")
        for _, line in self.log.lines:
            self.talk.say(f"  • {line}")

    def _looking(self, look: Look) -> Command:
        def shown(asked: Asked, rest: str) -> None:
            look(self.talk, self.drawing, self.view(), rest)

        return shown

    # What every kind of desk has, in words of its own.

    def resign(self, asked: Asked, rest: str) -> Wish | None:
        """Give up, if the person is sure."""
        # A slip of the finger should not lose a game; what is piped in was meant.
        sure = not self.talk.is_live or self.talk.read("Give up this game? [y/N] ").lower() in _YES
        return Wish.RESIGN if sure else None

    def quit(self, asked: Asked, rest: str) -> None:
        """Leave the game as it stands."""
        raise Left


def _between(texts: Sequence[str]) -> dict[int, bool]:
    """The places of answers between the ends of a long range; True for the first of each."""
    places = {text: place for place, text in enumerate(texts)}
    found: dict[int, bool] = {}
    for run in ranges(texts):
        if run.last - run.first >= LONG_RANGE:
            first = places[f"{run.text} {run.first}"]
            found |= {first + n: n == 1 for n in range(1, run.last - run.first)}
    return found
