"""Accounts and their tokens.

Design. A token is the account's id and 32 random bytes; the store has only its SHA-256, in the
account itself, so that a token is looked up, replaced and revoked in one place.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import time

from bree.gateway.v1 import gateway_pb2 as pb
from gateway import caller, fields, names, wire
from gateway.contract import Store
from gateway.documents import Account, News
from gateway.refusals import invalid, unauthenticated

TOKEN = re.compile(r"([a-z0-9]{16})\.[A-Za-z0-9_-]{43}")
RESERVED = {"host", "chance"}  # others decide under these names in a record
GUEST_TRIES = 20


def hash_of(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


class Accounts:
    """Makes accounts and proves them."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def prove(self, token: str) -> Account:
        """The account whose token this is. The call is made in its name from then on."""
        shape = TOKEN.fullmatch(token)
        if not shape:
            raise unauthenticated()
        found = await self.store.credentials(shape[1])
        hashed = hash_of(token)
        if found is None or not hmac.compare_digest(found.token_hash.encode(), hashed.encode()):
            raise unauthenticated()
        caller.account.set(found.account)
        caller.token_hash.set(hashed)
        return found.account

    async def create(self, request: pb.CreateAccountRequest) -> pb.CreateAccountResponse:
        if not request.name:
            account, token = await self._guest()
            return pb.CreateAccountResponse(account=wire.account(account), token=token)
        if not fields.NAME.fullmatch(request.name) or request.name.lower() in RESERVED:
            raise invalid("name", 'name is 2 to 24 letters, digits, "-" or "_", and not "host"')
        made = await self._make(request.name, guest=False)
        if made is None:
            raise invalid("name", f"the name {request.name!r} is taken")
        account, token = made
        return pb.CreateAccountResponse(account=wire.account(account), token=token)

    async def _guest(self) -> tuple[Account, str]:
        for _ in range(GUEST_TRIES):
            made = await self._make(names.guest_name(), guest=True)
            if made:
                return made
        raise AssertionError("there are more guests than names for them")

    async def _make(self, name: str, *, guest: bool) -> tuple[Account, str] | None:
        account = Account(names.random_word(16), name, guest, time.time_ns() // 1_000_000)
        token = _token(account.id)
        free = await self.store.add_account(account, hash_of(token))
        return (account, token) if free else None

    async def show(self, account: Account, _: pb.GetAccountRequest) -> pb.GetAccountResponse:
        return pb.GetAccountResponse(account=wire.account(account))

    async def rotate(self, account: Account, _: pb.RotateTokenRequest) -> pb.RotateTokenResponse:
        token = _token(account.id)
        await self._replace(account, hash_of(token))
        return pb.RotateTokenResponse(token=token)

    async def revoke(self, account: Account, _: pb.RevokeTokenRequest) -> pb.RevokeTokenResponse:
        await self._replace(account, "")
        return pb.RevokeTokenResponse()

    async def _replace(self, account: Account, new: str) -> None:
        """Keep another hash; refused to one of two that replace the same token at once."""
        if not await self.store.swap_token(account.id, caller.token_hash.get(), new):
            raise unauthenticated()
        await self.store.tell(News("token", accounts=(account.id,)))


def _token(account: str) -> str:
    return f"{account}.{secrets.token_urlsafe(32)}"
