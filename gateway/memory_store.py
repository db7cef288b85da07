"""The store in memory: what others do, without a server. For tests and for measuring."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

from gateway.contract import ALL, MOST_ASKED, Archived, Reservation, Settled
from gateway.desk.memory import DeskInMemory
from gateway.documents import (
    ListEntry,
    Match,
    News,
    Note,
    Rating,
    Recorded,
    Result,
    State,
    match_of,
    text_of,
)
from gateway.fields import BOT
from gateway.keyring_memory import KeyringInMemory
from gateway.names_memory import NamesInMemory
from gateway.paces import pace_of, paced
from gateway.personal_memory import PersonalInMemory
from gateway.programs_memory import ProgramsInMemory
from gateway.results_memory import ResultsInMemory
from gateway.ways_memory import WaysInMemory

Scored = dict[str, float]


class MemoryStore(
    DeskInMemory,
    ResultsInMemory,
    KeyringInMemory,
    NamesInMemory,
    WaysInMemory,
    ProgramsInMemory,
    PersonalInMemory,
):
    """A `contract.Store` that is gone when the process ends."""

    def __init__(self) -> None:
        super().__init__()
        self._open: defaultdict[str, Scored] = defaultdict(dict)
        self._asked: dict[tuple[str, str], Reservation] = {}
        self._live: defaultdict[str, Scored] = defaultdict(dict)
        self._ended: defaultdict[str, Scored] = defaultdict(dict)
        self._seated: defaultdict[str, Scored] = defaultdict(dict)
        self._matches: dict[str, str] = {}
        self._lists: defaultdict[tuple[str, State], Scored] = defaultdict(dict)
        self._ratings: defaultdict[str, dict[str, Rating]] = defaultdict(dict)
        self._settled: dict[tuple[str, str], str] = {}
        self._archived: dict[str, Archived] = {}
        self._past: dict[str, str] = {}  # what has left
        self._notes: defaultdict[tuple[str, str], list[Note]] = defaultdict(list)
        self._here: Scored = {}
        self._subscribers: set[asyncio.Queue[News]] = set()

    async def close(self) -> None:
        self._subscribers.clear()

    @asynccontextmanager
    async def fenced(self) -> AsyncIterator[None]:
        """All that is read is as safe as it will ever be."""
        yield

    # Room for open matches.

    async def reservation(self, account: str, request_id: str) -> Reservation | None:
        return self._asked.get((account, request_id))

    async def reserve(
        self, account: str, wanted: Reservation, now_ms: int, most: int
    ) -> Reservation | None:
        asked = (account, wanted.request_id)
        if wanted.request_id and asked in self._asked:
            return self._asked[asked]
        room = self._open[account]
        if wanted.match not in room and len(room) >= most:
            return None
        room[wanted.match] = now_ms
        if wanted.request_id:
            self._asked[asked] = wanted
        return wanted

    async def reserved(self, account: str) -> list[ListEntry]:
        return _entries(self._open[account], None, ALL)

    async def unreserve(self, account: str, entries: Sequence[ListEntry]) -> None:
        _forget(self._open[account], entries)

    # Matches.

    async def add_match(self, match: Match) -> Match:
        return match_of(self._matches.setdefault(match.id, text_of(match)))

    async def match(self, match: str, *, past: bool = True) -> Match | None:
        text = self._matches.get(match) or (self._past.get(match) if past else None)
        return match_of(text) if text else None

    async def matches(self, ids: Sequence[str], *, past: bool = True) -> list[Match | None]:
        return [await self.match(match, past=past) for match in ids]

    async def swap_match(self, old: Match, new: Match) -> bool:
        text = self._matches.get(new.id)
        if text is None:
            return False
        if text != text_of(new) and match_of(text).version != old.version:
            return False
        self._matches[new.id] = text_of(new)
        return True

    # Lists of matches.

    async def list_match(self, match: Match, state: State) -> None:
        self._lists[match.game, state][match.id] = match.created_ms

    async def unlist_match(self, match: Match, state: State) -> None:
        self._lists[match.game, state].pop(match.id, None)

    async def listed(
        self, game: str, state: State, after: ListEntry | None, most: int
    ) -> list[ListEntry]:
        return _entries(self._lists[game, state], after, most)

    async def enter(self, account: str, match: Match, now_ms: int, most: int) -> bool:
        live = self._live[account]
        if match.id not in live and len(live) >= most:
            return False
        live[match.id] = now_ms
        self._seated[account][match.id] = match.created_ms
        return True

    async def live(self, account: str) -> list[ListEntry]:
        return _entries(self._live[account], None, ALL)

    async def unlive(self, account: str, entries: Sequence[ListEntry]) -> None:
        _forget(self._live[account], entries)

    async def finish(self, match: Match) -> None:
        for state in (State.OPEN, State.RUNNING):
            await self.unlist_match(match, state)
        for account in {seat.account for seat in match.seats}:
            if self._live[account].pop(match.id, None) is not None:
                self._ended[account][match.id] = time.time_ns() // 1_000_000

    async def ended(self, account: str) -> list[ListEntry]:
        return _entries(self._ended[account], None, ALL)

    async def unended(self, account: str, entries: Sequence[ListEntry]) -> None:
        _forget(self._ended[account], entries)

    async def seated(
        self, account: str, after: ListEntry | None, most: int, *, past: bool = True
    ) -> list[ListEntry]:
        return _entries(self._seated[account], after, most)

    # Ratings.

    async def ratings(self, game: str, players: Sequence[str]) -> list[Rating | None]:
        return [self._ratings[game].get(player) for player in players]

    async def leaders(
        self, game: str, after: ListEntry | None, most: int, *, people: bool = False
    ) -> list[Rating]:
        kept = self._ratings[game]
        bots = {one for one in kept if one.startswith(BOT)} | await self.programs([*kept])
        scored = {
            player: r.ordinal for player, r in kept.items() if player not in bots or not people
        }
        return [kept[entry.name] for entry in _entries(scored, after, most)]

    async def settled(self, game: str, match: str) -> str:
        return self._settled.get((game, match), "")

    async def settle(
        self,
        match: Match,
        ratings: Sequence[Rating],
        recorded: Recorded,
        results: Sequence[Result] = (),
        paced_ratings: Sequence[Rating] = (),
    ) -> Settled:
        done = (match.game, match.id)
        if done in self._settled:
            return Settled(now=False)
        pace = paced(match.game, pace_of(match.clock))
        both = ((match.game, ratings), (pace, paced_ratings))
        for game, given in both:
            for number, rating in enumerate(given):
                before = self._ratings[game].get(rating.player)
                if (before.version if before else 0) != rating.version:
                    return Settled(now=False, changed=number, in_pace=game != match.game)
        for game, given in both:
            self._rate(game, match.id, given)
        self.keep_results(results)
        self._settled[done] = match.settled
        self._archived[match.id] = Archived(recorded.head, recorded.revision)
        self._past[match.id] = text_of(match)
        return Settled(now=True)

    def _rate(self, game: str, match: str, given: Sequence[Rating]) -> None:
        kept = self._ratings[game]
        for rating in given:
            before = kept.get(rating.player)
            matches = before.matches if before else 0
            new = replace(rating, version=rating.version + 1, matches=matches + 1)
            kept[rating.player] = new
            self.keep_point(game, match, new)

    # Leaving.

    async def archived(self, match: str) -> Archived | None:
        return self._archived.get(match)

    async def keep_closed(self, match: Match) -> None:
        self._past.setdefault(match.id, text_of(match))

    async def keep_notes(self, match: Match) -> None:
        return  # they are kept as long as the process

    async def take_out(self, match: Match) -> None:
        self._past.setdefault(match.id, text_of(match))
        for listed in (*self._lists.values(), *self._live.values(), *self._open.values()):
            listed.pop(match.id, None)
        self._asked = {r: kept for r, kept in self._asked.items() if kept.match != match.id}
        self._matches.pop(match.id, None)

    async def aged(
        self, game: str, state: State, after: ListEntry | None, before_ms: int, most: int
    ) -> list[ListEntry]:
        listed = self._lists[game, state].items()
        entries = sorted(ListEntry(score, match) for match, score in listed if score <= before_ms)
        return [entry for entry in entries if after is None or entry > after][:most]

    async def unlist(self, game: str, state: State, matches: Sequence[str]) -> None:
        for match in matches:
            self._lists[game, state].pop(match, None)

    async def take_turn(self, what: str, holder: str, lease_ms: int) -> bool:
        return True

    # Notes.

    async def add_note(self, match: str, team: str, note: Note, most: int) -> Note:
        kept = self._notes[match, team]
        asked = (note.account, note.request_id)
        known = [one for one in kept[-MOST_ASKED:] if (one.account, one.request_id) == asked]
        if known:
            return known[0]
        kept.append(note._replace(number=kept[-1].number + 1 if kept else 1))
        del kept[:-most]
        return kept[-1]

    async def notes(self, match: str, team: str, before: int, most: int) -> list[Note]:
        kept = self._notes[match, team]
        found = [note for note in reversed(kept) if before == ALL or note.number < before]
        return found[:most]

    # Who is here.

    async def arrive(self, account: str, now_ms: int, until_ms: int) -> bool:
        was_away = self._here.get(account, 0) <= now_ms
        await self.stay([account], until_ms)
        return was_away

    async def stay(self, accounts: Sequence[str], until_ms: int) -> None:
        for account in accounts:
            self._here[account] = max(until_ms, self._here.get(account, 0))

    async def depart(self, account: str, until_ms: int) -> None:
        if account in self._here:
            self._here[account] = min(until_ms, self._here[account])

    async def gone(self, now_ms: int, most: int) -> list[str]:
        over = [account for account, until in self._here.items() if until <= now_ms][:most]
        for account in over:
            del self._here[account]
        return over

    async def here(self, accounts: Sequence[str], now_ms: int) -> set[str]:
        return {account for account in accounts if self._here.get(account, 0) > now_ms}

    # News.

    async def tell(self, news: News) -> None:
        for subscriber in self._subscribers:
            subscriber.put_nowait(news)

    async def news(self) -> AsyncGenerator[News, None]:
        subscriber: asyncio.Queue[News] = asyncio.Queue()
        self._subscribers.add(subscriber)
        try:
            yield News("listening")
            while True:
                yield await subscriber.get()
        finally:
            self._subscribers.discard(subscriber)


def _entries(scored: Scored, after: ListEntry | None, most: int) -> list[ListEntry]:
    entries = sorted(
        (ListEntry(float(score), name) for name, score in scored.items()), reverse=True
    )
    if after is not None:
        entries = [entry for entry in entries if entry < after]
    return entries if most == ALL else entries[:most]


def _forget(scored: Scored, entries: Sequence[ListEntry]) -> None:
    for entry in entries:
        if scored.get(entry.name) == entry.score:
            del scored[entry.name]
