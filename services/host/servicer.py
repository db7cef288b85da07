"""The service: each method checks its request, has it done, and writes the answer."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from functools import partial
from typing import Any

from typing_extensions import override

from bree.engine.v1 import engine_pb2 as engine
from bree.engine.v1.engine_pb2_grpc import EngineServiceServicer
from bree.process.heartbeats import with_heartbeats
from bree.process.statuses import Denied
from services.core.contract import Options, Rules
from services.core.errors import Invalid
from services.core.fair import commitment
from services.host import checks, refusals, wire
from services.host.commands import Commands
from services.host.ends import Ends
from services.host.match_state import MatchState
from services.host.matches import Now
from services.host.queries import Over, Queries
from services.host.replaying import replayed
from services.host.requests import Abort, Act, Request, Resign
from services.host.serialization import Setup
from services.host.stand_ins import handed_over, taken_back
from services.host.store import LONGEST_LEASE_MS
from services.host.table_requests import AnswerOffer, MakeOffer, UndoLast
from services.host.watch import Hub

MAY_BE_OLD_MS = 10_000
"""How old a count of what is due may be, which costs the store the time of many moves."""

SERVICE = "bree.engine.v1.EngineService"


class Servicer(EngineServiceServicer):
    """Serves the matches of one game."""

    def __init__(
        self,
        rules: Rules[Any],
        levels: tuple[str, ...],
        parts: tuple[Commands, Ends, Queries, Hub],
        now: Now,
    ) -> None:
        self.rules = rules
        self.levels = levels
        self.commands, self.ends, self.queries, self.hub = parts
        self.now = now
        self._description = wire.description(rules, levels)

    @override
    async def DescribeGame(
        self, request: engine.DescribeGameRequest, context: Any
    ) -> engine.DescribeGameResponse:
        return self._description

    @override
    async def CommitMatch(
        self, request: engine.CommitMatchRequest, context: Any
    ) -> engine.CommitMatchResponse:
        match = checks.match_name(request.match)
        options = self._options(request.options)
        return engine.CommitMatchResponse(
            commitment=commitment(self.queries.matches.secret(match)),
            options=wire.option_choices(options),
            seats=self.rules.seats(options),
            teams=wire.teams(self.rules, options),
        )

    @override
    async def CreateMatch(
        self, request: engine.CreateMatchRequest, context: Any
    ) -> engine.CreateMatchResponse:
        match = checks.match_name(request.match)
        created = await self.commands.create(match, self._setup(match, request))
        return engine.CreateMatchResponse(
            commitment=created.commitment,
            edition=created.edition,
            revision=created.revision,
        )

    @override
    async def GetSeatView(
        self, request: engine.GetSeatViewRequest, context: Any
    ) -> engine.GetSeatViewResponse:
        match = checks.match_name(request.match)
        viewer = checks.viewer_name(request.viewer)
        revision = request.revision if request.HasField("revision") else None
        board, state, seat = await self.queries.view(
            match, viewer, with_charts=request.with_charts, revision=revision
        )
        response = engine.GetSeatViewResponse()
        response.view.Pack(board)
        question = wire.question if revision is not None else wire.question_for_person
        asked = question(state, seat)
        if asked is not None:
            response.question.CopyFrom(asked)
        if revision is None:
            now = state.now(self.now())
            response.standing.CopyFrom(wire.standing(state, now))
            response.can_undo = state.can_undo(seat, now)
        else:
            response.standing.CopyFrom(wire.past_standing(state))
        return response

    @override
    async def Act(self, request: engine.ActRequest, context: Any) -> engine.ActResponse:
        act = Act.of(
            self.rules,
            match=checks.match_name(request.match),
            seat=checks.seat_name(request.seat),
            number=checks.number(request.question, "question", 1),
            said=checks.action_text(request.action),
            request=checks.request_id(request.request_id),
            head=checks.head(request.head),
            by=checks.decider(request.by),
        )
        state, emitted, at = await self.commands.do(act)
        seat = state.table.seats.index(act.asker)
        return engine.ActResponse(
            events=wire.events(state, emitted, seat),
            question=wire.question(state, seat),
            standing=wire.standing(state, at),
            can_undo=state.can_undo(seat, at),
        )

    @override
    async def Watch(
        self, request: engine.WatchRequest, context: Any
    ) -> AsyncIterator[engine.WatchResponse]:
        steps = with_heartbeats(self._steps(request), request.beat_ms, engine.WatchResponse())
        async with aclosing(steps):
            async for step in steps:
                yield step

    async def _steps(
        self, request: engine.WatchRequest
    ) -> AsyncGenerator[engine.WatchResponse, None]:
        match = checks.match_name(request.match)
        viewer = checks.viewer_name(request.viewer)
        after = checks.number(request.after_revision, "after_revision", 0)
        wanted, head = checks.wanted(request.wanted, viewer), checks.head(request.head)
        if wanted:
            untold_only = wanted == engine.WANTED_QUESTIONS_UNTOLD
            watched = self.hub.questions(match, viewer, head, untold_only=untold_only)
        else:
            watched = self.hub.watch(match, viewer, after, head)
        async with aclosing(watched) as updates:
            async for state, emitted, seat in updates:
                now = state.now(self.now())
                yield engine.WatchResponse(
                    events=wire.events(state, emitted, seat),
                    question=wire.question_for_person(state, seat),
                    standing=wire.standing(state, now),
                    can_undo=state.can_undo(seat, now),
                )

    @override
    async def Imagine(self, request: engine.ImagineRequest, context: Any) -> engine.ImagineResponse:
        match = checks.match_name(request.match)
        name = checks.seat_name(request.seat)
        number = checks.number(request.question, "question", 1)
        world, seat = await self.queries.imagine(match, name, number)
        return engine.ImagineResponse(
            world=world, game=self.rules.name, edition=self.rules.edition, seat_number=seat
        )

    @override
    async def Resign(self, request: engine.ResignRequest, context: Any) -> engine.ResignResponse:
        match = checks.match_name(request.match)
        name = checks.seat_name(request.seat)
        resign = Resign(match, name, checks.request_id(request.request_id), request.by_host)
        return engine.ResignResponse(standing=await self._standing_after(resign))

    @override
    async def UndoLast(
        self, request: engine.UndoLastRequest, context: Any
    ) -> engine.UndoLastResponse:
        undo = UndoLast(
            match=checks.match_name(request.match),
            asker=checks.seat_name(request.seat),
            id=checks.request_id(request.request_id),
            head=checks.head(request.head),
        )
        state, emitted, at = await self.commands.do(undo)
        seat = state.table.seats.index(undo.asker)
        return engine.UndoLastResponse(
            events=wire.events(state, emitted, seat),
            question=wire.question(state, seat),
            standing=wire.standing(state, at),
            can_undo=state.can_undo(seat, at),
        )

    @override
    async def MakeOffer(
        self, request: engine.MakeOfferRequest, context: Any
    ) -> engine.MakeOfferResponse:
        offer = MakeOffer(
            match=checks.match_name(request.match),
            asker=checks.seat_name(request.seat),
            kind=checks.offer_kind(request.kind),
            id=checks.request_id(request.request_id),
        )
        return engine.MakeOfferResponse(standing=await self._standing_after(offer))

    @override
    async def AnswerOffer(
        self, request: engine.AnswerOfferRequest, context: Any
    ) -> engine.AnswerOfferResponse:
        answer = AnswerOffer(
            match=checks.match_name(request.match),
            asker=checks.seat_name(request.seat),
            number=checks.number(request.offer, "offer", 1),
            accept=request.accept,
            id=checks.request_id(request.request_id),
        )
        return engine.AnswerOfferResponse(standing=await self._standing_after(answer))

    @override
    async def Expire(self, request: engine.ExpireRequest, context: Any) -> engine.ExpireResponse:
        match = checks.match_name(request.match)
        name = checks.seat_name(request.seat)
        number = checks.number(request.question, "question", 1)
        expired, state = await self.commands.expire(match, name, number)
        return engine.ExpireResponse(expired=expired, standing=self._standing_now(state))

    @override
    async def ReplaceBot(
        self, request: engine.ReplaceBotRequest, context: Any
    ) -> engine.ReplaceBotResponse:
        match = checks.match_name(request.match)
        name = checks.seat_name(request.seat)
        number = checks.number(request.question, "question", 1)
        try:
            state = await self.commands.replace_bot(match, name, number, request.bot_level)
        except Denied as denied:
            if denied.reason != "MATCH_FROZEN":
                raise
            return engine.ReplaceBotResponse(frozen=True)
        return engine.ReplaceBotResponse(bot_level=state.levels[state.table.seats.index(name)])

    @override
    async def HandOverSeat(
        self, request: engine.HandOverSeatRequest, context: Any
    ) -> engine.HandOverSeatResponse:
        match = checks.match_name(request.match)
        name = checks.seat_name(request.seat)
        level = checks.level(request.bot_level, "bot_level", self.levels)
        state = await self.commands.change_hands(match, name, partial(handed_over, level))
        return engine.HandOverSeatResponse(standing=self._standing_now(state))

    @override
    async def TakeBackSeat(
        self, request: engine.TakeBackSeatRequest, context: Any
    ) -> engine.TakeBackSeatResponse:
        match = checks.match_name(request.match)
        name = checks.seat_name(request.seat)
        state = await self.commands.change_hands(match, name, taken_back)
        return engine.TakeBackSeatResponse(
            question=wire.question_for_person(state, state.table.seats.index(name)),
            standing=self._standing_now(state),
        )

    @override
    async def Abort(self, request: engine.AbortRequest, context: Any) -> engine.AbortResponse:
        match = checks.match_name(request.match)
        abort = Abort(match, checks.request_id(request.request_id))
        return engine.AbortResponse(standing=await self._standing_after(abort))

    @override
    async def GetRecord(
        self, request: engine.GetRecordRequest, context: Any
    ) -> engine.GetRecordResponse:
        match = checks.match_name(request.match)
        viewer = checks.viewer_name(request.viewer)
        found = await self.queries.record(match, viewer)
        if isinstance(found, Over):
            kept = None
            if request.with_kept:
                packing = partial(wire.kept, found.stored, found.text)
                kept = await self.queries.rules_thread.run(packing)
            standing = self._standing_of(found)
            return engine.GetRecordResponse(text=found.text, standing=standing, kept=kept)
        return engine.GetRecordResponse(
            seen=[wire.seen(self.rules, entry) for entry in found.seen],
            standing=wire.standing(found.state, found.state.now(self.now())),
        )

    @override
    async def ClaimDue(
        self, request: engine.ClaimDueRequest, context: Any
    ) -> engine.ClaimDueResponse:
        limit = checks.number(request.limit, "limit", 1, 500)
        lease = checks.number(request.lease_ms, "lease_ms", 1000, LONGEST_LEASE_MS)
        overdue = checks.number(request.overdue_ms, "overdue_ms", 0)
        now = self.now()
        claimed = await self.queries.claim(now - overdue, now + lease, limit)
        return engine.ClaimDueResponse(due=[wire.due(due) for due in claimed])

    @override
    async def SettleMatch(
        self, request: engine.SettleMatchRequest, context: Any
    ) -> engine.SettleMatchResponse:
        await self.ends.settle(checks.match_name(request.match))
        return engine.SettleMatchResponse()

    @override
    async def ForgetMatch(
        self, request: engine.ForgetMatchRequest, context: Any
    ) -> engine.ForgetMatchResponse:
        match = checks.match_name(request.match)
        revision = checks.number(request.revision, "revision", 0)
        head, only_look = checks.head(request.head), request.only_look
        await self.ends.forget(match, head, revision, only_look=only_look)
        return engine.ForgetMatchResponse()

    @override
    async def HoldMatch(
        self, request: engine.HoldMatchRequest, context: Any
    ) -> engine.HoldMatchResponse:
        match = checks.match_name(request.match)
        state = await self.commands.hold(match, hold=request.hold)
        return engine.HoldMatchResponse(standing=self._standing_now(state))

    @override
    async def InspectMatch(
        self, request: engine.InspectMatchRequest, context: Any
    ) -> engine.InspectMatchResponse:
        stored = await self.queries.matches.read(checks.match_name(request.match))
        return wire.inspected(stored)

    @override
    async def ReplayMatch(
        self, request: engine.ReplayMatchRequest, context: Any
    ) -> engine.ReplayMatchResponse:
        found = await replayed(self.queries.matches, checks.match_name(request.match))
        return engine.ReplayMatchResponse(rules_edition=self.rules.edition, **found._asdict())

    @override
    async def CountDue(
        self, request: engine.CountDueRequest, context: Any
    ) -> engine.CountDueResponse:
        now = self.now()
        return wire.counted(await self.queries.census(now, MAY_BE_OLD_MS), now)

    # What several of them need.

    def _options(self, said: Any) -> Options:
        chosen = checks.options(said)
        try:
            return self.rules.agree(chosen)
        except Invalid as error:
            raise refusals.of_options(error, self.rules, chosen) from error

    def _commitment(self, match: str, promise: str) -> str:
        """The commitment that a match begins with: the one that was told, if any was."""
        if not promise:
            return commitment(self.queries.matches.secret(match))
        if self.queries.matches.promised(match, promise) is None:
            raise refusals.invalid("commitment", "is not what was told of this match")
        return promise

    def _setup(self, match: str, request: engine.CreateMatchRequest) -> Setup:
        options = self._options(request.options)
        seats = self.rules.seats(options)
        has_clock = request.HasField("clock")
        return Setup(
            edition=self.rules.edition,
            options=options,
            players=checks.players(request.players, match, seats, self.levels),
            clock=checks.clock(request.clock, self.levels) if has_clock else None,
            commitment=self._commitment(match, request.commitment),
            created=self.now(),
            payer=checks.payer(request.payer),
        )

    async def _standing_after(self, request: Request) -> engine.Standing:
        state, _, at = await self.commands.do(request)
        return wire.standing(state, at)

    def _standing_now(self, state: MatchState) -> engine.Standing:
        return wire.standing(state, state.now(self.now()))

    def _standing_of(self, over: Over) -> engine.Standing:
        if over.state is not None:
            return wire.standing(over.state, over.state.at)
        record = over.record
        return engine.Standing(
            revision=len(record.entries),
            outcome=wire.outcome(record.seats, record.scores),
            head=record.claimed_head,
        )
