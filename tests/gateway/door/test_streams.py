"""Streams over Connect: steps, beats, refusals within, and whoever goes away or reads slowly."""

from __future__ import annotations

import asyncio
import gzip
import socket
import time

import pytest
from prometheus_client import REGISTRY

from bree.gateway.v1 import gateway_pb2 as pb
from gateway import servicers
from tests.gateway.door.http_client import JSON, PROTO
from tests.gateway.door.test_calls import KINDS, WATCH, bugs
from tests.gateway.town import until


def revisions(told):
    return [step.standing.revision for step in told]


def open_streams(town):
    return sum(map(len, town.process.gateway.streams._open.values()))


@KINDS
async def test_a_match_is_watched_to_its_end(town, links, kind):
    """Step by step, and then the stream says that all went well."""
    rosie = await links.account()
    match = await links.running_match(rosie, length=3)
    stream = await links.again(rosie).stream(pb.WatchMatchRequest(match=match), kind)
    assert 200 == stream.head.status
    assert f"application/connect+{kind.rpartition('/')[2]}" == stream.head.headers["content-type"]
    told = [await stream.next()]
    for _ in range(3):
        town.count(match)
        told.append(await stream.next())
    assert await stream.next() is None

    assert [0, 1, 2, 3] == revisions(told)
    assert told[-1].standing.outcome.scores
    assert {} == stream.last
    assert "no" == stream.head.headers["x-accel-buffering"]


async def test_a_stream_begins_before_it_has_something_to_tell(town, links):
    """Nobody has to guess whether he is listening."""
    rosie = await links.account()
    stream = await rosie.stream(pb.ListenQuestionsRequest())

    assert 200 == stream.head.status


async def test_beats_are_those_of_grpc(town, links, monkeypatch):
    """At once, and whenever nothing happens for so long; never more often than is allowed."""
    monkeypatch.setattr(servicers, "LEAST_BEAT_MS", 30)
    rosie = await links.account()
    match = await links.running_match(rosie)
    stream = await links.again(rosie).stream(pb.WatchMatchRequest(match=match, beat_ms=1))
    assert pb.WatchMatchResponse() == await stream.next()
    assert (await stream.next()).HasField("standing")
    began = time.monotonic()
    for _ in range(3):
        assert pb.WatchMatchResponse() == await stream.next()

    # Two gaps lie wholly in between; the first began before this looked at the clock.
    assert 2 * 0.03 <= time.monotonic() - began
    town.count(match)
    while not (step := await stream.next()).HasField("standing"):
        pass
    assert 1 == step.standing.revision


@KINDS
async def test_a_refusal_comes_at_the_end(town, links, kind):
    """The status is 200, as the protocol has it; the reason is in the last envelope."""
    rosie = await links.account()
    for link, request, reason in (
        (rosie, pb.WatchMatchRequest(match="h-aaaaaaaaaa"), "UNKNOWN_MATCH"),
        (links.nobody(), pb.WatchMatchRequest(match="h-aaaaaaaaaa"), "UNAUTHENTICATED"),
    ):
        stream = await link.stream(request, kind)
        assert [] == await stream.rest()
        assert (200, reason) == (stream.head.status, stream.reason)


@pytest.mark.parametrize("town", [{"most_streams": 1}], indirect=True)
async def test_streams_are_counted_and_freed(town, links):
    """A second one is too many; when the first one's reader has hung up, there is room."""
    rosie = await links.account()
    match = await links.running_match(rosie)
    gauge = {"method": "WatchMatch"}
    before = REGISTRY.get_sample_value("bree_streams", gauge) or 0
    watch, faults = pb.WatchMatchRequest(match=match), bugs()
    first = links.again(rosie)
    stream = await first.stream(watch)
    await stream.next()
    assert before + 1 == REGISTRY.get_sample_value("bree_streams", gauge)
    refused = await links.again(rosie).stream(watch)
    assert [] == await refused.rest()
    assert "LIMIT_REACHED" == refused.reason
    first.close()
    await until(lambda: not open_streams(town))
    await until(lambda: before == REGISTRY.get_sample_value("bree_streams", gauge))
    again = await links.again(rosie).stream(watch)

    assert await again.next()
    assert faults == bugs()


async def test_a_token_that_is_replaced_ends_its_streams(town, links):
    """In the middle, with the reason; the connection serves further calls."""
    rosie = await links.account()
    link = links.again(rosie)
    stream = await link.stream(pb.ListenQuestionsRequest())
    await until(lambda: open_streams(town))
    new = (await rosie.tell(pb.RotateTokenRequest())).token
    assert [] == await stream.rest()
    assert "UNAUTHENTICATED" == stream.reason
    link.token = new

    assert await link.tell(pb.GetAccountRequest())


async def test_a_deadline_that_passes_ends_a_stream(town, links):
    """It says so, and frees what it held."""
    rosie = await links.account()
    stream = await rosie.stream(pb.ListenQuestionsRequest(), connect_timeout_ms="80")
    assert [] == await stream.rest()

    assert "deadline_exceeded" == stream.last["error"]["code"]
    assert not open_streams(town)


