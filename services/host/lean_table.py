"""The table of a match that is kept in memory, together with thousands of others."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Any, Self

from services.core.entries import Entry
from services.core.fair import Draw
from services.core.frames import Game
from services.core.table import Table, Undo

MOST_UNDONE = 16
"""How many decisions can be taken back one after the other; the game before each is in memory."""


class LeanTable(Table[Any]):
    """A table that forgets the entries that are stored; the store has them.

    A decision is made on a copy, and the table that was copied stays as it is. So its game is what
    the decision can be taken back to, and no copy need be made for that.
    """

    keeps: Container[int] = ()
    most_undone = MOST_UNDONE
    forgotten = 0
    untouched: Game[Any] | None = None  # as this game is, and nobody changes it

    @property
    def revision(self) -> int:
        return self.forgotten + len(self.entries)

    def copy(self) -> Self:
        new = super().copy()
        new.forgotten = self.forgotten
        new.keeps, new.keeps_agreed = self.keeps, self.keeps_agreed
        new.untouched = self.game
        return new

    @property
    def undo_stack(self) -> Sequence[Undo[Any]]:
        """The decisions that could be taken back one after the other, the last one last."""
        return self._undo

    def forget(self) -> list[Entry]:
        """The entries since the last time."""
        entries, self.entries = self.entries, []
        self.forgotten += len(entries)
        return entries

    def _set_aside(self) -> Game[Any] | None:
        game = super()._set_aside()
        return self.untouched if game is None else game

    def _as_it_is(self) -> Game[Any]:
        return self.untouched or super()._as_it_is()

    def _enter(self, who: str, what: str, draws: tuple[Draw, ...] = ()) -> None:
        self.untouched = None
        super()._enter(who, what, draws)
