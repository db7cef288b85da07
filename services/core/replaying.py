"""Playing a record again: every draw, decision, digest and the result is checked."""

from __future__ import annotations

from typing import Any

from services.core.contract import Options, Rules
from services.core.course import wanted_again
from services.core.decisions import CHANCE, Event
from services.core.errors import Invalid, Refused
from services.core.fair import Draw, DrawLog, commitment
from services.core.frames import B
from services.core.record import Record
from services.core.table import CHANCE_NAME, Entry, Table


class Replay:
    """A record being played again, entry by entry, each checked as far as it can be."""

    def __init__(self, record: Record, rules: Rules[Any]) -> None:
        _check_header(record, rules)
        self.record = record
        self.fate = record.fairness.fate()
        self.table = Table(rules, record.options)  # without fate: chance answers from the record
        self.table.is_strict = False
        self.table.keeps, self.table.keeps_agreed = wanted_again(record.entries, record.seats)
        self.events: list[Event] = []  # what the last decision caused

    def replay_entry(self) -> Entry:
        """Make the next decision; `Invalid` if it cannot have happened so."""
        table = self.table
        entry = self.record.entries[table.revision]
        named = f"entry {table.revision + 1}"
        try:
            self.events = self._entered(entry)
        except Refused as e:
            raise type(e)(
                f"{named}: {e.why}", said=f"{entry.who}: {entry.what}", where=e.where
            ) from e
        if self.record.form > 1 and table.entries[-1] != entry:
            raise Invalid(f"{named}: the game is not where the record says", said=entry.what)
        return entry

    def _entered(self, entry: Entry) -> list[Event]:
        table = self.table
        draws: tuple[Draw, ...] = ()
        if entry.is_note:
            table.note(entry.who, entry.what)
            return []
        if entry.who == CHANCE_NAME and table.waiting() == (CHANCE,):
            draws = self._drawn(entry)
        return table.enter(entry.who, entry.what, draws)

    def _drawn(self, entry: Entry) -> tuple[Draw, ...]:
        """What was drawn for an answer of chance, if it is what the secrets draw."""
        rules, game = self.table.rules, self.table.game
        log = DrawLog(self.fate.pick)
        dealt = rules.spell(rules.deal(game, log.pick))
        if dealt != entry.what:
            raise Invalid(f"chance dealt {dealt!r}", said=entry.what)
        draws = tuple(log.draws)
        if self.record.form > 1 and draws != entry.draws:
            drawn = ", ".join(map(str, draws))
            raise Invalid(f"chance drew {drawn or 'nothing'}", said=entry.text())
        return draws

    def run(self) -> Table[Any]:
        """Play to the record's end, and check that it ends as it says."""
        while self.table.revision < len(self.record.entries):
            self.replay_entry()
        table, record = self.table, self.record
        scores = table.rules.scores(table.game) if table.is_over and not table.aborted else None
        if table.aborted != record.aborted or scores != record.scores:
            raise Invalid("the record claims another ending", said=record.ending())
        if record.claimed_head and record.claimed_head != record.head():
            said = f"head {record.claimed_head}"
            raise Invalid("something was changed after it was written", said=said)
        return table


def replay(record: Record, rules: Rules[B]) -> Table[B]:
    """The game that a record leads to, every draw, decision, digest and the result checked.

    The digests of records of form 1 are of another kind and are not compared.
    """
    return Replay(record, rules).run()


def _check_header(record: Record, rules: Rules[Any]) -> None:
    if record.game != rules.name:
        raise Invalid(f"this is not a record of {rules.name}", said=record.game)
    if record.edition != rules.edition:
        said = f"edition {record.edition}"
        raise Invalid(f"{rules.name} replays edition {rules.edition} only", said=said)
    options: Options = rules.agree(record.options)
    if dict(options) != dict(record.options):
        missing = sorted(set(options) - set(record.options))
        raise Invalid("options are missing", said=" ".join(missing))
    if rules.seats(options) != record.seats:
        raise Invalid("these are not the seats of this game", said=" ".join(record.seats))
    if commitment(record.fairness.secret) != record.fairness.commitment:
        raise Invalid("the secret is not the one that was committed to")
