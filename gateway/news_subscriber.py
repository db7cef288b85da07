"""What gateways tell each other, and what is done about it here.

Design. News may be missed while the store is away; then everything they could have said is looked
up. Tokens are looked up now and then besides, so a stream never outlives its token for long.
"""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import NamedTuple

import structlog

from bree.process.statuses import Denied
from gateway.bots import Bots
from gateway.contract import Store
from gateway.current_names import CurrentNames
from gateway.desk.notices import Notices
from gateway.desk.shut_out import ShutOut, is_banned
from gateway.documents import News
from gateway.limits import Streams
from gateway.match_changes import MatchChanges
from gateway.news import NewsStreams
from gateway.notes import Notes
from gateway.refusals import bug, leaves, unauthenticated

log = structlog.get_logger()

REST_SECONDS = 1.0
CANCEL_SECONDS = 0.1


class Hearers(NamedTuple):
    """Those who are told what others have done."""

    bots: Bots
    news: NewsStreams
    changes: MatchChanges
    names: CurrentNames
    notes: Notes
    notices: Notices
    shut_out: ShutOut


class NewsSubscriber:
    """Listens for as long as the gateway runs."""

    def __init__(self, store: Store, hearers: Hearers, streams: Streams, seconds: float) -> None:
        self.store, self.streams, self.seconds = store, streams, seconds
        self.bots, self.news, self.changes, self.names, self.notes = hearers[:5]
        self.notices, self.shut_out = hearers.notices, hearers.shut_out
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin to listen."""
        self._tasks = [
            asyncio.create_task(work) for work in (self._listen(), self._keep_checking())
        ]

    async def close(self) -> None:
        """Stop listening."""
        left = set(self._tasks)
        while left:
            for task in left:
                task.cancel()
            # Before Python 3.12 what a library waits for may swallow it; so it is said again.
            _, left = await asyncio.wait(left, timeout=CANCEL_SECONDS)
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _listen(self) -> None:
        while True:
            try:
                async with aclosing(self.store.news()) as news:
                    async for said in news:
                        await self._take(said)
            except Exception as error:  # noqa: BLE001 (the next news must still be heard)
                bug("news", error)
            await asyncio.sleep(REST_SECONDS)

    async def _take(self, news: News) -> None:
        match news.kind:
            case "started":
                self.bots.hear_of(news.match, news.accounts)
            case "changed":
                self.changes.hear_of(news.match, news.accounts)
            case "named":
                self.names.forget(news.accounts, news.more)
            case "note":
                self.notes.hear_of(news.accounts, news.more)
            case "notice":
                self.notices.hear_of(news.accounts, news.more)
            case "token":
                await self._check(*news.accounts)
            case "stream":
                self.news.hear_of_stream(news.accounts[0], news.more)
            case "follow":
                self.news.hear_of_change(news.accounts[0], news.more)
            case "listening":
                self.bots.look_again()
                await self._check(*self.streams.accounts())
                await self.changes.look_again()

    async def _keep_checking(self) -> None:
        while True:
            await asyncio.sleep(self.seconds)
            await self._check(*self.streams.accounts())

    async def _check(self, *accounts: str) -> None:
        """End the streams of those who are banned or leave, or whose tokens are worth nothing."""
        checked = [account for account in accounts if self.streams.has(account)]
        try:
            for account in await self.store.accounts(checked):
                if account and is_banned(account):
                    self.streams.end(account.id, await self.shut_out.refusal(account))
                elif account and account.leaving_ms:
                    self.streams.end(account.id, leaves(account))
            for account_id in checked:
                good = await self.store.token_hashes(account_id)
                self.streams.end(account_id, unauthenticated(), unless=good)
        except Denied as denied:
            log.info("tokens not checked", reason=denied.reason)
