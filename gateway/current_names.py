"""What is shown of players besides what was written down: the names of now, and who is here.

Design. A match keeps the names with which its seats were taken, as its record does, and ratings are
kept under a name of their own for ever. Whoever shows them asks here. Names are known for a while
and looked up together after it; news tell of those that have changed before. So most calls look
nothing up, and a store that is away does not keep anybody from being shown what was known, or what
was written.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Container, Iterable, Mapping, Sequence

import structlog

from bree.gateway.v1 import gateway_pb2 as pb
from bree.ledger.names import OWN
from bree.ledger.people import PSEUDONYM
from bree.process.statuses import Denied
from gateway import wire
from gateway.contract import Store
from gateway.documents import Match, State
from gateway.fields import BOT
from gateway.matches import now_ms

log = structlog.get_logger()

GUEST_SECONDS = 10.0
"""How long somebody is taken for a guest without another look, if no news come."""

NAMED_SECONDS = 60.0
"""How long anybody else is taken to have his name."""

REST_SECONDS = 5.0
"""For how long nothing is looked up after that could not be done: nobody is to wait for it."""

MOST_KEPT = 50_000

SEEN = (State.OPEN, State.RUNNING)
"""In these states of a match it is told who of its people is here."""


class CurrentNames:
    """Shows matches and ratings with the names of now."""

    def __init__(self, store: Store) -> None:
        self.store = store
        # By what ratings are kept under, or by `=` and the account's id, which is the same where it
        # is both: the name, which is empty if there is nobody, and until when that is sure.
        self._known: OrderedDict[str, tuple[str, float]] = OrderedDict()
        self._forgotten = 0
        self._again_at = 0.0

    def forget(self, accounts: Iterable[str], player: str) -> None:
        """Accounts have taken a name; of one the ratings are kept under this one."""
        self._forgotten += 1
        for key in (*(OWN + account for account in accounts), player):
            self._known.pop(key, None)

    async def match(self, match: Match) -> pb.Match:
        """A match, as everyone may see it."""
        [shown] = await self.matches([match])
        return shown

    async def matches(self, matches: Sequence[Match]) -> list[pb.Match]:
        """Matches, as everyone may see them."""
        written = {match.creator: match.creator_name for match in matches}
        written |= {seat.account: seat.label for match in matches for seat in match.seats}
        found = await self._of_accounts(written)
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
        return {**written, **await self._of_accounts(written)}

    async def _of_accounts(self, written: Mapping[str, str]) -> dict[str, str]:
        """Of those who are gone it is written; what was known of them is told no more."""
        here = (one for one, name in written.items() if not name.startswith(PSEUDONYM))
        found = await self._found({OWN + account for account in here if account})
        return {key.removeprefix(OWN): name for key, name in found.items()}

    async def players(self, players: Iterable[str]) -> Mapping[str, str]:
        """The names of players, by those under which their ratings are kept."""
        kept = list(players)
        found = await self._found({player for player in kept if not player.startswith(BOT)})
        return {player: found.get(player, player) for player in kept}

    async def _found(self, keys: Iterable[str]) -> dict[str, str]:
        """The names that are known, or can be looked up; else those that were known."""
        now = time.monotonic()
        known = {key: self._known[key] for key in keys if key in self._known}
        missing = [key for key in keys if key not in known or known[key][1] <= now]
        found = {key: name for key, (name, _) in known.items()}
        if missing and now >= self._again_at:
            try:
                found |= await self._looked_up(missing, now)
            except Denied as denied:
                log.info("names not looked up", reason=denied.reason)
                self._again_at = time.monotonic() + REST_SECONDS
        return {key: name for key, name in found.items() if name}

    async def _looked_up(self, keys: Iterable[str], now: float) -> dict[str, str]:
        ids = sorted(key.removeprefix(OWN) for key in keys if key.startswith(OWN))
        players = sorted(key for key in keys if not key.startswith(OWN))
        forgotten = self._forgotten
        accounts = await self.store.accounts(ids) if ids else []
        accounts += await self.store.accounts_rated_as(players) if players else []
        asked, found = (*(OWN + one for one in ids), *players), {}
        for key, account in zip(asked, accounts, strict=True):
            found[key] = account.name if account else ""
            if forgotten == self._forgotten:  # else this may be what was so before
                seconds = GUEST_SECONDS if account and account.guest else NAMED_SECONDS
                self._keep(key, found[key], now + seconds)
        return found

    def _keep(self, key: str, name: str, until: float) -> None:
        self._known[key] = (name, until)
        self._known.move_to_end(key)
        if len(self._known) > MOST_KEPT:
            self._known.popitem(last=False)
