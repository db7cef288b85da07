"""Matches that have no results get them: those of before there were any, and of elsewhere.

Design. A settlement writes results itself. A match that was settled by an older gateway, imported
or restored has none; from its document they are the same as they would have been. One gateway at a
time has the turn: it goes through all matches that are over, the newest first, a piece at a time
with a pause between, and begins anew after a rest. Whoever takes the turn begins at the newest,
too: what has results already costs next to nothing.
"""

from __future__ import annotations

import asyncio
import random
import secrets
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import structlog

from bree.process.again import again_and_again
from bree.process.statuses import Denied
from gateway.documents import Match, Result, State, match_of
from gateway.ledger_store import LATEST_MS, LedgerStore
from gateway.results import results_of
from gateway.settings import GatewaySettings

log = structlog.get_logger()

TURN = "results"
AT_ONCE = 200
PAUSE_SECONDS, BEGIN_SECONDS, REST_SECONDS = 0.05, 10.0, 3600.0
LEASE_SECONDS = 60.0

NEXT = """
SELECT page.id, page.created_ms, page.ended_ms, page.doc, page.settled,
  coalesce(r.revision, 0) AS revision,
  (SELECT count(*) FROM bree.results x WHERE x.match = page.id) AS known
FROM (
  SELECT m.id, m.created_ms, m.ended_ms, m.doc, m.settled FROM bree.matches m
  WHERE m.game = $1 AND m.state = $2 AND (m.created_ms, m.id) < ($3, $4::text)
  ORDER BY m.created_ms DESC, m.id DESC LIMIT $5) page
LEFT JOIN LATERAL (
  SELECT k.revision FROM bree.records k WHERE k.match = page.id OFFSET 0) r ON true
ORDER BY page.created_ms DESC, page.id DESC
"""
PLAYERS = """
SELECT id, coalesce(nullif(first_name, ''), name) FROM bree.accounts WHERE id = ANY($1::text[])
"""
"""Not from copies, in which somebody may have a name yet who has left."""

FILL = """
INSERT INTO bree.results (match, seat, side, account, player, game, pace, options, ended_ms, length,
  result, score, rated)
SELECT row.* FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[],
  $7::text[], $8::text[], $9::bigint[], $10::bigint[], $11::text[], $12::bigint[], $13::boolean[])
  AS row (match, seat, side, account, player, game, pace, options, ended_ms, length, result, score,
  rated)
JOIN bree.matches m ON m.id = row.match FOR KEY SHARE OF m
ON CONFLICT (match, seat) DO NOTHING
"""


class ResultsFilling:
    """Gives results to matches that have none."""

    def __init__(self, settings: GatewaySettings, store: LedgerStore) -> None:
        self.store, self.games = store, tuple(settings.replicas)
        self.holder = secrets.token_hex(8)

    async def run(self) -> None:
        """Fill for ever, while it is this gateway's turn."""
        await asyncio.sleep(random.uniform(0, BEGIN_SECONDS))  # noqa: S311 (only a pause)
        await again_and_again("results", self._fill_in_turn, REST_SECONDS, (Denied,))

    async def _fill_in_turn(self) -> None:
        done = await self.fill()
        if done:
            log.info("results filled in", matches=done)

    async def fill(self, pause: float = PAUSE_SECONDS) -> int:
        """Go through all matches that are over; how many had no results."""
        done = 0
        for game in self.games:
            place = LATEST_MS, ""
            while await self.store.take_turn(TURN, self.holder, round(1000 * LEASE_SECONDS)):
                rows = await self._next(game, place)
                done += await self._filled([row for row in rows if not row["known"]])
                if len(rows) < AT_ONCE:
                    break
                place = rows[-1]["created_ms"], rows[-1]["id"]
                await asyncio.sleep(pause)
        return done

    async def _next(self, game: str, place: tuple[int, str]) -> Sequence[Any]:
        asked = (game, str(State.OVER), *place, AT_ONCE)
        return await self.store.ledger.read("matches without results", NEXT, *asked)

    async def _filled(self, rows: Sequence[Any]) -> int:
        """Write the results of these; how many matches could be read."""
        found = [(row, match) for row in rows if (match := _read(row))]
        if not found:
            return 0
        ids = {seat.account for _, match in found for seat in match.seats if seat.account}
        known = await self.store.ledger.read("players", PLAYERS, sorted(ids))
        players = {row[0]: row[1] for row in known}
        results = [result for row, match in found for result in _results(row, match, players)]
        columns = list(zip(*results, strict=True))
        await self.store.ledger.write("results", lambda c: c.execute(FILL, *map(list, columns)))
        return len(found)


def _read(row: Any) -> Match | None:
    """The match of a row; nothing if nobody can read it, which stops no other."""
    try:
        match = replace(match_of(row["doc"]), settled=row["settled"])
        results_of(match, [""] * len(match.seats), 0, 0)
    except (ValueError, KeyError, TypeError) as error:
        log.warning("match without results", match=row["id"], error=repr(error))
        return None
    return match


def _results(row: Any, match: Match, players: dict[str, str]) -> list[Result]:
    named = [players.get(seat.account, seat.player) for seat in match.seats]
    return results_of(match, named, row["revision"], row["ended_ms"])
