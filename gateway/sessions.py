"""Sessions: tokens that browsers have, each for one device, and how a second device gets one.

Design. A session's token is proved like an account's and may do the same. Where a guest begins with
a session, the account's own token is told nobody; `RotateToken` gives one to whoever wants it for a
program. A login code is short, since people type it: so it is worth something once, for minutes,
and an address may try few. What the store keeps of it is worth nothing without the platform's
token.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping

from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.statuses import Denied
from gateway import call_context, codes, fields, names, wire
from gateway.accounts import Accounts, hash_of, new_token
from gateway.contract import Store
from gateway.documents import Account, News, Proof, Session
from gateway.matches import now_ms
from gateway.recovery import Recovery
from gateway.refusals import (
    beyond_scope,
    invalid,
    unauthenticated,
    wrong_code,
    wrong_recovery_code,
)
from gateway.settings import GatewaySettings
from gateway.visitors import Visitors
from gateway.ways_in import Prove

ID_LENGTH = 8
MOST_SESSIONS = 20
"""How many an account has at most; the longest unused one ends for another."""

CODE_MS = 5 * 60_000


class Sessions:
    """Begins and ends sessions."""

    def __init__(
        self,
        settings: GatewaySettings,
        store: Store,
        accounts: Accounts,
        visitors: Visitors,
        recovery: Recovery,
        proofs: Mapping[str, Prove],  # of other ways in, by the field in which they come
    ) -> None:
        self.store, self.accounts, self.visitors = store, accounts, visitors
        self.recovery, self.proofs = recovery, proofs
        self._key = settings.platform_token.get_secret_value().encode()

    # Beginning.

    async def start(self, request: pb.StartSessionRequest) -> pb.StartSessionResponse:
        device = fields.device(request.device)
        said = [field.name for field, _ in request.ListFields() if field.name != "device"]
        if len(said) > 1:
            raise invalid(said[1], f"{' and '.join(said)} exclude each other")
        if request.code:
            return await self._by_code(request.code, device)
        if request.recovery_code:
            return await self._by_recovery_code(request.recovery_code, device)
        address, by = call_context.address.get(), None
        if said and said[0] in self.proofs:
            account = await self.proofs[said[0]](request)
        elif request.token:
            account = await self.visitors.proved(request.token, address)
            if scope := call_context.scope.get():
                raise beyond_scope(scope)  # else it would become one that may do everything
            by = call_context.proof()
        else:
            await self.visitors.let_in(self.visitors.made, address())
            account, _ = await self.accounts.guest()
        begun = await self._begin(account, device, by=by)
        if begun is None:
            raise unauthenticated()  # it was revoked at this moment
        return begun

    async def _by_code(self, said: str, device: str) -> pb.StartSessionResponse:
        code = codes.typed(said)
        who = call_context.address.get()()
        await self.visitors.let_in(self.visitors.guesses, who)
        hashed = self._hash_of(code)
        found = await self.store.credentials(await self.store.account_of_code(hashed) or "-")
        begun = await self._begin(found.account, device, code=hashed) if found else None
        if begun is None:
            raise wrong_code()
        self.visitors.no_guess(who)
        return begun

    async def _by_recovery_code(self, said: str, device: str) -> pb.StartSessionResponse:
        hashed, who = self.recovery.hash_of(said), call_context.address.get()()
        await self.visitors.let_in(self.visitors.guesses, who)
        account = await self.store.account_of_recovery_code(hashed)
        found = await self.store.credentials(account or "-")
        begun = await self._begin(found.account, device, recovery=hashed) if found else None
        if begun is None:
            raise wrong_recovery_code()
        self.visitors.no_guess(who)
        return begun

    async def _begin(
        self,
        account: Account,
        device: str,
        *,
        code: str = "",
        recovery: str = "",
        by: Proof | None = None,
    ) -> pb.StartSessionResponse | None:
        now = now_ms()
        session_id = names.random_word(ID_LENGTH)
        token = new_token(account.id, session_id)
        session = Session(session_id, hash_of(token), now, now, device)
        kept = await self.store.add_session(
            account.id, session, MOST_SESSIONS, code, recovery=recovery, by=by
        )
        if not kept:
            return None
        await self._tell(account)  # the streams of one that made room for it end
        return pb.StartSessionResponse(
            account=wire.account(account), session=wire.session(session), token=token
        )

    async def _tell(self, account: Account) -> None:
        """Have the tokens of an account looked at; that it has begun counts for more."""
        try:
            await self.store.tell(News("token", accounts=(account.id,)))
        except Denied:
            return  # they are looked at now and then besides

    def _hash_of(self, code: str) -> str:
        return hmac.new(self._key, code.encode(), hashlib.sha256).hexdigest()

    # Login codes.

    async def code(
        self, account: Account, _: pb.CreateLoginCodeRequest
    ) -> pb.CreateLoginCodeResponse:
        code, until = codes.new_code(), now_ms() + CODE_MS
        by = call_context.proof()
        if not await self.store.keep_code(account.id, self._hash_of(code), until, by):
            raise unauthenticated()  # it was revoked at this moment
        return pb.CreateLoginCodeResponse(code=codes.shown(code), expire_time=wire.time(until))

    # Those there are.

    async def list(self, account: Account, _: pb.ListSessionsRequest) -> pb.ListSessionsResponse:
        current = call_context.session.get()
        found = sorted(
            await self.store.sessions(account.id), key=lambda s: (s.used_ms, s.id), reverse=True
        )
        return pb.ListSessionsResponse(
            sessions=[wire.session(session, current=session.id == current) for session in found]
        )

    async def end(self, account: Account, request: pb.EndSessionRequest) -> pb.EndSessionResponse:
        session = request.session or call_context.session.get()
        if not session:
            raise invalid("session", "session is missing: the call is made with no session's token")
        if not fields.SESSION.fullmatch(session):
            raise invalid("session", f"session is {ID_LENGTH} lower-case letters and digits")
        await self.store.end_sessions(account.id, [session])
        await self.accounts.spread(account)
        return pb.EndSessionResponse()

    async def end_all(
        self, account: Account, request: pb.EndAllSessionsRequest
    ) -> pb.EndAllSessionsResponse:
        kept = call_context.session.get() if request.keep_current else ""
        ended = await self.store.end_all(account.id, kept, tokens_too=request.tokens_too)
        await self.accounts.spread(account)
        return pb.EndAllSessionsResponse(ended=ended.sessions, tokens_ended=ended.tokens)
