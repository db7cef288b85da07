"""The bot stream: every question put to any seat of an account, in whatever match.

Design. A listener follows the feed of every seat that its account has in a running match. New
matches are told by whichever gateway starts them; a slow look at the account's list finds what was
not told. A question is told once to each listener, by its number; an end that
nobody was told is told to whoever listens next (`endings.py`). What waits to be sent is bounded
by the seats, and by how many questions may be superseded before they are read: a reader who lets
more than that happen is too slow, and is told the standing ones when he comes back.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter, defaultdict, deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

import structlog

from bree.engine.v1 import engine_pb2 as engine
from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.statuses import Denied
from gateway import caller
from gateway.documents import Account, Match, State
from gateway.endings import Endings, Key
from gateway.feed import Ending, Step
from gateway.limits import Streams
from gateway.matches import Matches
from gateway.purse import FOLLOWED, Purse
from gateway.refusals import bug, lags
from gateway.settings import GatewaySettings
from gateway.watch import PASSING, Hub

log = structlog.get_logger()

AT_ONCE = 16
"""So many boards are fetched together."""

REST_SECONDS = 0.5


class Entry(NamedTuple):
    """What a listener is to be told: a question, or that a match is over."""

    match: Match
    seat: str
    said: pb.WatchMatchResponse

    @property
    def key(self) -> Key:
        """Whose news it is."""
        return self.match.id, self.seat


class Listener:
    """One stream to one account, with what it has yet to be sent."""

    def __init__(self, account: Account, backlog: int, request: pb.ListenQuestionsRequest) -> None:
        self.account, self.backlog, self.with_views = account, backlog, request.with_views
        self.wanted = (
            engine.WANTED_QUESTIONS_UNTOLD if request.without_told else engine.WANTED_QUESTIONS
        )
        self.ending = Ending()
        self.followed: dict[Key, Callable[[], None]] = {}
        self.numbers: dict[Key, int] = {}  # the last question told
        self.sent: dict[Key, int] = {}  # the revision it was put at
        self.ends = Endings()
        self.look = asyncio.Event()
        self.new: set[str] = set()
        self.lost: set[str] = set()  # not all of their seats are followed
        self.missed = True  # the first look is at everything
        self._entries: deque[Entry] = deque()
        self._waiting: Counter[Key] = Counter()
        self._news = asyncio.Event()

    def fail(self, denied: Denied) -> None:
        self._entries.clear()
        self.ending.fail(denied)
        self._news.set()

    def hear_of(self, match: str) -> None:
        """A match of this account has started."""
        self.new.add(match)
        self.look.set()

    def look_again(self) -> None:
        """News may have been missed."""
        self.missed = True
        self.look.set()

    def put(self, entry: Entry) -> None:
        """Tell something as soon as it can be sent."""
        if self.ending.has_come:
            return
        self._entries.append(entry)
        self._waiting[entry.key] += 1
        self._news.set()
        if len(self._entries) - len(self._waiting) > self.backlog:
            self.fail(lags(entry.match.id, self.sent.get(entry.key, 0)))

    def put_end(self, match: Match, seat: str, said: pb.WatchMatchResponse) -> None:
        """Tell that a match is over, once."""
        if self.ends.begin((match.id, seat)):
            self.put(Entry(match, seat, said))

    async def take(self) -> list[Entry]:
        """What is to be sent next: at least one."""
        while not self._entries:
            self._news.clear()
            self.ending.check()
            await self._news.wait()
        self.ending.check()
        taken = [self._entries.popleft() for _ in range(min(AT_ONCE, len(self._entries)))]
        for entry in taken:
            self._waiting[entry.key] -= 1
            if not self._waiting[entry.key]:
                del self._waiting[entry.key]
        return taken

    def follow(self, key: Key, hub: Hub, match: Match) -> None:
        """Follow a seat's feed, which may have ended already."""
        self.followed[key] = lambda: None
        stop = hub.listen(match, key[1], self.wanted, SeatEar(self, match, key[1]))
        if key in self.followed:
            self.followed[key] = stop
        else:
            stop()

    def unfollow(self, key: Key) -> None:
        """Let go of a seat's feed."""
        stop = self.followed.pop(key, None)
        if stop:
            stop()

    def close(self) -> None:
        """Let go of all of them."""
        for key in list(self.followed):
            self.unfollow(key)


@dataclass(eq=False, slots=True)
class SeatEar:
    """Hears what a feed tells of one seat, for one listener."""

    listener: Listener
    match: Match
    seat: str

    def hear(self, step: Step) -> None:
        key, number = (self.match.id, self.seat), step.said.question.number
        if step.is_last:
            self.listener.put_end(self.match, self.seat, step.said)
        elif number > self.listener.numbers.get(key, 0):
            self.listener.numbers[key] = number
            self.listener.put(Entry(self.match, self.seat, step.said))

    def end(self) -> None:
        key = (self.match.id, self.seat)
        self.listener.numbers.pop(key, None)
        self.listener.unfollow(key)

    def fail(self, denied: Denied) -> None:
        log.warning("seat not followed", match=self.match.id, reason=denied.reason)
        key = (self.match.id, self.seat)
        self.listener.lost.add(self.match.id)
        self.listener.unfollow(key)
        if denied.reason == "HISTORY_CHANGED":  # numbers begin again from before
            self.listener.numbers.pop(key, None)
            self.listener.look_again()


