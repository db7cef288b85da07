"""Logging in by a provider of OpenID Connect, and everything by which that could be misled."""

from __future__ import annotations

import asyncio
import base64
import hmac
import json
import time
from urllib.parse import parse_qs, urlsplit

import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from bree.gateway.v1 import providers_pb2 as providers
from gateway import fetching, openid
from gateway import providers as logic
from tests.gateway.openid_provider import (
    CLIENT,
    SECRET,
    OpenIdProvider,
    new_key,
    visited,
)
from tests.gateway.test_sessions import begun
from tests.gateway.town import Town, reason, refusal

HERE = "https://bree.example"
BACK = f"{HERE}/login"
REFUSED = ("UNAUTHENTICATED", "the provider proves nothing here: begin again")


@pytest.fixture(scope="session")
def keys():
    """One key of each kind; to make them takes long."""
    return {alg: [new_key(alg) for _ in range(2)] for alg in ("RS256", "ES256")}


@pytest.fixture
def provider(loop, keys):
    made = OpenIdProvider(BACK, [keys["RS256"][0]])
    loop.run(made.start())
    yield made
    loop.run(made.stop())


@pytest.fixture
def settings(provider):
    return {
        "public_url": HERE,
        "oidc_issuer": provider.issuer,
        "oidc_client_id": CLIENT,
        "oidc_client_secret": SECRET,
        "oidc_name": "The Shire",
        "looks_burst": 10_000,
        "wrong_tokens_burst": 10_000,
    }


@pytest.fixture
def town(request, loop, store_of, settings):
    made = Town(store_of, **(settings | getattr(request, "param", {})))
    loop.run(made.open())
    yield made
    loop.run(made.close())


async def begin(caller, **given):
    return await caller.ask(given.pop("request", providers.BeginProviderLoginRequest()))


async def came_back(attempt, **given):
    """What a browser comes back with that went where it was told to; given goes before that."""
    back = urlsplit(await visited(attempt.url))
    assert BACK == f"{back.scheme}://{back.netloc}{back.path}"
    said = {name: values[0] for name, values in parse_qs(back.query).items()}
    proof = {
        "state": said["state"],
        "code": said["code"],
        "binding": attempt.binding,
        "issuer": said.get("iss", ""),
    }
    return pb.ProviderProof(**(proof | given))


async def logged_in(town, process=None, **given):
    """Somebody who comes in by the provider."""
    attempt = await begin(town.nobody(process))
    return await begun(town, process, provider=await came_back(attempt, **given))


async def linked(caller):
    attempt = await begin(caller, request=providers.BeginProviderLinkRequest())
    proof = await came_back(attempt)
    return (await caller.ask(providers.LinkProviderRequest(proof=proof))).identity


async def identities(caller):
    return (await caller.ask(providers.ListIdentitiesRequest())).identities


async def refused(trying):
    denied = await refusal(trying)
    return denied.reason, denied.message


# Coming in.


async def test_who_is_new_is_a_guest_and_the_same_ever_after(town, provider):
    """His identity is linked with the account that is made for him."""
    first, told = await logged_in(town)
    _, again = await logged_in(town)
    provider.subject = "s-2"
    _, another = await logged_in(town)

    assert told.account.guest
    assert told.account == again.account
    assert told.account.id != another.account.id
    [identity] = await identities(first)
    assert (provider.issuer, "s-1", "Rosie Cotton") == (
        identity.issuer,
        identity.subject,
        identity.label,
    )
    assert identity.link_time.ToMilliseconds() < identity.use_time.ToMilliseconds()


async def test_what_is_asked_of_the_provider_is_the_protocol(town, provider):
    """Nobody chooses where the browser comes back to, and no secret is in the address."""
    attempt = await begin(town.nobody())
    parts = urlsplit(attempt.url)
    asked = {name: values[0] for name, values in parse_qs(parts.query).items()}

    assert provider.issuer == f"{parts.scheme}://{parts.netloc}"
    assert {
        "response_type": "code",
        "client_id": CLIENT,
        "redirect_uri": BACK,
        "state": attempt.state,
        "code_challenge_method": "S256",
    }.items() <= asked.items()
    assert "openid" in asked["scope"].split()
    assert 43 == len(asked["nonce"]) == len(asked["code_challenge"]) == len(attempt.binding)
    assert attempt.binding not in attempt.url
    assert not {"redirect_uri", "next"} & set(providers.BeginProviderLoginRequest.DESCRIPTOR.fields)


