"""One open connection to Redis, on which commands of many callers travel together.

Design. Commands go out in the order in which they are given, those of one turn of the loop at once,
and replies come back in that order. A command may be one that replicas must have, too: then one
`WAIT` goes behind all those that leave together, and each is answered when that has been. Redis
carries out nothing else of a connection that waits; so what is given meanwhile is kept here and
leaves together afterwards, and never more than one wait is on its way.

What matters to a caller is whether a command that failed may have been carried out: so there are
`Away`, certainly not, and `Unsure`, perhaps.
"""

from __future__ import annotations

import asyncio
import ssl
from collections import deque
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol, cast

from bree.redis.address import RedisAddress
from bree.redis.resp import Argument, Replies, Reply, ReplyError, pack

MOST_UNREAD = 10_000
"""The messages that may wait for one that listens; with more its connection is given up."""

TOLD = {"message", "smessage", "sunsubscribe"}

DONE = 1
"""What a script gives that has changed something which others are to be told of."""

Command = Sequence[Argument]

FENCE: Command = ("SET", "{bree:epoch}:fence", "1")
"""A change of no meaning: whoever has it has all that was read before it."""

TOO_FEW = "the store has too few replicas"


class Away(Exception):
    """Redis is out of reach or takes no commands, and the command was not carried out."""

    def __init__(self, said: str, sentence: str = "the store is out of reach", **why: str) -> None:
        super().__init__(said)
        self.sentence, self.why = sentence, why  # for those who play


class Unsure(Exception):
    """The connection was lost, and nobody knows whether the command was carried out."""


class Quorum(NamedTuple):
    """How many replicas must have what is acknowledged, and for how long they are waited for."""

    replicas: int = 0
    ms: int = 1000


News = tuple[Argument, ...]
"""A command that tells others of a change, once the change is safe."""


class Waiting(Protocol):
    """Whoever waits for the next reply."""

    @property
    def since(self) -> float: ...

    def take(self, reply: Reply) -> None:
        """This is the reply."""

    def fail(self, error: Exception) -> None:
        """There will be none."""


class Messages(Protocol):
    """What was told to one that listens, and was not heard yet; `None` when that is all."""

    def put_nowait(self, message: Reply, /) -> None: ...
    def qsize(self) -> int: ...


class Teller:
    """What others are to be told: sent when it is safe, kept while it may not be."""

    MOST_UNTOLD = 1000

    def __init__(self) -> None:
        self.untold: deque[News] = deque(maxlen=self.MOST_UNTOLD)

    def keep(self, news: News | None) -> None:
        """Nobody knows whether that has happened; it does no harm to tell it."""
        if news is not None:
            self.untold.append(news)


class _Caller:
    """Somebody who waits for a reply, and since when."""

    __slots__ = ("connection", "news", "reply", "since")

    def __init__(self, connection: Connection, news: News | None = None) -> None:
        self.connection, self.news = connection, news
        self.reply: asyncio.Future[Reply] = connection.loop.create_future()
        self.since = connection.loop.time()

    def take(self, reply: Reply) -> None:
        if self.news is not None and reply == DONE:
            self.connection.tell(self.news)
        if not self.reply.done():
            self.reply.set_result(reply)

    def fail(self, error: Exception) -> None:
        if isinstance(error, Unsure):
            self.connection.teller.keep(self.news)
        if not self.reply.done():
            self.reply.set_exception(error)


class _Nobody(NamedTuple):
    """Stands where nobody waits for a reply."""

    since: float

    def take(self, reply: Reply) -> None:
        """It does not matter."""

    def fail(self, error: Exception) -> None:
        """It does not matter either."""


