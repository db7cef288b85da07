"""Admission: who calls, whether he may, and whether he calls too often. Nobody comes past it."""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from bree.process.server import bearer
from bree.process.statuses import Denied
from gateway import call_context
from gateway.accounts import Accounts
from gateway.documents import Account
from gateway.limits import TokenBuckets
from gateway.methods import Access, Method
from gateway.refusals import too_many_visits, unauthenticated
from gateway.settings import GatewaySettings

PAUSE_SECONDS, MOST_WAITING = 0.2, 10_000
"""How long a refusal of a caller in haste is held back, and how many may wait for theirs."""

STREAMS = {"Watch", "ServerReflectionInfo"}
"""The streams among the methods of health and reflection."""

NEW_ACCOUNTS = "/bree.gateway.v1.AccountService/CreateAccount"


class Admission:
    """Lets callers in, whatever the transport."""

    def __init__(
        self,
        settings: GatewaySettings,
        accounts: Accounts,
        methods: Iterable[Method],
        calls: TokenBuckets,
    ) -> None:
        self.accounts, self.calls = accounts, calls
        self.methods = {method.path: method for method in methods}
        self.platform_token = settings.platform_token.get_secret_value().encode()
        self._waiting = 0
        self.most_visits = settings.most_visits
        self._visits: Counter[str] = Counter()
        self.address_header, self.hops = settings.address_header, settings.trusted_hops
        looks, made = settings.looks_a_second, settings.new_accounts_a_minute
        self.looks = TokenBuckets(looks, settings.looks_burst, f"{looks:g} requests a second")
        wrong = settings.wrong_tokens_a_minute
        self.guesses = TokenBuckets(
            wrong / 60, settings.wrong_tokens_burst, f"{wrong:g} wrong tokens a minute"
        )
        self.made = TokenBuckets(
            made / 60, settings.new_accounts_burst, f"{made:g} accounts a minute"
        )

    async def admit(self, path: str, token: str, address: Callable[[], str]) -> None:
        """Let a caller in, and note who he is; or refuse him."""
        method = self.methods[path]
        access = method.access
        if access is Access.ACCOUNT:
            account = self.accounts.believed(token) or await self._proved(token, address)
            await self._let_in(self.calls, account.id, method.price)
        elif access is Access.PLATFORM:
            if not hmac.compare_digest(token.encode(), self.platform_token):
                raise unauthenticated()
        elif path == NEW_ACCOUNTS:
            await self._let_in(self.made, address())
        else:
            await self._let_in(self.looks, address())

    async def _proved(self, token: str, address: Callable[[], str]) -> Account:
        """Whose token it is. An address may try only a few that were never right here."""
        if self.accounts.was_right(token):
            return await self.accounts.prove(token)
        who = address()
        if self.accounts.is_wrong(token):  # which costs no look, so it is no more than a nuisance
            await self._let_in(self.looks, who)
            raise unauthenticated()
        await self._let_in(self.guesses, who)
        account = await self.accounts.prove(token)
        self.guesses.charge(who, -1)  # it was no guess
        return account

    async def visit(self, path: str, context: Any) -> None:
        """Let somebody look whether this gateway is well, or what it serves; anyone may.

        Who only asks whether it is well is never refused: else a crowd could make it look ill.
        """
        if path.rpartition("/")[2] not in STREAMS:
            return
        who = self._address(context)
        await self._let_in(self.looks, who)
        if self._visits[who] >= self.most_visits:
            raise too_many_visits(self.most_visits)
        self._visits[who] += 1
        context.add_done_callback(lambda _: self._leave(who))

    def _leave(self, who: str) -> None:
        self._visits[who] -= 1
        if not self._visits[who]:
            del self._visits[who]

    async def _let_in(self, buckets: TokenBuckets, key: str, price: float = 1) -> None:
        """Take from a bucket; whom it refuses is told so after a pause, so that he does not haste.

        Only MOST_WAITING wait: who has more calls open is no client who waits for answers.
        """
        try:
            buckets.take(key, price)
        except Denied:
            if self._waiting < MOST_WAITING:
                self._waiting += 1
                try:
                    await asyncio.sleep(PAUSE_SECONDS)
                finally:
                    self._waiting -= 1
            raise

    async def guard(self, path: str, context: Any) -> None:
        """The same for gRPC, and until when the caller waits."""
        call_context.note_deadline(context.time_remaining())
        await self.admit(path, bearer(context), partial(self._address, context))

    def _address(self, context: Any) -> str:
        said: list[str] = []
        if self.address_header:
            metadata = context.invocation_metadata() or ()
            said = [str(value) for key, value in metadata if key == self.address_header]
        return self.address(",".join(said), _host(context.peer()))

    def address(self, said: str, host: str) -> str:
        """Whom a call is from: what proxies said of him in the header for it, or who connected."""
        return network(self.outermost(said) or host)

    def outermost(self, said: str) -> str:
        """What the outermost of our proxies said in a header; nothing if there are none."""
        told = said.split(",") if said and self.address_header else []
        # Each proxy adds by whom it was called; what stands before that may be made up.
        return told[-self.hops].strip() if len(told) >= self.hops else ""


def _host(peer: str) -> str:
    """The host in what gRPC calls a peer, such as ipv4:127.0.0.1:50051."""
    kind, _, rest = peer.partition(":")
    if kind not in ("ipv4", "ipv6"):
        return peer
    return rest.replace("%5B", "[").replace("%5D", "]").rpartition(":")[0].strip("[]")


def network(host: str) -> str:
    """Whom an address stands for: one machine, or in IPv6 the network that a caller commands."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host[:64]
    if address.version == 4:
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network(f"{address}/64", strict=False))
