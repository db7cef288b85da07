"""A world that a seat cannot tell from this one: all hidden cards and intentions drawn anew.

Design. Everything but the place of cards and what others have in mind is public. What a seat cannot
know is which cards the other hands and the decks hold, and the secrets of a Local Uprising. What
all have seen of these is on the board: of which shuffling a card is. The rest is the deck. What
another seat intends is in `play/intentions.py`.
"""

from __future__ import annotations

from itertools import islice

from services.core.decisions import Pick, Seat
from services.core.frames import Game
from services.risk.board import Board
from services.risk.play.intentions import answer_anew, forget
from services.risk.tables import ALL_ADVENTURES, ALL_LANDS, ALL_TERRITORY_CARDS, EVENTS, mask
from services.risk.worlds import fill

G = Game[Board]


def guess(g: G, seat: Seat, pick: Pick) -> G:
    """The same game with everything redrawn that this seat has not seen."""
    imagined = g.copy()
    forget(imagined, seat, pick)
    _guess_adventures(imagined.board, seat, pick)
    _guess_territory_cards(imagined.board, seat, pick)
    answer_anew(imagined, seat, pick)
    return imagined


def _guess_adventures(b: Board, seat: Seat, pick: Pick) -> None:
    unknown = ALL_ADVENTURES & ~b.hands[seat] & ~b.open_cards()
    others = [other for other in b.seats if other != seat]
    admits: list[int] = []
    for other in others:
        for pool in b.pools:
            admits += [pool & ~EVENTS] * (b.hands[other] & pool).bit_count()
    laid = iter(fill(admits, unknown, pick))
    hands = list(b.hands)
    for other in others:
        hands[other] = mask(islice(laid, b.hands[other].bit_count()))
        unknown &= ~hands[other]
    b.hands = tuple(hands)
    b.deck = unknown


def _guess_territory_cards(b: Board, seat: Seat, pick: Pick) -> None:
    known = b.territory_cards[seat] | b.territory_seen[seat]
    known |= mask(secret.card for secret in b.secrets if secret.seat == seat)
    unknown = ALL_TERRITORY_CARDS & ~known & ~(b.territory_discard & ~b.face_down())
    others = [other for other in b.seats if other != seat]
    secrets = [secret for secret in b.secrets if secret.seat != seat]
    admits = [_pool(b, secret.card) & ~secret.barred & ALL_LANDS for secret in secrets]
    hidden = {other: b.territory_cards[other] & ~known for other in others}
    for other in others:
        for pool in b.territory_pools:
            admits += [pool] * (hidden[other] & pool).bit_count()
    laid = iter(fill(admits, unknown, pick))
    _lay_secrets(b, seat, [next(laid) for _ in secrets])
    hands = list(b.territory_cards)
    for other in others:
        hands[other] = hands[other] & known | mask(islice(laid, hidden[other].bit_count()))
    b.territory_cards = tuple(hands)
    elsewhere = b.territory_discard | mask(secret.card for secret in b.secrets)
    for hand in hands:
        elsewhere |= hand
    b.territory_deck = ALL_TERRITORY_CARDS & ~elsewhere


def _pool(b: Board, card: int) -> int:
    """The cards that were shuffled into the deck together with this one; all know which."""
    return next(pool for pool in b.territory_pools if pool >> card & 1)


def _lay_secrets(b: Board, seat: Seat, cards: list[int]) -> None:
    """Put these cards where the secret cards of other seats lie, before them or discarded."""
    left = iter(cards)
    b.territory_discard &= ~mask(secret.card for secret in b.secrets if secret.seat != seat)
    b.secrets = tuple(
        [
            secret if secret.seat == seat else secret._replace(card=next(left))
            for secret in b.secrets
        ]
    )
    b.territory_discard |= b.face_down()
