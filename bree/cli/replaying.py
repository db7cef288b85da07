"""`bree record replay`: a recorded game, decision by decision, the board drawn after each."""

from __future__ import annotations

from pathlib import Path

from rich.text import Text

from bree.cli.boards import View, drawing_of
from bree.cli.files import read_record
from bree.cli.looking import LOOKS
from bree.cli.records import ending, is_over, told
from bree.cli.talk import Talk
from bree.cli.tape import PlayedEntry, Tape
from bree.cli.trouble import Trouble
from services.core.decisions import Seat
from services.core.errors import Refused
from services.core.record import Record

KEYS = "Enter: on · b: back · number: go there · map, about, legend · q: quit"


def replay(talk: Talk, path: Path, seat: str | None, to: int | None, *, opened: bool) -> int:
    """Go through a record, or draw one position of it; 1 if it cannot have come so far."""
    replaying = Replaying(talk, path, seat, opened=opened)
    try:
        if to is None:
            replaying.run()
        else:
            replaying.show_at(to)
    except Refused as e:
        talk.say(f"{path} does NOT hold: {e}", "bold red")
        return 1
    return 0


class Replaying:
    """A record, where in it the viewer is, and whose eyes the viewer has."""

    def __init__(self, talk: Talk, path: Path, seat: str | None, *, opened: bool) -> None:
        self.talk = talk
        self.record, self.rules = read_record(path)
        self.opened = opened
        self.name = seat
        self.seat = _seat(self.record, seat)
        if opened and seat:
            raise Trouble("--open shows what every seat sees: leave --seat away")
        if opened and not is_over(self.record):
            raise Trouble(f"{path} is not finished, so it cannot be laid open")
        self.drawing = drawing_of(self.record.game)
        self.tape = Tape(self.record, self.rules)
        self.last: PlayedEntry | None = None

    def show_at(self, number: int) -> None:
        """Draw the position after this number of decisions, and ask nothing."""
        if not 0 <= number <= len(self.record.entries):
            raise Trouble(f"--to takes a number from 0 to {len(self.record.entries)}")
        self._go_to(number)
        self._draw()

    def run(self) -> None:
        """Draw, and go where the viewer says, until there is no more."""
        self._draw()
        while (to := self._asked()) is not None:
            self._go_to(to)
            self._draw()

    def _asked(self) -> int | None:
        """Where the viewer wants to be; `None` to leave."""
        here, last = self.tape.table.revision, len(self.record.entries)
        while True:
            said = " ".join(self._read().lower().split())
            command, _, rest = said.partition(" ")
            if command in LOOKS:
                LOOKS[command][0](self.talk, self.drawing, self._view(), rest)
                continue
            if said in ("q", "quit") or (not said and here == last):
                return None
            if said in ("", "b"):
                return max(0, here - 1) if said else here + 1
            if said.isdecimal() and len(said) < 9 and int(said) <= last:
                return int(said)
            self.talk.say(f"There is no decision {said!r}: 0 to {last}. {KEYS}", "yellow")

    def _read(self) -> str:
        try:
            return self.talk.read(f"[{KEYS}] ")
        except EOFError:
            return "q"

    def _go_to(self, number: int) -> None:
        if number < self.tape.table.revision:
            self.tape, self.last = Tape(self.record, self.rules), None
        while self.tape.table.revision < number:
            self.last = self.tape.play_next()

    def _draw(self) -> None:
        self.talk.show(self.drawing.draw(self._view()))
        if self.last is not None:
            self._tell(self.last)
        if self.tape.is_at_end:
            self.talk.say(ending(self.record), "bold")

    def _tell(self, step: PlayedEntry) -> None:
        of = f"{step.number} of {len(self.record.entries)}, {step.entry.who}: "
        what = told(step, self.name, opened=self.opened)
        self.talk.show(Text.assemble((of, "bold"), what))
        for event in step.events:
            if event.is_seen_by(self._eyes(step)):
                self.talk.say(f"  • {self.rules.report(event)}")

    def _eyes(self, step: PlayedEntry) -> Seat | None:
        """Through whose eyes an event is told: when all lies open, those of who decided."""
        if self.opened and step.entry.who in self.record.seats:
            return self.record.seats.index(step.entry.who)
        return self.seat

    def _view(self) -> View:
        game = self.tape.table.game
        if not self.opened:
            return self.rules.view(game, self.seat)
        seats = range(len(self.record.seats))
        return self.drawing.unite([self.rules.view(game, seat) for seat in seats])


def _seat(record: Record, name: str | None) -> Seat | None:
    if name is None:
        return None
    if name not in record.seats:
        raise Trouble(f"--seat takes {' or '.join(record.seats)}, not {name!r}")
    return record.seats.index(name)
