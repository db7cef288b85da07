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
import time
from collections import Counter, defaultdict, deque
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator
from contextlib import aclosing, contextmanager
from dataclasses import dataclass
from typing import NamedTuple

import structlog

from bree.engine.v1 import engine_pb2 as engine
from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.statuses import Denied
from gateway import call_context
from gateway.documents import Account, Match, State
from gateway.endings import Endings, Key
from gateway.feed import Step, Termination
from gateway.limits import Streams
from gateway.matches import Matches
from gateway.presence import Presence
from gateway.quota import FOLLOWING_PRICE, Quota
from gateway.refusals import bug, lags
from gateway.settings import GatewaySettings
from gateway.watch import PASSING, Hub

log = structlog.get_logger()

AT_ONCE = 16
"""How many notices are sent together; their boards are fetched at the same time."""

REST_SECONDS = 0.5


class Notice(NamedTuple):
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
        self.termination = Termination()
        self.followed: dict[Key, Callable[[], None]] = {}
        self.numbers: dict[Key, int] = {}  # the last question told
        self.sent: dict[Key, int] = {}  # the revision it was put at
        self.ends = Endings()
        self.look = asyncio.Event()
        self.new: set[str] = set()
        self.lost: set[str] = set()  # not all of their seats are followed
        self.missed = True  # the first look is at everything
        self.look_at = 0.0  # when the next one is, whatever comes before, by the steady clock
        self._notices: deque[Notice] = deque()
        self._waiting: Counter[Key] = Counter()
        self._news = asyncio.Event()

    def fail(self, denied: Denied) -> None:
        self._notices.clear()
        self.termination.fail(denied)
        self._news.set()

    def hear_of(self, match: str) -> None:
        """A match of this account has started."""
        self.new.add(match)
        self.look.set()

    def look_again(self) -> None:
        """News may have been missed."""
        self.missed = True
        self.look.set()

    def put(self, notice: Notice) -> None:
        """Tell something as soon as it can be sent."""
        if self.termination.has_come:
            return
        self._notices.append(notice)
        self._waiting[notice.key] += 1
        self._news.set()
        if len(self._notices) - len(self._waiting) > self.backlog:
            self.fail(lags(notice.match.id, self.sent.get(notice.key, 0)))

    def put_end(self, match: Match, seat: str, said: pb.WatchMatchResponse) -> None:
        """Tell that a match is over, once."""
        if self.ends.begin((match.id, seat)):
            self.put(Notice(match, seat, said))

    async def take(self) -> list[Notice]:
        """What is to be sent next: at least one."""
        while not self._notices:
            self._news.clear()
            self.termination.check()
            await self._news.wait()
        self.termination.check()
        taken = [self._notices.popleft() for _ in range(min(AT_ONCE, len(self._notices)))]
        for notice in taken:
            self._waiting[notice.key] -= 1
            if not self._waiting[notice.key]:
                del self._waiting[notice.key]
        return taken

    def follow(self, key: Key, hub: Hub, match: Match) -> None:
        """Follow a seat's feed, which may have ended already."""
        self.followed[key] = lambda: None
        stop = hub.listen(match, key[1], self.wanted, SeatSubscriber(self, match, key[1]))
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
class SeatSubscriber:
    """Hears what a feed tells of one seat, for one listener."""

    listener: Listener
    match: Match
    seat: str

    def hear(self, step: Step) -> None:
        key, number = (self.match.id, self.seat), step.said.question.number
        if step.is_last:
            self.listener.put_end(self.match, self.seat, step.said)
        elif not number:  # a bot stands in, and the same question may be put again after it
            self.listener.numbers.pop(key, None)
        elif number > self.listener.numbers.get(key, 0):
            self.listener.numbers[key] = number
            self.listener.put(Notice(self.match, self.seat, step.said))

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
        self,
        settings: GatewaySettings,
        matches: Matches,
        hub: Hub,
        streams: Streams,
        quota: Quota,
        presence: Presence,
    ) -> None:
        self.settings, self.matches, self.hub, self.streams = settings, matches, hub, streams
        self.quota, self.presence = quota, presence
        self._listeners: defaultdict[str, set[Listener]] = defaultdict(set)

    async def listen(
        self, account: Account, request: pb.ListenQuestionsRequest
    ) -> AsyncGenerator[pb.ListenQuestionsResponse, None]:
        listener = Listener(account, self.settings.listen_backlog, request)
        with self.streams.open(account, listener):
            async with aclosing(self.told(listener)) as told:
                async for response in told:
                    yield response

    async def told(self, listener: Listener) -> AsyncGenerator[pb.ListenQuestionsResponse, None]:
        """What a listener is told, for as long as he listens."""
        with self._registered(listener), self.presence.listening(listener.account):
            following = call_context.detached_task(self._follow_all(listener))
            try:
                while True:
                    notices = await listener.take()
                    told = [_told(notice) for notice in notices]
                    if listener.with_views:
                        await listener.termination.unless(self._add_views(notices, told))
                    for notice, response in zip(notices, told, strict=True):
                        self._note(listener, notice)
                        yield response
                        if response.HasField("outcome"):
                            listener.ends.note(notice.key)
            finally:
                following.cancel()
                listener.close()

    def _note(self, listener: Listener, notice: Notice) -> None:
        listener.sent[notice.key] = notice.said.standing.revision
        self.quota.note(notice.match.id, notice.said.standing)
        if notice.said.standing.HasField("outcome"):
            del listener.sent[notice.key]

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
        self, notices: Iterable[Notice], told: Iterable[pb.ListenQuestionsResponse]
    ) -> None:
        pairs = zip(notices, told, strict=True)
        await asyncio.gather(*(self._add_view(e, t) for e, t in pairs if t.question.number))

    async def _add_view(self, notice: Notice, told: pb.ListenQuestionsResponse) -> None:
        """Fetch the board, however long its engine may be away."""
        viewer = engine.Viewer(seat=notice.seat)
        request = engine.GetSeatViewRequest(match=notice.match.id, viewer=viewer)
        while True:
            try:
                answer = await self.matches.engines.ask("GetSeatView", notice.match.game, request)
            except Denied as denied:
                if denied.reason not in PASSING:
                    log.warning("no view", match=notice.match.id, reason=denied.reason)
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
        """Wait for news, or until it is time to look for what was missed: no news put that off."""
        left = listener.look_at - time.monotonic()
        try:
            async with asyncio.timeout(left):
                await listener.look.wait()
            listener.missed |= left <= 0
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
            seconds = self.settings.rescan_seconds * random.uniform(0.75, 1.25)  # noqa: S311
            listener.look_at = time.monotonic() + seconds
        else:
            looked_up = await self.matches.store.matches(list(new), past=False)
            found = [match for match in looked_up if match]
        for match in found:
            await self._follow(listener, match)

    async def _follow(self, listener: Listener, match: Match) -> None:
        if match.state is State.STARTING:
            match = await self.matches.refreshed(match)
        if match.state is not State.RUNNING:
            return
        for seat in match.seats_of(listener.account):
            key = (match.id, seat.name)
            if key not in listener.followed and not listener.termination.has_come:
                self.quota.charge(listener.account, FOLLOWING_PRICE)
                listener.follow(key, self.hub, match)


def _told(notice: Notice) -> pb.ListenQuestionsResponse:
    """What is said of a notice, but for the board."""
    match, said = notice.match, notice.said
    if said.standing.HasField("outcome"):
        question, outcome = None, said.standing.outcome
    else:
        question, outcome = said.question, None
    return pb.ListenQuestionsResponse(
        match=match.id,
        game=match.game,
        seat=notice.seat,
        question=question,
        outcome=outcome,
        head=said.standing.head,
    )
