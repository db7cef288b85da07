"""What it costs an account to have hosted bots play: who opened a match pays for all of its bots.

Design. Limited is how many bots an account sets to work: those in the matches that it starts and
those that stand in for it, by a bucket of each gateway, and how many of its matches run in which
nobody waits, by a list in the store. How those that play share the time of workers is decided where
turns wait, in `bree/process/turns.py`: no bot that plays is refused its turn.
"""

from __future__ import annotations

from bree.process.statuses import Denied
from gateway.contract import Reservation, Store
from gateway.documents import Account, Match, State
from gateway.limits import TokenBuckets
from gateway.matches import Matches, now_ms
from gateway.refusals import too_many_alone
from gateway.settings import GatewaySettings

BEGUN = (State.STARTING, State.RUNNING)


class BotQuota:
    """Lets matches with hosted bots begin."""

    def __init__(self, settings: GatewaySettings, store: Store, matches: Matches) -> None:
        self.store, self.matches, self.most_alone = store, matches, settings.most_alone
        a_minute = settings.bots_a_minute
        self.bots = TokenBuckets(a_minute / 60, settings.bots_burst, f"{a_minute:g} bots a minute")

    async def charge(self, match: Match) -> None:
        """Let its creator pay for the bots of a match that is to begin; or refuse him."""
        hosted = sum(bool(seat.bot_level) for seat in match.seats)
        await self._take(match, match.creator, hosted, alone=match.is_alone())

    async def lend(self, match: Match, account: Account, seat: str) -> None:
        """Let an account pay for a bot that is to stand in for it at a seat; or refuse it."""
        if not match.stand_in(seat):
            await self._take(match, account.id, 1, alone=match.is_alone(seat))

    async def give_back(self, match: Match) -> None:
        """A person plays a seat again."""
        if match.is_alone():
            await self._unreserve(match)

    async def _take(self, match: Match, payer: str, hosted: int, *, alone: bool) -> None:
        if alone:
            await self._reserve(match)
        if hosted:
            try:
                self.bots.take(payer, hosted)
            except Denied:
                if alone:
                    await self._unreserve(match)
                raise

    async def _reserve(self, match: Match) -> None:
        wanted, counted = Reservation(match.id, ""), _counted(match)
        for attempt in range(2):
            if await self.store.reserve(counted, wanted, now_ms(), self.most_alone):
                return
            if not attempt:
                await self.matches.tidy_reserved(counted, BEGUN)
        raise too_many_alone(self.most_alone)

    async def _unreserve(self, match: Match) -> None:
        entries = await self.store.reserved(_counted(match))
        await self.store.unreserve(_counted(match), [e for e in entries if e.name == match.id])


def _counted(match: Match) -> str:
    """Where the matches of an account without people are counted: beside it, in the store."""
    return f"{match.creator}.alone"
