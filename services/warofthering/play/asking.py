"""What every chapter asks: a roll of dice, and one of several things.

Order of reading: saying what happened, rolls, choices.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import ClassVar

from services.core.decisions import CHANCE, Action, Pick, Seat
from services.core.frames import Game, Procedure, Question
from services.warofthering.board import Board
from services.warofthering.tables import AREAS, CARDS, FACES, FIGURES, GUIDES, NATIONS, REGIONS

G = Game[Board]

PIPS = ("0", "1", "2", "3", "4", "5", "6")
LARGEST_ROLL = 6
"""How many dice a roll may have as an action, and so in records."""


BACK = Action("back")
"""A seat takes back the action that it has begun; what may be taken back is in `turn`."""

_INTENTIONS = frozenset(
    ("action_taken", "chosen", "declined", "figure_picked", "march_chosen", "taken_back")
)
"""The events that only say what a seat means to do: nothing has happened, nothing is learnt."""


def say(g: G, kind: str, /, **facts: object) -> None:
    """Say to everyone that something happened."""
    if kind not in _INTENTIONS:
        g.board.settle()
    g.emit(kind, facts, None)


def confide(
    g: G, kind: str, facts: Mapping[str, object], secret: Mapping[str, object], seats: Iterable[int]
) -> None:
    """Say to everyone that something happened, and the secret part to some seats only."""
    told = set(seats)
    g.board.settle()
    g.emit(kind, {**facts, **secret}, told)
    everyone: set[Seat | None] = {None, *range(len(g.board.settings.seats))}
    g.emit(kind, facts, everyone - told)


@dataclass(slots=True)
class Roll(Question[Board]):
    """Chance rolls up to six dice; hands back the pips, one number a die."""

    prompt: ClassVar[str] = "chance.roll"

    dice: int = 1
    what: str = ""  # which roll this is: an event says it, and the terminal shows it

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return [Action("roll1", (n,)) for n in range(1, 7)] if self.dice == 1 else ()

    def allows(self, g: G, seat: Seat, action: Action) -> bool:
        return action.verb == f"roll{self.dice}" and all(1 <= n <= 6 for n in action.nouns)

    def deal(self, g: G, pick: Pick) -> Action:
        return Action(f"roll{self.dice}", tuple(1 + pick(6) for _ in range(self.dice)))

    def take(self, g: G, seat: Seat, action: Action) -> None:
        say(g, "rolled", what=self.what, dice=list(action.nouns))
        g.done(*action.nouns)

    def shown(self, g: G, seat: Seat | None) -> dict[str, object]:
        return {"dice": self.dice, "what": self.what}


@dataclass(slots=True)
class Choose(Question[Board]):
    """A seat chooses one of several ids of a kind, or declines where it may.

    Hands back the id chosen, nothing if it declined. Put it with `choose`, which does not ask where
    there is only one answer (RULES 1.5). Everyone is told what was chosen: an answer that nobody
    else knew of would be a secret in the frames that go on from it.
    """

    prompt: ClassVar[str] = "choose.one"

    seat: int = 0
    verb: str = "region"  # the kind of what is chosen: region, area, figure, nation, card, number …
    options: tuple[int, ...] = ()
    what: str = ""  # what it is chosen for; the words of the question
    optional: int = 0

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (self.seat,)

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return _choices(self.verb, self.options, self.optional)

    def take(self, g: G, seat: Seat, action: Action) -> None:
        name = g.board.settings.seats[seat]
        if action.nouns:
            chosen = NAMES[self.verb][action.nouns[0]]
            say(g, "chosen", seat=name, what=self.what, choice=chosen)
        else:
            say(g, "declined", seat=name, what=self.what)
        g.done(*action.nouns)

    def shown(self, g: G, seat: Seat | None) -> dict[str, object]:
        return {"what": self.what}


@cache
def _answer(verb: str, option: int) -> Action:
    return Action(verb, (option,))


@lru_cache(maxsize=4096)
def _choices(verb: str, options: tuple[int, ...], optional: int) -> tuple[Action, ...]:
    """The answers to a choice; kept, because the same choices come again and again."""
    listed = tuple([_answer(verb, option) for option in options])
    return (Action("decline"), *listed) if optional else listed


@dataclass(slots=True)
class Given(Procedure):
    """Hands back what there was no need to ask for."""

    value: tuple[int, ...] = ()

    script: ClassVar[tuple[str, ...]] = ("hand_back",)

    def hand_back(self, g: G) -> None:
        g.done(*self.value)


def choose(
    g: G, seat: int, verb: str, options: Iterable[int], what: str, *, optional: bool = False
) -> None:
    """Let a seat choose; the frame on top gets the id, nothing if it declined or could not."""
    listed = tuple(options)
    if not listed or (len(listed) == 1 and not optional):
        g.call(Given(value=listed))
    else:
        g.call(Choose(seat=seat, verb=verb, options=listed, what=what, optional=int(optional)))


def choose_word(g: G, seat: int, words: Sequence[str], what: str) -> None:
    """Let a seat choose one of `ANSWERS`; the frame on top gets the number of the word."""
    choose(g, seat, "answer", [ANSWERS.index(word) for word in words], what)


ANSWERS = (
    "no", "yes", "stop", "go_on", "fight", "withdraw", "retreat", "hide", "move", "hunt",
    "discard", "separate", "corruption", "casualty", "hand", "table", "attack", "recruit", "fly",
    "guide", "random", "keep", "use", "upgrade", "character_deck", "strategy_deck", "leader",
    "companion", "reveal",
)  # fmt: skip
"""The words of choices that are not between things."""
ANSWER: Mapping[str, int] = {word: number for number, word in enumerate(ANSWERS)}
YES, NO = ANSWER["yes"], ANSWER["no"]
NUMBERS = tuple(str(number) for number in range(100))
NAMES: Mapping[str, Sequence[str]] = {
    "region": REGIONS,
    "area": AREAS,
    "figure": FIGURES,
    "guide": GUIDES,
    "nation": NATIONS,
    "number": NUMBERS,
    "card": CARDS,
    "face": FACES,
    "answer": ANSWERS,
}
"""What may be chosen, by the verb of the choice: the names of the ids."""


def chance_of(options: Sequence[int]) -> tuple[Seat, ...]:
    """Who is waited for where chance picks one of `options`: nobody if there are none."""
    return (CHANCE,) if options else ()
