"""What an address may do without an account: make one, guess tokens and codes, and look around."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from bree.process.statuses import Denied
from gateway.accounts import Accounts
from gateway.documents import Account
from gateway.limits import TokenBuckets
from gateway.refusals import unauthenticated
from gateway.settings import GatewaySettings

PAUSE_SECONDS, MOST_WAITING = 0.2, 10_000
"""How long a refusal of a caller in haste is held back, and how many may wait for theirs."""


class Visitors:
    """The limits of those who have shown no token yet."""

    def __init__(self, settings: GatewaySettings, accounts: Accounts) -> None:
        self.accounts = accounts
        self._waiting = 0
        looks, made = settings.looks_a_second, settings.new_accounts_a_minute
        self.looks = TokenBuckets(looks, settings.looks_burst, f"{looks:g} requests a second")
        wrong = settings.wrong_tokens_a_minute
        self.guesses = TokenBuckets(
            wrong / 60, settings.wrong_tokens_burst, f"{wrong:g} wrong tokens a minute"
        )
        self.made = TokenBuckets(
            made / 60, settings.new_accounts_burst, f"{made:g} accounts a minute"
        )

    async def proved(self, token: str, address: Callable[[], str]) -> Account:
        """Whose token it is. An address may try only a few that were never right here."""
        if self.accounts.was_right(token):
            return await self.accounts.prove(token)
        who = address()
        if self.accounts.is_wrong(token):  # which costs no look, so it is no more than a nuisance
            await self.let_in(self.looks, who)
            raise unauthenticated()
        await self.let_in(self.guesses, who)
        account = await self.accounts.prove(token)
        self.no_guess(who)
        return account

    def no_guess(self, who: str) -> None:
        """What an address tried last was right, so it does not count."""
        self.guesses.charge(who, -1)

    async def let_in(self, buckets: TokenBuckets, key: str, price: float = 1) -> None:
        """Take from a bucket; whom it refuses is told so after a pause, so that he does not haste.

        Only MOST_WAITING wait: who has more calls open is no client who waits for answers.
        """
        try:
            buckets.take(key, price)
        except Denied:
            if self._waiting < MOST_WAITING:
                self._waiting += 1
                try:
                    await asyncio.sleep(PAUSE_SECONDS)
                finally:
                    self._waiting -= 1
            raise
