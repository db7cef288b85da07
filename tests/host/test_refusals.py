"""Every method with every kind of bad input: the right status, and nothing has changed.

The requests below are sent to an engine with a match that runs, one that is over, one that is
frozen, and one of an edition that nobody here can replay.
"""

from __future__ import annotations

import asyncio

import grpc
import pytest
from google.protobuf.message import Message

from bree.engine.v1 import engine_pb2 as e
from bree.process.statuses import denied_by
from services.host.in_memory_store import InMemoryStore
from services.host.serialization import SETUP, LogEntry
from tests.host.engines import METADATA, answer, creation, in_loop, refused, replica
from tests.host.stores import Faulty, picture

C = grpc.StatusCode
RUNNING, OVER, FROZEN, OLD, NONE = "m-running", "m-over", "m-frozen", "m-old", "m-none"

BAD_MATCHES = (
    "",
    "abc",
    "x" * 41,
    "Upper-case",
    "under_score",
    "new\nline",
    "m-rünning",
    "a|b c d",
)
BAD_SEATS = ("", "Gondor", "gon dor", "x" * 41, "gondor\n", "chance|", "1gondor")
BAD_IDS = ("", "x" * 41, "two words", "tab\there", "line\n", "\x00", "nbsp\u00a0")

NAMED = {
    "CommitMatch": lambda match: e.CommitMatchRequest(match=match),
    "CreateMatch": creation,
    "GetSeatView": lambda match: e.GetSeatViewRequest(match=match),
    "Act": lambda match: answer("gondor", 1, "ready", "r", match),
    "Watch": lambda match: e.WatchRequest(match=match),
    "Imagine": lambda match: e.ImagineRequest(match=match, seat="gondor", question=1),
    "Resign": lambda match: e.ResignRequest(match=match, seat="gondor", request_id="r"),
    "Expire": lambda match: e.ExpireRequest(match=match, seat="gondor", question=1),
    "Abort": lambda match: e.AbortRequest(match=match, request_id="r"),
    "GetRecord": lambda match: e.GetRecordRequest(match=match),
    "SettleMatch": lambda match: e.SettleMatchRequest(match=match),
}
"""Every method that names a match, with a request that is right but for the match."""

EXISTING = {
    name: made for name, made in NAMED.items() if name not in ("CommitMatch", "CreateMatch")
}
"""Those that need the match to be there."""

SEATED = {
    "GetSeatView": lambda s: e.GetSeatViewRequest(match=RUNNING, viewer=e.Viewer(seat=s)),
    "Act": lambda s: answer(s, 1, "ready", "r", RUNNING),
    "Watch": lambda s: e.WatchRequest(match=RUNNING, viewer=e.Viewer(seat=s)),
    "Imagine": lambda s: e.ImagineRequest(match=RUNNING, seat=s, question=1),
    "Resign": lambda s: e.ResignRequest(match=RUNNING, seat=s, request_id="r"),
    "Expire": lambda s: e.ExpireRequest(match=RUNNING, seat=s, question=1),
    "GetRecord": lambda s: e.GetRecordRequest(match=RUNNING, viewer=e.Viewer(seat=s)),
}
"""Every method that names a seat."""

IDENTIFIED = {
    "Act": lambda i: answer("gondor", 1, "ready", i, RUNNING),
    "Resign": lambda i: e.ResignRequest(match=RUNNING, seat="gondor", request_id=i),
    "Abort": lambda i: e.AbortRequest(match=RUNNING, request_id=i),
}
NUMBERED = {
    "Act": lambda n: answer("gondor", n, "ready", "r", RUNNING),
    "Imagine": lambda n: e.ImagineRequest(match=RUNNING, seat="gondor", question=n),
    "Expire": lambda n: e.ExpireRequest(match=RUNNING, seat="gondor", question=n),
}


async def house(engine):
    """The matches that the requests of this file are about."""
    store = engine.engine.store
    for match in (RUNNING, OVER, FROZEN, OLD):
        await engine.create(match)
    await engine.play("gondor", "gondors", match=RUNNING)
    await engine.play_on(OVER)
    for match in (FROZEN, OLD):
        engine.engine.matches.cache.drop(engine.engine.matches.cache.find(match))
    log = store.matches[FROZEN].lines
    log[2] = LogEntry.of(log[2])._replace(digest="00000000").text()
    fields = store.matches[OLD].fields
    fields[SETUP] = fields[SETUP].replace("[1,", "[7,", 1)
    await refused(engine.view("", FROZEN), "MATCH_FROZEN", C.DATA_LOSS, revision="3")


