"""What one seat has seen happen so far."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(slots=True)
class Log:
    """Lines in order, each with the revision at which it was seen; some are still to be told."""

    lines: list[tuple[int, str]] = field(default_factory=list)
    told: int = 0

    def add(self, revision: int, lines: Iterable[str]) -> None:
        """Note what was seen."""
        self.lines += [(revision, line) for line in lines]

    def news(self) -> list[str]:
        """The lines that have not been told yet; now they have."""
        fresh = [line for _, line in self.lines[self.told :]]
        self.told = len(self.lines)
        return fresh

    def forget_after(self, revision: int) -> None:
        """Take back what decisions after this revision have caused."""
        self.lines = [(at, line) for at, line in self.lines if at <= revision]
        self.told = min(self.told, len(self.lines))
