"""What is live, on Redis: the lobby, matches with their lists and notes, who is here, and news.

Design. A script stays within one hash tag (`keys.py`), so that a cluster may spread them. Every
command may be sent twice.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

import structlog

from bree.process.statuses import Denied
from bree.redis.client import Away
from gateway.contract import ALL, MOST_ASKED, Reservation
from gateway.documents import (
    ListEntry,
    Match,
    News,
    Note,
    State,
    match_of,
    text_of,
)
from gateway.keys import (
    HERE,
    NEWS,
    NEWS_CHANNELS,
    account_key,
    list_key,
    match_key,
    news_channel,
    notes_key,
)
from gateway.redis_link import LOST, RedisLink

log = structlog.get_logger()

MORE = "="
AT_ONCE = 1000
"""Of how many it is said at once that they are here."""

MOST_ENDED, ENDED_SECONDS = 1000, 7 * 86_400
"""How many untold ends are kept for an account, the latest ones, and for how long."""


class RedisStore(RedisLink):
    """The part of a `contract.Store` that is on one Redis server."""

    # Room for open matches.

    async def reservation(self, account: str, request_id: str) -> Reservation | None:
        kept = await self._ask("HGET", account_key(account, "asked"), request_id)
        return _reservation(kept, request_id)

    async def reserve(
        self, account: str, wanted: Reservation, now_ms: int, most: int
    ) -> Reservation | None:
        keys = [account_key(account, "open"), account_key(account, "asked")]
        kept = await self._run(
            "reserve", keys, wanted.match, now_ms, wanted.request_id, wanted.digest, most
        )
        return _reservation(kept, wanted.request_id)

    async def reserved(self, account: str) -> list[ListEntry]:
        return await self._entries(account_key(account, "open"), None, ALL)

    async def unreserve(self, account: str, entries: Sequence[ListEntry]) -> None:
        await self._forget(account_key(account, "open"), entries)

    # Matches.

    async def add_match(self, match: Match) -> Match:
        kept = await self._run("add_match", [match_key(match.id)], match.version, text_of(match))
        return match_of(kept)

    async def match(self, match: str, *, past: bool = True) -> Match | None:
        text = await self._ask("HGET", match_key(match), "doc")
        if not text:
            await self.prove()
        return match_of(text) if text else None

    async def surely(self, match: str) -> Match | None:
        """The match with this id; that there is none is not said by a server that was replaced."""
        try:
            async with self.fenced():
                text = await self._ask("HGET", match_key(match), "doc")
        except Denied as denied:
            raise Denied("UNAVAILABLE", denied.message, part="store") from denied
        return match_of(text) if text else None

    async def matches(self, ids: Sequence[str], *, past: bool = True) -> list[Match | None]:
        if not ids:
            return []
        asked = [("HGET", match_key(match), "doc") for match in ids]
        texts = await self._many(asked, "UNAVAILABLE")
        return [match_of(text) if text else None for text in texts]

    async def swap_match(self, old: Match, new: Match) -> bool:
        versions = (old.version, new.version)
        return bool(await self._run("swap_match", [match_key(new.id)], *versions, text_of(new)))

    # Lists of matches.

    async def list_match(self, match: Match, state: State) -> None:
        await self._tell("ZADD", list_key(match.game, state), match.created_ms, match.id)

    async def unlist_match(self, match: Match, state: State) -> None:
        await self._tell("ZREM", list_key(match.game, state), match.id)

    async def listed(
        self, game: str, state: State, after: ListEntry | None, most: int
    ) -> list[ListEntry]:
        return await self._entries(list_key(game, state), after, most)

    async def enter(self, account: str, match: Match, now_ms: int, most: int) -> bool:
        keys = [account_key(account, "live"), account_key(account, "seated")]
        return bool(await self._run("enter", keys, match.id, now_ms, match.created_ms, most))

    async def live(self, account: str) -> list[ListEntry]:
        return await self._entries(account_key(account, "live"), None, ALL)

    async def unlive(self, account: str, entries: Sequence[ListEntry]) -> None:
        await self._forget(account_key(account, "live"), entries)

    async def finish(self, match: Match) -> None:
        keys = [list_key(match.game, state) for state in (State.OPEN, State.RUNNING)]
        await self._many([("ZREM", key, match.id) for key in keys], LOST)
        for account in {seat.account for seat in match.seats if seat.account}:
            keys = [account_key(account, "live"), account_key(account, "ended")]
            await self._run("finish", keys, match.id, MOST_ENDED, ENDED_SECONDS)

    async def ended(self, account: str) -> list[ListEntry]:
        return await self._entries(account_key(account, "ended"), None, ALL)

    async def unended(self, account: str, entries: Sequence[ListEntry]) -> None:
        await self._forget(account_key(account, "ended"), entries)

    async def seated(
        self, account: str, after: ListEntry | None, most: int, *, past: bool = True
    ) -> list[ListEntry]:
        return await self._entries(account_key(account, "seated"), after, most)

    async def _entries(self, key: str, after: ListEntry | None, most: int) -> list[ListEntry]:
        if after is None:
            end = ALL if most == ALL else most - 1  # Redis means the same by it
            flat = await self._ask("ZREVRANGE", key, 0, end, "WITHSCORES")
        else:
            entry = (repr(float(after.score)), after.name, most)
            flat = await self._run("page", [key], *entry, lost="UNAVAILABLE")
        return [ListEntry(float(flat[i + 1]), flat[i]) for i in range(0, len(flat), 2)]

    async def _forget(self, key: str, entries: Sequence[ListEntry]) -> None:
        if entries:
            pairs = [part for entry in entries for part in (entry.name, repr(entry.score))]
            await self._run("forget", [key], *pairs)

    # Notes.

    async def add_note(self, match: str, team: str, note: Note, most: int) -> Note:
        asked = (note.account, note.request_id)
        text = json.dumps(note[:-1], ensure_ascii=False, separators=(",", ":"))
        keys = [notes_key(match, team)]
        kept, number = await self._run("add_note", keys, *asked, text, most, MOST_ASKED)
        return _note(kept, number)

    async def notes(self, match: str, team: str, before: int, most: int) -> list[Note]:
        highest = "+inf" if before == ALL else f"({before}"
        page = (highest, "-inf", "WITHSCORES", "LIMIT", 0, most)
        flat = await self._ask("ZREVRANGEBYSCORE", notes_key(match, team), *page)
        return [_note(flat[i], flat[i + 1]) for i in range(0, len(flat), 2)]

    # Who is here.

    async def arrive(self, account: str, now_ms: int, until_ms: int) -> bool:
        asked = [("ZSCORE", HERE, account), ("ZADD", HERE, "GT", until_ms, account)]
        known, _ = await self._many(asked, "UNAVAILABLE")
        return known is None or float(known) <= now_ms

    async def stay(self, accounts: Sequence[str], until_ms: int) -> None:
        for at in range(0, len(accounts), AT_ONCE):
            scored = [part for who in accounts[at : at + AT_ONCE] for part in (until_ms, who)]
            await self._ask("ZADD", HERE, "GT", *scored)

    async def depart(self, account: str, until_ms: int) -> None:
        await self._ask("ZADD", HERE, "XX", "LT", until_ms, account)

    async def gone(self, now_ms: int, most: int) -> list[str]:
        return list(await self._run("gone", [HERE], now_ms, most, lost="UNAVAILABLE"))

    async def here(self, accounts: Sequence[str], now_ms: int) -> set[str]:
        if not accounts:
            return set()
        until = await self._ask("ZMSCORE", HERE, *accounts)
        pairs = zip(accounts, until, strict=True)
        return {account for account, ms in pairs if ms is not None and float(ms) > now_ms}

    # News.

    async def tell(self, news: News) -> None:
        more = (MORE + news.more,) if news.more else ()
        text = " ".join((news.kind, news.match or "-", *news.accounts, *more))
        about = news.match or next(iter(news.accounts), "")
        channel = news_channel(about) if self._client.is_cluster else NEWS
        told = self._client.publication(channel, text)
        await self._answer(lambda: self._client.call(*told), LOST)  # there is nothing to be lost

    async def news(self) -> AsyncGenerator[News, None]:
        channels = NEWS_CHANNELS if self._client.is_cluster else (NEWS,)
        while True:
            try:
                async with aclosing(self._client.listen(channels)) as heard:
                    async for text in heard:
                        yield _news(text) if text is not None else News("listening")
            except Away as error:
                log.warning("news lost", error=str(error))
            await asyncio.sleep(random.uniform(0.2, 0.6))  # noqa: S311 (only a pause)


def _news(text: str) -> News:
    kind, match, *accounts = text.split(" ")
    more = accounts.pop()[1:] if accounts and accounts[-1].startswith(MORE) else ""
    return News(kind, "" if match == "-" else match, tuple(accounts), more)


def _note(text: str, number: str) -> Note:
    account, label, seat, said, at_ms, request_id = json.loads(text)
    return Note(account, label, seat, said, at_ms, request_id, int(number))


def _reservation(kept: str | None, request_id: str) -> Reservation | None:
    match, _, digest = (kept or "").partition(" ")
    return Reservation(match, digest, request_id) if match else None