async def test_everyone_is_told_whether_there_is_one(town, provider):
    told = await town.nobody().ask(providers.GetProviderRequest())

    assert ("The Shire", provider.issuer) == (told.name, told.issuer)


@pytest.mark.parametrize("alg", ["RS256", "ES256"])
async def test_keys_of_both_kinds_sign(town, provider, keys, alg):
    provider.keys = [keys[alg][0], keys["RS256"][1]][::-1]

    assert (await logged_in(town))[1].account.guest


async def test_any_gateway_takes_who_comes_back(town):
    """Whichever he began at."""
    other = await town.gateway()
    attempt = await begin(town.nobody())
    _, told = await begun(town, other, provider=await came_back(attempt))

    assert told.account.guest


async def test_of_two_who_come_first_at_once_there_is_one_account(town, provider):
    """Even if neither is known when the other is looked for."""
    other = await town.gateway()
    attempts = [await begin(town.nobody()) for _ in range(4)]
    proofs = [await came_back(attempt) for attempt in attempts]
    both = (town.process, other) * 2
    found = await asyncio.gather(
        *(begun(town, at, provider=proof) for at, proof in zip(both, proofs, strict=True))
    )

    assert 1 == len({told.account.id for _, told in found})
    assert 1 == len(await identities(found[0][0]))


async def test_a_name_there_is_cut_and_cleaned(town, provider):
    """Nothing of it breaks a line."""
    provider.more = {"preferred_username": "Rosie\r\n\u202e" + "x" * 200}
    rosie, _ = await logged_in(town)
    [identity] = await identities(rosie)

    assert identity.label.isprintable()
    assert 80 == len(identity.label)


@pytest.mark.parametrize("says", [["client_secret_post"], ["client_secret_basic"]], ids=str)
async def test_the_secret_goes_as_the_provider_wants_it(town, provider, says):
    provider.says = {"token_endpoint_auth_methods_supported": says}

    assert (await logged_in(town))[1].account.guest


@pytest.mark.parametrize("town", [{"oidc_client_secret": ""}], indirect=True)
async def test_a_client_without_a_secret_has_its_verifier(town, provider):
    provider.secrets[CLIENT] = ""

    assert (await logged_in(town))[1].account.guest


# Who began it.


async def test_an_attempt_is_over_once_it_is_used(town):
    """Whatever came of it; of many at once one is right."""
    other = await town.gateway()
    attempt = await begin(town.nobody())
    proof = await came_back(attempt)
    tries = [begun(town, at, provider=proof) for at in (town.process, other) * 3]
    found = await asyncio.gather(*tries, return_exceptions=True)

    assert 1 == sum(isinstance(one, tuple) for one in found)
    assert REFUSED == await refused(begun(town, provider=proof))


async def test_what_is_seen_on_the_way_is_worth_nothing(town):
    """State and code are in an address; the binding is not, and a wrong one ends the attempt."""
    attempt, attackers = [await begin(town.nobody()) for _ in range(2)]
    seen = await came_back(attempt, binding=attackers.binding)
    assert REFUSED == await refused(begun(town, provider=seen))
    seen.binding = attempt.binding
    assert REFUSED == await refused(begun(town, provider=seen)), "it is over"


async def test_nobody_is_logged_in_as_another(town, provider):
    """An attacker who makes somebody come back with his own code has no binding for it there."""
    victim = await begin(town.nobody())
    provider.subject = "the attacker"
    attackers = await came_back(await begin(town.nobody()))
    for given in (
        {"state": attackers.state, "code": attackers.code, "binding": victim.binding},
        {"state": victim.state, "code": attackers.code, "binding": victim.binding},
    ):
        proof = pb.ProviderProof(issuer=provider.issuer, **given)
        assert REFUSED == await refused(begun(town, provider=proof))


