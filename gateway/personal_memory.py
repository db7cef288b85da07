"""One's own data in memory: what `ledger_personal.py` does, without a server."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from gateway.account_memory import AccountsInMemory
from gateway.documents import Account, Credentials, ListEntry, Match, match_of, text_of
from gateway.people_contract import Kept, Pages, Proof

if TYPE_CHECKING:
    from gateway.documents import Rating

PSEUDONYM = "gone-"


class PersonalInMemory(AccountsInMemory):
    """The part of a `contract.Store` that concerns one's own data."""

    _past: dict[str, str]
    _seated: dict[str, dict[str, float]]
    _ratings: dict[str, dict[str, Rating]]

    def __init__(self) -> None:
        super().__init__()
        self._allowed: dict[tuple[str, str], float] = {}
        self._texts: dict[str, str] = {}  # of records

    async def leave(self, account: str, proof: Proof, until_ms: int) -> int:
        kept = self._accounts[account]
        held = await self.session(account, proof.session)
        known = (held.token_hash if held else "") if proof.session else kept.token_hash
        if not kept.token_hash or known != proof.token_hash:
            return 0
        leaves = replace(kept.account, leaving_ms=kept.account.leaving_ms or until_ms)
        own = proof.spare_hash if proof.session else kept.token_hash
        self._accounts[account] = Credentials(leaves, own)
        sessions = self._sessions[account]
        self._sessions[account] = {i: s for i, s in sessions.items() if i == proof.session}
        self._codes.pop(account, None)
        return leaves.leaving_ms

    async def keep_account(self, account: str, now_ms: int) -> bool:
        kept = self._accounts[account]
        if 0 < kept.account.leaving_ms <= now_ms:
            return False
        self._accounts[account] = Credentials(replace(kept.account, leaving_ms=0), kept.token_hash)
        return True

    async def leaving(self, after: ListEntry | None, most: int) -> list[ListEntry]:
        leaves = (kept.account for kept in self._accounts.values() if kept.account.leaving_ms)
        entries = sorted(ListEntry(float(account.leaving_ms), account.id) for account in leaves)
        return [entry for entry in entries if after is None or entry > after][:most]

    async def begin_erasing(self, account: str, now_ms: int) -> str:
        who = self._accounts[account].account
        if not 0 < who.leaving_ms <= now_ms:
            return ""
        if who.leaving_ms == 1:
            return who.name
        pseudonym = PSEUDONYM + account[:10]
        for ratings in self._ratings.values():
            if who.player in ratings:
                ratings[pseudonym] = replace(ratings.pop(who.player), player=pseudonym)
        gone = Account(account, pseudonym, created_ms=who.created_ms, bot=who.bot, leaving_ms=1)
        self._accounts[account] = Credentials(gone, "")
        self._sessions.pop(account, None)
        kept = {name: "" if whose == account else whose for name, whose in self._names.items()}
        self._names.update(kept)  # nobody else gets them
        return pseudonym

    async def erase(self, account: str, pseudonym: str, by: str) -> None:
        for name, text in self._past.items():
            match = match_of(text)
            seats = tuple(
                replace(seat, label=pseudonym) if seat.account == account else seat
                for seat in match.seats
            )
            made = pseudonym if match.creator == account else match.creator_name
            self._past[name] = text_of(replace(match, seats=seats, creator_name=made))
        kept = self._accounts[account]
        self._accounts[account] = Credentials(replace(kept.account, leaving_ms=0), "")

    async def drop_lists(self, account: str) -> None:
        self._seated.pop(account, None)

    async def allow(self, account: str, what: str, lease_ms: int) -> int:
        now = time.monotonic() * 1000
        until = self._allowed.get((account, what), 0)
        if until > now:
            return max(1, round(until - now))
        self._allowed[account, what] = now + lease_ms
        return 0

    # Giving out.

    async def kept_of(self, account: Account) -> Kept:
        kept = self._accounts[account.id].account
        found = [(game, ratings.get(kept.player)) for game, ratings in self._ratings.items()]
        return {
            "at_ms": time.time_ns() // 1_000_000,
            "player": kept.player,
            "account": {name: v for name, v in asdict(kept).items() if name != "terms"},
            "wishes": {"no_bots": kept.no_bots},
            "sessions": [{"device": s.device} for s in await self.sessions(account.id)],
            "ratings": [{"game": game, "mu": rating.mu} for game, rating in found if rating],
        }

    async def kept_pages(self, account: Account, kept: Kept) -> Pages:
        pages: list[tuple[str, list[Kept]]] = []
        for page in pages:
            yield page

    async def kept_matches(self, account: Account, kept: Kept) -> AsyncIterator[str]:
        for match in [*self._past]:
            if account.id in text_of(match_of(self._past[match])):
                yield match

    async def kept_match(self, match: str) -> tuple[Match, str] | None:
        text = self._past.get(match)
        return (match_of(text), self._texts.get(match, "")) if text else None
