"""The event cards as one viewer knows them: hands, the table, decks and discards.

A card that the viewer is not sure of is a back, and counted; no other part of a view names a card.
"""

from __future__ import annotations

from collections.abc import Mapping

from services.core.decisions import Seat
from services.warofthering.board import ALL_KNOW, DISCARDED, FACE_DOWN, Board
from services.warofthering.tables import (
    CARD_NAMES,
    CARD_NEEDS,
    CARD_SEATS,
    CARD_TEXTS,
    CARDS,
    CARDS_IN,
    COMBAT_NAMES,
    COMBAT_NEEDS,
    COMBAT_OF,
    COMBAT_TEXTS,
    DECK_OF_CARD,
    DECKS,
    ICON,
    NATIONS,
    SIDE_OF_CARD,
    SIDES,
)
from services.warofthering.view.playing import plays

Part = Mapping[str, object]


def _printed(card: int) -> Part:
    combat = COMBAT_OF[card]
    return {
        "card": CARDS[card],
        "name": CARD_NAMES[card],
        "side": SIDES[SIDE_OF_CARD[card]],
        "deck": DECKS[DECK_OF_CARD[card]],
        "icon": ICON[card],
        "needs": CARD_NEEDS[card] or None,
        "text": CARD_TEXTS[card],
        "combat": COMBAT_NAMES[combat],
        "combat_needs": COMBAT_NEEDS[combat] or None,
        "combat_text": COMBAT_TEXTS[combat],
        "players": list(CARD_SEATS[card] or ()),
    }


FACES_UP: tuple[Part, ...] = tuple(_printed(card) for card in range(len(CARDS)))
"""What is printed on each card."""


def is_known(b: Board, viewer: Seat | None, card: int) -> bool:
    """Whether a viewer is sure of where a card is; a spectator of what everyone has seen."""
    return b.knowers[card] == ALL_KNOW if viewer is None else b.knows(viewer, card)


def seats(b: Board, viewer: Seat | None) -> list[Part]:
    """Who plays what, and holds how many cards."""
    settings = b.settings
    return [
        {
            "seat": name,
            "side": SIDES[settings.sides[seat]],
            "leading": b.leading[settings.sides[seat]] == seat,
            "nations": [nation for n, nation in enumerate(NATIONS) if _plays(b, seat, n)],
            "hand": _hand(b, seat, viewer),
        }
        for seat, name in enumerate(settings.seats)
    ]


def _plays(b: Board, seat: int, nation: int) -> bool:
    return b.settings.seat_of_nation[nation] == seat


def _hand(b: Board, holder: int, viewer: Seat | None) -> Part:
    return {
        "character": len(b.hand(holder, 0)),
        "strategy": len(b.hand(holder, 1)),
        "limit": b.settings.hand_limits[holder],
        "cards": [FACES_UP[card] for card in b.hand(holder) if is_known(b, viewer, card)],
        "plays": plays(b, holder) if holder == viewer else [],
    }


def decks(b: Board, side: int, viewer: Seat | None) -> list[Part]:
    """How many cards of a deck are left and discarded, and which of these the viewer has seen."""
    return [
        {
            "deck": name,
            "left": b.deck_size(side, deck),
            "discarded": b.discards(side, deck),
            "known": [CARDS[c] for c in CARDS_IN[side][deck] if _is_seen_discard(b, viewer, c)],
        }
        for deck, name in enumerate(DECKS)
    ]


def _is_seen_discard(b: Board, viewer: Seat | None, card: int) -> bool:
    pile = b.pile_of(card)
    return (pile == DISCARDED or pile >= FACE_DOWN) and is_known(b, viewer, card)


def table(b: Board, side: int) -> list[Part]:
    """The cards that a side has on the table."""
    return [FACES_UP[card] for card in b.table_cards(side)]
