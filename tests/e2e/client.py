"""An account that plays: calls repeated until they are answered, streams resumed where they broke.

What a seat was acknowledged is kept, so that it can be compared with the record in the end.
"""

from __future__ import annotations

import asyncio
import random
import time
import uuid
from collections.abc import AsyncIterator, Sequence
from typing import Self

import grpc
from google.protobuf.json_format import MessageToDict

from bree.engine.v1.types_pb2 import Outcome, Question
from bree.gateway.v1 import gateway_pb2 as pb
from bree.gateway.v1 import gateway_pb2_grpc as rpc
from bree.process.statuses import denied_by

PATIENCE = 60.0
CALL_SECONDS = 10.0
AGAIN = {
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.CANCELLED,
    grpc.StatusCode.RESOURCE_EXHAUSTED,
    grpc.StatusCode.UNKNOWN,  # a connection that broke in the middle of an answer
}

GAME = "confrontation"  # unless a test says otherwise


class Refused(Exception):
    """A call that was refused, with its reason."""

    def __init__(self, error: grpc.RpcError) -> None:
        denied = denied_by(error)
        self.code = error.code()
        self.reason = denied.reason if denied else ""
        self.metadata = denied.metadata if denied else {}
        super().__init__(f"{self.code.name} {self.reason}: {error.details()}")


class Client:
    """One account on the platform."""

    def __init__(self, address: str, more: Sequence[tuple[str, int]] = ()) -> None:
        options = [
            ("grpc.max_reconnect_backoff_ms", 500),
            ("grpc.initial_reconnect_backoff_ms", 100),
            *more,
        ]
        self.channel = grpc.aio.insecure_channel(address, options=options)
        self.accounts = rpc.AccountServiceStub(self.channel)
        self.matches = rpc.MatchServiceStub(self.channel)
        self.ratings = rpc.RatingServiceStub(self.channel)
        self.bots = rpc.BotServiceStub(self.channel)
        self.metadata: tuple[tuple[str, str], ...] = ()
        self.name = ""
        self.repeats = 0
        self.longest = (0.0, "")  # the seconds that a call took with all repetitions, and which

    async def __aenter__(self) -> Self:
        made = await self.call(self.accounts.CreateAccount, pb.CreateAccountRequest())
        self.name = made.account.name
        self.metadata = (("authorization", f"Bearer {made.token}"),)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.channel.close()

    async def once(self, method, request):
        """One try of a call."""
        try:
            return await method(request, metadata=self.metadata, timeout=CALL_SECONDS)
        except grpc.aio.AioRpcError as error:
            raise Refused(error) from error

    async def call(self, method, request, patience=PATIENCE):
        """The answer to a call, however often it must be sent."""
        began = time.monotonic()
        while True:
            try:
                answer = await self.once(method, request)
            except Refused as refused:
                if refused.code not in AGAIN or time.monotonic() > began + patience:
                    raise
                wait = float(refused.metadata.get("retry_after_ms", 100)) / 1000
            else:
                name = type(request).__name__
                self.longest = max(self.longest, (time.monotonic() - began, name))
                return answer
            self.repeats += 1
            await asyncio.sleep(wait)

    async def updates(self, match: str, seat: str = "") -> AsyncIterator[pb.WatchMatchResponse]:
        """Everything that a viewer is told of a match, from its beginning to its outcome."""
        after, over = 0, False
        until = time.monotonic() + PATIENCE
        while not over:
            request = pb.WatchMatchRequest(match=match, seat=seat, after_revision=after)
            try:
                async for update in self.matches.WatchMatch(request, metadata=self.metadata):
                    assert update.standing.revision >= after, "a stream went back"
                    after, over = update.standing.revision, update.standing.HasField("outcome")
                    until = time.monotonic() + PATIENCE
                    yield update
            except grpc.aio.AioRpcError as error:
                if error.code() not in AGAIN or time.monotonic() > until:
                    raise Refused(error) from error
                self.repeats += 1
            await asyncio.sleep(0.1 if not over else 0)

    # Matches.

    async def open(self, game: str = GAME, **more) -> pb.Match:
        """A new match, its seats free."""
        request = pb.CreateMatchRequest(game=game, request_id=uuid.uuid4().hex[:20], **more)
        return (await self.call(self.matches.CreateMatch, request)).match

    async def join(self, match: str, seat: str) -> None:
        await self.call(self.matches.JoinMatch, pb.JoinMatchRequest(match=match, seat=seat))

    async def add_bot(self, match: str, seat: str, level: str = "uniform") -> None:
        request = pb.AddBotRequest(match=match, seat=seat, level=level)
        try:
            await self.call(self.matches.AddBot, request)
        except Refused:
            # Sent twice because an answer was lost: then the bot sits there.
            found = await self.match(match)
            if pb.MatchSeat(seat=seat, bot_level=level) not in found.seats:
                raise

    async def begin(self, match: str) -> None:
        await self.call(self.matches.StartMatch, pb.StartMatchRequest(match=match))

    async def match(self, match: str) -> pb.Match:
        return (await self.call(self.matches.GetMatch, pb.GetMatchRequest(match=match))).match

    async def record(self, match: str) -> str:
        request = pb.GetMatchRecordRequest(match=match)
        return (await self.call(self.matches.GetMatchRecord, request)).text

    async def rated(self, match: str, patience: float = PATIENCE) -> pb.Match:
        """The match once it has been scored."""
        until = time.monotonic() + patience
        while True:
            found = await self.match(match)
            if found.rated:
                return found
            assert time.monotonic() < until, f"{match} was not scored"
            await asyncio.sleep(0.1)

    async def rating(self, account: str, game: str = GAME) -> pb.Rating:
        request = pb.GetRatingRequest(account=account, game=game)
        return (await self.call(self.ratings.GetRating, request)).rating


