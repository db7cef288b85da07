"""`bree archive`: what is settled leaves the live store now, and not when its time is over.

Design. A settled match is due to leave at a later time. That time is put to now; whoever sweeps
does the rest, as it would have been done later. Nothing is taken out here.
"""

from __future__ import annotations

import asyncio
import time

from redis.asyncio import Redis
from redis.exceptions import RedisError

from bree.local import redis_server
from bree.local.screen import Screen
from bree.local.settings import Trouble, of_this_run

AWAY = 3
DUE = "{bree:*}:due"
LEAVING = "leave|*"
AT_ONCE = 500
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
    except RedisError as error:
        screen.say(f"the store cannot be asked: {error}")
        return AWAY


async def _archive(url: str, seconds: float, screen: Screen) -> int:
    until = time.monotonic() + seconds
    async with Redis.from_url(url, decode_responses=True, socket_timeout=30) as redis:
        number = left = await hasten(redis)
        while left and time.monotonic() < until:
            await asyncio.sleep(PAUSE_SECONDS)
            left = await waiting(redis)
    screen.say(
        f"{number - left} settled matches have left the live store"
        + (f"; {left} are still to leave: are sweepers and workers running?" if left else "")
    )
    return AWAY if left else 0


async def hasten(redis: Redis) -> int:
    """Put to now when each settled match is due to leave; how many there are."""
    now, number = int(time.time() * 1000), 0
    async for key in redis.scan_iter(DUE, count=AT_ONCE):
        due = [member async for member, _ in redis.zscan_iter(key, LEAVING, count=AT_ONCE)]
        if due:
            await redis.zadd(key, dict.fromkeys(due, now), xx=True, lt=True)
        number += len(set(due))
    return number


async def waiting(redis: Redis) -> int:
    """How many are still to leave."""
    number = 0
    async for key in redis.scan_iter(DUE, count=AT_ONCE):
        number += len({member async for member, _ in redis.zscan_iter(key, LEAVING)})
    return number
