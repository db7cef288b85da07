"""What the gateway costs: `python -m tests.gateway.overhead`.

One Act, again and again, of an engine that answers at once with a message of usual size: asked
directly, through a bare hop that passes bytes on, and through the gateway with its store on Redis.
Each part is a process of its own; all three ways are measured in turn, several times over.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import statistics
import sys
import time

import grpc
from typing_extensions import override

from bree.engine.v1 import engine_pb2 as engine
from bree.engine.v1 import types_pb2 as types
from bree.gateway.v1 import gateway_pb2 as pb
from bree.process import logs
from gateway.main import serve
from gateway.settings import GatewaySettings
from tests.gateway.fake_engine import PLATFORM_TOKEN, FakeEngine, World
from tests.gateway.town import Caller
from tests.ledgers import ledgers
from tests.redis_server import free_port, redis_server

ACT = "/bree.engine.v1.EngineService/Act"
PLAYERS_ACT = "/bree.gateway.v1.MatchService/Act"
ROUNDS, SECONDS = 5, 2.0


def usual_answer():
    """About two kilobytes: three events, and a question with twenty choices."""
    choices = [
        types.Choice(
            action=types.Action(text=f"move gandalf n{n}", verb="move", nouns=["gandalf", f"n{n}"]),
            sentence=f"Gandalf moves to the place that is called n{n}",
        )
        for n in range(20)
    ]
    events = [types.Event(kind="moved", sentence="Gandalf has moved") for _ in range(3)]
    for event in events:
        event.facts.update({"who": "gandalf", "from": "n1", "to": "n2"})
    question = types.Question(number=11, prompt="turn.move", sentence="Move", choices=choices)
    standing = engine.Standing(revision=7, waiting=["red"])
    return engine.ActResponse(events=events, question=question, standing=standing)


class QuickEngine(FakeEngine):
    """An engine that spends no time on rules or on a store."""

    answer = usual_answer()

    @override
    async def Act(self, request, context):
        return self.answer


async def serve_engine(port):
    await (await QuickEngine(World()).start(port)).server.run()


async def serve_hop(port, engine_port):
    """Pass bytes on, and nothing else."""
    channel = grpc.aio.insecure_channel(f"127.0.0.1:{engine_port}")
    forward = channel.unary_unary(ACT)
    metadata = [("authorization", f"Bearer {PLATFORM_TOKEN}")]

    async def answer(request, context):
        return await forward(request, metadata=metadata, timeout=10)

    server = grpc.aio.server()
    handlers = {"Act": grpc.unary_unary_rpc_method_handler(answer)}
    service = grpc.method_handlers_generic_handler("bree.engine.v1.EngineService", handlers)
    server.add_generic_rpc_handlers((service,))
    server.add_insecure_port(f"127.0.0.1:{port}")
    await server.start()
    await server.wait_for_termination()


def run_gateway(port, engine_port, url, ledger_url):
    settings = GatewaySettings(
        platform_token=PLATFORM_TOKEN,
        engines=f"hopscotch=127.0.0.1:{engine_port}",
        store_url=url,
        ledger_url=ledger_url,
        store_new=True,
        listen=f"127.0.0.1:{port}",
        calls_a_second=1e6,
        calls_burst=10**6,
    )
    logs.set_up("gateway", "error")
    asyncio.run(serve(settings))


async def prepared(port):
    """A token, and a match that has started."""
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        rosie = Caller(channel)
        rosie.token = (await rosie.ask(pb.CreateAccountRequest(name=""))).token
        made = await rosie.ask(pb.CreateMatchRequest(game="hopscotch"))
        match = made.match.id
        await rosie.ask(pb.JoinMatchRequest(match=match))
        await rosie.ask(pb.AddBotRequest(match=match, level="novice"))
        await rosie.ask(pb.StartMatchRequest(match=match))
        return rosie.token, match


async def calls_a_second(call, request, metadata, concurrency):
    done, ends = [], time.perf_counter() + SECONDS

    async def keep_calling():
        while time.perf_counter() < ends:
            began = time.perf_counter()
            await call(request, metadata=metadata, timeout=10)
            done.append(time.perf_counter() - began)

    await asyncio.gather(*(keep_calling() for _ in range(concurrency)))
    return len(done) / SECONDS, 1000 * statistics.median(done)


async def measure(ports):
    token, match = await _when_up(ports["gateway"])
    act = {"match": match, "seat": "red", "question": 10, "action": "count 1", "request_id": "r"}
    platform = [("authorization", f"Bearer {PLATFORM_TOKEN}")]
    mine = [("authorization", f"Bearer {token}")]
    ways = {
        "direct": (ports["engine"], ACT, engine.ActRequest, engine.ActResponse, platform),
        "bare hop": (ports["hop"], ACT, engine.ActRequest, engine.ActResponse, []),
        "gateway": (ports["gateway"], PLAYERS_ACT, pb.ActRequest, pb.ActResponse, mine),
    }
    for concurrency in (1, 32):
        found = {way: [] for way in ways}
        for _ in range(ROUNDS):
            for way, (port, path, asks, says, metadata) in ways.items():
                async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
                    call = channel.unary_unary(
                        path,
                        request_serializer=asks.SerializeToString,
                        response_deserializer=says.FromString,
                    )
                    found[way].append(
                        await calls_a_second(call, asks(**act), metadata, concurrency)
                    )
        _report(concurrency, found)


def _report(concurrency, found):
    best = {way: max(rates) for way, rates in found.items()}
    for way, (rate, milliseconds) in best.items():
        share = rate / best["bare hop"][0]
        sys.stdout.write(
            f"{concurrency:3} at once  {way:9} {rate:7.0f} calls/s  "
            f"median {milliseconds:6.2f} ms  {share:5.2f} of a bare hop\n"
        )


async def _when_up(port):
    ends = time.monotonic() + 20
    while True:
        try:
            return await prepared(port)
        except grpc.aio.AioRpcError:
            if time.monotonic() > ends:
                raise
            await asyncio.sleep(0.2)


def main():
    ports = {part: free_port() for part in ("engine", "hop", "gateway")}
    spawn = multiprocessing.get_context("spawn")
    with redis_server() as redis, ledgers() as each:
        kept = (redis.url, each.empty())
        parts = [
            spawn.Process(target=_run, args=(serve_engine, ports["engine"])),
            spawn.Process(target=_run, args=(serve_hop, ports["hop"], ports["engine"])),
            spawn.Process(target=run_gateway, args=(ports["gateway"], ports["engine"], *kept)),
        ]
        for part in parts:
            part.start()
        try:
            sys.stdout.write(f"{os.cpu_count()} cores, answer {usual_answer().ByteSize()} bytes\n")
            asyncio.run(measure(ports))
        finally:
            for part in parts:
                part.kill()


def _run(work, *arguments):
    logs.set_up("measure", "error")
    asyncio.run(work(*arguments))


if __name__ == "__main__":
    main()
