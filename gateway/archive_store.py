"""How matches go from Redis to the ledger for good, and the notes that go with them.

Design. First the ledger has all of it, then Redis is cleared: the lists and notes first, the match
itself last, by which it is found. So whoever breaks off leaves something that is found again, and
whatever is done twice is done once.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from typing_extensions import override

from bree.ledger.link import Ledger
from gateway.contract import ALL, Archived
from gateway.documents import ListEntry, Match, Note, State, text_of
from gateway.keys import TURNS, account_key, list_key, match_key, notes_key
from gateway.redis_link import LOST
from gateway.store import RedisStore

ARCHIVED = """
SELECT r.head, r.revision FROM bree.records r JOIN bree.matches m ON m.id = r.match
WHERE r.match = $1 AND m.settled <> ''
"""
CLOSED = """
WITH kept AS (
  INSERT INTO bree.matches (id, game, state, created_ms, ended_ms, doc)
  VALUES ($1, $2, $3, $4, extract(epoch FROM clock_timestamp()) * 1000, $5)
  ON CONFLICT (id) DO NOTHING RETURNING id, game, state, created_ms)
INSERT INTO bree.seats (account, match, created_ms, game, state)
SELECT account, id, created_ms, game, state FROM kept, unnest($6::text[]) account
"""
NOTES = """
INSERT INTO bree.notes (match, team, number, account, label, seat, text, at_ms, request_id)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (match, team, number) DO NOTHING
"""
NOTED = """
SELECT account, label, seat, text, at_ms, request_id, number FROM bree.notes
WHERE match = $1 AND team = $2 AND number < $3 ORDER BY number DESC LIMIT $4
"""
HIGHEST = 2**62


class ArchiveOnBoth(RedisStore):
    """The part of a `contract.Store` by which matches leave Redis."""

    ledger: Ledger

    async def archived(self, match: str) -> Archived | None:
        row = await self.ledger.row("archived", ARCHIVED, match)
        return Archived(*row) if row else None

    async def keep_closed(self, match: Match) -> None:
        row = (match.id, match.game, match.state, match.created_ms, text_of(match))
        people = sorted(_people(match))
        await self.ledger.write("closed", lambda c: c.execute(CLOSED, *row, people))

    async def keep_notes(self, match: Match) -> None:
        rows = [row for team in match.teams for row in await self._note_rows(match, team.name)]
        if rows:
            await self.ledger.write("notes", lambda c: c.executemany(NOTES, rows))

    async def _note_rows(self, match: Match, team: str) -> list[tuple[Any, ...]]:
        flat = await self._ask("ZRANGE", notes_key(match.id, team), 0, -1, "WITHSCORES")
        texts = [json.loads(text) for text in flat[::2]]
        numbers = [int(float(number)) for number in flat[1::2]]
        pairs = zip(numbers, texts, strict=True)
        return [(match.id, team, number, *note) for number, note in pairs]

    async def take_out(self, match: Match) -> None:
        people, creator = _people(match), match.creator
        lists = [list_key(match.game, state) for state in State]
        lists += [account_key(who, part) for who in people for part in ("live", "seated")]
        lists += [account_key(who, "open") for who in (creator, f"{creator}.alone")]
        gone: list[tuple[Any, ...]] = [("ZREM", key, match.id) for key in lists]
        gone += [("DEL", notes_key(match.id, team.name)) for team in match.teams]
        await self._many(gone, LOST)
        await self._run("forget_request", [account_key(creator, "asked")], match.id)
        await self._tell("DEL", match_key(match.id))

    async def aged(
        self, game: str, state: State, after: ListEntry | None, before_ms: int, most: int
    ) -> list[ListEntry]:
        place = (repr(after.score), after.name) if after else ("", "")
        keys = [list_key(game, state)]
        flat = await self._run("aged", keys, *place, before_ms, most, lost="UNAVAILABLE")
        return [ListEntry(float(flat[i + 1]), flat[i]) for i in range(0, len(flat), 2)]

    async def unlist(self, game: str, state: State, matches: Sequence[str]) -> None:
        if matches:
            await self._tell("ZREM", list_key(game, state), *matches)

    async def take_turn(self, what: str, holder: str, lease_ms: int) -> bool:
        return bool(await self._run("take_turn", [TURNS + what], holder, lease_ms))

    @override
    async def notes(self, match: str, team: str, before: int, most: int) -> list[Note]:
        found = await super().notes(match, team, before, most)
        if found or await self._ask("EXISTS", match_key(match)):
            return found
        below = HIGHEST if before == ALL else before
        rows = await self.ledger.read("notes", NOTED, match, team, below, most)
        return [Note(*row) for row in rows]


def _people(match: Match) -> set[str]:
    """Who sits in a match, and who has left it."""
    return {seat.account for seat in match.seats if seat.account} | set(match.left)
