"""Checks of taking back: all is as it was, and nobody has learnt anything, nor by being told so.

Design. A decision may be taken back where no other viewer was told of it, the same seats are asked
and the same procedures go on. That is only right if whoever made it has learnt nothing by it: if he
would have been told and shown the same in every world that he thought possible before.
"""

from __future__ import annotations

from typing import Any

from services.core.frames import Game
from services.core.table import Table
from tests.conform.secrets import looks
from tests.conform.walks import Moment

_WORLDS = 3  # worlds that are tried for each decision


def _acted(m: Moment, game: Game[Any]) -> Table[Any]:
    """A table at which the decision of this moment has been made, in a world."""
    table: Table[Any] = Table(m.rules, m.walk.options, game=game.copy())
    assert m.action is not None
    table.act(m.seat, m.action)
    return table


def what_is_taken_back_is_as_it_was_to_everyone(m: Moment) -> None:
    """The position, all views, questions and choices, and what each seat may guess."""
    if not m.undoable:
        return
    saved = m.saved
    table = _acted(m, m.game)
    table.undo(m.seat)
    assert m.rules.dump(table.game) == saved == m.rules.dump(m.game)
    assert not any(event.is_seen_by(v) for event in m.events for v in m.walk.viewers if v != m.seat)
    for viewer in m.walk.viewers:
        assert looks(m, table.game, viewer) == looks(m, m.game, viewer)
    for seat in m.walk.seats:
        one, other = (m.rules.guess(g, seat, m.pick("back")) for g in (table.game, m.game))
        assert m.rules.dump(one) == m.rules.dump(other)


def what_may_be_taken_back_has_taught_its_seat_nothing(m: Moment) -> None:
    """In other worlds that the seat thinks possible it is told and shown the same, if it may.

    And where it is told and shown the same, it may in all of them or in none: to be told so tells
    nothing.
    """
    if m.action is None or m.seat not in m.walk.seats:
        return
    after = m.walk.moments[m.number + 1].game
    told = [event for event in m.events if event.is_seen_by(m.seat)]
    for number in range(_WORLDS):
        world = m.rules.guess(m.game, m.seat, m.pick(f"world {number}"))
        game = world.copy()
        events = m.rules.apply(game, m.seat, m.action)
        seen = [event for event in events if event.is_seen_by(m.seat)]
        is_same = (seen, looks(m, game, m.seat)) == (told, looks(m, after, m.seat))
        assert is_same or not m.undoable
        if is_same:
            assert _acted(m, world).can_undo(m.seat) == m.undoable