async def all_refused(cases, reason, code):
    """Assert that every case is refused so, and that the store is as it was."""
    async with replica() as engine:
        await house(engine)
        before = picture(engine.engine.store)
        for method, request, metadata in cases:
            await refused(send(engine, method, request), reason, code, **metadata)

        assert before == picture(engine.engine.store)


async def send(engine, method, request):
    """Call a method; of a stream, the first message or the status."""
    if method == "Watch":
        return await engine.stub.Watch(request, metadata=METADATA, timeout=5).read()
    return await engine.call(method, request)


@in_loop
async def test_a_match_must_be_named_as_matches_are():
    """Whatever the name means, it is not even looked up."""
    cases = [(m, made(bad), {"field": "match"}) for m, made in NAMED.items() for bad in BAD_MATCHES]
    await all_refused(cases, "INVALID_REQUEST", C.INVALID_ARGUMENT)


@in_loop
async def test_a_match_that_does_not_exist_is_unknown():
    """To each method that needs one."""
    cases = [(method, made(NONE), {"match": NONE}) for method, made in EXISTING.items()]
    await all_refused(cases, "UNKNOWN_MATCH", C.NOT_FOUND)


@in_loop
async def test_a_seat_must_be_named_as_seats_are():
    """A viewer without a name is a spectator; everyone else has one."""
    cases = []
    for method, made in SEATED.items():
        viewer = method in ("GetSeatView", "Watch", "GetRecord")
        field = {"field": "viewer.seat" if viewer else "seat"}
        cases += [(method, made(bad), field) for bad in BAD_SEATS if bad or not viewer]
    await all_refused(cases, "INVALID_REQUEST", C.INVALID_ARGUMENT)


@in_loop
async def test_a_seat_that_the_match_has_not_is_unknown():
    """Those it has are listed; chance and the host are no seats."""
    cases = [
        (method, made(seat), {"match": RUNNING, "seat": seat, "seats": "gondor mordor"})
        for method, made in SEATED.items()
        for seat in ("elves", "rohan", "chance", "host")
    ]
    await all_refused(cases, "UNKNOWN_SEAT", C.NOT_FOUND)


@in_loop
async def test_an_id_of_a_request_has_its_form():
    """It stands in the log, between tabs."""
    cases = [
        (method, made(bad), {"field": "request_id"})
        for method, made in IDENTIFIED.items()
        for bad in BAD_IDS
    ]
    await all_refused(cases, "INVALID_REQUEST", C.INVALID_ARGUMENT)


@in_loop
async def test_numbers_are_within_their_bounds():
    """Questions count from 1; limits and leases are those of the contract."""
    wrong = [
        ("Watch", e.WatchRequest(match=RUNNING, after_revision=-1), "after_revision"),
        ("Watch", e.WatchRequest(match=RUNNING, after_revision=2**63 - 1), "after_revision"),
        ("ClaimDue", e.ClaimDueRequest(limit=0, lease_ms=1000), "limit"),
        ("ClaimDue", e.ClaimDueRequest(limit=501, lease_ms=1000), "limit"),
        ("ClaimDue", e.ClaimDueRequest(limit=-1, lease_ms=1000), "limit"),
        ("ClaimDue", e.ClaimDueRequest(limit=1, lease_ms=999), "lease_ms"),
        ("ClaimDue", e.ClaimDueRequest(limit=1, lease_ms=600_001), "lease_ms"),
        ("ClaimDue", e.ClaimDueRequest(limit=1, lease_ms=1000, overdue_ms=-1), "overdue_ms"),
    ]
    wrong += [
        (method, made(bad), "question")
        for method, made in NUMBERED.items()
        for bad in (0, -1, -(2**63), 2**63 - 1, 2**53)
    ]
    cases = [(method, request, {"field": field}) for method, request, field in wrong]
    await all_refused(cases, "INVALID_REQUEST", C.INVALID_ARGUMENT)


