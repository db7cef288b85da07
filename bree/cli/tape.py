"""A record played again step by step: each decision checked, and told in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bree.cli.seats import does
from services.core.contract import Rules
from services.core.decisions import Event
from services.core.errors import Invalid
from services.core.offers import DRAW
from services.core.record import Record
from services.core.replaying import Replay
from services.core.table import ABORT, HOST_NAME, Entry

_HOST_WORDS = {
    "resign": ("gives up", "give up"),
    "expire": ("has run out of time", "have run out of time"),
    "undo": ("takes the last decision back", "take the last decision back"),
    "takeback": (
        "takes back, as agreed, what was decided",
        "take back what was decided, as agreed",
    ),
}


@dataclass(frozen=True, slots=True)
class PlayedEntry:
    """One decision of a record, played again."""

    number: int  # from 1
    entry: Entry
    sentence: str  # what it did, for people
    events: tuple[Event, ...]


class Tape:
    """A record on its way from the first decision to the last."""

    def __init__(self, record: Record, rules: Rules[Any]) -> None:
        self.record = record
        self.rules = rules
        self.replay = Replay(record, rules)
        self.table = self.replay.table

    @property
    def is_at_end(self) -> bool:
        """Whether the last decision has been made."""
        return self.table.revision == len(self.record.entries)

    def play_next(self) -> PlayedEntry:
        """Make the next decision; `Refused` if it cannot have happened so."""
        number = self.table.revision + 1
        sentence = self._sentence(self.record.entries[self.table.revision])
        entry = self.replay.replay_entry()
        return PlayedEntry(number, entry, sentence, tuple(self.replay.events))

    def check_ending(self) -> None:
        """`Invalid` unless the record, played to its end, ends as it says."""
        self.replay.run()

    def _sentence(self, entry: Entry) -> str:
        if entry.who == HOST_NAME:
            return _host_sentence(entry.what)
        try:
            seat, action = self.table.seat(entry.who), self.rules.parse(entry.what)
        except Invalid:
            return ""  # the step that follows says what is wrong
        game = self.table.game
        if seat not in self.table.waiting() or not self.rules.allows(game, seat, action):
            return ""
        return self.rules.sentence(game, seat, action)


def _host_sentence(what: str) -> str:
    if what == ABORT:
        return "The game is broken off."
    if what == DRAW:
        return "A draw is agreed on."
    verb, name = [*what.split(" "), ""][:2]
    return f"{does([name], *_HOST_WORDS.get(verb, (verb, verb)))}."
