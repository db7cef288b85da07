"""Who calls: his address, and his token, which may be in a cookie where his own page calls.

Design. A cookie goes along with whatever a browser asks of this host, also when another site makes
it ask. So it counts only if the browser says that a page of this host asks (Sec-Fetch-Site; Origin,
where a browser tells that alone), with a header that no form can send. Otherwise there is none.
"""

from __future__ import annotations

from http.cookies import CookieError, SimpleCookie
from urllib.parse import urlsplit

from gateway.admission import Admission
from gateway.door.message import Request

COOKIE, SECURE_COOKIE = "bree_session", "__Host-bree_session"
"""What the cookie is called; browsers let no other host set one of the second kind."""

BEARER = "Bearer "


class Callers:
    """Tells who calls over HTTP."""

    def __init__(self, admission: Admission) -> None:
        self.admission = admission

    def address(self, request: Request) -> str:
        """Whom a request is from, as proxies say, if there are any."""
        header = self.admission.address_header
        return self.admission.address(request.header(header) if header else "", request.host)

    def is_secure(self, request: Request) -> bool:
        """Whether the caller speaks TLS, with this gateway or with a proxy before it."""
        if request.is_tls or not self.admission.address_header:
            return request.is_tls
        said = request.header("x-forwarded-proto")
        return (self.admission.outermost(said) or said.strip()).lower() == "https"

    def token(self, request: Request) -> str:
        """The token that a request presents, or nothing."""
        said = request.headers.get("authorization")
        if said is not None:
            return said.removeprefix(BEARER) if said.startswith(BEARER) else ""
        return self.cookie(request) if is_from_own_page(request) else ""

    def token_to_look(self, request: Request) -> str:
        """The token of somebody who goes to an address at which there is only something to see.

        A browser tells that no other page has sent him there, or that he has typed it. One that
        does not tell such things sends headers of our own for no page but ours.
        """
        if "authorization" in request.headers:
            return self.token(request)
        site = request.header("sec-fetch-site")
        is_own = "connect-protocol-version" in request.headers
        is_here = site in {"same-origin", "none"} if site else is_own
        return self.cookie(request) if is_here else ""

    def cookie(self, request: Request) -> str:
        """What the cookie of a session holds, whoever asks."""
        said = request.header("cookie")
        name = SECURE_COOKIE if self.is_secure(request) else COOKIE
        if name not in said:
            return ""
        try:
            found = SimpleCookie(said).get(name)
        except CookieError:
            return ""
        return found.value if found else ""


def is_from_own_page(request: Request) -> bool:
    """Whether a page of this host made the browser ask, and no other."""
    if "connect-protocol-version" not in request.headers:
        return False
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site == "same-origin"
    try:
        origin = urlsplit(request.header("origin"))
    except ValueError:
        return False
    return origin.scheme in {"http", "https"} and origin.netloc == request.header("host") != ""
