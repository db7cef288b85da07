"""A client of the gateway: calls are methods, refusals are exceptions, streams mend themselves.

Design. What is safe to repeat is repeated while the gateway is away, as long as `patience` lasts:
an act keeps its request id however often it is sent. What is not (taking the first free seat, say)
is repeated only if the gateway says that nothing was done. A stream that breaks, or whose gateway
gives no sign of life, is opened again where it stopped, so a caller sees one stream. Several
threads may use one client.

A platform may lose moves that it had acknowledged. Whoever gives the head that came with what he
knows is never mixed up with what came instead: he is refused as `CHANGED`, and begins anew, which
`play` and `listen` do by themselves.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

import grpc

from bree.client import beats
from bree.client.channel import channel
from bree.client.company import Company, plays_for
from bree.client.desk import AtDesk
from bree.client.hearing import Ear
from bree.client.patience import CHANGED, Patience, Refused, Tell
from bree.client.personal import Personal
from bree.client.profiles import Profiles
from bree.client.traces import Parent, fresh
from bree.client.ways import Ways
from bree.engine.v1.engine_pb2 import Clock, DescribeGameResponse, OfferKind, Standing
from bree.engine.v1.types_pb2 import OptionChoice, Outcome, Question
from bree.gateway.v1 import gateway_pb2 as pb
from bree.gateway.v1 import gateway_pb2_grpc as rpc
from bree.gateway.v1 import limits_pb2
from bree.gateway.v1 import profiles_pb2_grpc as profiles_rpc
from bree.gateway.v1.desk_pb2_grpc import DeskServiceStub
from bree.gateway.v1.limits_pb2_grpc import LimitsServiceStub

MOOT = ("STALE_QUESTION", "NOT_ASKED", "MATCH_OVER")
"""Refusals of an answer that came too late: a clock, or somebody else, was faster."""


HELD = "a match that the host does not hold"


def is_held(refused: Refused) -> bool:
    """Whether an answer was refused because the host has stopped the match: it is asked again."""
    return refused.reason == "NOT_ALLOWED" and refused.metadata.get("needs") == HELD


class Client(Company, Ways, Personal, Profiles, AtDesk):
    """An account at a gateway; or nobody, until `register`."""

    def __init__(
        self,
        gateway: str = "127.0.0.1:7000",
        token: str = "",
        *,
        authority: Path | None = None,
        patience: float = 60,
        tell: Tell = lambda _: None,
        parent: Parent = fresh,
    ) -> None:
        """With an authority, a PEM file, the gateway must prove by TLS who it is.

        `tell` hears of each failure that is borne, and hears `None` when it is over; from
        whichever thread called. `parent` gives the traceparent of each call.
        """
        super().__init__(token, patience, tell, parent)
        self._ears: list[Ear] = []
        self.channel = channel(gateway, authority)
        self._accounts = rpc.AccountServiceStub(self.channel)
        self._catalog = rpc.CatalogServiceStub(self.channel)
        self._matches = rpc.MatchServiceStub(self.channel)
        self._bots = rpc.BotServiceStub(self.channel)
        self._notes = rpc.NoteServiceStub(self.channel)
        self._ratings = rpc.RatingServiceStub(self.channel)
        self.open_ways(self.channel)
        self.open_personal(self.channel)
        self._profiles = profiles_rpc.ProfileServiceStub(self.channel)
        self._desk = DeskServiceStub(self.channel)
        self._limits = LimitsServiceStub(self.channel)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End all calls and streams."""
        self.channel.close()

    # Accounts and the catalogue.

    def limits(self) -> list[limits_pb2.Limit]:
        """What callers may do on this platform."""
        return list(self._call(self._limits.GetLimits, limits_pb2.GetLimitsRequest()).limits)

    def register(self, name: str = "") -> pb.Account:
        """Make an account and be it from now on; without a name, a guest."""
        made = self._call(
            self._accounts.CreateAccount, pb.CreateAccountRequest(name=name), safe=not name
        )
        self.token = made.token
        return made.account

    def account(self) -> pb.Account:
        """Who the caller is."""
        return self._call(self._accounts.GetAccount, pb.GetAccountRequest()).account

    def rotate_token(self) -> str:
        """Get a new token, and use it from now on; the old one is worth nothing."""
        got = self._call(self._accounts.RotateToken, pb.RotateTokenRequest(), safe=False)
        self.token = got.token
        return self.token

    def revoke_token(self) -> None:
        """Give the account up for ever."""
        self._call(self._accounts.RevokeToken, pb.RevokeTokenRequest(), safe=False)
        self.token = ""

    def games(self) -> list[DescribeGameResponse]:
        """What can be played."""
        return list(self._call(self._catalog.ListGames, pb.ListGamesRequest()).games)

    # Matches before they start.

    def matches(
        self, game: str = "", state: pb.MatchState.ValueType = pb.MATCH_STATE_UNSPECIFIED,
        *, mine: bool = False,
    ) -> Iterator[pb.Match]:  # fmt: skip
        """Matches, the newest first; page after page, as they are asked for."""
        request = pb.ListMatchesRequest(game=game, state=state, mine=mine)
        while True:
            page = self._call(self._matches.ListMatches, request)
            yield from page.matches
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    def match(self, match: str) -> pb.Match:
        """What is public about a match."""
        return self._call(self._matches.GetMatch, pb.GetMatchRequest(match=match)).match

    def create(
        self, game: str, options: Mapping[str, str] | None = None, clock: Clock | None = None
    ) -> pb.Match:
        """Open a match; options are those that differ from their defaults."""
        chosen = [OptionChoice(name=name, value=value) for name, value in (options or {}).items()]
        request = pb.CreateMatchRequest(
            game=game, options=chosen, clock=clock, request_id=_request_id()
        )
        return self._call(self._matches.CreateMatch, request).match

    def join(self, match: str, seat: str = "", nonce: bytes = b"") -> pb.JoinMatchResponse:
        """Take a seat, or the first free one."""
        request = pb.JoinMatchRequest(match=match, seat=seat, nonce=nonce)
        return self._call(self._matches.JoinMatch, request, safe=bool(seat))

    def leave(self, match: str) -> pb.Match:
        """Free the caller's seats; the creator's leaving closes the match."""
        return self._call(self._matches.LeaveMatch, pb.LeaveMatchRequest(match=match)).match

    def add_bot(self, match: str, level: str, seat: str = "") -> pb.AddBotResponse:
        """Seat a hosted bot, at the first free seat unless one is named."""
        request = pb.AddBotRequest(match=match, seat=seat, level=level)
        return self._call(self._matches.AddBot, request, safe=False)

    def remove_bot(self, match: str, seat: str) -> pb.Match:
        """Free the seat of a hosted bot in a match that has not started."""
        request = pb.RemoveBotRequest(match=match, seat=seat)
        return self._call(self._matches.RemoveBot, request).match

    def start(self, match: str) -> pb.Match:
        """Begin a match whose seats are all taken."""
        return self._call(self._matches.StartMatch, pb.StartMatchRequest(match=match)).match

    # Matches that are being played.

    def view(
        self, match: str, seat: str = "", *, charts: bool = False, revision: int | None = None
    ) -> pb.GetViewResponse:
        """The position, to a seat of the caller's or to a spectator; with its charts, if wanted.

        With a revision, as it was then; and once the match is over, to any seat.
        """
        request = pb.GetViewRequest(match=match, seat=seat, with_charts=charts, revision=revision)
        return self._call(self._matches.GetView, request, anew=True)

    def act(
        self, match: str, seat: str, question: int, action: str,
        *, head: str = "", request_id: str = "",
    ) -> pb.ActResponse:  # fmt: skip
        """Answer a question, once, however often it must be sent.

        With the head of the standing with which the question came, in no other history than that.
        """
        request = pb.ActRequest(
            match=match, seat=seat, question=question, action=action, head=head,
            request_id=request_id or _request_id(),
        )  # fmt: skip
        try:
            done = self._call(self._matches.Act, request)
        except Refused as refused:
            self._note(request, refused.reason)
            raise
        self._note(request)
        return done

    def answer(
        self, match: str, seat: str, question: int, action: str, *, head: str = ""
    ) -> pb.ActResponse | None:
        """Answer a question as `act` does; or nothing, if it counts no more, or never did."""
        try:
            return self.act(match, seat, question, action, head=head)
        except Refused as refused:
            if refused.reason in (*MOOT, CHANGED) or is_held(refused):
                return None
            raise

    def _note(self, request: pb.ActRequest, reason: str = "") -> None:
        """Let those who listen know what came of an answer."""
        for ear in list(self._ears):
            if reason == CHANGED:
                ear.forget(request.match)
            elif not reason or reason in MOOT:
                ear.note(request.match, request.seat, request.question)

    def resign(self, match: str, seat: str) -> Standing:
        """Give up."""
        request = pb.ResignMatchRequest(match=match, seat=seat, request_id=_request_id())
        return self._call(self._matches.ResignMatch, request).standing

    def undo(self, match: str, seat: str, *, head: str = "") -> pb.UndoLastResponse:
        """Take the last decision back, if it was this seat's and nobody has learnt anything by it.

        With the head of the standing to which it led, that decision and no later one.
        """
        request = pb.UndoLastRequest(match=match, seat=seat, head=head, request_id=_request_id())
        return self._call(self._matches.UndoLast, request)

    def offer(self, match: str, seat: str, kind: OfferKind.ValueType) -> Standing:
        """Propose something to the people at the other seats."""
        request = pb.MakeOfferRequest(match=match, seat=seat, kind=kind, request_id=_request_id())
        return self._call(self._matches.MakeOffer, request).standing

    def answer_offer(self, match: str, seat: str, offer: int, *, accept: bool) -> Standing:
        """Accept an offer, or decline it; whoever made it declines it to withdraw it."""
        request = pb.AnswerOfferRequest(
            match=match, seat=seat, offer=offer, accept=accept, request_id=_request_id()
        )
        return self._call(self._matches.AnswerOffer, request).standing

    def record(self, match: str, seat: str = "") -> pb.GetMatchRecordResponse:
        """The whole record of a match that is over; of a running one, what the seat has seen."""
        request = pb.GetMatchRecordRequest(match=match, seat=seat)
        return self._call(self._matches.GetMatchRecord, request)

    def watch(
        self, match: str, seat: str = "", after: int = 0, *, head: str = ""
    ) -> Iterator[pb.WatchMatchResponse]:
        """Every step of a match after a revision, in order and without gaps, to the end.

        All are of one history, that of the head if one is given; or it is refused as `CHANGED`.
        """
        patience = Patience(self.patience, tell=self.tell)
        request = pb.WatchMatchRequest(
            match=match, seat=seat, after_revision=after, head=head, beat_ms=beats.MILLISECONDS
        )
        seen, lent = -1, ""
        while True:
            try:
                for step in self._stream(self._matches.WatchMatch, request):
                    patience.renew()
                    over = step.standing.HasField("outcome")
                    plays = plays_for(step.standing, seat)
                    if step.standing.revision != seen or over or plays != lent:
                        yield step
                    lent = plays
                    if over:
                        return
                    request.after_revision = seen = step.standing.revision
                    request.head = step.standing.head
                ended = _ended()
            except Refused as refused:
                ended = refused
            patience.bear(ended, anew=not (request.head or request.after_revision))

    def play(
        self,
        match: str,
        seat: str,
        choose: Callable[[Question], str],
        see: Callable[[pb.WatchMatchResponse], None] = lambda _: None,
        forget: Callable[[], None] = lambda: None,
    ) -> Outcome:
        """Play to the end: `see` is told every step, `choose` gives the text of an action.

        Where the platform has lost moves, `forget` is called, and `see` is told all from the first.
        """
        while True:
            try:
                return self._play(match, seat, choose, see)
            except Refused as refused:
                if refused.reason != CHANGED:
                    raise
                forget()

    def _play(
        self,
        match: str,
        seat: str,
        choose: Callable[[Question], str],
        see: Callable[[pb.WatchMatchResponse], None],
    ) -> Outcome:
        """Play to the end of one history."""
        answered = 0
        for step in self.watch(match, seat):
            see(step)
            if plays_for(step.standing, seat) or step.standing.hold.held:
                answered = 0  # the same question is put again when the seat is taken back
            if step.question.number > answered:
                answered = step.question.number
                try:
                    self.act(match, seat, answered, choose(step.question), head=step.standing.head)
                except Refused as refused:
                    if refused.reason not in MOOT and not is_held(refused):
                        raise
            if step.standing.HasField("outcome"):
                return step.standing.outcome
        raise AssertionError("a watch ends with an outcome")

    def listen(self, *, with_views: bool = False) -> Iterator[pb.ListenQuestionsResponse]:
        """Every question put to any seat of the caller's, once, and the ends of those matches.

        Where the platform has lost moves, the questions that stand then are told again: they may
        have lower numbers, or the same ones.
        """
        ear = Ear()
        self._ears.append(ear)
        request = pb.ListenQuestionsRequest(with_views=with_views, beat_ms=beats.MILLISECONDS)
        try:
            yield from self._told(ear, request)
        finally:
            self._ears.remove(ear)

    def _told(
        self, ear: Ear, request: pb.ListenQuestionsRequest
    ) -> Iterator[pb.ListenQuestionsResponse]:
        patience = Patience(self.patience, tell=self.tell)
        while True:
            try:
                for news in self._stream(self._bots.ListenQuestions, request, ear):
                    patience.renew()
                    if ear.hear(news, self._stands):
                        yield news
                ended = _ended()
            except Refused as refused:
                ended = refused
            if ear.begins_anew():
                patience.renew()  # nothing is wrong
            else:
                patience.bear(ended)

    def _stands(self, news: pb.ListenQuestionsResponse) -> bool:
        """Whether a question that was told is one that stands now."""
        return self.view(news.match, news.seat).question.number == news.question.number

    # Ratings.

    def rating(self, game: str, account: str = "") -> pb.Rating:
        """How strong an account, or else the caller, has proved to be."""
        request = pb.GetRatingRequest(game=game, account=account)
        return self._call(self._ratings.GetRating, request).rating

    def leaders(self, game: str) -> Iterator[pb.Rating]:
        """The best of a game first; page after page, as they are asked for."""
        request = pb.ListLeadersRequest(game=game)
        while True:
            page = self._call(self._ratings.ListLeaders, request)
            yield from page.leaders
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token


def _ended() -> Refused:
    return Refused(grpc.StatusCode.UNAVAILABLE, "the gateway ended the stream")


def _request_id() -> str:
    return uuid.uuid4().hex
