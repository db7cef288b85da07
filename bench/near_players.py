"""`python -m bench.near_players`: plays on a platform of its own process.

It says when it is ready. Each line that it is given is a number of matches; when they are played
it says so, and at the end of its input it ends.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys

import uvloop

from bench.archive import GAME, play_match
from bench.near import Caller, Near
from bree.gateway.v1 import gateway_pb2 as pb
from bree.process import garbage, logs

ACCOUNTS, TOGETHER = 24, 8
SWITCH_SECONDS = 0.001
"""How long a thread runs before the loop goes on, as in an engine."""


async def _serve() -> None:
    near, chance = Near(GAME), random.Random("near")
    await near.start()
    nobody, accounts = Caller(near.process), []
    for number in range(ACCOUNTS):
        asked = pb.CreateAccountRequest(name=f"Near_{os.getpid()}_{number}")
        made = await nobody("CreateAccount", asked)
        accounts.append(Caller(near.process, made.token))
    request = pb.ListenQuestionsRequest()
    listening = [asyncio.create_task(a.listen("ListenQuestions", request)) for a in accounts]
    _say("ready")
    while line := await asyncio.to_thread(sys.stdin.readline):
        await _play(near, accounts, chance, int(line))
        _say("played")
    await near.stop()
    await asyncio.gather(*listening)


async def _play(near: Near, accounts: list[Caller], chance: random.Random, matches: int) -> None:
    """Play so many matches between any two of them, some at the same time."""
    numbers = iter(range(matches))

    async def play() -> None:
        for number in numbers:
            await near.tasks.room()
            one, other = chance.sample(accounts, 2)
            await play_match(one, other, number)

    await asyncio.gather(*(play() for _ in range(TOGETHER)))


def _say(word: str) -> None:
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    logs.set_up("near", "error", "json")
    sys.setswitchinterval(SWITCH_SECONDS)
    garbage.freeze()
    uvloop.run(_serve())