@in_loop
async def test_a_question_that_was_never_put_shows_a_mistake():
    """Numbers are copied and never made up."""
    cases = [
        (method, made(10_000), {"question": "10000", "latest": "5", "seat": "gondor"})
        for method, made in NUMBERED.items()
    ]
    async with replica() as engine:
        await house(engine)
        latest = {"latest": str(engine.engine.matches.cache.find(RUNNING).state.table.number(0))}
    cases = [(method, request, {**said, **latest}) for method, request, said in cases]
    await all_refused(cases, "UNKNOWN_QUESTION", C.INVALID_ARGUMENT)


@in_loop
async def test_a_question_that_was_answered_is_stale():
    """Also the latest one, as long as the seat is not asked another."""
    async with replica() as engine:
        await house(engine)
        before = picture(engine.engine.store)
        latest = engine.engine.matches.cache.find(RUNNING).state.table.number(0)
        said = {"match": RUNNING, "seat": "gondor", "latest": str(latest), "question": str(latest)}
        for method in ("Act", "Imagine"):
            request = NUMBERED[method](latest)
            await refused(send(engine, method, request), "STALE_QUESTION", C.ABORTED, **said)
        answered = await engine.call("Expire", NUMBERED["Expire"](latest))

        assert not answered.expired
        assert before == picture(engine.engine.store)


@pytest.mark.parametrize(
    "said", ["fly", "pick", "pick ring", "ready now", "READY", "\x00", "🏔" * 401, " ", "x" * 90_000]
)
@in_loop
async def test_a_text_that_is_no_action_is_invalid(said):
    """In any position of this game, and however long it is."""
    request = answer("mordor", 1, said, "r", RUNNING)
    meta = {"game": "skirmish", "said": said[:200]}
    await all_refused([("Act", request, meta)], "INVALID_ACTION", C.INVALID_ARGUMENT)


@in_loop
async def test_an_action_must_be_said():
    """An empty one is a field that was forgotten."""
    request = answer("mordor", 1, "", "r", RUNNING)
    await all_refused(
        [("Act", request, {"field": "action"})], "INVALID_REQUEST", C.INVALID_ARGUMENT
    )


@in_loop
async def test_an_action_that_is_not_offered_is_illegal():
    """The question still stands, under its number."""
    async with replica() as engine:
        await house(engine)
        before, asked = picture(engine.engine.store), await engine.question("mordor", RUNNING)
        offered = [choice.action.text for choice in asked.choices]
        card = next(c for c in ("charge", "shield", "horn") if f"pick {c}" not in offered)
        for said in (f"pick {card}", "fall", "roll 6 6 6", "draw horn"):
            call = engine.act("mordor", asked.number, said, "r", RUNNING)
            meta = {"seat": "mordor", "question": str(asked.number), "said": said}
            await refused(call, "ILLEGAL_ACTION", C.FAILED_PRECONDITION, match=RUNNING, **meta)

        assert asked == await engine.question("mordor", RUNNING)
        assert before == picture(engine.engine.store)


@in_loop
async def test_a_match_that_is_over_takes_no_more():
    """Neither answers nor ends, and nobody imagines what comes next."""
    cases = [
        (method, EXISTING[method](OVER), {"match": OVER, "ending": "ENDING_FINISHED"})
        for method in ("Act", "Imagine", "Resign", "Abort")
    ]
    await all_refused(cases, "MATCH_OVER", C.FAILED_PRECONDITION)


@in_loop
async def test_a_frozen_match_takes_no_more_and_shows_no_more():
    """Its record is kept as it is, and nothing of it is due."""
    cases = [
        (method, made(FROZEN), {"match": FROZEN, "revision": "3"})
        for method, made in EXISTING.items()
        if method != "SettleMatch"
    ]
    await all_refused(cases, "MATCH_FROZEN", C.DATA_LOSS)


@in_loop
async def test_a_match_of_another_edition_is_refused_and_not_damaged():
    """An engine that can replay it may still come."""
    said = {"match": OLD, "game": "skirmish", "edition": "7", "supported": "1"}
    cases = [
        (method, made(OLD), said) for method, made in EXISTING.items() if method != "SettleMatch"
    ]
    await all_refused(cases, "EDITION_UNSUPPORTED", C.UNIMPLEMENTED)


