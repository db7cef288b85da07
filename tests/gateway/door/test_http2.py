"""HTTP/2, and TLS, with which it is agreed on."""

from __future__ import annotations

import asyncio
import ssl
import warnings

import h2.errors
import h2.events
import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from tests.certificates import certificate
from tests.gateway.door.h2_client import H2Link, trusting
from tests.gateway.door.http_client import PROTO
from tests.gateway.door.test_calls import GET_ACCOUNT, GET_MATCH, WATCH, bugs
from tests.gateway.door.test_streams import open_streams
from tests.gateway.town import until


@pytest.fixture(scope="module")
def ours(tmp_path_factory):
    return certificate(tmp_path_factory.mktemp("tls"))


@pytest.fixture
def secured(town, loop, ours):
    """A gateway that speaks TLS."""
    pair = {"tls_certificate": str(ours.certificate), "tls_key": str(ours.key)}
    return loop.run(town.gateway(**pair))


@pytest.fixture
def plain(town, links):
    """Connections on which HTTP/2 is spoken without having been agreed on."""
    opened = []

    async def open_one(**given):
        link = await H2Link((await links.account()).token, **given).open(town.process.door.port)
        opened.append(link)
        return link

    yield open_one
    for link in opened:
        link.close()


def enveloped(request):
    data = request.SerializeToString()
    return b"\0" + len(data).to_bytes(4, "big") + data


async def test_both_versions_are_spoken_over_tls(secured, ours, links):
    """Whichever is agreed on; and nothing that is older than TLS 1.2."""
    port, tls = secured.door.port, trusting(ours.certificate)
    link = await H2Link().open(port, tls)
    made = await link.ask("POST", "/bree.gateway.v1.AccountService/CreateAccount", b"",
                          content_type=PROTO)  # fmt: skip
    token = pb.CreateAccountResponse.FromString(made.body).token
    link.token = token
    assert 200 == (await link.ask("POST", GET_ACCOUNT, b"", content_type=PROTO)).status
    link.close()
    older = ssl.create_default_context(cafile=ours.certificate)
    first = links.nobody(secured, tls=older, token=token)
    assert await first.tell(pb.GetAccountRequest())
    oldest = ssl.create_default_context(cafile=ours.certificate)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        oldest.minimum_version = ssl.TLSVersion.TLSv1
        oldest.maximum_version = ssl.TLSVersion.TLSv1_1
    with pytest.raises((ssl.SSLError, ConnectionError)):
        await links.nobody(secured, tls=oldest).open()


async def test_nobody_is_spoken_to_without_tls(secured, links):
    """He is hung up on."""
    with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
        await links.nobody(secured).ask("GET", "/healthy")


async def test_over_tls_nothing_else_is_ever_spoken_again(secured, ours, links):
    """A browser that was here once by TLS comes by nothing else."""
    link = links.nobody(secured, tls=ssl.create_default_context(cafile=ours.certificate))
    said = "strict-transport-security"
    assert "max-age=31536000" == (await link.ask("GET", "/")).headers[said]

    assert said not in (await links.nobody().ask("GET", "/")).headers


async def test_many_calls_travel_together(plain):
    """Each gets its own answer, and a stream holds up none of them."""
    link = await plain()
    stream = link.begin("POST", "/bree.gateway.v1.BotService/ListenQuestions",
                        enveloped(pb.ListenQuestionsRequest()),
                        content_type="application/connect+proto")  # fmt: skip
    asked = [pb.GetMatchRequest(match=f"h-aaaaaaaaa{n}").SerializeToString() for n in range(10)]
    numbers = [link.begin("POST", GET_MATCH, body, content_type=PROTO) for body in asked]
    answers = [await link.answer(number) for number in numbers]

    assert [f"there is no match 'h-aaaaaaaaa{n}'" for n in range(10)] == [
        answer.json()["message"] for answer in answers
    ]
    assert isinstance(await link.event(stream), h2.events.ResponseReceived)


async def test_a_stream_is_told_and_freed(plain, town, links):
    """When it is given up by its reader, the others on the connection go on."""
    link = await plain()
    other = links.nobody(token=link.token)
    match = await links.running_match(other)
    number = link.begin("POST", WATCH, enveloped(pb.WatchMatchRequest(match=match)),
                        content_type="application/connect+proto")  # fmt: skip
    assert isinstance(await link.event(number), h2.events.ResponseReceived)
    step = await link.event(number)
    assert 0 == pb.WatchMatchResponse.FromString(step.data[5:]).standing.revision
    assert 1 == open_streams(town)
    link.h2.reset_stream(number, h2.errors.ErrorCodes.CANCEL)
    link.flush()
    await until(lambda: not open_streams(town))

    assert 200 == (await link.ask("POST", GET_ACCOUNT, b"", content_type=PROTO)).status


async def test_a_connection_that_is_lost_frees_its_streams(plain, town):
    before = bugs()
    link = await plain()
    for _ in range(5):
        link.begin("POST", "/bree.gateway.v1.BotService/ListenQuestions",
                   enveloped(pb.ListenQuestionsRequest()),
                   content_type="application/connect+proto")  # fmt: skip
    await until(lambda: open_streams(town) == 5)
    link.transport.abort()
    await until(lambda: not open_streams(town))

    assert before == bugs()


