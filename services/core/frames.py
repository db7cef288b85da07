"""The stack of rules in progress: procedures that run, questions that wait.

Design. Where a game stands is data: a stack of frames, saved and copied with the board. A frame
holds whole numbers, strings and tuples of these, never another object, so a shallow copy is a true
copy and a frame is its own save format. Steps are named by strings: the script reads as a table of
contents, a stack prints as a place in the rulebook, and a step added next month does not shift the
pointers saved today.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

from services.core.decisions import CHANCE, Action, Event, Pick, Seat


class Board(Protocol):
    """All that a game keeps outside its stack."""

    def copy(self) -> Self: ...


B = TypeVar("B", bound=Board)


@dataclass(slots=True)
class Frame:
    """One unfinished piece of the rules: how far it has got, and its few locals."""

    steps: ClassVar[tuple[Callable[[Any, Any], None], ...]] = ()  # none, but for procedures

    at: int = 0  # the next step
    got: tuple[int, ...] = ()  # what the frame above handed back, for the next step alone

    def copy(self) -> Self:
        """A frame that shares nothing with this one."""
        kind = type(self)
        return kind(*_FIELDS[kind](self))

    def values(self) -> tuple[Any, ...]:
        """The fields, in the order in which they were declared."""
        values: tuple[Any, ...] = _FIELDS[type(self)](self)
        return values


class _Fields(dict[type[Frame], "attrgetter[Any]"]):
    """What reads all fields of a frame, by its kind; made when one is first read."""

    def __missing__(self, kind: type[Frame]) -> attrgetter[Any]:
        fields = self[kind] = attrgetter(*kind.__match_args__)
        return fields


_FIELDS = _Fields()


@dataclass(slots=True)
class Procedure(Frame):
    """A piece of the rules that decides nothing itself: named steps, in the rulebook's order."""

    script: ClassVar[tuple[str, ...]] = ()
    index_of: ClassVar[Mapping[str, int]] = {}  # each step; a repeated step's last

    def __init_subclass__(cls) -> None:
        cls.steps = tuple(getattr(cls, step) for step in cls.script)
        cls.index_of = {step: number for number, step in enumerate(cls.script)}

    def go_to(self, step: str) -> None:
        """Continue with `step` instead of the next one."""
        self.at = self.index_of[step]


@dataclass(slots=True)
class Question(Frame, Generic[B]):
    """A place where the rules stop until someone decides.

    The code that lists the legal actions stands next to the code that applies them.
    """

    prompt: ClassVar[str] = ""

    neutral: ClassVar[bool] = False
    """Whether a seat is asked though it may have one answer only: not to be asked would tell.

    Then nothing else may tell it either. Whoever answers takes a time that does not depend on it.
    """

    def is_neutral(self, g: Game[B], seat: Seat) -> bool:
        """Whether this is neutral now; the same for all that others may take for true."""
        return self.neutral

    def waiting(self, g: Game[B]) -> tuple[Seat, ...]:
        """Who must still answer; nobody, when the question answers itself."""
        return (CHANCE,)

    def legal(self, g: Game[B], seat: Seat) -> Sequence[Action]:
        """Every action that `seat` may take, the safe and passive one first."""
        return ()

    def allows(self, g: Game[B], seat: Seat, action: Action) -> bool:
        """Whether `action` is legal; overridden where a list would be too long to make."""
        return action in self.legal(g, seat)

    def take(self, g: Game[B], seat: Seat, action: Action) -> None:
        """Apply a legal action."""

    def deal(self, g: Game[B], pick: Pick) -> Action:
        """What chance does: here, any of the legal actions, each as likely as the next."""
        actions = self.legal(g, CHANCE)
        return actions[pick(len(actions))]

    def shown(self, g: Game[B], seat: Seat | None) -> dict[str, object]:
        """What a viewer may know of this question: nothing, unless a rule says so."""
        return {}


class Game(Generic[B]):
    """A position: the board, and the stack of rules in progress on it."""

    __slots__ = ("board", "events", "stack")

    def __init__(self, board: B, stack: list[Frame]) -> None:
        self.board = board
        self.stack = stack
        self.events: list[Event] = []  # what the decision being applied has caused; not state

    def copy(self) -> Game[B]:
        return Game(self.board.copy(), [frame.copy() for frame in self.stack])

    def call(self, frame: Frame) -> None:
        """Put a frame on top; it runs next."""
        self.stack.append(frame)

    def done(self, *result: int) -> None:
        """End the frame on top; the one beneath reads `result` as `got`."""
        self.stack.pop()
        if self.stack:
            self.stack[-1].got = result

    def stop(self) -> None:
        """End the game at once: nobody is waited for any more."""
        self.stack.clear()

    def unwind(self) -> None:
        """End all but the frame at the bottom, which goes on with its next step."""
        del self.stack[1:]

    def drain(self) -> list[Event]:
        """The events so far, which are then handed over and gone."""
        events, self.events = self.events, []
        return events

    def emit(
        self, kind: str, facts: Mapping[str, object], seen_by: Iterable[Seat | None] | None = ()
    ) -> None:
        """Say that something happened, and to whom; to nobody, unless a rule says so."""
        if seen_by is not None:
            seen_by = frozenset(seen_by)
        self.events.append(Event(kind, facts, seen_by))

    def question(self) -> Question[B] | None:
        """The question that stands, if the game is not over."""
        if not self.stack:
            return None
        top = self.stack[-1]
        assert isinstance(top, Question)
        return top

    def advance(self) -> None:
        """Run procedures until someone must decide, or nothing is left to do."""
        stack = self.stack
        while stack:
            top = stack[-1]
            steps = top.steps
            if steps:
                at = top.at
                if at == len(steps):
                    self.done()
                else:
                    top.at = at + 1
                    steps[at](top, self)
                    top.got = ()  # it may be a secret, and frames are saved and imagined
            elif top.waiting(self):  # type: ignore[attr-defined]  # no steps: a question
                return
            else:  # a question nobody need answer answers itself
                self.done()

    def where(self) -> str:
        """Where the rules stand, in words of the rulebook: `Turn.battles > Battle.reveal`."""
        names = []
        for frame in self.stack:
            name = type(frame).__name__
            if isinstance(frame, Procedure) and frame.at:
                name += f".{frame.script[frame.at - 1]}"
            names.append(name)
        return " > ".join(names) or "the end"
