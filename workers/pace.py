"""When a hosted bot answers a neutral question: at a time that tells nothing of what it holds.

Design. Whoever waits sees how long an answer takes. So the answer to a neutral question is kept
back until a period has passed since the turn was taken up: the same for every content, and longer
than the bot may think. Should it have thought longer all the same, on a machine that is too busy,
it waits for the end of the next period, so that no more is told than how many have passed. A little
is drawn on top, whatever the question, which hides what is left of differences below a millisecond.
The worker waits meanwhile: a period is well below a second, and few questions are neutral.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from typing import NamedTuple

THINKING = 0.1
"""Seconds that a bot may think about a neutral question, where it heeds a limit."""

USUAL = 0.25
PERIODS: Mapping[str, float] = {"uniform": 0.05}
"""Seconds by level, where it never thinks; which level plays is no secret."""

SPREAD = 0.01
"""Seconds that are drawn on top at most."""


class Clock(NamedTuple):
    """Time as a worker has it, and chance that no question has a part in."""

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    spread: Callable[[], float] = random.random


def release(level: str, began: float, now: float, spread: float) -> float:
    """When an answer that is ready now may be given, to a turn that began then."""
    period = PERIODS.get(level, USUAL)
    passed = int((now - began) / period)
    return began + (passed + 1) * period + spread * SPREAD


def hold_back(level: str, began: float, clock: Clock) -> None:
    """Wait until an answer may be given."""
    now = clock.now()
    clock.sleep(release(level, began, now, clock.spread()) - now)
