"""A gateway with its engines, and accounts that call it: what most tests here begin with."""

from __future__ import annotations

import asyncio
import itertools

import grpc
import pytest
from google.protobuf.message_factory import GetMessageClass

from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.statuses import denied_by
from gateway.main import Process
from gateway.methods import SERVICES
from gateway.settings import GatewaySettings
from tests.gateway.fake_engine import PLATFORM_TOKEN, FakeEngine, World

METHODS = {
    f"/{service.full_name}/{method.name}": method
    for service in SERVICES.values()
    for method in service.methods
}
PATHS = {method.input_type.full_name: path for path, method in METHODS.items()}
REQUESTS = {path: GetMessageClass(method.input_type) for path, method in METHODS.items()}
RESPONSES = {
    method.input_type.full_name: GetMessageClass(method.output_type) for method in METHODS.values()
}
PATIENCE = 10
_names = itertools.count()


class Caller:
    """Somebody with a token, or with none, at one gateway."""

    def __init__(self, channel, token=None, name=""):
        self.channel, self.token, self.name = channel, token, name

    @property
    def metadata(self):
        return [("authorization", f"Bearer {self.token}")] if self.token is not None else []

    async def ask(self, request, timeout=PATIENCE):  # noqa: ASYNC109
        """Call the method that takes this request."""
        return await self.send(request, request.SerializeToString(), timeout)

    async def send(self, kind, data, timeout=PATIENCE):  # noqa: ASYNC109
        """Call the method that takes requests of this kind, with whatever bytes."""
        name = kind.DESCRIPTOR.full_name
        call = self.channel.unary_unary(
            PATHS[name], response_deserializer=RESPONSES[name].FromString
        )
        return await call(data, metadata=self.metadata, timeout=timeout)

    def stream(self, request, timeout=None):
        """Begin to read a stream."""
        return self.stream_of(request, request.SerializeToString(), timeout)

    def stream_of(self, kind, data, timeout=None):
        name = kind.DESCRIPTOR.full_name
        call = self.channel.unary_stream(
            PATHS[name], response_deserializer=RESPONSES[name].FromString
        )
        return Stream(call(data, metadata=self.metadata, timeout=timeout))


class Stream:
    """What a caller reads."""

    def __init__(self, call):
        self.call = call

    async def next(self, patience=PATIENCE):
        """The next message; None at the end."""
        said = await asyncio.wait_for(self.call.read(), patience)
        return None if said is grpc.aio.EOF else said

    async def rest(self):
        """All messages up to the end."""
        told = []
        while (said := await self.next()) is not None:
            told.append(said)
        return told

    async def silent(self, seconds=0.15):
        """Whether nothing comes for a while. The stream cannot be read any more after it."""
        try:
            said = await asyncio.wait_for(self.call.read(), seconds)
        except TimeoutError:
            return True
        return said is grpc.aio.EOF

    def cancel(self):
        self.call.cancel()


async def refusal(call):
    """The refusal that a call, or a stream, ends with."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    denied = denied_by(caught.value)
    assert denied is not None, caught.value
    assert caught.value.code() is denied.code
    return denied


async def reason(call):
    """Why a call is refused."""
    return (await refusal(call)).reason


class Town:
    """One game with its engines, and gateways on one store."""

    def __init__(self, store_of, game="hopscotch", **given):
        self.store_of = store_of
        self.given = given
        self.world = World(game)
        self.engines = []
        self.processes = []
        self.channels = []

    async def open(self, engines=1):
        for _ in range(engines):
            self.engines.append(await FakeEngine(self.world).start())
        await self.gateway()
        return self

    @property
    def settings(self):
        addresses = ",".join(engine.address for engine in self.engines)
        given = {
            "platform_token": PLATFORM_TOKEN,
            "engines": f"{self.world.game}={addresses}",
            "health_seconds": 0.05,
            "rescan_seconds": 0.5,
            "drain_seconds": 0.3,
            "listen": "127.0.0.1:0",
        }
        return GatewaySettings(**(given | self.given))

    async def gateway(self, **given):
        """Another gateway on the same store."""
        self.given |= given
        process = Process(self.settings, self.store_of())
        await process.start()
        self.processes.append(process)
        return process

    @property
    def engine(self):
        return self.engines[0]

    @property
    def process(self):
        return self.processes[0]

    @property
    def store(self):
        return self.process.gateway.store

    def nobody(self, process=None):
        """Somebody without a token."""
        port = (process or self.process).server.port
        channel = grpc.aio.insecure_channel(
            f"127.0.0.1:{port}", options=[("grpc.use_local_subchannel_pool", 1)]
        )
        self.channels.append(channel)
        return Caller(channel)

    def same(self, caller, process):
        """The same account at another gateway."""
        return Caller(self.nobody(process).channel, caller.token, caller.name)

    async def account(self, name="", process=None):
        """Somebody with a fresh account."""
        caller = self.nobody(process)
        name = name or f"player{next(_names)}"
        made = await caller.ask(pb.CreateAccountRequest(name=name))
        caller.token, caller.name = made.token, name
        return caller

    def worker(self, process=None):
        """A part of the platform."""
        caller = self.nobody(process)
        caller.token = PLATFORM_TOKEN
        return caller

    async def open_match(self, creator, **options):
        chosen = [{"name": name, "value": str(value)} for name, value in options.items()]
        made = await creator.ask(pb.CreateMatchRequest(game=self.world.game, options=chosen))
        return made.match.id

    async def running_match(self, *players, **options):
        """A match that has started, with these at its seats in order; the first opened it."""
        options = {"seats": len(players)} | options
        match = await self.open_match(players[0], **options)
        for player, seat in zip(players, ("red", "blue", "green", "white"), strict=False):
            if isinstance(player, str):
                await players[0].ask(pb.AddBotRequest(match=match, seat=seat, level=player))
            else:
                await player.ask(pb.JoinMatchRequest(match=match, seat=seat))
        await players[0].ask(pb.StartMatchRequest(match=match))
        return match

    async def act(self, player, match, seat, **given):
        """Answer the question that stands."""
        question = self.world.matches[match].number(seat)
        said = {"action": "count 1", "question": question, "request_id": f"r{question}"} | given
        return await player.ask(pb.ActRequest(match=match, seat=seat, **said))

    def count(self, match, times=1):
        """Let whoever is asked answer, as if somebody else had come to the engine."""
        played = self.world.matches[match]
        for _ in range(times):
            played.entries.append((played.waiting, "count 2", f"x{played.revision}", 0))
            played.move()

    async def close(self):
        for channel in self.channels:
            await channel.close()
        for process in self.processes:
            await process.stop()
        for engine in self.engines:
            await engine.stop()


async def until(true, patience=PATIENCE):
    """Wait until something is so."""
    async with asyncio.timeout(patience):
        while True:
            found = true()
            if asyncio.iscoroutine(found):
                found = await found
            if found:
                return found
            await asyncio.sleep(0.01)
