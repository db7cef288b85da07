"""An engine with a game of its own: seats count in turn, and the last one to count has won.

The world is what replicas share, as engines share a store. Each replica can be told to refuse, to
lose its connection before or after it has done something, and to be slow.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter, defaultdict, deque
from contextlib import aclosing

from google.protobuf.wrappers_pb2 import StringValue
from typing_extensions import override

from bree.engine.v1 import engine_pb2 as engine
from bree.engine.v1 import engine_pb2_grpc
from bree.engine.v1 import types_pb2 as types
from bree.process.heartbeats import with_heartbeats
from bree.process.server import Server, platform_only
from bree.process.settings import ProcessSettings
from bree.process.statuses import Denied

SERVICE = "bree.engine.v1.EngineService"
PLATFORM_TOKEN = "the platform's own token"
LEVELS = ("novice", "master")
COLOURS = ("red", "blue", "green", "white")
TEAMS = (
    types.Team(name="warm", seats=["red", "green"]),
    types.Team(name="cold", seats=["blue", "white"]),
)
"""Of four seats; fewer play each for itself."""

OPTIONS = (
    types.OptionSpec(name="seats", values=["2", "3"]),
    types.OptionSpec(name="length", span=types.WholeNumbers(first=1, last=99)),
)


class FakeMatch:
    """One match: what it began with, and what was said."""

    def __init__(self, request, seats, length):
        self.request, self.seats, self.length = request, seats, length
        self.entries = []  # (seat, text, request id, question)
        self.resigned = ""
        self.aborted = False
        self.undone = []  # the ids of requests that took something back
        self.offers = []  # (number, kind, seat, request id)
        self.held, self.holds = False, 0
        self.frozen = ""
        self.stand_ins = {}  # by seat, [level of the bot that plays it, how often that changed]
        self.moved = asyncio.Event()
        self._heads = ["0" * 64]

    def heads(self):
        """The heads of its history, from the first."""
        for entry in self.entries[len(self._heads) - 1 :]:
            said = f"{self._heads[-1]} {entry}"
            self._heads.append(hashlib.sha256(said.encode()).hexdigest())
        return self._heads

    def lose(self, kept, *others):
        """All moves after a number of them are lost, and others are made instead."""
        del self.entries[kept:], self._heads[kept + 1 :]
        self.entries += others

    def check_head(self, head):
        if head and head not in self.heads():
            said = {"match": self.request.match, "revision": self.revision}
            raise Denied("HISTORY_CHANGED", "it is another one now", **said)

    @property
    def revision(self):
        extra = 2 * len(self.undone) + len(self.offers)
        return len(self.entries) + bool(self.resigned) + self.aborted + extra

    @property
    def is_over(self):
        return self.aborted or bool(self.resigned) or len(self.entries) >= self.length

    @property
    def waiting(self):
        return "" if self.is_over else self.seats[len(self.entries) % len(self.seats)]

    def number(self, seat):
        """The number of the last question put to a seat."""
        answered = sum(who == seat for who, *_ in self.entries)
        return 10 * (answered + (self.waiting == seat))

    def question(self, seat):
        if not seat or seat != self.waiting:
            return None
        choices = [
            types.Choice(action=types.Action(text=f"count {n}", verb="count", nouns=[str(n)]))
            for n in (1, 2)
        ]
        return types.Question(number=self.number(seat), prompt="turn.count", choices=choices)

    def relieved(self, seat):
        """Whether a bot stands in at a seat."""
        return bool(self.stand_ins.get(seat, [""])[0])

    def told(self, seat):
        """The question, for the person at a seat."""
        return None if self.relieved(seat) else self.question(seat)

    def lend(self, seat, level):
        """Let another play a seat."""
        before, changes = self.stand_ins.get(seat, ["", 0])
        if before != level:
            self.stand_ins[seat] = [level, changes + 1]
            self.move()

    def standing(self):
        said = engine.Standing(
            revision=self.revision,
            waiting=[self.waiting] if self.waiting else [],
            head=self.heads()[-1],
        )
        for number, kind, seat, _ in self.offers:
            awaited = [other for other in self.seats if other != seat]
            said.offers.add(number=number, kind=kind, seat=seat, awaited=awaited)
        for seat, (level, changes) in self.stand_ins.items():
            said.stand_ins.add(seat=seat, bot_level=level, changes=changes)
        if self.holds:
            said.hold.CopyFrom(engine.Hold(held=self.held, changes=self.holds))
        if self.is_over:
            said.outcome.CopyFrom(self.outcome())
        return said

    def outcome(self):
        if self.aborted:
            return types.Outcome(ending=types.ENDING_ABORTED)
        best = "" if self.resigned else self.entries[-1][0]
        scores = [
            types.SeatScore(seat=seat, score=int(seat == best) - int(seat == self.resigned))
            for seat in self.seats
        ]
        return types.Outcome(ending=types.ENDING_FINISHED, scores=scores)

    def events(self, viewer, after, to=None):
        """What a viewer saw between two revisions; what a seat counted is its own affair."""
        told = []
        for revision, (who, text, *_) in enumerate(self.entries, 1):
            if after < revision <= (self.revision if to is None else to):
                event = types.Event(kind="counted", sentence=f"{revision} {who}")
                event.facts["revision"] = revision
                if viewer == who:
                    event.facts["text"] = text
                told.append(event)
        return told

    def is_wanted(self, request, seat, told):
        """Whether a step is to be told to somebody who knows the question with this number."""
        if not request.wanted:
            return True
        if self.relieved(seat):
            return False
        is_own = request.wanted == engine.WANTED_QUESTIONS_UNTOLD and self.entries[-1][0] == seat
        question = self.question(seat)
        return question is not None and question.number > told and not is_own

    def can_undo(self, seat):
        return bool(seat and self.entries and self.entries[-1][0] == seat and not self.is_over)

    def move(self):
        self.moved.set()
        self.moved = asyncio.Event()


class World:
    """All matches of a game."""

    def __init__(self, game="hopscotch"):
        self.game = game
        self.matches = {}
        self.creations = Counter()
        self.view = lambda seat, revision: StringValue(value=f"{seat or 'spectator'} at {revision}")

    def match(self, name):
        if name not in self.matches:
            raise Denied("UNKNOWN_MATCH", f"there is no match {name!r}", match=name)
        return self.matches[name]

    def seats(self, options):
        return COLOURS[: int(options["seats"])]

    def options(self, chosen):
        values = {"seats": "2", "length": "6"}
        for option in chosen:
            said = {"game": self.game, "option": option.name}
            if option.name not in values:
                raise Denied("UNKNOWN_OPTION", f"no option {option.name!r}", **said)
            if not option.value.isdecimal():
                said |= {"value": option.value, "allowed": "1 to 99"}
                raise Denied("OPTION_NOT_ALLOWED", f"{option.name} is a number", **said)
            values[option.name] = option.value
        return values


def spelt(options):
    return [types.OptionChoice(name=name, value=value) for name, value in options.items()]


class FakeEngine(engine_pb2_grpc.EngineServiceServicer):
    """One replica."""

    def __init__(self, world):
        self.world = world
        self.calls = Counter()
        self.watches = Counter()  # streams open now, by match and viewer
        self.watched = Counter()  # streams ever opened
        self.before = defaultdict(deque)  # by method: what to raise or await before it is done
        self.after = defaultdict(deque)  # and after
        self.deadlines = {}
        self.server = None

    async def start(self, port=0, **given):
        settings = ProcessSettings(
            platform_token=PLATFORM_TOKEN, listen=f"127.0.0.1:{port}", drain_seconds=0, **given
        )
        self.server = Server(settings, platform_only(PLATFORM_TOKEN))
        engine_pb2_grpc.add_EngineServiceServicer_to_server(self, self.server.services)
        self.server.offer_multiplexing()
        await self.server.start([SERVICE])
        assert self.server.port, f"port {port} is in use"
        return self

    @property
    def port(self):
        return self.server.port

    @property
    def address(self):
        return f"127.0.0.1:{self.port}"

    async def stop(self):
        await self.server.stop()

    async def _note(self, method, context):
        self.calls[method] += 1
        self.deadlines[method] = context.time_remaining()
        await self._suffer(self.before[method])

    async def _suffer(self, troubles):
        if troubles:
            trouble = troubles.popleft()
            if isinstance(trouble, Denied):
                raise trouble
            await trouble

    @override
    async def DescribeGame(self, request, context):
        await self._note("DescribeGame", context)
        return engine.DescribeGameResponse(
            game=self.world.game,
            title="Hopscotch",
            edition=1,
            seats=COLOURS[:2],
            bot_levels=LEVELS,
            options=OPTIONS,
        )

    @override
    async def CommitMatch(self, request, context):
        await self._note("CommitMatch", context)
        options = self.world.options(request.options)
        commitment = hashlib.sha256(request.match.encode()).hexdigest()
        return engine.CommitMatchResponse(
            commitment=commitment,
            options=spelt(options),
            seats=self.world.seats(options),
            teams=TEAMS if options["seats"] == "4" else (),
        )

    @override
    async def CreateMatch(self, request, context):
        await self._note("CreateMatch", context)
        options = self.world.options(request.options)
        kept = self.world.matches.get(request.match)
        if kept and kept.request != request:
            said = {"match": request.match, "request_id": request.match}
            raise Denied("REQUEST_ID_REUSED", "it began otherwise", **said)
        if not kept:
            seats = self.world.seats(options)
            assert [player.seat for player in request.players] == list(seats)
            assert all(1 <= len(player.nonce) <= 64 for player in request.players)
            match = FakeMatch(request, seats, int(options["length"]))
            self.world.matches[request.match] = match
            self.world.creations[request.match] += 1
        await self._suffer(self.after["CreateMatch"])
        return engine.CreateMatchResponse(commitment="c", edition=1, revision=0)

    @override
    async def GetSeatView(self, request, context):
        await self._note("GetSeatView", context)
        match = self.world.match(request.match)
        seat = self._seat(match, request.viewer.seat)
        if match.frozen:
            raise Denied("MATCH_FROZEN", match.frozen, match=request.match, revision=2)
        revision = match.revision
        if request.HasField("revision"):
            if not 0 <= request.revision <= revision:
                said = {"match": request.match, "revision": request.revision, "latest": revision}
                raise Denied("UNKNOWN_REVISION", "not yet", **said)
            revision = request.revision
            answer = engine.GetSeatViewResponse(standing=engine.Standing(revision=revision))
        else:
            answer = engine.GetSeatViewResponse(
                question=match.told(seat),
                standing=match.standing(),
                can_undo=match.can_undo(seat),
            )
        answer.view.Pack(self.world.view(seat, revision))
        return answer

    def _seat(self, match, seat):
        if seat and seat not in match.seats:
            said = {"match": match.request.match, "seat": seat, "seats": " ".join(match.seats)}
            raise Denied("UNKNOWN_SEAT", "there is no such seat", **said)
        return seat

    @override
    async def Act(self, request, context):
        await self._note("Act", context)
        match = self.world.match(request.match)
        seat = self._seat(match, request.seat)
        match.check_head(request.head)
        at = self._done_before(match, request)
        if at is None:
            self._check(match, request)
            match.entries.append((seat, request.action, request.request_id, request.question))
            at = match.revision
            match.move()
        await self._suffer(self.after["Act"])
        return engine.ActResponse(
            events=match.events(seat, at - 1, at),
            question=match.question(seat),
            standing=match.standing(),
            can_undo=match.can_undo(seat),
        )

    def _done_before(self, match, request):
        for revision, (seat, text, request_id, question) in enumerate(match.entries, 1):
            if (seat, request_id) == (request.seat, request.request_id):
                if (text, question) != (request.action, request.question):
                    said = {"match": request.match, "request_id": request_id}
                    raise Denied("REQUEST_ID_REUSED", "used for another action", **said)
                return revision
        return None

    def _check(self, match, request):
        said = {"match": request.match, "seat": request.seat}
        if match.held:
            raise Denied("NOT_ALLOWED", "it is held", match=request.match, needs="its release")
        if match.is_over:
            raise Denied(
                "MATCH_OVER",
                "over",
                match=request.match,
                ending=types.Ending.Name(types.ENDING_FINISHED),
            )
        if request.by == engine.DECIDER_PERSON and match.relieved(request.seat):
            raise Denied("NOT_ASKED", "a hosted bot stands in", **said)
        latest = match.number(request.seat)
        numbers = said | {"question": request.question, "latest": latest}
        if request.question > latest:
            raise Denied("UNKNOWN_QUESTION", "there is no such question yet", **numbers)
        if request.question < latest or match.waiting != request.seat:
            raise Denied("STALE_QUESTION", "it has been answered", **numbers)
        if not request.action.startswith("count "):
            raise Denied("INVALID_ACTION", "what?", game=self.world.game, said=request.action)
        if request.action not in ("count 1", "count 2"):
            legal = said | {"question": request.question, "said": request.action}
            raise Denied("ILLEGAL_ACTION", "you may not", **legal)

    @override
    async def Watch(self, request, context):
        steps = self._steps(request, context)
        async with aclosing(
            with_heartbeats(steps, request.beat_ms, engine.WatchResponse())
        ) as told:
            async for step in told:
                yield step

    async def _steps(self, request, context):
        await self._note("Watch", context)
        match = self.world.match(request.match)
        seat = self._seat(match, request.viewer.seat)
        after = request.after_revision
        match.check_head(request.head)
        if after > match.revision:
            said = {"match": request.match, "revision": after, "latest": match.revision}
            raise Denied("UNKNOWN_REVISION", "not yet", **said)
        key = (request.match, seat)
        self.watches[key] += 1
        self.watched[key] += 1
        told, relieved = -1, match.relieved(seat)
        try:
            while True:
                moved, over = match.moved, match.is_over
                said = engine.WatchResponse(
                    events=[] if request.wanted else match.events(seat, after),
                    question=match.told(seat),
                    standing=match.standing(),
                    can_undo=match.can_undo(seat),
                )
                is_wanted = over or told < 0 or match.relieved(seat) != relieved
                is_wanted = is_wanted or match.is_wanted(request, seat, told)
                relieved = match.relieved(seat)
                after, told = match.revision, max(told, said.question.number)
                if is_wanted:
                    yield said
                if over:
                    return
                while match.revision == after:
                    stopping = asyncio.ensure_future(self.server.stopping.wait())
                    moving = asyncio.ensure_future(match.moved.wait())
                    waits = {stopping, moving}
                    try:
                        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
                    finally:
                        for wait in waits:
                            wait.cancel()
                    if self.server.stopping.is_set():
                        raise Denied("UNAVAILABLE", "this engine is stopping", part="engine")
                    if moved is not match.moved:
                        break
        finally:
            self.watches[key] -= 1

    @override
    async def Resign(self, request, context):
        await self._note("Resign", context)
        match = self.world.match(request.match)
        if not match.is_over:
            match.resigned = self._seat(match, request.seat)
            match.move()
        elif match.resigned != request.seat:
            raise Denied("MATCH_OVER", "over", match=request.match, ending="ENDING_FINISHED")
        return engine.ResignResponse(standing=match.standing())

    @override
    async def Abort(self, request, context):
        await self._note("Abort", context)
        match = self.world.match(request.match)
        if match.is_over and not match.aborted:
            raise Denied("MATCH_OVER", "over", match=request.match, ending="ENDING_FINISHED")
        match.aborted = True
        match.move()
        await self._suffer(self.after["Abort"])
        return engine.AbortResponse(standing=match.standing())

    @override
    async def HoldMatch(self, request, context):
        await self._note("HoldMatch", context)
        match = self.world.match(request.match)
        if match.held != request.hold:
            match.held = request.hold
            match.holds += 1
            match.move()
        await self._suffer(self.after["HoldMatch"])
        return engine.HoldMatchResponse(standing=match.standing())

    @override
    async def InspectMatch(self, request, context):
        await self._note("InspectMatch", context)
        match = self.world.match(request.match)
        due = [engine.Due(match=request.match, kind=engine.DUE_KIND_CLOCK, seat=match.waiting)]
        return engine.InspectMatchResponse(
            edition=1, revision=match.revision, due=due, frozen=match.frozen
        )

    @override
    async def ReplayMatch(self, request, context):
        await self._note("ReplayMatch", context)
        match = self.world.match(request.match)
        return engine.ReplayMatchResponse(
            edition=1,
            rules_edition=2,
            revision=match.revision,
            replays=not match.frozen,
            differs_at=2 if match.frozen else 0,
        )

    @override
    async def CountDue(self, request, context):
        await self._note("CountDue", context)
        count = engine.DueCount(kind=engine.DUE_KIND_BOT_TURN, count=3, oldest_ms=70)
        return engine.CountDueResponse(counts=[count])

    @override
    async def HandOverSeat(self, request, context):
        await self._note("HandOverSeat", context)
        match = self.world.match(request.match)
        seat = self._seat(match, request.seat)
        if match.is_over:
            raise Denied("MATCH_OVER", "over", match=request.match, ending="ENDING_FINISHED")
        if match.relieved(seat) and match.stand_ins[seat][0] != request.bot_level:
            said = {"match": request.match, "needs": "the seat taken back"}
            raise Denied("NOT_ALLOWED", "a hosted bot stands in at this seat", **said)
        match.lend(seat, request.bot_level)
        await self._suffer(self.after["HandOverSeat"])
        return engine.HandOverSeatResponse(standing=match.standing())

    @override
    async def TakeBackSeat(self, request, context):
        await self._note("TakeBackSeat", context)
        match = self.world.match(request.match)
        seat = self._seat(match, request.seat)
        if match.is_over:
            raise Denied("MATCH_OVER", "over", match=request.match, ending="ENDING_FINISHED")
        if match.relieved(seat):
            match.lend(seat, "")
        return engine.TakeBackSeatResponse(question=match.told(seat), standing=match.standing())

    @override
    async def UndoLast(self, request, context):
        await self._note("UndoLast", context)
        match = self.world.match(request.match)
        seat = self._seat(match, request.seat)
        match.check_head(request.head)
        if request.request_id not in match.undone:
            if not match.can_undo(seat):
                said = {"match": request.match, "needs": "a decision"}
                raise Denied("NOT_ALLOWED", "too late", **said)
            match.entries.pop()
            del match._heads[len(match.entries) + 1 :]
            match.undone.append(request.request_id)
            match.move()
        await self._suffer(self.after["UndoLast"])
        return engine.UndoLastResponse(question=match.question(seat), standing=match.standing())

    @override
    async def MakeOffer(self, request, context):
        await self._note("MakeOffer", context)
        match = self.world.match(request.match)
        seat = self._seat(match, request.seat)
        if all(offer[3] != request.request_id for offer in match.offers):
            offer = (match.revision + 1, request.kind, seat, request.request_id)
            match.offers.append(offer)
            match.move()
        return engine.MakeOfferResponse(standing=match.standing())

    @override
    async def AnswerOffer(self, request, context):
        await self._note("AnswerOffer", context)
        match = self.world.match(request.match)
        self._seat(match, request.seat)
        if all(number != request.offer for number, *_ in match.offers):
            said = {"match": request.match, "needs": "an offer that stands"}
            raise Denied("NOT_ALLOWED", "there is none", **said)
        match.aborted = request.accept
        match.offers = []
        match.move()
        return engine.AnswerOfferResponse(standing=match.standing())

    @override
    async def GetRecord(self, request, context):
        await self._note("GetRecord", context)
        match = self.world.match(request.match)
        seat = self._seat(match, request.viewer.seat)
        if match.is_over:
            standing, text = match.standing(), "bree record 1\n"
            kept = None
            if request.with_kept:
                kept = engine.Kept(data=b"kept", head=standing.head, revision=standing.revision)
            return engine.GetRecordResponse(text=text, standing=standing, kept=kept)
        seen = [
            engine.SeenEntry(revision=n, who=who, events=match.events(seat, n - 1, n))
            for n, (who, *_) in enumerate(match.entries, 1)
        ]
        return engine.GetRecordResponse(seen=seen, standing=match.standing())

    @override
    async def ForgetMatch(self, request, context):
        await self._note("ForgetMatch", context)
        match = self.world.match(request.match)
        if not match.is_over:
            raise Denied("NOT_ALLOWED", "it is not over", match=request.match)
        standing = match.standing()
        if (standing.head, standing.revision) != (request.head, request.revision):
            raise Denied("HISTORY_CHANGED", "it is another one", match=request.match)
        return engine.ForgetMatchResponse()

    @override
    async def ClaimDue(self, request, context):
        await self._note("ClaimDue", context)
        return engine.ClaimDueResponse()
