"""Every method over Connect, as gRPC callers meet it."""

from __future__ import annotations

import asyncio
import gzip
import zlib

import pytest
from prometheus_client import REGISTRY

from bree.gateway.v1 import gateway_pb2 as pb
from bree.process import traces
from bree.process.statuses import CODES
from gateway import call_context
from gateway.door import connect
from tests.gateway.door.http_client import JSON, PROTO, read
from tests.gateway.fake_engine import FakeEngine
from tests.gateway.town import PATHS, reason, until

KINDS = pytest.mark.parametrize("kind", [PROTO, JSON])
GET_ACCOUNT = PATHS["bree.gateway.v1.GetAccountRequest"]
GET_MATCH = PATHS["bree.gateway.v1.GetMatchRequest"]
WATCH = PATHS["bree.gateway.v1.WatchMatchRequest"]


def counted(name, **labels):
    return REGISTRY.get_sample_value(name, labels) or 0


def bugs():
    return sum(
        sample.value
        for metric in REGISTRY.collect()
        if metric.name == "bree_bugs"
        for sample in metric.samples
        if sample.name == "bree_bugs_total"
    )


@KINDS
async def test_a_whole_match(town, links, kind):
    """From an account to its record, by a person and a bot."""
    rosie = links.nobody()
    made = await rosie.tell(pb.CreateAccountRequest(name="rosie"), kind)
    rosie.token = made.token
    match = await links.running_match(rosie, length=3)
    view = await rosie.tell(pb.GetViewRequest(match=match, seat="red"), kind)
    act = pb.ActRequest(
        match=match, seat="red", question=view.question.number, action="count 2", request_id="q"
    )
    assert 1 == (await rosie.tell(act, kind)).standing.revision
    town.count(match, 2)
    record = await rosie.tell(pb.GetMatchRecordRequest(match=match), kind)

    assert record.text
    assert record.standing.outcome.scores


NOT_CONFIGURED = ("BeginLogin", "BeginProviderLogin", "BeginMailLogin")
"""What the host has to configure before anybody may call it."""


@pytest.mark.parametrize("town", [{"looks_burst": 1000}], indirect=True)
async def test_every_method_is_there(town, links):
    """Whoever has no token is refused by each of those that need one, in its own form."""
    for path, call in town.process.door.calls.items():
        method = town.process.gateway.admission.methods[path]
        kind = "application/connect+proto" if method.streams else PROTO
        body = b"\0\0\0\0\0" if method.streams else b""
        answer = await links.nobody().ask("POST", path, body, content_type=kind)
        expected = 200 if method.streams or method.access.name == "ANYONE" else 401
        assert call
        assert (403 if method.name in NOT_CONFIGURED else expected) == answer.status, path
    assert set(PATHS.values()) == set(town.process.door.calls)


@KINDS
async def test_a_refusal_has_its_reason(town, links, kind):
    """As gRPC has it, with all that a program needs; in JSON whatever the request was in."""
    rosie = await links.account()
    answer = await rosie.call(pb.GetMatchRequest(match="h-aaaaaaaaaa"), kind)

    assert (404, JSON) == (answer.status, answer.headers["content-type"])
    assert "not_found" == answer.json()["code"]
    assert "there is no match 'h-aaaaaaaaaa'" == answer.json()["message"]
    assert "UNKNOWN_MATCH" == answer.reason
    assert ("bree", {"match": "h-aaaaaaaaaa"}) == (answer.info.domain, dict(answer.info.metadata))
    assert "ERROR_REASON_UNKNOWN_MATCH" == answer.json()["details"][0]["debug"]["reason"]


def test_every_reason_has_a_status_of_http():
    """None of them is left to chance."""
    assert {code.name.lower() for code in CODES.values()} <= set(connect.STATUSES)


@pytest.mark.parametrize("town", [{"calls_burst": 3, "calls_a_second": 0.01}], indirect=True)
async def test_limits_are_those_of_grpc(town, links):
    """Out of one bucket."""
    sam = await town.account()
    link = links.nobody(token=sam.token)
    await sam.ask(pb.GetAccountRequest())
    await link.tell(pb.GetAccountRequest())
    await link.tell(pb.GetAccountRequest())
    answer = await link.call(pb.GetAccountRequest())

    assert (429, "RATE_LIMITED") == (answer.status, answer.reason)
    assert int(answer.info.metadata["retry_after_ms"]) > 0
    assert "RATE_LIMITED" == await reason(sam.ask(pb.GetAccountRequest()))


