"""Where matches are kept: what any store promises, and the one that is a Redis.

Design. A store knows nothing of games. To it a match is named texts, its *fields*, a *log* of lines
that only grows, a *version* that rises by one with every change of either, and the *head* of its
history. A change is made if the match still has the version and the history that the caller saw, or
not at all; whoever comes second reads what is new and decides again. Versions can come again after
a store has lost what it had acknowledged; no two histories have the same head. In the same breath a
change says what must happen next, in the list of what is *due*: so no crash can come between the
two.

In Redis a match lives in one of 256 partitions, named by a hash tag. All keys of a partition are in
one slot of a cluster, and one script may touch them together. This module alone knows the keys:

    {bree:<game>:p017}:m:<match>:head    hash: the version, the head and the fields
    {bree:<game>:p017}:m:<match>:log     list: the lines
    {bree:<game>:p017}:due               sorted set: members by the time when they are due
    {bree:<game>:p000}:census            the count of what is due that was told last
    {bree:<game>:p000}:census:turn       there while somebody has the turn to count
    bree:<game>:moves                    channel: "match version" after every change
    {bree:<game>:p017}:moves             the same in a cluster, of a partition

Where replicas must have what is acknowledged, nobody is told what they may lack: a change is
acknowledged and becomes news when they have it, and what was read is told when they have that, too
(`docs/durability.md`). Who has no news of a change, since the engine that made it has died, finds
out by `positions`.
"""

from __future__ import annotations

import random
from binascii import crc_hqx
from collections.abc import AsyncGenerator, Awaitable, Mapping, Sequence
from functools import partial
from importlib.resources import files
from typing import Any, NamedTuple, Protocol, TypeVar

from bree.process import metrics
from bree.process.epoch import FATE_KEYS
from bree.process.epoch import SENTENCES as TROUBLES
from bree.process.store_monitor import StoreMonitor
from bree.redis.client import Away, Doubtful, News, Quorum, Unsure
from bree.redis.clients import client_of
from bree.redis.connection import DONE, Command
from bree.redis.past import Past
from bree.redis.refusals import SENTENCES, word_of
from bree.redis.resp import Argument, Reply, ReplyError
from bree.redis.script import Script, is_unknown
from services.host.census import AT_ONCE, Census, counted_by_one, summed

__all__ = ["Away", "Census", "Change", "Moved", "RedisStore", "Store", "Stored", "Unsure"]

PARTITIONS = 256
LONGEST_LEASE_MS = 600_000


Answer = TypeVar("Answer")

NO_FIELDS: Mapping[str, str] = {}


class Change(NamedTuple):
    """What is added to a match. Lines and members hold no line feeds."""

    lines: Sequence[str] = ()
    fields: Mapping[str, str] = NO_FIELDS
    undue: Sequence[str] = ()  # members that are no longer due
    due: Sequence[tuple[int, str]] = ()  # time in ms and member, `kind|match|…|since`
    head: str = ""  # of the history, with these lines; the head stays where this is empty


class Position(NamedTuple):
    """What tells whether a match has changed: a change is made to the one that was seen."""

    version: int
    head: str  # of its history; empty for matches that began without


NOT_STORED = Position(0, "")


class Stored(NamedTuple):
    """A match as it was at one moment."""

    version: int
    revision: int  # how many lines the log has
    lines: Sequence[str]  # those that the reader lacked
    fields: Mapping[str, str]
    head: str = ""  # of its history; empty for matches that began without

    @property
    def position(self) -> Position:
        """What a change of it must name."""
        return Position(self.version, self.head)


class Moved(NamedTuple):
    """The news that a match has a new version."""

    match: str
    version: int


