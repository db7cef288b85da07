"""Work that is done again and again while a process lives, whatever goes wrong in it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from bree.process import metrics

log = structlog.get_logger()


async def again_and_again(
    part: str,
    work: Callable[[], Awaitable[None]],
    rest: float,
    passing: tuple[type[Exception], ...] = (),
) -> None:
    """Do it, rest for `rest` seconds, and do it again; errors in `passing` are no bugs."""
    while True:
        try:
            await work()
        except passing as error:
            log.info("not done this time", part=part, error=str(error))
        except Exception:
            # Nobody waits for this task, so nobody would hear that it has died.
            metrics.BUGS.labels(part).inc()
            log.exception("bug", part=part)
        await asyncio.sleep(rest)
