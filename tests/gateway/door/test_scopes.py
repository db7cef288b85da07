"""What a token with a scope may do: every method with every scope, over gRPC and over HTTP."""

from __future__ import annotations

import grpc
import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from bree.gateway.v1 import tokens_pb2 as tokens
from bree.process.statuses import denied_by
from gateway.methods import Access
from gateway.scopes import ALLOWED, may_call
from gateway.tokens import SCOPES
from tests.gateway.door.http_client import FROM_OWN_PAGE, JSON, PROTO
from tests.gateway.town import REQUESTS, Caller

LOOKING = {
    "AccountService": {"GetAccount", "GetProfile"},
    "MatchService": {"ListMatches", "GetMatch", "GetView", "WatchMatch", "GetMatchRecord"},
    "NoteService": {"ListNotes"},
    "NewsService": {"ListenNews", "ChangeNews"},
    "RatingService": {"GetRating", "ListLeaders"},
    "ProfileService": {
        *("ListResults", "SummarizeResults", "HeadToHead", "GetRatingHistory", "FindMatches"),
    },
    "NoticeService": {"ListNotices"},
    "Pictures": {"GetPicture", "GetReplay", "GetRatingPicture"},
    "Records": {"GetRecord"},
    "ProgramService": {"GetTerms", "GetWishes"},
}
PLAYING = {
    "MatchService": {
        *("CreateMatch", "JoinMatch", "LeaveMatch", "StartMatch", "Act", "ResignMatch"),
        *("UndoLast", "MakeOffer", "AnswerOffer"),
    },
    "BotService": {"ListenQuestions"},
}
AT_TABLES = {
    "MatchService": {"AddBot", "RemoveBot", "HandOverSeat", "TakeBackSeat"},
    "NoteService": {"SayNote"},
    "ReportService": {"ReportAccount"},
}
MAY = {"read": (LOOKING,), "bot": (LOOKING, PLAYING), "play": (LOOKING, PLAYING, AT_TABLES)}
"""What each scope may call, and nothing else: a method that is new belongs here, or nowhere."""

TOUCHING = ("AccountService", "SessionService", "TokenService", "RecoveryService")
"""The services that change an account."""

PLENTY = pytest.mark.parametrize(
    "town", [{"calls_burst": 10**6, "looks_burst": 10**6}], indirect=True
)
EACH = pytest.mark.parametrize("scope", ["read", "play", "bot"])


def is_expected(scope, method):
    service = method.service.rpartition(".")[2]
    return any(method.name in part.get(service, ()) for part in MAY[scope])


async def made(town, scope):
    """Somebody who has a token of this scope, and his channel with that."""
    rosie = await town.account()
    number = next(number for number, name in SCOPES.items() if name == scope)
    told = await rosie.ask(tokens.CreateTokenRequest(name="my program", scope=number))
    return rosie, Caller(rosie.channel, told.secret, rosie.name)


def methods_of(town):
    """Those that need an account."""
    methods = town.process.gateway.methods
    return [one for one in methods if one.access in (Access.ACCOUNT, Access.LOOKER)]


def request_of(method):
    """An empty one; of a stream, that it be heard at once."""
    kind = REQUESTS.get(method.path, pb.GetViewRequest)
    return kind(beat_ms=1000) if "beat_ms" in kind.DESCRIPTOR.fields_by_name else kind()


async def over_grpc(caller, method):
    """Why a call is refused; nothing if it is not."""
    kind = caller.channel.unary_stream if method.streams else caller.channel.unary_unary
    data = request_of(method).SerializeToString()
    call = kind(method.path)(data, metadata=caller.metadata, timeout=10)
    try:
        await (call.read() if method.streams else call)
    except grpc.aio.AioRpcError as error:
        return denied_by(error)
    finally:
        call.cancel()


async def over_http(link, method, kind, **headers):
    """The same, over HTTP: the reason, and all that was said."""
    if not method.streams:
        body = b"{}" if kind == JSON else b""
        answer = await link.ask("POST", method.path, body, content_type=kind, **headers)
        return "" if answer.status == 200 else answer.reason, answer.body
    told = await link.stream(request_of(method), kind, **headers)
    reason = "" if await told.next() is not None else told.reason
    return reason, str(told.last).encode()


@PLENTY
@EACH
async def test_a_token_does_what_its_scope_says_and_nothing_else(town, scope):
    """Over gRPC: what it may not do is refused before the request is looked at."""
    rosie, program = await made(town, scope)
    allowed = set()
    for method in methods_of(town):
        denied = await over_grpc(program, method)
        is_beyond = denied is not None and "scope" in denied.metadata
        assert is_beyond != is_expected(scope, method), method.path
        if is_beyond:
            assert ("NOT_ALLOWED", scope) == (denied.reason, denied.metadata["scope"])
            assert scope in denied.message
        else:
            allowed.add(method.name)

    at_the_door = LOOKING["Pictures"] | LOOKING["Records"]
    assert allowed | at_the_door == set().union(
        *(names for part in MAY[scope] for names in part.values())
    )
    assert rosie.name == (await rosie.ask(pb.GetAccountRequest())).account.name


@PLENTY
@EACH
@pytest.mark.parametrize("way", ["header", "cookie"])
async def test_it_is_the_same_over_http(town, links, scope, way):
    """With the token in its header, in JSON; and in a cookie, in binary: it is no session."""
    _, program = await made(town, scope)
    link, headers, kind = links.nobody(token=program.token), {}, JSON
    if way == "cookie":
        headers, kind = {**FROM_OWN_PAGE, "cookie": f"bree_session={program.token}"}, PROTO
        link = links.nobody()
    for method in methods_of(town):
        # A stream is not read to its end.
        asked = links.nobody(token=link.token) if method.streams else link
        reason, said = await over_http(asked, method, kind, **headers)
        is_beyond = reason == "NOT_ALLOWED" and b"a token that is made to" in said
        assert is_beyond != is_expected(scope, method), (method.path, reason)
        assert reason != "UNAUTHENTICATED", method.path


@EACH
async def test_every_token_looks_at_pictures(town, links, scope):
    """Of whatever its account may see; the match that there is not is what is refused."""
    _, program = await made(town, scope)
    for form in ("picture.svg?seat=red", "replay.svg"):
        answer = await links.nobody(token=program.token).ask("GET", f"/m/h-aaaaaaaaaa/{form}")
        assert (404, "UNKNOWN_MATCH") == (answer.status, answer.reason)


def test_a_token_never_touches_its_account():
    """Not even by a method of a name that stands for two."""
    listed = set().union(*ALLOWED.values())
    for path in REQUESTS:
        service, name = path.split(".")[-1].split("/")
        if service in TOUCHING and name not in LOOKING["AccountService"]:
            assert name not in listed, path
    assert not may_call("another", "GetAccount")
    assert may_call("", "RevokeToken")


@EACH
async def test_a_token_does_not_become_a_session(town, links, scope):
    """Which could do everything; nor does a cookie come of it."""
    rosie, program = await made(town, scope)
    for link in (links.nobody(), links.nobody(token=program.token)):
        headers = {**FROM_OWN_PAGE, "bree-session": "cookie"}
        answer = await link.call(pb.StartSessionRequest(token=program.token), **headers)
        assert (403, "NOT_ALLOWED", []) == (answer.status, answer.reason, answer.cookies)

    assert not (await rosie.ask(pb.ListSessionsRequest())).sessions
