"""Those who play while parts are hurt: they never give up, and note what they are told.

Design. How long anybody waits is judged by whoever looks at all matches, so nothing here has a
patience of its own. Whatever is sent again is sent with the same request id, as the docs ask.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from math import inf

import grpc

from bree.engine.v1.types_pb2 import Outcome, Question
from bree.gateway.v1 import gateway_pb2 as pb
from tests.e2e.client import Client, Refused, Seat

ALIVE = (
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 5000),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.use_local_subchannel_pool", 1),  # everybody has a connection of his own
)
"""Pings as docs/gateway.md allows them: so a wire that died in silence is noticed."""

PASSING = {"", "UNAVAILABLE", "OUTCOME_UNKNOWN", "RATE_LIMITED", "WATCH_LAGS"}
"""The reasons after which docs/gateway.md says to try again; without one it was the network."""

PAUSE_MS = 200


@dataclass
class Heard:
    """What all clients together were answered."""

    codes: Counter[str] = field(default_factory=Counter)  # with the reason, if there is one
    bugs: list[tuple[float, str]] = field(default_factory=list)  # when, by the monotonic clock

    def note(self, method: str, error: grpc.RpcError) -> Refused:
        """Count a refusal; of ours, or of a network that broke."""
        refused = Refused(error)
        code = f"{refused.code.name} {refused.reason}".strip()
        self.codes[code] += 1
        ours = refused.reason == "BUG" or "Unexpected <class" in (error.details() or "")
        if ours:
            self.bugs.append((time.monotonic(), f"{method}: {refused}"))
        return refused


class Person(Client):
    """One account."""

    def __init__(self, address: str, heard: Heard) -> None:
        super().__init__(address, ALIVE)
        self.heard = heard

    async def called(self, name: str) -> None:
        """Have an account of this name."""
        made = await self.call(self.accounts.CreateAccount, pb.CreateAccountRequest(name=name))
        self.name = made.account.name
        self.metadata = (("authorization", f"Bearer {made.token}"),)

    async def once(self, method, request):
        try:
            return await super().once(method, request)
        except Refused as refused:
            self.heard.note(type(request).__name__, refused.__cause__)
            raise

    async def call(self, method, request, patience=inf):
        while True:
            try:
                return await self.once(method, request)
            except Refused as refused:
                await self._wait(refused)

    async def updates(self, match: str, seat: str = "") -> AsyncIterator[pb.WatchMatchResponse]:
        """Everything that a viewer is told of a match; streams are resumed by head."""
        after, head, over = 0, "", False
        while not over:
            request = pb.WatchMatchRequest(match=match, seat=seat, after_revision=after, head=head)
            try:
                async for update in self.matches.WatchMatch(request, metadata=self.metadata):
                    after, head = update.standing.revision, update.standing.head
                    over = update.standing.HasField("outcome")
                    yield update
            except grpc.aio.AioRpcError as error:
                await self._wait(self.heard.note("WatchMatch", error))

    async def questions(self) -> AsyncIterator[pb.ListenQuestionsResponse]:
        """Everything that a bot is told, for ever."""
        while True:
            request = pb.ListenQuestionsRequest()
            try:
                async for message in self.bots.ListenQuestions(request, metadata=self.metadata):
                    yield message
            except grpc.aio.AioRpcError as error:
                await self._wait(self.heard.note("ListenQuestions", error))

    async def _wait(self, refused: Refused) -> None:
        """Pause before something is sent again; raise what sending it again does not help."""
        if refused.reason not in PASSING and "retry_after_ms" not in refused.metadata:
            raise refused
        self.repeats += 1
        await asyncio.sleep(float(refused.metadata.get("retry_after_ms", PAUSE_MS)) / 1000)


class Sitter(Seat):
    """A seat that somebody plays to the end, or resigns after a number of answers."""

    def __init__(self, seat: Seat, enough: int, progress: Callable[[], None]) -> None:
        super().__init__(seat.client, seat.match, seat.seat)
        self.enough = enough
        self.progress = progress
        self.head = ""
        self.resigned = False
        self.too_late = ""  # what was said when the match was over; it may be in the record or not

    async def play(self, most: int | None = None) -> Outcome | None:
        async for update in self.client.updates(self.match, self.seat):
            self.progress()
            if update.standing.HasField("outcome"):
                return update.standing.outcome
            question = update.question if update.HasField("question") else None
            await self._decide(question, update.standing.head)
        raise AssertionError("a stream ended before the match")

    async def _decide(self, question: Question | None, head: str) -> None:
        """Answer what is asked, and what is asked then."""
        while question is not None and question.number > self.answered and not self.resigned:
            if len(self.acknowledged) >= self.enough:
                await self._resign()
                return
            self.head = head
            question, head = await self._say(question)

    async def _say(self, question: Question) -> tuple[Question | None, str]:
        await asyncio.sleep(self.pause * self.chance.uniform(0.5, 1.5))
        action = self.chance.choice(question.choices).action.text
        request = self.request(question.number, action)
        request.head = self.head
        self.answered = question.number
        try:
            answer = await self.client.call(self.client.matches.Act, request)
        except Refused as refused:
            if refused.reason == "MATCH_OVER":
                self.too_late = action
            else:
                self.refused.append(str(refused))
            return None, ""
        self.progress()
        self.acknowledged.append(action)
        asked = answer.question if answer.HasField("question") else None
        return asked, answer.standing.head

    async def _resign(self) -> None:
        request = pb.ResignMatchRequest(match=self.match, seat=self.seat, request_id="enough")
        try:
            await self.client.call(self.client.matches.ResignMatch, request)
        except Refused as refused:
            if refused.reason != "MATCH_OVER":
                raise
        self.resigned = True


class Listener(Sitter):
    """A seat that is played as bots play: by the one stream of all questions of an account."""

    async def play(self, most: int | None = None) -> Outcome | None:
        async for message in self.client.questions():
            if message.match != self.match:
                continue
            self.progress()
            if not message.HasField("question"):
                return None
            await self._decide(message.question, message.head)
        return None
