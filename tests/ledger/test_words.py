"""What is kept packed, and which URLs name a ledger."""

from __future__ import annotations

import pytest

from bree.ledger.packing import pack, unpack
from bree.ledger.settings import LedgerSettings, checked


@pytest.mark.parametrize("data", [b"", b"x", b"\x00" * 9, b"a line\n" * 5000, bytes(range(256))])
def test_what_is_packed_comes_back(data):
    """And is at most one byte longer."""
    packed = pack(data)

    assert data == unpack(packed)
    assert len(packed) <= len(data) + 1


def test_a_long_text_is_packed_small():
    """As records are."""
    assert len(pack(b"a line\n" * 5000)) < 500


@pytest.mark.parametrize("broken", [b"\x01garbage", b"\x09what is this"])
def test_what_was_not_packed_is_told(broken):
    """In a sentence, and not as whatever it may decompress to."""
    with pytest.raises(ValueError, match="packed"):
        unpack(broken)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://bree:secret@db.example:5432/bree",
        "postgres://db/bree?sslmode=require",
        "postgresql:///bree?host=/run/postgresql",
        "postgresql://[::1]:5432/bree",
    ],
)
def test_a_url_of_a_ledger_is_taken(url):
    """As PostgreSQL's own tools write it."""
    assert url == checked(url)


@pytest.mark.parametrize(
    "url",
    ["db", "redis://db/0", "postgresql://", "postgresql://db", "postgresql://db:x/bree",
     "postgresql://db:99999/bree", "postgresql:///bree", "postgresql://db/", "mysql://db/bree",
     "postgresql://u:secret@[::1/bree"],
)  # fmt: skip
def test_a_url_of_something_else_ends_the_process_with_a_sentence(url):
    """Which does not repeat it, as it may have a password."""
    with pytest.raises(ValueError, match="this is not a URL of PostgreSQL, as") as caught:
        LedgerSettings(platform_token="x" * 16, ledger_url=url)

    assert "secret" not in caught.value.errors()[0]["msg"]
