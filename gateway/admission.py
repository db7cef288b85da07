"""Admission: who calls, whether he may, and whether he calls too often. Nobody comes past it."""

from __future__ import annotations

import hmac
import ipaddress
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from bree.process.server import bearer
from gateway import call_context
from gateway.accounts import Accounts
from gateway.desk.admins import Admins
from gateway.desk.shut_out import ShutOut
from gateway.documents import Account, visitor
from gateway.limits import TokenBuckets
from gateway.methods import Access, Method
from gateway.refusals import (
    beyond_scope,
    hosts_only,
    leaves,
    too_many_visits,
    unauthenticated,
)
from gateway.scopes import WHILE_LEAVING, may_call
from gateway.settings import GatewaySettings
from gateway.visitors import Visitors

STREAMS = {"Watch", "ServerReflectionInfo"}
"""The streams among the methods of health and reflection."""

OWN = (Access.ACCOUNT, Access.ADMIN)
"""What needs an account's token."""

NEW_ACCOUNTS = "/bree.gateway.v1.AccountService/CreateAccount"
"""A session of a new guest is counted like it, where it begins: in `sessions.py`."""


class Admission:
    """Lets callers in, whatever the transport."""

    def __init__(
        self,
        settings: GatewaySettings,
        accounts: Accounts,
        methods: Iterable[Method],
        calls: TokenBuckets,
        visitors: Visitors,
        shut_out: ShutOut,
    ) -> None:
        self.accounts, self.calls, self.shut_out = accounts, calls, shut_out
        self.admins = Admins.of(settings.admins)
        self.methods = {method.path: method for method in methods}
        self.platform_token = settings.platform_token.get_secret_value().encode()
        self.visitors = visitors
        self.most_visits = settings.most_visits
        self._visits: Counter[str] = Counter()
        self.address_header, self.hops = settings.address_header, settings.trusted_hops

    async def admit(self, path: str, token: str, address: Callable[[], str]) -> None:
        """Let a caller in, and note who he is; or refuse him."""
        method, visitors = self.methods[path], self.visitors
        access = method.access
        call_context.address.set(address)
        if access in OWN or (access is Access.LOOKER and token):
            account = self.accounts.believed(token) or await visitors.proved(token, address)
            await self._let_in(account, method)
        elif access is Access.LOOKER:
            await visitors.let_in(visitors.looks, address())
            looker = visitor(address())
            call_context.account.set(looker)
            await visitors.let_in(self.calls, looker.id, method.price)
        elif access is Access.PLATFORM:
            if not hmac.compare_digest(token.encode(), self.platform_token):
                raise unauthenticated()
        elif path == NEW_ACCOUNTS:
            await visitors.let_in(visitors.made, address())
        else:
            await visitors.let_in(visitors.looks, address())

    async def _let_in(self, account: Account, method: Method) -> None:
        """Let an account in, with the token that it has, to what it may do now."""
        scope, is_admins = call_context.scope.get(), method.access is Access.ADMIN
        if scope and not is_admins and not may_call(scope, method.name):
            raise beyond_scope(scope)
        if account.leaving_ms and method.name not in WHILE_LEAVING:
            raise leaves(account)
        await self.visitors.let_in(self.calls, account.id, method.price)
        if is_admins and (scope or not self.admins.has(account)):
            raise hosts_only()
        if account.banned_ms or account.muted_ms:
            await self.shut_out.check(account, method.name)

    async def visit(self, path: str, context: Any) -> None:
        """Let somebody look whether this gateway is well, or what it serves; anyone may.

        Who only asks whether it is well is never refused: else a crowd could make it look ill.
        """
        if path.rpartition("/")[2] not in STREAMS:
            return
        who = self._address(context)
        await self.visitors.let_in(self.visitors.looks, who)
        if self._visits[who] >= self.most_visits:
            raise too_many_visits(self.most_visits)
        self._visits[who] += 1
        context.add_done_callback(lambda _: self._leave(who))

    def _leave(self, who: str) -> None:
        self._visits[who] -= 1
        if not self._visits[who]:
            del self._visits[who]

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
