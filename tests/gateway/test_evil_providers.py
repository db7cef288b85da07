"""Evil twins of a provider: what they say that is not so, and how they answer."""

from __future__ import annotations

import asyncio
import base64
import hmac
import json
import time
from urllib.parse import parse_qs, urlsplit

import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from gateway import fetching, openid
from tests.gateway.openid_provider import CLIENT, SECRET
from tests.gateway.test_sessions import begun
from tests.gateway.town import reason, refusal
from tests.gateway.with_provider import REFUSED, begin, logged_in, opened, refused


@pytest.fixture
def town(request, loop, store_of, provider):
    yield from opened(loop, store_of, provider, **getattr(request, "param", {}))


# What an id_token may not be.


def worded(*parts):
    words = [base64.urlsafe_b64encode(json.dumps(part).encode()) for part in parts]
    return ".".join(word.decode().rstrip("=") for word in words)


def unsigned(claims):
    """As a token that says that it needs no signature."""
    return worded({"alg": "none"}, claims) + "."


def shared(secret):
    """Signed with what the platform can read."""

    def sign(claims):
        said = worded({"alg": "HS256"}, claims)
        digest = hmac.digest(secret, said.encode(), "sha256")
        return f"{said}." + base64.urlsafe_b64encode(digest).decode().rstrip("=")

    return sign


CLAIMS = {
    "of another issuer": {"iss": "https://elsewhere.example"},
    "of nobody": {"iss": None},
    "of an issuer that begins so": {"iss": "http://127.0.0.1"},
    "for another client": {"aud": "another"},
    "for another client, on behalf of this one": {"aud": "another", "azp": CLIENT},
    "for nobody": {"aud": None},
    "for others besides, who asked for it": {"aud": [CLIENT, "another"], "azp": "another"},
    "for others besides, and for whom is not said": {"aud": ["another", CLIENT]},
    "of another attempt": {"nonce": "x" * 43},
    "of no attempt": {"nonce": None},
    "that has expired": {"exp": int(time.time()) - 3600},
    "that never expires": {"exp": None},
    "that expires some day": {"exp": "tomorrow"},
    "that is not valid yet": {"nbf": int(time.time()) + 3600},
    "from the future": {"iat": int(time.time()) + 3600},
    "about nobody": {"sub": None},
    "about an empty name": {"sub": ""},
    "about a number": {"sub": 7},
    "about a list": {"sub": ["s-1"]},
    "about too long a name": {"sub": "x" * 256},
    "about a name that breaks lines": {"sub": "s\n1"},
}


@pytest.mark.parametrize("claims", CLAIMS.values(), ids=CLAIMS)
async def test_an_id_token_that_is_not_for_this_is_refused(town, provider, claims):
    """Though it is signed by the provider itself."""
    provider.claims = claims

    assert REFUSED == await refused(logged_in(town))
    provider.claims = {}
    assert await logged_in(town)


async def test_an_id_token_that_is_signed_by_nobody_is_refused(town, provider, signing_keys):
    """Nor one signed by what everyone has, by another's key, or changed since."""
    public = provider.keys[0].as_pem(private=False)
    other = signing_keys["RS256"][1]

    def changed(claims):
        head, _, signature = provider.signed(claims).split(".")
        return ".".join((head, provider.signed(claims | {"sub": "x"}).split(".")[1], signature))

    def of_another(claims):
        return provider.signed(claims, other, kid=provider.keys[0].kid)

    signs = {
        "none": unsigned,
        "a public key as a secret": shared(public),
        "the client's secret": shared(SECRET.encode()),
        "another key of the same name": of_another,
        "nobody any more": changed,
        "a key that is not published": lambda claims: provider.signed(claims, other),
        "nothing": lambda claims: provider.signed(claims).rpartition(".")[0] + ".",
        "no token": lambda _: "x.y.z",
        "an empty one": lambda _: "...",
    }
    for what, sign in signs.items():
        provider.sign = sign
        assert REFUSED == await refused(logged_in(town)), what
    provider.sign = provider.signed
    assert await logged_in(town)


async def test_keys_are_rotated(town, provider, signing_keys, monkeypatch):
    """A new one is looked for at once, one that is taken back is worth nothing within the hour."""
    await logged_in(town)
    provider.keys = [*signing_keys["RS256"][1:], signing_keys["ES256"][0]]
    assert await logged_in(town)
    assert 2 == provider.asked.count("/jwks")
    provider.sign = lambda claims: provider.signed(claims, signing_keys["ES256"][1])
    for _ in range(3):
        assert REFUSED == await refused(logged_in(town))
    assert 2 == provider.asked.count("/jwks"), "a minute has not passed"
    monkeypatch.setattr(openid, "KEYS_PAUSE_SECONDS", -1)
    assert REFUSED == await refused(logged_in(town))
    assert 3 == provider.asked.count("/jwks")
    provider.keys = [signing_keys["ES256"][1]]
    assert await logged_in(town)
    provider.keys = [signing_keys["RS256"][0]]
    provider.sign = lambda claims: provider.signed(claims, signing_keys["ES256"][1])
    assert await logged_in(town), "an hour has not passed"
    monkeypatch.setattr(openid, "FRESH_SECONDS", -1.0)
    assert REFUSED == await refused(logged_in(town))


async def test_keys_for_something_else_sign_nothing(town, provider, signing_keys):
    """Secrets, keys that encrypt, keys of kinds that nobody knows."""
    rows = [
        signing_keys["RS256"][0].as_dict(private=False)
        | {"use": "enc", "kid": signing_keys["ES256"][0].kid},
        {"kty": "oct", "k": "AAAA", "kid": "o"},
        {"kty": "LWE", "kid": "l"},
        {"kty": "RSA", "kid": "broken", "n": "!", "e": ""},
        signing_keys["ES256"][0].as_dict(private=False),
        "no key",
    ]
    provider.replies["/jwks"] = answering(json.dumps({"keys": rows}).encode())

    assert REFUSED == await refused(logged_in(town))
    provider.sign = lambda claims: provider.signed(claims, signing_keys["ES256"][0])
    assert await logged_in(town)


