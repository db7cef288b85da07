"""One's own data and programs over HTTP, as a page or a script meets them."""

from __future__ import annotations

import io
import tarfile

from bree.gateway.v1 import gateway_pb2 as pb
from bree.gateway.v1 import personal_pb2 as personal
from bree.gateway.v1 import programs_pb2 as programs
from tests.gateway.door.http_client import JSON
from tests.gateway.door.test_calls import KINDS


async def pieces(stream):
    """What comes on it, up to its end."""
    found = []
    while (said := await stream.next()) is not None:
        found.append(said.data)
    return b"".join(found)


@KINDS
async def test_the_file_comes_in_pieces(links, kind):
    """In JSON each is base64; together they are the archive."""
    rosie = await links.account()
    stream = await links.again(rosie).stream(personal.ExportDataRequest(), kind)
    data = await pieces(stream)

    assert {} == stream.last
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        assert ["README.txt", "account.json"] == archive.getnames()[:2]
    again = await links.again(rosie).stream(personal.ExportDataRequest(), kind)
    assert b"" == await pieces(again)
    assert "resource_exhausted" == again.last["error"]["code"]


async def test_leaving_and_staying_in_json(links):
    """A page is told when, and what to do about it."""
    rosie = await links.account()
    await rosie.tell(programs.SetWishesRequest(wishes={"no_bots": True}), JSON)
    assert (await rosie.tell(programs.GetWishesRequest(), JSON)).wishes.no_bots
    left = await rosie.tell(personal.DeleteAccountRequest(reason="I have no time."), JSON)
    shown = await rosie.tell(pb.GetAccountRequest(), JSON)
    refused = await rosie.call(pb.ListMatchesRequest(), JSON)

    assert left.leave_time == shown.account.leave_time
    assert 403 == refused.status
    stays = await rosie.tell(personal.KeepAccountRequest(), JSON)
    assert not stays.account.HasField("leave_time")