class _Batch:
    """Callers whose commands leave together, and who wait for replicas as well."""

    def __init__(self, since: float, ended: Callable[[bool], None]) -> None:
        self.since = since
        self.replicas = self.ms = 0
        self.fenced: list[Waiting] = []
        self._ended = ended
        self._answered: list[tuple[Waiting, Reply]] = []

    def add(self, caller: Waiting, reply: Reply) -> None:
        """This caller has all but the word of the replicas."""
        self._answered.append((caller, reply))

    def take(self, reply: Reply) -> None:
        is_enough = isinstance(reply, int) and reply >= self.replicas
        for caller, said in self._answered:
            if is_enough or isinstance(said, ReplyError):
                caller.take(said)
            else:
                caller.fail(Unsure(f"{TOO_FEW}: {reply} of {self.replicas}"))
        self._ended(is_enough)

    def fail(self, error: Exception) -> None:
        for caller, _ in self._answered:
            caller.fail(error)


class _Held(NamedTuple):
    """A caller whose reply is not told before replicas have what it did."""

    caller: _Caller
    batch: _Batch

    @property
    def since(self) -> float:
        return self.caller.since

    def take(self, reply: Reply) -> None:
        self.batch.add(self.caller, reply)

    def fail(self, error: Exception) -> None:
        self.caller.fail(error)


class _Fence(NamedTuple):
    """Those who wait for one change of no meaning, as for one of their own."""

    since: float
    batch: _Batch

    def take(self, reply: Reply) -> None:
        for caller in self.batch.fenced:
            self.batch.add(caller, reply)

    def fail(self, error: Exception) -> None:
        for caller in self.batch.fenced:
            caller.fail(error)


class Connection(asyncio.Protocol):
    """One open connection, and the callers that wait for its replies in turn."""

    def __init__(self, address: RedisAddress, patience: float) -> None:
        self.address, self.patience = address, patience
        self.loop = asyncio.get_running_loop()
        self.transport: asyncio.Transport | None = None
        self.waiting: deque[Waiting] = deque()
        self.messages: Messages | None = None  # for one that listens
        self.closed = asyncio.Event()
        self.teller = Teller()
        self.told_enough: Callable[[bool], None] = lambda _: None
        self._replies = Replies()
        self._unsent: list[bytes] = []
        self._next: _Batch | None = None  # of what has not left
        self._is_held = False  # while replicas are waited for
        self._last_received = self.loop.time()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self._check_silence()

    def data_received(self, data: bytes) -> None:
        self._last_received = self.loop.time()
        try:
            replies = self._replies.feed(data)
        except ReplyError:
            self.abort()  # this is no Redis, and what comes next is no reply to anything
            return
        for reply in replies:
            if self.messages is not None and _is_told(reply):
                self._take_message(reply)
            elif self.waiting:
                self.waiting.popleft().take(reply)

    def connection_lost(self, exc: Exception | None) -> None:
        self.closed.set()
        why = f"the connection was lost: {exc or 'closed'}"
        for _ in self._unsent:  # the latest ones have not left
            self.waiting.pop().fail(Away(why))
        self._unsent, self._next = [], None
        while self.waiting:
            self.waiting.popleft().fail(Unsure(why))
        if self.messages is not None:
            self.messages.put_nowait(None)

    # What is sent.

    def send(self, arguments: Command, news: News | None = None) -> asyncio.Future[Reply]:
        """Send a command with all others of this turn of the loop; its reply comes.

        If it is `DONE`, others are told the news.
        """
        caller = _Caller(self, news)
        self._put(arguments, caller)
        return caller.reply

    def send_safely(
        self, arguments: Command, quorum: Quorum, news: News | None = None
    ) -> asyncio.Future[Reply]:
        """The same; the reply comes when so many replicas have what the command did."""
        caller = _Caller(self, news)
        self._put(arguments, _Held(caller, self._batch(quorum)))
        return caller.reply

    def fence(self, quorum: Quorum, change: Command = FENCE) -> asyncio.Future[Reply]:
        """Comes when so many replicas have all that was read here before this."""
        batch, caller = self._batch(quorum), _Caller(self)
        if not batch.fenced:
            self._put(change, _Fence(caller.since, batch))
        batch.fenced.append(caller)
        return caller.reply

    def precede(self, command: Command) -> None:
        """Send this right before what is sent next, if it is anything."""
        if command:
            self._put(command, _Nobody(self.loop.time()))

    def tell(self, news: News) -> None:
        """Send what nobody waits for the reply to; it is kept for later if that cannot be."""
        if self.closed.is_set():
            self.teller.keep(news)
        else:
            self._put(news, _Nobody(self.loop.time()))

    def abort(self) -> None:
        """Give the connection up at once."""
        if self.transport is not None:
            self.transport.abort()

    def _put(self, arguments: Command, waiting: Waiting) -> None:
        if self.closed.is_set():
            raise Away("the connection was lost before this was sent")
        if not self._unsent:
            self.loop.call_soon(self._flush)
        self._unsent.append(pack(arguments))
        self.waiting.append(waiting)

    def _batch(self, quorum: Quorum) -> _Batch:
        """Those who leave next and wait for replicas."""
        if self.closed.is_set():
            raise Away("the connection was lost before this was sent")
        if self._next is None:
            self._next = _Batch(self.loop.time(), self._end_batch)
        self._next.replicas, self._next.ms = quorum
        return self._next

    def _flush(self) -> None:
        assert self.transport is not None
        if self._is_held or not self._unsent:
            return
        batch, self._next = self._next, None
        if batch is not None:
            self._unsent.append(pack(("WAIT", batch.replicas, batch.ms)))
            self.waiting.append(batch)
            self._is_held = True
        data, self._unsent = b"".join(self._unsent), []
        self.transport.write(data)

    def _end_batch(self, is_enough: bool) -> None:
        self._is_held = False
        self.told_enough(is_enough)
        self.loop.call_soon(self._flush)  # with what those who were answered now send

    # What comes.

    def _take_message(self, reply: Reply) -> None:
        assert self.messages is not None
        if self.messages.qsize() >= MOST_UNREAD:
            self.abort()  # whoever listens will do so anew, and look what it has missed
        else:
            self.messages.put_nowait(reply)

    def _check_silence(self) -> None:
        """Give up when a reply does not come; where none is expected, ask for a sign of life."""
        if self.closed.is_set():
            return
        now = self.loop.time()
        silent = now - self._last_received
        since = self.waiting[0].since if self.waiting else now
        if now - since > self.patience or (self.messages is not None and silent > self.patience):
            self.abort()
        elif self.messages is not None and silent > self.patience / 3:
            self._put(("PING",), _Nobody(now))
        self.loop.call_later(self.patience / 4, self._check_silence)


