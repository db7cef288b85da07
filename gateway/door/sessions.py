"""What the door does with the answers of SessionService: the token of a session may be a cookie.

Design. A page asks for it with the header `bree-session: cookie`. Then the token goes into a cookie
that no script can read, and is taken out of the answer. A cookie that is Strict does all that the
page needs: a link from elsewhere opens a page that is for everyone, and its calls are its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bree.process.statuses import Denied
from gateway.door.callers import COOKIE, SECURE_COOKIE, Callers, is_from_own_page
from gateway.door.message import NOTHING, Pairs, Request

ASKS = "bree-session"
KEPT_SECONDS = 400 * 24 * 60 * 60
"""As long as any browser keeps a cookie."""

SERVICE = "/bree.gateway.v1.SessionService/"


class Hook:
    """What is done at the door for a method, before it is called and with its answer."""

    def __init__(self, callers: Callers) -> None:
        self.callers = callers

    def check(self, request: Request) -> None:
        """Refuse what cannot be answered as it was asked."""

    def headers(self, request: Request, asked: Any, answer: Any) -> Pairs:
        """What is sent besides the answer, which may be changed."""
        return NOTHING

    def _cookie(self, request: Request, value: str, seconds: int) -> Pairs:
        is_secure = self.callers.is_secure(request)
        said = f"{SECURE_COOKIE if is_secure else COOKIE}={value}; Path=/; Max-Age={seconds}"
        said += "; HttpOnly; SameSite=Strict" + ("; Secure" if is_secure else "")
        return ((b"set-cookie", said.encode("ascii")),)


class Starts(Hook):
    """A session begins."""

    def check(self, request: Request) -> None:
        wanted = request.header(ASKS)
        if wanted and wanted != "cookie":
            raise Denied("INVALID_REQUEST", f"{ASKS} is cookie, or is left out", field=ASKS)
        if wanted and not is_from_own_page(request):
            why = "a cookie is only for a page of this host"
            raise Denied("NOT_ALLOWED", why, needs="a call from a page of this host")

    def headers(self, request: Request, asked: Any, answer: Any) -> Pairs:
        if not request.header(ASKS):
            return NOTHING
        token, answer.token = answer.token, ""
        return self._cookie(request, token, KEPT_SECONDS)


class Ends(Hook):
    """The session of the caller ends, and with it his cookie."""

    def headers(self, request: Request, asked: Any, answer: Any) -> Pairs:
        cookie = self.callers.cookie(request)
        named = getattr(asked, "session", "")
        # The token of a session has its id within it.
        is_another = getattr(asked, "keep_current", False) or (
            named and named not in cookie.split(".")[1:-1]
        )
        if is_another or not cookie or "authorization" in request.headers:
            return NOTHING
        return self._cookie(request, "", 0)


HOOKS: Mapping[str, type[Hook]] = {
    f"{SERVICE}StartSession": Starts,
    f"{SERVICE}EndSession": Ends,
    f"{SERVICE}EndAllSessions": Ends,
}


def hook_of(path: str, callers: Callers) -> Hook | None:
    """What is done at the door for a method, if anything is."""
    kind = HOOKS.get(path)
    return kind(callers) if kind else None
