"""What the gateway's scripts in Redis touch."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from gateway.contract import Reservation
from gateway.documents import Account, ListEntry, State
from gateway.redis_link import SCRIPTS
from tests.gateway.test_store import MATCH, NOTE


@pytest.mark.parametrize("store_of", ["ledger"], indirect=True)
async def test_every_script_stays_in_one_slot(store, monkeypatch):
    """All keys that a script touches have the same hash tag, which names one entity."""
    calls = []
    run = store._run

    async def noted(name, keys, *arguments, **more):
        calls.append((name, {re.fullmatch(r"bree:g:\{(\w:[^{}]+)\}.*", key)[1] for key in keys}))
        return await run(name, keys, *arguments, **more)

    monkeypatch.setattr(store, "_run", noted)
    await store.add_account(Account("a1", "Rosie", guest=True), "hash")
    await store.reserve("a1", Reservation("h-1", "d", "r"), 1, 2)
    await store.unreserve("a1", await store.reserved("a1"))
    await store.add_match(MATCH)
    await store.swap_match(MATCH, replace(MATCH, version=2))
    await store.enter("a1", MATCH, 1, 2)
    await store.finish(MATCH)
    await store.listed("hopscotch", State.OPEN, ListEntry(1, "h-1"), 9)
    await store.add_note("h-abc", "warm", NOTE, 9)
    await store.gone(1, 9)
    await store.take_out(MATCH)
    await store.keep_once("x", "name", "value", 1000, 9)
    await store.guess_once("x", "name", "wrong", 9)
    await store.take_once("x", "name")
    await store.count_once("x", 1000, 9)

    assert dict(calls) == {
        "keep_copy": {"a:a1"},
        "reserve": {"a:a1"},
        "forget": {"a:a1"},
        "forget_request": {"a:a1"},
        "add_match": {"m:h-abc"},
        "swap_match": {"m:h-abc"},
        "enter": {"a:a1"},
        "add_note": {"m:h-abc"},
        "gone": {"h:all"},
        "finish": {"a:a1"},
        "page": {"i:hopscotch"},
        "keep_once": {"o:x"},
        "guess_once": {"o:x"},
        "take_once": {"o:x"},
        "count_once": {"o:x"},
    }
    assert {*dict(calls), "take_turn", "aged"} == {
        path.name.removesuffix(".lua") for path in SCRIPTS.iterdir()
    }
