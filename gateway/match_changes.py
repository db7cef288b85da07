"""Changes of matches, told to those streams of news that want them.

Design. Gateways tell each other only that a match has changed and whom it concerns. One that has a
listener for it reads the match a little later, once for all its listeners and for all changes until
then. If news may have been missed, whatever could have changed is told again.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, defaultdict
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager

import structlog

from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.statuses import Denied
from gateway.contract import Store
from gateway.current_names import CurrentNames
from gateway.documents import State
from gateway.news_stream import NewsStream
from gateway.refusals import bug

log = structlog.get_logger()

GATHER_SECONDS, REST_SECONDS = 0.1, 1.0
AT_ONCE = 200
"""How many matches are read together."""

LATEST = 100
"""How many matches of each list are told again after news may have been missed."""

MOST_TOLD = 1_000
"""How many matches of the lobby are remembered to be told again then."""


class MatchChanges:
    """Reads what has changed, and tells it."""

    def __init__(self, store: Store, names: CurrentNames, games: Iterable[str]) -> None:
        self.store, self.names, self.games = store, names, tuple(games)
        self._streams: defaultdict[str, set[NewsStream]] = defaultdict(set)
        self._lobby: set[NewsStream] = set()
        self._told: OrderedDict[str, None] = OrderedDict()
        self._changed: defaultdict[str, set[str]] = defaultdict(set)  # by match, whom it concerns
        self._reading: asyncio.Task[None] | None = None

    @contextmanager
    def registered(self, stream: NewsStream) -> Iterator[None]:
        """Tell a stream what concerns its account, while it lasts."""
        mine = self._streams[stream.account.id]
        mine.add(stream)
        try:
            yield
        finally:
            mine.discard(stream)
            if not mine:
                self._streams.pop(stream.account.id, None)
            self._lobby.discard(stream)

    def streams_of(self, account: str) -> Collection[NewsStream]:
        """The streams of news that an account has here."""
        return tuple(self._streams.get(account, ()))

    def every_stream(self) -> Collection[NewsStream]:
        """All streams of news that are open here."""
        return tuple(stream for mine in self._streams.values() for stream in mine)

    def open_lobby(self, stream: NewsStream, wanted: bool) -> None:
        """Tell a stream what concerns anyone, or no longer."""
        if wanted and stream in self._streams.get(stream.account.id, ()):
            self._lobby.add(stream)
        else:
            self._lobby.discard(stream)

    def hear_of(self, match: str, accounts: Iterable[str]) -> None:
        """A match has changed, which concerns these accounts."""
        concerned = {account for account in accounts if account in self._streams}
        if not concerned and not self._lobby:
            return
        self._changed[match] |= concerned
        if self._reading is None:
            self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        try:
            while self._changed:
                await asyncio.sleep(GATHER_SECONDS)
                await self._read_some(list(self._changed)[:AT_ONCE])
        except Exception as error:  # noqa: BLE001 (what changes next must still be told)
            bug("changes", error)
        finally:
            self._reading = None

    async def _read_some(self, ids: list[str]) -> None:
        concerned = {match: self._changed.pop(match) for match in ids}
        try:
            found = [match for match in await self.store.matches(ids, past=False) if match]
        except Denied as denied:
            log.info("changes not read", reason=denied.reason)
            for match, accounts in concerned.items():
                self._changed[match] |= accounts
            await asyncio.sleep(REST_SECONDS)
            return
        for shown in await self.names.matches(found):
            self._tell(shown, concerned[shown.id])

    def _tell(self, shown: pb.Match, accounts: Iterable[str]) -> None:
        said = pb.ListenNewsResponse(match=shown)
        own = (self._streams.get(account, ()) for account in accounts)
        for stream in self._lobby.union(*own):
            stream.put(("match", shown.id), said)
        if self._lobby:
            self._told[shown.id] = None
            self._told.move_to_end(shown.id)
            if len(self._told) > MOST_TOLD:
                self._told.popitem(last=False)

    async def look_again(self) -> None:
        """News may have been missed."""
        try:
            for account in list(self._streams):
                for listed in (self.store.reserved(account), self.store.live(account)):
                    for entry in (await listed)[:LATEST]:
                        self.hear_of(entry.name, [account])
            if self._lobby:
                await self._look_at_lobby()
        except Denied as denied:
            log.info("changes not looked for", reason=denied.reason)

    async def _look_at_lobby(self) -> None:
        for game in self.games:
            for state in (State.OPEN, State.RUNNING):
                for entry in await self.store.listed(game, state, None, LATEST):
                    self.hear_of(entry.name, [])
        for match in list(self._told):
            self.hear_of(match, [])

    async def close(self) -> None:
        """Stop reading."""
        if self._reading:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)
