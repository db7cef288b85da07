"""Some who write to a cluster while it is hurt, and remember what was acknowledged to them."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

import redis

from tests.redis_cluster import RedisCluster
from tests.redis_node import Node
from tests.redis_slots import slot_of

LISTS = 6
WAIT_MS = 200
REST = 0.01
"""Seconds between two numbers."""

SENT_ON = 4
"""How often a writer is sent elsewhere before he gives up."""

ELSEWHERE = (redis.exceptions.MovedError, redis.exceptions.AskError)


class Writer:
    """Adds one number after the other to lists of one slot; it is sent elsewhere as clients are."""

    def __init__(self, cluster: RedisCluster, tag: str, replicas: int) -> None:
        self.slot, self._tag, self._tried = slot_of(tag), tag, 0
        self.acknowledged: list[int] = []
        self._cluster, self._replicas = cluster, replicas
        self._node = cluster.nodes[0]
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._write)

    def begin(self) -> None:
        self._thread.start()

    def end(self) -> None:
        self._over.set()
        self._thread.join()

    def lost(self) -> set[int]:
        """What was acknowledged, and is not there."""
        node = self._cluster.owner(self.slot)
        lists = node.say_all([("LRANGE", self._key(n), 0, -1) for n in range(LISTS)])
        return {*self.acknowledged} - {int(n) for found in lists for n in found}

    def _key(self, number: int) -> str:
        return f"{self._tag}{number % LISTS}"

    def _write(self) -> None:
        while not self._over.is_set():
            self._tried += 1
            with suppress(redis.RedisError):
                if self._add(self._tried):
                    self.acknowledged.append(self._tried)
            self._over.wait(REST)

    def _add(self, number: int) -> bool:
        """Whether so many replicas have it."""
        node, asking = self._node, False
        for _ in range(SENT_ON):
            try:
                return self._sent(node, number, asking=asking)
            except ELSEWHERE as error:
                asking = isinstance(error, redis.exceptions.AskError)
                node = self._named(error)
                self._node = self._node if asking else node
            except redis.ConnectionError:
                self._node = self._cluster.masters()[0]
                raise
        return False

    def _sent(self, node: Node, number: int, *, asking: bool) -> bool:
        if not node.hears:
            raise redis.ConnectionError
        words = [("ASKING",)] * asking
        words += [("RPUSH", self._key(number), number), ("WAIT", self._replicas, WAIT_MS)]
        return int(str(node.say_all(words)[-1])) >= self._replicas

    def _named(self, error: redis.RedisError) -> Node:
        """Whom a refusal sends to."""
        port = int(re.findall(r":(\d+)", str(error))[-1])
        return next(node for node in self._cluster.nodes if node.port == port)


@contextmanager
def writers(
    cluster: RedisCluster, tags: Sequence[str], replicas: int = 1
) -> Iterator[list[Writer]]:
    """One for each tag, who write as long as this lasts."""
    made = [Writer(cluster, tag, replicas) for tag in tags]
    for writer in made:
        writer.begin()
    try:
        yield made
    finally:
        for writer in made:
            writer.end()