@pytest.mark.parametrize("town", [{"stall_seconds": 0.6}], indirect=True)
async def test_a_reader_who_takes_nothing_is_given_up(plain, town, monkeypatch):
    """What he is told waits where it is made, and then he is told no more."""
    made = 0

    async def endless(account, request):
        nonlocal made
        with town.process.gateway.streams.open(account, object()):
            while True:
                made += 1
                yield pb.WatchMatchResponse(events=[{"sentence": "x" * 30_000}])

    call = town.process.door.calls[WATCH].__self__
    monkeypatch.setattr(call, "method", call.method._replace(logic=endless))
    link = await plain(acknowledges=False)
    number = link.begin("POST", WATCH, enveloped(pb.WatchMatchRequest()),
                        content_type="application/connect+proto")  # fmt: skip
    await until(lambda: open_streams(town))
    await until(lambda: not open_streams(town))

    assert 0 < made < 10, "65,535 bytes may be told to him before he takes any"
    with pytest.raises(ConnectionError):
        await link.answer(number)


async def test_a_large_answer_is_read_as_it_fits(plain, town, monkeypatch):
    """It is larger than the windows of the connection and of the stream."""
    call = town.process.door.calls[GET_ACCOUNT].__self__

    async def large(account, request):
        return pb.GetAccountResponse(account={"id": "x" * 400_000})

    monkeypatch.setattr(call, "method", call.method._replace(logic=large))
    link = await plain()
    answer = await link.ask("POST", GET_ACCOUNT, b"", content_type=PROTO)

    assert 400_000 == len(pb.GetAccountResponse.FromString(answer.body).account.id)


@pytest.mark.parametrize("town", [{"largest_message": 5000}], indirect=True)
async def test_too_large_a_body_is_refused(plain):
    """Before it has all come; the connection goes on."""
    link = await plain()
    answer = await link.ask("POST", GET_ACCOUNT, b"x" * 9000, content_type=PROTO)
    assert 413 == answer.status

    assert 200 == (await link.ask("POST", GET_ACCOUNT, b"", content_type=PROTO)).status


@pytest.mark.parametrize("town", [{"largest_message": 5000}], indirect=True)
async def test_bodies_that_do_not_end_fill_no_memory(plain):
    """Many requests at once may have begun; the one that is too much is given up."""
    link = await plain()
    numbers = []
    for _ in range(6):
        number = link.h2.get_next_available_stream_id()
        link.streams[number] = asyncio.Queue()
        link.h2.send_headers(number, [
            (":method", "POST"), (":scheme", "http"), (":authority", "x"), (":path", GET_ACCOUNT),
        ])  # fmt: skip
        link.h2.send_data(number, b"x" * 4900)
        link.flush()
        numbers.append(number)

    assert isinstance(await link.event(numbers[4]), h2.events.StreamReset)
    assert link.streams[numbers[0]].empty()


async def test_too_many_headers_are_refused(plain):
    link = await plain()
    many = {f"x-{n}": "y" for n in range(150)}

    assert 431 == (await link.ask("GET", "/healthy", **many)).status
    assert 200 == (await link.ask("GET", "/healthy")).status


async def test_what_is_no_http2_is_hung_up_on(town, plain):
    """With the word of the protocol for it, and no bug."""
    before, link = bugs(), await plain()
    link.transport.write(b"\0\0\0\xff" * 100)
    await asyncio.wait_for(link.is_lost.wait(), 5)

    assert link.last is not None
    assert before == bugs()


async def test_who_asks_and_gives_up_without_end_is_hung_up_on(plain):
    """An old way to make a server work for nothing."""
    link = await plain()
    for _ in range(300):
        number = link.begin("POST", GET_ACCOUNT, None, content_type=PROTO)
        link.h2.reset_stream(number)
        link.flush()
        await asyncio.sleep(0)
        if link.is_lost.is_set():
            break
    await asyncio.wait_for(link.is_lost.wait(), 5)

    assert h2.errors.ErrorCodes.ENHANCE_YOUR_CALM == link.last


@pytest.mark.parametrize("town", [{"request_seconds": 0.3, "idle_seconds": 0.3}], indirect=True)
async def test_who_takes_his_time_is_given_up(plain):
    """With a request that does not end, and with a connection on which nothing is asked."""
    link = await plain()
    number = link.h2.get_next_available_stream_id()
    link.streams[number] = asyncio.Queue()
    link.h2.send_headers(number, [
        (":method", "POST"), (":scheme", "http"), (":authority", "x"), (":path", GET_ACCOUNT),
    ])  # fmt: skip
    link.flush()
    assert isinstance(await link.event(number), h2.events.StreamReset)

    await asyncio.wait_for(link.is_lost.wait(), 5)


async def test_a_gateway_that_stops_says_so(plain, town):
    """Requests that came are answered, streams end with their reason, and then it hangs up."""
    link = await plain()
    number = link.begin("POST", "/bree.gateway.v1.BotService/ListenQuestions",
                        enveloped(pb.ListenQuestionsRequest()),
                        content_type="application/connect+proto")  # fmt: skip
    await until(lambda: open_streams(town))
    stopping = asyncio.ensure_future(town.process.stop())
    answer = await link.answer(number)

    assert b"UNAVAILABLE" in answer.body
    await asyncio.wait_for(link.is_lost.wait(), 5)
    assert h2.errors.ErrorCodes.NO_ERROR == link.last
    await stopping
    town.processes.clear()
