"""One game played at this terminal, from its first question to its end.

Design. The session asks whoever is waited for, people before the machine, and tells each person
what that seat saw happen and nothing else. The record is in its file after every decision, so
nothing is lost however the session ends.
"""

from __future__ import annotations

from collections.abc import Iterable

from bree.cli.boards import drawing_of
from bree.cli.desk import Left, Wish
from bree.cli.files import RecordFile
from bree.cli.games import what_is_played
from bree.cli.home_desk import HomeDesk
from bree.cli.log import Log
from bree.cli.match import Match
from bree.cli.seats import does
from bree.cli.talk import Talk
from bree.cli.thoughts import told
from bree.cli.trouble import Trouble
from services.core.decisions import Action, Ask, Event, Seat
from workers.bots.contract import Thought

_REMINDERS = 5
_COLUMNS = 80


class Session:
    """The people at the terminal, and the game between them and the machine."""

    def __init__(
        self, match: Match, file: RecordFile, talk: Talk, *, explain: bool = False
    ) -> None:
        self.explain = explain
        self.match = match
        self.table = match.table
        self.rules = match.table.rules
        self.file = file
        self.talk = talk
        self.logs = {seat: Log() for seat in match.people}
        self.desks = {
            seat: HomeDesk(match, seat, talk, self.logs[seat], file) for seat in match.people
        }
        self.at_keyboard = match.people[0] if len(match.people) == 1 else None
        self.unsaved: Trouble | None = None

    def run(self) -> None:
        """Play until the game is over or the person leaves; `Trouble` if it could not be kept."""
        self._greet()
        self._remember()
        self._save()
        try:
            while not self.table.is_over:
                self._next_decision()
            self._end()
        except (Left, EOFError, KeyboardInterrupt):
            self._leave()
        if self.unsaved:
            raise self.unsaved

    def _greet(self) -> None:
        record = self.match.record()
        self.talk.say(self.rules.title, "bold green")
        if meaning := what_is_played(self.rules, self.table.options):
            self.talk.say(meaning)
        players = [f"{seat}: {who}" for seat, who in zip(record.seats, record.players, strict=True)]
        self.talk.say(f"{', '.join(players)}. Kept in {self.file}.")
        self.talk.say("Say help for all that you may say, map for the map, legend for its signs.")
        if self.explain:
            self.talk.say("The bots think aloud: you hear what they would hide.", "yellow")
        if self.talk.console.width < _COLUMNS:
            self.talk.say(f"Boards are cut here: they need {_COLUMNS} columns.", "yellow")

    # Decisions.

    def _next_decision(self) -> None:
        waiting = self.table.waiting()
        person = next((seat for seat in waiting if seat in self.desks), None)
        if person is None:
            self._bot_decides(waiting[0])
        else:
            self._person_decides(person)

    def _bot_decides(self, seat: Seat) -> None:
        with self.talk.busy(f"{self.table.name(seat)} thinks"):
            thought = self.match.think(seat)
        if self.explain:
            self._tell(seat, thought)
        self._after(self.table.act(seat, thought.action))

    def _tell(self, seat: Seat, thought: Thought) -> None:
        def sentence(action: Action) -> str:
            return self.rules.sentence(self.table.game, seat, action)

        for line in told(self.table.name(seat), thought, sentence):
            self.talk.say(line, "dim")

    def _person_decides(self, seat: Seat) -> None:
        ask = self.table.ask(seat)
        if _answers_itself(ask):
            self._act(seat, ask.actions[0], "You, having no choice")
            return
        self._hand_over(seat)
        answer = self.desks[seat].decide(ask)
        if answer is Wish.UNDO:
            self._undo(seat)
        elif answer is Wish.RESIGN:
            self._after(self.table.resign(seat))
        else:
            assert isinstance(answer, Action)
            self._act(seat, answer, "You")

    def _act(self, seat: Seat, action: Action, who: str) -> None:
        sentence = self.rules.sentence(self.table.game, seat, action)
        events = self.table.act(seat, action)
        self._say_back(self.table.revision, seat, f"{who}: {sentence}", events)
        self._after(events)

    def _undo(self, seat: Seat) -> None:
        """Take answers back to the last that was asked for: others would be given again."""
        revision = self.table.undo(seat)
        while _answers_itself(self.table.ask(seat)) and self.table.can_undo(seat):
            revision = self.table.undo(seat)
        self.logs[seat].forget_after(revision)
        self.talk.say("Taken back.", "yellow")
        self._save()

    # What comes of them.

    def _after(self, events: Iterable[Event]) -> None:
        self._note(self.table.revision, events)
        self._save()

    def _note(self, revision: int, events: Iterable[Event]) -> None:
        for seat, log in self.logs.items():
            log.add(revision, [self.rules.report(e) for e in events if e.is_seen_by(seat)])

    def _say_back(self, revision: int, seat: Seat, said: str, events: Iterable[Event]) -> None:
        """Note a decision of which its own seat sees nothing come yet, so that a slip is seen."""
        if not any(event.is_seen_by(seat) for event in events):
            self.logs[seat].add(revision, [said])

    def _remember(self) -> None:
        """Fill the logs with what was seen before; of a resumed game only the last is news."""
        for revision, who, sentence, events in self.match.past:
            seat = self.table.seats.index(who) if who in self.table.seats else None
            if seat in self.logs:
                self._say_back(revision, seat, f"You: {sentence}", events)
            self._note(revision, events)
        for log in self.logs.values():
            log.told = max(0, len(log.lines) - _REMINDERS)

    def _hand_over(self, seat: Seat) -> None:
        """In a game of two people, hide one's secrets before the other looks."""
        if self.at_keyboard == seat:
            return
        if self.talk.is_live:
            self.talk.console.clear()
            self.talk.read(f"The keyboard is for {self.table.name(seat)}. Press Enter. ")
        self.at_keyboard = seat

    # Keeping, leaving, ending.

    def _save(self) -> None:
        try:
            self.file.save(self.match.record())
            self.unsaved = None
        except Trouble as e:
            if not self.unsaved:
                self.talk.say(f"The game is not kept: {e}.", "bold red")
            self.unsaved = e

    def _leave(self) -> None:
        self.talk.say()
        if not self.table.revision:
            self.file.discard()
            self.talk.say("Nothing was played, so nothing is kept.")
        elif not self.unsaved:
            self.talk.say(f"The game is kept. To go on: bree play --resume {self.file}")

    def _end(self) -> None:
        drawing = drawing_of(self.rules.name)
        views = [self.rules.view(self.table.game, n) for n in range(len(self.table.seats))]
        self.talk.show(drawing.draw(drawing.unite(views, self.at_keyboard or 0)))
        if self.at_keyboard is not None:
            self.desks[self.at_keyboard].tell()
        self.talk.say(self._verdict(), "bold green")
        if not self.unsaved:
            self.talk.say(f"The record is in {self.file}.")
            self.talk.say(f"  bree verify {self.file}")
            self.talk.say(f"  bree record replay --open {self.file}")

    def _verdict(self) -> str:
        scores = self.rules.scores(self.table.game)
        best = [name for name, n in zip(self.table.seats, scores, strict=True) if n == max(scores)]
        mine = [self.table.name(seat) for seat in self.match.people]
        if len(best) == len(scores):
            return "It is a draw."
        if len(mine) > 1:
            return f"{does(best, 'wins', 'win')}."
        return "You win." if mine[0] in best else "You lose."


def _answers_itself(ask: Ask) -> bool:
    """Whether a person need not be asked; where others must not know that, he is."""
    return len(ask.actions) == 1 and not ask.neutral
