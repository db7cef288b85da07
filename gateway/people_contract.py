"""What the gateway needs of a store for programs and one's own data: a part of `contract.py`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any, NamedTuple, Protocol

from gateway.documents import Account, ListEntry, Match

Kept = dict[str, Any]
"""What is kept of somebody, part by part; `at_ms` is when that was looked up."""

Pages = AsyncIterator[tuple[str, list[dict[str, Any]]]]


class Proof(NamedTuple):
    """The token with which a call is made, by its hash, and what is to take the own one's place."""

    token_hash: str
    session: str  # its id, or nothing if it is the account's own token
    spare_hash: str  # of a token that nobody has; for the account's own, if that is not the proof


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


class PersonalStore(Protocol):
    """How somebody leaves, and what is kept of him until then."""

    async def leave(self, account: str, proof: Proof, until_ms: int) -> int:
        """Have an account be deleted then, or when it was to be before; gives when.

        No token of it but the one that proves this is worth anything any more. 0, and nothing is
        changed, if that one is not.
        """

    async def keep_account(self, account: str, now_ms: int) -> bool:
        """Have an account stay; False if the time until which that may be undone is over."""

    async def leaving(self, after: ListEntry | None, most: int) -> list[ListEntry]:
        """Accounts that are to be deleted, each with when, the first first."""

    async def begin_erasing(self, account: str, now_ms: int) -> str:
        """Make an account nobody's whose time is over; gives its pseudonym, else nothing."""

    async def erase(self, account: str, pseudonym: str, by: str) -> None:
        """Strike him out of all that is kept for good. What was done before is done once."""

    async def drop_lists(self, account: str) -> None:
        """Have none of an account's lists among what is live."""

    async def allow(self, account: str, what: str, lease_ms: int) -> int:
        """Let an account do something once in so long; else gives for how long it must wait."""

    async def kept_of(self, account: Account) -> Kept:
        """All of which a bounded number is kept of somebody, as it is at one moment."""

    def kept_pages(self, account: Account, kept: Kept) -> Pages:
        """What there may be much of, as it was at that moment: each page under a name."""

    def kept_matches(self, account: Account, kept: Kept) -> AsyncIterator[str]:
        """The matches in which he sat, that are kept for good and were over by then."""

    async def kept_match(self, match: str) -> tuple[Match, str] | None:
        """A match that is kept for good, and its record if it has one."""
