"""A platform on a Redis Cluster, and what is done to its masters, replicas and slots.

Design. A move of slots is no loss by itself, but what it takes over is on one server alone for a
moment: whoever serves it next tells its replica later, and nobody waits for that. So a server that
is killed while slots move is killed after the replicas of both ends have caught up. Masters have
one replica each, which must be there for anything to be acknowledged.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import redis

from bree.local.parts import Part
from tests.chaos.losses import Lengths, Losses
from tests.chaos.world import World
from tests.redis_cluster import RedisCluster
from tests.redis_node import Node, wait_until
from tests.redis_slots import AT_ONCE

SPEAKERS = ("engine", "gateway")
"""Who has something in the store, or asks for it; the others know the broker alone."""


class ClusterWorld(World):
    """A platform whose store is a cluster; the Redis of its local run is the broker."""

    def __init__(
        self, home: Path, say: Callable[[str], None], cluster: RedisCluster, replicas: int
    ) -> None:
        super().__init__(home, say)
        self.cluster, self.replicas = cluster, replicas

    @property
    def settings_of_parts(self) -> Mapping[str, str]:
        """What each part is told."""
        return {"BREE_STORE_REPLICAS": str(self.replicas), "BREE_STORE_NEW": "yes"}

    def wanted(self, parts: list[Part]) -> list[Part]:
        """All; those who speak to the store find the cluster."""
        return [self._led(part) if part.kind in SPEAKERS else part for part in parts]

    def _led(self, part: Part) -> Part:
        told = {**part.environment, "BREE_STORE_URL": self.cluster.url}
        return replace(part, environment=told)

    def losses(self, chance: random.Random) -> Losses:
        """What is done to it."""
        return ClusterLosses(self.cluster, chance)


class ClusterLosses(Losses):
    """What is done to a cluster."""

    def __init__(
        self, cluster: RedisCluster, chance: random.Random, lengths: Lengths | None = None
    ) -> None:
        super().__init__(cluster, chance, lengths)
        self.cluster = cluster
        kinds: dict[str, Callable[[], None]] = {
            "kill a master": lambda: self.kill_master(is_stalled=False),
            "kill a master, its link stalled": lambda: self.kill_master(is_stalled=True),
            "pause a master": self.pause_master,
            "kill a replica": self.kill_replica,
            "pause a replica": self.pause_replica,
            "promote a replica": self.promote_replica,
            "move slots": self.move_slots,
            "move slots, kill their target": self.kill_target,
        }
        if cluster.can_move_at_once:
            kinds["move slots at once"] = self.move_at_once
        if cluster.remembers_moves:
            kinds["move slots, kill their source"] = self.kill_source
        self.kinds = kinds

    # Masters and replicas.

    def kill_master(self, *, is_stalled: bool) -> None:
        """What it alone knows is gone; its replica is promoted, whatever that has heard."""
        old = self._master()
        self.stall(self.cluster.replicas_of(old) if is_stalled else ())
        self._replace(old)

    def pause_master(self) -> None:
        """It wakes up when its replica has long been promoted."""
        self.hold(self._master(), self.lengths.paused)

    def kill_replica(self) -> None:
        """Nothing is acknowledged in its shard meanwhile."""
        self.take_away(self._replica())

    def pause_replica(self) -> None:
        """It stands still and comes back."""
        self.hold(self._replica(), self.lengths.paused / 2)

    def promote_replica(self) -> None:
        """As an operator does before he takes a machine away."""
        self.cluster.failover(self._master())
        self.cluster.until_whole()

    # Slots.

    def move_slots(self) -> None:
        """One after the other, a few keys at a time."""
        slots, _, target = self._some()
        self.cluster.move(slots, target)
        self.cluster.until_whole()

    def move_at_once(self) -> None:
        """All together, by the servers themselves."""
        slots, _, target = self._some()
        self.cluster.move_at_once(slots, target)
        self.cluster.until_whole()

    def kill_target(self) -> None:
        """Half-way: what has gone over is with its replica."""
        _, target = self._halfway()
        self._replace(target)

    def kill_source(self) -> None:
        """Half-way: its replica serves what has not gone over."""
        source, _ = self._halfway()
        self._replace(source)

    def _master(self) -> Node:
        return self.chance.choice(self.cluster.masters())

    def _replica(self) -> Node:
        return self.chance.choice(self.cluster.replicas_of(self._master()))

    def _replace(self, old: Node) -> None:
        """Kill a master, start it as a replica of the other, and then end all moves."""
        old.kill()
        new = self.cluster.until_promoted(old)
        self.cluster.unstall(new)
        self.cluster.take_back(old)
        self.cluster.end_moves()
        self.cluster.until_whole()

    def _some(self) -> tuple[list[int], Node, Node]:
        """A third of the slots of a master that hold keys, where they are, and where they go."""
        full = {node: self.cluster.full_slots_of(node) for node in self.cluster.masters()}
        source = self.chance.choice([node for node, slots in full.items() if slots])
        target = self.chance.choice([node for node in full if node is not source])
        number = max(1, len(full[source]) // 3)
        return self.chance.sample(full[source], number), source, target

    def _halfway(self) -> tuple[Node, Node]:
        """Leave such slots with some keys here and some there, as their replicas know."""
        slots, source, target = self._some()
        for slot in slots:
            self.cluster.begin_move(slot, target)
            with suppress(redis.RedisError):  # then fewer go over
                self.cluster.move_some_keys(slot, self.chance.randrange(1, AT_ONCE))
        for node in (source, target):
            wait_until(lambda node=node: self.cluster.is_followed(node), f"nobody follows {node}")
        return source, target