class Store(Protocol):
    """What the host asks of a store. Every method may raise `Away`; those that write, `Unsure`."""

    async def append(self, match: str, version: int, change: Change, head: str = "") -> bool:
        """Change a match if it has this version and this head; whether it was done.

        A match that does not exist has version 0 and no head. When a change has been made, it is
        durable. Versions may come again after a store has lost something; heads do not.
        """
        ...

    async def forget(self, match: str, version: int, undue: Sequence[str], head: str = "") -> bool:
        """Drop a match, if it has this version and this head, with these members that are due.

        Whether there is no such match from then on; one that is not there is dropped already.
        """
        ...

    async def load(
        self, match: str, version: int = 0, after: int = 0, head: str = "", *, surely: bool = False
    ) -> Stored | None:
        """A match with the lines after the first `after` of them, if there is one.

        If it has the version and the head that the caller names, only that is said: no lines and
        no fields. Surely: that there is none is not said by a server that others have replaced.
        """
        ...

    async def positions(self, matches: Sequence[str]) -> list[Position]:
        """Where these matches stand; there may be news of it that was never told."""
        ...

    async def claim(self, until: int, lease_until: int, limit: int) -> list[str]:
        """Members that were due by `until`, put off until the lease ends."""
        ...

    async def census(self, now: int, may_be_old: int = 0) -> Mapping[str, Census]:
        """What is due now by kind, whether handed out or not; or was, no more than so many ms ago.

        Then it may be what another engine has counted.
        """
        ...

    def listen(self) -> AsyncGenerator[Moved | None, None]:
        """Every change from now on; first `None`, when "now" is. Ends with `Away`."""
        ...

    async def close(self) -> None:
        """Give back what the store holds."""
        ...


