"""Logging in by a provider of OpenID Connect, and everything by which that could be misled."""

from __future__ import annotations

import asyncio
from urllib.parse import parse_qs, urlsplit

import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from bree.gateway.v1 import providers_pb2 as providers
from gateway import providers as logic
from tests.gateway.openid_provider import (
    CLIENT,
)
from tests.gateway.test_sessions import begun
from tests.gateway.town import reason, refusal
from tests.gateway.with_provider import (
    BACK,
    REFUSED,
    begin,
    came_back,
    identities,
    linked,
    logged_in,
    opened,
    refused,
)


@pytest.fixture
def town(request, loop, store_of, provider):
    yield from opened(loop, store_of, provider, **getattr(request, "param", {}))


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
    assert (True, False) == (told.passkeys, told.mail)


@pytest.mark.parametrize("alg", ["RS256", "ES256"])
async def test_keys_of_both_kinds_sign(town, provider, signing_keys, alg):
    provider.keys = [signing_keys[alg][0], signing_keys["RS256"][1]][::-1]

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
