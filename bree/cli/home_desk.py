"""A desk at a table in this process, with all that one may do there besides answering."""

from __future__ import annotations

from pathlib import Path

from bree.cli.boards import View, drawing_of
from bree.cli.desk import Asked, Choice, Commands, Desk, Wish
from bree.cli.files import RecordFile
from bree.cli.log import Log
from bree.cli.match import Match
from bree.cli.talk import Talk
from bree.cli.trouble import Trouble
from services.core.decisions import Action, Ask, Seat


class HomeDesk(Desk):
    """The place of one seat of a game that is played here."""

    def __init__(self, match: Match, seat: Seat, talk: Talk, log: Log, file: RecordFile) -> None:
        self.match = match
        self.table = match.table
        self.rules = match.table.rules
        self.seat = seat
        self.file = file
        super().__init__(self.table.name(seat), drawing_of(self.rules.name), talk, log)

    def own_commands(self) -> Commands:
        return {
            "hint": (self._hint, "what the greedy bot would do"),
            "undo": (self._undo, "take back your last answer, while nobody has learnt from it"),
            "save": (self._save, "where the game is kept; save FILE writes a copy"),
            "resign": (self.resign, "give up"),
            "quit": (self.quit, "leave; bree play --resume FILE goes on"),
        }

    def view(self) -> View:
        return self.rules.view(self.table.game, self.seat)

    def decide(self, ask: Ask) -> Action | Wish:
        """Put a question of the table, and read until it is answered."""
        choices = [Choice(self.rules.spell(a), self._sentence(a)) for a in ask.actions]
        asked = Asked(self.rules.question(self.table.game, self.seat), choices)
        answer = self.answer(asked)
        return answer if isinstance(answer, Wish) else ask.actions[answer]

    def _sentence(self, action: Action) -> str:
        return self.rules.sentence(self.table.game, self.seat, action)

    def _hint(self, asked: Asked, rest: str) -> None:
        text = self.rules.spell(self.match.hint(self.seat))
        number = next(n for n, choice in enumerate(asked.choices) if choice.text == text)
        sentence = asked.choices[number].sentence
        self.talk.say(f"The greedy bot would say {number + 1}: {sentence}", "green")

    def _save(self, asked: Asked, rest: str) -> None:
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

    def _undo(self, asked: Asked, rest: str) -> Wish | None:
        if self.table.can_undo(self.seat):
            return Wish.UNDO
        self.talk.say("There is nothing that can still be taken back.", "yellow")
        return None
