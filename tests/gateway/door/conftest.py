"""Links to the door of a town."""

from __future__ import annotations

import asyncio

import pytest
import uvloop

from bree.gateway.v1 import gateway_pb2 as pb
from gateway.memory_store import MemoryStore
from tests.gateway.door.http_client import Link


@pytest.fixture
def loop():
    """The loop that gateways have."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        yield runner


@pytest.fixture
def store_of():
    """The door does not ask the store, so that one in memory is enough."""
    shared = MemoryStore()
    return lambda: shared


class Links:
    """Connections to the door, closed when a test is over."""

    def __init__(self, town):
        self.town, self.all = town, []

    def nobody(self, process=None, **given):
        link = Link((process or self.town.process).door.port, **given)
        self.all.append(link)
        return link

    async def account(self):
        """Somebody with an account."""
        link = self.nobody()
        link.token = (await link.tell(pb.CreateAccountRequest())).token
        return link

    def again(self, link):
        """Another connection of the same account."""
        return self.nobody(token=link.token)

    async def running_match(self, link, *levels, **options):
        """A match at whose first seat this account sits, and bots at the others."""
        chosen = [{"name": name, "value": str(value)} for name, value in options.items()]
        game = self.town.world.game
        made = await link.tell(pb.CreateMatchRequest(game=game, options=chosen))
        await link.tell(pb.JoinMatchRequest(match=made.match.id, seat="red"))
        for level in levels or ("novice",):
            await link.tell(pb.AddBotRequest(match=made.match.id, level=level))
        await link.tell(pb.StartMatchRequest(match=made.match.id))
        return made.match.id


@pytest.fixture
def links(town):
    made = Links(town)
    yield made
    for link in made.all:
        link.close()
