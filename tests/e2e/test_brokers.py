"""Two brokers, of which one is killed: its turns wait, nothing is lost, and all others go on."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import asynccontextmanager

import grpc
import pytest

from bree.engine.v1.engine_pb2 import CreateMatchRequest, GetRecordRequest, Player
from bree.engine.v1.engine_pb2_grpc import EngineServiceStub
from bree.local.parts import Part
from bree.local.settings import HOST, LocalSettings
from bree.local.state import State
from bree.local.supervisor import Supervisor
from bree.process.brokers import Spread
from tests.local.parts import free_range
from tests.redis_server import redis_server
from workers.scoring import verified

GAME, SEATS, LEVEL = "confrontation", ("good", "dark"), "uniform"
SECONDS = 90
UNPLAYED = 0
"""The revision of a match in which nobody has moved."""

MATCHES = 4  # of each of the payers, before the broker is killed

pytestmark = pytest.mark.timeout(SECONDS + 30)


class Town:
    """An engine, a sweeper and a worker for each broker, as processes without a gateway."""

    def __init__(self, home, store, brokers):
        self.state, self.ports = State(home), iter(range(free_range(5), 32_000))
        self.engine = next(self.ports)
        self.brokers = brokers
        self.shared = {
            "STORE_URL": store.url,
            "STORE_NEW": "yes",
            "BROKER_URL": " ".join(broker.url for broker in brokers),
            "PLATFORM_TOKEN": self.state.secret("platform_token"),
            "FATE_KEY": self.state.secret("fate_key"),
            "ENGINES": f"{GAME}={HOST}:{self.engine}",
            "QUEUES": "bots",  # there is nobody to tell who has won
            "SWEEP_SECONDS": "0.2",
            "SWEEP_OVERDUE_MS": "300",
        }
        served = {f"worker-{n}": broker.url for n, broker in enumerate(brokers)}
        self.parts = [
            self.part("engine", f"services.{GAME}", port=self.engine),
            self.part("sweeper", "workers.sweeper"),
            *(self.part(name, "workers", BROKER_URL=url) for name, url in served.items()),
        ]

    def part(self, name, module, port=0, **more):
        """One process, told what all are told, and more."""
        kind, metrics = name.partition("-")[0], next(self.ports)
        told = self.shared | {"METRICS_PORT": str(metrics), "LISTEN": f"{HOST}:{port}"} | more
        environment = os.environ | {f"BREE_{key}": value for key, value in told.items()}
        if kind == "worker":
            environment["PROMETHEUS_MULTIPROC_DIR"] = str(self.state.metrics(name))
        command = (sys.executable, "-m", module)
        return Part(name, kind, command, port, metrics, environment=environment)

    @asynccontextmanager
    async def running(self):
        """All of it, until the test is over."""
        supervisor = Supervisor(self.parts, self.state, LocalSettings(state=self.state.root), print)
        supervisor.prepare()
        try:
            await supervisor.start()
            async with grpc.aio.insecure_channel(f"{HOST}:{self.engine}") as channel:
                self.stub = EngineServiceStub(channel)
                yield
        finally:
            await supervisor.stop()
            self.state.close()

    async def call(self, method, request):
        token = ("authorization", f"Bearer {self.shared['PLATFORM_TOKEN']}")
        return await getattr(self.stub, method)(request, metadata=(token,), timeout=10)

    async def begin(self, payer, numbers):
        """Matches between two bots for which an account pays."""
        names = [f"of-{payer}-{number}" for number in numbers]
        for name in names:
            players = [Player(seat=seat, bot_level=LEVEL, nonce=b"n") for seat in SEATS]
            await self.call(
                "CreateMatch", CreateMatchRequest(match=name, players=players, payer=payer)
            )
        return names

    async def revision(self, match):
        """How far a match has come."""
        answer = await self.call("GetRecord", GetRecordRequest(match=match))
        return answer.standing.revision

    async def is_over(self, match):
        """Whether it has a record."""
        return bool((await self.call("GetRecord", GetRecordRequest(match=match))).text)

    async def over(self, matches):
        """Wait until all of them are over, and verify what was played."""
        for match in matches:
            while not await self.is_over(match):  # noqa: ASYNC110  # in other processes
                await asyncio.sleep(0.05)
            answer = await self.call("GetRecord", GetRecordRequest(match=match))
            assert not verified(answer.text, GAME).aborted

    def payers(self):
        """One whose turns wait at each broker."""
        urls = [broker.url for broker in self.brokers]
        spread = Spread(urls, urls.index)
        return [next(p for p in map(str, range(1000)) if spread.of(p) == n) for n in range(2)]


async def a_broker_dies(town):
    """What is asserted is in between."""
    (killed, _), (held, free) = town.brokers, town.payers()
    waits = await town.begin(held, range(MATCHES))
    goes_on = await town.begin(free, range(MATCHES))
    while await town.revision(waits[0]) == UNPLAYED:  # noqa: ASYNC110  # in other processes
        await asyncio.sleep(0.01)
    killed.kill()
    later = await town.begin(held, range(MATCHES, 2 * MATCHES))
    goes_on += await town.begin(free, range(MATCHES, 2 * MATCHES))
    await town.over(goes_on)

    assert {UNPLAYED} == {await town.revision(match) for match in later}
    killed.start()
    await town.over(waits + later)


def test_a_broker_that_is_killed_holds_up_its_own_payers_only(tmp_path):
    """All others' matches are played to the end meanwhile; then its own are, every one of them."""

    async def run(town):
        async with asyncio.timeout(SECONDS), town.running():
            await a_broker_dies(town)

    lossy = ("--appendonly", "no")
    with redis_server() as store, redis_server(*lossy) as one, redis_server(*lossy) as other:
        town = Town(tmp_path, store, [one, other])
        asyncio.run(run(town))
