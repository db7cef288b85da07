"""The engines: which addresses serve which game, which of them answer, and how they are asked.

Design. A match goes to the replica that rendezvous hashing names among those that are healthy, only
so that its cache is warm: any replica can answer. If one is away, the next is asked, where asking
twice is safe. What an engine refuses is passed on as it is; what became of a call that could change
something and got no answer is not known, and that is said.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
import structlog
from grpc_health.v1 import health_pb2, health_pb2_grpc

from bree.engine.v1 import engine_pb2 as engine
from bree.engine.v1 import engine_pb2_grpc
from bree.gateway.v1 import gateway_pb2 as pb
from bree.process import traces
from bree.process.heartbeats import HeartbeatMonitor
from bree.process.multiplexer import Multiplexer
from bree.process.replicas import ranked
from bree.process.server import channel, platform_metadata
from bree.process.statuses import Denied, denied_by
from gateway import call_context
from gateway.refusals import unknown_game
from gateway.settings import GatewaySettings

log = structlog.get_logger()

SERVICE = engine.DESCRIPTOR.services_by_name["EngineService"].full_name
TRIES = 3
READS = frozenset(
    {
        *("DescribeGame", "CommitMatch", "GetSeatView", "GetRecord", "Watch"),
        *("InspectMatch", "ReplayMatch", "CountDue"),
    }
)
REPEATABLE = READS | {  # by the match's name, or by request ids
    "CreateMatch", "Act", "Resign", "UndoLast", "MakeOffer", "AnswerOffer",
    "HandOverSeat", "TakeBackSeat", "ForgetMatch", "Abort", "HoldMatch",
}  # fmt: skip
AWAY = (
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.CANCELLED,
    grpc.StatusCode.INTERNAL,  # a connection that broke in the middle; a bug there has a reason
)
UNSURE = "OUTCOME_UNKNOWN"
PASSED_ON: dict[str, tuple[Any, Any]] = {
    "Act": (engine.ActRequest, pb.ActResponse),
    "UndoLast": (engine.UndoLastRequest, pb.UndoLastResponse),
    "MakeOffer": (engine.MakeOfferRequest, pb.MakeOfferResponse),
    "AnswerOffer": (engine.AnswerOfferRequest, pb.AnswerOfferResponse),
    "HandOverSeat": (engine.HandOverSeatRequest, pb.HandOverSeatResponse),
    "TakeBackSeat": (engine.TakeBackSeatRequest, pb.TakeBackSeatResponse),
    "GetSeatView": (engine.GetSeatViewRequest, pb.GetViewResponse),
    "Watch": (engine.WatchRequest, pb.WatchMatchResponse),
}
"""Methods whose answers the gateway passes on. They have the same fields under its own names, so
they are read as what they will be sent as; a copy would cost a tenth of a call."""

LOOKS_A_DESCRIPTION = 30  # looks at health until a description is asked for anew


class Replica:
    """One engine at one address."""

    def __init__(self, game: str, address: str, settings: GatewaySettings) -> None:
        self.game, self.address, self.settings = game, address, settings
        self.channel = channel(address, settings)
        self.stub = engine_pb2_grpc.EngineServiceStub(self.channel)
        self.metadata = grpc.aio.Metadata(*platform_metadata(settings))
        self.multiplexer = Multiplexer(
            self.channel, self.metadata, settings.largest_message, settings.beat_seconds
        )
        self.multiplexed = {
            name: self._method(self.multiplexer.unary, name)
            for name in PASSED_ON
            if name != "Watch"
        }
        self.watch = self._method(self.channel.unary_stream, "Watch")
        self.watch_questions = self._method(self.multiplexer.stream, "Watch")
        self.health = health_pb2_grpc.HealthStub(self.channel)
        self.is_healthy = False
        self.trouble: str | None = ""
        self.description: engine.DescribeGameResponse | None = None
        self._looks = 0

    def _method(self, kind: Any, name: str) -> Any:
        """A method whose answers are passed on."""
        request, response = PASSED_ON[name]
        return kind(f"/{SERVICE}/{name}", request.SerializeToString, response.FromString)

    async def look(self) -> None:
        """See whether it answers, and is what it should be."""
        try:
            trouble = await self._trouble(max(1.0, self.settings.health_seconds))
        except grpc.aio.AioRpcError as error:
            trouble = f"{error.code().name}: {error.details()}"
        self._looks += 1
        self.note(trouble)

    async def _trouble(self, seconds: float) -> str | None:
        request = health_pb2.HealthCheckRequest(service=SERVICE)
        answer = await self.health.Check(request, timeout=seconds)
        if answer.status != health_pb2.HealthCheckResponse.SERVING:
            return "it is not serving"
        if self.is_healthy and self._looks % LOOKS_A_DESCRIPTION:
            return None
        described = engine.DescribeGameRequest()
        told = await self.stub.DescribeGame(described, timeout=seconds, metadata=self.metadata)
        if told.game != self.game:
            return f"it serves {told.game}"
        self.description = told
        return None

    def note(self, trouble: str | None) -> None:
        """Remember that it answers, or why it does not."""
        if trouble != self.trouble:
            level = log.info if trouble is None else log.warning
            level("engine", game=self.game, address=self.address, trouble=trouble)
        self.trouble, self.is_healthy = trouble, trouble is None


class Engines:
    """All engines of the platform."""

    def __init__(self, settings: GatewaySettings) -> None:
        self.settings = settings
        self.replicas = {
            game: [Replica(game, address, settings) for address in addresses]
            for game, addresses in settings.replicas.items()
        }
        self._looking: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Look at every engine once, and from then on again and again."""
        every = [replica for replicas in self.replicas.values() for replica in replicas]
        await asyncio.gather(*(replica.look() for replica in every))
        self._looking = [asyncio.create_task(self._keep_looking(replica)) for replica in every]

    async def _keep_looking(self, replica: Replica) -> None:
        while True:
            await asyncio.sleep(self.settings.health_seconds)
            await replica.look()

    async def close(self) -> None:
        """Stop looking, and hang up."""
        for task in self._looking:
            task.cancel()
        await asyncio.gather(*self._looking, return_exceptions=True)
        for replicas in self.replicas.values():
            for replica in replicas:
                replica.multiplexer.close()
                await replica.channel.close()

    def descriptions(self) -> list[engine.DescribeGameResponse]:
        """What the games are that an engine is serving now."""
        found = (self._latest(game, healthy_only=True) for game in sorted(self.replicas))
        return [description for description in found if description]

    def description(self, game: str) -> engine.DescribeGameResponse:
        """What a game is, even while all its engines are away."""
        if game not in self.replicas:
            raise unknown_game(game)
        found = self._latest(game, healthy_only=False)
        if found is None:
            raise Denied("UNAVAILABLE", f"no engine for {game} is in reach", part="engine")
        return found

    def _latest(self, game: str, *, healthy_only: bool) -> engine.DescribeGameResponse | None:
        told = [
            replica.description
            for replica in self.replicas[game]
            if replica.description and (replica.is_healthy or not healthy_only)
        ]
        return max(told, key=lambda description: description.edition, default=None)

    def order(self, game: str, match: str) -> list[Replica]:
        """The replicas to ask about a match, the first one first; the unhealthy ones last."""
        if game not in self.replicas:
            raise unknown_game(game)
        replicas = self.replicas[game]
        if len(replicas) == 1:
            return replicas
        by_address = {replica.address: replica for replica in replicas}
        order = [by_address[address] for address in ranked(match, by_address)]
        return sorted(order, key=lambda replica: not replica.is_healthy)

    # How they are asked.

    async def ask(self, method: str, game: str, request: Any) -> Any:
        """Call a method of the engine that a match belongs to, on another replica if need be."""
        order = self.order(game, getattr(request, "match", ""))
        tries = min(TRIES, len(order)) if method in REPEATABLE else 1
        unsure: Denied | None = None
        ends = time.monotonic() + call_context.seconds_left(self.settings.call_seconds)
        for number, replica in enumerate(order[:tries], 1):
            # A replica that hangs must leave time for the next one.
            left = max(0.0, ends - time.monotonic()) / (tries - number + 1)
            try:
                with traces.span(f"engine {method}"):
                    if method in replica.multiplexed:
                        return await replica.multiplexed[method](request, timeout=left)
                    call, metadata = (
                        getattr(replica.stub, method),
                        traces.with_traceparent(replica.metadata),
                    )
                    return await call(request, timeout=left, metadata=metadata)
            except grpc.aio.AioRpcError as error:
                denied = _denied(error, replica, method)
            if denied.reason == UNSURE:
                unsure = denied
            if denied.code is not grpc.StatusCode.UNAVAILABLE:
                raise denied from None
            if number == tries:
                # An attempt that may have been carried out outweighs one that was not.
                raise unsure or denied from None
        raise AssertionError("a game has at least one replica")

    @asynccontextmanager
    async def watch(
        self, game: str, request: engine.WatchRequest, attempt: int
    ) -> AsyncIterator[AsyncIterator[pb.WatchMatchResponse]]:
        """One stream of a match's steps, from another replica at each attempt."""
        order = self.order(game, request.match)
        healthy = [replica for replica in order if replica.is_healthy] or order
        replica = healthy[attempt % len(healthy)]
        # Who wants every step may read slowly, and has a stream that can be slowed down. Those that
        # are multiplexed have heartbeats together.
        watch = replica.watch_questions
        if not request.wanted:
            watch = replica.watch
            request.beat_ms = int(1000 * self.settings.beat_seconds)
        call = watch(request, metadata=traces.with_traceparent(replica.metadata))
        monitor = HeartbeatMonitor(
            self.settings.beat_seconds, call.cancel, beats=replica.multiplexer.beats
        )
        if request.wanted:
            monitor.end()
        try:
            yield self._steps(replica, call, monitor)
        finally:
            monitor.end()
            call.cancel()

    async def _steps(
        self, replica: Replica, call: Any, monitor: HeartbeatMonitor
    ) -> AsyncIterator[pb.WatchMatchResponse]:
        try:
            async with asyncio.timeout(self.settings.call_seconds):  # the first comes at once
                step = await _next(replica, call, monitor)
            while step is not grpc.aio.EOF:
                yield step
                step = await _next(replica, call, monitor)
        except TimeoutError:
            raise Denied("UNAVAILABLE", "the engine is silent", part="engine") from None
        except grpc.aio.AioRpcError as error:
            raise _denied(error, replica, "Watch") from None


