"""What one account that does its worst costs another one.

Two platforms, one after the other, each on this machine alone. On the first one, without limits to
what an account may begin, somebody begins as many matches between the dearest bots as he can; on
the second one, with the limits that hold by default, he calls what costs most, as fast as he can.
Meanwhile somebody else plays against a bot. Everything is bounded in time and number.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from statistics import median
from typing import Any

import grpc

from bench.measure import Measure
from bench.player import Player, Question, player
from bench.town import platform
from bree.gateway.v1 import gateway_pb2 as pb
from services import GAMES
from services.manifests import manifests, usual_game
from workers.bots.levels import budget_of

Call = Callable[[], Awaitable[None]]

GAME, LEVEL, DEAREST = usual_game(), "apprentice", "master"
MATCHES, BEGUN_WITHIN = 373, 15.0
ANSWERS = 40
GRACE = 2.0

UNBOUNDED = {"BREE_MOST_ALONE": "100000", "BREE_BOTS_BURST": "100000"}

LONG = max(GAMES, key=lambda game: manifests()[game].bench.moves_unfinished)
AT_ONCE, ROUNDS, SECONDS = 64, 5, 4.0
PACE = 0.025
"""Seconds between two moves of somebody who keeps to his limits."""

AS_EVER = {"BREE_CALLS_A_SECOND": "200", "BREE_CALLS_BURST": "400"}


def measures() -> Iterator[Measure]:
    """How long another's bot takes beside a flood of bots, and his moves beside dear calls."""
    with platform(**UNBOUNDED) as town:
        yield from asyncio.run(_bots(town.gateway))
    with platform(**AS_EVER) as town:
        yield from asyncio.run(_calls(town.gateway))


async def _bots(gateway: str) -> list[Measure]:
    async with player(gateway, game=GAME, listens=False) as good:
        before = await _answers(good)
        async with player(gateway, game=GAME, listens=False) as evil:
            began = time.monotonic()
            await _begin(evil, MATCHES)
            seconds = time.monotonic() - began
            during = await _answers(good)
    cap = budget_of(GAME, LEVEL).seconds
    name = f"fair: {GAME}, {LEVEL} answers beside {MATCHES} matches of {DEAREST} bots"
    reference = f"alone {max(before):.2f} s; begun within {seconds:.0f} s"
    wanted = f"< {(cap + GRACE) / cap:g}"
    return [
        Measure(f"{name}, longest", round(max(during), 2), "s", reference),
        Measure(
            f"{name}, longest and its cap",
            round(max(during), 2),
            "s",
            f"{cap} s",
            max(during) / cap,
            wanted,
        ),
    ]


async def _begin(one: Player, matches: int) -> None:
    """Begin matches without people, as fast as they can be begun."""
    missing = iter(range(matches))

    async def begin() -> None:
        for _ in missing:
            await _match(one, (DEAREST, DEAREST))

    await asyncio.gather(*(begin() for _ in range(16)))


async def _match(one: Player, levels: tuple[str, ...]) -> pb.Match:
    """A match that has begun, with bots at its last seats and the player at the others."""
    opened: pb.Match = (await one.call("CreateMatch", pb.CreateMatchRequest(game=one.game))).match
    people = len(opened.seats) - len(levels)
    for seat in opened.seats[:people]:
        await one.call("JoinMatch", pb.JoinMatchRequest(match=opened.id, seat=seat.seat))
    for seat, level in zip(opened.seats[people:], levels, strict=True):
        await one.call("AddBot", pb.AddBotRequest(match=opened.id, seat=seat.seat, level=level))
    await one.call("StartMatch", pb.StartMatchRequest(match=opened.id))
    return opened


async def _answers(one: Player) -> list[float]:
    """How long each of `ANSWERS` answers of a bot took, from when it was asked."""
    times: list[float] = []
    while len(times) < ANSWERS:
        match = await _match(one, (LEVEL,))
        async with _steps(one, match.id, match.seats[0].seat) as steps:
            await _play(one, match, steps, times)
    return times


