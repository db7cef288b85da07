"""`bree archive`: what is settled leaves the live store now, and not when its time is over.

Design. A settled match is due to leave at a later time. That time is put to now; whoever sweeps
does the rest, as it would have been done later. Nothing is taken out here.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

from bree.backup.taking import Refused, Where
from bree.local import redis_server
from bree.local.screen import Screen
from bree.local.settings import Trouble, of_this_run
from bree.redis.clients import FAILURES, Client

AWAY = 3
DUE = "{bree:*}:due"
LEAVING = "leave|"
PAUSE_SECONDS = 0.5


def archive(seconds: float) -> int:
    """Have all that is settled leave, and wait for it so long; the exit code."""
    screen = Screen()
    try:
        url = redis_server.url_of_this_run(of_this_run())
        return asyncio.run(_archive(url, seconds, screen))
    except Trouble as trouble:
        screen.say(str(trouble))
        return trouble.code
    except Refused as refused:
        screen.say(str(refused))
        return 2
    except FAILURES as error:
        screen.say(f"the store cannot be asked: {error}")
        return AWAY


async def _archive(url: str, seconds: float, screen: Screen) -> int:
    until = time.monotonic() + seconds
    async with Where(url, "").live() as store:
        number = left = await hasten(store)
        while left and time.monotonic() < until:
            await asyncio.sleep(PAUSE_SECONDS)
            left = await waiting(store)
    screen.say(
        f"{number - left} settled matches have left the live store"
        + (f"; {left} are still to leave: are sweepers and workers running?" if left else "")
    )
    return AWAY if left else 0


async def hasten(store: Client) -> int:
    """Put to now when each settled match is due to leave; how many there are."""
    now, number = int(time.time() * 1000), 0
    async for key, due in _leaving(store):
        scored = [part for member in due for part in (now, member)]
        await store.call("ZADD", key, "XX", "LT", *scored)
        number += len(due)
    return number


async def waiting(store: Client) -> int:
    """How many are still to leave."""
    return sum([len(due) async for _, due in _leaving(store)])


async def _leaving(store: Client) -> AsyncIterator[tuple[str, list[str]]]:
    """The settled matches that are to leave, as they are in each list of what is due."""
    async for key in store.names(DUE):
        members: Any = await store.call("ZRANGE", key, 0, -1)
        due = [member for member in members if member.startswith(LEAVING)]
        if due:
            yield key, due
