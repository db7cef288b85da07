"""Which cards of a hand could be played now, with which dice, and why not the others.

Whose turn it is makes no difference here: the question says that.
"""

from __future__ import annotations

from collections.abc import Mapping

from services.core.decisions import Seat
from services.warofthering.board import Board
from services.warofthering.play import kept
from services.warofthering.play.event_effects import EVENT_HALVES
from services.warofthering.play.events import playable
from services.warofthering.tables import (
    CARD_NEEDS,
    CARD_SEATS,
    CARDS,
    FACES,
    FREE,
    ICON,
    IS_KEPT,
)

Part = Mapping[str, object]

SEAT_TITLES: Mapping[str, str] = {
    "gondor": "Gondor's player",
    "rohan": "Rohan's player",
    "witch_king": "the Witch-king's player",
    "saruman": "Saruman's player",
}
_ICON_TITLES = {"character": "a Character", "army": "an Army", "muster": "a Muster"}


def plays(b: Board, seat: Seat) -> list[Part]:
    """Every card in a seat's hand: the unused dice that could play it, or what is in the way."""
    dice = playing_dice(b, seat)
    return [
        {
            "card": CARDS[card],
            "dice": [FACES[face] for face in dice.get(card, [])],
            "reason": None if card in dice else reason(b, seat, card),
        }
        for card in b.hand(seat)
    ]


def playing_dice(b: Board, seat: Seat) -> dict[int, list[int]]:
    """By card that a seat could play: the faces of its unused dice that would pay for it."""
    side = b.settings.sides[seat]
    found: dict[int, list[int]] = {}
    for face in b.faces_left(side):
        b.use_die(side, face)  # a card finds its own die spent (Ruling 4)
        for card in playable(b, seat, face):
            found.setdefault(card, []).append(face)
        b.put_die(side, face)
    return found


def reason(b: Board, seat: Seat, card: int) -> str:
    """Why a seat could not play a card now, as a sentence."""
    side, seats = b.settings.sides[seat], CARD_SEATS[card]
    if (
        seats is not None
        and len(b.settings.teams[side]) > 1
        and b.settings.seats[seat] not in seats
    ):
        return f"Only {' or '.join(SEAT_TITLES[name] for name in seats)} may play it."
    half = EVENT_HALVES[card]
    if not half.needs(b, seat):
        return f"Not so now: {CARD_NEEDS[card]}" if CARD_NEEDS[card] else "It does nothing now."
    if IS_KEPT[card]:
        is_gone = kept.GONE.get(card)
        if is_gone is not None and is_gone(b):
            return "It would be discarded at once."
    elif not any(effect.may(b, seat) for effect in half.effects):
        return "Nothing that it does can be done now."
    if not _has_die(b, side, card):
        will = ", or a Will of the West" if side == FREE else ""
        return f"It needs {_ICON_TITLES[ICON[card]]} or an Event die{will}."
    return "Nothing that it does can be done now."


def _has_die(b: Board, side: int, card: int) -> bool:
    words = {"event", "will_of_the_west", ICON[card]}
    if ICON[card] in ("army", "muster"):
        words.add("muster_army")
    return any(FACES[face] in words for face in b.faces_left(side))
