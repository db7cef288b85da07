"""The address at which people open the page, as the host has said it."""

from __future__ import annotations

import ipaddress
from typing import NamedTuple
from urllib.parse import urlsplit

LOCAL = "localhost"
LOOPBACK = {LOCAL, "127.0.0.1", "::1"}
PORTS = {"https": 443, "http": 80}
"""The ports that browsers leave out."""


class PublicUrl(NamedTuple):
    """Where the page is."""

    origin: str  # as browsers say it
    host: str

    @property
    def is_named(self) -> bool:
        """Whether the host has a name, without which there are no passkeys."""
        try:
            ipaddress.ip_address(self.host.strip("[]"))
        except ValueError:
            return True
        return False


def public_url(text: str) -> PublicUrl:
    """What an address says; ValueError with a sentence if it is none that browsers trust."""
    try:
        parts = urlsplit(text)
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        raise ValueError("an address is https://HOST or https://HOST:PORT") from None
    beyond = parts.path not in {"", "/"} or parts.query or parts.fragment or "@" in parts.netloc
    is_plain = text.isascii() and text.isprintable() and " " not in text
    if parts.scheme not in PORTS or not host or beyond or not is_plain:
        raise ValueError("an address is https://HOST or https://HOST:PORT, and nothing behind it")
    if parts.scheme == "http" and host != LOCAL:
        raise ValueError("without TLS it can be http://localhost only")
    shown = f"[{host}]" if ":" in host else host
    at = "" if port in {None, PORTS[parts.scheme]} else f":{port}"
    return PublicUrl(f"{parts.scheme}://{shown}{at}", shown)


def issuer(text: str) -> str:
    """The name of a provider as it is; ValueError with a sentence if it can be none."""
    no_issuer = "an issuer is the https:// address that a provider calls itself by"
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        raise ValueError(no_issuer) from None
    if not host or not text.isascii() or not text.isprintable() or " " in text:
        raise ValueError(no_issuer)
    if parts.query or parts.fragment or "@" in parts.netloc:
        raise ValueError("an issuer has nothing behind its path, and nobody's name in it")
    if parts.scheme != "https" and not (parts.scheme == "http" and host in LOOPBACK):
        raise ValueError("without TLS a provider can be on this machine only")
    return text
