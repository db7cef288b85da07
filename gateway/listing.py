"""Lists of matches, the newest first.

Design. The store has a list for each game and state, and one for each account; they may name too
much, so the matches themselves decide. A match that a crash left on a list that it has outgrown is
put where it belongs by whoever meets it.
"""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from bree.gateway.v1 import gateway_pb2 as pb
from gateway import fields, page_tokens, wire
from gateway.catalog import Catalog
from gateway.contract import Store
from gateway.current_names import CurrentNames
from gateway.documents import LISTED, Account, ListEntry, Match, State
from gateway.matches import now_ms
from gateway.refusals import invalid, unknown_account

CHUNK, ROUNDS = fields.LARGEST_PAGE + 1, 5
"""Matches looked at in one round, and rounds for one page, which may be short and not the last."""

ORDER = {State.OPEN: 0, State.STARTING: 0, State.RUNNING: 1, State.CLOSED: 1, State.OVER: 2}
"""How a match moves from list to list."""


class PageFilter(NamedTuple):
    """Which matches a page shows."""

    games: tuple[str, ...]
    states: tuple[State, ...]
    account: str  # whose; empty for everyone's
    without_bots: bool = False
    older_ms: int = 0  # from its opening
    held: bool = False  # only those that the host holds

    @property
    def mark(self) -> tuple[object, ...]:
        """By what it is known which list a page is of."""
        without = ("without bots",) if self.without_bots else ()
        desks = (self.older_ms, self.held) if self.older_ms or self.held else ()
        return (*self[:3], *without, *desks)

    @property
    def past(self) -> bool:
        """Whether it shows matches that may have ended long ago."""
        return not {State.OPEN, State.RUNNING}.issuperset(self.states)

    def shows(self, match: Match) -> bool:
        """Whether a match belongs on the page."""
        state = State.OPEN if match.state is State.STARTING else match.state
        if match.game not in self.games or state not in self.states:
            return False
        if self.without_bots and any(seat.is_bot for seat in match.seats):
            return False
        if self.older_ms and match.created_ms > now_ms() - self.older_ms:
            return False
        if self.held and not match.hold.held:
            return False
        seated = any(seat.account == self.account for seat in match.seats)
        return not self.account or seated or self.account in match.left


class Listing:
    """Finds matches."""

    def __init__(self, store: Store, catalog: Catalog, names: CurrentNames) -> None:
        self.store, self.catalog, self.names = store, catalog, names

    async def page(
        self, account: Account, request: pb.ListMatchesRequest
    ) -> pb.ListMatchesResponse:
        wanted = await self._wanted(account, request)
        found, token = await self.found(wanted, request.page_size, request.page_token)
        return pb.ListMatchesResponse(matches=found, next_page_token=token)

    async def found(
        self, wanted: PageFilter, page_size: int, page_token: str
    ) -> tuple[list[pb.Match], str]:
        """A page of matches, and the token of the next."""
        size = fields.page_size(page_size)
        after = page_tokens.decode(page_token, "matches", *wanted.mark)
        found: list[Match] = []
        for _ in range(ROUNDS):
            entries = await self._entries(wanted, after)
            named = [entry.name for entry in entries]
            matches = await self.store.matches(named, past=wanted.past)
            for (entry, states), match in zip(entries.items(), matches, strict=True):
                if len(found) == size:
                    return await self._page(found, after, wanted)
                after = entry
                if match is not None:
                    await self._repair(match, states)
                    found += [match] if wanted.shows(match) else []
            if len(entries) < CHUNK:
                return await self._page(found, None, wanted)
        return await self._page(found, after, wanted)

    async def _wanted(self, account: Account, request: pb.ListMatchesRequest) -> PageFilter:
        if request.mine and request.account:
            raise invalid("account", "mine and account exclude each other")
        game = self.catalog.game(request.game) if request.game else ""
        states = [state for state in LISTED if wire.STATES[state] == request.state]
        if request.state and not states:
            raise invalid("state", "state is one of MatchState")
        games = (game,) if game else tuple(sorted(self.catalog.engines.replicas))
        whose = account.id if request.mine else await self._named(request.account)
        return PageFilter(games, tuple(states) or LISTED, whose, request.without_bots)

    async def _named(self, name: str) -> str:
        """The account of this name; none if there is no name."""
        if not name:
            return ""
        if fields.player(name).startswith(fields.BOT):
            raise invalid("account", "hosted bots have no lists of their matches")
        found = await self.store.account_named(name)
        if found is None:
            raise unknown_account(name)
        return found.id

    async def _entries(
        self, wanted: PageFilter, after: ListEntry | None
    ) -> dict[ListEntry, list[State]]:
        """The next entries in order, each with the lists of states on which it was found."""
        if wanted.account:
            seated = await self.store.seated(wanted.account, after, CHUNK, past=wanted.past)
            return {entry: [] for entry in seated}
        lists = [(game, state) for game in wanted.games for state in wanted.states]
        found = await asyncio.gather(
            *(self.store.listed(game, state, after, CHUNK) for game, state in lists)
        )
        entries: dict[ListEntry, list[State]] = {}
        for (_, state), listed in zip(lists, found, strict=True):
            for entry in listed:
                entries.setdefault(entry, []).append(state)
        return {entry: entries[entry] for entry in sorted(entries, reverse=True)[:CHUNK]}

    async def _repair(self, match: Match, states: list[State]) -> None:
        """Move a match from lists it has outgrown. On those it has yet to reach it stays."""
        for state in states:
            if ORDER[match.state] > ORDER[state]:
                await self.store.list_match(match, match.state)
                await self.store.unlist_match(match, state)

    async def _page(
        self, found: list[Match], after: ListEntry | None, wanted: PageFilter
    ) -> tuple[list[pb.Match], str]:
        token = page_tokens.encode(after, "matches", *wanted.mark)
        return await self.names.matches(found), token
