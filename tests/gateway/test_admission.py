"""What an address may do without an account: guess, and look whether all is well."""

from __future__ import annotations

import asyncio

import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from bree.gateway.v1 import gateway_pb2 as pb
from gateway import accounts
from tests.gateway.town import Caller, reason, refusal, until

MALFORMED = "no token"


def forged(account, number):
    """Another token that looks like this account's."""
    return f"{account.token.partition('.')[0]}.{number:043d}"


@pytest.mark.parametrize("town", [{"wrong_tokens_burst": 3}], indirect=True)
async def test_an_address_guesses_so_many_tokens(town):
    """Then it is told to wait, and a right one is not looked up, unless it was right before."""
    rosie, sam = await town.account(), await town.account()
    await rosie.ask(pb.GetAccountRequest())
    for number in range(3):
        wrong = Caller(rosie.channel, forged(rosie, number))
        assert "UNAUTHENTICATED" == await reason(wrong.ask(pb.GetAccountRequest()))
    denied = await refusal(Caller(rosie.channel, forged(rosie, 9)).ask(pb.GetAccountRequest()))

    said = (denied.reason, denied.metadata["limit"])
    assert ("RATE_LIMITED", "30 wrong tokens a minute") == said
    assert 0 < int(denied.metadata["retry_after_ms"]) <= 2000
    assert "RATE_LIMITED" == await reason(sam.ask(pb.GetAccountRequest())), "never proved here"
    await asyncio.sleep(2 * accounts.BELIEVED_SECONDS)
    assert await rosie.ask(pb.GetAccountRequest())


@pytest.mark.parametrize("town", [{"wrong_tokens_burst": 2}], indirect=True)
@pytest.mark.parametrize("token", ["", MALFORMED, "forged"])
async def test_a_program_with_an_old_token_is_no_guesser(town, token):
    """It is refused as often as it calls, and locks nobody else out."""
    rosie, sam = await town.account(), await town.account()
    token = forged(rosie, 1) if token == "forged" else token
    for _ in range(6):
        wrong = Caller(rosie.channel, token)
        assert "UNAUTHENTICATED" == await reason(wrong.ask(pb.GetAccountRequest()))

    assert await sam.ask(pb.GetAccountRequest())


@pytest.mark.parametrize("town", [{"looks_burst": 2}], indirect=True)
async def test_calls_without_a_token_are_looks(town):
    """A flood of them is told to wait, too."""
    for _ in range(2):
        assert "UNAUTHENTICATED" == await reason(town.nobody().ask(pb.GetAccountRequest()))

    assert "RATE_LIMITED" == await reason(town.nobody().ask(pb.GetAccountRequest()))


@pytest.mark.parametrize("town", [{"wrong_tokens_burst": 1}], indirect=True)
async def test_right_tokens_are_no_guesses(town):
    """However many accounts a household has."""
    for _ in range(5):
        rosie = await town.account()
        assert await rosie.ask(pb.GetAccountRequest())


async def test_a_revoked_token_is_wrong_at_once(town):
    """That it was right before does not make it right."""
    rosie = await town.account()
    await rosie.ask(pb.GetAccountRequest())
    await rosie.ask(pb.RevokeTokenRequest())

    for _ in range(2):
        assert "UNAUTHENTICATED" == await reason(rosie.ask(pb.GetAccountRequest()))


def health_of(town):
    return health_pb2_grpc.HealthStub(town.nobody().channel)


@pytest.mark.parametrize("town", [{"most_visits": 3}], indirect=True)
async def test_an_address_has_so_many_streams_without_an_account(town):
    """Of health and reflection together; each that ends makes room. Asking once is always free."""
    reflecting = reflection_pb2_grpc.ServerReflectionStub(town.nobody().channel)
    watches = [health_of(town).Watch(health_pb2.HealthCheckRequest()) for _ in range(2)]
    for watch in watches:
        assert health_pb2.HealthCheckResponse.SERVING == (await watch.read()).status
    looks = reflecting.ServerReflectionInfo()
    await looks.write(reflection_pb2.ServerReflectionRequest(list_services="*"))
    assert (await looks.read()).list_services_response.service
    refused = health_of(town).Watch(health_pb2.HealthCheckRequest())
    denied = await refusal(refused.read())

    assert ("LIMIT_REACHED", "3") == (denied.reason, denied.metadata["limit"])
    assert "without an account" in denied.message
    assert await health_of(town).Check(health_pb2.HealthCheckRequest())
    watches[0].cancel()
    admission = town.process.gateway.admission
    await until(lambda: sum(admission._visits.values()) == 2)
    again = health_of(town).Watch(health_pb2.HealthCheckRequest())
    assert await again.read()
    for stream in (watches[1], looks, again):
        stream.cancel()
    await until(lambda: not admission._visits)


@pytest.mark.parametrize("town", [{"looks_burst": 2, "looks_a_second": 0.1}], indirect=True)
async def test_an_address_opens_such_streams_so_often(town):
    """They count as looks; whoever asks whether the gateway is well is not counted."""
    for _ in range(2):
        stream = health_of(town).Watch(health_pb2.HealthCheckRequest())
        await stream.read()
        stream.cancel()
    denied = await refusal(health_of(town).Watch(health_pb2.HealthCheckRequest()).read())

    assert "RATE_LIMITED" == denied.reason
    for _ in range(5):
        assert await health_of(town).Check(health_pb2.HealthCheckRequest())


HEADER = "x-forwarded-for"


@pytest.mark.parametrize(
    "town",
    [{"new_accounts_burst": 1, "address_header": HEADER, "trusted_hops": 2}],
    indirect=True,
)
async def test_behind_two_proxies_the_outer_one_says_who_calls(town):
    """Its entry is the last but one; a caller that came past them is the one that called."""

    async def create(*headers):
        call = town.nobody().channel.unary_unary(
            "/bree.gateway.v1.AccountService/CreateAccount",
            response_deserializer=pb.CreateAccountResponse.FromString,
        )
        return await call(b"", metadata=[(HEADER, header) for header in headers])

    await create("10.0.0.1, 10.9.9.9")
    await create("10.0.0.1, 10.0.0.2, 10.9.9.9")
    assert "RATE_LIMITED" == await reason(create("10.0.0.3, 10.0.0.2, 10.9.9.8"))
    assert "RATE_LIMITED" == await reason(create("10.0.0.3", "10.0.0.2, 10.9.9.8"))
    await create("10.0.0.7")
    assert "RATE_LIMITED" == await reason(create("10.0.0.8")), "the peer is the same"
    await create("10.0.0.8, 10.9.9.9")


async def test_streams_of_health_end_with_the_gateway(town):
    """As before: they are no reason to stay."""
    watch = health_of(town).Watch(health_pb2.HealthCheckRequest())
    await watch.read()
    await town.process.server.health.enter_graceful_shutdown()

    assert health_pb2.HealthCheckResponse.NOT_SERVING == (await watch.read()).status
