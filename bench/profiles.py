"""Profiles and searches: each kind of question, among 200,000 finished matches.

One account has played in every tenth of them and a hosted bot in every second one, so that what is
asked of those is the worst there is. The gateway's own logic answers, with the ledger and the store
that it has, and nobody else asks meanwhile.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from statistics import median
from typing import Any

import asyncpg

from bench.ledger import MATCH
from bench.measure import Measure
from bench.town import Town, platform
from bree.gateway.v1 import gateway_pb2 as pb
from bree.gateway.v1 import profiles_pb2 as profiles
from bree.ledger.link import Ledger
from gateway.catalog import Catalog
from gateway.current_names import CurrentNames
from gateway.documents import Account, text_of
from gateway.engines import Engines
from gateway.ledger_store import LedgerStore
from gateway.rating_histories import RatingHistories
from gateway.ratings import Ratings
from gateway.result_filters import ResultFilters
from gateway.result_lists import ResultLists
from gateway.settings import GatewaySettings
from gateway.tallies import Tallies

MATCHES, ACCOUNTS, READS, MOST_MS = 200_000, 50_000, 40, 50
GAME, BUSY, BOT = "filled", "a0", "bot:novice"
FILL = (
    """INSERT INTO bree.accounts (id, name, guest, created_ms, token_hash)
    SELECT 'a' || n, 'a' || n, false, n, md5(n::text) FROM generate_series(0, {accounts}) n""",
    "INSERT INTO bree.names SELECT name, id FROM bree.accounts",
    """INSERT INTO bree.matches (id, game, state, created_ms, ended_ms, doc, settled)
    SELECT 'f-' || n, 'filled', 'over', n, n, replace('{doc}', '"m"', '"f-' || n || '"'), 'counted'
    FROM generate_series(1, {matches}) n""",
    """INSERT INTO bree.results (match, seat, side, account, player, game, pace, options, ended_ms,
      length, result, score, rated)
    SELECT 'f-' || n, seat, seat, CASE WHEN player LIKE 'bot:%' THEN '' ELSE player END, player,
      'filled', (ARRAY['live', 'slow', 'free'])[1 + n % 3], 'length=' || n % 20, n, n % 300,
      CASE WHEN n % 97 = 0 THEN 'drawn' WHEN seat = 'red' THEN 'won' ELSE 'lost' END, k, true
    FROM generate_series(1, {matches}) n, LATERAL (VALUES
      (1, 'red', CASE WHEN n % 10 = 0 THEN 'a0'
        ELSE 'a' || 2 + (n::bigint * 7919) % {accounts} END),
      (2, 'blue', CASE WHEN n % 100 = 0 THEN 'a1' WHEN n % 2 = 0 THEN 'bot:novice'
        ELSE 'a' || 2 + (n::bigint * 104729) % {accounts} END)) AS seats (k, seat, player)
    ON CONFLICT DO NOTHING""",
    """INSERT INTO bree.rating_history SELECT 'filled', 'bot:novice', 'f-' || n, n, n, 25, 8, 1, 25,
      8, 1 FROM generate_series(1, {matches}, 2) n""",
    "INSERT INTO bree.ratings VALUES ('filled', 'bot:novice', 100000, 100000, 25, 8, 1)",
    "VACUUM ANALYZE",
)

Asked = Callable[[], Awaitable[object]]


def measures() -> Iterator[Measure]:
    """The middle time of each kind of question."""
    with platform() as town:
        found = asyncio.run(_measured(town))
    for what, ms in found.items():
        name = f"profiles: {what} among {MATCHES:,}"
        yield Measure(name, round(ms, 1), "ms", wanted=f"at most {MOST_MS} ms")


async def _measured(town: Town) -> dict[str, float]:
    store = LedgerStore(town.store, Ledger(town.ledger, 4))
    pool = await asyncpg.create_pool(town.ledger, min_size=1, max_size=1)
    await _fill(pool)
    await pool.close()
    found = {what: await _time(ask) for what, ask in _questions(store).items()}
    await store.close()
    return found


async def _fill(pool: Any) -> None:
    doc = text_of(replace(MATCH, game=GAME)).replace("'", "''")
    for command in FILL:
        text = command.replace("{doc}", doc).replace("{matches}", str(MATCHES))
        await pool.execute(text.replace("{accounts}", str(ACCOUNTS)), timeout=600)


def _questions(store: LedgerStore) -> dict[str, Asked]:
    given = {"platform_token": "x" * 16, "engines": f"{GAME}=127.0.0.1:1"}
    catalog = Catalog(Engines(GatewaySettings.model_validate(given)))
    names = CurrentNames(store)
    filters = ResultFilters(store, catalog, names)
    lists = ResultLists(store, filters)
    tallies = Tallies(store, filters, lists)
    histories = RatingHistories(store, Ratings(store, catalog, names))
    me = Account(BUSY, BUSY)

    def results(**said: Any) -> Asked:
        wanted = profiles.ResultFilter(**said)
        asked = profiles.ListResultsRequest(account=BUSY, filter=wanted)
        return lambda: lists.page(me, asked)

    def matches(*players: str, **said: Any) -> Asked:
        wanted = profiles.ResultFilter(game=GAME, **said)
        asked = profiles.FindMatchesRequest(players=players, filter=wanted)
        return lambda: lists.find(me, asked)

    def summary(name: str) -> Asked:
        wanted = profiles.ResultFilter(game=GAME)
        asked = profiles.SummarizeResultsRequest(account=name, filter=wanted)
        return lambda: tallies.summarize(me, asked)

    drawn, slow = profiles.RESULT_KIND_DRAWN, pb.PACE_SLOW
    rare = {"result": drawn, "pace": slow, "most_length": 50}
    two = profiles.HeadToHeadRequest(one=BUSY, other="a1")
    history = profiles.GetRatingHistoryRequest(account=BOT, game=GAME)
    return {
        "a page of results": results(),
        "a page of results of a game against one": results(game=GAME, opponent="a1"),
        "a page of results that are rare": results(**rare),
        "a page of results that there are not": results(options="length=99", opponent="a7"),
        "a busy account's summary": summary(BUSY),
        "a hosted bot's summary": summary(BOT),
        "a plain account's summary": summary("a77"),
        "two compared": lambda: tallies.head_to_head(me, two),
        "a rating's history of 100,000 points": lambda: histories.show(me, history),
        "a page of a game's matches": matches(),
        "a page of a game's matches that are rare": matches(**rare),
        "a page of a game's matches that there are not": matches(options="length=99"),
        "a page of two players' matches": matches(BUSY, "a1"),
        "a page of a bot's and a player's matches": matches(BOT, "a77"),
    }


async def _time(ask: Asked) -> float:
    times = []
    for _ in range(READS):
        began = time.perf_counter()
        await ask()
        times.append(time.perf_counter() - began)
    return 1000 * median(times)
