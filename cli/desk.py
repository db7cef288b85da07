"""Where one person answers: the question, its numbered answers, and the commands beside them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from pathlib import Path

from rich.rule import Rule
from rich.table import Table as Grid
from rich.text import Text

from cli.boards import View, drawing_of
from cli.files import RecordFile
from cli.log import Log
from cli.match import Match
from cli.talk import Talk
from cli.trouble import Trouble
from services.core.decisions import Action, Ask, Seat

_YES = ("y", "yes")


class Left(Exception):
    """The person has left the game as it stands."""


class Wish(Enum):
    """What a person may want instead of answering."""

    UNDO = "undo"
    RESIGN = "resign"


_Command = Callable[[Ask, str], Wish | None]


class Desk:
    """One person's place at the terminal."""

    def __init__(self, match: Match, seat: Seat, talk: Talk, log: Log, file: RecordFile) -> None:
        self.match = match
        self.table = match.table
        self.rules = match.table.rules
        self.seat = seat
        self.name = match.table.name(seat)
        self.talk = talk
        self.log = log
        self.file = file
        self.drawing = drawing_of(self.rules.name)
        self.drawn: View | None = None
        self.commands: Mapping[str, tuple[_Command, str]] = {
            "help": (self._help, "this"),
            "board": (self._board, "draw the board again"),
            "about": (self._about, "what your pieces and cards do; about NAME for one of them"),
            "log": (self._log, "what you have seen happen so far"),
            "hint": (self._hint, "what the greedy bot would do"),
            "undo": (self._undo, "take back your last answer, while nobody has learnt from it"),
            "save": (self._save, "where the game is kept; save FILE writes a copy"),
            "resign": (self._resign, "give up"),
            "quit": (self._quit, "leave; bree play --resume FILE goes on"),
        }

    def answer(self, ask: Ask) -> Action | Wish:
        """Put the question, and read lines until one of them answers it."""
        self._draw_if_changed()
        self.tell()
        self._put(ask)
        while True:
            said = " ".join(self.talk.read(f"{self.name}> ").split())
            reply = self._reply(ask, said)
            if reply is not None:
                return reply

    def draw(self) -> None:
        """Draw the board as this seat sees it."""
        self.drawn = self.rules.view(self.table.game, self.seat)
        self.talk.show(self.drawing.draw(self.drawn))

    def tell(self) -> None:
        """Say what this seat has seen happen since it was last told."""
        for line in self.log.news():
            self.talk.say(f"  • {line}")

    def _draw_if_changed(self) -> None:
        if self.rules.view(self.table.game, self.seat) != self.drawn:
            self.draw()

    def _put(self, ask: Ask) -> None:
        self.talk.show(Rule(Text(f"{self.name} decides"), style="dim", align="left"))
        self.talk.say(self.rules.question(self.table.game, self.seat), "bold")
        self._list(ask, range(len(ask.actions)))

    def _list(self, ask: Ask, numbers: Sequence[int]) -> None:
        """The answers with their numbers, and their texts at the edge where there is room."""
        grid = Grid.grid(padding=(0, 2, 0, 0))
        grid.add_column(justify="right", style="bold yellow", width=3)
        grid.add_column()
        room = self.talk.console.width - 7  # a number, and the blanks after both columns
        for n in numbers:
            sentence, text = self._sentence(ask.actions[n]), self.rules.spell(ask.actions[n])
            blanks = room - len(sentence) - len(text)
            beside = " " * blanks + text if blanks > 1 else ""
            grid.add_row(str(n + 1), Text.assemble(sentence, (beside, "dim")))
        self.talk.show(grid)

    def _sentence(self, action: Action) -> str:
        return self.rules.sentence(self.table.game, self.seat, action)

    # What was said.

    def _reply(self, ask: Ask, said: str) -> Action | Wish | None:
        lowered = said.lower()
        spelt = {self.rules.spell(action): action for action in ask.actions}
        if lowered in spelt:
            return spelt[lowered]
        if said.isdecimal():
            return self._numbered(ask, said)
        command, _, rest = said.partition(" ")
        if command.lower() in self.commands:
            return self.commands[command.lower()][0](ask, rest)
        return self._in_words(ask, lowered.split()) if said else None

    def _numbered(self, ask: Ask, said: str) -> Action | None:
        if len(said) < 6 and 1 <= int(said) <= len(ask.actions):
            return ask.actions[int(said) - 1]
        self.talk.say(f"The answers have the numbers 1 to {len(ask.actions)}.", "yellow")
        return None

    def _in_words(self, ask: Ask, words: Sequence[str]) -> Action | None:
        """The one answer whose text has all these words; or a list of those that could be meant."""
        texts = [self.rules.spell(action) for action in ask.actions]
        named = [n for n, text in enumerate(texts) if set(words) <= set(text.split())]
        if len(named) == 1:
            return ask.actions[named[0]]
        found = [n for n, text in enumerate(texts) if all(word in text for word in words)]
        if found:
            self.talk.say("Say which, by its number:", "yellow")
            self._list(ask, found)
        else:
            why = f"{' '.join(words)!r} is no answer here."
            numbers = f"Type a number from 1 to {len(ask.actions)}, an answer's text, or help."
            self.talk.say(f"{why} {numbers}", "yellow")
        return None

    # The commands.

    def _help(self, ask: Ask, rest: str) -> None:
        self.talk.say(
            "Answer with a number, or with the grey text beside it. Some words of an answer"
        )
        self.talk.say("list the answers in which they occur. Instead of answering you may say:")
        grid = Grid.grid(padding=(0, 2, 0, 0))
        for name, (_, meaning) in self.commands.items():
            grid.add_row(Text(f"  {name}", "bold yellow"), meaning)
        self.talk.show(grid)

    def _board(self, ask: Ask, rest: str) -> None:
        self.draw()
        self._put(ask)

    def _log(self, ask: Ask, rest: str) -> None:
        if not self.log.lines:
            self.talk.say("Nothing has happened yet.")
        for _, line in self.log.lines:
            self.talk.say(f"  • {line}")

    def _about(self, ask: Ask, rest: str) -> None:
        view = self.rules.view(self.table.game, self.seat)
        found = list(self.drawing.about(view, rest))
        for title, text in found:
            self.talk.show(Text.assemble((title, "bold"), f"  {text}"))
        if not found:
            self.talk.say(f"Nothing in this game is called {rest!r}.", "yellow")

    def _hint(self, ask: Ask, rest: str) -> None:
        action = self.match.hint(self.seat)
        number = list(ask.actions).index(action) + 1
        self.talk.say(f"The greedy bot would say {number}: {self._sentence(action)}", "green")

    def _save(self, ask: Ask, rest: str) -> None:
        if not rest:
            self.talk.say(f"The game is kept in {self.file}, after every decision.")
            return
        try:
            copy = RecordFile(Path(rest), fresh=True)
            copy.save(self.match.record())
        except Trouble as e:
            self.talk.say(f"{e}.", "yellow")
        else:
            self.talk.say(f"A copy of the game as it stands is in {copy}.")

    def _undo(self, ask: Ask, rest: str) -> Wish | None:
        if self.table.can_undo(self.seat):
            return Wish.UNDO
        self.talk.say("There is nothing that can still be taken back.", "yellow")
        return None

    def _resign(self, ask: Ask, rest: str) -> Wish | None:
        # A slip of the finger should not lose a game; what is piped in was meant.
        sure = not self.talk.is_live or self.talk.read("Give up this game? [y/N] ").lower() in _YES
        return Wish.RESIGN if sure else None

    def _quit(self, ask: Ask, rest: str) -> None:
        raise Left
