"""Every method of the gateway: who may call it, what it takes and gives, and where its logic is.

Design. The logic knows no transport: it takes an account and a message, gives a message or raises
`Denied`. A transport finds here what it can offer; `servicers.py` is the one for gRPC.

A call that is to change something may find that done, by the same call before or by somebody else.
It confirms that only when it cannot be lost any more: so the store is fenced before the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from enum import Enum
from typing import Any, NamedTuple

from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from bree.gateway.v1 import (
    desk_pb2,
    limits_pb2,
    mail_pb2,
    passkeys_pb2,
    personal_pb2,
    profiles_pb2,
    programs_pb2,
    providers_pb2,
    recovery_pb2,
    tokens_pb2,
)
from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.statuses import Denied
from gateway import call_context
from gateway.accounts import Accounts
from gateway.archiving import Archiving
from gateway.bots import Bots
from gateway.catalog import Catalog
from gateway.desk.desk import Desk
from gateway.listing import Listing
from gateway.lobby import Lobby
from gateway.news import NewsStreams
from gateway.notes import Notes
from gateway.personal import Personal
from gateway.personal_export import Exports
from gateway.play import Play
from gateway.profiles import Profiles
from gateway.programs import Programs
from gateway.published_limits import PublishedLimits
from gateway.rating_histories import RatingHistories
from gateway.ratings import Ratings, Settlement
from gateway.recovery import Recovery
from gateway.result_lists import ResultLists
from gateway.sessions import Sessions
from gateway.stand_ins import StandIns
from gateway.tallies import Tallies
from gateway.tokens import Tokens
from gateway.ways_in import WaysIn

SERVICES = {
    **pb.DESCRIPTOR.services_by_name,
    **tokens_pb2.DESCRIPTOR.services_by_name,
    **recovery_pb2.DESCRIPTOR.services_by_name,
    **personal_pb2.DESCRIPTOR.services_by_name,
    **programs_pb2.DESCRIPTOR.services_by_name,
    **passkeys_pb2.DESCRIPTOR.services_by_name,
    **providers_pb2.DESCRIPTOR.services_by_name,
    **mail_pb2.DESCRIPTOR.services_by_name,
    **profiles_pb2.DESCRIPTOR.services_by_name,
    **limits_pb2.DESCRIPTOR.services_by_name,
    **desk_pb2.DESCRIPTOR.services_by_name,
}

Logic = Callable[..., Any]
"""From an account and a request to a response that is awaited, or to a stream of them."""


Fenced = Callable[[], AbstractAsyncContextManager[None]]
"""What is read within cannot be lost once it has ended."""


class Access(Enum):
    """Who may call a method."""

    ANYONE = "anyone"
    ACCOUNT = "those who have an account's token"
    PLATFORM = "those who have the platform's token"
    ADMIN = "those whom the host's configuration names"
    LOOKER = "anyone, who pays as his account if he has a token, and else as his address"


class Method(NamedTuple):
    """One method of one service."""

    path: str  # as gRPC spells it: /bree.gateway.v1.Service/Method
    request: type[Message]
    access: Access
    logic: Logic
    streams: bool
    price: float  # of a call, in what a plain one costs

    @property
    def service(self) -> str:
        """The full name of its service."""
        return self.path.split("/")[1]

    @property
    def name(self) -> str:
        """Its own name."""
        return self.path.split("/")[2]

    async def answer(self, request: Message, _: object = None) -> Message:
        """The response to the account that calls, unless it streams; a handler of gRPC as it is."""
        try:
            response: Message = await self.logic(call_context.account.get(), request)
        except Denied as denied:
            if denied.reason == "OUTCOME_UNKNOWN":
                # Whoever found that out need not know which request it was.
                for field in ("match", "request_id"):
                    denied.metadata.setdefault(field, getattr(request, field, ""))
            raise
        return response


class Parts(NamedTuple):
    """Where the logic is."""

    accounts: Accounts
    sessions: Sessions
    catalog: Catalog
    lobby: Lobby
    listing: Listing
    play: Play
    stand_ins: StandIns
    notes: Notes
    bots: Bots
    news: NewsStreams
    profiles: Profiles
    ratings: Ratings
    settlement: Settlement
    archiving: Archiving
    tokens: Tokens
    recovery: Recovery
    ways_in: WaysIn
    lists: ResultLists
    tallies: Tallies
    histories: RatingHistories
    limits: PublishedLimits
    desk: Desk
    fenced: Fenced  # of the store
    programs: Programs
    personal: Personal
    exports: Exports


def methods(parts: Parts) -> tuple[Method, ...]:
    """All methods; those of a service that is missing here fail at the start, not when called."""
    found = []
    for service, logics in _table(parts).items():
        described = SERVICES[service].methods_by_name
        assert set(described) == set(logics), f"{service} has other methods"
        for name, logic in logics.items():
            fenced = _fenced(logic, parts.fenced) if name in CONFIRMING else logic
            found.append(_method(described[name], fenced))
    assert set(SERVICES) == set(_table(parts)), "there are other services"
    return tuple(found)


def _method(described: MethodDescriptor, logic: Logic) -> Method:
    service = described.containing_service
    access = ACCESS.get((service.name, described.name)) or ACCESS.get((service.name, ""))
    return Method(
        path=f"/{service.full_name}/{described.name}",
        request=GetMessageClass(described.input_type),
        access=access or Access.ACCOUNT,
        logic=logic,
        streams=described.server_streaming,
        price=PRICES.get(described.name, 1),
    )


ACCESS: Mapping[tuple[str, str], Access] = {
    ("AccountService", "CreateAccount"): Access.ANYONE,
    ("SessionService", "StartSession"): Access.ANYONE,
    ("CatalogService", ""): Access.ANYONE,
    ("SettlementService", ""): Access.PLATFORM,
    ("PasskeyService", "BeginLogin"): Access.ANYONE,
    ("ProviderService", "GetProvider"): Access.ANYONE,
    ("ProviderService", "BeginProviderLogin"): Access.ANYONE,
    ("MailService", "BeginMailLogin"): Access.ANYONE,
    ("LimitsService", ""): Access.ANYONE,
    ("DeskService", ""): Access.ADMIN,
}
"""Who may call what needs no account; everything else needs one."""


CONFIRMING = frozenset(
    {
        *("CreateMatch", "JoinMatch", "LeaveMatch", "AddBot", "RemoveBot", "StartMatch"),
        *("HandOverSeat", "TakeBackSeat", "SayNote"),
    }
)
"""What may be answered because of what was read in the gateway's store."""


