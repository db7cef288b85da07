"""Other ways in over HTTP: in JSON, with the session in a cookie, and from no other site."""

from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace

import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from tests.gateway.authenticator import Authenticator
from tests.gateway.door.http_client import FROM_OWN_PAGE, JSON
from tests.gateway.door.test_cookies import OTHERS
from tests.gateway.with_provider import HERE, came_back, opened

ASKS = {**FROM_OWN_PAGE, "bree-session": "cookie"}
SERVICE = "/bree.gateway.v1."


@pytest.fixture
def town(loop, store_of, provider):
    yield from opened(loop, store_of, provider)


async def posted(link, method, said=None, **headers):
    """The answer to a method, in JSON."""
    body = json.dumps(said or {}).encode()
    given = {"content_type": JSON} | headers
    return await link.ask("POST", SERVICE + method, body, **given)


async def said(link, method, asked=None, **headers):
    answer = await posted(link, method, asked, **headers)
    assert 200 == answer.status, answer
    assert "no-store" == answer.headers["cache-control"]
    return answer.json()


async def with_passkey(links):
    """A new account, by its link, and its passkey."""
    link = await links.account()
    device = Authenticator(HERE)
    options = (await said(link, "PasskeyService/BeginPasskey"))["options"]
    adding = {"response": device.make(options), "name": "my phone"}
    kept = (await said(link, "PasskeyService/AddPasskey", adding))["passkey"]
    assert device.name == kept["id"]
    return link, device


async def shown(link, device):
    """What a page sends that asks for a passkey."""
    options = (await said(link, "PasskeyService/BeginLogin"))["options"]
    return {"passkey": device.show(options), "device": "my phone"}


async def test_a_page_logs_in_by_a_passkey(links):
    """And never sees the token that comes of it."""
    owner, device = await with_passkey(links)
    page = links.nobody()
    answer = await posted(page, "SessionService/StartSession", await shown(page, device), **ASKS)
    [cookie] = answer.cookies
    told = answer.json()

    assert (await owner.tell(pb.GetAccountRequest())).account.name == told["account"]["name"]
    assert "token" not in told
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    mine = {**FROM_OWN_PAGE, "cookie": cookie.partition(";")[0]}
    assert (
        "my phone"
        == (await said(page, "PasskeyService/ListPasskeys", **mine))["passkeys"][0]["name"]
    )


@pytest.mark.parametrize("who", OTHERS)
async def test_no_other_site_logs_somebody_in(links, who):
    """With a passkey, or an identity, of its own: he would play as somebody else, unawares."""
    _, attackers = await with_passkey(links)
    page = links.nobody()
    headers = {**ASKS, **OTHERS[who]}
    answer = await posted(
        page, "SessionService/StartSession", await shown(page, attackers), **headers
    )

    assert (403, "NOT_ALLOWED", []) == (answer.status, answer.reason, answer.cookies)


@pytest.mark.parametrize("who", OTHERS)
async def test_no_other_site_makes_a_way_in(links, who):
    """Nor takes one away: the cookie does not count for it."""
    owner, device = await with_passkey(links)
    page = links.nobody()
    begun = await posted(page, "SessionService/StartSession", await shown(page, device), **ASKS)
    [cookie] = begun.cookies
    headers = {**FROM_OWN_PAGE, **OTHERS[who], "cookie": cookie.partition(";")[0]}
    removing = {"passkey": device.name, "evenIfLast": True}
    for method, asked in (
        ("PasskeyService/BeginPasskey", {}),
        ("PasskeyService/RemovePasskey", removing),
        ("ProviderService/BeginProviderLink", {}),
        ("MailService/SetAddress", {"address": "eve@elsewhere.example"}),
    ):
        answer = await posted(page, method, asked, **headers)
        assert (401, "UNAUTHENTICATED") == (answer.status, answer.reason)
    assert (await said(owner, "PasskeyService/ListPasskeys"))["passkeys"]


async def test_a_page_logs_in_by_the_provider(links):
    """It goes there, comes back to its own address, and has the binding that it has kept."""
    page = links.nobody()
    attempt = await said(page, "ProviderService/BeginProviderLogin")
    proof = await came_back(SimpleNamespace(**attempt))
    asked = {
        "provider": {
            "state": proof.state,
            "code": proof.code,
            "binding": proof.binding,
            "issuer": proof.issuer,
        }
    }
    answer = await posted(page, "SessionService/StartSession", asked, **ASKS)

    assert 200 == answer.status
    assert answer.json()["account"]["guest"]
    assert 1 == len(answer.cookies)
    again = await posted(page, "SessionService/StartSession", asked, **ASKS)
    assert (401, []) == (again.status, again.cookies)


async def test_many_who_show_one_answer_get_one_cookie(links):
    _, device = await with_passkey(links)
    asked = await shown(links.nobody(), device)
    tries = [posted(links.nobody(), "SessionService/StartSession", asked, **ASKS) for _ in range(8)]
    answers = await asyncio.gather(*tries)

    assert 1 == sum(len(answer.cookies) for answer in answers)
    assert {200, 401} == {answer.status for answer in answers}
