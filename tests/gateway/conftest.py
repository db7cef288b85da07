"""Asynchronous tests, a Redis server for the run, and a town for each test."""

from __future__ import annotations

import asyncio
import inspect
from pathlib import Path

import pytest
import redis

from gateway import accounts
from gateway.door.files import Files
from gateway.memory_store import MemoryStore
from tests import redis_cluster as clusters
from tests import redis_server as servers
from tests.gateway.openid_provider import OpenIdProvider, new_key
from tests.gateway.stores import joined
from tests.gateway.town import Town
from tests.gateway.with_provider import BACK
from tests.ledgers import begun, ledgers
from tests.postgres_server import PROGRAMS


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """Run a test that is a coroutine in the loop in which its fixtures live."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    loop = pyfuncitem.funcargs.get("loop")
    if loop is None:
        asyncio.run(pyfuncitem.obj(**arguments))
    else:
        loop.run(pyfuncitem.obj(**arguments))
    return True


@pytest.fixture(autouse=True)
def short_belief(monkeypatch):
    """So that no test waits for long when a token is replaced."""
    monkeypatch.setattr(accounts, "BELIEVED_SECONDS", 0.05)


@pytest.fixture(autouse=True)
def no_page(monkeypatch):
    """A built page has many files, which each gateway would read; what tests them has its own."""
    monkeypatch.setattr(Files.__init__, "__defaults__", (Path("there is no page"),))


@pytest.fixture
def loop():
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture(scope="session")
def redis_server():
    with servers.redis_server() as server:
        yield server


@pytest.fixture
def own_redis():
    """A server that this test may kill, and start again with what it had."""
    with servers.redis_server() as server:
        yield server


@pytest.fixture
def fresh_redis(redis_server):
    with redis.Redis(port=redis_server.port) as client:
        client.flushall()
    return redis_server


@pytest.fixture(scope="session")
def ledger_servers():
    with ledgers() as each:
        yield each


@pytest.fixture
def ledger_url(ledger_servers):
    """An empty ledger, on the newest PostgreSQL that is here."""
    return ledger_servers.empty()


@pytest.fixture
def own_ledger(own_postgres):
    """A ledger on a server that this test may kill, and start again with what it had."""
    return begun(own_postgres)


@pytest.fixture(params=["memory", "ledger"])
def store_of(request):
    """What makes a store: on one Redis server and one ledger, or in one memory."""
    if request.param == "ledger":
        return joined(request.getfixturevalue("fresh_redis"), request.getfixturevalue("ledger_url"))
    shared = MemoryStore()
    return lambda: shared


@pytest.fixture(scope="session")
def redis_cluster():
    """Two masters without replicas, that keep running."""
    with clusters.redis_cluster(masters=2, replicas=0) as cluster:
        yield cluster


@pytest.fixture
def fresh_cluster(redis_cluster):
    for node in redis_cluster.masters():
        node.say("FLUSHALL")
    return redis_cluster


@pytest.fixture(params=["memory", "cluster", *(f"ledger-{one.major}" for one in PROGRAMS)])
def every_store_of(request, ledger_servers):
    """The same, on a cluster, too, and on every version of PostgreSQL that is here."""
    kind, _, major = request.param.partition("-")
    if kind == "cluster":
        return joined(request.getfixturevalue("fresh_cluster"), ledger_servers.empty())
    if kind == "ledger":
        [program] = [one for one in PROGRAMS if one.major == int(major)]
        return joined(request.getfixturevalue("fresh_redis"), ledger_servers.empty(program))
    shared = MemoryStore()
    return lambda: shared


@pytest.fixture
def store(loop, store_of):
    made = store_of()
    yield made
    loop.run(made.close())


@pytest.fixture(scope="session")
def signing_keys():
    """Two keys of each kind; to make them takes long."""
    return {alg: [new_key(alg) for _ in range(2)] for alg in ("RS256", "ES256")}


@pytest.fixture
def provider(loop, signing_keys):
    """A provider of OpenID Connect on loopback."""
    made = OpenIdProvider(BACK, [signing_keys["RS256"][0]])
    loop.run(made.start())
    yield made
    loop.run(made.stop())


@pytest.fixture
def town(request, loop, store_of):
    """A town; `@pytest.mark.parametrize("town", [{...}], indirect=True)` gives it settings."""
    given = dict(getattr(request, "param", {}))
    engines = given.pop("engines_count", 1)
    made = Town(store_of, **given)
    loop.run(made.open(engines))
    yield made
    loop.run(made.close())