@pytest.mark.parametrize("town", [{"wrong_tokens_burst": 2}], indirect=True)
async def test_guesses_are_counted_by_address(town, links):
    """Whatever the transport."""
    token = (await links.account()).token.partition(".")[0]
    told = [
        (await links.nobody(token=f"{token}.{n:043d}").call(pb.GetAccountRequest())).reason
        for n in range(3)
    ]

    assert ["UNAUTHENTICATED", "UNAUTHENTICATED", "RATE_LIMITED"] == told


async def test_calls_are_counted_as_those_of_grpc_are(town, links):
    """By the same names and labels."""
    rosie = await links.account()
    ok = {"service": "AccountService", "method": "GetAccount", "code": "OK"}
    lost = {"service": "MatchService", "method": "GetMatch", "code": "NOT_FOUND"}
    seconds = {"service": "AccountService", "method": "GetAccount"}
    refused = {"service": "MatchService", "reason": "UNKNOWN_MATCH"}
    named = {
        "bree_calls_total": [ok, lost],
        "bree_call_seconds_count": [seconds],
        "bree_refusals_total": [refused],
    }
    before = [counted(name, **labels) for name, several in named.items() for labels in several]
    await rosie.tell(pb.GetAccountRequest())
    await rosie.call(pb.GetMatchRequest(match="h-aaaaaaaaaa"))
    after = [counted(name, **labels) for name, several in named.items() for labels in several]

    assert [1, 1, 1, 1] == [b - a for a, b in zip(before, after, strict=True)]


async def test_our_own_fault_is_told_by_its_number_alone(town, links, monkeypatch):
    """And counted; the connection goes on."""
    rosie, before = await links.account(), bugs()
    call = town.process.door.calls[GET_ACCOUNT].__self__
    broken = call.method._replace(logic=lambda *_: 1 / 0)
    monkeypatch.setattr(call, "method", broken)
    answer = await rosie.call(pb.GetAccountRequest())

    assert (500, "internal", "BUG") == (answer.status, answer.json()["code"], answer.reason)
    assert "zero" not in answer.body.decode()
    assert list(answer.info.metadata) == ["incident"]
    assert before + 1 == bugs()
    monkeypatch.undo()
    assert await rosie.tell(pb.GetAccountRequest())


async def test_a_call_is_in_the_trace_that_it_names(town, links):
    """Its span says which method it was, how it ended, and what it was about."""
    spans, rosie = [], await links.account()
    parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    traces.use(traces.Sampler(spans.append))
    try:
        request = pb.GetMatchRequest(match="h-aaaaaaaaaa")
        await rosie.call(request, traceparent=parent)
        await rosie.call(request, traceparent="00-garbage")
    finally:
        traces.use(None)
    [span] = [one for one in spans if one.kind is traces.Kind.SERVER]

    assert "4bf92f3577b34da6a3ce929d0e0e4736" == span.context.trace
    assert "MatchService/GetMatch" == span.name
    assert ("NOT_FOUND", "h-aaaaaaaaaa") == (span.notes["status"], span.notes["match"])


async def test_a_deadline_that_passes_ends_the_call(town, links):
    """The caller is told, and nobody works for him any longer."""
    rosie = await links.account()
    match = await links.running_match(rosie)
    town.engine.before["GetSeatView"].append(asyncio.sleep(5))
    view = pb.GetViewRequest(match=match, seat="red")
    labels = {"service": "MatchService", "method": "GetView", "code": "CANCELLED"}
    before = counted("bree_calls_total", **labels)
    answer = await rosie.call(view, connect_timeout_ms="60")

    assert (504, "deadline_exceeded") == (answer.status, answer.json()["code"])
    assert before + 1 == counted("bree_calls_total", **labels), (
        "as gRPC counts it: no failure of ours"
    )
    assert await rosie.tell(view, connect_timeout_ms="9999999999")


