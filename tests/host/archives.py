"""Matches of every game played to their end, an archive to put them into, and all they answer."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Mapping
from typing import Any

import grpc

from bree.engine.v1 import engine_pb2 as e
from services.core.contract import Rules
from services.host import wire
from services.host.archived_store import Archived
from services.host.requests import Abort
from services.host.store import Away
from tests.host.engines import METADATA, Replica, Time

MOST = 160
"""Matches that are longer are broken off here."""


class Archive:
    """What has left, in a dictionary; away when it is told to be."""

    def __init__(self) -> None:
        self.matches: dict[str, Archived] = {}
        self.away = False
        self.asked: list[str] = []

    async def find(self, match: str) -> Archived | None:
        return self._at(match)

    async def has(self, match: str) -> bool:
        return self._at(match) is not None

    def _at(self, match: str) -> Archived | None:
        self.asked.append(match)
        if self.away:
            raise Away("pulled out", "the ledger is out of reach", part="ledger")
        return self.matches.get(match)

    async def take(self, engine: Replica, match: str) -> Any:
        """Put a match away as the gateway does; what its engine keeps of it."""
        asked = e.GetRecordRequest(match=match, with_kept=True)
        answer = await engine.call("GetRecord", asked)
        self.matches[match] = Archived(answer.text, answer.kept.data)
        return answer.kept


def creation(rules: Rules[Any], match: str, levels: Mapping[str, str], **more: Any) -> Any:
    """A match with bots of these levels, and people with names at the other seats."""
    players = [
        e.Player(
            seat=seat,
            label="" if seat in levels else f"Žofie {seat}",
            bot_level=levels.get(seat, ""),
            nonce=seat.encode(),
        )
        for seat in rules.seats(rules.agree({}))
    ]
    return e.CreateMatchRequest(match=match, players=players, payer="a-payer-1", **more)


async def play(engine: Replica, match: str, time: Time, luck: int, most: int = MOST) -> None:
    """Play a match to its end, by chance; one that is too long is broken off."""
    draw, cached = random.Random(luck), await engine.engine.matches.find(match)
    while not cached.state.is_over:
        state = cached.state
        if state.revision > most:
            await engine.engine.servicer.commands.do(Abort(match, "the-end"))
            return
        seat, number = next(iter(state.asked.items()))
        choice = draw.choice(wire.question(state, seat).choices)
        time.ms += draw.randint(1, 20_000)
        name, asked = state.table.seats[seat], f"r-{number}-{draw.getrandbits(40):x}"
        await engine.act(name, number, choice.action.text, asked, match)


async def everything(
    engine: Replica, match: str, create: Any, every: int = 1
) -> dict[str, tuple[object, ...]]:
    """Every answer and every refusal that a match can give, by what was asked."""
    answers: dict[str, tuple[object, ...]] = {}
    async for name, method, request in _questions(engine, match, create, every):
        answers[name] = await _answer(engine, method, request)
    return answers


async def _answer(engine: Replica, method: str, request: Any) -> tuple[object, ...]:
    call = getattr(engine.stub, method)(request, metadata=METADATA, timeout=20)
    try:
        if method == "Watch":
            return tuple([step.SerializeToString(deterministic=True) async for step in call])
        return ((await call).SerializeToString(deterministic=True),)
    except grpc.aio.AioRpcError as error:
        status = dict(error.trailing_metadata() or ()).get("grpc-status-details-bin", b"")
        return (error.code().name, error.details(), status)


async def _questions(
    engine: Replica, match: str, create: Any, every: int
) -> AsyncIterator[tuple[str, str, Any]]:
    state = (await engine.engine.matches.fresh(match)).state
    stored = await engine.engine.matches.read(match)
    last, head, seats = state.revision, state.head, state.table.seats
    for viewer in ("", *seats, "nobody"):
        who = e.Viewer(seat=viewer)
        for method, request in _looks(match, who, last, head):
            yield f"{viewer}: {method} {request}", method, request
        for revision in (*range(0, last + 1, every), last, last + 1):
            asked = e.GetSeatViewRequest(match=match, viewer=who, revision=revision)
            yield f"{viewer}: at {revision}", "GetSeatView", asked
    for seat in (*seats, "nobody"):
        for method, request in _acts(match, seat, last, head):
            yield f"{seat}: {method} {request}", method, request
    for number, line in enumerate(stored.lines):
        who, what, _, _, asked, *_ = line.split("\t")
        if who in seats and number % every == 0:
            question = _number_of(engine, state, who, number)
            for action in (what, "pass nothing"):
                again = e.ActRequest(
                    match=match, seat=who, question=question, action=action, request_id=asked
                )
                yield f"again {number} {action}", "Act", again
    yield "create", "CreateMatch", create
    other = e.CreateMatchRequest()
    other.CopyFrom(create)
    other.payer = ""
    other.players[0].nonce = b"another"
    yield "create otherwise", "CreateMatch", other
    yield "settle", "SettleMatch", e.SettleMatchRequest(match=match)
    yield "abort", "Abort", e.AbortRequest(match=match, request_id="x-1")


def _number_of(engine: Replica, state: Any, who: str, number: int) -> int:
    """Any number does: what was asked is compared by what it is."""
    return max(1, min(number, state.table.number(state.table.seats.index(who))))


def _looks(match: str, who: Any, last: int, head: str) -> list[tuple[str, Any]]:
    wrong = "ab" * 32
    watches = [
        {"after_revision": after, "head": known}
        for after in (0, last // 2, max(0, last - 3), last, last + 1)
        for known in ("", head, wrong)
    ]
    watches += [{"wanted": wanted} for wanted in (1, 2)]
    return [
        ("GetSeatView", e.GetSeatViewRequest(match=match, viewer=who)),
        ("GetSeatView", e.GetSeatViewRequest(match=match, viewer=who, with_charts=True)),
        ("GetRecord", e.GetRecordRequest(match=match, viewer=who)),
        ("GetRecord", e.GetRecordRequest(match=match, viewer=who, with_kept=True)),
        *(("Watch", e.WatchRequest(match=match, viewer=who, **more)) for more in watches),
    ]


def _acts(match: str, seat: str, last: int, head: str) -> list[tuple[str, Any]]:
    named = {"match": match, "seat": seat}
    act = {**named, "action": "pass", "request_id": "x-1"}
    return [
        *(("Imagine", e.ImagineRequest(**named, question=n)) for n in (1, last + 9)),
        *(("Act", e.ActRequest(**act, question=n)) for n in (1, last + 9)),
        ("Act", e.ActRequest(**act, question=1, head=head)),
        ("Act", e.ActRequest(**act, question=1, head="ab" * 32)),
        ("Resign", e.ResignRequest(**named, request_id="x-2")),
        ("UndoLast", e.UndoLastRequest(**named, request_id="x-3")),
        *(
            ("MakeOffer", e.MakeOfferRequest(**named, kind=kind, request_id=f"x-4-{kind}"))
            for kind in (1, 2, 3)
        ),
        ("AnswerOffer", e.AnswerOfferRequest(**named, offer=1, accept=True, request_id="x-5")),
        ("Expire", e.ExpireRequest(**named, question=1)),
        ("ReplaceBot", e.ReplaceBotRequest(**named, question=1, bot_level="greedy")),
        ("HandOverSeat", e.HandOverSeatRequest(**named, bot_level="greedy")),
        ("TakeBackSeat", e.TakeBackSeatRequest(**named)),
    ]
