"""The garbage collector of a process that answers calls.

Design. Python looks for cycles among all objects whenever these have grown by a quarter, and
answers nothing meanwhile; with ten thousand matches in memory that takes longer than a hundred
calls. What is kept here has no cycles. So a full collection is made by time, which is rare enough
for nobody to notice, and those of younger objects are made less often.
"""

from __future__ import annotations

import asyncio
import gc

COLLECT_SECONDS = 600
YOUNG, MIDDLE, NEVER = 10_000, 50, 1_000_000
"""Python's thresholds: new objects, collections of the youngest, and of the middle generation."""


def freeze() -> None:
    """Never look again at what has been imported, and rarely by itself at anything else."""
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, NEVER)


async def collect() -> None:
    """Make full collections for as long as the process lives."""
    while True:
        await asyncio.sleep(COLLECT_SECONDS)
        gc.collect()
