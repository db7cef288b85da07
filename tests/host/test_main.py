"""An engine as a process: what it says when something is wrong, and how it ends."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from bree.engine.v1 import engine_pb2 as e
from bree.engine.v1.engine_pb2_grpc import EngineServiceStub
from bree.process.settings import read
from bree.process.statuses import denied_by
from services.host.settings import HostSettings
from tests.redis_server import free_port

TOKEN = "the token of the platform"
METADATA = (("authorization", f"Bearer {TOKEN}"),)
PATIENCE = 20.0
SERVE = ("-m", "services.confrontation")


def environment(**settings):
    """The environment of an engine that has all it needs, but for a store."""
    given = {
        "BREE_STORE_URL": f"redis://127.0.0.1:{free_port()}/0",
        "BREE_PLATFORM_TOKEN": TOKEN,
        "BREE_FATE_KEY": "ab" * 32,
        "BREE_LISTEN": f"127.0.0.1:{free_port()}",
        "BREE_STORE_NEW": "yes",
    }
    plain = {name: value for name, value in os.environ.items() if not name.startswith("BREE_")}
    return {k: v for k, v in {**plain, **given, **settings}.items() if v is not None}


@contextmanager
def engine(arguments=SERVE, **settings):
    """An engine as a process, and its address."""
    env = environment(**settings)
    command = [sys.executable, *arguments]
    with subprocess.Popen(command, env=env, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process, env["BREE_LISTEN"]
        finally:
            process.kill()


def ended(arguments=SERVE, **settings):
    """The exit code of an engine that cannot start, and what it says."""
    with engine(arguments, **settings) as (process, _):
        _, said = process.communicate(timeout=PATIENCE)
        return process.returncode, said


def is_healthy(address):
    with grpc.insecure_channel(address) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        request = health_pb2.HealthCheckRequest(service="bree.engine.v1.EngineService")
        try:
            return stub.Check(request, timeout=1).status == health_pb2.HealthCheckResponse.SERVING
        except grpc.RpcError:
            return False


def wait_until_said(process, words):
    for line in process.stderr:
        if words in line:
            return
    raise AssertionError(process.wait())


def wait_for(what):
    until = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < until
        time.sleep(0.05)


def test_an_engine_without_its_settings_does_not_start():
    """The process ends with the code for that, and says a sentence and nothing else."""
    code, said = ended(BREE_FATE_KEY="secret-but-short")

    assert 2 == code
    assert said.startswith("BREE_FATE_KEY: ")
    assert 1 == said.count("\n")
    assert "secret-but-short" not in said


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("FATE_KEY", None, "Field required"),
        ("FATE_KEY", "secret-but-short", "64 hexadecimal digits"),
        ("PLATFORM_TOKEN", None, "Field required"),
        ("STORE_URL", "http://somewhere", "redis://"),
        ("STORE_URL", "redis+sentinel://secret-but-short@a:1", "redis+sentinel://:password@host"),
        ("STORE_REPLICAS", "-1", "greater than"),
        ("STORE_REPLICA_MS", "2001", "less than"),
        ("BOT_LEVELS", "Greedy!", "lower-case words"),
        ("CACHE_BYTES", "-1", "greater than"),
    ],
)
def test_a_setting_that_is_wrong_is_one_sentence(name, value, why, monkeypatch, capsys):
    """It names the variable, and does not repeat what may be a secret."""
    monkeypatch.setattr(os, "environ", environment(**{f"BREE_{name}": value}))
    with pytest.raises(SystemExit) as stopped:
        read(HostSettings)
    said = capsys.readouterr().err

    assert 2 == stopped.value.code
    assert said.startswith(f"BREE_{name}: ")
    assert why in said
    assert 1 == said.count("\n")
    assert "secret-but-short" not in said


def test_a_store_does_not_count_as_lost_while_replicas_are_waited_for(monkeypatch, capsys):
    """Two settings that do not go together are one sentence."""
    given = {"STORE_REPLICAS": "1", "STORE_REPLICA_MS": "500", "STORE_SECONDS": "1"}
    named = {f"BREE_{name}": value for name, value in given.items()}
    monkeypatch.setattr(os, "environ", environment(**named))
    with pytest.raises(SystemExit):
        read(HostSettings)
    said = capsys.readouterr().err
    monkeypatch.setattr(os, "environ", environment(**named | {"BREE_STORE_REPLICAS": "0"}))

    assert said.startswith("BREE_STORE_SECONDS: ")
    assert "BREE_STORE_REPLICA_MS" in said
    assert 1 == said.count("\n")
    assert 1 == read(HostSettings).store_seconds


@pytest.mark.parametrize("name", ["LISTEN", "METRICS_PORT"])
def test_a_port_in_use_is_one_sentence(name, own_redis):
    """Whoever supervises it can read what is the matter."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0) if name == "LISTEN" else ("0.0.0.0", 0))  # noqa: S104
        taken.listen()
        port = taken.getsockname()[1]
        value = f"127.0.0.1:{port}" if name == "LISTEN" else str(port)
        code, said = ended(**{f"BREE_{name}": value, "BREE_STORE_URL": own_redis.url})

    assert 2 == code
    assert f"BREE_{name}: nobody can listen on" in said
    assert "Traceback" not in said


