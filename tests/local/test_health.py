"""Whether a store is there, of whatever kind it is."""

from __future__ import annotations

import asyncio

import pytest

from bree.local.health import redis_answers
from tests.redis_cluster import redis_cluster
from tests.redis_server import free_port, redis_program, redis_server

pytestmark = pytest.mark.skipif(redis_program() is None, reason="there is no server here")


def answers(url):
    return asyncio.run(redis_answers(url))


def test_a_server_answers_until_it_is_gone():
    """And one that wants another password does not."""
    with redis_server("--requirepass", "secret") as server:
        assert answers(f"redis://:secret@127.0.0.1:{server.port}")
        assert not answers(f"redis://:wrong@127.0.0.1:{server.port}")
    assert not answers(server.url)


def test_a_cluster_answers():
    """As its nodes do; where there are none, nobody does."""
    with redis_cluster(masters=1, replicas=0) as cluster:
        assert answers(cluster.url)
    assert not answers(f"redis+cluster://127.0.0.1:{free_port()}")
    assert not answers(f"redis+sentinel://127.0.0.1:{free_port()}/bree")
