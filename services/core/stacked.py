"""The part of `Rules` that is the same for every game played on a stack of frames."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from typing import Any, Generic, NamedTuple, Protocol

from services.core.canonical import canonical
from services.core.chapters import frames_of
from services.core.contract import Option, Options
from services.core.decisions import Action, Ask, Event, Pick, Seat
from services.core.errors import Invalid
from services.core.frames import B, Frame, Game, Procedure, Question
from services.core.offers import ABORT, TAKE_BACK
from services.core.vocabulary import Vocabulary


class Words(Protocol[B]):
    """A game's `words`: what people read."""

    def question(self, g: Game[B], seat: Seat) -> str: ...

    def sentence(self, g: Game[B], seat: Seat, action: Action) -> str: ...

    def report(self, event: Event) -> str: ...


class Delegates(NamedTuple, Generic[B]):
    """Functions in modules of a game's own that answer the contract for its rules."""

    words: Words[B]
    view: Callable[[Game[B], Seat | None], Mapping[str, object]]
    guess: Callable[[Game[B], Seat, Pick], Game[B]]
    audit: Callable[[Game[B]], None]
    dump: Callable[[B], list[Any]]  # the board as whole numbers, strings and lists of these
    gist: Callable[[B], str]  # the board in canonical form, as far as digests need it


class StackRules(ABC, Generic[B]):
    """A game's `rules.py` adds the options, the board, the scores and the vocabulary."""

    name: str
    options: tuple[Option, ...]
    offers: tuple[str, ...] = (TAKE_BACK, ABORT)  # what every game knows
    delegates: Delegates[B]
    first: type[Frame]  # what stands on the stack as the game begins
    vocabulary: Vocabulary

    def __init__(self) -> None:
        self._frame_by_name = {kind.__name__: kind for kind in self.frames}

    def teams(self, options: Options) -> Mapping[str, tuple[Seat, ...]]:
        """None: each plays for itself."""
        return {}

    @cached_property
    def frames(self) -> tuple[type[Frame], ...]:
        """Every kind of frame that may stand on the stack."""
        # Rules that change little of a game's, as tests have, stand in no folder of that game.
        game = [kind for kind in type(self).__mro__ if StackRules in kind.__mro__[1:]][-1]
        return frames_of(game.__module__)

    @abstractmethod
    def board(self, options: Options) -> B:
        """The board before the first step."""

    @abstractmethod
    def load_board(self, saved: list[Any]) -> B:
        """The board that the delegate `dump` saved; any error means that it did not."""

    @abstractmethod
    def give_up(self, g: Game[B], seat: Seat) -> None:
        """Do what follows, outside the rules, when a seat resigned or its time ran out."""

    def prompts(self) -> list[str]:
        questions = (kind for kind in self.frames if issubclass(kind, Question))
        return sorted({kind.prompt for kind in questions if kind.waiting is not Question.waiting})

    def setup(self, options: Options) -> Game[B]:
        g = Game(self.board(options), [self.first()])
        g.advance()
        g.drain()
        return g

    def agree(self, chosen: Mapping[str, str]) -> Options:
        known = {option.name: option for option in self.options}
        for name, value in chosen.items():
            if name not in known:
                raise Invalid(f"{self.name} has no option {name!r}", said=f"{name}={value}")
            if not known[name].allows(value):
                allowed = known[name].allowed()
                raise Invalid(f"option {name!r} allows {allowed}", said=f"{name}={value}")
        return {option.name: chosen.get(option.name, option.default) for option in self.options}

    def waiting(self, g: Game[B]) -> tuple[Seat, ...]:
        stack = g.stack
        return stack[-1].waiting(g) if stack else ()  # type: ignore[attr-defined]  # a question

    def ask(self, g: Game[B], seat: Seat) -> Ask:
        question = g.stack[-1]
        assert isinstance(question, Question)
        return Ask(question.prompt, question.legal(g, seat), question.is_neutral(g, seat))

    def allows(self, g: Game[B], seat: Seat, action: Action) -> bool:
        question = g.question()
        return question is not None and question.allows(g, seat, action)

    def apply(self, g: Game[B], seat: Seat, action: Action) -> list[Event]:
        question = g.stack[-1]
        assert isinstance(question, Question)
        question.take(g, seat, action)
        g.advance()
        events, g.events = g.events, []
        return events

    def forfeit(self, g: Game[B], seat: Seat) -> list[Event]:
        self.give_up(g, seat)
        return g.drain()

    def end_in_draw(self, g: Game[B]) -> list[Event]:
        raise AssertionError(f"{self.name} knows no draw that is agreed on")

    def view(self, g: Game[B], seat: Seat | None) -> Mapping[str, object]:
        return self.delegates.view(g, seat)

    def guess(self, g: Game[B], seat: Seat, pick: Pick) -> Game[B]:
        return self.delegates.guess(g, seat, pick)

    def audit(self, g: Game[B]) -> None:
        self.delegates.audit(g)

    def question(self, g: Game[B], seat: Seat) -> str:
        return self.delegates.words.question(g, seat)

    def sentence(self, g: Game[B], seat: Seat, action: Action) -> str:
        return self.delegates.words.sentence(g, seat, action)

    def report(self, event: Event) -> str:
        return self.delegates.words.report(event)

    def deal(self, g: Game[B], pick: Pick) -> Action:
        question = g.question()
        assert question is not None
        return question.deal(g, pick)

    def spell(self, action: Action) -> str:
        return self.vocabulary.spell(action)

    def parse(self, text: str) -> Action:
        return self.vocabulary.parse(text)

    def agreed(self, saved: object) -> Options:
        """The options of a saved position, every one of them with its value, in their order."""
        options = dict(saved)  # type: ignore[call-overload]  # any error means that it is none
        agreed = self.agree(options)
        if list(agreed.items()) != list(options.items()):
            raise Invalid("a saved position has every option", said=repr(saved)[:80])
        return agreed

    def dump(self, g: Game[B]) -> bytes:
        return as_text([self.delegates.dump(g.board), [saved_frame(frame) for frame in g.stack]])

    def gist(self, g: Game[B]) -> bytes:
        return position(self.delegates.gist(g.board), g.stack)

    def load(self, data: bytes) -> Game[B]:
        try:
            board, stack = json.loads(data)
            game = Game(self.load_board(board), [self._load_frame(*saved) for saved in stack])
        except Invalid:
            raise
        except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError) as e:
            raise Invalid(f"not a saved position of {self.name}: {e}", said=repr(data[:80])) from e
        if self.dump(game) != data:  # read as something that nobody wrote
            raise Invalid(f"not a saved position of {self.name}", said=repr(data[:80]))
        return game

    def _load_frame(self, name: str, *saved: object) -> Frame:
        kind = self._frame_by_name.get(name)
        if kind is None:
            raise Invalid(f"{self.name} has no frame {name!r}", said=name)
        blank = kind().values()
        at, *rest = saved
        if issubclass(kind, Procedure):
            at = (*kind.script, "").index(str(at))
        values = tuple(_frozen(value) for value in (at, *rest))
        if [type(value) for value in values] != [type(value) for value in blank]:
            raise Invalid(f"these are not the fields of {name!r}", said=repr(saved)[:80])
        return kind(*values)


