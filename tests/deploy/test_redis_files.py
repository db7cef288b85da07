"""The files of `deploy/redis`, read by the servers that they are for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bree.redis.sentinels import Sentinels, primary_now
from tests.redis_node import HOST, Node, wait_until
from tests.redis_server import free_port, redis_program

FILES = Path(__file__).resolve().parents[2] / "deploy/redis"

pytestmark = pytest.mark.skipif(redis_program() is None, reason="there is no server here")


def started(folder: Path, kind: str, name: str, *more: str, **replaced: str) -> Node:
    """A server that has begun with a file and more, in a folder and on a port of its own."""
    text = (FILES / name).read_text("utf-8")
    for old, new in {**replaced, "dir /data": f'dir "{folder}"'}.items():
        assert old in text
        text = text.replace(old, new)
    node = Node(redis_program(), folder, kind, "")
    node.write_all(
        re.sub(r"^port \d+$", f"port {node.port}\nbind {HOST}", text, flags=re.MULTILINE)
    )
    for line in more:
        node.add(line)
    node.start()
    return node


def test_servers_and_sentinels_take_their_files(tmp_path):
    """A primary alone takes no changes; with a replica it does, and the Sentinel names it."""
    made = []
    try:
        made += [started(tmp_path / name, "server", "server.conf") for name in ("a", "b")]
        first, second = made
        with pytest.raises(Exception, match="Not enough good replicas"):
            first.say("SET", "a", "1")
        second.say("REPLICAOF", HOST, first.port)
        at = {"monitor bree 10.0.0.1 6379 2": f"monitor bree {HOST} {first.port} 1"}
        made.append(started(tmp_path / "s", "sentinel", "sentinel.conf", **at))
        wait_until(lambda: _sets(first), "the replica does not follow")

        assert "always" == first.say("CONFIG", "GET", "appendfsync")["appendfsync"]
        assert "noeviction" == first.say("CONFIG", "GET", "maxmemory-policy")["maxmemory-policy"]
        found = Sentinels.of(f"redis+sentinel://{HOST}:{made[2].port}/bree")
        assert first.port == primary_now(found).port
    finally:
        for node in made:
            node.kill()


def test_nodes_of_a_cluster_take_their_file(tmp_path):
    """A master alone takes no changes; with a replica it does, and others may be away."""
    made = []
    try:
        buses = {name: free_port() for name in ("a", "b")}
        for name, bus in buses.items():
            made.append(started(tmp_path / name, "server", "cluster.conf", f"cluster-port {bus}"))
        first, second = made
        first.say("CLUSTER", "ADDSLOTSRANGE", 0, 8191)
        first.say("CLUSTER", "MEET", HOST, second.port, buses["b"])
        wait_until(lambda: "cluster_state:ok" in str(first.say("CLUSTER", "INFO")), "it is down")
        with pytest.raises(Exception, match="Not enough good replicas"):
            first.say("SET", "{3}", "1")
        name = first.say("CLUSTER", "MYID")
        wait_until(lambda: _follows(second, name), "nobody follows")
        wait_until(lambda: _sets(first, "{3}"), "the replica does not follow")

        assert "always" == first.say("CONFIG", "GET", "appendfsync")["appendfsync"]
        assert "noeviction" == first.say("CONFIG", "GET", "maxmemory-policy")["maxmemory-policy"]
    finally:
        for node in made:
            node.kill()


def _follows(node: Node, name: object) -> bool:
    try:
        return bool(node.say("CLUSTER", "REPLICATE", name))
    except Exception:  # noqa: BLE001  # it does not know that one yet
        return False


def _sets(node: Node, key: str = "a") -> bool:
    try:
        return bool(node.say("SET", key, "1"))
    except Exception:  # noqa: BLE001  # whatever it refuses with
        return False