class Bots:
    """All listeners of this gateway."""

    def __init__(
        self, settings: GatewaySettings, matches: Matches, hub: Hub, streams: Streams, purse: Purse
    ) -> None:
        self.settings, self.matches, self.hub, self.streams = settings, matches, hub, streams
        self.purse = purse
        self._listeners: defaultdict[str, set[Listener]] = defaultdict(set)

    async def listen(
        self, account: Account, request: pb.ListenQuestionsRequest
    ) -> AsyncIterator[pb.ListenQuestionsResponse]:
        backlog = self.settings.listen_backlog
        listener = Listener(account, backlog, request)
        with self.streams.open(account, listener), self._registered(listener):
            following = caller.detached(self._follow_all(listener))
            try:
                while True:
                    entries = await listener.take()
                    told = [_told(entry) for entry in entries]
                    if listener.with_views:
                        await listener.ending.unless(self._add_views(entries, told))
                    for entry, response in zip(entries, told, strict=True):
                        self._note(listener, entry)
                        yield response
                        if response.HasField("outcome"):
                            listener.ends.note(entry.key)
            finally:
                following.cancel()
                listener.close()

    def _note(self, listener: Listener, entry: Entry) -> None:
        listener.sent[entry.key] = entry.said.standing.revision
        self.purse.note(entry.match.id, entry.said.standing)
        if entry.said.standing.HasField("outcome"):
            del listener.sent[entry.key]

    @contextmanager
    def _registered(self, listener: Listener) -> Iterator[None]:
        mine = self._listeners[listener.account.id]
        mine.add(listener)
        try:
            yield
        finally:
            mine.discard(listener)
            if not mine:
                self._listeners.pop(listener.account.id, None)

    def hear_of(self, match: str, accounts: tuple[str, ...]) -> None:
        """A match has started, in which these accounts sit."""
        for account in accounts:
            for listener in self._listeners.get(account, ()):
                listener.hear_of(match)

    def look_again(self) -> None:
        """News may have been missed."""
        for listeners in self._listeners.values():
            for listener in listeners:
                listener.look_again()

    # What is told.

    async def _add_views(
        self, entries: Iterable[Entry], told: Iterable[pb.ListenQuestionsResponse]
    ) -> None:
        pairs = zip(entries, told, strict=True)
        await asyncio.gather(*(self._add_view(e, t) for e, t in pairs if t.question.number))

    async def _add_view(self, entry: Entry, told: pb.ListenQuestionsResponse) -> None:
        """Fetch the board, however long its engine may be away."""
        viewer = engine.Viewer(seat=entry.seat)
        request = engine.GetSeatViewRequest(match=entry.match.id, viewer=viewer)
        while True:
            try:
                answer = await self.matches.engines.view(entry.match.game, request)
            except Denied as denied:
                if denied.reason not in PASSING:
                    log.warning("no view", match=entry.match.id, reason=denied.reason)
                    return
                await asyncio.sleep(REST_SECONDS)
            else:
                told.view.CopyFrom(answer.view)
                return

    # What is followed.

    async def _follow_all(self, listener: Listener) -> None:
        """Follow every seat of the account, for as long as it listens."""
        try:
            while True:
                try:
                    await self._follow_new(listener)
                except Denied as denied:
                    log.info("matches not looked for", reason=denied.reason)
                    await asyncio.sleep(REST_SECONDS)
                    listener.look_again()
                await self._rest(listener)
        except Exception as error:  # noqa: BLE001 (the listener must hear of it)
            listener.fail(bug("listen", error))

    async def _rest(self, listener: Listener) -> None:
        seconds = self.settings.rescan_seconds * random.uniform(0.75, 1.25)  # noqa: S311
        try:
            async with asyncio.timeout(seconds):
                await listener.look.wait()
        except TimeoutError:
            listener.missed = True
        listener.look.clear()

    async def _follow_new(self, listener: Listener) -> None:
        account, new, missed = listener.account.id, listener.new, listener.missed
        listener.new, listener.missed = set(), False
        if missed:
            known = {match for match, _ in listener.followed} - listener.lost
            listener.lost = set()
            found = list((await self.matches.tidy_live(account, known)).values())
            await listener.ends.look(self.matches.store, listener.account, listener.put_end)
        else:
            found = [match for match in await self.matches.store.matches(list(new)) if match]
        for match in found:
            await self._follow(listener, match)

    async def _follow(self, listener: Listener, match: Match) -> None:
        if match.state is State.STARTING:
            match = await self.matches.refreshed(match)
        if match.state is not State.RUNNING:
            return
        for seat in match.seats_of(listener.account):
            key = (match.id, seat.name)
            if key not in listener.followed and not listener.ending.has_come:
                self.purse.pay(listener.account, FOLLOWED)
                listener.follow(key, self.hub, match)


def _told(entry: Entry) -> pb.ListenQuestionsResponse:
    """What is said of an entry, but for the board."""
    match, said = entry.match, entry.said
    if said.standing.HasField("outcome"):
        question, outcome = None, said.standing.outcome
    else:
        question, outcome = said.question, None
    return pb.ListenQuestionsResponse(
        match=match.id,
        game=match.game,
        seat=entry.seat,
        question=question,
        outcome=outcome,
        head=said.standing.head,
    )
