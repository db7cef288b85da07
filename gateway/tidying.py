"""Matches that never began leave the store, lists lose what is gone, and names are free again.

Design. One gateway at a time has the turn, and any other takes it when that one is silent. It goes
through the lists from the oldest entry on, a page each time, and begins anew at their end. Closed
matches go to the ledger; open ones that stand for too long, and that nobody but their creator has
joined, are closed; entries that point to nothing any more are dropped; names that were kept for
somebody who has another one are let go. Each step may be repeated.
"""

from __future__ import annotations

import asyncio
import random
import secrets
from collections.abc import Iterable
from dataclasses import replace

import structlog

from bree.process import metrics
from bree.process.again import again_and_again
from bree.process.statuses import Denied
from gateway.contract import Store
from gateway.documents import LISTED, ListEntry, Match, State
from gateway.matches import Matches, now_ms
from gateway.settings import GatewaySettings

log = structlog.get_logger()

TURN = "tidying"
PAGE, PAGES = 100, 20
"""How many matches are looked at together, and how many times in one go."""

REST_SECONDS = 30.0

DEAD_MS = 3_600_000
"""An entry of a list that points to nothing is dropped when it is so old."""

Place = tuple[str, State]


class Tidying:
    """Keeps the lists of what is live short, and names no longer than was said."""

    def __init__(self, settings: GatewaySettings, store: Store, matches: Matches) -> None:
        self.store, self.matches, self.games = store, matches, tuple(settings.replicas)
        self.live_ms = round(1000 * settings.live_seconds)
        self.open_ms = round(1000 * settings.open_seconds)  # 0: open matches are left open
        self.holder = secrets.token_hex(8)
        self._places: dict[Place, ListEntry] = {}

    async def run(self) -> None:
        """Tidy up for ever, while it is this gateway's turn."""
        await again_and_again("tidying", self._tidy_in_turn, REST_SECONDS, (Denied,))

    async def _tidy_in_turn(self) -> None:
        await asyncio.sleep(random.uniform(0, REST_SECONDS))  # noqa: S311 (only a pause)
        if await self.store.take_turn(TURN, self.holder, round(4000 * REST_SECONDS)):
            await self.tidy()
            await self.free_names()

    async def free_names(self) -> int:
        """Let go of names whose time is over; how many those were."""
        freed = 0
        for _ in range(PAGES):
            some = await self.store.free_names(now_ms(), PAGE)
            freed += some
            if some < PAGE:
                break
        if freed:
            log.info("names are free again", names=freed)
        return freed

    async def tidy(self) -> int:
        """Look at some of every list; how many matches left, were closed or dropped."""
        done = 0
        for game in self.games:
            for state in LISTED:
                for _ in range(PAGES):
                    changed, is_last = await self._page(game, state)
                    done += changed
                    if is_last:
                        break
        return done

    async def _page(self, game: str, state: State) -> tuple[int, bool]:
        """Look at the next matches of a list; what that changed, and whether they were the last."""
        place = game, state
        until = now_ms() - min(self.live_ms, DEAD_MS)
        entries = await self.store.aged(game, state, self._places.get(place), until, PAGE)
        if not entries:
            self._places.pop(place, None)
            return 0, True
        self._places[place] = entries[-1]
        found = await self.store.matches([entry.name for entry in entries], past=False)
        dead = now_ms() - DEAD_MS
        pairs = list(zip(entries, found, strict=True))
        gone = [e.name for e, match in pairs if match is None and e.score <= dead]
        await self.store.unlist(game, state, gone)
        done = await self._leave(match for match in found if match)
        return done + len(gone), False

    async def _leave(self, matches: Iterable[Match]) -> int:
        done, now = 0, now_ms()
        for match in matches:
            if match.state is State.CLOSED and match.created_ms <= now - self.live_ms:
                await self.store.keep_closed(match)
                await self.store.keep_notes(match)
                await self.store.take_out(match)
                metrics.LEAVINGS.labels(match.game, "closed").inc()
                done += 1
            elif self._is_abandoned(match, now):
                done += await self._close(match)
        return done

    def _is_abandoned(self, match: Match, now: int) -> bool:
        others = {seat.account for seat in match.seats} - {"", match.creator}
        is_old = bool(self.open_ms) and match.created_ms <= now - self.open_ms
        return is_old and match.state is State.OPEN and not others

    async def _close(self, match: Match) -> bool:
        """Close an open match, unless somebody has come meanwhile; whether that was done."""

        def closed(m: Match) -> Match:
            return replace(m, state=State.CLOSED) if self._is_abandoned(m, now_ms()) else m

        await self.store.list_match(match, State.CLOSED)
        match = await self.matches.change(match, closed)
        if match.state is not State.CLOSED:
            return False
        await self.store.unlist_match(match, State.OPEN)
        await self.matches.free(match)
        log.info("match closed", match=match.id, why="nobody has joined it")
        return True