@pytest.mark.parametrize("said", ["", "-1", "1.5", "1e3", "12345678901", "٣", "ten"])
async def test_a_deadline_that_is_none_is_refused(town, links, said):
    """It is no reason to wait for ever, and no bug."""
    before, rosie = bugs(), await links.account()
    answer = await rosie.call(
        pb.GetAccountRequest(), connect_timeout_ms=said.encode().decode("latin-1")
    )

    assert (200 if not said else 400) == answer.status
    assert not said or "INVALID_REQUEST" == answer.reason
    assert before == bugs()


async def test_engines_get_what_is_left_of_a_deadline(town, links, monkeypatch):
    """They work no longer than the caller waits."""
    rosie, left = await links.account(), []
    match = await links.running_match(rosie)
    view = FakeEngine.GetSeatView

    async def noting(self, request, context):
        left.append(context.time_remaining())
        return await view(self, request, context)

    monkeypatch.setattr(FakeEngine, "GetSeatView", noting)
    calls = town.process.gateway.engines
    monkeypatch.setattr(call_context, "seconds_left", lambda most, real=call_context.seconds_left: (
        left.append(real(most)) or real(most)
    ))  # fmt: skip
    await rosie.tell(pb.GetViewRequest(match=match, seat="red"), connect_timeout_ms="2500")

    assert calls
    assert any(0 < seconds <= 2.5 for seconds in left if seconds is not None)


async def test_nothing_of_a_stranger_is_read(town, links):
    """He is refused for who he is."""
    for kind in (PROTO, JSON):
        answer = await links.nobody().ask("POST", GET_MATCH, b"\xff", content_type=kind)
        assert (401, "UNAUTHENTICATED") == (answer.status, answer.reason)


@pytest.mark.parametrize("town", [{"largest_message": 5000}], indirect=True)
async def test_too_large_a_message_is_refused(town, links):
    """As it comes, and as it is without compression; the largest that may be is read."""
    rosie = await links.account()
    most, bomb = b"\x0a\x00" * 2500, gzip.compress(b"\0" * 1_000_000)
    fits = await rosie.ask("POST", GET_MATCH, most, content_type=PROTO)
    assert (400, "INVALID_REQUEST") == (fits.status, fits.reason), "an empty match"
    just = await rosie.ask("POST", GET_MATCH, most + b"\0", content_type=PROTO)
    assert (413, "resource_exhausted") == (just.status, just.json()["code"])
    packed = await rosie.ask("POST", GET_MATCH, bomb, content_type=PROTO, content_encoding="gzip")
    assert (413, "resource_exhausted") == (packed.status, packed.json()["code"])
    assert await rosie.tell(pb.GetAccountRequest())
    far = await rosie.ask("POST", GET_MATCH, most * 2, content_type=PROTO)
    assert (413, "close") == (far.status, far.headers["connection"])


@pytest.mark.parametrize(
    "kind",
    ["", "text/plain", "application/grpc", "application/x-www-form-urlencoded",
     "multipart/form-data", "application/connect+proto", "application/json; charset=latin-1",
     "application/protobuf"],
)  # fmt: skip
async def test_another_content_type_is_415(town, links, kind):
    """Which says what is taken; so no form of another site can call anything."""
    rosie = await links.account()
    answer = await rosie.ask("POST", GET_ACCOUNT, b"{}", content_type=kind)

    assert 415 == answer.status
    assert f"{PROTO}, {JSON}" == answer.headers["accept-post"]
    assert "unknown" == answer.json()["code"]


async def test_a_charset_may_be_said(town, links):
    rosie = await links.account()
    for kind in ("application/json; charset=utf-8", 'Application/JSON;charset="UTF-8"'):
        assert 200 == (await rosie.ask("POST", GET_ACCOUNT, b"{}", content_type=kind)).status


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"])
@pytest.mark.parametrize("path", [GET_ACCOUNT, WATCH, f"{GET_ACCOUNT}?connect=v1"])
async def test_another_method_of_http_is_405(town, links, method, path):
    """Also what a browser asks before it lets another site call: the answer is no."""
    answer = await links.nobody().ask(method, path, origin="https://elsewhere.example")

    assert (405, "POST") == (answer.status, answer.headers["allow"])
    assert not [name for name in answer.headers if name.startswith("access-control")]


