"""What must hold in every position (RULES 17)."""

from __future__ import annotations

from services.core.frames import Game
from services.risk.board import Board
from services.risk.cards.events import TurnOver
from services.risk.play.conquest import Conquest
from services.risk.play.leaders import MOST_LEADERS
from services.risk.tables import (
    ALL_ADVENTURES,
    ALL_DEEDS,
    ALL_LANDS,
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
    _audit_deeds(g)
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


def _audit_deeds(g: G) -> None:
    b = g.board
    secrets = [1 << card for _, card, _, laid in b.secrets if not laid]
    _disjoint([b.deeds_deck, b.deeds_discard, *b.deeds, *secrets], ALL_DEEDS)
    _disjoint(list(b.deeds_pools), ALL_DEEDS)
    assert not b.face_down() & ~b.deeds_discard
    turning = [frame for frame in g.stack if isinstance(frame, TurnOver)]
    assert all(not mask(frame.turned) & ~b.deeds_discard for frame in turning)


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
    for seat, card, barred, laid in b.secrets:
        assert laid or not (b.held[seat] | barred) >> card & 1, "an uprising begins at once"
        assert not WILDS >> card & 1
    for seat, seen in enumerate(b.deeds_seen):
        others = sum(hand for other, hand in enumerate(b.deeds) if other != seat)
        assert not seen & ~others