async def test_an_attempt_lasts_for_minutes(town, monkeypatch):
    monkeypatch.setattr(logic, "ATTEMPT_MS", 1)
    proof = await came_back(await begin(town.nobody()))

    assert REFUSED == await refused(begun(town, provider=proof))


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"state": ""}, "state"),
        ({"code": ""}, "code"),
        ({"binding": ""}, "binding"),
        ({"code": "x" * 2049}, "code"),
        ({"code": "x\r\nhost: y"}, "code"),
        ({"code": "é"}, "code"),
        ({"state": "x" * 65}, "state"),
        ({"issuer": "x" * 2049}, "issuer"),
    ],
    ids=lambda said: str(said)[:30],
)
async def test_a_bad_proof_is_told(town, given, field):
    """And the attempt goes on."""
    right = await came_back(await begin(town.nobody()))
    wrong = pb.ProviderProof()
    wrong.CopyFrom(right)
    for name, value in given.items():
        setattr(wrong, name, value)
    denied = await refusal(begun(town, provider=wrong))

    assert ("INVALID_REQUEST", field) == (denied.reason, denied.metadata["field"])
    assert await begun(town, provider=right)


# Evil twins: what an id_token may not be.


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


async def test_an_id_token_that_is_signed_by_nobody_is_refused(town, provider, keys):
    """Nor one signed by what everyone has, by another's key, or changed since."""
    public = provider.keys[0].as_pem(private=False)
    other = keys["RS256"][1]

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


async def test_keys_are_rotated(town, provider, keys, monkeypatch):
    """A new one is looked for at once, one that is taken back is worth nothing within the hour."""
    await logged_in(town)
    provider.keys = [*keys["RS256"][1:], keys["ES256"][0]]
    assert await logged_in(town)
    assert 2 == provider.asked.count("/jwks")
    provider.sign = lambda claims: provider.signed(claims, keys["ES256"][1])
    for _ in range(3):
        assert REFUSED == await refused(logged_in(town))
    assert 2 == provider.asked.count("/jwks"), "a minute has not passed"
    monkeypatch.setattr(openid, "KEYS_PAUSE_SECONDS", -1)
    assert REFUSED == await refused(logged_in(town))
    assert 3 == provider.asked.count("/jwks")
    provider.keys = [keys["ES256"][1]]
    assert await logged_in(town)
    provider.keys = [keys["RS256"][0]]
    provider.sign = lambda claims: provider.signed(claims, keys["ES256"][1])
    assert await logged_in(town), "an hour has not passed"
    monkeypatch.setattr(openid, "FRESH_SECONDS", -1.0)
    assert REFUSED == await refused(logged_in(town))


async def test_keys_for_something_else_sign_nothing(town, provider, keys):
    """Secrets, keys that encrypt, keys of kinds that nobody knows."""
    rows = [
        keys["RS256"][0].as_dict(private=False) | {"use": "enc", "kid": keys["ES256"][0].kid},
        {"kty": "oct", "k": "AAAA", "kid": "o"},
        {"kty": "LWE", "kid": "l"},
        {"kty": "RSA", "kid": "broken", "n": "!", "e": ""},
        keys["ES256"][0].as_dict(private=False),
        "no key",
    ]
    provider.replies["/jwks"] = answering(json.dumps({"keys": rows}).encode())

    assert REFUSED == await refused(logged_in(town))
    provider.sign = lambda claims: provider.signed(claims, keys["ES256"][0])
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


# Evil twins: how a provider may not answer.


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


# Links.


async def test_who_has_an_account_links_it(town, provider):
    """And comes in as himself from then on."""
    rosie = await town.account()
    identity = await linked(rosie)
    _, told = await logged_in(town)

    assert rosie.name == told.account.name
    assert ("s-1", "Rosie Cotton") == (identity.subject, identity.label)
    assert ["s-1"] == [one.subject for one in await identities(rosie)]
    assert "s-1" == (await linked(rosie)).subject, "twice is once"


