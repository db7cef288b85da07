"""Every method with everything that may be wrong: a clear refusal, and nothing changed."""

from __future__ import annotations

import random
import time

import grpc
import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.timestamp_pb2 import Timestamp

from bree.engine.v1 import engine_pb2 as engine
from bree.engine.v1 import types_pb2 as types
from bree.gateway.v1 import desk_pb2 as desk
from bree.gateway.v1 import gateway_pb2 as pb
from bree.gateway.v1 import tokens_pb2 as tokens
from bree.process.statuses import denied_by
from gateway.store import HERE, RedisStore
from tests.gateway.desk import ADMIN
from tests.gateway.fake_engine import PLATFORM_TOKEN
from tests.gateway.town import REQUESTS, Caller

PLENTY = {
    "calls_a_second": 1e6,
    "calls_burst": 10**6,
    "looks_burst": 10**6,
    "new_accounts_burst": 10**6,
    "most_open": 10**6,
    "wrong_tokens_burst": 10**6,
    "public_url": "http://localhost:7080",
    "oidc_issuer": "http://127.0.0.1:9",
    "oidc_client_id": "bree",
    "mail_url": "smtp://127.0.0.1:9",
    "mail_from": "bree@bree.example",
    "mails_burst": 10**6,
    "admins": ADMIN,
}
TOWN = pytest.mark.parametrize("town", [PLENTY], indirect=True)

STREAMS = ("WatchMatch", "ListenQuestions", "ListenNews", "ExportData")
OPEN_TO_ALL = (
    *("CreateAccount", "StartSession", "ListGames"),
    *("BeginLogin", "GetProvider", "BeginProviderLogin", "BeginMailLogin", "GetLimits"),
)
ANYTHING_GOES = (
    *("GetAccount", "RotateToken", "RevokeToken", "ListGames"),
    *("CreateLoginCode", "ListSessions", "EndAllSessions"),
    *("ListTokens", "CreateRecoveryCodes", "CountRecoveryCodes"),
    *("DeclareBot", "SetWishes", "GetWishes", "KeepAccount"),
    *("BeginPasskey", "ListPasskeys", "BeginLogin", "GetAddress", "RemoveAddress"),
    *("GetProvider", "BeginProviderLogin", "BeginProviderLink", "ListIdentities", "GetLimits"),
    "GetQueues",
)
IN_THE_LEDGER = (
    "SELECT t::text FROM bree.accounts t ORDER BY 1",
    "SELECT t::text FROM bree.sessions t ORDER BY 1",
    "SELECT t::text FROM bree.login_codes t ORDER BY 1",
    "SELECT t::text FROM bree.tokens t ORDER BY 1",
    "SELECT t::text FROM bree.recovery_codes t ORDER BY 1",
    "SELECT t::text FROM bree.names t ORDER BY 1",
    "SELECT t::text FROM bree.passkeys t ORDER BY 1",
    "SELECT t::text FROM bree.identities t ORDER BY 1",
    "SELECT t::text FROM bree.addresses t ORDER BY 1",
    "SELECT t::text FROM bree.ratings t ORDER BY 1",
    "SELECT t::text FROM bree.matches t ORDER BY 1",
    "SELECT t::text FROM bree.results t ORDER BY 1",
    "SELECT t::text FROM bree.outbox t ORDER BY 1",
    "SELECT t::text FROM bree.reports t ORDER BY 1",
    "SELECT t::text FROM bree.notices t ORDER BY 1",
    "SELECT count(*)::text FROM bree.audit",
)
FOR_WORKERS = ("GetSettlement", "SettleRatings", "ArchiveMatch")
TEAM = pb.NOTE_CHANNEL_TEAM
KINDS = {path.rpartition("/")[2]: kind for path, kind in REQUESTS.items()}
METHODS = sorted(KINDS)
AT_THE_DESK = [path.rpartition("/")[2] for path in REQUESTS if ".Desk" in path]


