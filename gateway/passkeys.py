"""Passkeys: made for an account by who is logged in, and shown by who wants to come in.

Design. What an authenticator signs is a challenge that was made for one thing, is worth something
once, and for minutes. A passkey names its account itself, so nobody says who he is, and nobody
learns whether somebody is known here. Authenticators that count their uses must count up: one that
does not has a twin. Whether that is so is looked at again where the use is noted, so that of two
uses of the same count one is refused, whichever gateways they come to.
"""

from __future__ import annotations

import structlog

from bree.gateway.v1 import gateway_pb2 as pb
from bree.gateway.v1 import passkeys_pb2 as passkeys
from bree.process.statuses import Denied
from gateway import call_context, fields, webauthn_words, wire
from gateway.documents import Account
from gateway.keyring import ANYHOW, Kept, Passkey
from gateway.matches import now_ms
from gateway.means import Means
from gateway.public_url import PublicUrl
from gateway.refusals import invalid, last_way, limit_reached, unauthenticated, wrong_passkey
from gateway.webauthn_words import Wrong

log = structlog.get_logger()

MOST_PASSKEYS = 20
CHALLENGE_MS = 5 * 60_000
LONGEST_MADE, LONGEST_SHOWN = 16_384, 8_192
"""Characters of what a browser answers; those of today's authenticators are some hundreds."""

LOGIN = "log in by a passkey"
BEGIN_PRICE = 4
"""What beginning costs an address besides, as it writes something down."""


class Passkeys:
    """The methods of PasskeyService, and the proof that they lead to."""

    def __init__(self, where: PublicUrl | None, means: Means) -> None:
        self.store, self.visitors, self.once, self.usable = means
        self._where = where

    def _here(self) -> PublicUrl:
        """Where the page is, if there are passkeys at all."""
        if self._where is None:
            message = "there are no passkeys here: the host has to set BREE_PUBLIC_URL"
            raise Denied("NOT_ALLOWED", message, needs="BREE_PUBLIC_URL")
        if not self._where.is_named:
            message = (
                "there are no passkeys here: BREE_PUBLIC_URL has to have a name, and no number"
            )
            raise Denied("NOT_ALLOWED", message, needs="BREE_PUBLIC_URL with a name")
        return self._where

    # Making one.

    async def begin(
        self, account: Account, _: passkeys.BeginPasskeyRequest
    ) -> passkeys.BeginPasskeyResponse:
        where, held = self._here(), await self.store.passkeys(account.id)
        if len(held) >= MOST_PASSKEYS:
            raise limit_reached(MOST_PASSKEYS, "passkeys")
        challenge = await self.once.for_account(_making(account), account.id, CHALLENGE_MS, {})
        options = webauthn_words.creation(where, account.id, account.name, challenge, held)
        return passkeys.BeginPasskeyResponse(options=options)

    async def add(
        self, account: Account, request: passkeys.AddPasskeyRequest
    ) -> passkeys.AddPasskeyResponse:
        where, name = self._here(), fields.label("name", request.name)
        _check_length("response", request.response, LONGEST_MADE)
        try:
            said = webauthn_words.made(request.response)
        except Wrong as wrong:
            raise _unread("response", wrong) from None
        if await self.once.take(_making(account), said.challenge) is None:
            raise wrong_passkey()
        try:
            new = webauthn_words.proved_new(said, where, account.id, name, now_ms())
        except Wrong as wrong:
            raise _refused(wrong) from None
        kept = await self.store.add_passkey(new, MOST_PASSKEYS, call_context.token_hash.get())
        if kept is Kept.REFUSED:
            raise unauthenticated()
        if kept is Kept.FULL:
            raise limit_reached(MOST_PASSKEYS, "passkeys")
        if kept is Kept.TAKEN:
            raise wrong_passkey()
        return passkeys.AddPasskeyResponse(passkey=_message(new))

    # Those there are.

    async def list(
        self, account: Account, _: passkeys.ListPasskeysRequest
    ) -> passkeys.ListPasskeysResponse:
        self._here()
        found = await self.store.passkeys(account.id)
        return passkeys.ListPasskeysResponse(passkeys=[_message(one) for one in found])

    async def remove(
        self, account: Account, request: passkeys.RemovePasskeyRequest
    ) -> passkeys.RemovePasskeyResponse:
        self._here()
        if not fields.CREDENTIAL.fullmatch(request.passkey):
            raise invalid("passkey", "passkey is the id of a passkey, as ListPasskeys tells it")
        usable = ANYHOW if request.even_if_last else self.usable
        if not await self.store.remove_passkey(account.id, request.passkey, usable):
            raise last_way("passkey")
        return passkeys.RemovePasskeyResponse()

    # Coming in.

    async def begin_login(self, _: passkeys.BeginLoginRequest) -> passkeys.BeginLoginResponse:
        where, address = self._here(), call_context.address.get()()
        await self.visitors.let_in(self.visitors.looks, address, BEGIN_PRICE)
        challenge = await self.once.for_address(LOGIN, address, CHALLENGE_MS, {})
        return passkeys.BeginLoginResponse(options=webauthn_words.request(where, challenge))

    async def prove(self, request: pb.StartSessionRequest) -> Account:
        """The account of which a passkey was shown."""
        where, who = self._here(), call_context.address.get()()
        _check_length("passkey", request.passkey, LONGEST_SHOWN)
        await self.visitors.let_in(self.visitors.guesses, who)
        try:
            said = webauthn_words.shown(request.passkey)
        except Wrong as wrong:
            raise _unread("passkey", wrong) from None
        if await self.once.take(LOGIN, said.challenge) is None:
            raise wrong_passkey()
        kept = await self.store.passkey(said.passkey)
        if kept is None:
            raise wrong_passkey()
        try:
            used = webauthn_words.proved(said, where, kept)
        except Wrong as wrong:
            raise _refused(wrong) from None
        found = await self.store.credentials(kept.account)
        if found is None or not await self.store.use_passkey(used, now_ms()):
            raise wrong_passkey()
        self.visitors.no_guess(who)
        return found.account


def _making(account: Account) -> str:
    return f"make a passkey of {account.id}"


def _check_length(field: str, text: str, most: int) -> None:
    if not 1 <= len(text) <= most:
        raise invalid(field, f"{field} is 1 to {most} characters of JSON")


def _unread(field: str, wrong: Wrong) -> Denied:
    log.info("no answer of an authenticator", why=str(wrong)[:200])
    return invalid(field, f"{field} is no answer of a browser's navigator.credentials")


def _refused(wrong: Wrong) -> Denied:
    log.info("passkey refused", why=str(wrong)[:200])
    return wrong_passkey()


def _message(one: Passkey) -> passkeys.Passkey:
    return passkeys.Passkey(
        id=one.id,
        name=one.name,
        create_time=wire.time(one.created_ms),
        use_time=wire.time(one.used_ms),
        syncable=one.eligible,
        synced=one.backed_up,
    )
