"""What the fake gateway keeps while its servers come and go: one small game, and what goes wrong.

The game is for two seats, `left` and `right`. They are asked in turns to take one, two or three, so
often as the option `turns` says; who has taken more wins.
"""

from __future__ import annotations

import hashlib
import threading
from collections import Counter
from dataclasses import dataclass, field

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc_status import rpc_status

from bree.engine.v1.engine_pb2 import StandIn, Standing
from bree.engine.v1.types_pb2 import (
    ENDING_FINISHED,
    Action,
    Choice,
    OptionChoice,
    Outcome,
    Question,
    SeatScore,
)
from bree.gateway.v1 import gateway_pb2 as pb

SEATS = ("left", "right")
CHOICES = ("take one", "take two", "take three")
LEVELS = ("novice", "master")


class Refusal(Exception):
    """What a call is answered with instead of an answer."""

    def __init__(self, code, reason, message, **metadata):
        super().__init__(message)
        self.code, self.reason, self.message, self.metadata = code, reason, message, metadata

    def status(self):
        info = error_details_pb2.ErrorInfo(
            reason=f"ERROR_REASON_{self.reason}", domain="bree", metadata=self.metadata
        )
        detail = AnyMessage()
        detail.Pack(info)
        code = getattr(code_pb2, self.code.name)
        return rpc_status.to_status(
            status_pb2.Status(code=code, message=self.message, details=[detail])
        )


def illegal(reason, message, **metadata):
    return Refusal(grpc.StatusCode.FAILED_PRECONDITION, reason, message, **metadata)


@dataclass
class Match:
    """One match: who sits where, and what was answered."""

    id: str
    options: dict[str, str]
    creator: str
    seats: dict[str, str] = field(default_factory=lambda: dict.fromkeys(SEATS, ""))
    bots: dict[str, str] = field(default_factory=lambda: dict.fromkeys(SEATS, ""))
    state: int = pb.MATCH_STATE_OPEN
    log: list[tuple[str, str]] = field(default_factory=list)
    answers: dict[str, tuple[pb.ActRequest, pb.ActResponse]] = field(default_factory=dict)
    losses: int = 0
    lent: dict[str, tuple[str, int]] = field(default_factory=dict)
    notes: list[pb.Note] = field(default_factory=list)

    @property
    def turns(self):
        return int(self.options.get("turns", "6"))

    def asked(self):
        """The seat whose turn it is, if the match runs."""
        return SEATS[len(self.log) % 2] if self.state == pb.MATCH_STATE_RUNNING else ""

    def question(self, seat):
        if self.asked() != seat or self.lent.get(seat, [""])[0]:
            return None
        return Question(
            number=len(self.log) // 2 + 1,
            prompt="turn.take",
            sentence="How many do you take?",
            choices=[Choice(action=Action(text=text), sentence=text) for text in CHOICES],
        )

    def take(self, seat, text):
        self.log.append((seat, text))
        if len(self.log) == 2 * self.turns:
            self.state = pb.MATCH_STATE_OVER
        elif self.bots[self.asked()]:
            self.take(self.asked(), CHOICES[0])

    def lose(self, kept, *others):
        """All decisions but the first ones are lost, and others are made instead."""
        self.log[kept:] = others
        self.losses += 1
        self.answers = {
            name: (request, response)
            for name, (request, response) in self.answers.items()
            if response.standing.revision <= kept
        }

    def heads(self):
        """The heads of its history, from the first."""
        heads = ["0" * 64]
        for entry in self.log:
            heads.append(hashlib.sha256(f"{heads[-1]} {entry}".encode()).hexdigest())
        return heads

    def check_head(self, head):
        """Refuse what belongs to another history."""
        if head and head not in self.heads():
            message = "the store has lost what was acknowledged before"
            said = {"match": self.id, "revision": str(len(self.log))}
            raise Refusal(grpc.StatusCode.ABORTED, "HISTORY_CHANGED", message, **said)

    def outcome(self):
        if self.state != pb.MATCH_STATE_OVER:
            return None
        taken = Counter()
        for seat, text in self.log:
            taken[seat] += CHOICES.index(text) + 1
        scores = [SeatScore(seat=seat, score=taken[seat]) for seat in SEATS]
        return Outcome(ending=ENDING_FINISHED, scores=scores)

    def standing(self):
        waiting = [seat for seat in SEATS if self.asked() == seat]
        lent = [
            StandIn(seat=seat, bot_level=level, changes=changes)
            for seat, (level, changes) in self.lent.items()
        ]
        return Standing(
            revision=len(self.log), waiting=waiting, outcome=self.outcome(),
            head=self.heads()[-1], stand_ins=lent,
        )  # fmt: skip

    def lend(self, seat, level):
        self.lent[seat] = level, self.lent.get(seat, ("", 0))[1] + 1

    def shown(self):
        seats = [
            pb.MatchSeat(seat=seat, account=self.seats[seat], bot_level=self.bots[seat])
            for seat in SEATS
        ]
        options = [OptionChoice(name=name, value=value) for name, value in self.options.items()]
        return pb.Match(
            id=self.id, game="taking", options=options, seats=seats, state=self.state,
            creator=self.creator, outcome=self.outcome(),
        )  # fmt: skip


class World:
    """All that is kept while servers come and go, and what is to go wrong."""

    def __init__(self):
        self.lock = threading.Condition()
        self.accounts: dict[str, str] = {}
        self.programs: set[str] = set()
        self.matches: dict[str, Match] = {}
        self.created: dict[tuple[str, str], Match] = {}
        self.calls: list[tuple[str, object]] = []  # every request, also those that were refused
        self.refuse: dict[str, list[Refusal]] = {}  # what the next calls of a method get
        self.on_refusal = {}  # what else happens when a method is refused
        self.lose: Counter[str] = Counter()  # answers that get lost, by method
        self.on_answer = {}  # what else happens after the nth answer of a seat was taken
        self.taken = 0
        self.tells_ends = True  # to whoever listens; if not, then from the next restart on
        self.repeat_news = 1  # how often each question is told
        self.end_streams_after = 0  # messages; 0 is never

    def account(self, context):
        tokens = [value for key, value in context.invocation_metadata() if key == "authorization"]
        name = self.accounts.get(tokens[0].removeprefix("Bearer ")) if tokens else None
        if name is None:
            raise Refusal(
                grpc.StatusCode.UNAUTHENTICATED, "UNAUTHENTICATED", "a valid token is needed"
            )
        return name

    def match(self, match):
        if match not in self.matches:
            message = f"there is no match {match!r}"
            raise Refusal(grpc.StatusCode.NOT_FOUND, "UNKNOWN_MATCH", message, match=match)
        return self.matches[match]

    def sent(self, method):
        """The requests of a method so far."""
        return [request for name, request in self.calls if name == method]
