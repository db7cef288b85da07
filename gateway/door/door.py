"""The door itself: who answers which request, and how it is opened and closed."""

from __future__ import annotations

from collections.abc import Iterable

from gateway.admission import Admission
from gateway.door import connect, shields
from gateway.door.api import Api
from gateway.door.callers import Callers
from gateway.door.calls import FAILED, call_of
from gateway.door.connection import House, Limits
from gateway.door.files import TEXT, Files
from gateway.door.listener import Listener, tls_of
from gateway.door.looks import Looks
from gateway.door.message import NOTHING, Pairs, Reply, Request
from gateway.door.pictures import Pictures
from gateway.door.rating_pictures import RatingPictures
from gateway.door.records import Records
from gateway.methods import Method
from gateway.pictures.curves import Curves
from gateway.pictures.gallery import Gallery
from gateway.play import Play
from gateway.refusals import stopping
from gateway.settings import GatewaySettings

HEALTHY = "/healthy"
ONLY_POST: Pairs = ((b"allow", b"POST"),)
STRICT: Pairs = (shields.STRICT_TRANSPORT,)


class Door:
    """The gateway over HTTP."""

    def __init__(
        self,
        settings: GatewaySettings,
        admission: Admission,
        methods: Iterable[Method],
        gallery: Gallery,
        curves: Curves,
        play: Play,
    ) -> None:
        self.settings = settings
        self.callers = Callers(admission)
        self.files = Files()
        self.looked_at: tuple[Pictures | Looks | Api, ...] = (
            Pictures(gallery, self.callers),
            RatingPictures(curves, self.callers),
            Records(play, self.callers),
            Api(),
        )
        self.is_well = True
        largest = settings.largest_message
        self.calls = {
            method.path: call_of(method, self.callers, largest).answer for method in methods
        }
        connect.import_boards(settings.replicas)
        self._listener: Listener | None = None

    @property
    def port(self) -> int:
        """The port that it listens on; 0 if it is closed."""
        return self._listener.port if self._listener else 0

    async def start(self) -> None:
        """Open it, if it is wanted."""
        s = self.settings
        if not s.http_listen:
            return
        limits = Limits(
            largest_body=s.largest_message + connect.ENVELOPE_BYTES,
            # Behind a proxy all connections come from one address.
            most_connections=0 if s.address_header else s.most_connections,
            request_seconds=s.request_seconds,
            idle_seconds=s.idle_seconds,
            stall_seconds=s.stall_seconds,
        )
        tls = tls_of(s.tls_certificate, s.tls_key)
        self._listener = Listener(House(self.answer, limits, is_tls=tls is not None), tls)
        host, _, port = s.http_listen.rpartition(":")
        await self._listener.start(host.strip("[]"), int(port))

    async def stop(self) -> None:
        """Let nobody in any more, and those who are here finish for a while."""
        self.is_well = False
        if self._listener is not None:
            await self._listener.stop(self.settings.drain_seconds)

    async def answer(self, request: Request, reply: Reply) -> None:
        """Answer a request."""
        call = self.calls.get(request.path)
        if call is None:
            await self._answer_others(request, reply)
        elif request.method == "POST":
            await (call if self.is_well else _stopping)(request, reply)
        else:
            await _wrong_method(reply)

    async def _answer_others(self, request: Request, reply: Reply) -> None:
        path = request.path.partition("?")[0]
        more = STRICT if self.callers.is_secure(request) else NOTHING
        if path == HEALTHY and request.method in {"GET", "HEAD"}:
            status, said = (200, b"well\n") if self.is_well else (503, b"stopping\n")
            await reply.whole(status, TEXT, said, more)
        elif path in self.calls:
            if request.method == "POST":  # with a query, which says nothing here
                await (self.calls[path] if self.is_well else _stopping)(request, reply)
            else:
                await _wrong_method(reply)
        elif found := next((each for each in self.looked_at if each.has(path)), None):
            if self.is_well:
                await found.answer(request, reply, more)
            else:
                await _stopping(request, reply)
        elif request.method == "POST":
            missing = {"code": "unimplemented", "message": f"there is no method {path[:100]}"}
            await reply.whole(404, FAILED, connect.written(missing))
        else:
            await self.files.answer(request, reply, more)


async def _stopping(_: Request, reply: Reply) -> None:
    denied = stopping()
    await reply.whole(connect.status_of(denied), FAILED, connect.written(connect.told(denied)))


async def _wrong_method(reply: Reply) -> None:
    said = {"code": "unknown", "message": "a method is called with POST"}
    await reply.whole(405, FAILED, connect.written(said), ONLY_POST)
