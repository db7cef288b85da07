"""What a measurement is, and how two things are timed side by side.

Design. The machines are shared and noisy, so a time alone says little: what is compared runs in
turns with its reference, in many short rounds, in processor time, and the middle ratio counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from statistics import median

Work = Callable[[], int]
"""Does a piece of work and says how many units of it were done."""

ROUNDS = 11


@dataclass(frozen=True, slots=True)
class Measure:
    """One line of the table."""

    name: str
    value: float
    unit: str
    reference: str = ""  # what the ratio compares with, and its value
    ratio: float | None = None
    wanted: str = ""  # of the ratio, or of the value where there is none

    def as_json(self) -> dict[str, object]:
        """As it stands in `results.json`."""
        return asdict(self)


def rate(work: Work) -> float:
    """Units of work a second of processor time."""
    began = time.process_time()
    done = work()
    return done / (time.process_time() - began)


def rates(work: Work, reference: Work) -> tuple[float, float, float]:
    """The middle rates of both, and the middle of their ratios, round by round."""
    pairs = [(rate(work), rate(reference)) for _ in range(ROUNDS)]
    ours, theirs = zip(*pairs, strict=True)
    return median(ours), median(theirs), median(a / b for a, b in pairs)
