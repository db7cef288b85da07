"""Results in the ledger: what is asked of them, each question answered by an index.

Design. A list begins with a player and a game, with an account, or with a game, and goes through
one index of these in its order, the newest first. What else is wanted is looked for among so many
rows (`LOOKED_AT`) and no more: the place where that ends is asked for first, and a page that has
too few goes on there. So no question reads more than a piece of one index, whatever is combined.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bree.ledger.link import Ledger
from gateway.contract import Counted, Counts, Filter, History, Listed, Place
from gateway.documents import RatingPoint, Result

LOOKED_AT = 5_000
"""Results among which one page, or what is to be counted, is looked for."""

BY_PLAYER = "r.player = $1 AND r.game = $2"
BY_ACCOUNT = "r.account = $1 AND $2::text = ''"
BY_GAME = "$1::text = '' AND r.game = $2"
KEYS = (BY_PLAYER, BY_ACCOUNT, BY_GAME)

ORDER = "ORDER BY r.ended_ms DESC, r.match DESC, r.seat DESC"
ORDER_OF_MATCHES = "ORDER BY r.ended_ms DESC, r.match DESC"

END = """
SELECT r.ended_ms, r.match, r.seat FROM bree.results r
WHERE {key} AND (r.ended_ms, r.match, r.seat) < ($3, $4::text, $5::text) AND r.ended_ms >= $6
{order} OFFSET $7 LIMIT 2
"""
"""Where the looking ends; a second row says that there are more."""

# What is asked of a match's other seats is asked match by match: as a join or as a plain EXISTS,
# PostgreSQL might go through all results there are instead.
WANTED = """
WHERE {key} AND (r.ended_ms, r.match, r.seat) < ($3, $4::text, $5::text)
  AND (r.ended_ms, r.match, r.seat) >= ($6, $7::text, $8::text)
  AND ($9::text = '' OR r.options = $9) AND ($10::text = '' OR r.pace = $10)
  AND ($11::text = '' OR r.side = $11 OR r.seat = $11) AND ($12::text = '' OR r.result = $12)
  AND ($13::boolean IS NULL OR r.rated = $13) AND r.length BETWEEN $14 AND $15
  AND (cardinality($16::text[]) = 0 OR cardinality($16) = (
    SELECT count(DISTINCT o.player) FROM bree.results o
    WHERE o.match = r.match AND o.side <> r.side AND o.player = ANY($16)))
  AND (cardinality($17::text[]) = 0 OR cardinality($17) = (
    SELECT count(DISTINCT o.player) FROM bree.results o
    WHERE o.match = r.match AND o.player = ANY($17)))
"""
COLUMNS = ", ".join(f"r.{name}" for name in Result._fields)
LIST = f"SELECT {COLUMNS} FROM bree.results r {WANTED} {ORDER} LIMIT $18"  # noqa: S608 (of ours)
FIND = f"""
SELECT DISTINCT ON (r.ended_ms, r.match) {COLUMNS} FROM bree.results r {WANTED}
{ORDER_OF_MATCHES} LIMIT $18
"""  # noqa: S608 (of ours)
COUNT = f"""
SELECT r.game, r.side, r.options, r.pace, r.result, count(*), GROUPING(r.side, r.options, r.pace)
FROM bree.results r {WANTED}
GROUP BY GROUPING SETS ((r.game, r.result), (r.game, r.side, r.result),
  (r.game, r.options, r.result), (r.game, r.pace, r.result))
"""  # noqa: S608 (of ours)
MET = f"""
SELECT met.player, met.result, count(*) FROM (
  SELECT DISTINCT r.match, r.seat, r.result, other.player FROM bree.results r
  CROSS JOIN LATERAL (
    SELECT o.player FROM bree.results o
    WHERE o.match = r.match AND o.side <> r.side AND o.player <> r.player OFFSET 0) other
  {WANTED}) met
GROUP BY met.player, met.result
"""  # noqa: S608 (of ours)
BITS = {7: "", 3: "side", 5: "options", 6: "pace"}
"""By what PostgreSQL says of a group: what its rows have in common besides the game."""

SPAN = """
SELECT count(*), min(at_ms), max(at_ms) FROM (
  SELECT at_ms FROM bree.rating_history
  WHERE game = $1 AND player = $2 AND at_ms >= $3 AND at_ms < $4 ORDER BY at_ms LIMIT $5) first
"""
LAST = """
SELECT max(at_ms) FROM bree.rating_history
WHERE game = $1 AND player = $2 AND at_ms >= $3 AND at_ms < $4
"""
POINTS = """
SELECT at_ms, match, mu, sigma, ordinal, version FROM bree.rating_history
WHERE game = $1 AND player = $2 AND at_ms >= $3 AND at_ms < $4 ORDER BY at_ms DESC, version DESC
LIMIT $5
"""
EVENLY = """
SELECT DISTINCT point.at_ms, point.match, point.mu, point.sigma, point.ordinal, point.version
FROM generate_series(0, $5::bigint - 1) step CROSS JOIN LATERAL (
  SELECT h.at_ms, h.match, h.mu, h.sigma, h.ordinal, h.version FROM bree.rating_history h
  WHERE h.game = $1 AND h.player = $2 AND h.at_ms >= $3
    AND h.at_ms <= $3 + ($4::bigint - $3) * step / ($5 - 1)
  ORDER BY h.at_ms DESC, h.version DESC LIMIT 1) point
