"""What every game is to the rest of Bree: one stateless object, `Rules`.

Design. Rules never roll, never read a clock and never raise over a bad action: chance is a decider
like any seat, time is the host's, and `services.core.table` refuses what was not offered before the
rules see it. All that changes in a game is in `Game`, so one `Rules` serves any number of matches.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from services.core.decisions import Action, Ask, Event, Pick, Seat
from services.core.frames import B, Game

Options = Mapping[str, str]
"""Every option of a game by name, in the game's own order, each with an allowed value."""


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that players agree on before a game."""

    name: str
    default: str
    meaning: str
    values: tuple[str, ...] = ()  # the words that are allowed
    span: tuple[int, int] | None = None  # and the whole numbers, both ends included

    def allows(self, value: str) -> bool:
        """Whether `value` may be chosen; numbers in their plain form only."""
        if value in self.values:
            return True
        if self.span is None or not (value.isascii() and value.isdecimal()) or len(value) > 9:
            return False
        return str(int(value)) == value and self.span[0] <= int(value) <= self.span[1]

    def every_value(self) -> tuple[str, ...]:
        """All that may be chosen, one by one."""
        numbers = range(self.span[0], self.span[1] + 1) if self.span else ()
        return (*self.values, *map(str, numbers))

    def allowed(self) -> str:
        """The allowed values, in words."""
        spans = [f"{self.span[0]} to {self.span[1]}"] if self.span else []
        return ", ".join([*self.values, *spans])


class Rules(Protocol[B]):
    """The rules of one game. Stateless: everything that changes is in `Game`."""

    name: str  # one word; also the folder and the proto package
    title: str  # what people call it
    edition: int  # raised whenever an old record would no longer replay
    options: tuple[Option, ...]
    presets: Mapping[str, Mapping[str, str]]  # well-known choices of options, by name
    preset_meanings: Mapping[str, str]  # what each of them is, as a sentence for newcomers
    offers: tuple[str, ...]  # what seats may offer to each other, of `services.core.offers`

    def agree(self, chosen: Mapping[str, str]) -> Options:
        """All options, the defaults filled in; `Invalid` if these do not go together."""
        ...

    def seats(self, options: Options) -> tuple[str, ...]:
        """The names of the seats, in order."""
        ...

    def teams(self, options: Options) -> Mapping[str, tuple[Seat, ...]]:
        """The seats that play on one side, by the name of the team; none if each is alone."""
        ...

    def prompts(self) -> list[str]:
        """Every kind of question that the game puts to seats, in alphabetic order."""
        ...

    def bound(self, options: Options) -> int | None:
        """No game has more decisions than this; `None` where the options allow endless ones."""
        ...

    def setup(self, options: Options) -> Game[B]:
        """The beginning, run up to the first question. `options` are as `agree` returns them."""
        ...

    # Queries. They change nothing and roll nothing.

    def waiting(self, g: Game[B]) -> tuple[Seat, ...]:
        """`(CHANCE,)`, the seats that must answer, or nobody when the game is over."""
        ...

    def ask(self, g: Game[B], seat: Seat) -> Ask:
        """What a seat that is waited for must decide."""
        ...

    def allows(self, g: Game[B], seat: Seat, action: Action) -> bool:
        """Whether a decider that is waited for may do this."""
        ...

    def view(self, g: Game[B], seat: Seat | None) -> Mapping[str, object]:
        """What one seat may know, as plain data; `None` is a spectator."""
        ...

    def scores(self, g: Game[B]) -> tuple[int, ...]:
        """By seat, more is better; final once nobody is waited for."""
        ...

    def audit(self, g: Game[B]) -> None:
        """Assert what must hold in every position: nothing lost, nothing doubled."""
        ...

    # The commands. `action` is one that `allows` accepts.

    def apply(self, g: Game[B], seat: Seat, action: Action) -> list[Event]:
        """Make a decision, and run on to the next question."""
        ...

    def deal(self, g: Game[B], pick: Pick) -> Action:
        """Chance's action, drawn with `pick`; it still has to be applied."""
        ...

    def forfeit(self, g: Game[B], seat: Seat) -> list[Event]:
        """A seat gives up, outside the rules: it resigned, or its time ran out."""
        ...

    def end_in_draw(self, g: Game[B]) -> list[Event]:
        """The game ends with the same score for every seat; only where seats may offer that."""
        ...

    # For bots.

    def guess(self, g: Game[B], seat: Seat, pick: Pick) -> Game[B]:
        """A position that this seat cannot tell from `g`, its secrets redrawn with `pick`."""
        ...

    # Text for records, logs and tests; bytes for the store.

    def spell(self, action: Action) -> str:
        """The action as text, such that `parse(spell(action)) == action`."""
        ...

    def parse(self, text: str) -> Action:
        """The action that `text` spells; `Invalid` if there is none."""
        ...

    def dump(self, g: Game[B]) -> bytes:
        """The position, such that `load(dump(g))` dumps to the same bytes."""
        ...

    def gist(self, g: Game[B]) -> bytes:
        """What a digest is made of, in canonical form (`docs/positions.md`).

        Where games that were one part, theirs differ as dumps do.

        A game whose positions grow need not write all of a position after every decision.
        """
        ...

    def load(self, data: bytes) -> Game[B]:
        """The position that `dump` saved; `Invalid` if it did not."""
        ...

    # Words for people.

    def question(self, g: Game[B], seat: Seat) -> str:
        """The question put to a seat, as a sentence."""
        ...

    def sentence(self, g: Game[B], seat: Seat, action: Action) -> str:
        """What an action would do, as a sentence."""
        ...

    def report(self, event: Event) -> str:
        """An event as a sentence, from what its facts say and nothing else."""
        ...
