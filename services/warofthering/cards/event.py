"""How the event half of a card is written down, and for whom it works among team-mates."""

from __future__ import annotations

from collections.abc import Iterable

from services.warofthering.board import Board
from services.warofthering.play.event_effects import EVENT_HALVES, Effect, EventHalf, Needs, Run
from services.warofthering.tables import CARD


def always(b: Board, seat: int) -> bool:
    """There is no precondition."""
    return True


def never(b: Board, seat: int) -> bool:
    """This effect alone is no reason to play the card: it finishes what another began."""
    return False


def event(card: str, *effects: Effect, needs: Needs = always) -> None:
    """Say what the event half of a card does.

    A card that stays on the table has only what it does when it is laid down, often nothing; what
    it changes while it lies there is a query in `play/kept.py`.
    """
    number = CARD[card]
    assert number not in EVENT_HALVES, card
    EVENT_HALVES[number] = EventHalf(needs, effects)


def then(run: Run) -> Effect:
    """An effect that goes on from the one before, with what that one asked for in `play.got`."""
    return Effect(never, run)


# Among team-mates a card works on what its player commands (19.2; Ruling 36).


def is_own(b: Board, seat: int, nation: int) -> bool:
    """Whether a nation is one of the seat's, for which alone it may do anything."""
    return b.settings.seat_of_nation[nation] == seat


def own_nations(b: Board, seat: int, nations: Iterable[int]) -> list[int]:
    """The seat's own among these nations."""
    owner = b.settings.seat_of_nation
    return [nation for nation in nations if owner[nation] == seat]
