"""Pictures of ratings, at addresses of their own: `/a/NAME/GAME.svg?pace=live`.

Design. They are fetched as pictures of matches are, with the same guard, limits, refusals and
metrics. What they show is for everyone, so a cookie says nothing here, and any cache may keep them
for a minute; by its tag one is asked for again.
"""

from __future__ import annotations

import time
from functools import partial

from bree.gateway.v1 import profiles_pb2 as profiles
from bree.process.outcomes import Outcomes
from gateway import call_context
from gateway.door import connect, shields
from gateway.door.callers import Callers
from gateway.door.calls import FAILED
from gateway.door.connect import Wrong
from gateway.door.files import ALLOW, TEXT
from gateway.door.message import Pairs, Reply, Request
from gateway.door.pictures import KINDS, bare, failed
from gateway.methods import Access, Method
from gateway.pictures.curves import Curves, ShownCurve, is_curve, wanted_curve
from gateway.pictures.studio import Unable

PATH = "/bree.gateway.v1.Pictures/GetRatingPicture"
"""What these calls are called in metrics, logs and limits."""

PRICE = 6
FOR_A_MINUTE = b"public, max-age=60"


def methods(curves: Curves) -> tuple[Method, ...]:
    """These pictures as methods, so that callers are let in as they are to others."""
    asked = profiles.GetRatingHistoryRequest
    return (Method(PATH, asked, Access.LOOKER, curves.show, streams=False, price=PRICE),)


class RatingPictures:
    """Answers those who want pictures of ratings."""

    def __init__(self, curves: Curves, callers: Callers) -> None:
        self.curves, self.callers = curves, callers
        self.outcomes = Outcomes(PATH)

    def has(self, path: str) -> bool:
        """Whether a request is for such a picture."""
        return is_curve(path)

    async def answer(self, request: Request, reply: Reply, more: Pairs) -> None:
        """Give a picture, or say why there is none."""
        if request.method not in {"GET", "HEAD"}:
            await reply.whole(405, TEXT, b"this can only be read\n", ALLOW + more)
            return
        began = time.perf_counter()
        is_sampled = self.outcomes.arrive(None)
        try:
            shown = await self._shown(request)
        except BaseException as error:
            told = failed(self.outcomes, error, began)
            if told is None:
                raise
            status, said = told
            await reply.whole(status, FAILED, connect.written(said), more)
            return
        self.outcomes.answered(began, is_sampled=is_sampled)
        await _give(shown, reply, more)

    async def _shown(self, request: Request) -> ShownCurve:
        asked = wanted_curve(request.path)
        call_context.note_deadline(None)
        token = self.callers.token_to_look(request) if "authorization" in request.headers else ""
        await self.callers.admission.admit(PATH, token, partial(self.callers.address, request))
        has = {bare(one) for one in request.header("if-none-match").split(",")}
        try:
            return await self.curves.show(call_context.account.get(), asked, has)
        except Unable as unable:
            raise Wrong("unimplemented", str(unable)) from None


async def _give(shown: ShownCurve, reply: Reply, more: Pairs) -> None:
    more += ((b"cache-control", FOR_A_MINUTE), (b"etag", b'W/"%b"' % shown.tag.encode()))
    if not shown.body:
        await reply.whole(304, shields.PICTURE, more=more)
        return
    wanted = shown.wanted
    name = f'inline; filename="{wanted.account.replace(":", "-")}-{wanted.game}.{wanted.form}"'
    more += ((b"content-type", KINDS[wanted.form]), (b"content-disposition", name.encode()))
    await reply.whole(200, shields.PICTURE, shown.body, more)
