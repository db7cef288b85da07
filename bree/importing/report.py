"""What an import has done, in words."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


class Refused(Exception):
    """Why nothing can be imported, in a sentence."""


@dataclass
class Report:
    """What was moved, what stays because it is live, and what could not be moved."""

    moved: Counter[str] = field(default_factory=Counter)
    live: int = 0
    left: dict[str, str] = field(default_factory=dict)  # by match, account or name: why

    def leave(self, what: str, why: str) -> None:
        """Note that something stays where it is."""
        self.left[what] = why

    def text(self) -> str:
        """All of it, in a sentence."""
        kinds = ("accounts", "names", "ratings", "finished matches", "closed matches")
        counted = ", ".join(f"{self.moved[kind]} {kind}" for kind in kinds)
        said = f"moved {counted} to the ledger; {self.live} matches are not settled and stay"
        if self.left:
            said += f"; {len(self.left)} could not be moved and stay where they are"
        return said
