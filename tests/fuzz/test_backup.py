"""A backup taken while a hundred matches are played, and all of them played on elsewhere."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from services import rules_of
from services.core.reading import parse_record
from services.core.replaying import replay
from tests.e2e.client import Client, Seat
from tests.e2e.matches import against
from tests.e2e.platform import Platform
from tests.e2e.test_backup import bree, known

ACCOUNTS, EACH = 10, 10
GAMES = ("confrontation", "duel")
PAUSE = 0.5
PLAYED_SECONDS, BOUND = 3.0, 600.0

pytestmark = pytest.mark.timeout(900)


@pytest.fixture
def platforms(tmp_path):
    """Two that have nothing of each other."""
    made = [Platform(tmp_path / name / "state", games=GAMES) for name in ("one", "two")]
    try:
        yield made
    finally:
        for platform in made:
            platform.stop()


def test_a_hundred_matches_go_on_from_a_backup(platforms, tmp_path):
    """With every answer that was acknowledged before it was begun; all of them verify."""
    one, two = platforms
    one.start()
    seats, before = asyncio.run(backed_up(one, tmp_path / "kept"))
    one.stop()
    [file] = (tmp_path / "kept").iterdir()
    code, said = bree(two, "restore", file)
    assert 0 == code, said
    two.start()
    asyncio.run(played_on(two, seats, before))


async def backed_up(platform, folder):
    """The seats of people, and what each had acknowledged when the backup began."""
    async with asyncio.timeout(BOUND):
        accounts = [await Client(platform.gateway).__aenter__() for _ in range(ACCOUNTS)]
        games = [GAMES[n % 2] for n in range(EACH)]
        opened = (against(account, game=game) for account in accounts for game in games)
        seats = await asyncio.gather(*opened)
        for seat in seats:
            seat.pause = PAUSE
        playing = [asyncio.create_task(seat.play()) for seat in seats]
        await asyncio.sleep(PLAYED_SECONDS)
        before = [tuple(seat.acknowledged) for seat in seats]
        assert all(not task.done() for task in playing)
        code, said = await asyncio.to_thread(bree, platform, "backup", "--to", folder, "--keys")
        assert (0, True) == (code, "nothing wrong" in said), said
        assert sum(len(seat.acknowledged) for seat in seats) > sum(map(len, before))
        for task in playing:
            task.cancel()
        for task in playing:
            with suppress(asyncio.CancelledError):
                await task
        for account in accounts:
            await account.__aexit__()
    return seats, before


async def played_on(platform, seats, before):
    """Every seat is where it was or a little later, and plays to the end."""
    async with asyncio.timeout(BOUND):
        ends = [played_to_its_end(platform, *one) for one in zip(seats, before, strict=True)]
        await asyncio.gather(*ends)


async def played_to_its_end(platform, old, before):
    async with known(platform, old.client) as client:
        seat = Seat(client, old.match, old.seat, seed="later")
        await seat.play()
        record = parse_record(await client.record(seat.match))
        replay(record, rules_of(record.game))
        said = tuple(entry.what for entry in record.entries if entry.who == seat.seat)
        assert before == said[: len(before)]
        assert not seat.acknowledged or tuple(seat.acknowledged) == said[-len(seat.acknowledged) :]
        await client.rated(seat.match, BOUND)
