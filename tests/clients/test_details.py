"""What a refusal says is read as googleapis' own messages write it."""

from __future__ import annotations

import pytest
from google.protobuf.any_pb2 import Any
from google.rpc import error_details_pb2, status_pb2

from bree.client.details import METADATA, Info, infos


def carried(*details):
    """The last metadata of a call that was refused with these details."""
    status = status_pb2.Status(code=9, message="No.")
    for detail in details:
        packed = Any()
        packed.Pack(detail)
        status.details.append(packed)
    return {METADATA: status.SerializeToString()}


def test_every_part_of_an_info_is_read():
    """The reason, whose it is, and each thing that it concerns."""
    told = error_details_pb2.ErrorInfo(
        reason="ERROR_REASON_RATE_LIMITED", domain="bree",
        metadata={"retry_after_ms": "250", "limit": "für alle", "empty": ""},
    )  # fmt: skip
    expected = Info(
        "bree", "ERROR_REASON_RATE_LIMITED",
        {"retry_after_ms": "250", "limit": "für alle", "empty": ""},
    )  # fmt: skip

    assert [expected] == list(infos(carried(told)))


def test_other_details_are_passed_over():
    """A gateway of a later time may say more."""
    first = error_details_pb2.ErrorInfo(reason="ONE", domain="elsewhere")
    second = error_details_pb2.ErrorInfo(reason="TWO", domain="bree")
    details = error_details_pb2.RetryInfo(), first, error_details_pb2.DebugInfo(), second

    assert ["ONE", "TWO"] == [info.reason for info in infos(carried(*details))]


@pytest.mark.parametrize(
    "data", [b"", b"\xff\xff", b"\x1a\x05abc", b"\x1a\x02\xff\xff", "text"], ids=repr
)
def test_what_cannot_be_read_is_no_info(data):
    """The code and the sentence of the refusal are still there."""
    assert [] == list(infos({METADATA: data}))


def test_a_call_without_details_has_none():
    """A network that fails gives none."""
    assert [] == list(infos({}))
