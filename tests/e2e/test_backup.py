"""A platform that is backed up while matches run, and brought back elsewhere."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import zipfile
from contextlib import asynccontextmanager

import pytest

from tests.e2e.client import GAME, Client, Seat
from tests.e2e.matches import against, between, of_bots, over
from tests.e2e.platform import ROOT, Platform

pytestmark = [pytest.mark.xdist_group("backup"), pytest.mark.timeout(240)]

SECONDS = 50
BOTS = 3
"""Matches that run by themselves meanwhile."""


def bree(platform, *arguments):
    """What a command of `bree` says of a platform, and its exit code."""
    given = {f"BREE_{name.upper()}": str(value) for name, value in platform.settings.items()}
    done = subprocess.run(
        [sys.executable, "-m", "bree", *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, **given},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    return done.returncode, (done.stdout + done.stderr).strip()


def run(coroutine):
    async def bounded():
        async with asyncio.timeout(SECONDS):
            return await coroutine

    return asyncio.run(bounded())


@pytest.fixture
def platforms(tmp_path):
    """Two that have nothing of each other, the first of which runs."""
    made = [Platform(tmp_path / name / "state", games=(GAME,)) for name in ("one", "two")]
    try:
        yield made[0].start(), made[1]
    finally:
        for platform in made:
            platform.stop()


def test_a_platform_comes_back_from_its_backup(platforms, tmp_path):
    """With tokens, matches that run, finished ones, ratings; to the moment, and no further."""
    one, two = platforms
    played = run(begun(one))
    code, said = bree(one, "backup", "--to", tmp_path / "kept", "--keys")
    assert (0, True) == (code, "nothing wrong" in said), said
    [file] = (tmp_path / "kept").iterdir()
    run(gone_on(one, played))
    code, said = bree(one, "restore", file)
    assert (2, True) == (code, "already running" in said), said
    store = one.broker()
    code, said = bree(two, "restore", file, "--lost", store)
    assert 0 == code, said
    assert f"match {played.seat.match} of {GAME}: entries" in said
    two.start()
    run(brought_back(two, played))
    code, said = bree(two, "restore", file)
    assert 2 == code, said


@asynccontextmanager
async def known(platform, account):
    """The client of an account that another one has made, perhaps on another platform."""
    client = Client(platform.gateway)
    client.name, client.metadata = account.name, account.metadata
    try:
        yield client
    finally:
        await client.__aexit__()


class Played:
    """What somebody has on the first platform."""

    def __init__(self, account, ended, seat, bots):
        self.account, self.ended, self.seat, self.bots = account, ended, seat, bots
        self.acknowledged = tuple(seat.acknowledged)
        self.rating = None


async def begun(platform):
    async with Client(platform.gateway) as alice, Client(platform.gateway) as bob:
        seats = await between(alice, bob)
        await asyncio.gather(*(seat.play() for seat in seats))
        await alice.rated(seats[0].match)
        seat = await against(alice)
        await seat.play(4)
        bots = [await of_bots(bob) for _ in range(BOTS)]
        played = Played(alice, seats[0].match, seat, bots)
        played.rating = (await alice.rating(alice.name)).mu
        return played


async def gone_on(platform, played):
    async with known(platform, played.account) as alice:
        await Seat(alice, played.seat.match, played.seat.seat, seed=1).play(3)


async def brought_back(platform, played):
    """She has her token, her rating and her matches; what was played later is not there."""
    async with known(platform, played.account) as alice:
        assert played.rating == (await alice.rating(played.account.name)).mu
        assert await over(alice, played.ended)
        seat = Seat(alice, played.seat.match, played.seat.seat, seed=2)
        seat.acknowledged = list(played.acknowledged)
        await seat.play()
        await over(alice, seat.match, seat)
        for match in (seat.match, *played.bots):
            await alice.rated(match)


def test_somebody_is_given_his_data_and_taken_away(platforms, tmp_path):
    """Not while a match of his is live; what he played stays, verifies, and no longer names him."""
    one, _ = platforms
    match, name = run(one_match(one))
    code, said = bree(one, "account", "export", name, "--to", tmp_path / "all.zip")
    assert 0 == code, said
    with zipfile.ZipFile(tmp_path / "all.zip") as file:
        account = json.loads(file.read("account.json"))
        assert name == account["account"]["name"]
        assert [GAME, f"{GAME}.free"] == [rating["game"] for rating in account["ratings"]]
        assert f" {name}\n" in file.read(f"records/{match}.txt").decode()
    code, said = bree(one, "account", "delete", name)
    assert (2, True) == (code, "add --yes" in said), said
    code, said = bree(one, "account", "delete", name, "--yes")
    assert (2, True) == (code, "live or have just ended" in said), said
    code, said = bree(one, "archive")
    assert 0 == code, said
    code, said = bree(one, "account", "delete", name, "--yes")
    assert 0 == code, said
    run(is_gone(one, match, name))
    code, said = bree(one, "account", "export", name, "--to", tmp_path / "more.zip")
    assert (2, f"bree: there is no account {name}") == (code, said)


async def one_match(platform):
    async with Client(platform.gateway) as alice, Client(platform.gateway) as bob:
        seats = await between(alice, bob)
        await asyncio.gather(*(seat.play() for seat in seats))
        await alice.rated(seats[0].match)
        return seats[0].match, alice.name


async def is_gone(platform, match, name):
    async with Client(platform.gateway) as carol:
        record = await over(carol, match)
        found = await carol.match(match)

        assert name not in str(found)
        assert [False, True] == sorted(bool(sat.name) for sat in record.sitting)
        assert all(sat.mark for sat in record.sitting)
        assert found.rated
