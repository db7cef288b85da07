"""The wire of the chaos is as bad as it says, and otherwise good."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager

import pytest

from tests.chaos.wire import HOST, Wire

SOON = 5.0
A_WHILE = 0.05


async def echo(reader, writer):
    """Say everything again, until the other side says no more."""
    while said := await reader.read(1000):
        writer.write(said)
        await writer.drain()
    writer.write(b"bye")
    writer.close()


@asynccontextmanager
async def echoing():
    """A wire to somebody who repeats what he hears."""
    server = await asyncio.start_server(echo, HOST, 0)
    wire = Wire("caller>echo", server.sockets[0].getsockname()[1])
    await wire.open()
    try:
        async with asyncio.timeout(SOON):
            yield wire
    finally:
        await wire.close()
        server.close()


@asynccontextmanager
async def calling(wire):
    reader, writer = await asyncio.open_connection(HOST, wire.port)
    try:
        yield reader, writer
    finally:
        writer.close()


async def said(reader, writer, text):
    """What comes back when this is said."""
    writer.write(text)
    await writer.drain()
    return await reader.readexactly(len(text))


async def is_silent(reader):
    """Whether nothing comes for a while, not even an end."""
    try:
        await asyncio.wait_for(reader.read(1), A_WHILE)
    except TimeoutError:
        return True
    return False


def run(scenario):
    """Call through a wire."""

    async def whole():
        async with echoing() as wire, calling(wire) as (reader, writer):
            await scenario(wire, reader, writer)

    asyncio.run(whole())


def test_a_good_wire_carries_every_byte_both_ways():
    """Much more than one piece comes back as it was, and the end after it."""
    text = bytes(range(256)) * 1000

    async def scenario(wire, reader, writer):
        assert text == await said(reader, writer, text)
        writer.write_eof()
        assert b"bye" == await reader.read()
        assert 2 * len(text) + 3 == wire.carried

    run(scenario)


def test_a_wire_that_delays_is_late_by_so_much():
    """There and back, the loop's own clock has gone on by twice the delay at least."""

    async def scenario(wire, reader, writer):
        wire.delay = A_WHILE
        began = asyncio.get_running_loop().time()
        await said(reader, writer, b"hello")
        assert asyncio.get_running_loop().time() - began >= 2 * A_WHILE

    run(scenario)


def test_a_wire_that_throttles_carries_no_more_than_its_rate():
    """A thousand bytes there and back at 20,000 a second take a tenth of a second."""

    async def scenario(wire, reader, writer):
        wire.rate = 20_000
        began = asyncio.get_running_loop().time()
        await said(reader, writer, bytes(1000))
        assert asyncio.get_running_loop().time() - began >= 2 * A_WHILE

    run(scenario)


def test_a_wire_that_holds_says_nothing_and_loses_nothing():
    """What is said while it holds comes when it is released."""

    async def scenario(wire, reader, writer):
        await said(reader, writer, b"before")
        wire.hold()
        writer.write(b"held")
        assert await is_silent(reader)
        wire.release()
        assert b"held" == await reader.readexactly(4)

    run(scenario)


def test_a_cut_wire_resets_its_connections_and_takes_new_ones():
    """Both sides see a reset; whoever calls again is heard."""

    async def scenario(wire, reader, writer):
        await said(reader, writer, b"before")
        wire.cut()
        with pytest.raises(ConnectionResetError):
            await reader.readexactly(1)
        async with calling(wire) as again:
            assert b"after" == await said(*again, b"after")

    run(scenario)


def test_a_wire_that_refuses_resets_whoever_calls():
    async def scenario(wire, reader, writer):
        wire.refuses = True
        async with calling(wire) as (refused, _):
            with pytest.raises(ConnectionResetError):
                await refused.readexactly(1)
        wire.mend()
        async with calling(wire) as again:
            assert b"after" == await said(*again, b"after")

    run(scenario)


def test_a_half_closed_wire_ends_towards_its_caller_and_still_carries_what_he_says():
    """The caller reads an end, though who is called neither ended nor hears one."""

    async def scenario(wire, reader, writer):
        await said(reader, writer, b"before")
        wire.half_close()
        assert b"" == await reader.read()
        writer.write(b"into the void")
        await writer.drain()
        expected = wire.carried + 2 * len(b"into the void")  # it is said, and answered to nobody
        while wire.carried < expected:  # noqa: ASYNC110  # of another task
            await asyncio.sleep(0.001)

    run(scenario)


def test_a_mended_wire_is_a_good_one():
    """Whatever it was told, it carries again, at once."""

    async def scenario(wire, reader, writer):
        wire.delay, wire.rate, wire.refuses = 1000.0, 0.001, True
        wire.hold()
        wire.mend()
        assert b"hello" == await said(reader, writer, b"hello")

    run(scenario)
