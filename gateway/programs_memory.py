"""Programs in memory: what `ledger_programs.py` does, without a server."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from gateway.account_memory import AccountsInMemory
from gateway.documents import Credentials, Rating


class ProgramsInMemory(AccountsInMemory):
    """The part of a `contract.Store` that concerns programs."""

    _ratings: defaultdict[str, dict[str, Rating]]

    async def declare_bot(self, account: str, games: Sequence[str]) -> bool:
        kept = self._accounts[account].account
        for game in [] if kept.bot else games:
            if kept.player in self._ratings[game]:
                return False
        self._alter(account, bot=True)
        return True

    async def set_terms(self, account: str, terms: str) -> None:
        self._alter(account, terms=terms)

    async def set_wishes(self, account: str, *, no_bots: bool) -> None:
        self._alter(account, no_bots=no_bots)

    def _alter(self, account: str, **changed: Any) -> None:
        kept = self._accounts[account]
        self._accounts[account] = Credentials(replace(kept.account, **changed), kept.token_hash)

    async def programs(self, players: Sequence[str]) -> set[str]:
        bots = {kept.account.player for kept in self._accounts.values() if kept.account.bot}
        return bots.intersection(players)
