"""The process: its settings, TLS, and how it stops."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from bree.gateway.v1 import gateway_pb2 as pb
from tests.certificates import certificate
from tests.gateway.fake_engine import PLATFORM_TOKEN
from tests.gateway.town import Caller, reason

ROOT = Path(__file__).resolve().parents[2]
REDIS = pytest.mark.parametrize("store_of", ["ledger"], indirect=True)
MEMORY = pytest.mark.parametrize("store_of", ["memory"], indirect=True)


def environment(**given):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("BREE_")}
    return kept | {f"BREE_{name}": str(value) for name, value in given.items()}


def test_a_process_without_settings_says_what_it_needs():
    """One sentence each, and nothing else."""
    ended = subprocess.run(
        [sys.executable, "-m", "gateway"],
        cwd=ROOT,
        env=environment(ENGINES="duel", STORE_URL="mysql://"),
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )

    assert 2 == ended.returncode
    said = ended.stderr.splitlines()
    assert ["BREE_PLATFORM_TOKEN", "BREE_STORE_URL", "BREE_ENGINES"] == [
        line.partition(":")[0] for line in said
    ]


def test_a_process_without_a_ledger_serves_nobody():
    """It says so before it does anything."""
    ended = subprocess.run(
        [sys.executable, "-m", "gateway"],
        cwd=ROOT,
        env=environment(ENGINES="duel=127.0.0.1:1", PLATFORM_TOKEN=PLATFORM_TOKEN),
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )

    assert (2, "BREE_LEDGER_URL: Field required\n") == (ended.returncode, ended.stderr)


def test_a_process_that_names_one_node_of_a_cluster_says_so_and_ends(redis_cluster):
    """It would wait for ever for what others have."""
    node = redis_cluster.masters()[1]
    told = {"ENGINES": "duel=127.0.0.1:1", "PLATFORM_TOKEN": PLATFORM_TOKEN, "METRICS_PORT": 0}
    told |= {"LEDGER_URL": "postgresql://bree@127.0.0.1:1/bree", "LISTEN": "127.0.0.1:0"}
    ended = subprocess.run(
        [sys.executable, "-m", "gateway"],
        cwd=ROOT,
        env=environment(STORE_URL=f"redis://127.0.0.1:{node.port}", **told),
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )

    assert 2 == ended.returncode
    assert "BREE_STORE_URL: " in ended.stderr
    assert "is one node of a cluster: a cluster is named as redis+cluster://" in ended.stderr


@REDIS
async def test_a_process_serves_drains_and_stops(town, fresh_redis, ledger_url):
    """On SIGTERM it says that it is going, ends its streams, and goes with a clean exit."""
    settings = environment(
        ENGINES=town.settings.engines,
        PLATFORM_TOKEN=PLATFORM_TOKEN,
        STORE_URL=fresh_redis.url,
        LEDGER_URL=ledger_url,
        STORE_NEW="yes",
        LISTEN="127.0.0.1:0",
        DRAIN_SECONDS=5,
    )
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "gateway", cwd=ROOT, env=settings, stderr=subprocess.PIPE
    )
    port = await _port(process)
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        health = health_pb2_grpc.HealthStub(channel)
        service = "bree.gateway.v1.MatchService"
        answer = await health.Check(health_pb2.HealthCheckRequest(service=service))
        assert health_pb2.HealthCheckResponse.SERVING == answer.status
        rosie = Caller(channel)
        rosie.token = (await rosie.ask(pb.CreateAccountRequest())).token
        match = await town.running_match(rosie, "novice")
        stream = rosie.stream(pb.ListenQuestionsRequest())
        assert match == (await stream.next()).match
        ends = asyncio.ensure_future(reason(stream.rest()))
        process.send_signal(signal.SIGTERM)
        assert "UNAVAILABLE" == await ends
    _, said = await asyncio.wait_for(process.communicate(), 10)

    assert 0 == process.returncode
    assert b"Traceback" not in said


async def _port(process):
    while line := (await process.stderr.readline()).decode():
        if found := re.search(r'"port": (\d+)', line):
            return int(found[1])
    raise AssertionError("it ended before it served")


@MEMORY
async def test_a_gateway_speaks_tls(town, tmp_path):
    """If it is given a certificate."""
    key, trust = await asyncio.to_thread(certificate, tmp_path)
    process = await town.gateway(tls_certificate=str(trust), tls_key=str(key))
    port, trusted = process.server.port, grpc.ssl_channel_credentials(trust.read_bytes())
    async with grpc.aio.secure_channel(f"localhost:{port}", trusted) as channel:
        assert (await Caller(channel).ask(pb.CreateAccountRequest())).token
    async with grpc.aio.insecure_channel(f"localhost:{port}") as channel:
        with pytest.raises(grpc.aio.AioRpcError):
            await Caller(channel).ask(pb.ListGamesRequest(), timeout=3)