PRICES: Mapping[str, float] = {
    "CreateMatch": 3,
    "JoinMatch": 2,
    "AddBot": 2,
    "RemoveBot": 2,
    "HandOverSeat": 2,
    "TakeBackSeat": 2,
    "SayNote": 2,
    "ListNotes": 2,
    "StartMatch": 5,
    "GetView": 2,
    "ListMatches": 6,
    "WatchMatch": 3,
    "ListenQuestions": 3,
    "ListenNews": 3,
    "ListLeaders": 3,
    "ClaimName": 3,
    "GetProfile": 3,
    "CreateLoginCode": 3,
    "RenameAccount": 3,
    "CreateToken": 3,
    "EndToken": 3,
    "CreateRecoveryCodes": 3,
    "DeclareBot": 5,
    "SetTerms": 3,
    "SetWishes": 3,
    "GetTerms": 2,
    "ExportData": 50,
    "DeleteAccount": 10,
    "KeepAccount": 5,
    "BeginPasskey": 3,
    "AddPasskey": 5,
    "RemovePasskey": 3,
    "BeginProviderLink": 3,
    "LinkProvider": 5,
    "UnlinkProvider": 3,
    "SetAddress": 5,
    "ConfirmAddress": 3,
    "RemoveAddress": 3,
    "ListResults": 8,
    "SummarizeResults": 25,
    "HeadToHead": 20,
    "GetRatingHistory": 4,
    "FindMatches": 8,
    "ReportAccount": 3,
    "ListNotices": 2,
    "FindAccounts": 6,
    "GetAccountForDesk": 3,
    "FindMatchesForDesk": 6,
    "LookAtMatch": 3,
    "ReplayMatch": 50,
    "GetQueues": 6,
    "ListAudit": 3,
}
"""What calls cost: one is about a millisecond of processor time, all parts together.

What hangs on how long a match is, is paid besides; see `gateway/quota.py`.
"""


