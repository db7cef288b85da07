"""Every method over Connect, as gRPC callers meet it."""

from __future__ import annotations

import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from tests.gateway.door.http_client import JSON, PROTO

KINDS = pytest.mark.parametrize("kind", [PROTO, JSON])


@KINDS
async def test_a_whole_match(town, links, kind):
    """From an account to its record, by a person and a bot."""
    rosie = links.nobody()
    made = await rosie.tell(pb.CreateAccountRequest(name="rosie"), kind)
    rosie.token = made.token
    match = await links.running_match(rosie, length=3)
    view = await rosie.tell(pb.GetViewRequest(match=match, seat="red"), kind)
    act = pb.ActRequest(
        match=match, seat="red", question=view.question.number, action="count 2", request_id="q"
    )
    assert 1 == (await rosie.tell(act, kind)).standing.revision
    town.count(match)
    town.count(match)
    record = await rosie.tell(pb.GetMatchRecordRequest(match=match), kind)

    assert record.text
    assert record.standing.outcome.scores