class Seat:
    """A seat of a match that an account plays at random."""

    def __init__(self, client: Client, match: str, seat: str, seed: object = 0) -> None:
        self.client = client
        self.match = match
        self.seat = seat
        self.chance = random.Random(f"{match} {seat} {seed}")
        self.acknowledged: list[str] = []
        self.answered = 0  # the number of the last question that was answered
        self.refused: list[str] = []
        self.pause = 0.0  # seconds to think before each answer

    async def play(self, most: int | None = None) -> Outcome | None:
        """Answer until the match is over, or `most` answers have been given."""
        async for update in self.client.updates(self.match, self.seat):
            if update.standing.HasField("outcome"):
                return update.standing.outcome
            question = update.question if update.HasField("question") else None
            while question is not None and question.number > self.answered:
                question = await self.answer(question)
                if most is not None and len(self.acknowledged) >= most:
                    return None
        raise AssertionError("a stream ended before the match")

    async def answer(self, question: Question) -> Question | None:
        """Answer one question with any of its choices; the next one put to this seat."""
        if self.pause:
            await asyncio.sleep(self.pause * self.chance.uniform(0.5, 1.5))
        action = self.chance.choice(question.choices).action.text
        request = self.request(question.number, action)
        try:
            answer = await self.client.call(self.client.matches.Act, request)
        except Refused as refused:
            self.refused.append(str(refused))
            self.answered = question.number
            return None
        self.acknowledged.append(action)
        self.answered = question.number
        return answer.question if answer.HasField("question") else None

    def request(self, question: int, action: str, request_id: str = "") -> pb.ActRequest:
        return pb.ActRequest(
            match=self.match,
            seat=self.seat,
            question=question,
            action=action,
            request_id=request_id or uuid.UUID(int=self.chance.getrandbits(128)).hex,
        )


class Watcher:
    """A spectator who keeps all that was told."""

    def __init__(self, client: Client, match: str, seat: str = "") -> None:
        self.client = client
        self.match = match
        self.seat = seat
        self.events: list[dict[str, object]] = []
        self.revisions: list[int] = []

    async def watch(self) -> Outcome:
        async for update in self.client.updates(self.match, self.seat):
            self.keep(update)
        return self.outcome

    def keep(self, update: pb.WatchMatchResponse) -> None:
        """Note what was told."""
        self.events += [MessageToDict(event) for event in update.events]
        self.revisions.append(update.standing.revision)
        if update.standing.HasField("outcome"):
            self.outcome = update.standing.outcome
