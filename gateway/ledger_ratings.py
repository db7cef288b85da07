"""Ratings in the ledger, and the settlement of a match: all that follows from it, or nothing.

Design. A settlement is one transaction: the match with its seats, results and record, the ratings
with their history, and what is to be delivered. That its match is new there is what makes it count,
so a repetition changes nothing, whichever gateway it comes to. Ratings are locked in the order of
their players' names, those of the game before those of a pace of it, so no two settlements wait for
each other.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from bree.ledger.link import Ledger, Undo
from bree.ledger.packing import pack
from gateway.contract import Settled
from gateway.documents import ListEntry, Match, Rating, Recorded, Result, text_of
from gateway.ledger_programs import PLAYER
from gateway.paces import pace_of, paced

OVER = "over"

RATINGS = """
SELECT player, mu, sigma, ordinal, matches, version FROM bree.ratings
WHERE game = $1 AND player = ANY($2::text[])
"""
BEST = """
SELECT player, mu, sigma, ordinal, matches, version FROM bree.ratings
WHERE game = $1 ORDER BY ordinal DESC, player DESC LIMIT $2
"""
NEXT_BEST = """
SELECT player, mu, sigma, ordinal, matches, version FROM bree.ratings
WHERE game = $1 AND (ordinal, player) < ($2, $3::text) ORDER BY ordinal DESC, player DESC LIMIT $4
"""
LOCKED = RATINGS + "ORDER BY player FOR UPDATE"

NO_BOTS = """WHERE player NOT LIKE 'bot:%'
AND NOT EXISTS (SELECT FROM bree.accounts a WHERE a.bot AND PLAYER = ratings.player) AND""".replace(
    "PLAYER", PLAYER
)
PEOPLE, NEXT_PEOPLE = (query.replace("WHERE", NO_BOTS) for query in (BEST, NEXT_BEST))
"""The same, without those who are bots."""

MATCH = """
WITH kept AS (
  INSERT INTO bree.matches (id, game, state, created_ms, ended_ms, doc, settled)
  VALUES ($1, $2, $3, $4, extract(epoch FROM clock_timestamp()) * 1000, $5, $6)
  ON CONFLICT (id) DO NOTHING RETURNING id, game, state, created_ms, ended_ms),
sat AS (
  INSERT INTO bree.seats (account, match, created_ms, game, state)
  SELECT account, id, created_ms, game, state FROM kept, unnest($7::text[]) account),
came AS (
  INSERT INTO bree.results (match, game, ended_ms, seat, side, account, player, pace, options,
    length, result, score, rated)
  SELECT id, game, ended_ms, row.* FROM kept, unnest($12::text[], $13::text[], $14::text[],
    $15::text[], $16::text[], $17::text[], $18::bigint[], $19::text[], $20::bigint[],
    $21::boolean[]) row),
told AS (
  INSERT INTO bree.outbox (kind, match, at_ms)
  SELECT 'over', id, extract(epoch FROM clock_timestamp()) * 1000 FROM kept)
INSERT INTO bree.records (match, record, kept, head, revision)
SELECT id, $8, $9, $10, $11 FROM kept RETURNING match
"""
RATED = """
WITH given AS (
  SELECT * FROM unnest($3::text[], $4::bigint[], $5::float8[], $6::float8[], $7::float8[],
    $8::float8[], $9::float8[], $10::float8[])
  AS row (player, version, mu, sigma, ordinal, mu_before, sigma_before, ordinal_before)),
rated AS (
  INSERT INTO bree.ratings (game, player, version, matches, mu, sigma, ordinal)
  SELECT $1, player, version + 1, 1, mu, sigma, ordinal FROM given ORDER BY player
  ON CONFLICT (game, player) DO UPDATE SET version = excluded.version,
    matches = ratings.matches + 1, mu = excluded.mu, sigma = excluded.sigma,
    ordinal = excluded.ordinal
  WHERE ratings.version = excluded.version - 1 RETURNING player)
INSERT INTO bree.rating_history (game, player, match, at_ms, version,
  mu_before, sigma_before, ordinal_before, mu, sigma, ordinal)
