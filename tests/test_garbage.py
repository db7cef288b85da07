"""The processes that keep matches in memory tell the garbage collector when to look."""

from __future__ import annotations

import asyncio
import gc

import pytest
import uvloop

import gateway.main
import services.host.main
from bree.process import garbage, logs, metrics
from gateway.memory_store import MemoryStore
from gateway.settings import GatewaySettings
from services.confrontation import RULES
from services.host.in_memory_store import InMemoryStore
from services.host.settings import HostSettings

TOKEN = "the token of the platform"
COMMON = {"platform_token": TOKEN, "listen": "127.0.0.1:0", "drain_seconds": 0}


class Nobody:
    """No worker is told of anything."""

    def tell(self, dues):
        """It is forgotten."""


def a_gateway():
    settings = GatewaySettings(engines="confrontation=127.0.0.1:1", **COMMON)
    return gateway.main.Process(settings, MemoryStore())


def an_engine():
    settings = HostSettings(fate_key="ab" * 32, **COMMON)
    return services.host.main.Engine(RULES, settings, InMemoryStore(), Nobody())


@pytest.mark.parametrize("make", [a_gateway, an_engine])
def test_a_process_that_serves_collects_by_time(make, monkeypatch):
    """It never happens by itself there."""
    collected = asyncio.Event()
    monkeypatch.setattr(garbage, "COLLECT_SECONDS", 0.001)
    monkeypatch.setattr(gc, "collect", lambda *_: collected.set())

    async def serve():
        process = make()
        await process.start()
        await asyncio.wait_for(collected.wait(), 10)
        await process.stop()

    asyncio.run(serve())


@pytest.mark.parametrize(
    "main",
    [gateway.main.main, lambda: services.host.main.serve(RULES)],
    ids=["gateway", "engine"],
)
def test_a_process_freezes_what_it_has_imported_before_it_serves(main, monkeypatch):
    """Else each full collection looks at all of it."""
    found = []
    for name, value in {
        "PLATFORM_TOKEN": TOKEN, "ENGINES": "duel=h:1", "FATE_KEY": "ab" * 32,
        "LEDGER_URL": "postgresql://bree@h:1/bree",
    }.items():  # fmt: skip
        monkeypatch.setenv(f"BREE_{name}", value)
    monkeypatch.setattr(logs, "set_up", lambda *_: None)
    monkeypatch.setattr(metrics, "serve", lambda *_: None)
    monkeypatch.setattr("sys.setswitchinterval", lambda _: None)
    monkeypatch.setattr(garbage, "freeze", lambda: found.append("frozen"))

    def run(serving):
        serving.close()
        found.append("serves")

    monkeypatch.setattr(uvloop, "run", run)

    main()

    assert ["frozen", "serves"] == found