class RedisStore:
    """A store in one Redis, for the matches of one game."""

    away: tuple[type[Exception], ...] = (Away, Unsure)

    def __init__(
        self, url: str, game: str, patience: float = 5, quorum: Quorum | None = None
    ) -> None:
        self.game = game
        self.monitor: StoreMonitor | None = None  # of whoever looks after this store
        self._client = client_of(url, patience, quorum)
        self._past = Past(self._client)

    async def append(self, match: str, version: int, change: Change, head: str = "") -> bool:
        lines, fields, undue, due, new_head = change
        stays = {member for _, member in due}
        undue = [member for member in undue if member not in stays]
        if new_head:
            fields = {**fields, "head": new_head}
        arguments: list[Argument] = [version, head]
        arguments += [len(lines), len(fields), len(undue), len(due), *lines]
        for name, value in fields.items():
            arguments += (name, value)
        arguments += undue
        for at, member in due:
            arguments += (at, member)
        news = self._client.publication(
            self._channel(partition_of(match)), f"{match} {version + 1}"
        )
        return await self._change(_APPEND, self._keys_of(match), arguments, news) == DONE

    async def forget(self, match: str, version: int, undue: Sequence[str], head: str = "") -> bool:
        keys = self._keys_of(match)
        return await self._change(_FORGET, keys, (version, head, *undue)) == DONE

    async def load(
        self, match: str, version: int = 0, after: int = 0, head: str = "", *, surely: bool = False
    ) -> Stored | None:
        keys, known = self._keys_of(match)[:2], (version, after, head)
        may_be_lost = _is_news_or_none if surely else _is_news
        found = await self._read(_LOAD, keys, known, may_be_lost)
        if found is None:
            await self._prove()
            return None
        assert isinstance(found, list)
        if len(found) == 1:
            return Stored(version, after, (), {}, head)
        at, revision, lines, kept = found
        assert isinstance(revision, int)
        assert isinstance(kept, list)
        texts = [str(text) for text in kept]
        fields = dict(zip(texts[::2], texts[1::2], strict=True))
        del fields["version"]
        new = str(lines).split("\n") if lines else ()
        return Stored(int(str(at)), revision, new, fields, fields.pop("head", ""))

    async def positions(self, matches: Sequence[str]) -> list[Position]:
        keys = [self._keys_of(match)[0] for match in matches]
        found = await self._many([("HMGET", key, "version", "head") for key in keys])
        rows = [[part or "" for part in row] for row in found if isinstance(row, list)]
        return [Position(int(str(version or 0)), str(head)) for version, head in rows]

    async def claim(self, until: int, lease_until: int, limit: int) -> list[str]:
        asked = [("ZCOUNT", self._due(n), "-inf", until) for n in _NUMBERS]
        counts = await self._many(asked, partly=True)
        busy = [n for n, count in zip(_NUMBERS, counts, strict=True) if count]
        random.shuffle(busy)  # none must always come last
        wanted, left = [], limit
        for n in busy:
            share = min(left, int(str(counts[n])))
            if share:
                wanted.append((n, (until, lease_until, share)))
                left -= share
        claimed = await self._run_many(_CLAIM, wanted, partly=True)
        return [str(member) for members in claimed for member in members]

    async def census(self, now: int, may_be_old: int = 0) -> Mapping[str, Census]:
        if may_be_old:
            return await counted_by_one(self, now, may_be_old)
        return await self.count(now)

    async def turn_to_count(self, now: int, may_be_old: int) -> str:
        """See `census.Counted`, which this and the next two make of a store."""
        good = (now - may_be_old, now + may_be_old, may_be_old)
        return str(await self._read(_CENSUS_TURN, self._counting, good, lambda _: False))

    async def count(self, now: int) -> Mapping[str, Census]:
        asked = [(n, (now, now + LONGEST_LEASE_MS)) for n in _NUMBERS]
        rows: list[list[Reply]] = []
        for first in range(0, PARTITIONS, AT_ONCE):
            rows += await self._run_many(_CENSUS, asked[first : first + AT_ONCE])
        return summed([[str(part) for part in row] for row in rows])

    async def tell_count(self, words: str, may_be_old: int) -> None:
        await self._call("SET", self._counting[0], words, "PX", 2 * may_be_old)

    async def listen(self) -> AsyncGenerator[Moved | None, None]:
        channels = sorted({self._channel(n) for n in _NUMBERS})
        async for message in self._client.listen(channels):
            if message is None:
                yield None
            else:
                match, _, version = message.partition(" ")
                yield Moved(match, int(version))

    async def close(self) -> None:
        await self._client.close()

    def _keys_of(self, match: str) -> tuple[str, str, str]:
        """Head and log of a match, and the due list of its partition."""
        home = self._home(partition_of(match))
        return f"{home}:m:{match}:head", f"{home}:m:{match}:log", f"{home}:due"

    def _due(self, number: int) -> str:
        return f"{self._home(number)}:due"

    def _home(self, number: int) -> str:
        return f"{{bree:{self.game}:p{number:03}}}"

    def _channel(self, number: int) -> str:
        """Where changes in a partition are told."""
        return f"{self._home(number) if self._client.is_cluster else f'bree:{self.game}'}:moves"

    @property
    def name(self) -> str:
        """Which store it is, in a sentence."""
        return self._client.name

    @property
    def _counting(self) -> tuple[str, str]:
        key = f"{self._home(0)}:census"
        return key, f"{key}:turn"

    # Whether it is the store that is known.

    async def look(self, arguments: Sequence[str], place: str = "") -> Sequence[Any]:
        """Ask the store what is left of its past."""
        return await _understood(self._past.look(arguments, place))

    async def places(self) -> Mapping[str, bool]:
        """Where else there is a past to be looked at, and whether one has begun there."""
        return await _understood(self._past.places())

    async def begin(self, place: str) -> None:
        """Note that one has begun there."""
        await _understood(self._past.begin(place))

    async def misnamed(self) -> str:
        """Why the URL must name the store in another way, if so."""
        return await _understood(self._client.misnamed())

    async def figures(self) -> str:
        """What Redis says of itself."""
        return str(await _understood(self._client.figures()))

    async def _prove(self) -> None:
        """Raise `Away` if this is not the store that is known: before a match is believed gone."""
        if self.monitor:
            await self.monitor.look()
            self._check()

    def _check(self) -> None:
        trouble = self.monitor.trouble if self.monitor else ""
        if trouble:
            raise Away(f"the store is not what it was: {trouble}", TROUBLES[trouble], why=trouble)

    # The keys that the chance of its matches follows from.

    async def fate_keys(self) -> set[str]:
        """Fingerprints of those that matches here began with."""
        found = await self._call("SMEMBERS", FATE_KEYS)
        return set(map(str, found)) if isinstance(found, list) else set()

    async def add_fate_key(self, fingerprint: str) -> None:
        """Note one that matches begin with from now on."""
        added = self._client.read("SADD", FATE_KEYS, fingerprint, may_be_lost=lambda _: True)
        await _understood(added)

    # How commands are sent.

    async def _change(
        self,
        script: Script,
        keys: Sequence[str],
        arguments: Sequence[Argument],
        news: News | None = None,
    ) -> Reply:
        """Run a script that changes something, of which others are then told if it is news."""
        self._check()
        send = partial(self._client.call_safely, news=news)
        return await _understood(script.run(send, keys, arguments))

    async def _read(
        self,
        script: Script,
        keys: Sequence[str],
        arguments: Sequence[Argument],
        may_be_lost: Doubtful,
    ) -> Reply:
        """Run a script that finds something out, which replicas have when it is told.

        What is kept of matches is asked for and changed in the store that is known, in no other.
        """
        self._check()
        send = partial(self._client.read, may_be_lost=may_be_lost)
        return await _understood(script.run(send, keys, arguments))

    async def _call(self, *command: Argument) -> Reply:
        return await _understood(self._client.call(*command))

    async def _run_many(
        self,
        script: Script,
        asked: Sequence[tuple[int, tuple[Argument, ...]]],
        *,
        partly: bool = False,
    ) -> list[list[Reply]]:
        """Run a script on the due lists of several partitions at once."""
        given = [((self._due(n),), arguments) for n, arguments in asked]
        replies = await self._many([script.briefly(*one) for one in given], partly=partly)
        if unknown := [n for n, reply in enumerate(replies) if is_unknown(reply)]:
            again = await self._many([script.wholly(*given[n]) for n in unknown], partly=partly)
            for n, reply in zip(unknown, again, strict=True):
                replies[n] = reply
        return [reply for reply in replies if isinstance(reply, list)]

    async def _many(self, commands: Sequence[Command], *, partly: bool = False) -> list[Reply]:
        self._check()
        replies = await self._client.many(commands, partly=partly)
        for reply in replies:
            if isinstance(reply, ReplyError) and not is_unknown(reply):
                raise _why(reply) from reply
        return replies


def partition_of(match: str) -> int:
    """The partition that a match lives in, the same for ever."""
    return crc_hqx(match.encode(), 0) % PARTITIONS


_FOLDER = files("services.host") / "scripts"
_APPEND, _LOAD, _CLAIM, _CENSUS, _FORGET, _CENSUS_TURN = (
    Script.read(_FOLDER, name)
    for name in ("append", "load", "claim", "census", "forget", "census_turn")
)
_NUMBERS = range(PARTITIONS)


def _is_news(found: Reply) -> bool:
    """Whether a reader is told more than that what he knows is all."""
    return isinstance(found, list) and len(found) > 1


def _is_news_or_none(found: Reply) -> bool:
    """The same, or that there is nothing: only whoever has replicas knows that there is none."""
    return found is None or _is_news(found)


async def _understood(reply: Awaitable[Answer]) -> Answer:
    try:
        return await reply
    except ReplyError as error:
        raise _why(error) from error


def _why(error: ReplyError) -> Exception:
    """What a refusal means: `Away` if it passes, and otherwise a bug of ours."""
    word = word_of(str(error))
    if not word:
        return error
    metrics.STORE_REFUSALS.labels(word).inc()
    return Away(f"{SENTENCES[word]} ({error})", SENTENCES[word])
