"""One's own data: all that is kept of the caller as a file, and how he leaves the platform."""

from __future__ import annotations

import secrets

import structlog

from bree.gateway.v1 import personal_pb2 as pb
from gateway import call_context, fields, wire
from gateway.accounts import Accounts, hash_of
from gateway.contract import Store
from gateway.documents import Account
from gateway.farewells import Farewells
from gateway.matches import now_ms
from gateway.people_contract import Proof
from gateway.refusals import too_late_to_stay, unauthenticated

log = structlog.get_logger()

WEEK_MS = 7 * 86_400_000
"""For how long it may be undone."""


class Personal:
    """Lets people leave, and come back while they may."""

    def __init__(self, store: Store, accounts: Accounts, farewells: Farewells) -> None:
        self.store, self.accounts, self.farewells = store, accounts, farewells

    async def delete(
        self, account: Account, request: pb.DeleteAccountRequest
    ) -> pb.DeleteAccountResponse:
        reason = fields.note(request.reason, "reason") if request.reason else ""
        proof = Proof(
            call_context.token_hash.get(),
            call_context.session.get(),
            hash_of(secrets.token_urlsafe(32)),
        )
        when = await self.store.leave(account.id, proof, now_ms() + WEEK_MS)
        if not when:
            raise unauthenticated()  # it was worth nothing any more at this moment
        log.info("account leaves", account=account.id, why=reason)
        await self.accounts.spread(account)  # after this nobody sits down any more
        await self.farewells.leave_open(account)
        return pb.DeleteAccountResponse(leave_time=wire.time(when))

    async def keep(self, account: Account, _: pb.KeepAccountRequest) -> pb.KeepAccountResponse:
        if not await self.store.keep_account(account.id, now_ms()):
            raise too_late_to_stay()
        await self.accounts.spread(account)
        [found] = await self.store.accounts([account.id])
        return pb.KeepAccountResponse(account=wire.own_account(found or account))
