"""Accounts and their tokens.

Design. A token is the account's id and 32 random bytes; the store has only its SHA-256, in the
account itself, so that a token is looked up, replaced and revoked in one place. A token that was
proved is believed for a moment, as every gateway does; so whoever replaces one gets his answer when
that moment has passed everywhere, and the old token is worth nothing from then on. A token that was
wrong is wrong for a while without another look: a program that has an old one is no guesser.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import re
import secrets
import time
from collections import OrderedDict
from typing import NamedTuple

from bree.gateway.v1 import gateway_pb2 as pb
from gateway import call_context, fields, names, wire
from gateway.contract import Store
from gateway.documents import Account, News
from gateway.refusals import invalid, unauthenticated

TOKEN = re.compile(r"([a-z0-9]{16})\.[A-Za-z0-9_-]{43}")
GUEST_TRIES = 20
MOST_PROVED = MOST_WRONG = 20_000
WRONG_SECONDS = 60.0

BELIEVED_SECONDS = 0.5
"""How long a gateway believes a proved token. No setting, since it must be the same for all."""


class Proved(NamedTuple):
    """An account whose token was right, and until when that is believed."""

    account: Account
    until: float


def hash_of(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


class Accounts:
    """Makes accounts and proves them."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._proved: OrderedDict[str, Proved] = OrderedDict()  # by the hash of the token
        self._wrong: OrderedDict[str, float] = OrderedDict()  # likewise, until when

    def was_right(self, token: str) -> bool:
        """Whether this token was proved here, some time ago at least."""
        return hash_of(token) in self._proved

    def is_wrong(self, token: str) -> bool:
        """Whether this token is worth nothing, as can be said without a look."""
        if not TOKEN.fullmatch(token):
            return True
        return self._wrong.get(hash_of(token), 0.0) > time.monotonic()

    def believed(self, token: str) -> Account | None:
        """The account whose token was proved a moment ago. The call is made in its name."""
        hashed = hash_of(token)
        proved = self._proved.get(hashed)
        if proved is None or proved.until <= time.monotonic():
            return None
        call_context.account.set(proved.account)
        call_context.token_hash.set(hashed)
        return proved.account

    async def prove(self, token: str) -> Account:
        """The account whose token this is. The call is made in its name from then on."""
        shape = TOKEN.fullmatch(token)
        if not shape or self.is_wrong(token):
            raise unauthenticated()
        hashed, now = hash_of(token), time.monotonic()
        account = await self._looked_up(shape[1], hashed)
        self._believe(hashed, Proved(account, now + BELIEVED_SECONDS))
        call_context.account.set(account)
        call_context.token_hash.set(hashed)
        return account

    async def _looked_up(self, account: str, hashed: str) -> Account:
        found = await self.store.credentials(account)
        if found is None or not hmac.compare_digest(found.token_hash.encode(), hashed.encode()):
            self._proved.pop(hashed, None)
            self._disbelieve(hashed)
            raise unauthenticated()
        return found.account

    def _disbelieve(self, hashed: str) -> None:
        self._wrong[hashed] = time.monotonic() + WRONG_SECONDS
        self._wrong.move_to_end(hashed)
        if len(self._wrong) > MOST_WRONG:
            self._wrong.popitem(last=False)

    def _believe(self, hashed: str, proved: Proved) -> None:
        self._proved[hashed] = proved
        self._proved.move_to_end(hashed)
        if len(self._proved) > MOST_PROVED:
            self._proved.popitem(last=False)

    async def create(self, request: pb.CreateAccountRequest) -> pb.CreateAccountResponse:
        if not request.name:
            account, token = await self._guest()
            return pb.CreateAccountResponse(account=wire.account(account), token=token)
        if not fields.NAME.fullmatch(request.name):
            raise invalid("name", 'name is 2 to 24 letters, digits, "-" or "_"')
        if names.is_reserved(request.name):
            raise invalid("name", f"the name {request.name!r} is kept for the platform")
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
        if not await self.store.swap_token(account.id, call_context.token_hash.get(), new):
            raise unauthenticated()
        swapped = time.monotonic()
        self._proved.pop(call_context.token_hash.get(), None)
        await self.store.tell(News("token", accounts=(account.id,)))
        # Another gateway may have looked just before; even one that no news reach forgets by then.
        await asyncio.sleep(swapped + BELIEVED_SECONDS - time.monotonic())


def _token(account: str) -> str:
    return f"{account}.{secrets.token_urlsafe(32)}"
