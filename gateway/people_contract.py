"""What the gateway needs of a store for programs and one's own data: a part of `contract.py`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class ProgramStore(Protocol):
    """What accounts say of themselves."""

    async def declare_bot(self, account: str, games: Sequence[str]) -> bool:
        """Have an account be a bot; False if a match of his has counted in one of these games."""

    async def set_terms(self, account: str, terms: str) -> None:
        """Keep what a bot plays, in its text."""

    async def set_wishes(self, account: str, *, no_bots: bool) -> None:
        """Keep whom an account does not want to meet."""

    async def programs(self, players: Sequence[str]) -> set[str]:
        """Those who are bots, of some under whose names ratings are kept."""