def desk_requests(match):
    """The same, of the desk: of an account that there is not."""
    account, why = {"account": "abcdefgh23456789"}, {"why": "It has to be."}
    until = Timestamp(seconds=int(time.time()) + 3600)
    return {
        "ReportAccount": {
            "account": "Rosie_C",
            "kind": desk.REPORT_KIND_TALK,
            "text": "He swears.",
        },
        "ListNotices": {"page_size": 5},
        "FindAccounts": {"prefix": "a", "flags": [desk.ACCOUNT_FLAG_BOT], "page_size": 5},
        "GetAccountForDesk": account,
        "RenameByHost": {**account, **why, "name": "Rosie_D"},
        "MuteAccount": {**account, **why, "until": until},
        "LiftMute": {**account, **why},
        "BanAccount": {**account, **why, "until": until},
        "LiftBan": {**account, **why},
        "DeleteByHost": {**account, **why},
        "FindMatchesForDesk": {
            "game": "hopscotch",
            "state": pb.MATCH_STATE_RUNNING,
            "page_size": 5,
        },
        "LookAtMatch": {"match": match},
        "AbortMatch": {"match": match, **why},
        "AdjudicateMatch": {"match": match, "seat": "red", **why},
        "HandOverSeatByHost": {"match": match, "seat": "red", "level": "novice", **why},
        "GiveBackSeatByHost": {"match": match, "seat": "red", **why},
        "HoldMatch": {"match": match, **why},
        "ReleaseMatch": {"match": match, **why},
        "ReplayMatch": {"match": match},
        "ListReports": {"page_size": 5},
        "CloseReport": {"report": 1, "verdict": "Nothing in it."},
        "PostNotice": {"text": "Hear, hear.", "until": until, **why},
        "ListPostedNotices": {"page_size": 5},
        "ListAudit": {"after": 1, "page_size": 5},
    }


def request_of(method, match="h-0000000000"):
    """A request that is as it should be."""
    seat = {"match": match, "seat": "red"}
    act = {"question": 10, "action": "count 1", "request_id": "r"}
    chosen = [{"name": "length", "value": "4"}]
    outcome = types.Outcome(ending=types.ENDING_ABORTED)
    played = {
        "game": "hopscotch",
        "options": "length=4 seats=2",
        "opponent": "bot:novice",
        "side": "red",
        "pace": pb.PACE_FREE,
        "result": 1,
        "rated": True,
        "least_length": 1,
        "from_time": {"seconds": 1},
        "until_time": {"seconds": 2},
        "most_length": 9,
    }
    given = {
        "CreateMatch": {"game": "hopscotch", "options": chosen, "request_id": "r"},
        "ListMatches": {"game": "hopscotch", "state": pb.MATCH_STATE_RUNNING, "page_size": 5},
        "JoinMatch": {**seat, "nonce": b"nonce"},
        "AddBot": {**seat, "level": "novice"},
        "RemoveBot": seat,
        "HandOverSeat": {**seat, "level": "novice"},
        "TakeBackSeat": seat,
        "SayNote": {**seat, "channel": TEAM, "text": "Roll first?", "request_id": "r"},
        "ListNotes": {**seat, "channel": TEAM, "page_size": 5},
        "GetView": seat,
        "Act": {**seat, **act},
        "WatchMatch": {**seat, "after_revision": 0},
        "ResignMatch": {**seat, "request_id": "r"},
        "UndoLast": {**seat, "request_id": "r"},
        "MakeOffer": {**seat, "kind": engine.OFFER_KIND_ABORT, "request_id": "r"},
        "AnswerOffer": {**seat, "offer": 1, "accept": True, "request_id": "r"},
        "GetMatchRecord": seat,
        "ListenQuestions": {"with_views": True},
        "ClaimName": {"name": "Rosie_C"},
        "RenameAccount": {"name": "Rosie_C"},
        "CreateToken": {"name": "my bot", "scope": tokens.TOKEN_SCOPE_BOT},
        "EndToken": {"token": "abcdefgh"},
        "GetProfile": {"account": "bot:novice"},
        "StartSession": {"device": "Firefox on Linux"},
        "EndSession": {"session": "abcdefgh"},
        "ListenNews": {"stream": "tab", "matches": [{**seat, "after_revision": 0}]},
        "ChangeNews": {"stream": "tab", "follow": [seat], "unfollow": [seat], "with_lobby": True},
        "GetRating": {"game": "hopscotch", "account": "bot:novice"},
        "ListLeaders": {"game": "hopscotch", "page_size": 5},
        "SetTerms": {"terms": {"games": ["hopscotch"], "paces": [1], "most_matches": 9}},
        "DeleteAccount": {"reason": "I have no time."},
        "ListResults": {"account": "bot:master", "filter": played, "page_size": 5},
        "SummarizeResults": {"account": "bot:master", "filter": played, "most": 5},
        "HeadToHead": {
            "one": "bot:master",
            "other": "bot:novice",
            "filter": played | {"opponent": ""},
        },
        "GetRatingHistory": {"account": "bot:novice", "game": "hopscotch", "most_points": 9},
        "FindMatches": {"players": ["bot:master"], "filter": played, "page_size": 5},
        "SettleRatings": {"match": match, "outcome": outcome, "record": "a record"},
        "AddPasskey": {"response": "{}", "name": "my phone"},
        "RemovePasskey": {"passkey": "AAAA"},
        "LinkProvider": {"proof": {"state": "x" * 43, "code": "c", "binding": "b"}},
        "UnlinkProvider": {"issuer": "https://id.example", "subject": "s"},
        "SetAddress": {"address": "rosie@shire.example"},
        "ConfirmAddress": {"code": "AAAA-AAAA"},
        "BeginMailLogin": {"address": "rosie@shire.example"},
    }
    kind = KINDS[method]
    if kind.DESCRIPTOR.file.name.endswith("desk.proto"):
        given = desk_requests(match)
    if method in given:
        return kind(**given[method])
    return kind(match=match) if "match" in kind.DESCRIPTOR.fields_by_name else kind()


