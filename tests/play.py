"""The test language: a game played from a script, chance included.

    play = Play(rules, {"deck": "small"})
    play('''
        chance: draw horn
        gondor: pick horn     # anything that was not offered is refused, with what was
    ''')

Design. A `Play` is a `Table` without fate, so dice and draws stand in the script like any decision.
It knows no game; names of seats, actions and prompts are the game's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from services.core.contract import Rules
from services.core.decisions import Ask, Event
from services.core.errors import Refused
from services.core.frames import Game
from services.core.table import HOST_NAME, Table

_MOST_LISTED = 60


class ScriptError(AssertionError):
    """A line of a script that the game refuses, or cannot mean."""


class Play:
    """One game that follows a script, and what can be seen of it."""

    def __init__(
        self,
        rules: Rules[Any],
        options: Mapping[str, str] | None = None,
        game: Game[Any] | None = None,
    ) -> None:
        self.rules = rules
        self.table: Table[Any] = Table(rules, rules.agree(options or {}), game=game)
        self.events: list[Event] = []

    def __call__(self, script: str, first: int = 1) -> list[Event]:
        """Play every line of `script`, whose lines count from `first`; the events it caused."""
        before = len(self.events)
        for number, who, what in script_lines(script, first):
            self._play(f"line {number}", who, what)
        return self.events[before:]

    # What a test looks at.

    @property
    def game(self) -> Game[Any]:
        """The position, for tests of the rules' inside."""
        return self.table.game

    @property
    def waiting(self) -> tuple[str, ...]:
        """The names of those who must decide."""
        return tuple(self.table.name(seat) for seat in self.table.waiting())

    @property
    def is_over(self) -> bool:
        """Whether nobody is waited for any more."""
        return self.table.is_over

    @property
    def scores(self) -> dict[str, int]:
        """The scores as they stand, by the names of the seats."""
        return dict(zip(self.table.seats, self.rules.scores(self.game), strict=True))

    def ask(self, who: str) -> Ask:
        """The question put to a seat, or to chance."""
        return self.table.ask(self.table.seat(who))

    def offered(self, who: str, verb: str | None = None) -> list[str]:
        """What a seat may do, as text and in order; given a verb, only its nouns."""
        texts = [self.rules.spell(action) for action in self.ask(who).actions]
        if verb is None:
            return texts
        return [nouns for first, _, nouns in (t.partition(" ") for t in texts) if first == verb]

    def allows(self, who: str, what: str) -> bool:
        """Whether a seat, or chance, may do this now; the text must be an action of the game."""
        seat, action = self.table.seat(who), self.rules.parse(what)
        return seat in self.table.waiting() and self.rules.allows(self.game, seat, action)

    def view(self, who: str | None = None) -> Mapping[str, Any]:
        """What a seat may know; a spectator, if nobody is named."""
        return self.rules.view(self.game, None if who is None else self.table.seat(who))

    def seen(self, who: str | None = None) -> list[Event]:
        """The events so far that a seat may know of; a spectator, if nobody is named."""
        seat = None if who is None else self.table.seat(who)
        return [event for event in self.events if event.is_seen_by(seat)]

    # Inside.

    def _play(self, line: str, who: str, what: str) -> None:
        try:
            self.events += self.table.enter(who, what)
        except Refused as e:
            raise ScriptError(f"{line}: '{who}: {what}' is refused: {e}\n{self._help(who)}") from e

    def _help(self, who: str) -> str:
        if who == HOST_NAME:
            return "the host may: resign <seat>, expire <seat>, abort"
        waiting = self.waiting
        if who not in waiting:
            return f"asked now: {', '.join(waiting) or 'nobody, the game is over'}"
        offered = self.offered(who)
        more = f" and {len(offered) - _MOST_LISTED} more" if len(offered) > _MOST_LISTED else ""
        listed = ", ".join(offered[:_MOST_LISTED]) or "what the question does not list"
        return f"offered to {who} ({self.ask(who).prompt}): {listed}{more}"


def script_lines(script: str, first: int = 1) -> Iterator[tuple[int, str, str]]:
    """The decisions of a script: the number of the line, who decides and what."""
    for number, line in enumerate(script.splitlines(), first):
        decision = line.partition("#")[0].strip()
        if not decision:
            continue
        who, colon, what = decision.partition(":")
        if not colon or not what.strip() or len(who.split()) != 1:
            raise ScriptError(f"line {number}: {decision!r} is not of the form 'seat: action'")
        yield number, who.strip(), what.strip()