def _is_told(reply: Reply) -> bool:
    """Whether this is no reply, but what somebody has published, or that a channel went away."""
    return isinstance(reply, list) and bool(reply) and reply[0] in TOLD


async def connect(address: RedisAddress, patience: float) -> Connection:
    """A connection on which everything necessary has been said; `Away` if there is none."""
    made: list[Connection] = []
    try:
        async with asyncio.timeout(patience):
            made.append(await _opened(address, patience))
            await _greet(made[0], address)
    except BaseException as error:
        for connection in made:
            connection.abort()
        if isinstance(error, OSError | TimeoutError | Unsure):
            raise Away(f"no connection to {address}: {str(error) or 'no answer'}") from error
        raise
    return made[0]


async def _opened(address: RedisAddress, patience: float) -> Connection:
    loop = asyncio.get_running_loop()
    if address.path:
        _, connection = await loop.create_unix_connection(
            lambda: Connection(address, patience), address.path
        )
    else:
        context = ssl.create_default_context() if address.tls else None
        _, connection = await loop.create_connection(
            lambda: Connection(address, patience), address.host, address.port, ssl=context
        )
    return connection


async def _greet(connection: Connection, address: RedisAddress) -> None:
    for command in address.greeting():
        reply = await connection.send(command)
        if isinstance(reply, ReplyError):
            raise Away(f"{address} does not let us in: {reply}")
