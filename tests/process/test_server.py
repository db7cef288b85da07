"""A server of the platform: who is let in, what callers see of errors, how it stops."""

from __future__ import annotations

import asyncio

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from prometheus_client import REGISTRY
from typing_extensions import override

from bree.engine.v1 import engine_pb2, engine_pb2_grpc
from bree.process.server import Server, channel, platform_metadata, platform_only
from bree.process.settings import ProcessSettings, read
from bree.process.statuses import CODES, Denied, denied_by
from tests.certificates import certificate

TOKEN = "a token of sixteen or more"
SERVICE = "bree.engine.v1.EngineService"


class Engine(engine_pb2_grpc.EngineServiceServicer):
    """Does what its requests ask for."""

    @override
    async def DescribeGame(self, request, context):
        return engine_pb2.DescribeGameResponse(game="nine men's morris")

    @override
    async def Act(self, request, context):
        if request.match == "slow":
            await asyncio.sleep(0.3)
            return engine_pb2.ActResponse()
        if request.match == "broken":
            raise ValueError("a secret that nobody may see")
        raise Denied(request.match, "refused", said="x" * 1000)

    @override
    async def Watch(self, request, context):
        yield engine_pb2.WatchResponse()
        if request.match:
            raise Denied(request.match, "refused", revision=3)


def settings(**given):
    """Settings for a server on a free port."""
    return read(ProcessSettings, platform_token=TOKEN, drain_seconds=2, **given)


def served(test, **given):
    """Run a test with a server and a stub of it."""

    async def run():
        chosen = settings(**given)
        server = Server(chosen, platform_only(TOKEN))
        engine_pb2_grpc.add_EngineServiceServicer_to_server(Engine(), server.services)
        await server.start([SERVICE])
        try:
            async with channel(f"localhost:{server.port}", chosen) as connection:
                stub = engine_pb2_grpc.EngineServiceStub(connection)
                await test(server, stub, platform_metadata(chosen))
        finally:
            await server.stop()

    asyncio.run(run())


async def refusal(call):
    """The status of a call that is refused, and its reason."""
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await call
    return refused.value.code(), denied_by(refused.value)


@pytest.mark.parametrize("token", [None, "", "Bearer", "Bearer ", f"bearer {TOKEN}", "Bearer no"])
def test_only_the_platforms_token_is_let_in(token):
    """Without it nothing is answered, and why is not said."""

    async def test(server, stub, metadata):
        headers = None if token is None else [("authorization", token)]

        code, denied = await refusal(
            stub.DescribeGame(engine_pb2.DescribeGameRequest(), metadata=headers)
        )

        assert (grpc.StatusCode.UNAUTHENTICATED, "UNAUTHENTICATED") == (code, denied.reason)

    served(test)


def test_who_has_the_token_is_answered():
    """A call that is let in gets its answer."""

    async def test(server, stub, metadata):
        answer = await stub.DescribeGame(engine_pb2.DescribeGameRequest(), metadata=metadata)

        assert "nine men's morris" == answer.game

    served(test)


@pytest.mark.parametrize("reason", sorted(CODES))
def test_a_refusal_carries_its_reason(reason):
    """Every reason arrives with its own status, and what was said is cut short."""

    async def test(server, stub, metadata):
        request = engine_pb2.ActRequest(match=reason)

        code, denied = await refusal(stub.Act(request, metadata=metadata))

        assert (CODES[reason], reason, "refused") == (code, denied.reason, denied.message)
        assert {"said": "x" * 200} == denied.metadata

    served(test)


def test_a_bug_shows_nothing_of_itself():
    """The caller sees an incident number; the log and a counter have the rest."""

    async def test(server, stub, metadata):
        before = REGISTRY.get_sample_value("bree_bugs_total", {"service": "EngineService"}) or 0

        code, denied = await refusal(
            stub.Act(engine_pb2.ActRequest(match="broken"), metadata=metadata)
        )

        assert (grpc.StatusCode.INTERNAL, "BUG") == (code, denied.reason)
        assert ["incident"] == list(denied.metadata)
        assert "secret" not in denied.message
        after = REGISTRY.get_sample_value("bree_bugs_total", {"service": "EngineService"})
        assert before + 1 == after

    served(test)


