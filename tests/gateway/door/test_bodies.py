"""Bodies that are no requests, of a kind that is not taken, or too large."""

from __future__ import annotations

import gzip
import tracemalloc

import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from gateway.door import connect
from tests.gateway.door.http_client import JSON, PROTO
from tests.gateway.door.test_calls import GET_ACCOUNT, GET_MATCH, bugs

BAD_BODIES = {
    "no message": (PROTO, b"\xff\xff\xff", {}),
    "no JSON": (JSON, b"{", {}),
    "nothing": (JSON, b"", {}),
    "no object": (JSON, b"[1]", {}),
    "a word": (JSON, b'"match"', {}),
    "a number": (JSON, b"1" * 5000, {}),
    "no text": (JSON, b"\xff\xfe{}", {}),
    "an unknown field": (JSON, b'{"mach": "h-aaaaaaaaaa"}', {}),
    "a field twice": (JSON, b'{"match": "a", "match": "b"}', {}),
    "a wrong kind": (JSON, b'{"match": 7}', {}),
    "a wrong kind within": (JSON, b'{"match": {"a": []}}', {}),
    "a half character": (JSON, b'{"match": "\\ud800"}', {}),
    "too deep": (JSON, b'{"match": ' + b"[" * 100_000, {}),
    "deep and closed": (JSON, b'{"match": ' + b"[" * 5000 + b"]" * 5000 + b"}", {}),
    "not compressed": (PROTO, b"plain", {"content_encoding": "gzip"}),
    "another version": (PROTO, b"", {"connect_protocol_version": "2"}),
}


@pytest.mark.parametrize("name", BAD_BODIES)
async def test_a_body_that_is_none_is_refused(town, links, name):
    """With its reason, never as our fault; the connection goes on."""
    kind, body, headers = BAD_BODIES[name]
    before, rosie = bugs(), await links.account()
    answer = await rosie.ask("POST", GET_MATCH, body, content_type=kind, **headers)

    assert (400, "INVALID_REQUEST") == (answer.status, answer.reason), answer
    assert before == bugs()
    assert await rosie.tell(pb.GetAccountRequest())


NOTHING_PACKED = gzip.compress(b"", mtime=0)  # for tests are known by what they take


@pytest.mark.parametrize("body", [NOTHING_PACKED[:-4], NOTHING_PACKED + b"more", b"", b"x"])
async def test_what_is_not_quite_compressed_is_refused(town, links, body):
    """Though all that can be read of it would be a request."""
    rosie = await links.account()
    answer = await rosie.ask("POST", GET_ACCOUNT, body, content_type=PROTO, content_encoding="gzip")

    assert (400, "INVALID_REQUEST") == (answer.status, answer.reason)


def test_what_grows_without_end_is_not_unpacked():
    """A few bytes may stand for very many."""
    bomb = gzip.compress(b"\0" * 30_000_000)
    tracemalloc.start()
    with pytest.raises(connect.Wrong):
        connect.unpacked(bomb, 1000)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert most < 3_000_000