SELECT $1, player, $2, extract(epoch FROM clock_timestamp()) * 1000, version + 1,
  mu_before, sigma_before, ordinal_before, mu, sigma, ordinal
FROM given JOIN rated USING (player) RETURNING player
"""

OF_SEATS = (
    *("seat", "side", "account", "player", "pace", "options", "length", "result", "score", "rated"),
)
"""The columns of a result that its match does not have."""

BEFORE = Rating("", 25.0, 25.0 / 3, 0.0)
"""What history says that a rating was before the first match."""


class RatingsInLedger:
    """The part of a `contract.Store` that concerns ratings."""

    ledger: Ledger

    async def ratings(self, game: str, players: Sequence[str]) -> list[Rating | None]:
        if not players:
            return []
        rows = await self.ledger.read("ratings", RATINGS, game, list(players))
        found = {row[0]: Rating(*row) for row in rows}
        return [found.get(player) for player in players]

    async def leaders(
        self, game: str, after: ListEntry | None, most: int, *, people: bool = False
    ) -> list[Rating]:
        if after is None:
            rows = await self.ledger.read("leaders", PEOPLE if people else BEST, game, most)
        else:
            query = NEXT_PEOPLE if people else NEXT_BEST
            rows = await self.ledger.read("leaders", query, game, *after, most)
        return [Rating(*row) for row in rows]

    async def settled(self, game: str, match: str) -> str:
        query = "SELECT settled FROM bree.matches WHERE id = $1 AND game = $2"
        row = await self.ledger.row("settled", query, match, game)
        return str(row[0]) if row else ""

    async def settle(
        self,
        match: Match,
        ratings: Sequence[Rating],
        recorded: Recorded,
        results: Sequence[Result] = (),
        paced_ratings: Sequence[Rating] = (),
    ) -> Settled:
        packed = await asyncio.to_thread(_packed, recorded)
        values = (*_values(match), *packed, *_columns(results))

        async def settle(connection: Any) -> Settled:
            if not await connection.fetchval(MATCH, *values):
                raise Undo(Settled(now=False))
            pace = paced(match.game, pace_of(match.clock))
            for game, new in ((match.game, ratings), (pace, paced_ratings)):
                if new:
                    await _rate(connection, game, match.id, new)
            return Settled(now=True)

        return await self.ledger.write("settle", settle)


async def _rate(connection: Any, game: str, match: str, ratings: Sequence[Rating]) -> None:
    """Write ratings, and how they have changed; nothing if one is not the one that was read."""
    players = [rating.player for rating in ratings]
    rows = await connection.fetch(LOCKED, game, players)
    known = {row[0]: Rating(*row) for row in rows}
    for number, rating in enumerate(ratings):
        if known.get(rating.player, BEFORE).version != rating.version:
            raise _changed(number, game)
    before = [known.get(player, BEFORE) for player in players]
    given = [[r.player, r.version, r.mu, r.sigma, r.ordinal] for r in ratings]
    rows = [[*new, old.mu, old.sigma, old.ordinal] for new, old in zip(given, before, strict=True)]
    written = await connection.fetch(RATED, game, match, *zip(*rows, strict=True))
    unwritten = {row[0] for row in written}.symmetric_difference(players)
    if unwritten:  # somebody has written the first one of this player since
        raise _changed(min(players.index(player) for player in unwritten), game)


def _changed(number: int, game: str) -> Undo:
    """A player whose rating is not the one that was read, by his number."""
    return Undo(Settled(now=False, changed=number, in_pace="." in game))


def _columns(results: Sequence[Result]) -> list[list[Any]]:
    """Results as the columns of their table that the match itself does not say."""
    return [[getattr(result, name) for result in results] for name in OF_SEATS]


def _packed(recorded: Recorded) -> tuple[bytes, bytes, str, int]:
    record, kept = pack(recorded.text.encode()), pack(recorded.kept)
    return record, kept, recorded.head, recorded.revision


def _values(match: Match) -> tuple[object, ...]:
    """What a match is in its table, and who is to find it among his own."""
    sat = {seat.account for seat in match.seats if seat.account} | set(match.left)
    row = (match.id, match.game, match.state, match.created_ms, text_of(match), match.settled)
    return (*row, sorted(sat))
