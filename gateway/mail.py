"""Codes that come by mail: to make an address one's own, and to log in.

Design. A code proves that somebody reads a mailbox; whose that is, is looked up when the code was
right. For a login a code is kept for any address, known or not, and nobody but the sender of mails
finds out whether it is known: so every answer, and what it takes to give it, is the same. A mailbox
gets few mails an hour, whoever asks for them and from wherever; meanwhile the last code stands. A
code is short, since people type it: so a few wrong guesses end it.
"""

from __future__ import annotations

from email.message import EmailMessage

from bree.gateway.v1 import gateway_pb2 as pb
from bree.gateway.v1 import mail_pb2 as mail
from bree.process.statuses import Denied
from gateway import call_context, codes, wire
from gateway.documents import Account
from gateway.keyring import ANYHOW, Kept
from gateway.limits import TokenBuckets
from gateway.mail_words import CONFIRM, LOGIN, mail_address, written
from gateway.mailing import Mailer
from gateway.matches import now_ms
from gateway.means import Means
from gateway.public_url import PublicUrl
from gateway.refusals import invalid, last_way, unauthenticated, wrong_code
from gateway.settings import GatewaySettings

CODE_MS = 10 * 60_000
HOUR_MS, MOST_AN_HOUR = 3_600_000, 5
"""So many mails a mailbox gets within such a while."""

TO_LOGIN, TO_CONFIRM = "login", "confirm"


class Mail:
    """The methods of MailService, and the proof that they lead to."""

    def __init__(
        self,
        settings: GatewaySettings,
        where: PublicUrl | None,
        mailer: Mailer | None,
        means: Means,
    ) -> None:
        self.store, self.visitors, self.once, self.usable = means
        self.mailer, self._where, self._sender = mailer, where, settings.mail_from
        rate = settings.mails_a_minute
        self.asked = TokenBuckets(rate / 60, settings.mails_burst, f"{rate:g} mails a minute")

    def _there(self) -> Mailer:
        if self.mailer is None:
            message = "no mail is sent from here: the host has no mail server"
            raise Denied("NOT_ALLOWED", message, needs="BREE_MAIL_URL")
        return self.mailer

    def _written(self, text: str, address: str, code: str) -> EmailMessage:
        assert self._where is not None, "the settings want an address of the page"
        return written(self._sender, address, text, self._where.origin, codes.shown(code))

    # An address of one's own.

    async def set(
        self, account: Account, request: mail.SetAddressRequest
    ) -> mail.SetAddressResponse:
        mailer, address = self._there(), _address(request.address)
        await self.visitors.let_in(self.asked, account.id)
        if not await self._may_get_another(address):
            message = "this mailbox was sent many codes: wait for an hour"
            limit = f"{MOST_AN_HOUR} mails an hour to one mailbox"
            raise Denied("RATE_LIMITED", message, limit=limit, retry_after_ms=HOUR_MS)
        code, until = codes.new_code(), now_ms() + CODE_MS
        await self.once.keep_code(_mine(account), TO_CONFIRM, code, CODE_MS, address)

        async def confirming() -> EmailMessage:
            return self._written(CONFIRM, address, code)

        mailer.put(confirming)
        return mail.SetAddressResponse(expire_time=wire.time(until))

    async def confirm(
        self, account: Account, request: mail.ConfirmAddressRequest
    ) -> mail.ConfirmAddressResponse:
        self._there()
        code = codes.typed(request.code)
        address = await self.once.guess_code(_mine(account), TO_CONFIRM, code)
        if not address:
            raise wrong_code()
        by = call_context.token_hash.get()
        kept = await self.store.add_address(account.id, address, now_ms(), by)
        if kept is Kept.REFUSED:
            raise unauthenticated()
        if kept is Kept.TAKEN:
            message = "this address is another account's: remove it there first"
            raise Denied("NOT_ALLOWED", message, needs="an address that is no account's")
        return mail.ConfirmAddressResponse(address=address)

    async def show(self, account: Account, _: mail.GetAddressRequest) -> mail.GetAddressResponse:
        address = await self.store.address(account.id)
        return mail.GetAddressResponse(address=address, offered=self.mailer is not None)

    async def remove(
        self, account: Account, request: mail.RemoveAddressRequest
    ) -> mail.RemoveAddressResponse:
        usable = ANYHOW if request.even_if_last else self.usable
        if not await self.store.remove_address(account.id, usable):
            raise last_way("address")
        return mail.RemoveAddressResponse()

    # Coming in.

    async def begin_login(self, request: mail.BeginMailLoginRequest) -> mail.BeginMailLoginResponse:
        mailer, address = self._there(), _address(request.address)
        await self.visitors.let_in(self.asked, call_context.address.get()())
        code, until = codes.new_code(), now_ms() + CODE_MS
        if await self._may_get_another(address):
            await self.once.keep_code(_mailbox(address), TO_LOGIN, code, CODE_MS)

            async def logging_in() -> EmailMessage | None:
                known = await self.store.account_at(address)
                return self._written(LOGIN, address, code) if known else None

            mailer.put(logging_in)
        return mail.BeginMailLoginResponse(expire_time=wire.time(until))

    async def _may_get_another(self, address: str) -> bool:
        return await self.once.is_rare(_mailbox(address), HOUR_MS, MOST_AN_HOUR)

    async def prove(self, request: pb.StartSessionRequest) -> Account:
        """The account whose mailbox somebody reads."""
        self._there()
        address, code = _address(request.mail.address), codes.typed(request.mail.code)
        who = call_context.address.get()()
        await self.visitors.let_in(self.visitors.guesses, who)
        if await self.once.guess_code(_mailbox(address), TO_LOGIN, code) is None:
            raise wrong_code()
        account = await self.store.account_at(address)
        found = await self.store.credentials(account) if account else None
        if found is None:
            raise wrong_code()
        self.visitors.no_guess(who)
        return found.account


def _address(said: str) -> str:
    try:
        return mail_address(said)
    except ValueError as error:
        raise invalid("address", str(error)) from None


def _mailbox(address: str) -> str:
    return f"mailbox {address}"


def _mine(account: Account) -> str:
    return f"address of {account.id}"
