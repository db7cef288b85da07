"""A session's token in a cookie: where it is put, when it counts, and when it does not."""

from __future__ import annotations

import ssl
from http.cookies import SimpleCookie
from types import SimpleNamespace

import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from gateway import methods
from gateway.door.callers import Callers
from gateway.door.message import Request
from gateway.door.sessions import hook_of
from tests.certificates import certificate
from tests.gateway.door.http_client import FROM_OWN_PAGE, JSON, read
from tests.gateway.door.test_calls import GET_ACCOUNT, KINDS

ASKS = {**FROM_OWN_PAGE, "bree-session": "cookie"}
KEPT = str(400 * 24 * 60 * 60)


@pytest.fixture(autouse=True)
def sessions(monkeypatch):
    """Sessions that are accounts: what the door does with them is all that is tested here."""
    table = methods._table

    def with_sessions(parts):
        async def start(_, request):
            made = await parts.accounts.create(pb.CreateAccountRequest())
            return pb.StartSessionResponse(account=made.account, token=made.token)

        async def end(account, request):
            return pb.EndSessionResponse()

        async def end_all(account, request):
            return pb.EndAllSessionsResponse(ended=1)

        ours = {"StartSession": start, "EndSession": end, "EndAllSessions": end_all}
        found = table(parts)
        return {**found, "SessionService": {**found["SessionService"], **ours}}

    monkeypatch.setattr(methods, "_table", with_sessions)
    starts = ("SessionService", "StartSession")
    monkeypatch.setitem(methods.ACCESS, starts, methods.Access.ANYONE)


async def started(link, **headers):
    """A session that a page has begun; its cookie, as a browser sends it."""
    answer = await link.call(pb.StartSessionRequest(), **{**ASKS, **headers})
    assert 200 == answer.status, answer
    [said] = answer.cookies
    [(name, cookie)] = SimpleCookie(said).items()
    return f"{name}={cookie.value}", cookie


@KINDS
async def test_a_page_never_sees_its_token(links, kind):
    """It is in a cookie that no script reads, no other site sends, and no other path sees."""
    answer = await links.nobody().call(pb.StartSessionRequest(), kind, **ASKS)
    told = read(pb.StartSessionRequest(), answer, kind)
    [said] = answer.cookies
    [(name, cookie)] = SimpleCookie(said).items()

    assert ("", True) == (told.token, bool(told.account.name))
    assert cookie.value.encode() not in answer.body
    assert ("bree_session", "/", KEPT) == (name, cookie["path"], cookie["max-age"])
    assert ("Strict", True, "") == (cookie["samesite"], cookie["httponly"], cookie["secure"])
    assert "domain" not in said.lower()


async def test_programs_get_the_token_itself(links):
    """And no cookie, unless they ask."""
    answer = await links.nobody().call(pb.StartSessionRequest())

    assert read(pb.StartSessionRequest(), answer, None).token
    assert [] == answer.cookies


async def test_a_cookie_is_as_good_as_a_token_for_the_page(links):
    """For calls and for streams."""
    link = links.nobody()
    cookie, _ = await started(link)
    said = {**FROM_OWN_PAGE, "cookie": f"theme=dark; {cookie}; other=1"}

    assert (await link.tell(pb.GetAccountRequest(), **said)).account.name
    stream = await link.stream(pb.WatchMatchRequest(match="h-aaaaaaaaaa"), **said)
    assert [] == await stream.rest()
    assert "UNKNOWN_MATCH" == stream.reason


OTHERS = {
    "a page of another site": {"sec-fetch-site": "cross-site"},
    "a page of another host of this site": {"sec-fetch-site": "same-site"},
    "somebody who typed the address": {"sec-fetch-site": "none"},
    "a form": {"connect-protocol-version": None},
    "nobody knows who": {"sec-fetch-site": None},
    "an older browser elsewhere": {"sec-fetch-site": None, "origin": "http://elsewhere.example"},
    "another port": {"sec-fetch-site": None, "origin": "http://localhost:81"},
    "another name that begins so": {"sec-fetch-site": None, "origin": "http://localhost.evil.org"},
    "no host": {"sec-fetch-site": None, "origin": "http://"},
    "a sandbox": {"sec-fetch-site": None, "origin": "null"},
    "a broken origin": {"sec-fetch-site": None, "origin": "http://[x"},
    "one who says both": {"sec-fetch-site": "cross-site", "origin": "http://localhost"},
}


@pytest.mark.parametrize("who", OTHERS)
async def test_others_cannot_use_the_cookie(links, who):
    """Their browser sends it along, and it is as if it had not."""
    link = links.nobody()
    cookie, _ = await started(link)
    said = {name: value for name, value in {**FROM_OWN_PAGE, **OTHERS[who]}.items() if value}
    answer = await link.call(pb.GetAccountRequest(), cookie=cookie, **said)

    assert (401, "UNAUTHENTICATED") == (answer.status, answer.reason)
    refused = await link.call(pb.StartSessionRequest(), **said, **{"bree-session": "cookie"})
    assert (403, "NOT_ALLOWED") == (refused.status, refused.reason), "nor log him in as somebody"
    assert [] == refused.cookies


