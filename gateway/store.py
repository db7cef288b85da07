"""The store on Redis: with `account_store.py` all that knows the keys of lobby and ratings.

Design. Each entity has a hash tag, so that a cluster may spread them: an account with its lists
`{a:…}`, a name `{n:…}`, a login code `{c:…}`, a match with its notes `{m:…}`, the lists of a game's
matches `{i:…}`, the ratings of a game `{r:…}` and who is here `{h:all}`. A script stays within one
of them. Every command may be sent twice.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncGenerator, AsyncIterator, Sequence

import structlog
from redis.asyncio import Redis
from redis.exceptions import ConnectionError, RedisError  # noqa: A004  # theirs

from gateway.account_store import PREFIX, AccountsOnRedis, account_key
from gateway.contract import ALL, MOST_ASKED, Reservation, Settled
from gateway.documents import (
    ListEntry,
    Match,
    News,
    Note,
    Rating,
    State,
    match_of,
    text_of,
)
from gateway.redis_link import AWAY, connection, word_for

log = structlog.get_logger()

NEWS, MORE = PREFIX + "news", "="
HERE, AT_ONCE = PREFIX + "{h:all}", 1000
"""The key of until when each account is here, and of how many that is said at once."""

SILENT_SECONDS = 5.0
"""After so long without news there must be another sign of life, and as soon again."""

MOST_ENDED, ENDED_SECONDS = 1000, 7 * 86_400
"""How many untold ends are kept for an account, the latest ones, and for how long."""


def match_key(match: str) -> str:
    """The key of a match."""
    return f"{PREFIX}{{m:{match}}}"


def list_key(game: str, state: State) -> str:
    """The key of the list of a game's matches in one state."""
    return f"{PREFIX}{{i:{game}}}:{state}"


def notes_key(match: str, team: str) -> str:
    """The key of the notes that a team of a match has written."""
    return f"{match_key(match)}:notes:{team}"


def rating_key(game: str, part: str) -> str:
    """The key of a game's ratings, its leaders, or that a match is settled."""
    return f"{PREFIX}{{r:{game}}}:{part}"


class RedisStore(AccountsOnRedis):
    """A `contract.Store` on one Redis server."""

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

    async def match(self, match: str) -> Match | None:
        text = await self._ask("HGET", match_key(match), "doc")
        if not text:
            await self.prove()
        return match_of(text) if text else None

    async def matches(self, ids: Sequence[str]) -> list[Match | None]:
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
        await self._many([("ZREM", key, match.id) for key in keys], "OUTCOME_UNKNOWN")
        for account in {seat.account for seat in match.seats if seat.account}:
            keys = [account_key(account, "live"), account_key(account, "ended")]
            await self._run("finish", keys, match.id, MOST_ENDED, ENDED_SECONDS)

    async def ended(self, account: str) -> list[ListEntry]:
        return await self._entries(account_key(account, "ended"), None, ALL)

    async def unended(self, account: str, entries: Sequence[ListEntry]) -> None:
        await self._forget(account_key(account, "ended"), entries)

    async def seated(self, account: str, after: ListEntry | None, most: int) -> list[ListEntry]:
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

    # Ratings.

    async def ratings(self, game: str, players: Sequence[str]) -> list[Rating | None]:
        if not players:
            return []
        rows = await self._ask("HMGET", rating_key(game, "ratings"), *players)
        return [_rating(player, row) for player, row in zip(players, rows, strict=True)]

    async def leaders(self, game: str, after: ListEntry | None, most: int) -> list[Rating]:
        entries = await self._entries(rating_key(game, "leaders"), after, most)
        found = await self.ratings(game, [entry.name for entry in entries])
        return [rating for rating in found if rating]

    async def settled(self, game: str, match: str) -> str:
        return str(await self._ask("GET", rating_key(game, f"settled:{match}")) or "")

    async def settle(self, game: str, match: str, ratings: Sequence[Rating]) -> Settled:
        keys = [rating_key(game, part) for part in (f"settled:{match}", "ratings", "leaders")]
        rows = [
            field
            for r in ratings
            for field in (r.player, r.version, repr(r.mu), repr(r.sigma), repr(r.ordinal))
        ]
        mark = "counted" if ratings else "uncounted"
        said, which = await self._run("settle", keys, mark, *rows)
        return Settled(said == "settled", int(which) if said == "changed" else None)

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
        await self._tell("PUBLISH", NEWS, text)

    async def news(self) -> AsyncGenerator[News, None]:
        redis = connection(self._url, 1, retries=1)
        try:
            while True:
                try:
                    async for news in _listen(redis):
                        yield news
                except RedisError as error:
                    if not isinstance(error, AWAY) and not word_for(error):
                        raise
                    log.warning("news lost", error=str(error))
                    await asyncio.sleep(random.uniform(0.2, 0.6))  # noqa: S311 (only a pause)
        finally:
            await redis.aclose()
            await redis.connection_pool.disconnect()


async def _listen(redis: Redis) -> AsyncIterator[News]:
    async with redis.pubsub() as channel:
        await channel.subscribe(NEWS)
        is_silent = False
        while True:
            message = await channel.get_message(timeout=SILENT_SECONDS)
            if message is not None:
                is_silent = False
            elif is_silent:  # it may stand still, or be no primary any more
                raise ConnectionError("no sign of life from who tells the news")
            else:
                is_silent = True
                await channel.ping()
            if message is None:
                continue
            if message["type"] == "subscribe":  # after every silent reconnection, too
                yield News("listening")
            elif message["type"] == "message":
                yield _news(message["data"])


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


def _rating(player: str, row: str | None) -> Rating | None:
    if row is None:
        return None
    version, matches, mu, sigma, ordinal = row.split(" ")
    return Rating(player, float(mu), float(sigma), float(ordinal), int(matches), int(version))