@pytest.mark.parametrize(
    "path",
    ["/", "/bree.gateway.v1.MatchService/Nothing", "/bree.gateway.v1.Nothing/Act", "/x", "//",
     GET_ACCOUNT + "/", GET_ACCOUNT.lower(), "/grpc.health.v1.Health/Check"],
)  # fmt: skip
async def test_an_unknown_method_is_404(town, links, path):
    """In the words of the protocol."""
    answer = await links.nobody().ask("POST", path, b"{}", content_type=JSON)

    assert (404, "unimplemented") == (answer.status, answer.json()["code"])


async def test_an_unknown_coding_is_told(town, links):
    rosie = await links.account()
    answer = await rosie.ask("POST", GET_ACCOUNT, b"", content_type=PROTO, content_encoding="br")

    assert (501, "unimplemented") == (answer.status, answer.json()["code"])


@KINDS
async def test_requests_may_be_compressed(town, links, kind):
    rosie = await links.account()
    body = gzip.compress(b"{}" if kind == JSON else b"")
    answer = await rosie.ask("POST", GET_ACCOUNT, body, content_type=kind, content_encoding="gzip")

    assert read(pb.GetAccountRequest(), answer, kind).account.name


@KINDS
async def test_large_answers_are_compressed_for_those_who_take_it(town, links, kind):
    """And small ones for nobody."""
    rosie = await links.account()
    for _ in range(12):
        await rosie.tell(pb.CreateMatchRequest(game="hopscotch"))
    request = pb.ListMatchesRequest(game="hopscotch")
    plain = await rosie.call(request, kind)
    packed = await rosie.call(request, kind, accept_encoding="br, gzip")
    unwanted = await rosie.call(request, kind, accept_encoding="gzip;q=0")
    small = await rosie.call(pb.GetAccountRequest(), kind, accept_encoding="gzip")

    assert "gzip" == packed.headers["content-encoding"]
    assert len(packed.body) < len(plain.body) / 2
    assert zlib.decompress(packed.body, 31) == plain.body == unwanted.body
    assert not {"content-encoding"} & {*plain.headers, *unwanted.headers, *small.headers}
    assert "accept-encoding" == plain.headers["vary"]


async def test_no_answer_may_be_kept_or_shown(town, links):
    """Whatever it is: an answer, a refusal, an unknown method."""
    rosie = await links.account()
    answers = [
        await rosie.call(pb.GetAccountRequest()),
        await rosie.call(pb.GetMatchRequest(match="h-aaaaaaaaaa")),
        await rosie.ask("POST", "/nothing"),
        await rosie.ask("GET", GET_ACCOUNT),
    ]
    for answer in answers:
        said = answer.headers
        assert "no-store" == said["cache-control"]
        assert "nosniff" == said["x-content-type-options"]
        assert "default-src 'none'; frame-ancestors 'none'" == said["content-security-policy"]


async def test_many_calls_at_once(town, links):
    """Each gets its own answer."""
    people = [await links.account() for _ in range(20)]
    names = [(await one.tell(pb.GetAccountRequest())).account.name for one in people]

    async def often(link, name):
        for _ in range(25):
            assert name == (await link.tell(pb.GetAccountRequest())).account.name

    assert 20 == len(set(names))
    await asyncio.gather(*map(often, people, names))


async def test_who_hangs_up_is_not_worked_for(town, links):
    """His call is cancelled, and that is no bug."""
    rosie, before = await links.account(), bugs()
    match = await links.running_match(rosie)
    labels = {"service": "MatchService", "method": "GetView", "code": "CANCELLED"}
    cancelled = counted("bree_calls_total", **labels)
    town.engine.before["GetSeatView"].append(asyncio.sleep(30))
    view = pb.GetViewRequest(match=match, seat="red")
    calling = asyncio.ensure_future(rosie.call(view))
    await asyncio.sleep(0.1)
    calling.cancel()
    rosie.close()
    await until(lambda: counted("bree_calls_total", **labels) > cancelled)

    assert before == bugs()
