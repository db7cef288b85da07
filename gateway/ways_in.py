"""Ways in besides tokens and codes of another device, as the host has configured them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple

from bree.gateway.v1 import gateway_pb2 as pb
from gateway.contract import Store
from gateway.documents import Account
from gateway.keyring import Usable
from gateway.mail import Mail
from gateway.mail_words import mail_server
from gateway.mailing import Mailer
from gateway.means import Means
from gateway.once import Once
from gateway.openid import Client, Provider
from gateway.passkeys import Passkeys
from gateway.providers import Providers
from gateway.public_url import PublicUrl, public_url
from gateway.settings import GatewaySettings
from gateway.visitors import Visitors

LOGIN_PATH = "/login"
"""Where the page takes who comes back from the provider."""

Prove = Callable[[pb.StartSessionRequest], Awaitable[Account]]
"""The account that a request proves, or a refusal."""


class WaysIn(NamedTuple):
    """Where the logic is."""

    passkeys: Passkeys
    providers: Providers
    mail: Mail

    @property
    def proofs(self) -> Mapping[str, Prove]:
        """What proves an account, by the field of the request in which it comes."""
        return {
            "passkey": self.passkeys.prove,
            "provider": self.providers.prove,
            "mail": self.mail.prove,
        }

    def start(self) -> None:
        """Send mails, if there is a server for them."""
        if self.mail.mailer:
            self.mail.mailer.start()

    async def close(self) -> None:
        """Send what waits, and let go."""
        if self.mail.mailer:
            await self.mail.mailer.close()


def ways_in(settings: GatewaySettings, store: Store, visitors: Visitors) -> WaysIn:
    """All of them; those that the host has not configured refuse with a sentence."""
    where = public_url(settings.public_url) if settings.public_url else None
    once = Once(store, settings.platform_token.get_secret_value())
    provider = _provider(settings, where)
    server = settings.mail_url.get_secret_value()
    usable = Usable(
        passkeys=bool(where and where.is_named), issuer=settings.oidc_issuer, mail=bool(server)
    )
    means = Means(store, visitors, once, usable)
    mailer = Mailer(mail_server(server)) if server else None
    return WaysIn(
        Passkeys(where, means),
        Providers(provider, settings.oidc_name, means),
        Mail(settings, where, mailer, means),
    )


def _provider(settings: GatewaySettings, where: PublicUrl | None) -> Provider | None:
    if not settings.oidc_issuer or where is None:
        return None
    return Provider(
        Client(
            settings.oidc_issuer,
            settings.oidc_client_id,
            settings.oidc_client_secret.get_secret_value(),
            where.origin + LOGIN_PATH,
        )
    )
