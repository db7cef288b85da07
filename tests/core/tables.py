"""Tables of the toy game to begin from, and what it means that one refuses."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from services.core.decisions import CHANCE
from services.core.errors import Refused
from services.core.fair import Fate
from services.core.table import Table
from tests.games.skirmish.rules import RULES, Board

FATE = bytes(32)
GONDOR, MORDOR, ROHAN = range(3)
T = Table[Board]


def dealt(**options: str) -> T:
    """A table where hands have been drawn, and everyone is to seal a card."""
    return Table(RULES, RULES.agree(options), Fate(FATE))


def scripted() -> T:
    """The same without fate, so that chance waits like a seat."""
    table = Table(RULES, RULES.agree({}))
    for card in ("charge", "horn", "shield", "shield"):
        table.act(CHANCE, f"draw {card}")
    return table


def state(table: T) -> tuple[object, ...]:
    numbers = [table.number(seat) for seat in range(len(table.seats))]
    undos = [table.can_undo(seat) for seat in range(len(table.seats))]
    return RULES.dump(table.game), list(table.entries), numbers, undos, table.aborted


def refused(table: T, kind: type[Refused], act: Callable[[], object], message: str = ".") -> None:
    """Assert that an act is refused, and has changed nothing."""
    before = state(table)
    with pytest.raises(Refused, match=message) as caught:
        act()

    assert kind is type(caught.value)
    assert before == state(table)
