"""What must hold in every position (RULES 17)."""

from __future__ import annotations

from services.core.frames import Game
from services.risk.board import Board
from services.risk.cards.events import TurnOver
from services.risk.play.conquest import Conquest
from services.risk.play.leaders import MOST_LEADERS
from services.risk.tables import (
    ALL_ADVENTURES,
    ALL_LANDS,
    ALL_TERRITORY_CARDS,
    EVENTS,
    LANDS,
    MOST_ADVENTURES,
    MOUNT_DOOM,
    NEUTRAL,
    NOBODY,
    WILDS,
    bits,
    mask,
)

G = Game[Board]


def audit(g: G) -> None:
    """Assert that nothing is lost or doubled, and that nobody knows what is not so."""
    b = g.board
    _audit_lands(g)
    _audit_leaders(b)
    _audit_territory_cards(g)
    _audit_adventures(b)
    _audit_knowledge(b)
    assert 0 <= b.ring <= MOUNT_DOOM
    assert len(set(b.gone)) == len(b.gone)


def _audit_lands(g: G) -> None:
    b = g.board
    assert sum(b.held) == ALL_LANDS, "every territory has one holder"
    for army, lands in enumerate(b.held):
        assert all(b.owner[land] == army for land in bits(lands))
        if army < NEUTRAL:
            assert not lands or b.is_in(army), "who is out holds nothing"
    for land in range(LANDS):
        if b.owner[land] == NOBODY:
            assert not b.army[land]
        else:
            assert b.army[land] > 0, "a territory has a battalion"
    if b.number:
        assert not b.held[NOBODY]
        falling = [frame.loser for frame in g.stack if isinstance(frame, Conquest)]
        homeless = [seat for seat in b.playing() if not b.held[seat]]
        assert not set(homeless) - set(falling), "who holds nothing is out"


def _audit_leaders(b: Board) -> None:
    assert not b.led & (b.held[NEUTRAL] | b.held[NOBODY]), "a Leader stands among his own"
    for seat in b.seats:
        assert b.leader_lands(seat).bit_count() <= MOST_LEADERS
    assert not b.rested & ~ALL_LANDS


def _disjoint(piles: list[int], everything: int) -> None:
    together = 0
    for pile in piles:
        assert not together & pile, "no card is in two places"
        together |= pile
    assert together == everything, "no card is lost"


def _audit_territory_cards(g: G) -> None:
    b = g.board
    secrets = [1 << secret.card for secret in b.secrets if not secret.laid]
    _disjoint(
        [b.territory_deck, b.territory_discard, *b.territory_cards, *secrets], ALL_TERRITORY_CARDS
    )
    _disjoint(list(b.territory_pools), ALL_TERRITORY_CARDS)
    assert not b.face_down() & ~b.territory_discard
    turning = [frame for frame in g.stack if isinstance(frame, TurnOver)]
    assert all(not mask(frame.turned) & ~b.territory_discard for frame in turning)


def _audit_adventures(b: Board) -> None:
    _disjoint([b.deck, b.discard, b.removed, *b.hands, *b.played], ALL_ADVENTURES)
    _disjoint(list(b.pools), ALL_ADVENTURES)
    for hand in (*b.hands, *b.played):
        assert not hand & EVENTS
    for hand in b.hands:
        assert hand.bit_count() <= MOST_ADVENTURES + 1


def _audit_knowledge(b: Board) -> None:
    """What all have seen is so."""
    for seat in b.seats:
        assert b.orders_maybe[seat] >> b.orders[seat] & 1
    for secret in b.secrets:
        cannot_be = b.held[secret.seat] | secret.barred
        assert secret.laid or not cannot_be >> secret.card & 1, "an uprising begins at once"
        assert not WILDS >> secret.card & 1
    for seat, seen in enumerate(b.territory_seen):
        others = sum(hand for other, hand in enumerate(b.territory_cards) if other != seat)
        assert not seen & ~others
