"""What a client knows of who has which slots of a cluster, and how it finds that out.

Design. Every error is a reason to look again, and nobody waits for such a look but whoever knows of
no node at all. Looks follow each other with a rest between them, however many errors there are.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterable
from contextlib import suppress

import structlog

from bree.redis.address import Nodes
from bree.redis.connection import Away, Unsure, connect
from bree.redis.resp import ReplyError
from bree.redis.sentinels import Address
from bree.redis.slots import Layout, Range, ranges_of

log = structlog.get_logger()

MOST_ASKED = 6
"""How many nodes are asked at once."""

ANSWER_SECONDS = 1.0
REST_SECONDS = 0.1


class ClusterMap:
    """Who has each slot."""

    def __init__(self, nodes: Nodes, changed: Callable[[Layout], None]) -> None:
        self.nodes = nodes
        self.layout: Layout | None = None
        self._changed = changed
        self._looking: asyncio.Task[None] | None = None
        self._why = ""  # nothing was found out

    async def owner(self, slot: int) -> Address:
        """Whoever has a slot; `Away` if nobody knows."""
        node = self.layout.node(slot) if self.layout else None
        if node is None:
            await self.look()
            node = self.layout.node(slot) if self.layout else None
        if node is None:
            raise Away(self._why or f"nobody in {self.nodes} has slot {slot}")
        return node

    async def known(self) -> Layout:
        """All that is known; `Away` if that is nothing."""
        if self.layout is None:
            await self.look()
        if self.layout is None:
            raise Away(self._why)
        return self.layout

    async def look(self) -> None:
        """Find out, unless somebody is about to; then with him."""
        self.look_soon()
        assert self._looking is not None
        await asyncio.shield(self._looking)

    def look_soon(self) -> None:
        """Find out, and let nobody wait for it."""
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())

    async def close(self) -> None:
        """Find out nothing more."""
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.wait([self._looking])

    async def _look(self) -> None:
        tasks = [asyncio.create_task(self._asked(node)) for node in self._whom()]
        try:
            await asyncio.wait(tasks, timeout=ANSWER_SECONDS)
        finally:
            for task in tasks:
                task.cancel()
            answers = await asyncio.gather(*tasks, return_exceptions=True)
        found = [answer for answer in answers if isinstance(answer, list)]
        if any(found):
            self._take(one for ranges in found for one in ranges)
        else:
            said = {str(answer) for answer in answers if isinstance(answer, Away)}
            self._why = f"{self.nodes} cannot be asked: {'; '.join(sorted(said)) or 'no answer'}"
        await asyncio.sleep(REST_SECONDS if self.layout else 0)

    def _take(self, ranges: Iterable[Range]) -> None:
        self.layout = Layout(ranges)
        self._changed(self.layout)

    def _whom(self) -> list[Address]:
        """Those who had slots when last seen, and those who were named."""
        known = [*self.layout.nodes()] if self.layout else []
        known = random.sample(known, min(len(known), MOST_ASKED))
        return [*dict.fromkeys((*known, *self.nodes.seeds))][: 2 * MOST_ASKED]

    async def _asked(self, node: Address) -> list[Range]:
        connection = await connect(self.nodes.to(node), ANSWER_SECONDS)
        try:
            asked = [connection.send(("CLUSTER", what)) for what in ("SLOTS", "NODES")]
            slots, nodes = await asyncio.gather(*asked)
        except Unsure as error:
            raise Away(f"{node} has not answered") from error
        finally:
            connection.abort()
        if isinstance(slots, ReplyError):
            raise Away(f"{node}: {slots}")
        with suppress(ValueError):
            return ranges_of(node, slots, nodes)
        raise Away(f"{node} does not speak of a cluster")