def as_text(whole: list[Any]) -> bytes:
    """Whole numbers, strings and lists of these, as they are saved."""
    return _ENCODER.encode(whole).encode()


_ENCODER = json.JSONEncoder(separators=(",", ":"), check_circular=False)


def saved_frame(frame: Frame) -> list[Any]:
    """A frame as it is saved: its next step by name, which later steps do not shift."""
    at, *rest = frame.values()
    if isinstance(frame, Procedure):
        at = (*frame.script, "")[at]
    return [type(frame).__name__, at, *rest]


def position(board: str, stack: list[Frame]) -> bytes:
    """A position for a `gist`, in canonical form: its board, written so already, and its stack."""
    frames = ",".join([_written(type(frame), frame.values()) for frame in stack])  # type: ignore[arg-type]  # classes hash
    return f"[{board},[{frames}]]".encode()


@lru_cache(maxsize=2000)
def _written(kind: type[Frame], values: tuple[Any, ...]) -> str:
    """A frame as it is saved; most stay as they are from decision to decision."""
    return canonical(saved_frame(kind(*values)))


def _frozen(saved: object) -> Any:
    """What a frame may hold, as it was before it was written as JSON."""
    if isinstance(saved, list):
        return tuple(_frozen(item) for item in saved)
    if isinstance(saved, int | str) and not isinstance(saved, bool):
        return saved
    raise Invalid("a frame holds whole numbers, strings and lists of these", said=repr(saved)[:80])
