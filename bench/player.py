"""A client that plays many matches at once, both seats of each, and times its answers.

Design. It is told every question by the stream that bots use, or looks for it, and answers with an
action of the list, at random; what it knows from an answer it does not wait to be told. Only
answers are timed and counted, and all of them were acknowledged. Matches are begun before, in
`prepare`: what it takes to open a match is not part of a move.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc

from bree.engine.v1 import types_pb2
from bree.gateway.v1 import gateway_pb2 as pb
from bree.gateway.v1 import gateway_pb2_grpc
from services.manifests import usual_game

TOGETHER = 16
"""The number of matches that are begun or finished at the same time."""

Question = types_pb2.Question
Asked = tuple[str, Question]  # a seat, and what it is asked


class PlayedMatch:
    """What the seats of a match have been asked, and what they have answered."""

    def __init__(self, match: str) -> None:
        self.match = match
        self.asked: asyncio.Queue[Asked | None] = asyncio.Queue()
        self.answered: dict[str, int] = {}
        self.waiting: tuple[str, ...] = ()  # as the last answer said

    def hear(self, told: pb.ListenQuestionsResponse) -> None:
        """Take what the stream tells."""
        self.asked.put_nowait((told.seat, told.question) if told.question.number else None)

    async def next(self) -> Asked | None:
        """A question that has not been answered; nothing once the match is over."""
        while (asked := await self.asked.get()) is not None:
            if asked[1].number > self.answered.get(asked[0], 0):
                return asked
        return None


class Player:
    """One account that sits in both seats of every match."""

    def __init__(self, channel: Any, metadata: list[tuple[str, str]], game: str) -> None:
        self.game = game
        self.stub = gateway_pb2_grpc.MatchServiceStub(channel)
        self.bots = gateway_pb2_grpc.BotServiceStub(channel)
        self.metadata = metadata
        self.chances = random.Random(1)
        self.matches: dict[str, PlayedMatch] = {}
        self.ready: list[PlayedMatch] = []  # begun, and nobody plays there now
        self.last = pb.ActRequest()
        self.asked = self.answered = 0  # bytes of all requests and answers

    async def listen(self) -> None:
        """Hear every question, for ever."""
        request = pb.ListenQuestionsRequest(without_told=True)
        async for told in self.bots.ListenQuestions(request, metadata=self.metadata):
            self._match(told.match).hear(told)

    def _match(self, match: str) -> PlayedMatch:
        return self.matches.setdefault(match, PlayedMatch(match))

    async def call(self, method: str, request: Any) -> Any:
        return await getattr(self.stub, method)(request, metadata=self.metadata)

    # Before and after.

    async def prepare(self, matches: int) -> None:
        """Begin matches until this number of them is ready."""
        missing = iter(range(matches - len(self.ready)))

        async def begin() -> None:
            for _ in missing:
                self.ready.append(await self._new())

        await asyncio.gather(*(begin() for _ in range(TOGETHER)))

    async def _new(self) -> PlayedMatch:
        opened = await self.call("CreateMatch", pb.CreateMatchRequest(game=self.game))
        match = opened.match
        for seat in match.seats:
            await self.call("JoinMatch", pb.JoinMatchRequest(match=match.id, seat=seat.seat))
        await self.call("StartMatch", pb.StartMatchRequest(match=match.id))
        played = self._match(match.id)
        played.waiting = tuple(seat.seat for seat in match.seats)
        return played

    async def finish(self, matches: int) -> list[int]:
        """Play this number of matches to their end; the lengths of their records."""
        lengths: list[int] = []
        left = iter(range(matches))

        async def play() -> None:
            for _ in left:
                played = self.ready.pop()
                while played.waiting:
                    await self.move(played, [])
                request = pb.GetMatchRecordRequest(match=played.match)
                lengths.append(len((await self.call("GetMatchRecord", request)).text))

        await asyncio.gather(*(play() for _ in range(TOGETHER)))
        return lengths

    # As it is told.

    async def play(self, at_once: int, seconds: float) -> list[float]:
        """Play in `at_once` matches for a time; how long each answer took."""
        times: list[float] = []
        until = time.monotonic() + seconds

        async def sit() -> None:
            while time.monotonic() < until:
                played = self.ready.pop() if self.ready else await self._new()
                if await self._play(played, until, times):
                    del self.matches[played.match]
                else:
                    self.ready.append(played)

        await asyncio.gather(*(sit() for _ in range(at_once)))
        return times

    async def _play(self, played: PlayedMatch, until: float, times: list[float]) -> bool:
        """Answer until the match or the time is over; whether the match is."""
        while asked := await played.next():
            while asked:
                if time.monotonic() >= until:
                    played.asked.put_nowait(asked)
                    return False
                answer = await self._answer(played, *asked, times)
                asked = (asked[0], answer.question) if answer.question.number else None
        return True

    async def _answer(
        self, played: PlayedMatch, seat: str, question: Question, times: list[float]
    ) -> pb.ActResponse:
        """Answer one question."""
        request = pb.ActRequest(
            match=played.match,
            seat=seat,
            question=question.number,
            action=self.chances.choice(question.choices).action.text,
            request_id=f"{seat}-{question.number}",
        )
        self.last = request
        began = time.perf_counter()
        answer: pb.ActResponse = await self.call("Act", request)
        times.append(time.perf_counter() - began)
        self.asked += request.ByteSize()
        self.answered += answer.ByteSize()
        played.answered[seat] = question.number
        played.waiting = tuple(answer.standing.waiting)
        return answer

    # As it looks for it.

    async def play_among(self, at_once: int, seconds: float) -> list[float]:
        """Make `at_once` moves at a time in matches picked at random; how long each took."""
        times: list[float] = []
        until = time.monotonic() + seconds

        async def move() -> None:
            while time.monotonic() < until:
                played = self.ready.pop(self.chances.randrange(len(self.ready)))
                await self.move(played, times)
                self.ready.append(played if played.waiting else await self._new())

        await asyncio.gather(*(move() for _ in range(at_once)))
        return times

    async def move(self, played: PlayedMatch, times: list[float]) -> None:
        """Look at the board of whoever is waited for, and move."""
        seat = played.waiting[0]
        request = pb.GetViewRequest(match=played.match, seat=seat)
        seen: pb.GetViewResponse = await self.call("GetView", request)
        if seen.question.number:
            await self._answer(played, seat, seen.question, times)
        else:
            played.waiting = tuple(seen.standing.waiting)


@asynccontextmanager
async def player(
    gateway: str, *, game: str | None = None, listens: bool = True
) -> AsyncIterator[Player]:
    """A new account's player."""
    async with grpc.aio.insecure_channel(gateway) as channel:
        stub = gateway_pb2_grpc.AccountServiceStub(channel)
        made = await stub.CreateAccount(pb.CreateAccountRequest())
        one = Player(channel, [("authorization", f"Bearer {made.token}")], game or usual_game())
        listening = asyncio.create_task(one.listen()) if listens else None
        try:
            yield one
        finally:
            if listening:
                listening.cancel()
                with contextlib.suppress(asyncio.CancelledError, grpc.aio.AioRpcError):
                    await listening
