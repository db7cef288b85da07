"""The protocol of Redis: what goes out, and replies that come in pieces of any size."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bree.redis.resp import Replies, ReplyError, pack

VALUES = st.recursive(
    st.none() | st.integers(-(2**63), 2**63 - 1) | st.text(),
    lambda inner: st.lists(inner, max_size=4),
    max_leaves=10,
)


def written(value):
    """A reply as Redis sends it."""
    if value is None:
        return b"$-1\r\n"
    if isinstance(value, int):
        return b":%d\r\n" % value
    if isinstance(value, str):
        return b"$%d\r\n%s\r\n" % (len(value.encode()), value.encode())
    return b"*%d\r\n" % len(value) + b"".join(map(written, value))


def pieces(data, cuts):
    ends = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    return [data[a:b] for a, b in pairwise(ends)]


@given(st.lists(VALUES, max_size=5), st.lists(st.integers(0, 10_000), max_size=8))
def test_replies_are_found_however_they_are_cut(values, cuts):
    """Nothing is lost, invented or put in another order at the seams of packets."""
    replies, found = Replies(), []
    for piece in pieces(b"".join(map(written, values)), cuts):
        found += replies.feed(piece)

    assert values == found


@given(st.lists(st.text() | st.integers(), min_size=1, max_size=6))
def test_a_command_is_an_array_of_texts(arguments):
    """What Redis reads is what was said, in any script of people."""
    found = Replies().feed(pack(arguments))

    assert [[str(argument) for argument in arguments]] == found


def test_an_error_is_a_value_with_its_kind():
    """It belongs to one command, and others go on."""
    (error, fine) = Replies().feed(b"-NOSCRIPT No matching script\r\n+OK\r\n")

    assert isinstance(error, ReplyError)
    assert ("NOSCRIPT", "OK") == (error.kind, fine)


def test_garbage_is_refused():
    """Whatever answers here is no Redis."""
    with pytest.raises(ReplyError, match='got "H" as reply type byte'):
        Replies().feed(b"HTTP/1.1 400 Bad Request\r\n\r\n")
