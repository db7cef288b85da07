"""A page that listens to its news, as a browser does."""

from __future__ import annotations

import asyncio

from bree.engine.v1.errors_pb2 import ErrorReason
from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.statuses import PREFIX
from gateway.documents import News


class Page:
    """What a browser knows by its stream."""

    def __init__(self, caller, **given):
        self.caller = caller
        self.name = given.setdefault("stream", "tab")
        self.stream = caller.stream(pb.ListenNewsRequest(**given))
        self.heard = []

    async def next(self, kind="", patience=10):
        """The next piece of news, of a kind if one is named; others are kept aside."""
        async with asyncio.timeout(patience):
            while True:
                said = await self.stream.next()
                assert said is not None, "the stream ended"
                which = said.WhichOneof("news")
                if kind in ("", which):
                    return getattr(said, which)
                self.heard.append(said)

    async def steps(self, match, to, seat=""):
        """The steps of a match up to a revision."""
        found = []
        while not found or found[-1].standing.revision < to:
            said = await self.next("step")
            if (said.match, said.seat) == (match, seat):
                found.append(said.step)
        return found

    async def change(self, **given):
        await self.caller.ask(pb.ChangeNewsRequest(stream=self.name, **given))

    async def quiet(self, seconds=0.2):
        """Whether nothing more comes."""
        return await self.stream.silent(seconds)


def follow(match, seat="", after=0, head=""):
    return pb.FollowedMatch(match=match, seat=seat, after_revision=after, head=head)


async def opened(caller, **given):
    page = Page(caller, **given)
    return page, await page.next("start")


async def listening(*processes):
    """Wait until gateways hear what others tell."""
    for process in processes:
        names = process.gateway.news_subscriber.names
        names._known["probe"] = ("probe", float("inf"))
        while "probe" in names._known:
            await process.gateway.store.tell(News("named", more="probe"))
            await asyncio.sleep(0.02)


def why(unfollowed):
    return ErrorReason.Name(unfollowed.reason).removeprefix(PREFIX)


def streams_of(process):
    return process.gateway.news_subscriber.news._open