def test_a_stream_is_refused_like_a_call():
    """What was sent before the refusal arrives, then the reason."""

    async def test(server, stub, metadata):
        stream = stub.Watch(engine_pb2.WatchRequest(match="WATCH_LAGS"), metadata=metadata)
        assert engine_pb2.WatchResponse() == await stream.read()

        code, denied = await refusal(stream.read())

        assert (grpc.StatusCode.RESOURCE_EXHAUSTED, "3") == (code, denied.metadata["revision"])

    served(test)


def test_messages_have_a_largest_size():
    """A larger one is refused before it is read."""

    async def test(server, stub, metadata):
        request = engine_pb2.ActRequest(match="slow", action="x" * 5000)

        code, _ = await refusal(stub.Act(request, metadata=metadata))

        assert grpc.StatusCode.RESOURCE_EXHAUSTED == code

    served(test, largest_message=4096)


def test_stopping_finishes_what_was_begun():
    """A server that stops answers the call it is at, and says that it serves no more."""

    async def test(server, stub, metadata):
        call = stub.Act(engine_pb2.ActRequest(match="slow"), metadata=metadata)
        begun = asyncio.create_task(_answer(call))
        await asyncio.sleep(0.1)
        await server.stop()

        assert engine_pb2.ActResponse() == await begun

    served(test)


async def _answer(call):
    return await call


def test_anyone_may_ask_how_it_is():
    """Health needs no token; a service that is not there is unknown."""

    async def test(server, stub, metadata):
        async with grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as connection:
            health = health_pb2_grpc.HealthStub(connection)
            answer = await health.Check(health_pb2.HealthCheckRequest(service=SERVICE))

            assert health_pb2.HealthCheckResponse.SERVING == answer.status

    served(test)


def test_tls_by_configuration(tmp_path):
    """With a certificate the server speaks TLS, and to nobody else."""
    key, trusted = certificate(tmp_path)

    async def test(server, stub, metadata):
        answer = await stub.DescribeGame(engine_pb2.DescribeGameRequest(), metadata=metadata)
        assert answer.game
        async with grpc.aio.insecure_channel(f"localhost:{server.port}") as plain:
            request = engine_pb2.DescribeGameRequest()

            code, _ = await refusal(
                engine_pb2_grpc.EngineServiceStub(plain).DescribeGame(request, timeout=3)
            )

        assert grpc.StatusCode.UNAVAILABLE == code

    served(
        test,
        tls_certificate=str(trusted),
        tls_key=str(key),
        tls_authority=str(trusted),
    )


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"platform_token": "short"}, "BREE_PLATFORM_TOKEN"),
        ({"platform_token": TOKEN, "metrics_port": 70000}, "BREE_METRICS_PORT"),
        ({"platform_token": TOKEN, "log_format": "xml"}, "BREE_LOG_FORMAT"),
        ({"platform_token": TOKEN, "tls_authority": "/none"}, "BREE_TLS_AUTHORITY"),
        ({"platform_token": TOKEN, "tls_authority": __file__}, "BREE_TLS_AUTHORITY"),
        ({"platform_token": TOKEN, "tls_certificate": "/none"}, "BREE_TLS_CERTIFICATE"),
    ],
)
def test_wrong_settings_end_a_process_with_a_sentence(given, named, capsys):
    """The sentence names the variable."""
    with pytest.raises(SystemExit) as ended:
        read(ProcessSettings, **given)

    assert 2 == ended.value.code
    assert capsys.readouterr().err.startswith(f"{named}: ")


@pytest.mark.parametrize("which", ["tls_certificate", "tls_key"])
def test_a_certificate_goes_with_its_key(which, tmp_path, capsys):
    """One without the other ends the process, and not in the middle of its start."""
    key, trusted = certificate(tmp_path)
    given = {"tls_certificate": str(trusted), "tls_key": str(key)}
    with pytest.raises(SystemExit):
        read(ProcessSettings, platform_token=TOKEN, **{which: given[which]})

    assert "BREE_TLS_KEY: " in capsys.readouterr().err