async def test_an_identity_has_one_account(town):
    """The second is told so."""
    rosie, sam = await town.account(), await town.account()
    await linked(rosie)

    assert "NOT_ALLOWED" == await reason(linked(sam))
    assert [] == list(await identities(sam))


async def test_an_attempt_is_good_for_what_it_was_begun_for(town):
    """Nobody links what another began, nor logs in by it, nor links by what was for a login."""
    rosie, sam = await town.account(), await town.account()
    link, login = providers.BeginProviderLinkRequest(), providers.BeginProviderLoginRequest()
    for_rosie = await came_back(await begin(rosie, request=link))
    assert REFUSED == await refused(sam.ask(providers.LinkProviderRequest(proof=for_rosie)))
    for_rosie = await came_back(await begin(rosie, request=link))
    assert REFUSED == await refused(begun(town, provider=for_rosie))
    for_anyone = await came_back(await begin(rosie, request=login))
    assert REFUSED == await refused(rosie.ask(providers.LinkProviderRequest(proof=for_anyone)))
    assert [] == [*await identities(rosie), *await identities(sam)]


async def test_an_identity_that_is_unlinked_is_no_way_in(town, provider):
    """The last one goes only if that is said; whoever comes by it then is somebody new."""
    rosie = await town.account()
    identity = await linked(rosie)
    unlinking = {"issuer": identity.issuer, "subject": identity.subject}
    sam = await town.account()
    await sam.ask(providers.UnlinkProviderRequest(**unlinking))
    denied = await refusal(rosie.ask(providers.UnlinkProviderRequest(**unlinking)))
    assert ("NOT_ALLOWED", "even_if_last") == (denied.reason, denied.metadata["needs"])
    assert 1 == len(await identities(rosie))
    await rosie.ask(providers.UnlinkProviderRequest(**unlinking, even_if_last=True))
    _, told = await logged_in(town)

    assert rosie.name != told.account.name
    assert [] == list(await identities(rosie))


async def test_an_account_has_so_many_at_most(town, provider, monkeypatch):
    monkeypatch.setattr(logic, "MOST_IDENTITIES", 1)
    rosie = await town.account()
    await linked(rosie)
    provider.subject = "s-2"
    denied = await refusal(linked(rosie))

    assert ("LIMIT_REACHED", "1") == (denied.reason, denied.metadata["limit"])


async def test_a_revoked_account_is_not_come_into(town):
    rosie = await town.account()
    await linked(rosie)
    await rosie.ask(pb.RevokeTokenRequest())

    assert "UNAUTHENTICATED" == await reason(logged_in(town))


@pytest.mark.parametrize("town", [{"new_accounts_burst": 1}], indirect=True)
async def test_new_people_are_new_accounts(town, provider):
    """And are counted as such."""
    await logged_in(town)
    await logged_in(town)
    provider.subject = "s-2"

    assert "RATE_LIMITED" == await reason(logged_in(town))


@pytest.mark.parametrize("town", [{"wrong_tokens_burst": 2}], indirect=True)
async def test_an_address_guesses_few_codes(town):
    """Those that were right do not count."""
    for _ in range(3):
        await logged_in(town)
    wrong = pb.ProviderProof(state="x" * 43, code="x", binding="x")
    said = [await reason(begun(town, provider=wrong)) for _ in range(3)]

    assert ["UNAUTHENTICATED"] * 2 + ["RATE_LIMITED"] == said


@pytest.mark.parametrize(
    "request_",
    [
        providers.UnlinkProviderRequest(subject="x"),
        providers.UnlinkProviderRequest(issuer="x"),
        providers.UnlinkProviderRequest(issuer="x", subject="a\0b"),
        providers.LinkProviderRequest(),
    ],
    ids=str,
)
async def test_a_bad_request_changes_nothing(town, request_):
    assert "INVALID_REQUEST" == await reason((await town.account()).ask(request_))