def test_an_engine_waits_for_its_store_serves_drains_and_ends(own_redis):
    """The whole life of one: not healthy before it can answer, quiet when it is told to stop."""
    own_redis.stop()
    port = free_port()
    with engine(BREE_STORE_URL=own_redis.url, BREE_METRICS_PORT=str(port)) as (process, address):
        wait_until_said(process, "waiting for the store")
        assert not is_healthy(address)
        own_redis.start()
        wait_for(lambda: is_healthy(address))
        with grpc.insecure_channel(address) as channel:
            stub = EngineServiceStub(channel)
            players = [e.Player(seat=seat, nonce=b"n") for seat in ("good", "dark")]
            create = e.CreateMatchRequest(match="c-1-main", players=players)
            stub.CreateMatch(create, metadata=METADATA, timeout=10)
            view = stub.GetSeatView(
                e.GetSeatViewRequest(match="c-1-main"), metadata=METADATA, timeout=10
            )
            assert "type.googleapis.com/bree.confrontation.v1.Board" == view.view.type_url
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as metrics:
                shown = metrics.read().decode()
            assert 'bree_matches_created_total{game="confrontation"} 1.0' in shown
            watching = stub.Watch(e.WatchRequest(match="c-1-main"), metadata=METADATA)
            next(watching)
            process.send_signal(signal.SIGTERM)
            with pytest.raises(grpc.RpcError) as caught:
                next(watching)
        assert grpc.StatusCode.UNAVAILABLE == caught.value.code()
        _, said = process.communicate(timeout=PATIENCE)

    assert 0 == process.returncode
    assert "Traceback" not in said


def test_an_engine_that_waits_can_be_told_to_stop():
    """Nobody need kill it."""
    with engine() as (process, _):
        wait_until_said(process, "waiting for the store")
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=5)

    assert 0 == process.returncode


# The store that an engine finds.


def create_of(stub, match):
    players = [e.Player(seat=seat, nonce=b"n") for seat in ("good", "dark")]
    request = e.CreateMatchRequest(match=match, players=players, clock=e.Clock(move_ms=60_000))
    return stub.CreateMatch(request, metadata=METADATA, timeout=10)


