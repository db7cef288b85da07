"""News for pages: one stream that carries all that an account has to be told.

Design. It is put together of what there is: the questions of `bots.py`, for each match that is
followed the steps of `play.py`, and changes of matches. A match that cannot be followed is told of
and ends nothing else; where an engine or the store is away, it is followed on when that is back,
from the last step that was sent. A page that comes back opens a stream of the same name, which ends
the older one at once, wherever it is: nobody waits until a dead connection is noticed.
"""

from __future__ import annotations

import asyncio
import base64
import time
from collections.abc import AsyncGenerator, Iterable
from contextlib import aclosing
from dataclasses import dataclass

import structlog
from google.protobuf.message import DecodeError

from bree import __version__
from bree.engine.v1 import engine_pb2 as engine
from bree.engine.v1.errors_pb2 import ErrorReason
from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.statuses import PREFIX, Denied
from gateway import call_context, fields, names, wire
from gateway.bots import Bots, Listener
from gateway.contract import Store
from gateway.documents import Account, News
from gateway.limits import Streams
from gateway.match_changes import MatchChanges
from gateway.news_stream import MOST_FOLLOWED, FollowWatcher, Key, NewsStream, Notice
from gateway.play import Play, Steps
from gateway.refusals import bug, invalid, limit_reached, replaced
from gateway.seat_access import authorized
from gateway.settings import GatewaySettings
from gateway.watch import Rest

log = structlog.get_logger()

FOLLOW_PRICE = 3
"""What following a match costs, in plain calls: as much as a stream of its steps."""

PASSING = {"UNAVAILABLE", "OUTCOME_UNKNOWN", "RATE_LIMITED"}
"""With these a match is followed on later."""


@dataclass(slots=True)
class Follow:
    """A match that is followed, and how much of it has been sent."""

    match: str
    seat: str
    revision: int
    head: str
    standing: engine.Standing | None = None

    @classmethod
    def of(cls, wanted: pb.FollowedMatch) -> Follow:
        """What is asked for."""
        return cls(wanted.match, wanted.seat, wanted.after_revision, wanted.head)

    @property
    def key(self) -> Key:
        """What is followed, through whose eyes."""
        return self.match, self.seat

    def has(self, said: pb.WatchMatchResponse) -> bool:
        """Whether a step says nothing new."""
        return not said.events and said.standing == self.standing

    def note(self, said: pb.WatchMatchResponse) -> None:
        """A step has been sent."""
        self.standing = said.standing
        self.revision, self.head = said.standing.revision, said.standing.head

    def step(self, said: pb.WatchMatchResponse) -> pb.ListenNewsResponse:
        """A step, as a piece of news."""
        step = pb.MatchStep(match=self.match, seat=self.seat, step=said)
        return pb.ListenNewsResponse(step=step)


