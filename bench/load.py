"""Load: durable moves through gateway, engine and store, beside a bare two-hop gRPC echo.

The whole platform runs in processes of its own, on free ports and a new state directory, with a
real Redis that makes every append durable before it answers. One client plays random moves in many
matches at once; what it counts are answers that were acknowledged. The echo runs in turns with it.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import grpc

from bench.echo import METHOD
from bench.measure import Measure
from bree.gateway.v1 import gateway_pb2, gateway_pb2_grpc

HOST = "127.0.0.1"
ROUNDS, SECONDS = 3, 4.0
AT_ONCE = (1, 32, 256)
GAME = "confrontation"
WANTED = ">= 0.5"


def measures() -> Iterator[Measure]:
    """Throughput and latency at each number of matches, each with its echo."""
    with platform() as gateway, echo(1200) as forwarder:
        yield from asyncio.run(_measures(gateway, forwarder))


async def _measures(gateway: str, forwarder: str) -> list[Measure]:
    found: list[Measure] = []
    async with client(gateway) as player, grpc.aio.insecure_channel(forwarder) as channel:
        for matches in AT_ONCE:
            rounds = []
            await player.play(matches, 1.0)  # matches begin, caches warm
            for _ in range(ROUNDS):
                moves = await player.play(matches, SECONDS)
                echoes = await _echoes(channel, matches, SECONDS)
                rounds.append((moves, echoes))
            found += _report(matches, rounds)
    return found


def _report(matches: int, rounds: list[tuple[list[float], list[float]]]) -> Iterator[Measure]:
    ours = median(len(moves) / SECONDS for moves, _ in rounds)
    theirs = median(len(echoes) / SECONDS for _, echoes in rounds)
    ratio = median(len(moves) / len(echoes) for moves, echoes in rounds)
    name, reference = f"platform: {matches} matches", f"two-hop echo {theirs:,.0f}/s"
    wanted = WANTED if matches == 32 else ""
    yield Measure(f"{name}, moves", round(ours), "acts/s", reference, ratio, wanted)
    for percent in (50, 99):
        mine = 1000 * _percentile([t for moves, _ in rounds for t in moves], percent)
        echo_ms = 1000 * _percentile([t for _, echoes in rounds for t in echoes], percent)
        reference = f"two-hop echo {echo_ms:.2f} ms"
        yield Measure(f"{name}, p{percent}", round(mine, 2), "ms", reference, mine / echo_ms)


def _percentile(values: list[float], percent: int) -> float:
    return quantiles(values, n=100)[percent - 1]


class Player:
    """One account that plays both seats of many matches, and times its answers."""

    def __init__(self, channel: Any, metadata: list[tuple[str, str]]) -> None:
        self.stub = gateway_pb2_grpc.MatchServiceStub(channel)
        self.metadata = metadata
        self.chances = random.Random(1)
        self.spare: list[str] = []  # matches that a round left unfinished

    async def play(self, matches: int, seconds: float) -> list[float]:
        """Play so many matches at once for so long; the time each answer took."""
        times: list[float] = []
        until = time.monotonic() + seconds
        await asyncio.gather(*(self._table(until, times) for _ in range(matches)))
        return times

    async def _table(self, until: float, times: list[float]) -> None:
        while time.monotonic() < until:
            match = self.spare.pop() if self.spare else await self._new()
            if not await self._play(match, until, times):
                self.spare.append(match)

    async def _new(self) -> str:
        call = gateway_pb2.CreateMatchRequest(game=GAME)
        match = (await self.stub.CreateMatch(call, metadata=self.metadata)).match
        for seat in match.seats:
            join = gateway_pb2.JoinMatchRequest(match=match.id, seat=seat.seat)
            await self.stub.JoinMatch(join, metadata=self.metadata)
        start = gateway_pb2.StartMatchRequest(match=match.id)
        await self.stub.StartMatch(start, metadata=self.metadata)
        return str(match.id)

    async def _play(self, match: str, until: float, times: list[float]) -> bool:
        """Answer until the match or the time is over; whether the match is."""
        waiting = ["good", "dark"]
        while time.monotonic() < until:
            seat = waiting[0]
            view = gateway_pb2.GetViewRequest(match=match, seat=seat)
            seen = await self.stub.GetView(view, metadata=self.metadata)
            question, standing = seen.question, seen.standing
            while question.number and time.monotonic() < until:
                choice = self.chances.choice(question.choices).action.text
                act = gateway_pb2.ActRequest(
                    match=match, seat=seat, question=question.number, action=choice
                )
                act.request_id = f"{seat}-{question.number}"
                began = time.perf_counter()
                answer = await self.stub.Act(act, metadata=self.metadata)
                times.append(time.perf_counter() - began)
                question, standing = answer.question, answer.standing
            if standing.HasField("outcome"):
                return True
            waiting = list(standing.waiting)
        return False


@asynccontextmanager
async def client(gateway: str) -> AsyncIterator[Player]:
    """A new account's player."""
    async with grpc.aio.insecure_channel(gateway) as channel:
        stub = gateway_pb2_grpc.AccountServiceStub(channel)
        made = await stub.CreateAccount(gateway_pb2.CreateAccountRequest())
        yield Player(channel, [("authorization", f"Bearer {made.token}")])