async def _next(replica: Replica, call: Any, monitor: HeartbeatMonitor) -> Any:
    """The next step of a stream, or its end; with `Denied`, no more signs of life come either."""
    monitor.is_reading = True
    try:
        while (step := await call.read()) is not grpc.aio.EOF:
            is_beat = not step.HasField("standing")
            monitor.hear(is_beat=is_beat)
            if not is_beat:
                break
    except (asyncio.CancelledError, grpc.aio.AioRpcError):
        if not monitor.has_stopped:
            raise
        replica.note("it is silent")
        raise Denied("UNAVAILABLE", "the engine is silent", part="engine") from None
    finally:
        monitor.is_reading = False
    return step


def _denied(error: grpc.aio.AioRpcError, replica: Replica, method: str) -> Denied:
    denied = denied_by(error)
    if denied is not None and denied.reason != "UNAUTHENTICATED":
        return denied
    code = error.code()
    log.warning("engine call failed", method=method, address=replica.address, code=code.name)
    if code is grpc.StatusCode.UNAVAILABLE:
        replica.note("it is away")  # until the next look
    if code in AWAY:
        if method in READS:
            return Denied("UNAVAILABLE", "the engine is away", part="engine")
        return Denied(UNSURE, "the engine went away before it answered")
    if code is grpc.StatusCode.UNAUTHENTICATED:  # our token, not the caller's
        return Denied("UNAVAILABLE", "the engine does not trust this gateway", part="engine")
    raise error
