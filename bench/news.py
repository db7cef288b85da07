"""Browsers: what their streams of news cost a gateway, silent and with a step now and then.

Each of them is an account with a session and a connection of its own, over HTTP/1.1, and follows
one of a few matches as a spectator, as the page does that shows one. Only the gateway's process
counts. What a step costs is what the gateway spends while browsers look on, less what the same
moves cost it when nobody does.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager

from bench.http_stream import Door, door
from bench.measure import Measure
from bench.player import Player, player
from bench.town import Town, platform
from bree.gateway.v1 import gateway_pb2 as pb

BROWSERS, MATCHES, TOGETHER = 500, 10, 25
BEAT_MS = 10_000
SILENT_SECONDS = 20.0
MOVES = 120
PATIENCE = 60

MANY = {
    "BREE_NEW_ACCOUNTS_BURST": "10000",
    "BREE_LOOKS_BURST": "10000",
    "BREE_MOST_CONNECTIONS": "10000",
}
"""All browsers come from one address here."""


class Browser:
    """One page, which follows one match."""

    def __init__(self, door: Door, match: str) -> None:
        self.door, self.match = door, match
        self.steps = 0
        self.followed = asyncio.Event()

    async def listen(self) -> None:
        """Begin a session, and hear the news for ever."""
        wanted = pb.StartSessionRequest(device="a browser")
        begun = await self.door.call("SessionService/StartSession", wanted, pb.StartSessionResponse)
        request = pb.ListenNewsRequest(
            stream="page", matches=[pb.FollowedMatch(match=self.match)], beat_ms=BEAT_MS
        )
        told = self.door.stream(
            "NewsService/ListenNews", request, pb.ListenNewsResponse, begun.token
        )
        async for said in told:
            if said.HasField("step"):
                self.steps += 1
                self.followed.set()


def measures() -> Iterator[Measure]:
    """Memory and processor time of many streams."""
    with platform(BREE_GAMES="duel", **MANY) as town:
        yield from asyncio.run(_measures(town))


async def _measures(town: Town) -> list[Measure]:
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(player(town.gateway, game="duel", listens=False))
        await one.prepare(MATCHES)
        await _play(one, MOVES)  # what is loaded once is loaded
        alone = await _cost(town, one)
        before = town.memory()["gateway"]
        browsers = await stack.enter_async_context(
            _browsers(town, [played.match for played in one.ready])
        )
        memory = 1024 * (town.memory()["gateway"] - before) / BROWSERS
        silent = await _silent(town)
        told = -sum(browser.steps for browser in browsers)
        looked_on = await _cost(town, one)
        told += sum(browser.steps for browser in browsers)
    each = 1e6 * MOVES * (looked_on - alone) / told
    name = f"news: {BROWSERS} browsers' streams, "
    return [
        Measure(f"{name}memory of each", round(memory, 1), "KiB"),
        Measure(f"{name}processor time while silent, of each", round(silent, 1), "us/s"),
        Measure(f"{name}processor time of a step told", round(each), "us"),
    ]


@asynccontextmanager
async def _browsers(town: Town, matches: list[str]) -> AsyncIterator[list[Browser]]:
    """All of them, once each is told where its match stands."""
    async with AsyncExitStack() as stack:
        browsers, listening = [], []
        for number in range(BROWSERS):
            own = await stack.enter_async_context(door(town.http))
            browser = Browser(own, matches[number % len(matches)])
            browsers.append(browser)
            listening.append(asyncio.create_task(browser.listen()))
            if number % TOGETHER == TOGETHER - 1:
                async with asyncio.timeout(PATIENCE):
                    await asyncio.gather(*(one.followed.wait() for one in browsers))
        try:
            yield browsers
        finally:
            for task in listening:
                task.cancel()
            await asyncio.gather(*listening, return_exceptions=True)


async def _silent(town: Town) -> float:
    """Microseconds a second that a stream costs on which nothing happens but beats."""
    before = town.spent_by("gateway")
    await asyncio.sleep(SILENT_SECONDS)
    return 1e6 * (town.spent_by("gateway") - before) / SILENT_SECONDS / BROWSERS


async def _cost(town: Town, one: Player) -> float:
    """Seconds of the gateway's processor time for a move, with all that hangs on it."""
    before = town.spent_by("gateway")
    await _play(one, MOVES)
    return (town.spent_by("gateway") - before) / MOVES


async def _play(one: Player, moves: int) -> None:
    """Make moves in all matches in turn, none of which comes to its end."""
    for number in range(moves):
        await one.move(one.ready[number % MATCHES], [])
        await asyncio.sleep(0.02)
