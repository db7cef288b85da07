"""Standing orders: what a seat has said beforehand of when it is asked, and of its missions.

Design. A seat is asked for cards on the turns of others only if its orders say so, whatever it
holds, so that being asked tells nothing of a hand. Orders are told to nobody. What others can work
out of them, from whom they saw asked, stands beside them as the set of the orders that a seat may
have; it is all there is to know, and worlds are drawn from it.
"""

from __future__ import annotations

from functools import lru_cache

from services.core.decisions import Action
from services.risk.board import Board
from services.risk.tables import MOMENTS, bits, mask

ATTACKED, FELLOWSHIP, KEEPS, RESTS = 1, 2, 4, 8
"""Orders of a seat: to be asked when it is attacked, and when the Ring moves; to keep its missions;
and, till the turn ends, to be asked no more."""
_STATES = range(16)
UNSEEN = mask(state for state in _STATES if not state & RESTS)
"""What a seat may have ordered that could say what it liked on its own turn."""

_ASKS = tuple(Action("ask", (moment,)) for moment in range(len(MOMENTS)))
_SPARES = tuple(Action("spare", (moment,)) for moment in range(len(MOMENTS)))
_KEEP, _COMPLETE = Action("keep_missions"), Action("complete_missions")
_MEANT = {
    **{action: (0, 1 << moment) for moment, action in enumerate(_ASKS)},
    **{action: (1 << moment, 0) for moment, action in enumerate(_SPARES)},
    _KEEP: (0, KEEPS),
    _COMPLETE: (KEEPS, 0),
}
"""Of each order: what it ends, and what it begins."""


def _offers(state: int) -> tuple[Action, ...]:
    windows = [_SPARES[n] if state >> n & 1 else _ASKS[n] for n in range(len(MOMENTS))]
    return (*windows, _COMPLETE if state & KEEPS else _KEEP)


ORDERS_OFFERED = tuple(_offers(state) for state in _STATES)
"""The orders that may be given, by those that stand: each time the opposite."""
_WANTING = {
    order: mask(state for state in _STATES if state & order and not state & RESTS)
    for order in (ATTACKED, FELLOWSHIP)
}
_COMPLETING = mask(state for state in _STATES if not state & KEEPS)


# What a seat says.


def may_change(b: Board, seat: int) -> None:
    """A seat is asked what it may answer with orders first: nobody else sees whether it does."""
    if b.orders_maybe[seat] != UNSEEN:
        _see(b, seat, UNSEEN)


def is_order(action: Action) -> bool:
    """Whether this is an order, which settles nothing else."""
    return action in _MEANT


def give(b: Board, seat: int, action: Action) -> None:
    """A seat gives an order, unseen."""
    ends, begins = _MEANT[action]
    replace_orders(b, seat, b.orders[seat] & ~ends | begins)


def answer(b: Board, seat: int, *, rests: bool = False, never: bool = False) -> None:
    """A seat has answered in a window, unseen, and may have said that it wants to hear no more."""
    if rests:
        replace_orders(b, seat, b.orders[seat] | RESTS)
    elif never:
        replace_orders(b, seat, b.orders[seat] & KEEPS)
    _see(b, seat, _after_answer(b.orders_maybe[seat]))


def begin_turn(b: Board) -> None:
    """Who let all pass till the turn ended is asked again."""
    for seat, maybe in enumerate(b.orders_maybe):
        if maybe > UNSEEN:
            replace_orders(b, seat, b.orders[seat] & ~RESTS)
            _see(b, seat, mask(state & ~RESTS for state in bits(maybe)))


# What others see of it.


def wants(b: Board, seat: int, order: int) -> bool:
    """Whether a seat wants to be asked, when it is attacked or when the Ring moves."""
    return bool(_WANTING[order] >> b.orders[seat] & 1)


def show_wish(b: Board, seat: int, order: int) -> None:
    """Others see whether a seat wants to be asked, as it is asked or left out."""
    maybe, wanting = b.orders_maybe[seat], _WANTING[order]
    seen = maybe & wanting if wants(b, seat, order) else maybe & ~wanting
    if seen != maybe:
        _see(b, seat, seen)


def completes(b: Board, seat: int) -> bool:
    """Whether a seat turns its missions in."""
    return not b.orders[seat] & KEEPS


def show_completing(b: Board, seat: int) -> None:
    """Others see that a seat turns its missions in, as it does."""
    _see(b, seat, b.orders_maybe[seat] & _COMPLETING)


@lru_cache(maxsize=500)
def _after_answer(maybe: int) -> int:
    found = bits(maybe)
    return maybe | mask(state | RESTS for state in found) | mask(state & KEEPS for state in found)


def replace_orders(b: Board, seat: int, state: int) -> None:
    """A seat has these orders now."""
    b.orders = (*b.orders[:seat], state, *b.orders[seat + 1 :])


def _see(b: Board, seat: int, maybe: int) -> None:
    b.orders_maybe = (*b.orders_maybe[:seat], maybe, *b.orders_maybe[seat + 1 :])
