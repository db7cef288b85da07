"""Whole matches, and what must be true of each once it is over."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager

from bree.engine.v1.types_pb2 import Ending
from bree.gateway.v1 import gateway_pb2 as pb
from services import rules_of
from services.core.reading import parse_record
from services.core.record import Record
from services.core.replaying import replay
from tests.e2e.client import Client, Seat, Watcher

SEATS = ("good", "dark")


@asynccontextmanager
async def clients(platform, count):
    """A number of new accounts, each with its client."""
    made = [Client(platform.gateway) for _ in range(count)]
    try:
        yield [await client.__aenter__() for client in made]
    finally:
        for client in made:
            await client.__aexit__()


async def between(one: Client, two: Client, **more) -> tuple[Seat, Seat]:
    """A match of two accounts that has begun."""
    opened = await one.open(**more)
    match, (first, second) = opened.id, names(opened)
    await one.join(match, first)
    await two.join(match, second)
    await one.begin(match)
    return Seat(one, match, first), Seat(two, match, second)


async def against(client: Client, level: str = "uniform", **more) -> Seat:
    """A match of one account, at the first seat, with a hosted bot that has begun."""
    opened = await client.open(**more)
    match, (first, second) = opened.id, names(opened)
    await client.join(match, first)
    await client.add_bot(match, second, level)
    await client.begin(match)
    return Seat(client, match, first)


async def of_bots(client: Client, one: str = "greedy", two: str = "uniform", **more) -> str:
    """A match of two hosted bots that has begun."""
    opened = await client.open(**more)
    for seat, level in zip(names(opened), (one, two), strict=True):
        await client.add_bot(opened.id, seat, level)
    await client.begin(opened.id)
    return opened.id


def names(match: pb.Match) -> tuple[str, ...]:
    """What the seats of a match are called."""
    return tuple(seat.seat for seat in match.seats)


async def over(client: Client, match: str, *seats: Seat) -> Record:
    """The record of a finished match: verified, and with exactly what was acknowledged."""
    record = parse_record(await client.record(match))
    replay(record, rules_of(record.game))
    for seat in seats:
        said = [entry.what for entry in record.entries if entry.who == seat.seat]
        assert seat.acknowledged == said, f"{match} {seat.seat}"
        assert not seat.refused, seat.refused
    found = await client.match(match)
    assert found.commitment == record.fairness.commitment
    if record.aborted:
        assert Ending.ENDING_ABORTED == found.outcome.ending
    else:
        assert list(record.scores) == [score.score for score in found.outcome.scores]
    return record


async def saw_everything(client: Client, watcher: Watcher, record: Record) -> None:
    """Whoever watches afterwards sees the same, in the same order."""
    again = Watcher(client, watcher.match, watcher.seat)
    await again.watch()

    assert watcher.events == again.events
    assert watcher.events
    assert watcher.revisions == sorted(watcher.revisions)
    assert len(record.entries) == watcher.revisions[-1]


async def together(*coroutines):
    """All of them at the same time; the first failure is everyone's."""
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(coroutine) for coroutine in coroutines]
    return [task.result() for task in tasks]
