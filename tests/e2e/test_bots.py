"""Bots in other languages finish matches on the real platform, though their gateway is killed."""

from __future__ import annotations

import asyncio
import re
import subprocess

import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from tests.clients import toolchains
from tests.e2e.matches import clients, over

pytestmark = pytest.mark.xdist_group("platform")

SECONDS = 40
BEGUN = 8
"""The revision of the match at which the gateway is killed."""


class Bot:
    """The process of a bot, and what it has said."""

    def __init__(self, command, gateway):
        arguments = ["--gateway", gateway, "--new", "confrontation", "--against", "greedy"]
        self.process = subprocess.Popen(
            [*command, *arguments, "--seed", "7"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def match(self):
        """The match it plays, as soon as it says so."""
        return re.match(r"playing (\S+) at (\S+)", self.process.stdout.readline())[1]

    def end(self):
        out, err = self.process.communicate(timeout=SECONDS)

        assert 0 == self.process.returncode, err
        return out


@pytest.mark.parametrize("language", ["go", "ts"])
def test_a_bot_of_another_language_finishes_its_match(platform, play, language):
    """It knows no rules, and goes on where it was when the gateway is back."""
    bot = Bot(toolchains.bot(language), f"127.0.0.1:{platform.settings['gateway_port']}")
    match = bot.match()

    async def run():
        async with clients(platform, 1) as (alice,):
            while (await alice.match(match)).state == pb.MATCH_STATE_OPEN:  # noqa: ASYNC110  # theirs
                await asyncio.sleep(0.05)
            async for update in alice.updates(match):
                if update.standing.revision >= BEGUN:
                    break
            platform.kill("gateway")
            assert bot.process.poll() is None
            out = await asyncio.to_thread(bot.end)
            record = await over(alice, match)

            assert f"{match} is over" in out
            assert not record.aborted
            assert BEGUN < len(record.entries)
            await alice.rated(match)

    play(run())