def test_a_lost_fate_key_is_one_sentence(own_redis):
    """It names no key, and the store has none."""
    old, new = "ab" * 32, "cd" * 32
    with engine(BREE_STORE_URL=own_redis.url, BREE_FATE_KEY=old) as (_, address):
        wait_for(lambda: is_healthy(address))
    code, said = ended(BREE_STORE_URL=own_redis.url, BREE_FATE_KEY=new)

    assert 2 == code
    (sentence,) = [line for line in said.splitlines() if line.startswith("BREE_FATE_KEY: ")]
    assert "began with another key" in sentence
    assert "Traceback" not in said
    assert not any(key in said for key in (old, new))
    kept = own_redis.say("SMEMBERS", "{bree:epoch}:fate")
    assert old.encode() not in kept


def test_an_empty_store_is_not_a_new_one_unless_that_was_said(own_redis):
    """The engine serves, and says so to whoever asks; told later, it goes on."""
    settings = {"BREE_STORE_URL": own_redis.url, "BREE_STORE_NEW": None}
    with engine(**settings, BREE_STORE_LOOK_SECONDS="0.1") as (_, address):
        wait_for(lambda: is_healthy(address))
        with grpc.insecure_channel(address) as channel:
            stub = EngineServiceStub(channel)
            with pytest.raises(grpc.RpcError) as caught:
                create_of(stub, "c-1-lost")
            denied = denied_by(caught.value)
            assert ("UNAVAILABLE", {"part": "store", "why": "empty"}) == (
                denied.reason,
                denied.metadata,
            )
            environ = {**os.environ, "BREE_STORE_URL": own_redis.url}
            command = [sys.executable, "-m", "bree.process.accept"]
            subprocess.run(command, env=environ, check=True, capture_output=True)
            wait_for(lambda: is_created(stub, "c-1-lost"))
            wait_for(lambda: own_redis.say("SCARD", "{bree:epoch}:fate") == b":1\r\n")


def is_created(stub, match):
    try:
        return create_of(stub, match)
    except grpc.RpcError:
        return None


SKEWED = """\
import sys, time
ahead = float(sys.argv[1])
real, real_ns = time.time, time.time_ns
time.time = lambda: real() + ahead
time.time_ns = lambda: real_ns() + int(ahead * 10**9)
sys.argv[1:] = []
import runpy
runpy.run_module("services.confrontation", run_name="__main__", alter_sys=True)
"""


@pytest.mark.parametrize("ahead", [1200, -1200], ids=["ahead", "behind"])
def test_time_is_the_stores_and_not_the_engines(own_redis, ahead):
    """A minute for each question is a minute on an engine whose clock is 20 minutes off."""
    skewed = ("-c", SKEWED, str(ahead))
    with (
        engine(BREE_STORE_URL=own_redis.url) as (_, right),
        engine(skewed, BREE_STORE_URL=own_redis.url) as (_, wrong),
    ):
        wait_for(lambda: is_healthy(right) and is_healthy(wrong))
        with grpc.insecure_channel(right) as here, grpc.insecure_channel(wrong) as there:
            stubs = [EngineServiceStub(channel) for channel in (here, there)]
            create_of(stubs[0], "c-1-time")
            asked = e.GetSeatViewRequest(match="c-1-time", viewer=e.Viewer(seat="good"))
            views = [stub.GetSeatView(asked, metadata=METADATA, timeout=10) for stub in stubs]
            (seat,) = views[0].standing.waiting[:1]
            number = views[0].question.number
            expire = e.ExpireRequest(match="c-1-time", seat=seat, question=number)
            over = stubs[1].Expire(expire, metadata=METADATA, timeout=10)
            create_of(stubs[1], "c-2-time")
            later = e.GetSeatViewRequest(match="c-2-time")
            begun = stubs[0].GetSeatView(later, metadata=METADATA, timeout=10).standing

    assert not over.expired
    for standing in (*(view.standing for view in views), begun):
        (clock, *_) = [clock for clock in standing.clocks if clock.HasField("expires")]
        assert 30_000 < clock.left_ms <= 60_000
        assert abs(clock.expires.ToMilliseconds() / 1000 - time.time() - 60) < 30
