"""A gateway for the tests of clients: one game, kept in memory, and every fault on demand."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import grpc
from typing_extensions import override

from bree.engine.v1.engine_pb2 import DescribeGameResponse
from bree.engine.v1.types_pb2 import Event
from bree.gateway.v1 import gateway_pb2 as pb
from bree.gateway.v1 import gateway_pb2_grpc as rpc
from bree.gateway.v1 import programs_pb2, programs_pb2_grpc
from tests.clients.taking import CHOICES, LEVELS, SEATS, Match, Refusal, World, illegal


def called(answer):
    """A method of the gateway: noted, refused or lost as the world wants."""
    method = answer.__name__

    def handler(self, request, context):
        world = self.world
        with world.lock:
            world.calls.append((method, request))
            try:
                waiting = world.refuse.get(method)
                if waiting:
                    world.on_refusal.get(method, lambda: None)()
                    raise waiting.pop(0)
                response = answer(self, request, context)
            except Refusal as refusal:
                context.abort_with_status(refusal.status())
            world.lock.notify_all()
            lost = world.lose[method] > 0
            world.lose[method] -= lost
        if method == "Act":
            world.on_answer.pop(world.taken, lambda: None)()
        if lost:
            context.abort(grpc.StatusCode.UNAVAILABLE, "Socket closed")
        return response

    return handler


class Servicer(
    rpc.AccountServiceServicer, rpc.CatalogServiceServicer, rpc.MatchServiceServicer,
    rpc.BotServiceServicer, rpc.RatingServiceServicer, rpc.NoteServiceServicer,
    programs_pb2_grpc.ProgramServiceServicer,
):  # fmt: skip
    """The calls of one server; what they change is in the world."""

    def __init__(self, world: World):
        self.world = world
        self.stopping = threading.Event()

    @called
    @override
    def CreateAccount(self, request, context):
        number = len(self.world.accounts) + 1
        name = request.name or f"guest-{number}"
        self.world.accounts[f"token-{number}"] = name
        return pb.CreateAccountResponse(
            account=pb.Account(id=str(number), name=name, guest=not request.name),
            token=f"token-{number}",
        )

    @called
    @override
    def GetAccount(self, request, context):
        return pb.GetAccountResponse(account=pb.Account(name=self.world.account(context)))

    @called
    @override
    def DeclareBot(self, request, context):
        name = self.world.account(context)
        self.world.programs.add(name)
        return programs_pb2.DeclareBotResponse(account=pb.Account(name=name, bot=True))

    @called
    @override
    def RotateToken(self, request, context):
        name = self.world.account(context)
        self.world.accounts = {t: n for t, n in self.world.accounts.items() if n != name}
        token = f"fresh-{len(self.world.calls)}"
        self.world.accounts[token] = name
        return pb.RotateTokenResponse(token=token)

    @called
    @override
    def RevokeToken(self, request, context):
        name = self.world.account(context)
        self.world.accounts = {t: n for t, n in self.world.accounts.items() if n != name}
        return pb.RevokeTokenResponse()

    @called
    @override
    def ListGames(self, request, context):
        game = DescribeGameResponse(game="taking", seats=SEATS, bot_levels=LEVELS)
        return pb.ListGamesResponse(games=[game])

    @called
    @override
    def CreateMatch(self, request, context):
        creator = self.world.account(context)
        key = (creator, request.request_id)
        if request.game != "taking":
            message = f"there is no game {request.game!r}"
            raise Refusal(grpc.StatusCode.NOT_FOUND, "UNKNOWN_GAME", message, game=request.game)
        if not request.request_id or key not in self.world.created:
            options = {option.name: option.value for option in request.options}
            match = Match(f"t-{len(self.world.matches) + 1}", options, creator)
            self.world.matches[match.id] = self.world.created[key] = match
        return pb.CreateMatchResponse(match=self.world.created[key].shown())

    @called
    @override
    def ListMatches(self, request, context):
        first = int(request.page_token or 0)
        matches = [match.shown() for match in reversed(self.world.matches.values())]
        more = str(first + 2) if first + 2 < len(matches) else ""
        return pb.ListMatchesResponse(matches=matches[first : first + 2], next_page_token=more)

    @called
    @override
    def GetMatch(self, request, context):
        self.world.account(context)
        return pb.GetMatchResponse(match=self.world.match(request.match).shown())

    @called
    @override
    def JoinMatch(self, request, context):
        who = self.world.account(context)
        match = self.world.match(request.match)
        seat = request.seat or next((s for s in SEATS if not self._taken(match, s)), "")
        if match.seats.get(seat) != who:
            self._sit(match, seat)
            match.seats[seat] = who
            if match.options.get("start") == "full":
                self._start(match)
        return pb.JoinMatchResponse(match=match.shown(), seat=seat)

    @called
    @override
    def LeaveMatch(self, request, context):
        who = self.world.account(context)
        match = self.world.match(request.match)
        match.seats = {seat: "" if name == who else name for seat, name in match.seats.items()}
        if who == match.creator:
            match.state = pb.MATCH_STATE_CLOSED
        return pb.LeaveMatchResponse(match=match.shown())

    @called
    @override
    def AddBot(self, request, context):
        match = self.world.match(request.match)
        if request.level not in LEVELS:
            message = f"taking has no bot level {request.level!r}"
            raise Refusal(grpc.StatusCode.INVALID_ARGUMENT, "INVALID_REQUEST", message)
        seat = request.seat or next((s for s in SEATS if not self._taken(match, s)), "")
        self._sit(match, seat)
        match.bots[seat] = request.level
        return pb.AddBotResponse(match=match.shown(), seat=seat)

    @called
    @override
    def RemoveBot(self, request, context):
        match = self.world.match(request.match)
        match.bots[request.seat] = ""
        return pb.RemoveBotResponse(match=match.shown())

    @called
    @override
    def HandOverSeat(self, request, context):
        match = self.world.match(request.match)
        match.lend(request.seat, request.level)
        return pb.HandOverSeatResponse(standing=match.standing())

    @called
    @override
    def TakeBackSeat(self, request, context):
        match = self.world.match(request.match)
        match.lend(request.seat, "")
        question = match.question(request.seat)
        return pb.TakeBackSeatResponse(question=question, standing=match.standing())

    @called
    @override
    def SayNote(self, request, context):
        notes = self.world.match(request.match).notes
        note = pb.Note(
            match=request.match, channel=request.channel, number=len(notes) + 1,
            seat=request.seat, account=self.world.account(context), text=request.text,
        )  # fmt: skip
        notes.append(note)
        return pb.SayNoteResponse(note=note)

    @called
    @override
    def ListNotes(self, request, context):
        notes = self.world.match(request.match).notes[::-1]
        first = int(request.page_token or 0)
        more = str(first + 2) if first + 2 < len(notes) else ""
        return pb.ListNotesResponse(notes=notes[first : first + 2], next_page_token=more)

    @called
    @override
    def StartMatch(self, request, context):
        match = self.world.match(request.match)
        for seat in SEATS:
            if not self._taken(match, seat):
                raise illegal("SEATS_NOT_FILLED", f"nobody sits at {seat}", seat=seat)
        self._start(match)
        return pb.StartMatchResponse(match=match.shown())

    @called
    @override
    def GetView(self, request, context):
        match = self.world.match(request.match)
        if request.HasField("revision"):
            return pb.GetViewResponse(standing={"revision": request.revision})
        return pb.GetViewResponse(question=match.question(request.seat), standing=match.standing())

    @called
    @override
    def Act(self, request, context):
        match = self.world.match(request.match)
        if match.seats.get(request.seat) != self.world.account(context):
            message = f"you do not sit at {request.seat}"
            raise Refusal(grpc.StatusCode.PERMISSION_DENIED, "WRONG_SEAT", message)
        if request.request_id in match.answers:
            before, response = match.answers[request.request_id]
            if before != request:
                message = "this request id was used for another action"
                raise Refusal(grpc.StatusCode.ALREADY_EXISTS, "REQUEST_ID_REUSED", message)
            return response
        match.check_head(request.head)
        return self._act(match, request)

    def _act(self, match, request):
        if match.state == pb.MATCH_STATE_OVER:
            raise illegal("MATCH_OVER", "the game is over", match=match.id)
        question = match.question(request.seat)
        if question is None:
            raise illegal("NOT_ASKED", f"{request.seat} is not asked anything")
        if question.number != request.question:
            message = f"question {request.question} has been answered"
            raise Refusal(grpc.StatusCode.ABORTED, "STALE_QUESTION", message)
        if request.action not in CHOICES:
            raise illegal("ILLEGAL_ACTION", f"{request.seat} may not do this")
        match.take(request.seat, request.action)
        self.world.taken += 1
        response = pb.ActResponse(
            question=match.question(request.seat), standing=match.standing()
        )  # fmt: skip
        match.answers[request.request_id] = request, response
        return response

    @called
    @override
    def ResignMatch(self, request, context):
        match = self.world.match(request.match)
        match.state = pb.MATCH_STATE_OVER
        return pb.ResignMatchResponse(standing=match.standing())

    @called
    @override
    def UndoLast(self, request, context):
        match = self.world.match(request.match)
        match.check_head(request.head)
        return pb.UndoLastResponse(question=match.question(request.seat), can_undo=True)

    @called
    @override
    def MakeOffer(self, request, context):
        offer = {"number": 7, "kind": request.kind, "seat": request.seat, "awaited": ["right"]}
        return pb.MakeOfferResponse(standing={"offers": [offer]})

    @called
    @override
    def AnswerOffer(self, request, context):
        if request.offer != 7:
            raise illegal("NOT_ALLOWED", "this offer does not stand")
        return pb.AnswerOfferResponse(standing={"revision": 7 + request.accept})

    @called
    @override
    def GetMatchRecord(self, request, context):
        match = self.world.match(request.match)
        return pb.GetMatchRecordResponse(text=str(match.log), standing=match.standing())

    @called
    @override
    def GetRating(self, request, context):
        name = request.account or self.world.account(context)
        return pb.GetRatingResponse(rating=pb.Rating(account=name, game=request.game, mu=25))

    @called
    @override
    def ListLeaders(self, request, context):
        first = int(request.page_token or 0)
        names = [pb.Rating(account=name) for name in ("ann", "bob", "cy")]
        more = str(first + 2) if first + 2 < len(names) else ""
        return pb.ListLeadersResponse(leaders=names[first : first + 2], next_page_token=more)

    @override
    def WatchMatch(self, request, context):
        match = self.world.match(request.match)
        self.world.calls.append(("WatchMatch", request))
        told, head = request.after_revision, request.head
        if request.beat_ms:
            yield pb.WatchMatchResponse()
        for sent in itertools.count(1):
            self._check_head(match, head, context)
            standing, question = match.standing(), match.question(request.seat)
            news = match.log[told : standing.revision]
            events = [Event(kind="taken", sentence=f"{seat} {text}") for seat, text in news]
            yield pb.WatchMatchResponse(events=events, question=question, standing=standing)
            told, head = standing.revision, standing.head
            if standing.HasField("outcome") or sent == self.world.end_streams_after:
                return
            quiet = time.monotonic()
            while match.heads()[-1] == head and match.state != pb.MATCH_STATE_OVER:
                if not self._rest(context):
                    return
                if request.beat_ms and time.monotonic() > quiet + request.beat_ms / 1000:
                    quiet = time.monotonic()
                    yield pb.WatchMatchResponse()

    def _check_head(self, match, head, context):
        try:
            match.check_head(head)
        except Refusal as refusal:
            context.abort_with_status(refusal.status())

    @override
    def ListenQuestions(self, request, context):
        try:
            self.world.calls.append(("ListenQuestions", request))
            who = self.world.account(context)
        except Refusal as refusal:
            context.abort_with_status(refusal.status())
        told: dict[tuple[str, str], tuple[int, int]] = {}
        over: set[str] = set()  # as a gateway that does not know what was brought
        sent, quiet = 0, 0.0
        while self._rest(context):
            if request.beat_ms and time.monotonic() > quiet + request.beat_ms / 1000:
                quiet = time.monotonic()
                yield pb.ListenQuestionsResponse()
            for news in self._news(who, told, over):
                for _ in range(self.world.repeat_news):
                    yield news
                sent += 1
                if sent == self.world.end_streams_after:
                    return

    def _news(self, who, told, over) -> Iterator[pb.ListenQuestionsResponse]:
        """The questions of an account that `told` does not have, and matches ended but `over`."""
        for match in list(self.world.matches.values()):
            for seat in SEATS:
                question = match.question(seat)
                asked = (question.number, match.losses) if question else None
                place = {"match": match.id, "game": "taking", "seat": seat}
                place["head"] = match.heads()[-1]
                if match.seats[seat] != who:
                    continue
                if asked and told.get((match.id, seat)) != asked:
                    told[match.id, seat] = asked
                    yield pb.ListenQuestionsResponse(question=question, **place)
                elif match.state == pb.MATCH_STATE_OVER and match.id not in over | self._hushed():
                    over.add(match.id)
                    yield pb.ListenQuestionsResponse(outcome=match.outcome(), **place)

    def _hushed(self):
        return set() if self.world.tells_ends else set(self.world.matches)

    def _start(self, match):
        if match.state == pb.MATCH_STATE_OPEN:
            match.state = pb.MATCH_STATE_RUNNING
            if match.bots[match.asked()]:
                match.take(match.asked(), CHOICES[0])

    def _rest(self, context):
        """Wait for something to happen; whether the stream goes on."""
        with self.world.lock:
            self.world.lock.wait(0.02)
        return context.is_active() and not self.stopping.is_set()

    def _taken(self, match, seat):
        return match.seats[seat] or match.bots[seat]

    def _sit(self, match, seat):
        if not seat or self._taken(match, seat):
            raise illegal("SEATS_NOT_FILLED", f"somebody sits at {seat or 'every seat'}", seat=seat)


class FakeGateway:
    """A server that can be stopped and started again, on the same port and the same world."""

    def __init__(self, credentials=None):
        self.world = World()
        self.credentials = credentials
        self.port = 0
        self.server = self.servicer = None
        self.start()

    @property
    def address(self):
        return f"localhost:{self.port}"

    def start(self):
        self.servicer = Servicer(self.world)
        self.server = grpc.server(ThreadPoolExecutor(16), options=[("grpc.so_reuseport", 0)])
        for add in (
            rpc.add_AccountServiceServicer_to_server, rpc.add_CatalogServiceServicer_to_server,
            rpc.add_MatchServiceServicer_to_server, rpc.add_BotServiceServicer_to_server,
            rpc.add_RatingServiceServicer_to_server, rpc.add_NoteServiceServicer_to_server,
            programs_pb2_grpc.add_ProgramServiceServicer_to_server,
        ):  # fmt: skip
            add(self.servicer, self.server)
        address = f"127.0.0.1:{self.port}"
        if self.credentials:
            self.port = self.server.add_secure_port(address, self.credentials)
        else:
            self.port = self.server.add_insecure_port(address)
        self.server.start()

    def stop(self):
        self.servicer.stopping.set()
        self.server.stop(None).wait()

    def restart(self, away):
        """Stop without a word to anybody, and come back after a while."""
        self.stop()
        self.world.tells_ends = True
        time.sleep(away)
        self.start()

    def restart_soon(self, away=0.5):
        """Restart, from within a call."""
        threading.Thread(target=self.restart, args=(away,)).start()
