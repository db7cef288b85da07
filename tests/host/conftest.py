"""What the tests of the host share: one Redis for each process of tests."""

from __future__ import annotations

import logging

import pytest
import structlog

from tests.host.redis_server import redis_program, redis_server

structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))


@pytest.fixture(scope="session")
def shared_redis():
    """A Redis that keeps running; whoever uses it chooses a game of its own."""
    if redis_program() is None:
        pytest.skip("there is no redis-server")
    with redis_server() as server:
        yield server


@pytest.fixture
def own_redis():
    """A Redis to be killed."""
    if redis_program() is None:
        pytest.skip("there is no redis-server")
    with redis_server() as server:
        yield server
