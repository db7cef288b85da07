"""What must happen next in a match: an outbox that is stored with the move it follows from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from services.host.clocks import NO_QUESTION
from services.host.match_state import MatchState
from services.host.serialization import BOT_TURN, CLOCK, DUE, SCORE, Due
from services.host.store import NO_FIELDS, Change


class Outbox(NamedTuple):
    """What is due in a match from now on, and how that differs from before."""

    due: tuple[Due, ...]
    added: Sequence[Due]
    removed: Sequence[Due]
    has_changed: bool

    def change(
        self, lines: Sequence[str] = (), fields: Mapping[str, str] = NO_FIELDS, head: str = ""
    ) -> Change:
        """What a store must be told, with what else changes at the same time."""
        if not self.has_changed:
            return Change(lines, fields, head=head)
        return Change(
            lines,
            {DUE: " ".join([due.member() for due in self.due]), **fields},
            undue=[due.member() for due in self.removed],
            due=[(due.since, due.member()) for due in self.added],
            head=head,
        )


def outbox_after(match: str, state: MatchState, before: tuple[Due, ...], now: int) -> Outbox:
    """What is due in a match at this point; what was due before stays due since then."""
    due = _due(match, state, now)
    for n, new in enumerate(due):
        for old in before:
            if old == new._replace(since=old.since, alone=old.alone):
                due[n] = old
    if before == tuple(due):
        return Outbox(before, (), (), has_changed=False)
    added = [one for one in due if one not in before]
    removed = [one for one in before if one not in due]
    return Outbox(tuple(due), added, removed, has_changed=True)


def _due(match: str, state: MatchState, now: int) -> list[Due]:
    if state.is_over:
        return [Due(SCORE, match, "", NO_QUESTION, "", now)]
    if state.held:
        return []
    setup, clocks, due = state.setup, state.clocks, []
    alone = all(state.levels)
    for seat, number in state.asked.items():
        name, level = state.table.seats[seat], state.levels[seat]
        if level:
            due.append(Due(BOT_TURN, match, name, number, level, now, setup.payer, alone))
        elif clocks is not None and (expires := clocks.expires(seat)) is not None:
            due.append(Due(CLOCK, match, name, number, "", state.clock_at(expires)))
    return due
