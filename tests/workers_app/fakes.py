"""An engine and a gateway as workers see them: real rules, no store, and mishaps on demand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import RLock

import grpc
from typing_extensions import override

from bree.engine.v1 import engine_pb2, engine_pb2_grpc, types_pb2
from bree.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from bree.process.statuses import Denied
from services import rules_of
from services.core.errors import Illegal, Invalid, NotAsked, Stale
from services.core.fair import Fate
from services.core.record import Fairness, record_of
from services.core.table import Table
from workers.settings import WorkerSettings

TOKEN = "a token of the platform"  # of a platform that is none
REASONS = {
    Stale: "STALE_QUESTION",
    NotAsked: "NOT_ASKED",
    Illegal: "ILLEGAL_ACTION",
    Invalid: "INVALID_ACTION",
}

Mishap = Callable[[], None]
"""Raises what a call is to fail with, or does nothing."""


def away(reason: str = "UNAVAILABLE") -> Mishap:
    """The part is out of reach."""

    def mishap() -> None:
        raise Denied(reason, "gone")

    return mishap


class Faulty:
    """A servicer whose calls may be made to fail, before or after they have done their work."""

    def __init__(self) -> None:
        self.lock = RLock()
        self.calls: list[tuple[str, object]] = []
        self.before: dict[str, list[Mishap]] = defaultdict(list)
        self.after: dict[str, list[Mishap]] = defaultdict(list)

    def answer(self, name, request, context, work):
        assert ("authorization", f"Bearer {TOKEN}") in context.invocation_metadata()
        try:
            with self.lock:
                self.calls.append((name, request))
                self._mishap(self.before[name])
                response = work(request)
                self._mishap(self.after[name])
                return response
        except Denied as denied:
            context.abort_with_status(denied.status())

    def _mishap(self, mishaps: list[Mishap]) -> None:
        if mishaps:
            mishaps.pop(0)()

    def count(self, name: str) -> int:
        """How often a method was called."""
        return sum(called == name for called, _ in self.calls)


class FakeEngine(engine_pb2_grpc.EngineServiceServicer, Faulty):
    """Plays matches of The Confrontation in memory."""

    game = "confrontation"

    def __init__(self) -> None:
        Faulty.__init__(self)
        self.rules = rules_of(self.game)
        self.tables: dict[str, Table] = {}
        self.fairness: dict[str, Fairness] = {}
        self.answers: dict[tuple[str, str], engine_pb2.ActResponse] = {}
        self.due: list[engine_pb2.Due] = []
        self.settled: list[str] = []
        self.forgotten: list[str] = []
        self.kept = engine_pb2.Kept(data=b"kept", head="ab" * 32, revision=7)
        self.texts: dict[str, str] = {}
        self.edition = self.rules.edition
        self.taken_back: set[str] = set()  # seats that people play again
        self.lent: list[str] = []  # seats of people that bots have played
        self.imagined: Callable[[engine_pb2.ImagineResponse], None] = lambda _: None

    def begin(self, match: str) -> Table:
        """A new match."""
        fairness = Fairness.of(match.encode().ljust(32, b"."), (b"one", b"two"))
        self.fairness[match] = fairness
        self.tables[match] = Table(self.rules, self.rules.agree({}), Fate(fairness.fate().seed))
        return self.tables[match]

    @override
    def Imagine(self, request, context):
        response = self.answer("Imagine", request, context, self._imagine)
        self.imagined(response)
        return response

    @override
    def Act(self, request, context):
        return self.answer("Act", request, context, self._act)

    @override
    def ReplaceBot(self, request, context):
        return self.answer("ReplaceBot", request, context, self._replace)

    @override
    def GetRecord(self, request, context):
        return self.answer("GetRecord", request, context, self._record)

    @override
    def SettleMatch(self, request, context):
        return self.answer("SettleMatch", request, context, self._settle)

    @override
    def ForgetMatch(self, request, context):
        return self.answer("ForgetMatch", request, context, self._forget)

    @override
    def ClaimDue(self, request, context):
        return self.answer("ClaimDue", request, context, self._claim)

    @override
    def Expire(self, request, context):
        return self.answer("Expire", request, context, lambda _: engine_pb2.ExpireResponse())

    def _table(self, match: str) -> Table:
        if match not in self.tables:
            raise Denied("UNKNOWN_MATCH", "there is no such match")
        return self.tables[match]

    def _imagine(self, request):
        table = self._table(request.match)
        seat = table.seat(request.seat)
        if table.is_over:
            raise Denied("MATCH_OVER", "the game is over")
        if request.question < table.number(seat):
            raise Denied("STALE_QUESTION", "answered")
        if seat not in table.waiting():
            raise Denied("NOT_ASKED", "not asked")
        world = self.rules.guess(table.game, seat, Fate(b"imagined").pick)
        return engine_pb2.ImagineResponse(
            world=self.rules.dump(world),
            game=self.game,
            edition=self.edition,
            seat_number=seat,
        )

    def _act(self, request):
        known = (request.match, request.request_id)
        if known in self.answers:
            return self.answers[known]
        table = self._table(request.match)
        if table.is_over:
            raise Denied("MATCH_OVER", "the game is over")
        if request.by == engine_pb2.DECIDER_BOT and request.seat in self.taken_back:
            raise Denied("NOT_ASKED", "the person at this seat plays it again")
        seat = table.seat(request.seat)
        try:
            table.act(seat, request.action, request.question)
        except (Stale, NotAsked, Illegal, Invalid) as refused:
            raise Denied(REASONS[type(refused)], str(refused)) from None
        answer = engine_pb2.ActResponse()
        if seat in table.waiting():
            answer.question.number = table.number(seat)
        self.answers[known] = answer
        return answer

    def _replace(self, request):
        is_weakest = request.bot_level == "uniform"
        level = "" if is_weakest else "uniform"
        return engine_pb2.ReplaceBotResponse(bot_level=level, frozen=is_weakest)

    def _record(self, request):
        table = self._table(request.match)
        text = self.texts.get(request.match)
        if text is None and table.is_over:
            text = record_of(table, self.fairness[request.match]).text()
        lent = [engine_pb2.StandIn(seat=seat, changes=1) for seat in self.lent]
        standing = engine_pb2.Standing(stand_ins=lent)
        response = engine_pb2.GetRecordResponse(text=text or "", standing=standing)
        if request.with_kept and text:
            response.kept.CopyFrom(self.kept)
        return response

    def _forget(self, request):
        if request.match not in self.settled:
            raise Denied("NOT_ALLOWED", "it is not settled")
        if (request.head, request.revision) != (self.kept.head, self.kept.revision):
            raise Denied("HISTORY_CHANGED", "it is another one")
        self.forgotten.append(request.match)
        return engine_pb2.ForgetMatchResponse()

    def _settle(self, request):
        self.settled.append(request.match)
        return engine_pb2.SettleMatchResponse()

    def _claim(self, request):
        claimed, self.due = self.due[: request.limit], self.due[request.limit :]
        return engine_pb2.ClaimDueResponse(due=claimed)


class FakeGateway(gateway_pb2_grpc.SettlementServiceServicer, Faulty):
    """Keeps the ratings of two players, alice and bob."""

    def __init__(self) -> None:
        Faulty.__init__(self)
        self.ratings = {
            name: gateway_pb2.Rating(account=name, game="confrontation", mu=25, sigma=25 / 3)
            for name in ("alice", "bob")
        }
        self.versions = dict.fromkeys(self.ratings, 1)
        self.rateable = True
        self.seats = {"good": "alice", "dark": "bob"}
        self.outcomes: dict[str, types_pb2.Outcome] = {}
        self.records: dict[str, gateway_pb2.SettleRatingsRequest] = {}
        self.archived: list[str] = []

    @override
    def GetSettlement(self, request, context):
        return self.answer("GetSettlement", request, context, self._get)

    @override
    def SettleRatings(self, request, context):
        try:
            return self.answer("SettleRatings", request, context, self._settle)
        except InterruptedError:
            context.abort(grpc.StatusCode.ABORTED, "a rating has changed")

    @override
    def ArchiveMatch(self, request, context):
        return self.answer("ArchiveMatch", request, context, self._archive)

    def _archive(self, request):
        if request.match not in self.records:
            raise Denied("NOT_ALLOWED", "the ledger has no such match")
        self.archived.append(request.match)
        record = self.records[request.match]
        return gateway_pb2.ArchiveMatchResponse(head=record.head, revision=record.revision)

    def _get(self, request):
        players = [
            gateway_pb2.PlayerRating(
                seat=seat, rating=self.ratings[name], version=self.versions[name]
            )
            for seat, name in self.seats.items()
        ]
        settled = request.match in self.outcomes
        return gateway_pb2.GetSettlementResponse(
            game="confrontation", players=players, settled=settled, rateable=self.rateable
        )

    def _settle(self, request):
        if request.match in self.outcomes:
            return gateway_pb2.SettleRatingsResponse(counted=False)
        for player in request.players:
            if player.version != self.versions[player.rating.account]:
                raise InterruptedError
        for player in request.players:
            self.ratings[player.rating.account].CopyFrom(player.rating)
            self.versions[player.rating.account] += 1
        self.outcomes[request.match] = request.outcome
        self.records[request.match] = request
        return gateway_pb2.SettleRatingsResponse(counted=True)


@contextmanager
def serving(engine: FakeEngine, gateway: FakeGateway) -> Iterator[str]:
    """Serve both at one address."""
    with ThreadPoolExecutor(8) as pool:
        server = grpc.server(pool)
        engine_pb2_grpc.add_EngineServiceServicer_to_server(engine, server)
        gateway_pb2_grpc.add_SettlementServiceServicer_to_server(gateway, server)
        port = server.add_insecure_port("127.0.0.1:0")
        server.start()
        try:
            yield f"127.0.0.1:{port}"
        finally:
            server.stop(None).wait()


def settings_for(address: str, **more) -> WorkerSettings:
    """The settings of a worker whose engine and gateway are at one address."""
    usual = {"engines": f"confrontation={address}", "gateway": address, "patience_seconds": 0.2}
    return WorkerSettings(platform_token=TOKEN, **{**usual, **more})
