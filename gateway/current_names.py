"""What is shown of players besides what was written down: the names of now, and who is here.

Design. A match keeps the names with which its seats were taken, as its record does, and ratings are
kept under the first name of each account for ever. Whoever shows them asks here. Only what looks
like a guest's name can have changed, and only once: so most names are known without a look, and a
store that is away does not keep anybody from being shown what was written.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Container, Iterable, Mapping, Sequence

import structlog

from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.statuses import Denied
from gateway import names, wire
from gateway.contract import Store
from gateway.documents import Account, Match, State
from gateway.matches import now_ms

log = structlog.get_logger()

GUEST_SECONDS = 10.0
"""How long somebody is taken for a guest without another look, if no news come."""

MOST_KEPT = 50_000

SEEN = (State.OPEN, State.RUNNING)
"""In these states of a match it is told who of its people is here."""

Look = Callable[[Sequence[str]], Awaitable[list[Account | None]]]


class CurrentNames:
    """Shows matches and ratings with the names of now."""

    def __init__(self, store: Store) -> None:
        self.store = store
        # By account, and by first name, which has hyphens: the name, and until when that is sure.
        self._known: OrderedDict[str, tuple[str, float]] = OrderedDict()

    def forget(self, *keys: str) -> None:
        """Somebody has taken a name."""
        for key in keys:
            self._known.pop(key, None)

    async def match(self, match: Match) -> pb.Match:
        """A match, as everyone may see it."""
        [shown] = await self.matches([match])
        return shown

    async def matches(self, matches: Sequence[Match]) -> list[pb.Match]:
        """Matches, as everyone may see them."""
        written = [
            pair
            for match in matches
            for pair in (
                (match.creator, match.creator_name),
                *((seat.account, seat.label) for seat in match.seats),
            )
        ]
        asked = {account for account, name in written if names.is_guests(name)}
        found = await self._found(asked, self.store.accounts)
        here = await self._here(matches)
        return [wire.match(m, found, here if m.state in SEEN else ()) for m in matches]

    async def _here(self, matches: Sequence[Match]) -> Container[str]:
        """Who of the people in matches is here; nobody, if that cannot be looked up."""
        seats = (seat for match in matches if match.state in SEEN for seat in match.seats)
        accounts = sorted({seat.account for seat in seats if seat.account})
        try:
            return await self.store.here(accounts, now_ms())
        except Denied as denied:
            log.info("not looked up who is here", reason=denied.reason)
            return ()

    async def of(self, written: Mapping[str, str]) -> Mapping[str, str]:
        """The names of accounts, by their ids and the names that were written down."""
        asked = {account for account, name in written.items() if names.is_guests(name)}
        return {**written, **await self._found(asked, self.store.accounts)}

    async def players(self, players: Iterable[str]) -> Mapping[str, str]:
        """The names of players, by those under which their ratings are kept."""
        kept = list(players)
        asked = {player for player in kept if names.is_guests(player)}
        found = await self._found(asked, self.store.accounts_named)
        return {player: found.get(player, player) for player in kept}

    async def _found(self, keys: Iterable[str], look: Look) -> dict[str, str]:
        now = time.monotonic()
        known = {key: self._known[key] for key in keys if key in self._known}
        found = {key: name for key, (name, until) in known.items() if until > now}
        missing = [key for key in keys if key not in found]
        if not missing:
            return found
        try:
            accounts = await look(missing)
        except Denied as denied:
            log.info("names not looked up", reason=denied.reason)
            return found
        for key, account in zip(missing, accounts, strict=True):
            if account:
                found[key] = account.name
                self._keep(
                    key, account.name, now + GUEST_SECONDS if account.guest else float("inf")
                )
        return found

    def _keep(self, key: str, name: str, until: float) -> None:
        self._known[key] = (name, until)
        self._known.move_to_end(key)
        if len(self._known) > MOST_KEPT:
            self._known.popitem(last=False)