@pytest.mark.parametrize("issuer", ["", "https://elsewhere.example"])
async def test_who_comes_back_from_another_issuer_is_refused(town, issuer):
    """As the address says; a provider that always says it has to."""
    assert REFUSED == await refused(logged_in(town, issuer=issuer))


async def test_a_provider_that_does_not_name_itself_need_not(town, provider):
    """But one that is named is compared."""
    provider.names_itself = False

    assert await logged_in(town)
    assert REFUSED == await refused(logged_in(town, issuer="https://elsewhere.example"))


async def test_a_code_of_another_client_is_worth_nothing(town, provider):
    """Nor one with another's verifier; nor one that the provider has never given."""
    attempt = await begin(town.nobody())
    asked = {name: one[0] for name, one in parse_qs(urlsplit(attempt.url).query).items()}
    for given in ({"client_id": "another"}, {"code_challenge": "x" * 43}, {"redirect_uri": "x"}):
        provider.codes["stolen"] = asked | {"sub": "s-1"} | given
        proof = {"state": attempt.state, "code": "stolen", "binding": attempt.binding}
        trying = begun(town, provider=pb.ProviderProof(issuer=provider.issuer, **proof))
        assert REFUSED == await refused(trying)
        attempt = await begin(town.nobody())
        asked = {name: one[0] for name, one in parse_qs(urlsplit(attempt.url).query).items()}
    assert REFUSED == await refused(logged_in(town, code="made up"))


# How a provider may not answer.


def answering(body, head="200 OK", length=None):
    """What answers with these bytes."""

    async def answer(writer):
        size = len(body) if length is None else length
        writer.write(f"HTTP/1.1 {head}\r\ncontent-length: {size}\r\n\r\n".encode() + body)
        await writer.drain()

    return answer


async def silent(writer):
    await asyncio.sleep(60)


async def dripping(writer):
    """One byte after the other, each in good time."""
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n")
    while True:
        writer.write(b" ")
        await writer.drain()
        await asyncio.sleep(0.02)


async def endless(writer):
    writer.write(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")
    while True:
        writer.write(b"1000\r\n" + b" " * 4096 + b"\r\n")
        await writer.drain()


async def endless_head(writer):
    writer.write(b"HTTP/1.1 200 OK\r\n")
    while True:
        writer.write(b"x-y: " + b"z" * 4096 + b"\r\n")
        await writer.drain()


async def hanging_up(writer):
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{}")
    await writer.drain()


ANSWERS = {
    "a huge one": answering(b" " * (1 << 20)),
    "a huge promise": answering(b"{}", length=10**12),
    "an endless one": endless,
    "an endless head": endless_head,
    "none": silent,
    "a slow one": dripping,
    "half of one": hanging_up,
    "no HTTP": answering(b"", head="what?\r\n\0"),
    "no JSON": answering(b"<html>"),
    "a deep one": answering(b"[" * 100_000),
    "a list": answering(b"[]"),
    "a failure": answering(b"{}", head="500 Oh"),
    "another address": answering(b"", head="302 Found\r\nlocation: http://127.0.0.1:9/"),
    "a compressed one": answering(b"x", head="200 OK\r\ncontent-encoding: gzip"),
}


@pytest.mark.parametrize("path", ["/.well-known/openid-configuration", "/jwks", "/token"])
async def test_a_provider_that_does_not_answer_as_it_should(town, provider, path, monkeypatch):
    """Nobody comes in, nobody waits for long, nothing is kept, and no other address is asked."""
    monkeypatch.setattr(fetching, "SECONDS", 0.3)
    monkeypatch.setattr(openid, "REST_SECONDS", -1.0)
    for what, answer in ANSWERS.items():
        provider.replies[path] = answer
        denied = await refusal(logged_in(town))

        assert ("UNAVAILABLE", "provider") == (denied.reason, denied.metadata["part"]), what
    provider.replies.clear()
    monkeypatch.setattr(fetching, "SECONDS", 10)
    assert await logged_in(town)


SAYS = {
    "another name": {"issuer": "https://elsewhere.example"},
    "its name with a slash": {"issuer": None},
    "no place for tokens": {"token_endpoint": None},
    "a place that is a number": {"token_endpoint": 7},
    "a file": {"jwks_uri": "file:///etc/passwd"},
    "a script": {"authorization_endpoint": "javascript:alert(1)"},
    "a place that breaks lines": {"token_endpoint": "http://127.0.0.1/\r\nx: y"},
}


@pytest.mark.parametrize("says", SAYS.values(), ids=SAYS)
async def test_a_description_that_is_not_its_own_is_not_believed(town, provider, says):
    """So nobody is sent anywhere."""
    provider.says = dict(says)
    if says == {"issuer": None}:
        provider.says = {"issuer": provider.issuer + "/"}

    assert "UNAVAILABLE" == await reason(begin(town.nobody()))


async def test_those_who_waited_for_a_provider_that_is_away_are_told_at_once(
    town, provider, monkeypatch
):
    """And not each after a wait of his own."""
    monkeypatch.setattr(fetching, "SECONDS", 0.3)
    provider.replies["/.well-known/openid-configuration"] = silent
    tries = [reason(begin(town.nobody())) for _ in range(8)]

    assert {"UNAVAILABLE"} == set(await asyncio.gather(*tries))
    assert 1 == len(provider.asked)
