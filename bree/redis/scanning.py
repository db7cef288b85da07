"""The names of all keys that fit a pattern: of one server, and of a cluster that moves slots.

Design. What a server calls the place of a scan means nothing to another, so a scan is one
connection's, and ends with it. In a cluster each master is scanned. A key that goes from one that
was not scanned yet to one that was is at neither when its time comes; so all masters say before a
round and after it what they have and what they move, and whatever did not stay where it was in any
round is looked for in another one.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import aclosing
from typing import TYPE_CHECKING, NamedTuple

from bree.redis.cluster_map import ClusterMap
from bree.redis.connection import Away, Connection, Unsure
from bree.redis.resp import ReplyError
from bree.redis.sentinels import Address
from bree.redis.slots import SLOTS

if TYPE_CHECKING:
    from bree.redis.client import RedisClient

AT_ONCE = 500
BEGINNING = "0"
"""Where a scan begins, and what it says at its end."""

MOST_ROUNDS = 12
REST_SECONDS = 0.5
"""Between two rounds, so that something comes to its end."""


async def scanned(connection: Connection, pattern: str) -> AsyncGenerator[str, None]:
    """The keys of one server; whatever is there from first to last is among them, once."""
    seen: set[str] = set()
    place = BEGINNING
    while True:
        asked = ("SCAN", place, "MATCH", pattern, "COUNT", AT_ONCE)
        reply = await connection.send(asked)
        if isinstance(reply, ReplyError):
            raise reply
        assert isinstance(reply, list)
        place, names = str(reply[0]), reply[1]
        assert isinstance(names, list)
        for name in map(str, names):
            if name not in seen:
                seen.add(name)
                yield name
        if place == BEGINNING:
            return


class Own(NamedTuple):
    """What a node says that it has, and which slots it gives or is given."""

    epoch: int
    slots: frozenset[int]
    moving: frozenset[int]

    @classmethod
    def of(cls, said: str) -> Own:
        """What it means by its answer to `CLUSTER NODES`."""
        rows = (line.split() for line in said.splitlines())
        mine = next((row for row in rows if len(row) > 7 and "myself" in row[2].split(",")), None)
        if mine is None or "master" not in mine[2].split(","):
            return cls(0, frozenset(), frozenset())
        places = [place for place in mine[8:] if not place.startswith("[")]
        spans = [place.split("-") for place in places]
        moved = [place.strip("[").split("-")[0] for place in mine[8:] if place.startswith("[")]
        return cls(
            int(mine[6]),
            frozenset(slot for ends in spans for slot in range(int(ends[0]), int(ends[-1]) + 1)),
            frozenset(map(int, moved)),
        )


class Holder(NamedTuple):
    """Who has a slot, and by which configuration."""

    node: Address
    epoch: int


class Picture:
    """Who has which slots, and which of them are being moved, by what all masters say."""

    def __init__(self, said: dict[Address, Own]) -> None:
        self.moving = frozenset[int]().union(*(own.moving for own in said.values()))
        self.holders: list[Holder | None] = [None] * SLOTS
        for node, own in sorted(said.items(), key=lambda one: one[1].epoch):  # the latest one stays
            holder = Holder(node, own.epoch)
            for slot in own.slots:
                self.holders[slot] = holder

    def nodes(self, slots: Iterable[int]) -> list[Address]:
        """Those who have some of these."""
        holders = (self.holders[slot] for slot in slots)
        return sorted({holder.node for holder in holders if holder})

    def moved(self, then: Picture, slots: Iterable[int]) -> set[int]:
        """Those of some slots that are not, or may not have been, where they were then."""
        unsteady = self.moving | then.moving
        return {
            slot
            for slot in slots
            if slot in unsteady
            or self.holders[slot] is None
            or self.holders[slot] != then.holders[slot]
        }


class ClusterScan:
    """Goes through the keys of a cluster."""

    def __init__(self, known: ClusterMap, client: Callable[[Address], RedisClient]) -> None:
        self.map, self.client = known, client

    async def names(self, pattern: str) -> AsyncGenerator[str, None]:
        """Those that fit, each once; `Away` if slots are moved again and again."""
        seen: set[str] = set()
        left, before = set(range(SLOTS)), await self._picture()
        for _ in range(MOST_ROUNDS):
            for node in before.nodes(left):
                async with aclosing(self._of_one(node, pattern)) as names:
                    async for name in names:
                        if name not in seen:
                            seen.add(name)
                            yield name
            await self.map.look()  # else a master that was replaced would go on being asked
            after = await self._picture()
            left, before = after.moved(before, left), after
            if not left:
                return
            await asyncio.sleep(REST_SECONDS)
        raise Away(f"{self.map.nodes}: slot {min(left)} is being moved, or nobody has it")

    async def _of_one(self, node: Address, pattern: str) -> AsyncGenerator[str, None]:
        """The names at one node; some of them, if it has no slots any more."""
        try:
            async with aclosing(self.client(node).names(pattern)) as names:
                async for name in names:
                    yield name
        except (Away, Unsure):
            await self.map.look()
            if node in (await self.map.known()).nodes():
                raise

    async def _picture(self) -> Picture:
        """What all masters that are known say now."""
        nodes = [*(await self.map.known()).nodes()]
        said = await asyncio.gather(*(self.client(node).call("CLUSTER", "NODES") for node in nodes))
        return Picture({node: Own.of(str(one)) for node, one in zip(nodes, said, strict=True)})
