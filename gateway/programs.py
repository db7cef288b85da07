"""Programs: accounts say that they are, and what they play; and anyone that he meets none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bree.gateway.v1 import programs_pb2 as pb
from gateway import fields, terms, wire
from gateway.accounts import Accounts
from gateway.catalog import Catalog
from gateway.contract import Store
from gateway.documents import Account, Match, State
from gateway.matches import Matches
from gateway.refusals import has_counted, invalid, no_bot, still_sits, unknown_account

MOST_LOOKED_AT = 1000
"""Of so many matches of the live store it is looked up whether a rating may yet come of them."""


class Programs:
    """Keeps what accounts say of themselves."""

    def __init__(
        self, store: Store, accounts: Accounts, matches: Matches, catalog: Catalog
    ) -> None:
        self.store, self.accounts, self.matches, self.catalog = store, accounts, matches, catalog

    async def declare(self, account: Account, _: pb.DeclareBotRequest) -> pb.DeclareBotResponse:
        if not account.bot:
            await self._check_seats(account, _may_count)
        if not await self.store.declare_bot(account.id, sorted(self.catalog.engines.replicas)):
            raise has_counted()
        await self.accounts.spread(account)  # whoever believes the token believes the account
        bot = replace(account, bot=True)
        await self._mark_seats(bot)
        return pb.DeclareBotResponse(account=wire.own_account(bot))

    async def _check_seats(self, account: Account, is_bad: Callable[[Match], bool]) -> None:
        for match in await self._live(account):
            if is_bad(match):
                raise still_sits(match)

    async def _mark_seats(self, bot: Account) -> None:
        """Have those seats say so that were taken while it was declared."""

        def marked(match: Match) -> Match:
            seats = tuple(
                replace(seat, program=True) if seat.account == bot.id else seat
                for seat in match.seats
            )
            return match if seats == match.seats else replace(match, seats=seats)

        for match in await self._live(bot):
            await self.matches.change(match, marked)

    async def _live(self, account: Account) -> list[Match]:
        """The matches of the live store at which he sits."""
        entries = await self.store.seated(account.id, None, MOST_LOOKED_AT, past=False)
        found = await self.store.matches([entry.name for entry in entries], past=False)
        return [match for match in found if match and match.seats_of(account)]

    # What it plays.

    async def set_terms(self, account: Account, request: pb.SetTermsRequest) -> pb.SetTermsResponse:
        said = terms.read(request.terms, self.catalog)
        if not account.bot:
            raise no_bot("you have")
        await self.store.set_terms(account.id, terms.text_of(said))
        return pb.SetTermsResponse(terms=terms.message(said))

    async def terms(self, account: Account, request: pb.GetTermsRequest) -> pb.GetTermsResponse:
        found = await self._named(account, request.account)
        if not found.bot:
            raise no_bot(f"{found.name} has")
        said = terms.message(terms.terms_of(found))
        return pb.GetTermsResponse(account=wire.account(found), terms=said)

    async def _named(self, account: Account, name: str) -> Account:
        """The account of this name, or the caller's, as it is now."""
        if not name:
            [own] = await self.store.accounts([account.id])
            return own or account
        if fields.player(name).startswith(fields.BOT):
            raise invalid("account", "a hosted bot plays with whoever seats it: it has no terms")
        found = await self.store.account_named(name)
        if found is None:
            raise unknown_account(name)
        return found

    # Whom one does not want to meet.

    async def set_wishes(
        self, account: Account, request: pb.SetWishesRequest
    ) -> pb.SetWishesResponse:
        await self.store.set_wishes(account.id, no_bots=request.wishes.no_bots)
        return pb.SetWishesResponse(wishes=pb.Wishes(no_bots=request.wishes.no_bots))

    async def wishes(self, account: Account, _: pb.GetWishesRequest) -> pb.GetWishesResponse:
        own = await self._named(account, "")
        return pb.GetWishesResponse(wishes=pb.Wishes(no_bots=own.no_bots))


def _may_count(match: Match) -> bool:
    """Whether a match is not over, or may yet be counted in the ratings."""
    if match.state is State.OVER:
        return not match.settled
    return match.state is not State.CLOSED
