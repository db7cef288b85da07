"""Accounts and their tokens.

Design. A token is the account's id and 32 random bytes; the store has only its SHA-256, in the
account itself, so that a token is looked up, replaced and revoked in one place. A session's token
has the id of the session besides, and its hash is kept with the session. A token that was proved is
believed for a moment, as every gateway does; so whoever replaces one gets his answer when that
moment has passed everywhere, and the old token is worth nothing from then on. A token that was
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
from dataclasses import replace
from typing import NamedTuple

import structlog

from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.statuses import Denied
from gateway import call_context, fields, names, wire
from gateway.contract import RENAME_MS, Claim, Renaming, Store
from gateway.documents import Account, News, Session
from gateway.matches import now_ms
from gateway.refusals import (
    invalid,
    name_taken,
    no_guest,
    no_name_yet,
    renamed_lately,
    unauthenticated,
)

log = structlog.get_logger()

TOKEN = re.compile(r"([a-z0-9]{16})\.(?:([a-z0-9]{8})\.)?[A-Za-z0-9_-]{43}")
USE_MS = 3_600_000
"""A session's use is noted when the last one that was noted is so long ago."""

GUEST_TRIES = 20
MOST_PROVED = MOST_WRONG = 20_000
WRONG_SECONDS = 60.0

BELIEVED_SECONDS = 0.5
"""How long a gateway believes a proved token. No setting, since it must be the same for all."""