@in_loop
async def test_only_a_match_that_is_over_is_settled():
    """Whatever its state is otherwise."""
    cases = [
        ("SettleMatch", e.SettleMatchRequest(match=match), {"needs": "a match that is over"})
        for match in (RUNNING, FROZEN, OLD)
    ]
    await all_refused(cases, "NOT_ALLOWED", C.PERMISSION_DENIED)


@in_loop
async def test_a_watcher_cannot_be_ahead_of_the_match():
    """What has not happened cannot have been seen."""
    request = e.WatchRequest(match=RUNNING, after_revision=400)
    said = {"match": RUNNING, "revision": "400", "latest": "5"}
    await all_refused([("Watch", request, said)], "UNKNOWN_REVISION", C.OUT_OF_RANGE)


# Whatever is sent.


@in_loop
async def test_bytes_that_are_no_message_are_refused_before_they_reach_a_method():
    """By whoever reads messages; it is not counted as a bug of the engine."""
    async with replica() as engine:
        await house(engine)
        before = picture(engine.engine.store)
        channel = grpc.aio.insecure_channel(f"127.0.0.1:{engine.engine.server.port}")
        for method in (*NAMED, "ClaimDue"):
            path = f"/bree.engine.v1.EngineService/{method}"
            raw = channel.unary_stream if method == "Watch" else channel.unary_unary
            call = raw(path)(b"\xff\xff\xff\xff garbage", metadata=METADATA, timeout=5)
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await (call.read() if method == "Watch" else call)
            assert caught.value.code() in (C.UNKNOWN, C.INVALID_ARGUMENT)
        await channel.close()

        assert before == picture(engine.engine.store)


@in_loop
async def test_messages_that_are_too_large_are_refused_by_the_server():
    """Before they are read."""
    async with replica(largest_message=1 << 12) as engine:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await engine.act("gondor", 1, "x" * 5000, "r")

        assert C.RESOURCE_EXHAUSTED == caught.value.code()


@in_loop
async def test_strings_of_any_kind_in_any_field_are_never_a_bug():
    """Each text field of each request in turn is filled with what nobody expects."""
    async with replica() as engine:
        await house(engine)
        strange = ("\x00", "|", "\t", "\n", "🏔" * 100, "a" * 20_000, "ﷺ" * 3000, "%s{}\\", "٣")
        for method, made in NAMED.items():
            for change in strange:
                for request in filled(made(RUNNING), change):
                    reason = await reason_of(send(engine, method, request))

                    assert reason not in ("", "BUG"), (method, request)
                    assert reason != "OK" or request.request_id == change


async def reason_of(call):
    """Why a call is refused, in a word of ours; or OK."""
    try:
        await call
    except grpc.aio.AioRpcError as error:
        denied = denied_by(error)
        return denied.reason if denied else ""
    return "OK"


def filled(request: Message, text: str):
    """The request with each of its texts replaced in turn."""
    for field, value in request.ListFields():
        if field.type == field.TYPE_STRING and isinstance(value, str):
            changed = type(request)()
            changed.CopyFrom(request)
            setattr(changed, field.name, text)
            yield changed
        elif field.name == "players":
            for inner in filled(value[0], text):
                if inner.label == text and text.isprintable() and len(text) <= 40:
                    continue  # that is a name
                changed = type(request)()
                changed.CopyFrom(request)
                changed.players[0].CopyFrom(inner)
                yield changed


@pytest.mark.parametrize("method", [*NAMED, "ClaimDue"])
@in_loop
async def test_without_a_store_nothing_is_answered_that_needs_it(method):
    """It may be sent again; what needs no store is answered."""
    store = Faulty(InMemoryStore())
    async with replica(store) as engine:
        await engine.create(RUNNING)
        store.away = True
        engine.engine.matches.cache.drop(engine.engine.matches.cache.find(RUNNING))
        request = (
            e.ClaimDueRequest(limit=1, lease_ms=1000)
            if method == "ClaimDue"
            else NAMED[method](RUNNING)
        )
        if method == "CommitMatch":
            assert (await send(engine, method, request)).commitment
        else:
            await refused(send(engine, method, request), "UNAVAILABLE", C.UNAVAILABLE, part="store")
        await asyncio.sleep(0)
