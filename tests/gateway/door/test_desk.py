"""The host's desk over HTTP: shut to everybody but an admin, whatever he has to show."""

from __future__ import annotations

import pytest

from bree.gateway.v1 import desk_pb2 as desk
from bree.gateway.v1 import gateway_pb2 as pb
from tests.gateway.desk import ADMIN, TOWN, until
from tests.gateway.door.http_client import JSON, PROTO
from tests.gateway.test_bad_input import desk_requests
from tests.gateway.town import METHODS, PATHS

DESK = [one for one in METHODS.values() if one.containing_service.name == "DeskService"]


@pytest.mark.parametrize("town", [TOWN], indirect=True)
@pytest.mark.parametrize("kind", [PROTO, JSON])
async def test_the_desk_is_shut_to_everybody_else(town, links, kind):
    """Each of its methods, with a good request: to a player, to nobody, and to a worker."""
    rosie = await links.account()
    worker = links.nobody(token=town.worker().token)
    given = desk_requests("h-0000000000")
    told = set()
    for method in DESK:
        body = b"{}" if kind == JSON else b""
        assert method.name in given or not method.input_type.fields
        for link, status, reason in (
            (rosie, 403, "NOT_ALLOWED"),
            (worker, 401, "UNAUTHENTICATED"),
            (links.nobody(), 401, "UNAUTHENTICATED"),
        ):
            path = PATHS[method.input_type.full_name]
            answer = await link.ask("POST", path, body, content_type=kind)
            assert (status, reason) == (answer.status, answer.reason), method.name
            told.add((status, answer.json()["message"]))

    assert 23 == len(DESK)
    assert {
        (403, "this is for the host of the platform"),
        (401, "a valid token is needed"),
    } == told


@pytest.mark.parametrize("town", [TOWN], indirect=True)
async def test_an_admin_does_his_work_over_http(town, links):
    """In JSON, as a page does it."""
    admin = links.nobody()
    made = await admin.tell(pb.CreateAccountRequest(name=ADMIN), JSON)
    admin.token = made.token
    posted = desk.PostNoticeRequest(text="Hear, hear.", until=until(), why="Because.")
    given = await admin.tell(posted, JSON)
    rosie = await links.account()
    listed = await rosie.tell(desk.ListNoticesRequest(), JSON)

    assert [given.notice] == list(listed.notices)
    lines = (await admin.tell(desk.ListAuditRequest(), JSON)).lines
    assert ["notice to everybody: Hear, hear."] == [line.what for line in lines]