async def test_large_messages_are_compressed_for_those_who_take_it(town, links):
    """Each for itself; small ones are not."""
    rosie = await links.account()
    match = await links.running_match(rosie, length=99)
    town.count(match, 80)
    watch = pb.WatchMatchRequest(match=match)
    stream = await rosie.stream(watch, JSON, connect_accept_encoding="gzip")
    plain = await links.again(rosie).stream(watch, JSON)
    assert "gzip" == stream.head.headers["connect-content-encoding"]
    assert await stream.next() == await plain.next()
    town.count(match)
    assert await stream.next() == await plain.next()

    assert ([1, 0], [0, 0]) == (stream.flags, plain.flags)


def enveloped(data, flags=0, size=None):
    return bytes((flags,)) + (len(data) if size is None else size).to_bytes(4, "big") + data


BAD = {
    "nothing": b"",
    "half a head": b"\0\0\0",
    "shorter than it says": enveloped(b"\x0a", size=2),
    "longer than it says": enveloped(b"\x0a\x00", size=1),
    "two messages": enveloped(b"") * 2,
    "an end": enveloped(b"{}", flags=2),
    "unknown flags": enveloped(b"", flags=0x40),
    "compressed with nothing": enveloped(gzip.compress(b"", mtime=0), flags=1),
    "garbage": enveloped(b"\xff\xff"),
}


@pytest.mark.parametrize("name", BAD)
async def test_a_request_that_is_none_is_refused(town, links, name):
    """With its reason at the end, never as our fault."""
    rosie, before = await links.account(), bugs()
    kind = "application/connect+proto"
    answer = await rosie.ask("POST", WATCH, BAD[name], content_type=kind)

    assert 200 == answer.status
    assert 2 == answer.body[0]
    assert b'"INVALID_REQUEST"' in answer.body.replace(b"ERROR_REASON_", b"")
    assert before == bugs()


@pytest.mark.parametrize("town", [{"largest_message": 5000}], indirect=True)
async def test_too_large_a_request_is_refused(town, links):
    rosie = await links.account()
    kind = {"content_type": "application/connect+proto", "connect_content_encoding": "gzip"}
    bomb = enveloped(gzip.compress(b"\0" * 100_000), flags=1)
    for body in (bomb, enveloped(b"", size=6000)):
        answer = await rosie.ask("POST", WATCH, body, **kind)
        assert b'"code":"resource_exhausted"' in answer.body


async def test_a_request_may_be_compressed(town, links):
    rosie = await links.account()
    match = await links.running_match(rosie)
    data = pb.WatchMatchRequest(match=match).SerializeToString()
    said = {"content-type": "application/connect+proto", "connect-content-encoding": "gzip"}
    body = enveloped(gzip.compress(data), flags=1)
    link = links.again(rosie)
    await link.send(link.request("POST", WATCH, body, said))

    assert 200 == (await link.head()).status
    assert 0 == (await anext(link.pieces()))[0]


@pytest.mark.parametrize("kind", [PROTO, JSON, "application/connect+xml"])
async def test_a_stream_is_asked_for_in_its_own_form(town, links, kind):
    rosie = await links.account()
    answer = await rosie.ask("POST", WATCH, b"", content_type=kind)

    assert 415 == answer.status
    assert "application/connect+proto, application/connect+json" == answer.headers["accept-post"]


@pytest.mark.parametrize("town", [{"stall_seconds": 1.2}], indirect=True)
async def test_a_reader_who_takes_nothing_fills_no_memory(town, links, monkeypatch):
    """What he is told waits where it is made; and after a while he is hung up on."""
    rosie = await links.account()
    made = 0

    async def endless(account, request):
        nonlocal made
        with town.process.gateway.streams.open(account, object()):
            while True:
                made += 1
                yield pb.WatchMatchResponse(events=[{"sentence": "x" * 100_000}])

    call = town.process.door.calls[WATCH].__self__
    monkeypatch.setattr(call, "method", call.method._replace(logic=endless))
    deaf = socket.socket()
    deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    deaf.setblocking(False)
    loop = asyncio.get_running_loop()
    await loop.sock_connect(deaf, ("127.0.0.1", town.process.door.port))
    said = {"content-type": "application/connect+proto"}
    await loop.sock_sendall(deaf, rosie.request("POST", WATCH, enveloped(b""), said))
    await until(lambda: open_streams(town))
    await asyncio.sleep(0.3)
    reached = made
    await asyncio.sleep(0.3)

    assert 0 < reached == made < 100
    await until(lambda: not open_streams(town))
    deaf.close()


async def test_streams_end_when_the_gateway_stops(town, links):
    """Each with the reason; and the door is closed then."""
    rosie = await links.account()
    link = links.again(rosie)
    stream = await link.stream(pb.ListenQuestionsRequest())
    await until(lambda: open_streams(town))
    stopping = asyncio.ensure_future(town.process.stop())
    assert [] == await stream.rest()

    assert "UNAVAILABLE" == stream.reason
    assert "gateway is stopping" in stream.last["error"]["message"]
    assert await link.is_closed()
    await stopping
    town.processes.clear()
