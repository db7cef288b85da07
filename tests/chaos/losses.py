"""What is done to the servers of a store, one loss at a time; each ends when they are whole again.

Design. What differs between stores is who is the primary, how one is replaced, and what else may
happen to them: see `group.py` and `cluster.py`.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

from tests.redis_node import Node


class Lengths(NamedTuple):
    """Seconds that a link is stalled, that a node stands still, and that one is gone."""

    stalled: float = 1.5
    paused: float = 8.0
    away: float = 2.0


class Servers(Protocol):
    """Some who follow each other."""

    def until_promoted(self, old: Node) -> Node: ...

    def until_whole(self) -> None: ...

    def stall(self, replica: Node) -> None: ...


class Losses:
    """What can be done, each under the name that the journal has for it."""

    kinds: Mapping[str, Callable[[], None]]

    def __init__(
        self, servers: Servers, chance: random.Random, lengths: Lengths | None = None
    ) -> None:
        self.servers, self.chance, self.lengths = servers, chance, lengths or Lengths()

    def take_away(self, *nodes: Node) -> None:
        """Kill some who are nobody's primary, and start them later."""
        for node in nodes:
            node.kill()
        time.sleep(self.lengths.away)
        for node in nodes:
            node.start()
        self.servers.until_whole()

    def hold(self, node: Node, seconds: float) -> None:
        """Let one stand still, whatever the others do meanwhile."""
        node.pause()
        time.sleep(seconds)
        node.go_on()
        self.servers.until_whole()

    def stall(self, replicas: Sequence[Node]) -> None:
        """Let some fall behind for a while."""
        for node in replicas:
            self.servers.stall(node)
        if replicas:
            time.sleep(self.lengths.stalled)
