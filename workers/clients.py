"""The parts that workers call: the engines of every game, and the gateway's settlements."""

from __future__ import annotations

from collections.abc import Callable

import grpc

from bree.engine.v1.engine_pb2_grpc import EngineServiceStub
from bree.gateway.v1.gateway_pb2_grpc import SettlementServiceStub
from workers.calls import Failed, Replicas, Request, Response
from workers.settings import SweeperSettings


class Clients:
    """The channels of one process. They are opened after Celery has forked it, never before."""

    def __init__(self, settings: SweeperSettings) -> None:
        self._settings = settings
        self._engines: dict[str, Replicas[EngineServiceStub]] = {}
        self._gateways: Replicas[SettlementServiceStub] | None = None

    def open(self) -> None:
        """Open a channel to every replica of every part."""
        s = self._settings
        self._engines = {
            game: Replicas(addresses, EngineServiceStub, s) for game, addresses in s.engines.items()
        }
        self._gateways = Replicas(s.gateway, SettlementServiceStub, s)

    def close(self) -> None:
        """Close them all."""
        for engine in self._engines.values():
            engine.close()
        if self._gateways is not None:
            self._gateways.close()

    def engine(
        self,
        game: str,
        match: str,
        method: Callable[[EngineServiceStub], grpc.UnaryUnaryMultiCallable[Request, Response]],
        request: Request,
    ) -> Response:
        """The answer of the engine that plays a match."""
        if game not in self._engines:
            code = grpc.StatusCode.NOT_FOUND
            raise Failed(code, "UNKNOWN_GAME", f"no engine is set for the game {game!r}")
        return self._engines[game].ask(match, method, request)

    def settlement(
        self,
        match: str,
        method: Callable[[SettlementServiceStub], grpc.UnaryUnaryMultiCallable[Request, Response]],
        request: Request,
    ) -> Response:
        """The answer of a gateway about the ratings of those who played a match."""
        assert self._gateways is not None, "channels are opened first"
        return self._gateways.ask(match, method, request)
