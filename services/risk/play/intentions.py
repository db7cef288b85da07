"""What others intend, as far as a seat may imagine it: plans forgotten, orders drawn anew.

Design. A plan is what a seat has said and can still take back: others see nothing of it, not even
that it was begun, so in their worlds it was not. An order is what a seat has said for later: others
see that it is not asked, and what that leaves possible stands beside the order for all to know.
"""

from __future__ import annotations

from services.core.decisions import Pick, Seat
from services.core.frames import Frame, Game
from services.risk.board import Board
from services.risk.play.combat import Combat
from services.risk.play.counts import NOWHERE, HowMany, MarchOff, Place
from services.risk.play.fortify import ChooseMarch, Fortify
from services.risk.play.invasion import NO_LIMIT, Invasion
from services.risk.play.setup import Match
from services.risk.play.windows import Window

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


def is_hidden(g: G, seat: Seat | None) -> bool:
    """Whether an invasion is being named of which this viewer knows nothing."""
    if len(g.stack) < 2 or seat == g.board.turn:
        return False
    window = g.stack[-2]
    return isinstance(window, Window) and window.is_secret(g.board)


def _forget_plan(g: G, seat: Seat) -> None:
    top = g.stack[-1]
    if is_hidden(g, seat):
        _begin_again(g, Combat())
    elif isinstance(top, MarchOff) and top.seat != seat:
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
            limit = pick(frame.most + 1 - frame.pressing) + frame.pressing
            frame.limit = limit or NO_LIMIT
