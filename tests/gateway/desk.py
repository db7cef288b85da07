"""A desk in a town: an admin who sits at it, and what lies there."""

from __future__ import annotations

import time

from google.protobuf.timestamp_pb2 import Timestamp

from bree.gateway.v1 import desk_pb2 as desk
from bree.gateway.v1 import gateway_pb2 as pb

ADMIN = "Gaffer"
TOWN = {"admins": ADMIN}
WHY = "It was reported twice."


def until(seconds=3600):
    """A time that is to come."""
    return Timestamp(seconds=int(time.time() + seconds))


async def admin_of(town, process=None):
    """The admin."""
    return await town.account(ADMIN, process)


async def id_of(caller):
    return (await caller.ask(pb.GetAccountRequest())).account.id


async def audit(admin):
    """All lines of the log."""
    lines = []
    while True:
        after = lines[-1].n if lines else 0
        found = (await admin.ask(desk.ListAuditRequest(after=after, page_size=500))).lines
        if not found:
            return lines
        lines += found


async def acts(admin, about):
    """What was noted of something, in order, as what and why."""
    return [(line.what, line.why) for line in await audit(admin) if about in line.what]


async def notices(caller):
    return (await caller.ask(desk.ListNoticesRequest())).notices
