"""What has an address of its own and is the same for everyone: how it is asked for and given.

Design. It is fetched with GET and has headers as files have them; else it is a call, with the same
guard, limits, prices, refusals and metrics. Since everyone is shown the same, a cookie says nothing
here, and caches may keep it for a while; by its tag it is asked for again.
"""

from __future__ import annotations

import gzip
import time
from abc import ABC, abstractmethod
from collections.abc import Collection
from functools import partial
from typing import NamedTuple

from bree.process.outcomes import Outcomes
from gateway import call_context
from gateway.documents import Account
from gateway.door import connect
from gateway.door.callers import Callers
from gateway.door.calls import FAILED
from gateway.door.files import ALLOW, TEXT
from gateway.door.message import Headers, Pairs, Reply, Request, accepts
from gateway.door.pictures import bare, failed

WORTH_PACKING, PACKED = 1024, 6


class Given(NamedTuple):
    """What is given; without a body if the caller has it."""

    kind: bytes
    name: str  # as a file
    tag: str
    body: bytes


class Looks(ABC):
    """One kind of what may be looked at."""

    path: str
    """What these calls are called in metrics, logs and limits."""

    headers: Headers
    keep: bytes
    """For how long caches may keep it."""

    def __init__(self, callers: Callers) -> None:
        self.callers = callers
        self.outcomes = Outcomes(self.path)

    @abstractmethod
    def has(self, path: str) -> bool:
        """Whether a request is for this."""

    @abstractmethod
    def check(self, path: str) -> None:
        """Refuse what makes no sense, whoever asks."""

    @abstractmethod
    async def given(self, account: Account, path: str, has: Collection[str]) -> Given:
        """What is given to somebody who has those with these tags."""

    async def answer(self, request: Request, reply: Reply, more: Pairs) -> None:
        """Give it, or say why not."""
        if request.method not in {"GET", "HEAD"}:
            await reply.whole(405, TEXT, b"this can only be read\n", ALLOW + more)
            return
        began = time.perf_counter()
        is_sampled = self.outcomes.arrive(None)
        try:
            given = await self._given(request)
        except BaseException as error:
            told = failed(self.outcomes, error, began)
            if told is None:
                raise
            status, said = told
            await reply.whole(status, FAILED, connect.written(said), more)
            return
        self.outcomes.answered(began, is_sampled=is_sampled)
        await self._give(given, request, reply, more)

    async def _given(self, request: Request) -> Given:
        self.check(request.path)
        call_context.note_deadline(None)
        token = self.callers.token_to_look(request) if "authorization" in request.headers else ""
        address = partial(self.callers.address, request)
        await self.callers.admission.admit(self.path, token, address)
        has = {bare(one) for one in request.header("if-none-match").split(",")}
        return await self.given(call_context.account.get(), request.path, has)

    async def _give(self, given: Given, request: Request, reply: Reply, more: Pairs) -> None:
        more += (
            (b"cache-control", self.keep),
            (b"etag", b'W/"%b"' % given.tag.encode()),
            (b"vary", b"accept-encoding"),
        )
        if not given.body:
            await reply.whole(304, self.headers, more=more)
            return
        name, body = f'inline; filename="{given.name}"', given.body
        more += ((b"content-type", given.kind), (b"content-disposition", name.encode()))
        is_packed = given.kind == b"image/png" or len(body) < WORTH_PACKING
        if not is_packed and accepts(request.header("accept-encoding"), "gzip"):
            more += ((b"content-encoding", b"gzip"),)
            body = gzip.compress(body, PACKED, mtime=0)
        await reply.whole(200, self.headers, body, more)
