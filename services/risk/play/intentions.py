"""What others intend, as far as a seat may imagine it: plans forgotten, orders drawn anew.

Design. A plan is what a seat has said and can still take back: others see nothing of it, not even
that it was begun, so in their worlds it was not. An order is what a seat has said for later: others
see that it is not asked, and what that leaves possible stands beside the order for all to know.
"""

from __future__ import annotations

from services.core.decisions import Pick, Seat
from services.core.frames import Frame, Game
from services.risk.board import Board
from services.risk.play.counts import NOWHERE, HowMany, MarchOff, Place
from services.risk.play.fortify import ChooseMarch, Fortify
from services.risk.play.invasion import LAST, NO_LIMIT, SURELY_NO_LIMIT, Invasion
from services.risk.play.setup import Match
from services.risk.play.windows import PlayCard
from services.risk.tables import nth

G = Game[Board]


def forget(g: G, seat: Seat, pick: Pick) -> None:
    """Make of a copy of a game a world in which others have in mind what this seat imagines."""
    if g.stack:
        _forget_plan(g, seat)
        _draw_orders(g, seat, pick)
    b = g.board
    for other in b.seats:
        if other != seat and not b.stands_seen >> other & 1:
            b.stands = b.stands & ~(1 << other) | pick(2) << other
    b.orders = tuple(
        [
            mine if other == seat else nth(maybe, pick(maybe.bit_count()))
            for other, (mine, maybe) in enumerate(zip(b.orders, b.orders_maybe, strict=True))
        ]
    )


def answer_anew(g: G, seat: Seat, pick: Pick) -> None:
    """In a world whose hands have been drawn, draw what others have answered in a window."""
    top = g.stack[-1] if g.stack else None
    if isinstance(top, PlayCard):
        top.redraw(g, seat, pick)


def _forget_plan(g: G, seat: Seat) -> None:
    top = g.stack[-1]
    if isinstance(top, MarchOff) and top.seat != seat:
        _begin_again(g, Fortify(seat=top.seat))
    elif isinstance(top, ChooseMarch) and top.seat != seat:
        top.start = NOWHERE
    elif isinstance(top, Place) and top.seat != seat:
        top.planned, top.land = (), NOWHERE
    elif isinstance(top, HowMany) and top.seat != seat:
        top.before = 0


def _begin_again(g: G, frame: Frame) -> None:
    """Let this one take the place of the topmost of its kind, and ask what that asked first."""
    while type(g.stack.pop()) is not type(frame):
        pass
    g.call(frame)
    g.advance()


def _draw_orders(g: G, seat: Seat, pick: Pick) -> None:
    for frame in g.stack:
        if isinstance(frame, Match) and frame.ordered:
            frame.ordered = tuple(
                [
                    one if other == seat else (one[0], pick(one[2] + 1), one[2])
                    for other, one in enumerate(frame.ordered)
                ]
            )
        elif isinstance(frame, Invasion) and frame.seat != seat:
            least = LAST if frame.pressing else SURELY_NO_LIMIT
            limit = pick(frame.most + 1 - least) + least
            frame.limit = NO_LIMIT if limit == SURELY_NO_LIMIT else limit