def _table(parts: Parts) -> Mapping[str, Mapping[str, Logic]]:
    accounts, lobby, play = parts.accounts, parts.lobby, parts.play
    sessions = parts.sessions
    return {
        "AccountService": {
            "CreateAccount": _without_account(accounts.create),
            "GetAccount": accounts.show,
            "RotateToken": accounts.rotate,
            "RevokeToken": accounts.revoke,
            "ClaimName": accounts.claim,
            "RenameAccount": accounts.rename,
            "GetProfile": parts.profiles.show,
        },
        "SessionService": {
            "StartSession": _without_account(sessions.start),
            "CreateLoginCode": sessions.code,
            "ListSessions": sessions.list,
            "EndSession": sessions.end,
            "EndAllSessions": sessions.end_all,
        },
        "CatalogService": {"ListGames": _without_account(parts.catalog.games)},
        "MatchService": {
            "CreateMatch": lobby.create,
            "ListMatches": parts.listing.page,
            "GetMatch": lobby.show,
            "JoinMatch": lobby.join,
            "LeaveMatch": lobby.leave,
            "AddBot": lobby.add_bot,
            "RemoveBot": lobby.remove_bot,
            "StartMatch": lobby.start,
            "GetView": play.view,
            "Act": play.act,
            "WatchMatch": play.watch,
            "ResignMatch": play.resign,
            "HandOverSeat": parts.stand_ins.hand_over,
            "TakeBackSeat": parts.stand_ins.take_back,
            "UndoLast": play.undo,
            "MakeOffer": play.offer,
            "AnswerOffer": play.answer_offer,
            "GetMatchRecord": play.record,
        },
        "BotService": {"ListenQuestions": parts.bots.listen},
        "NewsService": {"ListenNews": parts.news.listen, "ChangeNews": parts.news.change},
        "NoteService": {"SayNote": parts.notes.say, "ListNotes": parts.notes.list},
        "RatingService": {
            "GetRating": parts.ratings.show,
            "ListLeaders": parts.ratings.leaders,
        },
        "SettlementService": {
            "GetSettlement": _without_account(parts.settlement.show),
            "SettleRatings": _without_account(parts.settlement.settle),
            "ArchiveMatch": _without_account(parts.archiving.archive),
        },
        "TokenService": {
            "CreateToken": parts.tokens.create,
            "ListTokens": parts.tokens.list,
            "EndToken": parts.tokens.end,
        },
        "RecoveryService": {
            "CreateRecoveryCodes": parts.recovery.create,
            "CountRecoveryCodes": parts.recovery.count,
        },
        "PersonalService": {
            "ExportData": parts.exports.export,
            "DeleteAccount": parts.personal.delete,
            "KeepAccount": parts.personal.keep,
        },
        "ProgramService": {
            "DeclareBot": parts.programs.declare,
            "SetTerms": parts.programs.set_terms,
            "GetTerms": parts.programs.terms,
            "SetWishes": parts.programs.set_wishes,
            "GetWishes": parts.programs.wishes,
        },
        **_ways_in(parts.ways_in),
        "ProfileService": {
            "ListResults": parts.lists.page,
            "SummarizeResults": parts.tallies.summarize,
            "HeadToHead": parts.tallies.head_to_head,
            "GetRatingHistory": parts.histories.show,
            "FindMatches": parts.lists.find,
        },
        "LimitsService": {"GetLimits": _without_account(parts.limits.show)},
        **parts.desk.table(),
    }


def _ways_in(ways: WaysIn) -> Mapping[str, Mapping[str, Logic]]:
    passkeys, providers, mail = ways.passkeys, ways.providers, ways.mail
    return {
        "PasskeyService": {
            "BeginPasskey": passkeys.begin,
            "AddPasskey": passkeys.add,
            "ListPasskeys": passkeys.list,
            "RemovePasskey": passkeys.remove,
            "BeginLogin": _without_account(passkeys.begin_login),
        },
        "ProviderService": {
            "GetProvider": _without_account(providers.show),
            "BeginProviderLogin": _without_account(providers.begin_login),
            "BeginProviderLink": providers.begin_link,
            "LinkProvider": providers.link,
            "ListIdentities": providers.list,
            "UnlinkProvider": providers.unlink,
        },
        "MailService": {
            "SetAddress": mail.set,
            "ConfirmAddress": mail.confirm,
            "GetAddress": mail.show,
            "RemoveAddress": mail.remove,
            "BeginMailLogin": _without_account(mail.begin_login),
        },
    }


def _fenced(logic: Logic, fenced: Fenced) -> Logic:
    async def answer(*asked: Any) -> Any:
        async with fenced():
            return await logic(*asked)

    return answer


def _without_account(logic: Logic) -> Logic:
    return lambda _, request: logic(request)
