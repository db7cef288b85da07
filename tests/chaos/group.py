"""A platform on a primary, its replicas and Sentinels, and what is done to these."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from pathlib import Path

from bree.local.parts import Part
from tests.chaos.losses import Lengths, Losses
from tests.chaos.world import World
from tests.redis_group import RedisGroup


class GroupWorld(World):
    """A platform on a group of Redis, which is its broker, too."""

    def __init__(
        self, home: Path, say: Callable[[str], None], group: RedisGroup, replicas: int
    ) -> None:
        super().__init__(home, say)
        self.group, self.replicas = group, replicas

    @property
    def settings_of_parts(self) -> Mapping[str, str]:
        """What each part is told."""
        urls = dict.fromkeys(("BREE_STORE_URL", "BREE_BROKER_URL"), self.group.url)
        return {**urls, "BREE_STORE_REPLICAS": str(self.replicas), "BREE_STORE_NEW": "yes"}

    def wanted(self, parts: list[Part]) -> list[Part]:
        """All but the Redis."""
        return [part for part in parts if part.kind != "redis"]

    def losses(self, chance: random.Random) -> Losses:
        """What is done to it."""
        return GroupLosses(self.group, chance)


class GroupLosses(Losses):
    """What is done to a group."""

    def __init__(
        self, group: RedisGroup, chance: random.Random, lengths: Lengths | None = None
    ) -> None:
        super().__init__(group, chance, lengths)
        self.group = group
        self.kinds: Mapping[str, Callable[[], None]] = {
            "kill the primary, one link stalled": lambda: self.kill_primary(1),
            "kill the primary, both links stalled": lambda: self.kill_primary(2),
            "kill the primary": lambda: self.kill_primary(0),
            "pause the primary": self.pause_primary,
            "kill a replica": self.kill_replica,
            "pause a replica": self.pause_replica,
            "kill both replicas": self.kill_replicas,
            "kill a Sentinel": self.kill_sentinel,
        }

    def kill_primary(self, stalled: int) -> None:
        """What it alone knows is gone until somebody else has been promoted."""
        old = self.group.primary()
        self.stall(self.chance.sample(self.group.replicas(), stalled))
        old.kill()
        self.group.until_promoted(old)
        old.start()
        self.group.until_whole()

    def pause_primary(self) -> None:
        """It wakes up when another has long been promoted."""
        self.hold(self.group.primary(), self.lengths.paused)

    def kill_replica(self) -> None:
        """The other one is enough."""
        self.take_away(self.chance.choice(self.group.replicas()))

    def pause_replica(self) -> None:
        """It stands still and comes back."""
        self.hold(self.chance.choice(self.group.replicas()), self.lengths.paused / 2)

    def kill_replicas(self) -> None:
        """Nothing is acknowledged meanwhile."""
        self.take_away(*self.group.replicas())

    def kill_sentinel(self) -> None:
        """Two of three are enough."""
        self.take_away(self.chance.choice(self.group.sentinels))
