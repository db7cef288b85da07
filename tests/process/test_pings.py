"""Pings of HTTP/2: allowed ones keep a silent stream, and gRPC knows every option that is set."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest
from grpc._cython import cygrpc

from bree.process.server import PING_MS
from tests.process.silence import held

ROOT = Path(__file__).parents[2]
OPTION = re.compile(r'"(grpc\.[a-z0-9_.]+)"')


def options_set():
    """Every option of gRPC that this project's programs name."""
    rooms = ("bree", "gateway", "services", "workers")
    files = [path for room in rooms for path in (ROOT / room).rglob("*.py")]
    return {name for path in files for name in OPTION.findall(path.read_text("utf-8"))}


@pytest.mark.parametrize("name", sorted(options_set()))
def test_every_option_is_one_of_grpcs(name):
    """GRPC takes any name and says nothing of those that it does not know."""
    library = Path(cygrpc.__file__).read_bytes()

    assert f"{name}\0".encode() in library


def test_an_option_that_is_none_would_be_found():
    """The names that gRPC knows are not found by chance."""
    library = Path(cygrpc.__file__).read_bytes()

    assert b"grpc.http2.min_recv_ping_interval_without_data_ms\0" not in library
    assert "grpc.http2.min_ping_interval_without_data_ms" in options_set()


@pytest.fixture(scope="module")
def endings():
    """What became of two silent streams with pings a second apart, by what their servers allow."""

    async def both():
        return await asyncio.gather(*(held(4.5, 1000, allowed) for allowed in (500, 60_000)))

    return asyncio.run(both())


def test_a_silent_stream_with_allowed_pings_lasts(endings):
    """A tenth of the true times: half a second between pings is allowed."""
    assert "open" == endings[0]


def test_pings_that_are_too_many_are_not_borne(endings):
    """So the test above has seen the limit at work."""
    assert "Too many pings" == endings[1]


def test_the_true_allowance_is_twice_what_is_told():
    """`docs/gateway.md` tells one ping in ten seconds; it may be early by half of that."""
    told = (ROOT / "docs/gateway.md").read_text("utf-8")

    assert "at most one in ten seconds" in told
    assert 5_000 == PING_MS
