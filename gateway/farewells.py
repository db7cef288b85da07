"""How an account that is to be deleted goes: from its matches first, and then from everything.

Design. One gateway at a time has the turn. At tables where play has not begun nobody waits for who
leaves, not even for a week. When the week is over he resigns in what runs. What is live has his
name in many places, and goes to the ledger by itself when it is over; so he is struck out of the
ledger when nothing live has him any more, which is about an hour later, and later where others play
on after he has resigned. Each step may be repeated, and whoever takes the turn begins with the
first.
"""

from __future__ import annotations

import asyncio
import random
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace

import structlog

from bree.engine.v1 import engine_pb2 as engine
from bree.process.again import again_and_again
from bree.process.statuses import Denied
from gateway.contract import Store
from gateway.documents import LISTED, Account, ListEntry, Match, News, State
from gateway.lobby import Lobby
from gateway.matches import Matches, now_ms

log = structlog.get_logger()

TURN = "farewells"
BY = "the account itself, a week before"
PAGE = 100
REST_SECONDS = 30.0


class Farewells:
    """Sees off those whose time is over."""

    def __init__(self, store: Store, matches: Matches, lobby: Lobby, games: Sequence[str]) -> None:
        self.store, self.matches, self.lobby, self.games = store, matches, lobby, games
        self.holder = secrets.token_hex(8)

    async def run(self) -> None:
        """See people off for ever, while it is this gateway's turn."""
        await again_and_again("farewells", self._in_turn, REST_SECONDS, (Denied,))

    async def _in_turn(self) -> None:
        await asyncio.sleep(random.uniform(0, REST_SECONDS))  # noqa: S311 (only a pause)
        if await self.store.take_turn(TURN, self.holder, round(4000 * REST_SECONDS)):
            await self.see_off()

    async def see_off(self) -> int:
        """Look at everybody who leaves; how many are gone now."""
        done, after = 0, None
        while entries := await self.store.leaving(after, PAGE):
            begun = {}
            for entry in entries:
                if pseudonym := await self._ready(entry):
                    begun[entry.name] = pseudonym
            if begun:
                done += await self._erase(begun)
            after = entries[-1]
        return done

    async def _ready(self, entry: ListEntry) -> str:
        """Have somebody leave what he can; his pseudonym, if there is nothing left of him there."""
        try:
            found = await self.store.credentials(entry.name, surely=True)
            if found is None or not found.account.leaving_ms:
                return ""
            await self.leave_open(found.account)
            if entry.score > now_ms() or not await self._is_clear(found.account):
                return ""
            pseudonym = await self.store.begin_erasing(entry.name, now_ms())
            called = found.account.player  # under which names are looked up
            await self.store.tell(News("named", accounts=(entry.name,), more=called))
        except Denied as denied:  # others wait, too
            log.info("not seen off this time", account=entry.name, reason=denied.reason)
            return ""
        return pseudonym

    async def leave_open(self, account: Account) -> None:
        """Have an account leave the matches that have not begun."""
        for match in await self._matches_of(account):
            if match.state is State.OPEN:
                try:
                    await self.lobby.withdraw(account, match)
                except Denied as denied:  # it has begun, or is to be left another time
                    log.info("not left", match=match.id, reason=denied.reason)

    async def _is_clear(self, account: Account) -> bool:
        """Whether nothing that is live has him any more; what runs, he resigns in."""
        found = await self._matches_of(account)
        for match in found:
            latest = await self.matches.refreshed(match)
            if latest.state is State.RUNNING:
                await self._resign(account, latest)
        return not found

    async def _resign(self, account: Account, match: Match) -> None:
        for seat in match.seats_of(account):
            request = engine.ResignRequest(
                match=match.id, seat=seat.name, request_id=f"leaving.{seat.name}"[:40]
            )
            try:
                answer = await self.matches.engines.ask("Resign", match.game, request)
            except Denied as denied:  # he has before, or it is over
                log.info("not resigned", match=match.id, seat=seat.name, reason=denied.reason)
            else:
                match = await self.matches.see(match, answer.standing)

    async def _matches_of(self, account: Account) -> list[Match]:
        """What is live of the matches in which he sits or sat, or that he has opened."""
        ids = {entry.name for entry in await self.store.live(account.id)}
        ids |= {entry.name for entry in await self.store.reserved(account.id)}
        after = None
        while page := await self.store.seated(account.id, after, PAGE, past=False):
            ids |= {entry.name for entry in page}
            after = page[-1]
        found = await self.store.matches(sorted(ids), past=False)
        return [match for match in found if match and _has(match, account.id)]

    # When nothing live has them.

    async def _erase(self, begun: Mapping[str, str]) -> int:
        """Strike some people out of everything; how many that were."""
        await self._relabel(begun)
        done = 0
        for account, pseudonym in begun.items():
            try:
                await self.store.drop_lists(account)
                await self.store.erase(account, pseudonym, BY)
            except Denied as denied:
                log.info("not erased this time", account=account, reason=denied.reason)
            else:
                log.info("account deleted", account=account, pseudonym=pseudonym)
                done += 1
        return done

    async def _relabel(self, begun: Mapping[str, str]) -> None:
        """Give the pseudonyms to the matches of others that they have opened."""
        for game in self.games:
            for state in LISTED:
                after = None
                while page := await self.store.aged(game, state, after, now_ms(), PAGE):
                    found = await self.store.matches([e.name for e in page], past=False)
                    for match in found:
                        if match and match.creator in begun:
                            await self._call(match, begun[match.creator])
                    after = page[-1]

    async def _call(self, match: Match, pseudonym: str) -> None:
        def called(m: Match) -> Match:
            same = m.creator_name == pseudonym
            return m if same else replace(m, creator_name=pseudonym)

        await self.matches.change(match, called)


def _has(match: Match, account: str) -> bool:
    """Whether his name stands in a match, or may yet come to stand there."""
    return account == match.creator or any(seat.account == account for seat in match.seats)
