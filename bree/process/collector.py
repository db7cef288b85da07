"""The collector of circles of objects, in a process that answers calls.

Design. Python looks for circles among all objects whenever these have grown by a quarter, and
answers nothing meanwhile; with ten thousand matches in memory that takes longer than a hundred
calls. What is kept here has no circles. So the long look is taken by time, which is rare enough for
nobody to notice, and the short ones come less often.
"""

from __future__ import annotations

import asyncio
import gc

COLLECT_SECONDS = 600
YOUNG, MIDDLE, NEVER = 10_000, 50, 1_000_000
"""After so many new objects, and so many short looks, the collector looks at more of them."""


def settle() -> None:
    """Let what has been imported be; it stays."""
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, NEVER)


async def collect() -> None:
    """Take the long looks, for ever."""
    while True:
        await asyncio.sleep(COLLECT_SECONDS)
        gc.collect()
