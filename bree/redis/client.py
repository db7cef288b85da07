"""A client of Redis: one connection that many callers share, and one that listens.

Design. Commands of all callers go out on one connection (`connection.py`), so that Redis
makes durable together what is given in one turn of the loop, and a call costs a fraction of what a
connection for each would. There are no retries here. Nobody waits for ever: a connection on which
one reply is not whole for too long is given up, and all who wait for it are told; the next call
makes a new one, to whoever is the primary then.

Where replicas must have what is acknowledged and do not get it in time, nothing more is sent that
would need them: it is refused, which is certain, until a look finds them back. The same look leaves
a primary that is none any more, which may answer all the same.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import (
    AbstractAsyncContextManager,
    aclosing,
    asynccontextmanager,
    contextmanager,
    suppress,
)
from contextvars import ContextVar
from weakref import WeakSet

import structlog

from bree.process import metrics, scripts
from bree.process.retrieved import retrieve_error
from bree.redis.address import CLUSTER_FORM, Nobody, Place, RedisAddress
from bree.redis.connection import (
    FENCE,
    TOO_FEW,
    Away,
    Command,
    Connection,
    News,
    Quorum,
    Teller,
    Unsure,
    connect,
)
from bree.redis.resp import Argument, Reply, ReplyError
from bree.redis.scanning import scanned

__all__ = ["Away", "Doubtful", "News", "Quorum", "RedisAddress", "RedisClient", "Unsure"]

log = structlog.get_logger()

CLOSED = "the connection has been closed"

NO_PRIMARY = {"READONLY", "MASTERDOWN"}
"""What a server says that was the primary, and is no more."""

LOOK_SECONDS, LOOK_MS = 0.25, 100
"""Between two looks whether there are replicas again, and how long each waits for them."""


Doubtful = Callable[[Reply], bool]
"""Whether what was read may be lost, as far as the caller knows."""

Used = dict[Connection, "RedisClient"]

Confirm = Callable[[Connection, "RedisClient"], Awaitable[None]]
"""Returns when what was read on a connection cannot be lost."""

_used: ContextVar[Used | None] = ContextVar("used", default=None)


@contextmanager
def using() -> Iterator[Used]:
    """The connections on which something is read within, each with its client."""
    used: Used = {}
    before = _used.set(used)
    try:
        yield used
    finally:
        _used.reset(before)


@asynccontextmanager
async def confirmed(confirm: Confirm) -> AsyncIterator[None]:
    """What is read within has been confirmed on each connection once this has ended."""
    with using() as used:
        yield
    for connection, client in [*used.items()]:
        await confirm(connection, client)


class RedisClient:
    """A connection to one Redis for any number of callers, made anew when it is lost."""

    is_cluster = False

    def __init__(
        self,
        place: Place | RedisAddress,
        patience: float,
        quorum: Quorum | None = None,
        troubled: Callable[[], None] = lambda: None,
    ) -> None:
        self.place = place
        self.patience = patience
        self.quorum = quorum or Quorum()
        self.fencing: Command = FENCE
        self._troubled = troubled  # told whenever it is not as it should be
        self._teller = Teller()
        self._connection: Connection | None = None
        self._connecting: asyncio.Task[Connection] | None = None
        self._opened: WeakSet[Connection] = WeakSet()  # with those that listen
        self._looking: asyncio.Task[None] | None = None
        self._closed = False

    @property
    def name(self) -> str:
        """Which store it is, without what it takes to be let in."""
        return str(self.place)

    async def call(
        self, *arguments: Argument, news: News | None = None, before: Command = ()
    ) -> Reply:
        """What Redis replies. `ReplyError` if it refuses, `Away` or `Unsure` if it is not there."""
        connection = await self._ready()
        with scripts.span(arguments):
            connection.precede(before)
            return self._heard(connection, await connection.send(arguments, news))

    async def read(
        self, *arguments: Argument, may_be_lost: Doubtful, before: Command = ()
    ) -> Reply:
        """The same of what only reads, told when enough replicas have what may be lost else."""
        connection = await self._ready()
        with scripts.span(arguments):
            connection.precede(before)
            reply = self._heard(connection, await connection.send(arguments))
            if self.quorum.replicas and may_be_lost(reply):
                await self._fence(connection)
            return reply

    async def call_safely(
        self, *arguments: Argument, news: News | None = None, before: Command = ()
    ) -> Reply:
        """The same; what it did is acknowledged when enough replicas have it, else `Unsure`."""
        if not self.quorum.replicas:
            return await self.call(*arguments, news=news, before=before)
        self._refuse_if_too_few()
        connection = await self._ready()
        with scripts.span(arguments):
            connection.precede(before)
            sent = connection.send_safely(arguments, self.quorum, news, self.fencing)
            return self._heard(connection, await sent)

    async def many(self, commands: Sequence[Command], *, partly: bool = False) -> list[Reply]:
        """The replies to several commands that go out together, refusals among them.

        All of them or none, whether some would be enough or not.
        """
        if not commands:
            return []
        connection = await self._ready()
        sent = [connection.send(command) for command in commands]
        with scripts.span(commands[0], len(commands)):
            replies = await asyncio.gather(*sent)
        self._note_use(connection)
        for reply in replies:
            self._leave_if_no_primary(connection, reply)
        return replies

    def fenced(self) -> AbstractAsyncContextManager[None]:
        """What is read within cannot be lost once this has ended; else `Away` or `Unsure`."""
        return confirmed(lambda connection, client: client.confirm(connection))

    async def confirm(self, connection: Connection) -> None:
        """Return when enough replicas have all that was read on a connection."""
        if not self.quorum.replicas:
            return
        if connection.closed.is_set():  # another one may lead to whoever never had it
            raise Unsure("the connection on which it was read was lost")
        await self._fence(connection)

    async def open(self) -> Connection:
        """A connection of one's own, which is given up when it leads to no primary any more."""
        address = await _address(self.place)
        connection = await connect(address, self.patience)
        self._opened.add(connection)
        return connection

    def untold(self) -> list[News]:
        """What others should have been told, and perhaps were not."""
        return [*self._teller.untold]

    def publication(self, channel: str, text: str) -> News:
        """The command that tells those who listen to a channel."""
        return ("PUBLISH", channel, text)

    async def listen(self, channels: Sequence[str]) -> AsyncGenerator[str | None, None]:
        """What is published on channels until the connection is lost; first `None`: it listens.

        Nothing that is published after that `None` is missed, unless the connection is lost.
        """
        connection = await self.open()
        connection.messages = asyncio.Queue()
        try:
            subscribed = await connection.send(("SUBSCRIBE", *channels))
            if isinstance(subscribed, ReplyError):
                raise subscribed
            yield None
            while (message := await connection.messages.get()) is not None:
                if isinstance(message, list) and message[0] == "message":
                    yield str(message[2])
        except (Unsure, ReplyError) as error:
            raise Away(str(error)) from error
        finally:
            connection.abort()
        raise Away(f"the connection to {connection.address} was lost")

    async def names(self, pattern: str) -> AsyncGenerator[str, None]:
        """The keys that fit a pattern, each once, whatever comes and goes meanwhile."""
        async with aclosing(scanned(await self._ready(), pattern)) as found:
            async for name in found:
                yield name

    async def misnamed(self) -> str:
        """Why this is no server to be asked alone, if so."""
        is_node = "cluster_enabled:1" in await self.figures()
        return f"{self.name} is one node of a cluster: {CLUSTER_FORM}" if is_node else ""

    async def figures(self) -> str:
        """What the server says of itself."""
        return str(await self.call("INFO"))

    async def places(self) -> list[str]:
        """There is one server only, and any hash tag is there."""
        return []

    async def close(self) -> None:
        """End the connection; calls that wait for replies fail."""
        self._closed = True
        tasks = [task for task in (self._connecting, self._looking) if task is not None]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        if self._connection is not None:
            self._connection.abort()
            with suppress(TimeoutError):
                async with asyncio.timeout(self.patience):
                    await self._connection.closed.wait()

    # The connection.

    def _heard(self, connection: Connection, reply: Reply) -> Reply:
        self._note_use(connection)
        self._leave_if_no_primary(connection, reply)
        if isinstance(reply, ReplyError):
            raise reply
        return reply

    def _note_use(self, connection: Connection) -> None:
        """Something was read here; of a connection that was lost before, nothing was."""
        used = _used.get()
        if used is not None:
            used[connection] = self

    def _leave_if_no_primary(self, connection: Connection, reply: Reply) -> None:
        if isinstance(reply, ReplyError) and reply.kind in NO_PRIMARY and _follows(self.place):
            connection.abort()

    async def _fence(self, connection: Connection) -> None:
        """On the same connection: another one may lead to whoever never had it."""
        self._refuse_if_too_few()
        self._heard(connection, await connection.fence(self.quorum, self.fencing))

    def _refuse_if_too_few(self) -> None:
        if self._looking is not None:  # as far as is known
            raise Away(TOO_FEW, TOO_FEW)

    async def _ready(self) -> Connection:
        connection = self._connection
        if connection is None or connection.closed.is_set():
            connection = await self._connected()
        return connection

    async def _connected(self) -> Connection:
        """The connection, made once for all who wait for it."""
        if self._closed:
            raise Away(CLOSED)
        if self._connecting is None or self._connecting.done():
            self._connecting = asyncio.create_task(self._connect())
            # Also if all who waited for it are gone.
            self._connecting.add_done_callback(retrieve_error)
        connecting = self._connecting
        try:
            return await asyncio.shield(connecting)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if connecting.cancelled() and task is not None and not task.cancelling():
                raise Away(CLOSED) from None
            raise

    async def _connect(self) -> Connection:
        connection = await connect(await _address(self.place), self.patience)
        connection.teller = self._teller
        connection.told_enough = self._note_replicas
        self._connection = connection
        self._opened.add(connection)
        if not self.quorum.replicas:
            self._tell_untold()
        return connection

    # The replicas.

    def _note_replicas(self, is_enough: bool) -> None:
        if is_enough:
            self._tell_untold()
        elif self._looking is None and not self._closed:
            metrics.STORE_UNCONFIRMED.inc()
            log.warning("too few replicas", store=self.name, wanted=self.quorum.replicas)
            self._troubled()
            self._looking = asyncio.create_task(self._look())

    def _tell_untold(self) -> None:
        connection, untold = self._connection, self._teller.untold
        while connection is not None and untold and not connection.closed.is_set():
            connection.tell(untold.popleft())

    async def _look(self) -> None:
        """See whether the replicas are back, or others are, until it is so."""
        briefly = Quorum(self.quorum.replicas, min(LOOK_MS, self.quorum.ms))
        while True:
            with suppress(Away, Unsure, ReplyError):
                await self._leave_if_replaced()
                connection = await self._ready()
                self._heard(connection, await connection.fence(briefly, self.fencing))
                break
            await asyncio.sleep(LOOK_SECONDS)
        self._looking = None
        log.warning("enough replicas", store=self.name)

    async def _leave_if_replaced(self) -> None:
        """Give up all connections that lead elsewhere than to the primary."""
        if not _follows(self.place):
            return
        address = await _address(self.place)
        for connection in [*self._opened]:
            if connection.address != address:
                connection.abort()
                await connection.closed.wait()


def _follows(place: Place | RedisAddress) -> bool:
    """Whether there are Sentinels who may name another."""
    return isinstance(place, Place) and place.sentinels is not None


async def _address(place: Place | RedisAddress) -> RedisAddress:
    if isinstance(place, RedisAddress):
        return place
    try:
        return await place.address()
    except Nobody as error:
        raise Away(str(error)) from error
