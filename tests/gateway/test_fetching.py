"""Asking another host: what is asked, how much of an answer is read, and for how long."""

from __future__ import annotations

import asyncio

import pytest

from gateway import fetching
from gateway.fetching import Unreached, fetch


class Host:
    """Answers everything with the same bytes, and notes what it was asked and what was taken."""

    def __init__(self, answer, *, holds=False):
        self.answer, self.holds = answer, holds
        self.asked, self.times, self.sent = b"", 0, 0

    async def __aenter__(self):
        self.server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=1 << 20)
        self.url = f"http://127.0.0.1:{self.server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_):
        self.server.close()
        await self.server.wait_closed()

    async def _serve(self, reader, writer):
        self.times += 1
        self.asked = await reader.readuntil(b"\r\n\r\n")
        try:
            for at in range(0, len(self.answer), 16384):
                writer.write(self.answer[at : at + 16384])
                await writer.drain()
                self.sent = at
            if self.holds:
                await reader.read()
        except OSError:
            pass
        finally:
            writer.transport.abort() if self.holds else writer.close()


def whole(body, head="200 OK", *more):
    lines = [f"HTTP/1.1 {head}", f"content-length: {len(body)}", *more, "", ""]
    return "\r\n".join(lines).encode() + body


async def why(answer, **given):
    async with Host(answer, **given) as host:
        with pytest.raises(Unreached) as caught:
            await fetch(host.url)
    return str(caught.value)


async def test_an_answer_is_what_came(loop):
    """By its length, in chunks, or up to the end of the connection."""
    chunked = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
    for answer in (whole(b"{}"), chunked, b"HTTP/1.1 200 OK\r\n\r\n{}"):
        async with Host(answer) as host:
            assert (200, b"{}") == await fetch(host.url)
    async with Host(whole(b"no", "404 Not Found")) as host:
        assert (404, b"no") == await fetch(host.url)


async def test_what_is_asked_is_what_was_said(loop):
    """With the query, the form and the proof; nothing compressed."""
    async with Host(whole(b"")) as host:
        await fetch(f"{host.url}/a/b?c=d", {"code": "x y&z"}, "Basic eDp5")
        head = host.asked.decode()
    assert head.startswith("POST /a/b?c=d HTTP/1.1\r\n")
    for line in ("authorization: Basic eDp5", "accept-encoding: identity", "content-length: 12"):
        assert f"\r\n{line}\r\n" in head
    async with Host(whole(b"")) as host:
        await fetch(host.url)
        assert host.asked.startswith(b"GET / HTTP/1.1\r\n")


async def test_so_much_is_read_and_no_more(loop):
    """Whatever its length is said to be, and be it all in the head."""
    much = b" " * (64 << 20)
    for answer in (
        whole(much),
        b"HTTP/1.1 200 OK\r\n\r\n" + much,
        b"HTTP/1.1 200 OK\r\nx: " + much,
    ):
        async with Host(answer) as host:
            with pytest.raises(Unreached, match="too large"):
                await fetch(host.url)
            await asyncio.sleep(0)
            assert host.sent < 16 << 20, "the rest stays where it is"


async def test_nobody_is_followed_elsewhere(loop):
    """The answer is that one is sent away."""
    async with Host(whole(b"")) as other:
        sent = whole(b"", "302 Found", f"location: {other.url}/")
        async with Host(sent) as host:
            assert (302, b"") == await fetch(host.url)
        assert 0 == other.times


async def test_an_answer_comes_in_time_or_not_at_all(loop, monkeypatch):
    monkeypatch.setattr(fetching, "SECONDS", 0.1)

    async with asyncio.timeout(20):
        assert "it takes too long" == await why(b"HTTP/1.1 200 OK\r\n", holds=True)


async def test_what_is_no_answer_is_told(loop):
    assert "it speaks no HTTP" == await why(b"SSH-2.0-x\r\n\r\n")
    assert "it hangs up" == await why(b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{}")
    assert "it hangs up" == await why(b"")
    compressed = whole(b"x", "200 OK", "content-encoding: gzip")
    assert "compressed" in await why(compressed)
    async with Host(b"") as host:
        url = host.url
    with pytest.raises(Unreached, match="ConnectionRefusedError"):
        await fetch(url)
    with pytest.raises(Unreached):
        await fetch(url.replace("http", "https"))