async def _echoes(channel: Any, at_once: int, seconds: float) -> list[float]:
    ask: Any = channel.unary_unary(METHOD)
    times: list[float] = []
    until = time.monotonic() + seconds

    async def again() -> None:
        while time.monotonic() < until:
            began = time.perf_counter()
            await ask(b"x" * 120)
            times.append(time.perf_counter() - began)

    await asyncio.gather(*(again() for _ in range(at_once)))
    return times


# The processes.


@contextmanager
def echo(size: int) -> Iterator[str]:
    """The address of an echo with two hops, whose answers have so many bytes."""
    with _hop("end", str(size)) as last, _hop("forward", last) as first:
        yield first


@contextmanager
def _hop(kind: str, argument: str) -> Iterator[str]:
    command = [sys.executable, "-m", "bench.echo", kind, argument]
    with subprocess.Popen(  # noqa: S603  # this project's own program
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        yield f"{HOST}:{int(process.stdout.readline())}"
        assert process.stdin is not None
        process.stdin.close()


@contextmanager
def platform() -> Iterator[str]:
    """The address of the gateway of a platform that runs for this measurement alone."""
    with tempfile.TemporaryDirectory() as state:
        ports = _free_ports(12)
        environment = {
            **os.environ,
            "BREE_STATE": state,
            "BREE_GATEWAY_PORT": str(ports[0]),
            "BREE_REDIS_PORT": str(ports[1]),
            "BREE_ENGINE_PORT": str(ports[2]),
            "BREE_METRICS_PORT": str(ports[4]),
            "BREE_LOG_LEVEL": "error",
            "BREE_CALLS_A_SECOND": "1000000",
            "BREE_CALLS_BURST": "1000000",
            "BREE_MOST_OPEN": "100000",
            "BREE_MOST_MATCHES": "100000",
        }
        log = Path(state) / "local.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, "-m", "local"], env=environment, stdout=output, stderr=output
            )
            try:
                gateway = f"{HOST}:{ports[0]}"
                _wait_for(process, log)
                yield gateway
            finally:
                process.send_signal(signal.SIGTERM)
                process.wait(60)


def _wait_for(process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + 60
    while "is running on" not in log.read_text("utf-8"):
        if process.poll() is not None or time.monotonic() > until:
            raise SystemExit(f"the platform did not start: {log.read_text('utf-8')[-400:]}")
        time.sleep(0.1)
    time.sleep(2)  # the gateway looks at its engines once a second


def _free_ports(number: int) -> range:
    """So many free ports in a row."""
    while True:
        first = random.SystemRandom().randrange(20000, 60000)
        try:
            for port in range(first, first + number):
                with socket.socket() as probe:
                    probe.bind((HOST, port))
        except OSError:
            continue
        return range(first, first + number)
