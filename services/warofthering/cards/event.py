"""The event halves of the cards: how they are registered, and the frame that plays one.

A card half is an entry of `EVENTS`, by card: a precondition, and effects in the order of the text.
An effect is two functions: whether it can do anything now, and what it does. See README.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from services.core.frames import Game, Procedure
from services.warofthering.board import Board
from services.warofthering.cards import kept
from services.warofthering.tables import CARD, CARD_SEATS, IS_KEPT, NO_CARD

G = Game[Board]

Needs = Callable[[Board, int], bool]
"""Whether a seat may play the card now; also whether an effect can do anything for it."""


@dataclass(slots=True)
class EventPlay(Procedure):
    """A card being played, effect by effect. The card lies open, in nobody's hand."""

    card: int = NO_CARD
    seat: int = 0
    step: int = 0
    memory: tuple[int, ...] = ()  # what an earlier effect wants a later one to know

    script: ClassVar[tuple[str, ...]] = ("perform",)

    def perform(self, g: G) -> None:
        """Run the next effect; what it asked for is in `got` of the one after."""
        effects = EVENTS[self.card].effects
        if self.step < len(effects):
            self.step += 1
            self.go_to("perform")
            effects[self.step - 1].run(self, g)

    def skip_rest(self) -> None:
        """Do none of the effects that are left."""
        self.step = len(EVENTS[self.card].effects)


Run = Callable[[EventPlay, G], None]


class Effect(NamedTuple):
    """One step of an event: whether it can do anything now, and what it does."""

    may: Needs
    run: Run


class Event(NamedTuple):
    """What an event half means."""

    needs: Needs
    effects: tuple[Effect, ...]


EVENTS: dict[int, Event] = {}
"""By card."""


def always(b: Board, seat: int) -> bool:
    """There is no precondition."""
    return True


def never(b: Board, seat: int) -> bool:
    """This step alone is no reason to play the card: it finishes what another began."""
    return False


def event(card: str, *effects: Effect, needs: Needs = always) -> None:
    """Register the event half of a card."""
    number = CARD[card]
    assert number not in EVENTS, card
    EVENTS[number] = Event(needs, effects)


def then(run: Run) -> Effect:
    """A step that goes on from the one before, with what that one asked for in `play.got`."""
    return Effect(never, run)


def may_play(b: Board, card: int, seat: int) -> bool:
    """Whether a seat may play a card as an event now (RULES 16.1 to 16.3, S13, 19.2)."""
    entry = EVENTS.get(card)
    if entry is None or not _is_for(b, card, seat) or not entry.needs(b, seat):
        return False
    if IS_KEPT[card]:
        is_gone = kept.GONE.get(card)
        return is_gone is None or not is_gone(b)
    return any(effect.may(b, seat) for effect in entry.effects)


# Among team-mates a card works on what its player commands (19.2; Ruling 36).


def is_own(b: Board, seat: int, nation: int) -> bool:
    """Whether a nation is one of the seat's, for which alone it may do anything."""
    return b.settings.seat_of_nation[nation] == seat


def own_nations(b: Board, seat: int, nations: Iterable[int]) -> list[int]:
    """The seat's own among these nations."""
    owner = b.settings.seat_of_nation
    return [nation for nation in nations if owner[nation] == seat]


def _is_for(b: Board, card: int, seat: int) -> bool:
    """Whether the icon of a card lets this seat play it, in a game with teams."""
    seats = CARD_SEATS[card]
    side = b.settings.sides[seat]
    return seats is None or len(b.settings.teams[side]) == 1 or b.settings.seats[seat] in seats
