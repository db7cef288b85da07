"""Tokens that are made by name for programs: each with a scope, and ended alone.

Design. Such a token is looked up, believed and noted as used like a session's (`accounts.py`); what
it may do is said in `scopes.py`, and looked at where callers are let in (`admission.py`).
"""

from __future__ import annotations

from bree.gateway.v1 import tokens_pb2 as pb
from gateway import call_context, fields, names, wire
from gateway.accounts import Accounts, hash_of, new_token
from gateway.contract import Added, Store
from gateway.documents import Account, Session
from gateway.matches import now_ms
from gateway.refusals import invalid, limit_reached, unauthenticated
from gateway.scopes import BOT, PLAY, READ
from gateway.sessions import ID_LENGTH

MOST_TOKENS = 20
"""How many an account has at most."""

SCOPES = {
    pb.TOKEN_SCOPE_READ: READ,
    pb.TOKEN_SCOPE_PLAY: PLAY,
    pb.TOKEN_SCOPE_BOT: BOT,
}
NUMBERS = {scope: number for number, scope in SCOPES.items()}


class Tokens:
    """Makes and ends them."""

    def __init__(self, store: Store, accounts: Accounts) -> None:
        self.store, self.accounts = store, accounts

    async def create(
        self, account: Account, request: pb.CreateTokenRequest
    ) -> pb.CreateTokenResponse:
        name, scope = fields.label("name", request.name), SCOPES.get(request.scope)
        if scope is None:
            raise invalid("scope", "scope is a value of TokenScope that names something")
        now, token_id = now_ms(), names.random_word(ID_LENGTH)
        secret = new_token(account.id, token_id)
        token = Session(token_id, hash_of(secret), now, now, name, scope)
        by = call_context.proof()
        added = await self.store.add_token(account.id, token, MOST_TOKENS, by)
        if added is Added.REFUSED:
            raise unauthenticated()  # it was revoked at this moment
        if added is Added.FULL:
            raise limit_reached(MOST_TOKENS, "tokens")
        return pb.CreateTokenResponse(token=_token(token), secret=secret)

    async def list(self, account: Account, _: pb.ListTokensRequest) -> pb.ListTokensResponse:
        found = await self.store.tokens(account.id)
        found.sort(key=lambda token: (token.used_ms, token.id), reverse=True)
        return pb.ListTokensResponse(tokens=[_token(token) for token in found])

    async def end(self, account: Account, request: pb.EndTokenRequest) -> pb.EndTokenResponse:
        if not fields.SESSION.fullmatch(request.token):
            raise invalid("token", f"token is {ID_LENGTH} lower-case letters and digits, an id")
        await self.store.end_token(account.id, request.token)
        await self.accounts.spread(account)
        return pb.EndTokenResponse()


def _token(token: Session) -> pb.Token:
    return pb.Token(
        id=token.id,
        name=token.device,
        scope=NUMBERS[token.scope],
        create_time=wire.time(token.created_ms),
        use_time=wire.time(token.used_ms),
        current=token.id == call_context.session.get(),
    )
