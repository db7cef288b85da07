"""The ledger: finished matches settled a second, and finding things among many of them.

A settlement, with all that it writes, is done in turns with an INSERT of the same bytes into one
table, by as many callers, on the same PostgreSQL, which has every commit on its disk.
Pages and matches are read by the gateway's own store, first among a few matches, then among a
hundred times as many.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from statistics import median
from typing import Any

import asyncpg

from bench.measure import Measure
from bench.town import Town, platform
from bree.ledger.link import Ledger
from bree.ledger.packing import pack
from gateway.documents import ListEntry, Match, Rating, Recorded, Seat, State, text_of
from gateway.ledger_store import LedgerStore
from gateway.results import results_of

CALLERS, EACH, ROUNDS = 16, 10, 7
FEW, TIMES, ACCOUNTS, READS = 2_000, 100, 50_000, 200
SEATS = (Seat("red", "bench-a", "Ann"), Seat("blue", "bench-b", "Bob"))
MATCH = Match(
    "m", "bench", (), SEATS, "bench-a", "Ann", 1, "00" * 32, None, State.OVER, settled="counted"
)
FILL = """
WITH kept AS (
  INSERT INTO bree.matches (id, game, state, created_ms, ended_ms, doc, settled)
  SELECT 'f-' || n, 'filled', 'over', n, n, $3, 'counted' FROM generate_series($1::int, $2::int) n
  RETURNING id, created_ms),
sat AS (
  INSERT INTO bree.seats (account, match, created_ms, game, state)
  SELECT DISTINCT 'a' || (created_ms * k) % $4::int, id, created_ms, 'filled', 'over'
  FROM kept, generate_series(1, 2) k)
INSERT INTO bree.records (match, record, kept, head, revision)
SELECT id, '\\x00', '\\x00', '0f', 1 FROM kept
"""

Work = Callable[[int], Awaitable[object]]


def measures() -> Iterator[Measure]:
    """Settlements against bare INSERTs; pages and matches among few and among many."""
    with platform() as town:
        found = asyncio.run(_measured(town))
    rate, bare, ratio, read = found
    name, reference = "ledger: finished matches settled", f"bare INSERT {bare:.0f}/s"
    yield Measure(name, round(rate), "1/s", reference, ratio)
    for what, (few, many) in read.items():
        said = f"among {FEW:,}: {few:.2f} ms"
        yield Measure(
            f"ledger: {what} among {FEW * TIMES:,}", round(many, 2), "ms", said, many / few
        )


async def _measured(town: Town) -> tuple[float, float, float, dict[str, tuple[float, float]]]:
    store = LedgerStore(town.store, Ledger(town.ledger, CALLERS))
    pool = await asyncpg.create_pool(town.ledger, min_size=CALLERS, max_size=CALLERS)
    await pool.execute("CREATE TABLE bare (id text PRIMARY KEY, bytes bytea NOT NULL)")
    await pool.execute("ALTER TABLE bare ALTER bytes SET STORAGE EXTERNAL")
    rate, bare, ratio = await _settled(store, pool)
    await fill(pool, 1, FEW)
    few = await _read(store, FEW)
    await fill(pool, FEW + 1, FEW * TIMES)
    many = await _read(store, FEW * TIMES)
    await pool.close()
    await store.close()
    return rate, bare, ratio, {what: (few[what], many[what]) for what in few}


async def _settled(store: LedgerStore, pool: Any) -> tuple[float, float, float]:
    """Settlements a second, bare INSERTs a second, and how the one goes to the other."""
    chance = random.Random("ledger")
    lines = (f"red\tmarch {n} gondor\t{chance.randbytes(8).hex()}\t{n * 97}" for n in range(800))
    recorded = Recorded("\n".join(lines), b"", "0f" * 16, 800)

    async def settle(number: int) -> None:
        pair = [Rating(f"p-{number}-{seat.name}", 25.0, 8.0, 1.0) for seat in SEATS]
        match = replace(MATCH, id=f"m-{number}")
        came = results_of(match, [rating.player for rating in pair], recorded.revision, 0)
        assert (await store.settle(match, pair, recorded, came, pair)).now

    async def insert(number: int) -> None:
        packed = await asyncio.to_thread(pack, recorded.text.encode())
        whole = packed + text_of(MATCH).encode()
        await pool.execute("INSERT INTO bare VALUES ($1, $2)", f"m-{number}", whole)

    rounds = [(await _rate(settle, n), await _rate(insert, n)) for n in range(ROUNDS + 1)][1:]
    ours, theirs = zip(*rounds, strict=True)
    return median(ours), median(theirs), median(a / b for a, b in rounds)


async def _rate(work: Work, turn: int) -> float:
    """How often a second it is done, by all callers at once."""

    async def one(caller: int) -> None:
        for number in range(EACH):
            await work((turn * CALLERS + caller) * EACH + number)

    began = time.perf_counter()
    await asyncio.gather(*(one(caller) for caller in range(CALLERS)))
    return CALLERS * EACH / (time.perf_counter() - began)


async def fill(pool: Any, first: int, last: int) -> None:
    """Keep matches with these numbers, each of two accounts."""
    await pool.execute(FILL, first, last, text_of(MATCH), ACCOUNTS, timeout=600)
    await pool.execute("ANALYZE", timeout=600)


async def _read(store: LedgerStore, many: int) -> dict[str, float]:
    """The middle time of each way of finding something, in ms."""
    ways: dict[str, Work] = {
        "the first page of a list": lambda _: store.listed("filled", State.OVER, None, 101),
        "a page far down": lambda n: store.listed(
            "filled", State.OVER, ListEntry(float(many * n // READS), "f"), 101
        ),
        "an account's page": lambda n: store.seated(f"a{n + 1}", None, 101),
        "opening a match": lambda n: store.match(f"f-{1 + n * many // READS}"),
    }
    return {what: await _time(work) for what, work in ways.items()}


async def _time(work: Work) -> float:
    times = []
    for number in range(READS):
        began = time.perf_counter()
        assert await work(number) is not None
        times.append(time.perf_counter() - began)
    return 1000 * median(times)
