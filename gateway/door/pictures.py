"""Pictures of matches, at addresses of their own: `/m/MATCH/picture.svg?at=12&width=720`.

Design. They are fetched by whatever shows pictures, so they are read with GET and have headers as
files have them. Else they are calls: the same guard, limits, prices, refusals and metrics. What
everyone may see has no need of a cookie, and so any cache may keep it; what a seat sees, none.
"""

from __future__ import annotations

import gzip
import time
from functools import partial
from typing import Any

from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.outcomes import Outcomes
from gateway import call_context
from gateway.door import connect, shields
from gateway.door.callers import Callers
from gateway.door.calls import FAILED
from gateway.door.connect import Wrong
from gateway.door.files import ALLOW, TEXT
from gateway.door.message import Pairs, Reply, Request, accepts
from gateway.methods import Access, Method
from gateway.pictures.gallery import Gallery, Shown
from gateway.pictures.studio import Unable
from gateway.pictures.wanted import FILM, Wanted, is_picture, wanted

PATHS = {
    "svg": "/bree.gateway.v1.Pictures/GetPicture",
    "png": "/bree.gateway.v1.Pictures/GetPicture",
    FILM: "/bree.gateway.v1.Pictures/GetReplay",
}
"""What these calls are called in metrics, logs and limits."""

PRICE = 2
KINDS = {"svg": b"image/svg+xml", "png": b"image/png", FILM: b"image/svg+xml"}
FOR_A_DAY, EACH_TIME, PRIVATE = (
    b"public, max-age=86400, immutable",
    b"no-cache",
    b"private, no-cache",
)


def methods(gallery: Gallery) -> tuple[Method, ...]:
    """Pictures as methods, so that callers are let in as they are to others."""
    return tuple(
        Method(path, pb.GetViewRequest, Access.LOOKER, gallery.show, streams=False, price=PRICE)
        for path in dict.fromkeys(PATHS.values())
    )


class Pictures:
    """Answers those who want pictures."""

    def __init__(self, gallery: Gallery, callers: Callers) -> None:
        self.gallery, self.callers = gallery, callers
        self.outcomes = {path: Outcomes(path) for path in PATHS.values()}

    def has(self, path: str) -> bool:
        """Whether a request is for a picture."""
        return is_picture(path)

    async def answer(self, request: Request, reply: Reply, more: Pairs) -> None:
        """Give a picture, or say why there is none."""
        if request.method not in {"GET", "HEAD"}:
            await reply.whole(405, TEXT, b"this can only be read\n", ALLOW + more)
            return
        began = time.perf_counter()
        outcomes = self.outcomes[PATHS[_form(request.path)]]
        is_sampled = outcomes.arrive(None)
        try:
            shown = await self._shown(request)
        except BaseException as error:
            told = failed(outcomes, error, began)
            if told is None:
                raise
            status, said = told
            await reply.whole(status, FAILED, connect.written(said), more)
            return
        outcomes.answered(began, is_sampled=is_sampled)
        await _give(shown, request, reply, more)

    async def _shown(self, request: Request) -> Shown:
        asked = wanted(request.path)
        await self._let_in(request, asked)
        has = {bare(one) for one in request.header("if-none-match").split(",")}
        try:
            return await self.gallery.show(call_context.account.get(), asked, has)
        except Unable as unable:
            raise Wrong("unimplemented", str(unable)) from None

    async def _let_in(self, request: Request, asked: Wanted) -> None:
        call_context.note_deadline(None)
        # Where everyone sees the same, a cookie says nothing.
        is_own = bool(asked.seat) or "authorization" in request.headers
        token = self.callers.token_to_look(request) if is_own else ""
        address = partial(self.callers.address, request)
        await self.callers.admission.admit(PATHS[asked.form], token, address)


def _form(path: str) -> str:
    name = path.partition("?")[0].rpartition("/")[2]
    return FILM if name.startswith("replay") else name.rpartition(".")[2]


def failed(
    outcomes: Outcomes, error: BaseException, began: float
) -> tuple[int, dict[str, Any]] | None:
    """The status and what is said where a picture was refused; nothing if that is no refusal."""
    if isinstance(error, Wrong):
        outcomes.note(error.code.upper(), began)
        return error.status, error.told()
    denied = outcomes.failed(error, began)
    return None if denied is None else (connect.status_of(denied), connect.told(denied))


async def _give(shown: Shown, request: Request, reply: Reply, more: Pairs) -> None:
    key = shown.key
    headers = shields.OWN_PICTURE if key.seat else shields.PICTURE
    keep = PRIVATE if key.seat else FOR_A_DAY if shown.is_lasting else EACH_TIME
    more += (
        (b"cache-control", keep),
        (b"etag", b'W/"%b"' % shown.tag.encode()),
        (b"vary", b"accept-encoding"),
    )
    if not shown.body:
        await reply.whole(304, headers, more=more)
        return
    ending = "svg" if key.form == FILM else key.form
    name = f'inline; filename="{key.match}-{key.revision}.{ending}"'
    more += ((b"content-type", KINDS[key.form]), (b"content-disposition", name.encode()))
    body = shown.body
    if key.form != "png":  # these are kept as they travel
        if accepts(request.header("accept-encoding"), "gzip"):
            more += ((b"content-encoding", b"gzip"),)
        else:
            body = gzip.decompress(body)
    await reply.whole(200, headers, body, more)


def bare(tag: str) -> str:
    """A tag without its marks."""
    return tag.strip().removeprefix("W/").strip('"')
