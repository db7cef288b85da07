"""Who is here: the accounts that listen to news, questions or a match, at whichever gateway.

Design. Whoever listens has a lease in the store, which each gateway where he does renews again and
again. Nothing has to be said when he goes: the lease ends by itself, as it does when his gateway is
killed, and only sooner if that can say so. Whether somebody is here is told of those who sit in
matches that are open or running, with the match; so when a lease begins, or is found to have ended,
the matches of its account are told as changed. Of all gateways the one that finds it does so.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

import structlog

from bree.process.statuses import Denied
from gateway import call_context
from gateway.contract import Store
from gateway.current_names import SEEN
from gateway.documents import Account
from gateway.matches import Matches, now_ms
from gateway.refusals import bug

log = structlog.get_logger()

MOST_TOLD = 32
"""In how many matches it is told that somebody has come or gone: the latest that he sits in."""

AT_ONCE = 100
"""How many who have gone are looked for together."""


class Presence:
    """Keeps the leases of those who listen here, and tells who has come and gone."""

    def __init__(self, store: Store, matches: Matches, seconds: float) -> None:
        self.store, self.matches = store, matches
        self.lease_ms = round(1000 * seconds)
        self._listening: Counter[str] = Counter()
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Begin to renew leases."""
        self._begin(self._keep_on())

    async def close(self) -> None:
        """Stop; what leases there are end by themselves."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    @contextmanager
    def listening(self, account: Account) -> Iterator[None]:
        """An account listens, as long as this lasts."""
        self._listening[account.id] += 1
        if self._listening[account.id] == 1:
            self._begin(self._arrive(account.id))
        try:
            yield
        finally:
            self._listening[account.id] -= 1
            if not self._listening[account.id]:
                del self._listening[account.id]
                self._begin(self._depart(account.id))

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = call_context.detached_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _arrive(self, account: str) -> None:
        now = now_ms()
        try:
            if await self.store.arrive(account, now, now + self.lease_ms):
                await self._tell(account)
        except Denied as denied:  # it is renewed soon
            log.info("arrival not noted", reason=denied.reason)

    async def _depart(self, account: str) -> None:
        """End a lease soon, but not before another gateway would have renewed it, or a reload."""
        try:
            await self.store.depart(account, now_ms() + self.lease_ms // 2)
        except Denied as denied:  # it ends by itself
            log.info("departure not noted", reason=denied.reason)

    async def _keep_on(self) -> None:
        """Renew leases, and look for those that have ended."""
        while True:
            await asyncio.sleep(self.lease_ms / 4000)
            try:
                await self.store.stay(list(self._listening), now_ms() + self.lease_ms)
                for account in await self.store.gone(now_ms(), AT_ONCE):
                    await self._tell(account)
            except Denied as denied:
                log.info("leases not renewed", reason=denied.reason)
            except Exception as error:  # noqa: BLE001 (the next time must still come)
                bug("presence", error)

    async def _tell(self, account: str) -> None:
        """Tell the matches of an account anew."""
        entries = (await self.store.live(account))[:MOST_TOLD]
        for match in await self.store.matches([entry.name for entry in entries], past=False):
            if match is not None and match.state in SEEN:
                await self.matches.tell(match, because_of=account)
