"""The door: who calls, whether he may, and whether he calls too often. Nobody comes past it."""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from gateway import caller
from gateway.accounts import Accounts
from gateway.limits import Buckets
from gateway.methods import Access, Method
from gateway.refusals import unauthenticated
from gateway.settings import GatewaySettings
from process.server import bearer

NEW_ACCOUNTS = "/bree.gateway.v1.AccountService/CreateAccount"


class Door:
    """Lets callers in, whatever the transport."""

    def __init__(
        self, settings: GatewaySettings, accounts: Accounts, methods: Iterable[Method]
    ) -> None:
        self.accounts = accounts
        self.access = {method.path: method.access for method in methods}
        self.platform_token = settings.platform_token.get_secret_value().encode()
        self.address_header = settings.address_header
        calls, looks = settings.calls_a_second, settings.looks_a_second
        made = settings.new_accounts_a_minute
        self.calls = Buckets(calls, settings.calls_burst, f"{calls:g} requests a second")
        self.looks = Buckets(looks, settings.looks_burst, f"{looks:g} requests a second")
        self.made = Buckets(made / 60, settings.new_accounts_burst, f"{made:g} accounts a minute")

    async def admit(self, path: str, token: str, address: Callable[[], str]) -> None:
        """Let a caller in, and note who he is; or refuse him."""
        access = self.access[path]
        if access is Access.ACCOUNT:
            account = await self.accounts.prove(token)
            self.calls.take(account.id)
        elif access is Access.PLATFORM:
            if not hmac.compare_digest(token.encode(), self.platform_token):
                raise unauthenticated()
        elif path == NEW_ACCOUNTS:
            self.made.take(address())
        else:
            self.looks.take(address())

    async def guard(self, path: str, context: Any) -> None:
        """The same for gRPC, and until when the caller waits."""
        caller.wait_until(context.time_remaining())
        await self.admit(path, bearer(context), partial(self._address, context))

    def _address(self, context: Any) -> str:
        if self.address_header:
            for key, value in context.invocation_metadata() or ():
                if key == self.address_header:
                    # The last one is what our own proxy has written.
                    return network(str(value).rpartition(",")[2].strip())
        return network(_host(context.peer()))


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
