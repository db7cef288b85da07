"""Engines in the process of the test, as many as wanted, on any store; and stubs to call them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from contextlib import asynccontextmanager
from functools import wraps
from typing import Any

import grpc
import pytest

from bree.engine.v1 import engine_pb2 as e
from bree.engine.v1 import types_pb2 as t
from bree.engine.v1.engine_pb2_grpc import EngineServiceStub
from bree.process.statuses import denied_by
from services.host import wire
from services.host.dispatch import TASKS
from services.host.in_memory_store import InMemoryStore
from services.host.main import Engine
from services.host.serialization import Due
from services.host.settings import HostSettings
from services.host.store import Store
from tests.games.skirmish.rules import RULES

TOKEN = "the token of the platform"
METADATA = (("authorization", f"Bearer {TOKEN}"),)
KEY = "00" * 32
MATCH = "s-match-1"
START = 1_700_000_000_000


def in_loop(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """A test that is a coroutine."""

    @wraps(test)
    def run(*arguments: Any, **named: Any) -> None:
        asyncio.run(test(*arguments, **named))

    return run


class Time:
    """A clock that stands still until it is told to go on."""

    def __init__(self) -> None:
        self.ms = START

    def __call__(self) -> int:
        return self.ms


class RecordingDispatch:
    """Hears what the workers would be told."""

    def __init__(self) -> None:
        self.sent: list[Due] = []

    def tell(self, due: Iterable[Due]) -> None:
        self.sent += [one for one in due if one.kind in TASKS]


class Replica:
    """An engine with a stub that calls it."""

    def __init__(self, engine: Engine, stub: Any, dispatch: RecordingDispatch) -> None:
        self.engine = engine
        self.stub = stub
        self.dispatch = dispatch

    async def call(self, method: str, request: Any, **more: Any) -> Any:
        return await getattr(self.stub, method)(request, metadata=METADATA, timeout=10, **more)

    def watch(
        self, match: str = MATCH, seat: str = "", after: int = 0, wanted: int = 0, head: str = ""
    ) -> Any:
        viewer = e.Viewer(seat=seat)
        request = e.WatchRequest(
            match=match, viewer=viewer, after_revision=after, wanted=wanted, head=head
        )
        return self.stub.Watch(request, metadata=METADATA, timeout=20)

    async def create(self, match: str = MATCH, **more: Any) -> Any:
        return await self.call("CreateMatch", creation(match, **more))

    async def view(self, seat: str = "", match: str = MATCH) -> Any:
        request = e.GetSeatViewRequest(match=match, viewer=e.Viewer(seat=seat))
        return await self.call("GetSeatView", request)

    async def act(  # as many as an answer has
        self,
        seat: str,
        number: int,
        action: str,
        request: str,
        match: str = MATCH,
        head: str = "",
    ) -> Any:
        said = answer(seat, number, action, request, match)
        said.head = head
        return await self.call("Act", said)

    async def question(self, seat: str, match: str = MATCH) -> Any:
        """What a seat is asked, whoever plays it."""
        view = await self.view(seat, match)
        if any(one.seat == seat and one.bot_level for one in view.standing.stand_ins):
            state = (await self.engine.matches.fresh(match)).state
            return wire.question(state, state.table.seats.index(seat))
        return view.question

    async def hand_over(self, seat: str, level: str = "greedy", match: str = MATCH) -> Any:
        asked = e.HandOverSeatRequest(match=match, seat=seat, bot_level=level)
        return (await self.call("HandOverSeat", asked)).standing

    async def take_back(self, seat: str, match: str = MATCH) -> Any:
        return await self.call("TakeBackSeat", e.TakeBackSeatRequest(match=match, seat=seat))

    async def act_as(self, by: Any, seat: str, number: int, request: str, text: str = "") -> Any:
        """Answer, with the first choice of now unless one is named, and say who answers."""
        text = text or (await self.question(seat)).choices[0].action.text
        said = answer(seat, number, text, request)
        said.by = by
        return await self.call("Act", said)

    async def play(self, seat: str, request: str, choice: int = 0, match: str = MATCH) -> Any:
        """Answer a seat's question with one of its choices."""
        asked = await self.question(seat, match)
        text = asked.choices[min(choice, len(asked.choices) - 1)].action.text
        return await self.act(seat, asked.number, text, request, match)

    async def play_on(self, match: str = MATCH, most: int = 10_000, choice: int = 0) -> Any:
        """Play until the match is over, or `most` decisions have been made; the last standing."""
        standing = (await self.view("", match)).standing
        for n in range(most):
            if not standing.waiting:
                break
            seat = standing.waiting[-1]
            response = await self.play(seat, f"on-{standing.revision}-{n}", choice, match)
            standing = response.standing
        return standing

    async def undo(self, seat: str, request: str, match: str = MATCH, head: str = "") -> Any:
        asked = e.UndoLastRequest(match=match, seat=seat, request_id=request, head=head)
        return await self.call("UndoLast", asked)

    async def offer(self, seat: str, kind: Any, request: str, match: str = MATCH) -> Any:
        asked = e.MakeOfferRequest(match=match, seat=seat, kind=kind, request_id=request)
        return (await self.call("MakeOffer", asked)).standing

    async def answer_offer(  # as many as an answer has
        self, seat: str, offer: int, request: str, *, accept: bool, match: str = MATCH
    ) -> Any:
        asked = e.AnswerOfferRequest(
            match=match, seat=seat, offer=offer, accept=accept, request_id=request
        )
        return (await self.call("AnswerOffer", asked)).standing

    async def past(self, revision: int, seat: str = "", match: str = MATCH) -> Any:
        viewer = e.Viewer(seat=seat)
        asked = e.GetSeatViewRequest(match=match, viewer=viewer, revision=revision)
        return await self.call("GetSeatView", asked)

    async def record(self, seat: str = "", match: str = MATCH) -> Any:
        request = e.GetRecordRequest(match=match, viewer=e.Viewer(seat=seat))
        return await self.call("GetRecord", request)


