"""An account that does its worst: floods of calls, of matches and of garbage."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random

import grpc

from bree.gateway.v1 import gateway_pb2 as pb
from tests.chaos.faults import Fault
from tests.chaos.people import Person
from tests.chaos.world import World
from tests.e2e.client import Refused
from tests.e2e.matches import names

AT_ONCE = 30
PAUSE = 0.15
"""Seconds between two heaps of calls: some 200 a second, which is what one account may."""

MOST_MATCHES = 4
"""In one flood; the machine that the chaos runs on has other things to do."""

STREAMS = 30


class Flood(Fault):
    """One account does its worst for a while."""

    kind = "flood"
    least, most = 5.0, 15.0

    @classmethod
    def drawn(cls, world: World, chance: random.Random) -> str:
        return "gateways"

    async def begin(self) -> None:
        self.evil = Evil(self.world, str(self))
        self.task = asyncio.create_task(self.evil.rage())

    async def end(self) -> None:
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)
        await self.evil.stop()


class Evil:
    """The account."""

    def __init__(self, world: World, seed: str) -> None:
        self.world = world
        self.chance = random.Random(seed)
        self.person = Person(world.address(self.chance.randrange(2)), world.heard)
        self.seats: list[tuple[str, str]] = []

    async def rage(self) -> None:
        """Do it all at the same time, until cancelled."""
        with contextlib.suppress(Refused):
            made = await self.person.once(
                self.person.accounts.CreateAccount, pb.CreateAccountRequest()
            )
            self.person.metadata = (("authorization", f"Bearer {made.token}"),)
        async with asyncio.TaskGroup() as group:
            group.create_task(self._calls())
            group.create_task(self._matches())
            group.create_task(self._garbage())
            for _ in range(STREAMS):
                group.create_task(self._stream())

    async def stop(self) -> None:
        """Let the machine rest from what was begun."""
        for match, seat in self.seats:
            request = pb.ResignMatchRequest(match=match, seat=seat, request_id="enough")
            with contextlib.suppress(Refused):
                await self.person.once(self.person.matches.ResignMatch, request)
        await self.person.channel.close()

    async def _calls(self) -> None:
        while True:
            calls = [self._call() for _ in range(AT_ONCE)]
            await asyncio.gather(*calls)
            await asyncio.sleep(PAUSE)

    async def _call(self) -> None:
        matches, match = self.person.matches, self._some_match()
        method, request = self.chance.choice(
            (
                (matches.GetMatch, pb.GetMatchRequest(match=match)),
                (matches.ListMatches, pb.ListMatchesRequest(page_size=100)),
                (matches.ListMatches, pb.ListMatchesRequest(page_token=self._nonsense(40))),
                (matches.GetView, pb.GetViewRequest(match=match, with_charts=True)),
                (matches.GetMatchRecord, pb.GetMatchRecordRequest(match=match)),
                (matches.JoinMatch, pb.JoinMatchRequest(match=match, nonce=os.urandom(64))),
                (matches.Act, self._act(match)),
                (matches.CreateMatch, pb.CreateMatchRequest(game=self._nonsense(30))),
                (self.person.accounts.CreateAccount, pb.CreateAccountRequest(name="admin")),
            )
        )
        await self._try(method, request)

    async def _try(self, method, request) -> object:
        with contextlib.suppress(Refused):
            return await self.person.once(method, request)
        return None

    def _act(self, match: str) -> pb.ActRequest:
        return pb.ActRequest(
            match=match,
            seat=self.chance.choice(("good", "sauron", "red", "shadow", self._nonsense(20))),
            question=self.chance.choice((0, 1, 2, 7, 2**40)),
            action=self._nonsense(self.chance.choice((0, 10, 5000))),
            request_id=self._nonsense(10),
            head=self.chance.choice(("", "0" * 64, self._nonsense(64))),
        )

    def _some_match(self) -> str:
        known = [*self.world.matches[-50:], *(match for match, _ in self.seats)]
        return self.chance.choice([*known, self._nonsense(12)])

    def _nonsense(self, length: int) -> str:
        return "".join(self.chance.choices("abc-.:\0\nż☃🧙 0", k=length))

    async def _matches(self) -> None:
        """Sit in matches with the dearest bots, and answer nothing."""
        for _ in range(MOST_MATCHES):
            game = self.chance.choice(("confrontation", "duel"))
            opened = await self._try(
                self.person.matches.CreateMatch, pb.CreateMatchRequest(game=game)
            )
            if isinstance(opened, pb.CreateMatchResponse):
                await self._fill(opened.match)

    async def _fill(self, match: pb.Match) -> None:
        mine, other = names(match)
        matches = self.person.matches
        self.seats.append((match.id, mine))
        await self._try(matches.JoinMatch, pb.JoinMatchRequest(match=match.id, seat=mine))
        bot = pb.AddBotRequest(match=match.id, seat=other, level="master")
        await self._try(matches.AddBot, bot)
        await self._try(matches.StartMatch, pb.StartMatchRequest(match=match.id))

    async def _stream(self) -> None:
        """Watch from the beginning, again and again, and read no more than once."""
        while True:
            request = pb.WatchMatchRequest(match=self._some_match())
            stream = self.person.matches.WatchMatch(request, metadata=self.person.metadata)
            with contextlib.suppress(grpc.aio.AioRpcError):
                await stream.read()
            await asyncio.sleep(self.chance.uniform(0.5, 3))
            stream.cancel()

    async def _garbage(self) -> None:
        """Say what is no HTTP/2, or the beginning of it and then nonsense."""
        while True:
            port = self.chance.choice(self.world.clients_to)
            with contextlib.suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                preface = self.chance.choice((b"", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"))
                writer.write(preface + os.urandom(self.chance.randrange(5000)))
                await asyncio.sleep(PAUSE)
                writer.close()
            await asyncio.sleep(PAUSE)