"""


class ResultsInLedger:
    """The part of a `contract.Store` that concerns what was played."""

    ledger: Ledger

    async def results(self, wanted: Filter, after: Place | None, most: int) -> Listed:
        return await self._listed("results", LIST, wanted, after, most)

    async def found(self, wanted: Filter, after: Place | None, most: int) -> Listed:
        return await self._listed("found", FIND, wanted, after, most)

    async def _listed(
        self, what: str, query: str, wanted: Filter, after: Place | None, most: int
    ) -> Listed:
        top, end, is_cut = after or Place(wanted.until_ms, ""), _bottom(wanted), False
        if _is_choosy(wanted):
            end, is_cut = await self._end(wanted, top)
        if query is FIND:
            end = end._replace(seat="")  # all seats of a match are looked at, or none
        values = _values(wanted, top, end)
        rows = await self.ledger.read(what, query.format(key=_key(wanted)), *values, most + 1)
        found = [Result(*row) for row in rows]
        if len(found) > most:
            return Listed(found[:most], _place(found[most - 1], query))
        return Listed(found, end if is_cut else None)

    async def _end(self, wanted: Filter, top: Place) -> tuple[Place, bool]:
        """How far is looked, and whether there are more."""
        order = ORDER if _key(wanted) != BY_GAME else ORDER_OF_MATCHES
        query = END.format(key=_key(wanted), order=order)
        values = (*_of(wanted), *top, wanted.from_ms, LOOKED_AT - 1)
        rows = await self.ledger.read("end of results", query, *values)
        return (Place(*rows[0]), True) if len(rows) > 1 else (_bottom(wanted), False)

    async def counts(self, wanted: Filter, *, with_opponents: bool) -> Counts:
        top = Place(wanted.until_ms, "")
        end, is_cut = await self._end(wanted, top)
        key, values = _key(wanted), _values(wanted, top, end)
        rows = await self.ledger.read("counts", COUNT.format(key=key), *values)
        counted = [_counted(row) for row in rows]
        if with_opponents:
            met = await self.ledger.read("opponents", MET.format(key=key), *values)
            counted += [Counted("", "opponent", *row) for row in met]
        return Counts(counted, end.ended_ms if is_cut else None)

    async def rating_history(
        self, game: str, player: str, from_ms: int, until_ms: int, most: int
    ) -> History:
        span = (game, player, from_ms, until_ms)
        number, first, _ = await self.ledger.row("rating history", SPAN, *span, most + 1)
        if number <= most:
            rows = await self.ledger.read("rating history", POINTS, *span, most)
        else:
            [last] = await self.ledger.row("rating history", LAST, *span)
            rows = await self.ledger.read("rating history", EVENLY, game, player, first, last, most)
        points = sorted((RatingPoint(*row) for row in rows), key=lambda p: (p.at_ms, p.version))
        return History(points, number > most)


def _key(wanted: Filter) -> str:
    if wanted.player and wanted.game:
        return BY_PLAYER
    if wanted.account:
        return BY_ACCOUNT
    assert wanted.game, "this would be asked of all results there are"
    return BY_GAME


def _of(wanted: Filter) -> tuple[str, str]:
    """What is written in the place of a key's values."""
    by_key = {BY_PLAYER: wanted.player, BY_ACCOUNT: wanted.account, BY_GAME: ""}
    return by_key[_key(wanted)], wanted.game


def _is_choosy(wanted: Filter) -> bool:
    """Whether rows are looked at that are not wanted."""
    plain = Filter(
        game=wanted.game,
        account=wanted.account,
        player=wanted.player,
        from_ms=wanted.from_ms,
        until_ms=wanted.until_ms,
    )
    return wanted != plain


def _bottom(wanted: Filter) -> Place:
    return Place(wanted.from_ms, "")


def _place(last: Result, query: str) -> Place:
    return Place(last.ended_ms, last.match, "" if query is FIND else last.seat)


def _values(wanted: Filter, top: Place, end: Place) -> Sequence[Any]:
    w = wanted
    chosen = (w.options, w.pace, w.side, w.result, w.rated, w.least, w.most)
    return (*_of(w), *top, *end, *chosen, [*w.opponents], [*w.others])


def _counted(row: Sequence[Any]) -> Counted:
    game, side, options, pace, result, number, bits = row
    by = BITS[bits]
    of = {"": "", "side": side, "options": options, "pace": pace}[by]
    return Counted(game, by, of, result, number)
