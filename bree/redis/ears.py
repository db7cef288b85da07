"""Who listens to channels of a cluster: a connection to each node that has some of them.

Design. A channel is in a slot, as a key is. When a slot is moved, whoever listened at its old node
is told so, and when a node is lost, its connection is; either way he listens to whoever has it
then, and is told that he may have missed something, since nobody keeps what nobody heard.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from typing import NamedTuple

from bree.redis.client import RedisClient
from bree.redis.cluster_map import ClusterMap
from bree.redis.connection import Away, Connection, Unsure
from bree.redis.resp import Reply, ReplyError
from bree.redis.sentinels import Address
from bree.redis.slots import slot_of

REST_SECONDS = 0.05


class Ears:
    """Listens to channels, wherever they are."""

    def __init__(
        self,
        known: ClusterMap,
        client: Callable[[Address], RedisClient],
        channels: Sequence[str],
        patience: float,
    ) -> None:
        self.map, self.client, self.patience = known, client, patience
        self.unheard = set(channels)
        self._connections: dict[Address, Connection] = {}
        self._channels: defaultdict[Connection, set[str]] = defaultdict(set)
        self._heard: asyncio.Queue[tuple[Connection, Reply]] = asyncio.Queue()

    async def listen(self) -> AsyncGenerator[str | None, None]:
        """What is published; `None` once all channels are heard, and whenever they are again."""
        try:
            while True:
                await self._hear_all()
                yield None
                while not self.unheard:
                    text = self._take(*await self._heard.get())
                    if text is not None:
                        yield text
        finally:
            for connection in self._channels:
                connection.abort()

    def _take(self, connection: Connection, message: Reply) -> str | None:
        """What was published, if it is that."""
        if message is None:  # the connection is lost
            self.unheard |= self._channels.pop(connection, set())
        elif isinstance(message, list) and message[0] == "smessage":
            return str(message[2])
        elif isinstance(message, list) and message[0] == "sunsubscribe":
            self._channels[connection].discard(str(message[1]))
            self.unheard.add(str(message[1]))
        return None

    async def _hear_all(self) -> None:
        """Listen to what is not heard; `Away` if that cannot be done for too long."""
        loop = asyncio.get_running_loop()
        until = loop.time() + self.patience
        while self.unheard:
            why = await self._hear_more()
            if self.unheard:
                if loop.time() > until:
                    raise Away(f"{self.map.nodes}: {why}")
                await self.map.look()
                await asyncio.sleep(REST_SECONDS)

    async def _hear_more(self) -> str:
        """Listen to what can be heard now; why not to the rest."""
        groups: defaultdict[Address, list[str]] = defaultdict(list)
        for channel in self.unheard:
            groups[await self.map.owner(slot_of(channel))].append(channel)
        said = await asyncio.gather(*(self._hear(at, group) for at, group in groups.items()))
        return next(filter(None, said), "a channel was lost again")

    async def _hear(self, at: Address, channels: Iterable[str]) -> str:
        """Listen to channels of one node; why not, if some of them are elsewhere."""
        try:
            connection = await self._connection(at)
            asked = {channel: connection.send(("SSUBSCRIBE", channel)) for channel in channels}
            replies = await asyncio.gather(*asked.values())
        except (Away, Unsure) as error:
            return str(error)
        refused = [str(reply) for reply in replies if isinstance(reply, ReplyError)]
        heard = {
            channel
            for channel, reply in zip(asked, replies, strict=True)
            if not isinstance(reply, ReplyError)
        }
        if not connection.closed.is_set():
            self.unheard -= heard
            self._channels[connection] |= heard
        return next(iter(refused), "")

    async def _connection(self, at: Address) -> Connection:
        connection = self._connections.get(at)
        if connection is None or connection.closed.is_set():
            connection = await self.client(at).open()
            connection.messages = _Messages(connection, self._heard)
            self._connections[at] = connection
            self._channels[connection] = set()
        return connection


class _Messages(NamedTuple):
    """What was told on one of several connections, in the order of all."""

    connection: Connection
    heard: asyncio.Queue[tuple[Connection, Reply]]

    def put_nowait(self, message: Reply, /) -> None:
        """This was told here."""
        self.heard.put_nowait((self.connection, message))

    def qsize(self) -> int:
        """How much of all was not heard yet."""
        return self.heard.qsize()