class NewsStreams:
    """All streams of news of this gateway."""

    def __init__(
        self,
        settings: GatewaySettings,
        store: Store,
        play: Play,
        bots: Bots,
        streams: Streams,
        changes: MatchChanges,
    ) -> None:
        self.settings, self.store, self.play = settings, store, play
        self.bots, self.streams, self.changes = bots, streams, changes
        self.quota = play.quota
        self._open: dict[tuple[str, str], NewsStream] = {}

    async def listen(
        self, account: Account, request: pb.ListenNewsRequest
    ) -> AsyncGenerator[pb.ListenNewsResponse, None]:
        name = fields.request_id(request.stream, "stream")
        _check("matches", request.matches)
        stream = NewsStream(account, name, f"{time.time_ns():020}{names.random_word(4)}")
        older = self._open.get(stream.key)
        if older:
            self._give_up(older)
        with self.streams.open(account, stream), self.changes.registered(stream):
            self._open[stream.key] = stream
            try:
                await self._tell_others(stream)  # not before it can be told of a newer one itself
                start = pb.NewsStart(account=wire.account(account), release=__version__)
                yield pb.ListenNewsResponse(start=start)
                self._begin(stream, request)
                async with aclosing(stream.told()) as told:
                    async for said in told:
                        yield said
            finally:
                if self._open.get(stream.key) is stream:
                    del self._open[stream.key]
                stream.close()

    def _begin(self, stream: NewsStream, request: pb.ListenNewsRequest) -> None:
        stream.keep(call_context.detached_task(self._tell_questions(stream)))
        self.changes.open_lobby(stream, request.with_lobby)
        for wanted in request.matches:
            self._follow(stream, Follow.of(wanted))

    # One stream of each name.

    def _give_up(self, stream: NewsStream) -> None:
        del self._open[stream.key]
        self.streams.give_up(stream.account, stream)
        stream.fail(replaced())

    async def _tell_others(self, stream: NewsStream) -> None:
        said = f"{stream.opened}/{stream.name}"
        try:
            await self.store.tell(News("stream", accounts=(stream.account.id,), more=said))
        except Denied as denied:  # an older stream ends by itself, if later
            log.info("stream not told of", reason=denied.reason)

    def hear_of_stream(self, account: str, said: str) -> None:
        """A stream has been opened at some gateway."""
        opened, _, name = said.partition("/")
        mine = self._open.get((account, name))
        if mine and mine.opened < opened:
            self._give_up(mine)

    # What is told.

    async def _tell_questions(self, stream: NewsStream) -> None:
        request = pb.ListenQuestionsRequest()
        listener = Listener(stream.account, self.settings.listen_backlog, request)
        try:
            async with aclosing(self.bots.told(listener)) as told:
                async for question in told:
                    await stream.send(pb.ListenNewsResponse(question=question))
        except Denied as denied:
            stream.fail(denied)
        except Exception as error:  # noqa: BLE001 (the reader must hear of it)
            stream.fail(bug("news", error))

    async def _tell_match(self, stream: NewsStream, follow: Follow) -> None:
        """Tell the steps of a match to the last, or why it is followed no longer."""
        rest = Rest()
        self.quota.charge(stream.account, FOLLOW_PRICE)
        try:
            while not await self._tell_steps(stream, follow, rest):
                await rest.sleep()
        except Exception as error:  # noqa: BLE001 (likewise)
            stream.fail(bug("news", error))
        finally:
            self._forget(stream, follow.key)

    async def _tell_steps(self, stream: NewsStream, follow: Follow, rest: Rest) -> bool:
        """Tell steps until there are no more; False if there will be, later."""
        try:
            await self.quota.paid_off(stream.account)
            async with aclosing(self._steps(stream, follow)) as steps:
                async for said in steps:
                    if not follow.has(said):
                        await stream.send(follow.step(said))
                    follow.note(said)
                    rest.reset()
        except Denied as denied:
            if denied.reason in PASSING:
                log.info("match not followed", match=follow.match, reason=denied.reason)
                return False
            stream.put(_unfollowing(follow.key), _unfollowed(follow.key, denied))
        return True

    async def _steps(self, stream: NewsStream, follow: Follow) -> Steps:
        account = stream.account
        match = await authorized(self.play.matches, account, *follow.key)
        backlog = self.settings.watch_backlog
        watcher = FollowWatcher(stream, match.id, follow.revision, follow.head, backlog)
        stream.watchers[follow.key] = watcher
        async with aclosing(self.play.steps(account, match, follow.seat, watcher)) as steps:
            async for said in steps:
                yield said

    def _forget(self, stream: NewsStream, key: Key) -> None:
        """A match is followed no longer, unless it is followed anew."""
        if stream.followed.get(key) is asyncio.current_task():
            del stream.followed[key]
            stream.watchers.pop(key, None)

    # What is followed.

    async def change(
        self, account: Account, request: pb.ChangeNewsRequest
    ) -> pb.ChangeNewsResponse:
        name = fields.request_id(request.stream, "stream")
        _check("follow", request.follow)
        _check("unfollow", request.unfollow)
        stream = self._open.get((account.id, name))
        if stream:
            self._change(stream, request)
        else:
            said = base64.urlsafe_b64encode(request.SerializeToString()).decode()
            await self.store.tell(News("follow", accounts=(account.id,), more=said))
        return pb.ChangeNewsResponse()

    def hear_of_change(self, account: str, said: str) -> None:
        """Somebody changes a stream, which may be open here."""
        try:
            request = pb.ChangeNewsRequest.FromString(base64.urlsafe_b64decode(said))
        except (ValueError, DecodeError):  # of a gateway of another release, perhaps
            log.warning("news not understood", said=said[:100])
            return
        stream = self._open.get((account, request.stream))
        if stream:
            self._change(stream, request)

    def _change(self, stream: NewsStream, request: pb.ChangeNewsRequest) -> None:
        for wanted in request.unfollow:
            self._unfollow(stream, (wanted.match, wanted.seat))
        for wanted in request.follow:
            self._follow(stream, Follow.of(wanted))
        if request.HasField("with_lobby"):
            self.changes.open_lobby(stream, request.with_lobby)

    def _unfollow(self, stream: NewsStream, key: Key) -> None:
        stream.watchers.pop(key, None)
        stream.drop(_unfollowing(key))
        task = stream.followed.pop(key, None)
        if task:
            task.cancel()

    def _follow(self, stream: NewsStream, follow: Follow) -> None:
        self._unfollow(stream, follow.key)
        if len(stream.followed) >= MOST_FOLLOWED:
            denied = limit_reached(MOST_FOLLOWED, "matches followed by one stream")
            stream.put(_unfollowing(follow.key), _unfollowed(follow.key, denied))
            return
        task = call_context.detached_task(self._tell_match(stream, follow))
        stream.followed[follow.key] = task
        stream.keep(task)


def _check(field: str, matches: Iterable[pb.FollowedMatch]) -> None:
    """Matches that could be followed, whatever the state of anything."""
    for number, wanted in enumerate(matches):
        if number == MOST_FOLLOWED:
            raise invalid(field, f"there are at most {MOST_FOLLOWED} {field}")
        try:
            fields.match_id(wanted.match)
            fields.optional_word("seat", wanted.seat)
            fields.revision("after_revision", wanted.after_revision)
            fields.head(wanted.head)
        except Denied as denied:
            path = f"{field}[{number}].{denied.metadata['field']}"
            raise invalid(path, denied.message) from None


def _unfollowing(key: Key) -> Notice:
    return "unfollowed", *key


def _unfollowed(key: Key, denied: Denied) -> pb.ListenNewsResponse:
    match, seat = key
    unfollowed = pb.MatchUnfollowed(
        match=match,
        seat=seat,
        reason=ErrorReason.Value(PREFIX + denied.reason),
        message=denied.message,
        metadata=denied.metadata,
    )
    return pb.ListenNewsResponse(unfollowed=unfollowed)
