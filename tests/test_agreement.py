"""What gateways, workers and engines must agree on, each asked in its own way."""

from __future__ import annotations

import asyncio

import pytest
from pydantic import ValidationError

from bree.engine.v1 import engine_pb2 as engine
from bree.process.statuses import Denied
from gateway.catalog import Catalog
from gateway.engines import Engines
from gateway.settings import GatewaySettings
from services.host import checks
from services.host.dispatch import TASKS
from services.host.settings import HostSettings
from workers.app import add_tasks, make_app
from workers.calls import Replicas
from workers.clients import Clients
from workers.settings import SweeperSettings, WorkerSettings

TOKEN = "the token of the platform"
YEAR_MS = 365 * 24 * 3600 * 1000


def read_by(kind, engines):
    """How a program spells out BREE_ENGINES; None if it refuses it."""
    try:
        settings = kind(platform_token=TOKEN, engines=engines)
    except ValidationError:
        return None
    found = settings.replicas if kind is GatewaySettings else settings.engines
    return {game: tuple(addresses) for game, addresses in found.items()}


@pytest.mark.parametrize(
    ("text", "addresses"),
    [
        ("duel=127.0.0.1:7101", ("127.0.0.1:7101",)),
        (" duel=engine-1:7101 , engine_2.local:7102 ; ", ("engine-1:7101", "engine_2.local:7102")),
        ("duel=[::1]:7101", ("[::1]:7101",)),
        ("duel=unix:/run/duel.sock", ("unix:/run/duel.sock",)),
        ("duel=unix:/run/a.sock,unix:/run/b.sock", ("unix:/run/a.sock", "unix:/run/b.sock")),
        ("duel=dns:///duel.bree:7101", ("dns:///duel.bree:7101",)),
        ("", None),
        (";", None),
        ("duel", None),
        ("duel=", None),
        ("duel=here", None),
        ("duel=h:1,", None),
        ("duel=h:1,h:1", None),
        ("duel=h:1;duel=g:1", None),
        ("duel=h:123456", None),
        ("duel=1:2=3:4", None),
        ("duel=h g:1", None),
        ("duel=http://h:1", None),
        ("duel=::1:7101", None),
        ("duel=unix:", None),
        ("Duel=h:1", None),
        ("=h:1", None),
    ],
)
def test_gateways_and_workers_read_the_same_engines(text, addresses):
    """What one of them takes the other takes, and what one refuses the other refuses."""
    expected = addresses and {"duel": addresses}

    assert [expected, expected] == [
        read_by(kind, text) for kind in (GatewaySettings, WorkerSettings)
    ]


def test_gateways_and_workers_rank_the_replicas_of_a_match_in_the_same_way():
    """So a match is in the memory of one replica only."""
    addresses = [f"10.0.0.{n}:7101" for n in range(5)]
    text = f"duel={','.join(addresses)}"
    matches = [f"d-{n}" for n in range(40)]

    async def of_a_gateway():
        engines = Engines(GatewaySettings(platform_token=TOKEN, engines=text))
        for replica in engines.replicas["duel"]:
            replica.note(None)  # all are healthy
        found = {m: [replica.address for replica in engines.order("duel", m)] for m in matches}
        await engines.close()
        return found

    settings = WorkerSettings(platform_token=TOKEN, engines=text, patience_seconds=0)
    replicas = Replicas(addresses, lambda channel: channel, settings)
    address_of = {stub: address for address, stub in replicas._stubs.items()}
    of_a_worker = {m: [address_of[stub] for stub in replicas._tries(m)] for m in matches}
    replicas.close()

    assert asyncio.run(of_a_gateway()) == of_a_worker
    assert len({tuple(order) for order in of_a_worker.values()}) > len(addresses)


def test_engines_send_the_tasks_that_workers_do():
    """Each to a queue that a worker takes from."""
    settings = WorkerSettings(platform_token=TOKEN, engines="duel=h:1")
    app = make_app(settings)
    add_tasks(app, Clients(settings), settings)

    assert set(TASKS.values()) <= set(app.tasks)
    assert set(settings.queues) == {app.conf.task_routes[task]["queue"] for task in TASKS.values()}


@pytest.mark.parametrize(
    "text", ["", "redis://a:1/0", " redis://a:1 \n redis+sentinel://s:1,t:2/bree", "amqp://r", "a"]
)
def test_engines_and_sweepers_read_the_same_brokers(text):
    """So that each payer's turns wait at one of them, whoever sends them."""

    def brokers(kind, **more):
        try:
            return kind(
                platform_token=TOKEN, broker_url=text, store_url="redis://s:1/0", **more
            ).brokers
        except ValidationError:
            return None

    found = brokers(HostSettings, fate_key="00" * 32)

    assert found == brokers(SweeperSettings, engines="duel=h:1")
    assert (found is None) == (text in {"amqp://r", "a"})


@pytest.mark.parametrize(("ms", "fits"), [(YEAR_MS, True), (YEAR_MS + 1, False)])
def test_gateways_and_engines_take_the_same_clocks(ms, fits):
    """Whoever opens a match is not refused when it begins, nor the other way round."""
    clock = engine.Clock(bank_ms=ms)
    taken = []
    for check in (lambda: Catalog(None).clock("duel", clock), lambda: checks.clock(clock, ())):
        try:
            check()
        except Denied:
            taken.append(False)
        else:
            taken.append(True)

    assert [fits, fits] == taken