async def answered(caller, kind, data):
    """The refusal, or None; a stream is asked for its first step only."""
    if type(kind).__name__.removesuffix("Request") in STREAMS:
        stream = caller.stream_of(kind, data)
        try:
            await stream.next()
        except grpc.aio.AioRpcError as error:
            return error
        finally:
            stream.cancel()
        return None
    try:
        await caller.send(kind, data)
    except grpc.aio.AioRpcError as error:
        return error
    return None


async def snapshot(town):
    """Everything that is kept, but for who is here, and everything that the engine has."""
    store = town.store
    if isinstance(store, RedisStore):
        call = store._client.call
        keys = [key for key in await call("KEYS", "*") if key != HERE]
        # DUMP is binary, which this client does not read.
        kept = {key: await call("DEBUG", "DIGEST-VALUE", key) for key in keys}
        kept |= {query: await store.ledger.read("test", query) for query in IN_THE_LEDGER}
    else:
        passing = ("_subscribers", "_here")
        parts = {name: part for name, part in vars(store).items() if name not in passing}
        kept = {name: repr(_filled(part)) for name, part in parts.items()}
    return kept, {name: match.revision for name, match in town.world.matches.items()}


def _filled(part):
    """Without what is empty: to have looked into a list of this store makes one."""
    return {key: one for key, one in part.items() if one} if isinstance(part, dict) else part


async def caller_for(town, method):
    if method in FOR_WORKERS:
        return town.worker()
    return await town.account(ADMIN if method in AT_THE_DESK else "")


# Tokens.


@TOWN
@pytest.mark.parametrize("method", [name for name in METHODS if name not in OPEN_TO_ALL])
async def test_a_token_that_is_worth_nothing(town, method):
    """None, a forged one, a revoked one, one for something else: all are told the same."""
    rosie, revoked = await town.account(), await town.account()
    await revoked.ask(pb.RevokeTokenRequest())
    match = await town.running_match(rosie, rosie)
    account = rosie.token.partition(".")[0]
    wrong = rosie.token if method in FOR_WORKERS else PLATFORM_TOKEN
    tokens = [
        None, "", "x", wrong, revoked.token, rosie.token[:-2], rosie.token + "A",
        f"{account}.{'A' * 43}", f"{'a' * 16}.{'A' * 43}", f"{account}.", f".{'A' * 43}",
        rosie.token.upper(), "A" * 7000,
    ]  # fmt: skip
    before = await snapshot(town)
    request = request_of(method, match)

    said = set()
    for token in tokens:
        caller = Caller(rosie.channel, token)
        error = await answered(caller, request, request.SerializeToString())
        denied = denied_by(error)
        said.add((denied.reason, denied.message, *denied.metadata))
    assert {("UNAUTHENTICATED", "a valid token is needed")} == said
    assert before == await snapshot(town)


