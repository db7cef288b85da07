"""What a client of a store can do, be that one server or a cluster, and which one a URL needs.

Design. A command has the keys of one hash tag, so that a cluster knows where it belongs.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from bree.redis.address import Nodes, Place
from bree.redis.client import Doubtful, News, Quorum, RedisClient
from bree.redis.cluster import ClusterClient
from bree.redis.connection import Away, Command, Unsure
from bree.redis.resp import Argument, Reply, ReplyError

FAILURES = (Away, Unsure, ReplyError)
"""What a store says, or does not say, instead of a reply."""


class Client(Protocol):
    """Any number of callers ask one store. Every method may raise `Away`, most of them `Unsure`."""

    quorum: Quorum

    @property
    def name(self) -> str:
        """Which store it is, without what it takes to be let in."""
        ...

    @property
    def is_cluster(self) -> bool:
        """Whether what is published should be spread over channels, as keys are over servers."""
        ...

    async def call(self, *arguments: Argument, news: News | None = None) -> Reply:
        """What is replied; `ReplyError` if it is refused."""
        ...

    async def read(self, *arguments: Argument, may_be_lost: Doubtful) -> Reply:
        """The same of what only reads, told when enough replicas have what may be lost else."""
        ...

    async def call_safely(self, *arguments: Argument, news: News | None = None) -> Reply:
        """The same; what it did is acknowledged when enough replicas have it, else `Unsure`."""
        ...

    async def many(self, commands: Sequence[Command], *, partly: bool = False) -> list[Reply]:
        """The replies to commands that only read, or may be lost, refusals among them.

        Where some are enough, `None` stands for the reply of a server that is away.
        """
        ...

    def fenced(self) -> AbstractAsyncContextManager[None]:
        """What is read within cannot be lost once this has ended; else `Away` or `Unsure`."""
        ...

    def publication(self, channel: str, text: str) -> News:
        """The command that tells those who listen to a channel."""
        ...

    def listen(self, channels: Sequence[str]) -> AsyncGenerator[str | None, None]:
        """What is published; `None` first, and whenever some of it may have been missed."""
        ...

    def names(self, pattern: str) -> AsyncGenerator[str, None]:
        """The keys that fit a pattern, each once: all that are there from first to last."""
        ...

    async def misnamed(self) -> str:
        """Why the URL must name the store in another way, if so."""
        ...

    async def figures(self) -> str:
        """What the server says of itself; of several, the one with the least room."""
        ...

    async def places(self) -> list[str]:
        """A hash tag at each server of a cluster; none where there is one server only."""
        ...

    async def close(self) -> None:
        """End all connections; calls that wait for replies fail."""
        ...


def checked(url: str) -> str:
    """The same URL, if it names a store; else `ValueError`."""
    if Nodes.of(url) is None:
        Place(url)
    return url


def is_cluster(url: str) -> bool:
    """Whether a URL names a cluster; `ValueError` if it does so badly."""
    return Nodes.of(url) is not None


def client_of(url: str, patience: float, quorum: Quorum | None = None) -> Client:
    """A client of the store that a URL names; `ValueError` if that is no sensible URL."""
    nodes = Nodes.of(url)
    if nodes is not None:
        return ClusterClient(nodes, patience, quorum)
    return RedisClient(Place(url), patience, quorum)
