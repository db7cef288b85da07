"""HTTP/1.1 as it should be, and as it should not."""

from __future__ import annotations

import asyncio
import socket

import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from tests.gateway.door.http_client import PROTO
from tests.gateway.door.test_calls import GET_ACCOUNT, WATCH, bugs
from tests.gateway.town import until


async def status_of(link, data):
    """The status with which some bytes are answered, after which the connection is closed."""
    await link.send(data)
    answer = await link.answer()
    assert "close" == answer.headers["connection"]
    assert await link.is_closed()
    return answer.status


BAD = {
    "no HTTP": (b"hello\r\n\r\n", 400),
    "TLS": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\0" * 60, 400),
    "another version": (b"GET / HTTP/3.7\r\nhost: x\r\n\r\n", 400),
    "no host": (b"GET / HTTP/1.1\r\n\r\n", 400),
    "two hosts": (b"GET / HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n", 400),
    "a blank in a name": (b"GET / HTTP/1.1\r\nhost : x\r\n\r\n", 400),
    "two lengths": (
        b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab", 400,
    ),
    "a length and chunks": (
        b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\nTransfer-Encoding: chunked\r\n\r\n",
        400,
    ),
    "a length that is none": (b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n", 400),
    "a tunnel": (b"CONNECT elsewhere:443 HTTP/1.1\r\nhost: x\r\n\r\n", 400),
    "a broken chunk": (
        b"POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n", 400,
    ),
    "a bare line feed": (b"GET / HTTP/1.1\nhost: x\n\n", 400),
    "a body that is too large": (
        b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 99999999\r\n\r\n", 413,
    ),
    "a huge length": (
        b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 999999999999999999999\r\n\r\n", None,
    ),
    "a long path": (b"GET /" + b"x" * 9000 + b" HTTP/1.1\r\nhost: x\r\n\r\n", 414),
    "a large header": (b"GET / HTTP/1.1\r\nhost: x\r\na: " + b"x" * 40_000 + b"\r\n\r\n", 431),
    "many headers": (b"GET / HTTP/1.1\r\nhost: x\r\n" + b"a: b\r\n" * 200 + b"\r\n", 431),
    "headers without end": (b"GET / HTTP/1.1\r\nhost: x\r\n" + b"a: b\r\n" * 90 + b"a: ", None),
}  # fmt: skip


@pytest.mark.parametrize("name", [name for name, (_, status) in BAD.items() if status])
async def test_what_is_no_request_is_refused(town, links, name):
    """In a word; it is no bug, and the next connection is served."""
    before = bugs()
    data, status = BAD[name]

    assert status == await status_of(links.nobody(), data)
    assert before == bugs()
    assert 200 == (await links.nobody().ask("GET", "/healthy")).status


async def test_a_length_beyond_all_numbers_is_refused(town, links):
    assert await status_of(links.nobody(), BAD["a huge length"][0]) in {400, 413}


async def test_a_header_without_end_is_refused(town, links):
    """It is not gathered until the memory is full."""
    link = links.nobody()
    await link.send(BAD["headers without end"][0])
    for _ in range(40):
        link.writer.write(b"x" * 1000)
        await asyncio.sleep(0)

    assert 431 == (await link.answer()).status


@pytest.mark.parametrize("town", [{"largest_message": 5000}], indirect=True)
async def test_chunks_without_end_are_refused(town, links):
    """Whatever each of them says of itself."""
    link = links.nobody()
    await link.send(
        f"POST {GET_ACCOUNT} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n".encode()
    )
    for _ in range(60):
        link.writer.write(b"64\r\n" + b"x" * 100 + b"\r\n")

    assert 413 == (await link.answer()).status


async def test_a_request_may_come_byte_by_byte(town, links):
    """And in chunks."""
    rosie = await links.account()
    request = rosie.request("POST", GET_ACCOUNT, b"", {"content-type": PROTO})
    for byte in request:
        rosie.writer.write(bytes((byte,)))
        await rosie.writer.drain()
    assert 200 == (await rosie.answer()).status
    said = {"content-type": "application/json", "transfer-encoding": "chunked"}
    head = rosie.request("POST", GET_ACCOUNT, b"", said | {"content-length": None})
    await rosie.send(head + b"1\r\n{\r\n1;x=y\r\n}\r\n0\r\ntrailer: t\r\n\r\n")

    assert 200 == (await rosie.answer()).status


async def test_requests_sent_ahead_are_answered_in_order(town, links):
    """One after the other on a connection that goes on; more than a few are not taken."""
    link = links.nobody()
    paths = ["/healthy", "/none.txt", "/healthy"]
    await link.send(b"".join(link.request("GET", path) for path in paths))
    assert [200, 404, 200] == [(await link.answer()).status for _ in paths]
    assert 200 == (await link.ask("GET", "/healthy")).status
    await link.send(link.request("GET", "/healthy") * 1000)

    answers = [link.answer() for _ in range(1000)]
    told = await asyncio.gather(*answers[:1], return_exceptions=True)
    for rest in answers[1:]:
        rest.close()
    assert isinstance(told[0], asyncio.IncompleteReadError | ConnectionError)


async def test_an_older_client_is_answered(town, links):
    """Without chunks, and the connection is closed unless it asks for more."""
    link = links.nobody()
    await link.send(b"GET /healthy HTTP/1.0\r\n\r\n")
    assert (200, b"well\n") == ((told := await link.answer()).status, told.body)
    assert await link.is_closed()
    rosie = await links.account()
    head = f"POST {GET_ACCOUNT.replace('GetAccount', 'Nothing')} HTTP/1.0\r\nconnection: keep-alive"
    await rosie.send(head.encode() + b"\r\n\r\n")
    assert (404, "keep-alive") == (
        (told := await rosie.answer()).status,
        told.headers["connection"],
    )
    match = await links.running_match(rosie, length=1)
    data = pb.WatchMatchRequest(match=match).SerializeToString()
    body = b"\0" + len(data).to_bytes(4, "big") + data
    stream = rosie.request("POST", WATCH, body, {"content-type": "application/connect+proto"})
    old = links.nobody()
    await old.send(stream.replace(b"HTTP/1.1", b"HTTP/1.0"))
    head = await old.head()

    assert "transfer-encoding" not in head.headers
    assert "close" == head.headers["connection"]
    assert 0 == (await old.reader.readexactly(1))[0]


async def test_an_upgrade_is_not_followed(town, links):
    """Programs that ask for HTTP/2 this way are answered as they are."""
    rosie = await links.account()
    said = {"upgrade": "h2c", "connection": "Upgrade, HTTP2-Settings", "http2-settings": "AAMA"}
    for _ in range(2):
        answer = await rosie.ask(
            "POST", GET_ACCOUNT, b"{}", content_type="application/json",
            **said,
        )  # fmt: skip
        assert 200 == answer.status


async def test_who_waits_to_be_asked_for_a_body_is_asked(town, links):
    """As curl does before it sends a large one."""
    rosie = await links.account()
    said = {"content-type": "application/json", "expect": "100-continue", "content-length": "2"}
    await rosie.send(rosie.request("POST", GET_ACCOUNT, b"", said))
    assert 100 == (await rosie.head()).status
    await rosie.send(b"{}")

    assert 200 == (await rosie.answer()).status


@pytest.mark.parametrize("town", [{"request_seconds": 0.5}], indirect=True)
async def test_who_takes_his_time_is_hung_up_on(town, links):
    """Who says nothing, says half a head, or half a body."""
    silent, slow, slower = links.nobody(), links.nobody(), links.nobody()
    await silent.open()
    await slow.send(b"GET / HTTP/1.1\r\nhost:")
    await slower.send(b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nx")

    assert 408 == (await slow.answer()).status
    assert 408 == (await slower.answer()).status
    with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
        await silent.head()


@pytest.mark.parametrize("town", [{"idle_seconds": 0.3, "request_seconds": 0.3}], indirect=True)
async def test_an_idle_connection_is_closed_and_a_stream_is_not(town, links):
    """A stream may be silent for as long as nothing happens."""
    rosie = await links.account()
    listening = links.again(rosie)
    await listening.stream(pb.ListenQuestionsRequest())
    with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
        await rosie.head()
    await asyncio.sleep(2)

    assert 1 == len(town.process.door._listener.house.connections)


@pytest.mark.parametrize("town", [{"most_connections": 3}], indirect=True)
async def test_an_address_has_so_many_connections(town, links):
    """Each that is closed makes room."""
    several = [links.nobody() for _ in range(3)]
    for link in several:
        assert 200 == (await link.ask("GET", "/healthy")).status
    with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
        await links.nobody().ask("GET", "/healthy")
    several[0].close()
    house = town.process.door._listener.house
    await until(lambda: len(house.connections) == 2)

    assert 200 == (await links.nobody().ask("GET", "/healthy")).status


async def test_nothing_is_kept_of_connections_that_are_gone(town, links):
    """However they went."""
    house = town.process.door._listener.house
    for data in (b"", b"GET /", BAD["no HTTP"][0], b"GET /healthy HTTP/1.1\r\nhost: x\r\n\r\n"):
        link = await links.nobody().open()
        link.writer.write(data)
        await asyncio.sleep(0.02)
        link.writer.transport.abort()
    await until(lambda: not house.connections)

    assert {} == house.addresses


@pytest.mark.parametrize("town", [{"stall_seconds": 0.5}], indirect=True)
async def test_who_asks_to_close_and_reads_nothing_is_not_kept(town, links, monkeypatch):
    """However little of the answer waits for him."""
    rosie = await links.account()
    call = town.process.door.calls[GET_ACCOUNT].__self__

    sizes = iter((100_000, 150_000, 200_000, 2_000_000))

    async def large(account, request):
        return pb.GetAccountResponse(account={"id": "x" * next(sizes)})

    monkeypatch.setattr(call, "method", call.method._replace(logic=large))
    house, loop = town.process.door._listener.house, asyncio.get_running_loop()
    said = {"content-type": PROTO, "connection": "close"}
    for _ in range(4):
        with socket.socket() as deaf:
            deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            deaf.setblocking(False)
            await loop.sock_connect(deaf, ("127.0.0.1", town.process.door.port))
            await loop.sock_sendall(deaf, rosie.request("POST", GET_ACCOUNT, b"", said))
            await asyncio.sleep(0.1)
            await until(lambda: len(house.connections) <= 1, 5)