class Proved(NamedTuple):
    """An account whose token was right, and until when that is believed."""

    account: Account
    session: str  # its id, or that of a token; nothing if it is the account's own token
    until: float
    scope: str = ""  # what it may do, if that is not everything


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
        return _in_the_name_of(proved, hashed)

    async def prove(self, token: str) -> Account:
        """The account whose token this is. The call is made in its name from then on."""
        shape = TOKEN.fullmatch(token)
        if not shape or self.is_wrong(token):
            raise unauthenticated()
        hashed, now = hash_of(token), time.monotonic()
        account, session = shape[1], shape[2] or ""
        looked_up = await self._looked_up(account, session, hashed)
        if looked_up is None:
            self._proved.pop(hashed, None)
            self._disbelieve(hashed)
            raise unauthenticated()
        found, scope = looked_up
        proved = Proved(found, session, now + BELIEVED_SECONDS, scope)
        self._believe(hashed, proved)
        return _in_the_name_of(proved, hashed)

    async def _looked_up(
        self, account: str, session: str, hashed: str
    ) -> tuple[Account, str] | None:
        """The account and the scope, if this is the hash of a good token of it."""
        for surely in (False, True):  # what says no to somebody is not a copy
            found = await self.store.credentials(account, surely=surely)
            kept, held = found.token_hash if found else "", None
            if kept and session:
                held = await self.store.session(account, session, surely=surely)
                kept = held.token_hash if held else ""
            if found and kept and hmac.compare_digest(kept.encode(), hashed.encode()):
                if held:
                    await self._note_use(account, held)
                return found.account, held.scope if held else ""
        return None

    async def _note_use(self, account: str, session: Session) -> None:
        now = now_ms()
        if session.used_ms + USE_MS <= now:
            try:
                await self.store.use_session(account, session, now)
            except Denied as denied:  # another time, then
                log.info("use not noted", reason=denied.reason)

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
            account, token = await self.guest()
            return pb.CreateAccountResponse(account=wire.account(account), token=token)
        check_name(request.name)
        made = await self._make(request.name, guest=False)
        if made is None:
            raise name_taken(request.name)
        account, token = made
        return pb.CreateAccountResponse(account=wire.account(account), token=token)

    async def guest(self) -> tuple[Account, str]:
        """A new account with a name that is made up, and its token."""
        for _ in range(GUEST_TRIES):
            made = await self._make(names.guest_name(), guest=True)
            if made:
                return made
        raise AssertionError("there are more guests than names for them")

    async def _make(self, name: str, *, guest: bool) -> tuple[Account, str] | None:
        account = Account(names.random_word(16), name, guest, now_ms())
        token = new_token(account.id)
        free = await self.store.add_account(account, hash_of(token))
        return (account, token) if free else None

    async def show(self, account: Account, _: pb.GetAccountRequest) -> pb.GetAccountResponse:
        return pb.GetAccountResponse(account=wire.own_account(account))

    async def rotate(self, account: Account, _: pb.RotateTokenRequest) -> pb.RotateTokenResponse:
        token = new_token(account.id)
        await self._replace(account, hash_of(token))
        return pb.RotateTokenResponse(token=token)

    async def revoke(self, account: Account, _: pb.RevokeTokenRequest) -> pb.RevokeTokenResponse:
        await self._replace(account, "")
        return pb.RevokeTokenResponse()

    async def _replace(self, account: Account, new: str) -> None:
        """Keep another hash; refused to one of two that replace the same token at once."""
        old, session = call_context.token_hash.get(), call_context.session.get()
        if not await self.store.swap_token(account.id, old, new, session):
            raise unauthenticated()
        await self.spread(account)

    async def spread(self, account: Account) -> None:
        """Make known that tokens of an account have changed; they have everywhere after this."""
        changed = time.monotonic()
        await self.store.tell(News("token", accounts=(account.id,)))
        # Another gateway may have looked just before; even one that no news reach forgets by then.
        await asyncio.sleep(changed + BELIEVED_SECONDS - time.monotonic())

    # Names.

    async def claim(self, account: Account, request: pb.ClaimNameRequest) -> pb.ClaimNameResponse:
        check_name(request.name)
        if request.name == account.name:
            return pb.ClaimNameResponse(account=wire.account(account))
        claimed = await self.store.claim_name(account.id, request.name)
        if claimed is Claim.TAKEN:
            raise name_taken(request.name)
        if claimed is Claim.NAMED:
            raise no_guest()
        [found] = await self.store.accounts([account.id])
        await self._spread_name(account)
        return pb.ClaimNameResponse(account=wire.account(found or account))

    async def rename(
        self, account: Account, request: pb.RenameAccountRequest
    ) -> pb.RenameAccountResponse:
        check_name(request.name)
        now, by = now_ms(), call_context.proof()
        renamed = await self.store.rename(account.id, request.name, now, by)
        match renamed.how:
            case Renaming.REFUSED:
                raise unauthenticated()  # it was revoked at this moment
            case Renaming.GUEST:
                raise no_name_yet()
            case Renaming.EARLY:
                left_ms = renamed.next_ms - now
                raise renamed_lately(RENAME_MS // 86_400_000, renamed.next_ms, left_ms)
            case Renaming.TAKEN:
                raise name_taken(request.name)
        await self._spread_name(account)
        shown = replace(account, name=request.name)
        next_time = wire.time(renamed.next_ms) if renamed.next_ms > now else None
        return pb.RenameAccountResponse(account=wire.account(shown), next_time=next_time)

    async def _spread_name(self, account: Account) -> None:
        """Make known that an account has another name; it has everywhere after this."""
        await self.store.tell(News("named", accounts=(account.id,), more=account.player))
        await self.spread(account)  # who believes a token believes the name that came with it


def _in_the_name_of(proved: Proved, hashed: str) -> Account:
    call_context.account.set(proved.account)
    call_context.token_hash.set(hashed)
    call_context.session.set(proved.session)
    call_context.scope.set(proved.scope)
    return proved.account


def check_name(name: str) -> None:
    """Refuse a name that no account may take."""
    if not fields.NAME.fullmatch(name):
        raise invalid("name", 'name is 2 to 24 letters, digits, "-" or "_"')
    if names.is_reserved(name):
        raise invalid("name", f"the name {name!r} is kept for the platform")


def new_token(account: str, session: str = "") -> str:
    """A token of an account, or of one of its sessions or tokens by name."""
    return ".".join(filter(None, (account, session, secrets.token_urlsafe(32))))