def creation(match: str = MATCH, levels: dict[str, str] | None = None, **options: Any) -> Any:
    clock, promise = options.pop("clock", None), options.pop("commitment", "")
    seats = RULES.seats(RULES.agree(options))
    players = [
        e.Player(seat=s, label=s.title(), bot_level=(levels or {}).get(s, ""), nonce=s.encode())
        for s in seats
    ]
    chosen = [t.OptionChoice(name=name, value=value) for name, value in options.items()]
    return e.CreateMatchRequest(
        match=match, options=chosen, players=players, clock=clock, commitment=promise
    )


def answer(seat: str, number: int, action: str, request: str, match: str = MATCH) -> Any:
    return e.ActRequest(match=match, seat=seat, question=number, action=action, request_id=request)


def settings(**more: Any) -> HostSettings:
    given = {"platform_token": TOKEN, "fate_key": KEY, "drain_seconds": 1} | more
    return HostSettings(**given)


@asynccontextmanager
async def replica(
    store: Store | None = None, rules: Any = RULES, now: Any = None, **more: Any
) -> AsyncIterator[Replica]:
    """A running engine on this store, or on one of its own."""
    dispatch = RecordingDispatch()
    kept = InMemoryStore() if store is None else store
    engine = Engine(rules, settings(**more), kept, dispatch, now or Time())
    await engine.start()
    try:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.server.port}") as channel:
            yield Replica(engine, EngineServiceStub(channel), dispatch)
    finally:
        await engine.stop()


async def refused(call: Any, reason: str, code: grpc.StatusCode, **metadata: str) -> Any:
    """Assert that a call is refused so, and that the metadata has at least this; the refusal."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    denied = denied_by(caught.value)

    assert denied is not None, caught.value
    assert (reason, code) == (denied.reason, caught.value.code())
    assert metadata == {key: denied.metadata.get(key) for key in metadata}
    return denied
