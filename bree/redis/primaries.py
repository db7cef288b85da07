"""Clients of redis-py that follow the primary, wherever Sentinels say that it is.

Design. A connection asks for the primary each time that it is made, and is left as soon as it turns
out to lead to a replica: whoever uses it next makes it anew. A URL without Sentinels is one server,
and its client is redis-py's own.
"""

from __future__ import annotations

from typing import Any

from typing_extensions import override

from bree.process.unobserved import redis
from bree.redis.address import Nodes
from bree.redis.sentinels import Address, Sentinels, primary, primary_now

PATTERN = r"(rediss?(\+sentinel)?|unix)://\S+"
"""What a setting that names a server looks like."""

STORE = r"(rediss?(\+sentinel|\+cluster)?|unix)://\S+"
"""What a setting that names a store looks like."""

UNKNOWN = Address("127.0.0.1", 6379)
"""Stands for the primary until it has been asked for."""


class _Follower(redis.Connection):
    """A connection to whoever is the primary when it is made."""

    def __init__(self, sentinels: Sentinels, **options: Any) -> None:
        self._sentinels = sentinels
        super().__init__(**options)  # type: ignore[no-untyped-call]  # theirs

    @override
    def _connect(self) -> Any:
        self.host, self.port = primary_now(self._sentinels)
        return super()._connect()  # type: ignore[no-untyped-call]  # theirs

    @override
    def read_response(self, *arguments: Any, **more: Any) -> Any:
        try:
            return super().read_response(*arguments, **more)
        except redis.ReadOnlyError:  # it was the primary, and is no more
            self.disconnect()  # type: ignore[no-untyped-call]
            raise


class _TlsFollower(_Follower, redis.SSLConnection):
    """The same over TLS."""


def client(url: str, **options: Any) -> redis.Redis:
    """A client of the server that a URL names, or of the primary that its Sentinels name."""
    sentinels = Sentinels.of(url)
    if sentinels is None:
        return redis.Redis.from_url(url, **options)
    more = {**options, "sentinels": sentinels}
    pool = redis.ConnectionPool.from_url(sentinels.server(UNKNOWN), **more)
    pool.connection_class = _TlsFollower if sentinels.scheme == "rediss" else _Follower
    return redis.Redis.from_pool(pool)


Store = redis.Redis | redis.RedisCluster


def store(url: str, **options: Any) -> Store:
    """A client of a store, which may be a cluster, for what is done once by hand."""
    nodes = Nodes.of(url)
    if nodes is None:
        return client(url, **options)
    way = nodes.way
    return redis.RedisCluster(
        startup_nodes=[redis.cluster.ClusterNode(*seed) for seed in nodes.seeds],  # type: ignore[no-untyped-call]
        username=way.user or None,
        password=way.password or None,
        ssl=way.tls,
        **options,
    )


class Course:
    """Which primary the connections of a client lead to, and how often that was another one."""

    def __init__(self) -> None:
        self.at: Address | None = None
        self.changes = 0

    def lead_to(self, at: Address) -> None:
        """A connection has been told that this is the primary."""
        if at != self.at:
            self.at = at
            self.changes += 1


class AsyncFollower(redis.asyncio.Connection):
    """The same for a loop; put before redis-py's own class of connections.

    All connections of a client are on one course: once one of them has found another primary, the
    others leave theirs before they send anything more.
    """

    def __init__(self, sentinels: Sentinels, course: Course, **options: Any) -> None:
        self._sentinels, self._course = sentinels, course
        self._at: Address | None = None
        super().__init__(**options)

    @override
    async def _connect(self) -> None:
        self._at = await primary(self._sentinels)
        self._course.lead_to(self._at)
        self.host, self.port = self._at
        await super()._connect()  # type: ignore[no-untyped-call]  # theirs

    @override
    async def send_packed_command(self, *arguments: Any, **more: Any) -> None:
        if self._at is not None and self._at != self._course.at:
            await self.disconnect()
        await super().send_packed_command(*arguments, **more)

    @override
    async def read_response(self, *arguments: Any, **more: Any) -> Any:
        try:
            return await super().read_response(*arguments, **more)
        except redis.ReadOnlyError:
            await self.disconnect()
            raise


def broker(url: str) -> tuple[str, dict[str, Any]]:
    """What Celery is told of a broker: its URL, and options of the way there."""
    sentinels = Sentinels.of(url)
    return sentinels.broker() if sentinels else (url, {})
