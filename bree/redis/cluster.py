"""A client of a Redis Cluster: a client of each node, and who has which slots.

Design. What is promised of one server is promised of each node: this module only finds out who is
to be asked. A node that has not what it is asked for says so and has carried nothing out, so the
one that it names is asked instead. While a slot is moved, its keys are at two nodes, and a command
that needs several of them is refused until they are together; it waits here for as long as a silent
server would be waited for. A command whose node was lost is not sent again: its caller is told, and
who has the slots is looked up anew.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_left
from collections import defaultdict
from collections.abc import (
    AsyncGenerator,
    Awaitable,
    Callable,
    Coroutine,
    Iterable,
    Sequence,
)
from contextlib import AbstractAsyncContextManager, suppress

from bree.redis.address import Nodes
from bree.redis.client import Doubtful, News, Quorum, RedisClient, confirmed
from bree.redis.cluster_map import ClusterMap
from bree.redis.connection import Away, Command, Connection, Unsure
from bree.redis.ears import Ears
from bree.redis.resp import Argument, Reply, ReplyError
from bree.redis.scanning import ClusterScan
from bree.redis.sentinels import Address
from bree.redis.slots import SLOTS, Layout, redirection, slot_of_command, tag_of

ASKING: Command = ("ASKING",)
"""What lets a node answer for a slot that is being moved to it."""

UNSTABLE = "TRYAGAIN"
ELSEWHERE = {"MOVED", "ASK", UNSTABLE}
DOWN = "CLUSTERDOWN"
NOT_HERE = "attempted to access a non local key"

REST_SECONDS = 0.01
QUICK_TRIES = 3
"""After so many a rest is taken, as nodes may not agree yet."""

MOST_FENCES = 5
TERABYTES = float(1 << 60)
"""More than a server has: it makes one without a limit less full than any with one."""

Ask = Callable[[RedisClient, Command], Awaitable[Reply]]


class ClusterClient:
    """Any number of callers ask the nodes of one cluster."""

    is_cluster = True

    def __init__(self, nodes: Nodes, patience: float, quorum: Quorum | None = None) -> None:
        self.nodes, self.patience = nodes, patience
        self.quorum = quorum or Quorum()
        self.map = ClusterMap(nodes, self._take)
        self._clients: dict[Address, RedisClient] = {}
        self._ending: set[asyncio.Task[None]] = set()

    @property
    def name(self) -> str:
        """Which store it is, without what it takes to be let in."""
        return str(self.nodes)

    async def call(self, *arguments: Argument, news: News | None = None) -> Reply:
        """What is replied; `ReplyError` if it is refused."""
        return await self._led(
            arguments, lambda node, before: node.call(*arguments, news=news, before=before)
        )

    async def read(self, *arguments: Argument, may_be_lost: Doubtful) -> Reply:
        """The same of what only reads, told when enough replicas have what may be lost else."""
        return await self._led(
            arguments,
            lambda node, before: node.read(*arguments, may_be_lost=may_be_lost, before=before),
        )

    async def call_safely(self, *arguments: Argument, news: News | None = None) -> Reply:
        """The same; what it did is acknowledged when enough replicas have it, else `Unsure`."""
        return await self._led(
            arguments, lambda node, before: node.call_safely(*arguments, news=news, before=before)
        )

    async def many(self, commands: Sequence[Command], *, partly: bool = False) -> list[Reply]:
        """The replies to commands, refusals among them.

        Where some are enough, `None` stands for the reply of a node that is away.
        """
        groups: defaultdict[Address, list[int]] = defaultdict(list)
        for number, command in enumerate(commands):
            groups[await self.map.owner(slot_of_command(command))].append(number)
        asked = [self._part(at, [commands[n] for n in numbers]) for at, numbers in groups.items()]
        parts = await asyncio.gather(*asked, return_exceptions=True)
        _raise(parts, unless_some=partly)
        replies: list[Reply] = [None] * len(commands)
        for numbers, part in zip(groups.values(), parts, strict=True):
            if isinstance(part, list):
                for number, reply in zip(numbers, part, strict=True):
                    replies[number] = reply
        return replies

    def fenced(self) -> AbstractAsyncContextManager[None]:
        """What is read within cannot be lost once this has ended; else `Away` or `Unsure`."""
        return confirmed(self._confirmed)

    def publication(self, channel: str, text: str) -> News:
        """The command that tells those who listen to a channel, which is in a slot as a key is."""
        return ("SPUBLISH", channel, text)

    def listen(self, channels: Sequence[str]) -> AsyncGenerator[str | None, None]:
        """What is published; `None` first, and whenever some of it may have been missed."""
        return Ears(self.map, self._client, channels, self.patience).listen()

    def names(self, pattern: str) -> AsyncGenerator[str, None]:
        """The keys that fit a pattern, each once, also those that are moved meanwhile."""
        return ClusterScan(self.map, self._client).names(pattern)

    async def misnamed(self) -> str:
        """Nothing: whoever answers is a node of a cluster."""
        return ""

    async def figures(self) -> str:
        """What the node says of itself that has the most of what it may have."""
        nodes = (await self.map.known()).nodes()
        said = await asyncio.gather(*(self._client(node).figures() for node in nodes))
        return max(said, key=_fullness)

    async def places(self) -> list[str]:
        """A hash tag at each node, of a slot that it has."""
        return sorted(map(tag_of, (await self.map.known()).nodes().values()))

    async def close(self) -> None:
        """End all connections; calls that wait for replies fail."""
        await self.map.close()
        clients, self._clients = self._clients, {}
        await asyncio.gather(*(client.close() for client in clients.values()), *self._ending)

    # Who is asked.

    async def _led(self, command: Command, ask: Ask) -> Reply:
        """Ask whoever has the slot, led on by those who have it not."""
        slot, tries = slot_of_command(command), 0
        until = asyncio.get_running_loop().time() + self.patience
        asked: Address | None = None  # this once, and with leave
        while True:
            at = asked or await self.map.owner(slot)
            try:
                return await ask(self._client(at), ASKING if asked else ())
            except ReplyError as error:
                if NOT_HERE in str(error).lower():  # a script, half done
                    raise Unsure(str(error)) from error
                if not self._is_elsewhere(error) or asyncio.get_running_loop().time() > until:
                    raise
                asked = self._lead(error, at, slot)
                tries += QUICK_TRIES if error.kind == UNSTABLE else 1
            except (Away, Unsure) as error:
                self._fence_as_led(error, at)
                self.map.look_soon()
                raise
            if tries >= QUICK_TRIES:
                await asyncio.sleep(REST_SECONDS)

    def _is_elsewhere(self, error: ReplyError) -> bool:
        """Whether somebody else may answer, or the same one later."""
        if error.kind == DOWN:
            self.map.look_soon()
        return error.kind in ELSEWHERE

    def _lead(self, error: ReplyError, at: Address, slot: int) -> Address | None:
        """Whom to ask once, with leave; `None` for whoever has the slot, as is known by then."""
        if error.kind == UNSTABLE:
            return None
        said = redirection(str(error), at)
        if error.kind == "MOVED" and self.map.layout is not None:
            self.map.layout.give(said.slot, said.node)
            self.map.look_soon()
        if said.slot != slot:
            self._fence_elsewhere(at, said.slot)
            return None
        return said.node if error.kind == "ASK" else None

    async def _part(self, at: Address, commands: Sequence[Command]) -> list[Reply]:
        """What one node replies, or whoever it names."""
        try:
            replies = await self._client(at).many(commands)
        except (Away, Unsure):
            self.map.look_soon()
            raise
        for number, reply in enumerate(replies):
            if isinstance(reply, ReplyError) and self._is_elsewhere(reply):
                replies[number] = await self._reply(commands[number])
        return replies

    async def _reply(self, command: Command) -> Reply:
        try:
            return await self.call(*command)
        except ReplyError as error:
            return error

    # The nodes.

    def _client(self, at: Address) -> RedisClient:
        """The client of a node."""
        client = self._clients.get(at)
        if client is None:
            place = self.nodes.to(at)
            client = RedisClient(place, self.patience, self.quorum, self.map.look_soon)
            self._clients[at] = client
            self._fence_elsewhere(at, SLOTS)
        return client

    def _fence_elsewhere(self, at: Address, slot: int) -> None:
        """Let a node be fenced by a key in a slot of its own, the next below this one, or its last.

        One that is being moved is no good: its keys may be elsewhere while its node answers.
        """
        own = self.map.layout.slots(at) if self.map.layout else ()
        if own:
            tag = tag_of(own[bisect_left(own, slot) - 1])  # before the first comes the last
            self._client(at).fencing = ("SET", f"bree:{{{tag}}}:fence", "1")

    def _fence_as_led(self, error: Away | Unsure, at: Address) -> None:
        """Fence a node by another key, if it was for this one that something is not confirmed."""
        refused = error.refused if isinstance(error, Unsure) else None
        if refused is not None and refused.kind in ("ASK", "MOVED"):
            self._fence_elsewhere(at, redirection(str(refused), at).slot)

    async def _confirmed(self, connection: Connection, client: RedisClient) -> None:
        at = next((node for node, one in self._clients.items() if one is client), None)
        for _ in range(MOST_FENCES):
            try:
                return await client.confirm(connection)
            except ReplyError as error:
                if at is None or error.kind not in ("ASK", "MOVED"):
                    raise Unsure(f"{self.nodes}: {error}") from error
                self._fence_elsewhere(at, redirection(str(error), at).slot)
        raise Unsure(f"{self.nodes}: its slots are being moved")

    def _take(self, layout: Layout) -> None:
        """Leave those who have nothing any more, and tell what they should have told."""
        nodes = layout.nodes()
        for at in self._clients.keys() - nodes.keys():
            self._do(self._end(self._clients.pop(at)))
        for at in self._clients:
            self._fence_elsewhere(at, SLOTS)

    async def _end(self, client: RedisClient) -> None:
        await client.close()
        for news in client.untold():
            with suppress(Away, Unsure, ReplyError):
                await self.call(*news)

    def _do(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)


def _raise(parts: Iterable[object], *, unless_some: bool) -> None:
    """Raise what has gone wrong; unless that is with some only, if this is good enough."""
    wrong = [part for part in parts if isinstance(part, BaseException)]
    passing = all(isinstance(part, Away | Unsure) for part in wrong)
    if wrong and not (unless_some and passing and any(isinstance(part, list) for part in parts)):
        raise next((one for one in wrong if not isinstance(one, Away | Unsure)), wrong[0])


def _fullness(said: str) -> float:
    """How much of the memory that it may have is used by a server, or else how much that is."""
    figures = dict(line.partition(":")[::2] for line in said.splitlines())
    limit = float(figures.get("maxmemory", 0))
    return float(figures.get("used_memory", 0)) / (limit or TERABYTES)