@TOWN
@pytest.mark.parametrize("scheme", ["bearer ", "Basic ", "", "Bearer  "])
async def test_a_token_is_presented_as_a_bearers(town, scheme):
    """Nothing else is looked at."""
    rosie = await town.account()
    call = rosie.channel.unary_unary("/bree.gateway.v1.AccountService/GetAccount")
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call(b"", metadata=[("authorization", scheme + rosie.token)])

    assert "UNAUTHENTICATED" == denied_by(caught.value).reason


# Matches that are not there.


@TOWN
@pytest.mark.parametrize(
    "method",
    [m for m in METHODS if "match" in KINDS[m].DESCRIPTOR.fields_by_name and m != "ReportAccount"],
)
async def test_a_match_that_does_not_exist(town, method):
    """Is unknown; a name that none can have is malformed."""
    caller = await caller_for(town, method)
    before = await snapshot(town)
    for name, why in (
        ("h-0000000000", "UNKNOWN_MATCH"),
        ("", "INVALID_REQUEST"),
        ("a", "INVALID_REQUEST"),
        ("H-0000000000", "INVALID_REQUEST"),
        ("x" * 41, "INVALID_REQUEST"),
        ("h-{m:1}", "INVALID_REQUEST"),
        ("h-\u0000\u0001\u0002", "INVALID_REQUEST"),
    ):
        request = request_of(method, name)
        error = await answered(caller, request, request.SerializeToString())
        denied = denied_by(error)
        assert why == denied.reason
        assert name[:200] in (denied.metadata.get("match"), name * (why == "INVALID_REQUEST"))
    assert before == await snapshot(town)


# Fields.

TEXTS = ["", " ", "\u0000", "a b", "x" * 41, "x" * 10_000, "{a:b}", "\u202e\U0001f409", "*", "\n"]
NUMBERS = {
    FieldDescriptor.TYPE_INT32: [-1, -(2**31), 2**31 - 1],
    FieldDescriptor.TYPE_INT64: [-1, -(2**63), 2**63 - 1, 2**53],
    FieldDescriptor.TYPE_ENUM: [-1, 99, 2**31 - 1],
    FieldDescriptor.TYPE_DOUBLE: [float("nan"), float("inf"), -1e308],
    FieldDescriptor.TYPE_BOOL: [True, False],
}


def wrongs(field):
    """Values that a field should hardly have."""
    if field.type == FieldDescriptor.TYPE_STRING:
        return TEXTS
    if field.type == FieldDescriptor.TYPE_BYTES:
        return [b"", b"\x00" * 65, b"x" * 100_000]
    return NUMBERS.get(field.type, [])


def mutations(message):
    """Copies of a message, in each of which one field is wrong, at any depth."""
    for field in message.DESCRIPTOR.fields:
        if field.type == FieldDescriptor.TYPE_MESSAGE:
            yield from _within(message, field)
            continue
        for value in wrongs(field):
            new = type(message)()
            new.CopyFrom(message)
            if field.is_repeated:
                getattr(new, field.name).append(value)
            else:
                setattr(new, field.name, value)
            yield new


def _within(message, field):
    part = getattr(message, field.name)
    if field.is_repeated:
        for copies in (1, 101):
            new = type(message)()
            new.CopyFrom(message)
            for _ in range(copies):
                getattr(new, field.name).add()
            yield new
        part = getattr(new, field.name)[0] if not part else part[0]
    for other in mutations(part):
        new = type(message)()
        new.CopyFrom(message)
        if field.is_repeated:
            new.ClearField(field.name)
            getattr(new, field.name).add().CopyFrom(other)
        else:
            getattr(new, field.name).CopyFrom(other)
        yield new


@TOWN
@pytest.mark.parametrize("method", METHODS)
async def test_a_field_that_is_wrong(town, method):
    """Each field of each request, one after the other: refused with a reason, or harmless."""
    rosie = await caller_for(town, method)
    player = rosie if method not in FOR_WORKERS else await town.account()
    match = await _match_for(town, method, player)
    refused = 0
    before = await snapshot(town)
    for request in mutations(request_of(method, match)):
        error = await answered(rosie, request, request.SerializeToString())
        if error is None:
            before = await snapshot(town)
            continue
        denied = denied_by(error)
        assert denied is not None, (request, error)
        if denied.metadata != {"part": "worker"}:  # one that is too old to send a record
            assert denied.reason not in ("BUG", "UNAVAILABLE"), (request, error)
        if denied.reason == "INVALID_REQUEST":
            assert denied.metadata["field"]
        assert len(denied.message) < 400
        after = await snapshot(town)
        assert before == after, request
        refused += 1
    assert refused or method in (*ANYTHING_GOES, *STREAMS)


