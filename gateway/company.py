"""Who sits down with whom, where some are programs: wishes, terms, and matches between bots.

Design. Whether some may sit in a match together follows from their accounts and the match alone. So
they are looked up first, and it is decided where a seat is decided: on the match as it is swapped.
If somebody sits there by then who was not looked up, it is begun again. What somebody has said only
since is found when the match is to start.

Matches between bots are counted for each bot by a list in the store, which has those of one day.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeVar

from bree.process.statuses import Denied
from gateway.contract import Reservation, Store
from gateway.documents import Account, Match
from gateway.matches import Matches, now_ms
from gateway.refusals import (
    no_bots_wanted,
    not_willing,
    sits_alone,
    too_many_bot_matches,
)
from gateway.settings import GatewaySettings
from gateway.terms import Terms, terms_of

DAY_MS = 86_400_000
TRIES = 50
"""How often it is begun again because others sat down."""

Decided = TypeVar("Decided")


class Strangers(Exception):
    """Somebody sits in a match who was not looked up."""

    def __init__(self, match: str) -> None:
        self.match = match
        super().__init__("somebody else has sat down")


class Company(NamedTuple):
    """Those who were looked up, by their ids."""

    known: Mapping[str, Account]

    def checked(self, match: Match) -> Match:
        """A match in which those who sit there may sit together; refused if they may not."""
        guests = self._guests(match)
        bots = [guest for guest in guests if guest.bot]
        for guest in guests if bots else ():
            others = [other for other in guests if other is not guest]
            if guest.no_bots and (met := next((o for o in others if o.bot), None)):
                raise no_bots_wanted(match, guest.name, met.name)
            if guest.bot:
                _check_terms(match, guest, others)
        return match

    def marked(self, match: Match) -> Match:
        """The same, and each seat says whether a program sits there."""
        self.checked(match)
        seats = tuple(
            replace(seat, program=self.known[seat.account].bot) if seat.account else seat
            for seat in match.seats
        )
        return match if seats == match.seats else replace(match, seats=seats)

    def bots(self, match: Match) -> list[Account]:
        """Those for whom a match counts as one between bots, if these play it."""
        guests = self._guests(match)
        return guests if len(guests) > 1 and all(guest.bot for guest in guests) else []

    def _guests(self, match: Match) -> list[Account]:
        sitting = sorted({seat.account for seat in match.seats if seat.account})
        if not self.known.keys() >= set(sitting):
            raise Strangers(match.id)
        return [self.known[account] for account in sitting]


class Companies:
    """Looks up who sits down with whom."""

    def __init__(self, settings: GatewaySettings, store: Store, matches: Matches) -> None:
        self.store, self.matches = store, matches
        self.most_matches, self.a_day = settings.most_matches, settings.bot_pairs_a_day

    async def decided(
        self,
        match: Match,
        decide: Callable[[Match, Company], Awaitable[Decided]],
        also: Account | None = None,
    ) -> Decided:
        """Decide something on those who sit in a match, and on somebody who wants to."""
        for _ in range(TRIES):
            company = await self._of(match, also)
            try:
                return await decide(match, company)
            except Strangers:
                match = await self.matches.read(match.id)
        raise Denied("UNAVAILABLE", "too many change this match at once", part="store")

    async def _of(self, match: Match, also: Account | None) -> Company:
        known = {also.id: also} if also else {}
        ids = sorted({seat.account for seat in match.seats if seat.account} | known.keys())
        found = await self.store.accounts(ids)
        nobody = {one: Account(one, "") for one in ids}  # whom only the match remembers
        return Company(nobody | known | {account.id: account for account in found if account})

    def room(self, account: Account) -> int:
        """In how many matches that are not over somebody may sit."""
        wanted = terms_of(account).most_matches if account.bot else 0
        return min(self.most_matches, wanted or self.most_matches)

    # Matches between bots.

    async def check_count(self, match: Match, company: Company) -> None:
        """Refuse if somebody has played as many matches between bots today as he may."""
        for bot in company.bots(match):
            today = await self._today(bot)
            if match.id not in today and len(today) >= self._most(bot):
                raise self._too_many(bot)

    async def count(self, match: Match, company: Company) -> list[Account]:
        """Count a match that is to start, for each bot; for whom it was not counted before."""
        counted: list[Account] = []
        for bot in company.bots(match):
            try:
                is_new = await self._take(bot, match)
            except Denied:
                await self.uncount(match, counted)
                raise
            counted += [bot] if is_new else []
        return counted

    async def uncount(self, match: Match, counted: Sequence[Account]) -> None:
        """A match does not start, after all."""
        for bot in counted:
            entries = await self.store.reserved(_counted(bot))
            await self.store.unreserve(_counted(bot), [e for e in entries if e.name == match.id])

    async def _take(self, bot: Account, match: Match) -> bool:
        """Count a match for a bot, or refuse; whether that is new."""
        is_new = match.id not in await self._today(bot)
        wanted = Reservation(match.id, "")
        if not await self.store.reserve(_counted(bot), wanted, now_ms(), self._most(bot)):
            raise self._too_many(bot)
        return is_new

    async def _today(self, bot: Account) -> set[str]:
        """The matches that were counted today; those of other days are forgotten."""
        entries = await self.store.reserved(_counted(bot))
        midnight = now_ms() // DAY_MS * DAY_MS
        await self.store.unreserve(_counted(bot), [e for e in entries if e.score < midnight])
        return {entry.name for entry in entries if entry.score >= midnight}

    def _most(self, bot: Account) -> int:
        said = terms_of(bot).most_bot_matches
        return self.a_day if said is None else min(said, self.a_day)

    def _too_many(self, bot: Account) -> Denied:
        if not self._most(bot):
            return sits_alone(bot.name)
        now = now_ms()
        return too_many_bot_matches(bot.name, self._most(bot), (now // DAY_MS + 1) * DAY_MS, now)


def _check_terms(match: Match, bot: Account, others: Sequence[Account]) -> None:
    said: Terms = terms_of(bot)
    if why := said.refused(match):
        raise not_willing(match, bot.name, why)
    if not all(said.is_willing(other) for other in others):
        raise not_willing(match, bot.name, f"plays with {said.opponents} only")


def _counted(bot: Account) -> str:
    """Where the matches of a bot with others are counted: beside it, in the store."""
    return f"{bot.id}.pairs"
