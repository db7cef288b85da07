"""The files of `deploy/redis`, read by the servers that they are for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bree.redis.sentinels import Sentinels, primary_now
from tests.redis_node import HOST, Node, wait_until
from tests.redis_server import redis_program

FILES = Path(__file__).resolve().parents[2] / "deploy/redis"

pytestmark = pytest.mark.skipif(redis_program() is None, reason="there is no server here")


def started(folder: Path, kind: str, name: str, **replaced: str) -> Node:
    """A server that has begun with a file, in a folder of its own and on a port of its own."""
    text = (FILES / name).read_text("utf-8")
    for old, new in {**replaced, "dir /data": f'dir "{folder}"'}.items():
        assert old in text
        text = text.replace(old, new)
    node = Node(redis_program(), folder, kind, "")
    node.write_all(
        re.sub(r"^port \d+$", f"port {node.port}\nbind {HOST}", text, flags=re.MULTILINE)
    )
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


def _sets(node: Node) -> bool:
    try:
        return bool(node.say("SET", "a", "1"))
    except Exception:  # noqa: BLE001  # whatever it refuses with
        return False