async def _match_for(town, method, player):
    if method in ("JoinMatch", "AddBot", "RemoveBot", "LeaveMatch", "StartMatch"):
        return await town.open_match(player)
    if method in ("SayNote", "ListNotes"):
        return await town.running_match(player, "novice", player, "novice")
    return await town.running_match(player, "novice")


# Bytes: no store ever sees them.

MEMORY = pytest.mark.parametrize("store_of", ["memory"], indirect=True)


@TOWN
@MEMORY
@pytest.mark.parametrize("method", METHODS)
async def test_bytes_that_are_no_message(town, method):
    """Told so after the token was looked at; some bytes happen to be a message."""
    caller = await caller_for(town, method)
    if method == "ListenQuestions":
        await town.running_match(caller, "novice")
    kind = request_of(method)
    whole = kind.SerializeToString() or b"\x0a\x01a"
    numbers = random.Random(method)
    garbage = [b"\xff" * 9, b"\x0a", whole[:-1] + b"\xff\xff", b"\x0a\x02\xff\xfe", b"\x00"]
    garbage += [numbers.randbytes(numbers.randint(1, 60)) for _ in range(30)]
    refused = 0
    for data in garbage:
        error = await answered(caller, kind, data)
        if error is None:
            if method in ("RevokeToken", "RotateToken"):
                caller = await town.account()
            continue
        denied = denied_by(error)
        assert denied is not None, (data, error)
        assert denied.reason != "BUG", (data, error)
        refused += denied.reason == "INVALID_REQUEST"
    assert refused >= 3
    if method not in OPEN_TO_ALL:
        error = await answered(town.nobody(), kind, b"\xff" * 9)
        assert "UNAUTHENTICATED" == denied_by(error).reason


@TOWN
@MEMORY
async def test_a_message_that_is_too_large(town):
    """Is not read at all, and the connection lives on."""
    for method in ("Act", "WatchMatch", "CreateAccount", "SettleRatings"):
        caller = await caller_for(town, method)
        kind = request_of(method)
        data = kind.SerializeToString() + b"\xfa\x7f\x80\x80\x44" + b"x" * 0x110000
        error = await answered(caller, kind, data)
        assert grpc.StatusCode.RESOURCE_EXHAUSTED is error.code()
        assert (await caller.ask(pb.ListGamesRequest())).games


@TOWN
async def test_a_method_that_does_not_exist(town):
    """Is not implemented."""
    rosie = await town.account()
    for path in ("/bree.gateway.v1.MatchService/Cheat", "/bree.engine.v1.EngineService/Imagine"):
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await rosie.channel.unary_unary(path)(b"", metadata=rosie.metadata)
        assert grpc.StatusCode.UNIMPLEMENTED is caught.value.code()


# Old requests.


@TOWN
async def test_requests_that_are_sent_again(town):
    """Every request of a whole match, in any order, at any time later: nothing changes."""
    rosie, sam = await town.account(), await town.account()
    create = pb.CreateMatchRequest(game="hopscotch", request_id="c", options=[])
    match = (await rosie.ask(create)).match.id
    sent = [(rosie, create)]

    async def send(caller, request):
        sent.append((caller, request))
        return await caller.ask(request)

    for player, seat in ((rosie, "red"), (sam, "blue")):
        await send(player, pb.JoinMatchRequest(match=match, seat=seat, nonce=b"n"))
    await send(rosie, pb.StartMatchRequest(match=match))
    for turn in range(5):
        player, seat = ((rosie, "red"), (sam, "blue"))[turn % 2]
        number = town.world.matches[match].number(seat)
        act = {"question": number, "action": "count 1", "request_id": f"r{number}"}
        await send(player, pb.ActRequest(match=match, seat=seat, **act))
    await send(sam, pb.ResignMatchRequest(match=match, seat="blue", request_id="r"))
    await rosie.ask(pb.GetMatchRequest(match=match))
    before = await snapshot(town)
    numbers = random.Random(7)
    for _ in range(3):
        numbers.shuffle(sent)
        for caller, request in sent:
            error = await answered(caller, request, request.SerializeToString())
            assert error is None or denied_by(error).reason != "BUG"

    assert before == await snapshot(town)