async def test_an_older_browser_of_ours_is_known_by_its_origin(links):
    """As it says no Sec-Fetch-Site, or does not over plain HTTP."""
    link = links.nobody()
    cookie, _ = await started(link)
    said = {"connect-protocol-version": "1", "cookie": cookie}

    for origin in ("http://localhost", "https://localhost"):
        assert await link.tell(pb.GetAccountRequest(), origin=origin, **said)


async def test_a_form_of_another_site_calls_nothing(links):
    """What a browser sends without asking first is no request of ours."""
    link = links.nobody()
    cookie, _ = await started(link)
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        answer = await link.ask("POST", GET_ACCOUNT, b"{}", content_type=kind, cookie=cookie)
        assert 415 == answer.status


async def test_a_token_goes_before_a_cookie(links):
    """Also one that is worth nothing."""
    link, rosie = links.nobody(), await links.account()
    cookie, _ = await started(link)
    name = (await rosie.tell(pb.GetAccountRequest())).account.name
    said = {**FROM_OWN_PAGE, "cookie": cookie}

    assert name == (await rosie.tell(pb.GetAccountRequest(), **said)).account.name
    for wrong in ("Bearer nothing", "Basic x", ""):
        assert 401 == (await link.call(pb.GetAccountRequest(), authorization=wrong, **said)).status


@pytest.mark.parametrize(
    "cookie", ["bree_session", "bree_session=", "=;;;", 'bree_session="', "x" * 900]
)
async def test_a_broken_cookie_is_none(links, cookie):
    answer = await links.nobody().call(pb.GetAccountRequest(), cookie=cookie, **FROM_OWN_PAGE)

    assert (401, "UNAUTHENTICATED") == (answer.status, answer.reason)


@pytest.mark.parametrize(
    ("request_", "ends"),
    [
        (pb.EndSessionRequest(), True),
        (pb.EndSessionRequest(session="another"), False),
        (pb.EndAllSessionsRequest(), True),
        (pb.EndAllSessionsRequest(keep_current=True), False),
    ],
    ids=str,
)
async def test_who_ends_his_session_loses_his_cookie(links, request_, ends):
    """And who ends another keeps it."""
    link = links.nobody()
    cookie, _ = await started(link)
    answer = await link.call(request_, cookie=cookie, **FROM_OWN_PAGE)

    assert 200 == answer.status
    assert ends == bool(answer.cookies)
    for said in answer.cookies:
        [(name, gone)] = SimpleCookie(said).items()
        assert ("bree_session", "", "0", "/") == (name, gone.value, gone["max-age"], gone["path"])


@pytest.mark.parametrize(("named", "ends"), [("s1s1s1s1", True), ("s2s2s2s2", False)])
def test_a_session_that_is_named_may_be_the_callers(named, ends):
    """Its id is within its token."""
    callers = Callers(SimpleNamespace(address_header=""))
    cookie = f"bree_session=a1a1a1a1a1a1a1a1.s1s1s1s1.{'x' * 43}"
    request = Request("POST", "/", {"cookie": cookie}, "127.0.0.1", is_tls=False)
    hook = hook_of("/bree.gateway.v1.SessionService/EndSession", callers)

    assert ends == bool(hook.headers(request, pb.EndSessionRequest(session=named), None))


async def test_a_refused_end_keeps_the_cookie(links):
    answer = await links.nobody().call(
        pb.EndSessionRequest(), cookie="bree_session=x", **FROM_OWN_PAGE
    )

    assert (401, []) == (answer.status, answer.cookies)


async def test_an_unknown_wish_is_told(links):
    answer = await links.nobody().call(pb.StartSessionRequest(), **{**ASKS, "bree-session": "jar"})

    assert (400, "INVALID_REQUEST") == (answer.status, answer.reason)


async def test_over_tls_no_other_host_can_set_it(links, town, tmp_path):
    """Its name says so to browsers; and it is sent by nothing but TLS."""
    key, trust = certificate(tmp_path)
    process = await town.gateway(tls_certificate=str(trust), tls_key=str(key))
    link = links.nobody(process, tls=ssl.create_default_context(cafile=trust))
    cookie, told = await started(link)

    assert cookie.startswith("__Host-bree_session=")
    assert (True, "Strict") == (told["secure"], told["samesite"])
    assert await link.tell(pb.GetAccountRequest(), cookie=cookie, **FROM_OWN_PAGE)
    plain = cookie.removeprefix("__Host-")
    assert 401 == (await link.call(pb.GetAccountRequest(), cookie=plain, **FROM_OWN_PAGE)).status


@pytest.mark.parametrize(
    ("town", "said", "secure"),
    [
        ({"address_header": "x-forwarded-for"}, "https", True),
        ({"address_header": "x-forwarded-for"}, "http", False),
        ({"address_header": "x-forwarded-for", "trusted_hops": 2}, "http, https, http", True),
        ({}, "https", False),
    ],
    indirect=["town"],
)
async def test_what_a_proxy_says_of_tls_counts_if_there_is_one(links, town, said, secure):
    """Else anybody could say it."""
    answer = await links.nobody().call(
        pb.StartSessionRequest(), JSON, **ASKS, **{"x-forwarded-proto": said}
    )
    [cookie] = answer.cookies

    assert secure == cookie.startswith("__Host-") == cookie.endswith("; Secure")
    page = await links.nobody().ask("GET", "/", **{"x-forwarded-proto": said})
    assert secure == ("strict-transport-security" in page.headers)
