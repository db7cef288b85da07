"""Somebody who logs in by a provider: what he asks for, and what he comes back with."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

from bree.gateway.v1 import gateway_pb2 as pb
from bree.gateway.v1 import providers_pb2 as providers
from tests.gateway.openid_provider import CLIENT, SECRET, visited
from tests.gateway.test_sessions import begun
from tests.gateway.town import Town, refusal

HERE = "https://bree.example"
BACK = f"{HERE}/login"
REFUSED = ("UNAUTHENTICATED", "the provider proves nothing here: begin again")


def opened(loop, store_of, provider, **given):
    """A town whose people may come in by a provider."""
    settings = {
        "public_url": HERE,
        "oidc_issuer": provider.issuer,
        "oidc_client_id": CLIENT,
        "oidc_client_secret": SECRET,
        "oidc_name": "The Shire",
        "looks_burst": 10_000,
        "wrong_tokens_burst": 10_000,
    }
    made = Town(store_of, **(settings | given))
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