@asynccontextmanager
async def _steps(one: Player, match: str, seat: str) -> AsyncIterator[Any]:
    call = one.stub.WatchMatch(pb.WatchMatchRequest(match=match, seat=seat), metadata=one.metadata)
    try:
        yield call
    finally:
        call.cancel()
        with contextlib.suppress(asyncio.CancelledError, grpc.aio.AioRpcError):
            await call.read()


async def _play(one: Player, match: pb.Match, steps: Any, times: list[float]) -> None:
    """Answer at once whatever is asked, and note how long the bot takes, until enough is known."""
    mine, bot = (seat.seat for seat in match.seats)
    asked_at = answered = 0.0
    async for step in steps:
        if asked_at:
            times.append(time.monotonic() - asked_at)
        if step.standing.HasField("outcome") or len(times) >= ANSWERS:
            return
        asked_at = time.monotonic() if list(step.standing.waiting) == [bot] else 0.0
        if step.question.number > answered:
            answered = step.question.number
            await one.call("Act", _answer(match.id, mine, step.question))


def _answer(match: str, seat: str, question: Question) -> pb.ActRequest:
    return pb.ActRequest(
        match=match,
        seat=seat,
        question=question.number,
        action=question.choices[-1].action.text,
        request_id=f"q{question.number}",
    )


# Calls.


async def _calls(gateway: str) -> list[Measure]:
    found = []
    async with player(gateway, game=LONG, listens=False) as evil:
        floods = await _floods(evil)
        async with player(gateway, game=GAME, listens=False) as good:
            await good.prepare(2)
            for name, flood in floods.items():
                found.append(await _beside(good, name, flood))
    return found


async def _beside(good: Player, name: str, flood: Call) -> Measure:
    """The middle time of a call, alone and beside a flood, in turns."""
    alone: list[float] = []
    beside: list[float] = []
    made = 0
    for _ in range(ROUNDS):
        alone += await _moves(good)
        flooding = [asyncio.create_task(_again(flood)) for _ in range(AT_ONCE)]
        beside += await _moves(good)
        made += sum(await asyncio.gather(*flooding))
    before, during = 1000 * median(alone), 1000 * median(beside)
    rate = made / (ROUNDS * SECONDS)
    return Measure(
        f"fair: a move beside another's {name}",
        round(during, 2),
        "ms",
        f"alone {before:.2f} ms; {rate:,.0f} of them a second were answered or refused",
        during / before,
        "<= 1.5",
    )


async def _moves(one: Player) -> list[float]:
    """Play for a while, move by move; how long each answer took."""
    times: list[float] = []
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        if not one.ready:
            await one.prepare(2)
        played = one.ready.pop()
        await one.move(played, times)
        if played.waiting:
            one.ready.append(played)
        await asyncio.sleep(PACE)
    return times


async def _again(call: Call) -> int:
    """Call as often as possible, heeding nothing; how often that was."""
    made, until = 0, time.monotonic() + SECONDS
    while time.monotonic() < until:
        with contextlib.suppress(grpc.aio.AioRpcError):
            await call()
        made += 1
    return made


async def _floods(evil: Player) -> dict[str, Call]:
    """The dearest calls about a long match that goes on."""
    await _prepare(evil)
    last, seat, match = evil.last, evil.last.seat, evil.last.match

    async def act() -> None:
        await evil.call("Act", last)

    async def record() -> None:
        await evil.call("GetMatchRecord", pb.GetMatchRecordRequest(match=match, seat=seat))

    async def watch() -> None:
        call = evil.stub.WatchMatch(
            pb.WatchMatchRequest(match=match, seat=seat), metadata=evil.metadata
        )
        try:
            await call.read()
        finally:
            call.cancel()

    return {"repeated acts": act, "records": record, "watching from the beginning": watch}


async def _prepare(one: Player) -> None:
    """Play a match until it is long."""
    await one.prepare(1)
    [played] = one.ready
    for _ in range(manifests()[LONG].bench.moves_unfinished):
        await one.move(played, [])
        await asyncio.sleep(PACE)
