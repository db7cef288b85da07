"""What is shown is as new as what any replica had acknowledged when it was asked for."""

from __future__ import annotations

import asyncio

from services.host.in_memory_store import InMemoryStore
from tests.host.engines import MATCH, in_loop, replica
from tests.host.stores import Faulty, Late


@in_loop
async def test_a_reading_that_began_before_it_was_asked_for_is_not_believed():
    """Another replica may have acknowledged more since the store was read."""
    store = InMemoryStore()
    late = Late(store)
    async with replica(late) as engine, replica(store) as other:
        await other.create()
        matches = engine.engine.matches
        late.hold()
        early = asyncio.create_task(matches.find(MATCH))
        await late.has_read.wait()
        acted = await other.play("gondor", "r1")
        asked = asyncio.create_task(matches.fresh(MATCH))
        await asyncio.sleep(0)
        late.let_go()
        found = await asked

        assert acted.standing.revision == found.state.revision
        assert found is await early


@in_loop
async def test_a_reading_that_began_when_it_was_asked_for_is_enough():
    """A match that is not in memory costs one round trip to the store."""
    store = Faulty(InMemoryStore())
    async with replica(store) as engine:
        await engine.create()
        matches = engine.engine.matches
        matches.cache.drop(matches.cache.find(MATCH))
        store.asked.clear()
        await matches.fresh(MATCH)

        assert 1 == store.asked.count("load")
