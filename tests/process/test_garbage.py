"""The garbage collector is told when to look."""

from __future__ import annotations

import asyncio
import gc

from bree.process import garbage


def test_what_has_been_imported_is_not_looked_at_again():
    """And a full collection never begins by itself."""
    before = gc.get_threshold()
    try:
        garbage.freeze()

        assert gc.get_freeze_count() > 0
        assert (10_000, 50, 1_000_000) == gc.get_threshold()
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)


def test_full_collections_are_made_again_and_again(monkeypatch):
    """By time, since they never begin by themselves."""
    collected = asyncio.Semaphore(0)
    monkeypatch.setattr(garbage, "COLLECT_SECONDS", 0.001)
    monkeypatch.setattr(gc, "collect", lambda *_: collected.release())

    async def twice():
        collecting = asyncio.create_task(garbage.collect())
        for _ in range(2):
            await asyncio.wait_for(collected.acquire(), 5)
        collecting.cancel()

    asyncio.run(twice())
