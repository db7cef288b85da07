"""Which pictures there are for whom: what a view shows its viewer, a picture shows him, no more.

Design. A picture is drawn from the answer to `GetView`, which is asked for in the name of whoever
wants the picture: so who may see what is decided where it is for views. It is paid as a view is,
and for being drawn if it was. Those who want the same at the same time get the same.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from pathlib import Path
from typing import Any, NamedTuple

from bree import __version__
from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.statuses import Denied
from gateway import call_context
from gateway.documents import Account, Match
from gateway.pictures.artist import BOARDS
from gateway.pictures.frames import frames_of
from gateway.pictures.kept import Kept, Key
from gateway.pictures.studio import BUSY_MS, Studio
from gateway.pictures.wanted import FILM, Wanted
from gateway.play import Play
from gateway.quota import Quota
from gateway.refusals import unauthenticated
from gateway.seat_access import authorized
from gateway.settings import GatewaySettings

DRAWING_PRICES = {"svg": 40.0, "png": 300.0, FILM: 40.0}
"""What drawing costs besides the view, in what a plain call costs; of a film, each frame."""

MOST_FILMS = 4
"""How many films are made or wait to be: one at a time."""


class Shown(NamedTuple):
    """A picture as it is sent; without a body if the caller has it."""

    key: Key
    tag: str
    body: bytes
    is_lasting: bool  # it never changes


class Gallery:
    """All pictures."""

    def __init__(self, settings: GatewaySettings, play: Play, quota: Quota) -> None:
        self.play, self.quota, self.matches = play, quota, play.matches
        self.seconds = settings.picture_seconds
        self.studio = Studio(self.seconds)
        self.kept = Kept(settings.picture_bytes)
        self._coming: dict[Key, asyncio.Task[bytes]] = {}
        self._films = 0
        self._one_film = asyncio.Lock()

    async def show(self, account: Account, wanted: Wanted, has: Collection[str] = ()) -> Shown:
        """A picture for somebody who has those with these tags."""
        if wanted.seat and account.is_visitor:
            raise unauthenticated()
        match = await authorized(self.matches, account, wanted.match, wanted.seat)
        if wanted.at is not None:
            key = _key(wanted, wanted.at)
            body = self.kept.find(key)
            if body is not None:
                return self._shown(key, body, has, is_lasting=True)
        async with self.quota.costly(account, "picture"):
            view = await self.play.view(account, wanted.request)
            if wanted.form == FILM and not view.standing.HasField("outcome"):
                raise _not_over(match)
            key = _key(wanted, view.standing.revision)
            is_lasting = wanted.at is not None or wanted.form == FILM
            if key.tag(_edition()) in has:
                return self._shown(key, b"", has, is_lasting=is_lasting)
            body = self.kept.find(key)
            coming = (
                None if body else self._coming.get(key) or self._begin(account, match, key, view)
            )
        # Nobody waits for others of his calls while a picture is drawn; it has been paid.
        body = await asyncio.shield(coming) if coming else body
        return self._shown(key, body or b"", has, is_lasting=is_lasting)

    def _shown(self, key: Key, body: bytes, has: Collection[str], *, is_lasting: bool) -> Shown:
        tag = key.tag(_edition())
        return Shown(key, tag, b"" if tag in has else body, is_lasting)

    def _begin(
        self, account: Account, match: Match, key: Key, view: pb.GetViewResponse
    ) -> asyncio.Task[bytes]:
        """Draw, also if whoever asked goes away: somebody else may wait for it, too."""
        if key.form == FILM:
            work = self._filmed(account, match, key)
        else:
            self.quota.charge(account, DRAWING_PRICES[key.form])
            work = self.studio.ask(view.view.SerializeToString(), **_asked(match, key))
        task = call_context.detached_task(work)
        self._coming[key] = task
        task.add_done_callback(lambda done: self._came(key, done))
        return task

    def _came(self, key: Key, done: asyncio.Task[bytes]) -> None:
        del self._coming[key]
        if not done.cancelled() and done.exception() is None:
            self.kept.keep(key, done.result())

    # Films.

    async def _filmed(self, account: Account, match: Match, key: Key) -> bytes:
        if self._films >= MOST_FILMS:
            why = "too many replays are being made: ask again in a while"
            raise Denied("UNAVAILABLE", why, part="pictures", retry_after_ms=10 * BUSY_MS)
        self._films += 1
        try:
            async with self._one_film:
                return await self._film(account, match, key)
        finally:
            self._films -= 1

    async def _film(self, account: Account, match: Match, key: Key) -> bytes:
        """Frame by frame, as fast as they can be paid, by an artist who does nothing else."""
        studio = Studio(self.seconds)
        try:
            for at in frames_of(key.revision):
                request = pb.GetViewRequest(match=match.id, revision=at)
                view = await self._frame(account, request)
                self.quota.charge(account, DRAWING_PRICES[FILM])
                asked = _asked(match, key)
                await studio.ask(view.view.SerializeToString(), **asked, film=match.id)
            return await studio.ask(film=match.id, last=True)
        finally:
            await studio.close()

    async def _frame(self, account: Account, request: pb.GetViewRequest) -> pb.GetViewResponse:
        while True:
            await self.quota.paid_off(account)
            try:
                return await self.play.view(account, request)
            except Denied as denied:
                if denied.reason != "RATE_LIMITED":  # else he has asked for other things meanwhile
                    raise

    async def close(self) -> None:
        """Stop drawing."""
        coming = list(self._coming.values())
        for task in coming:
            task.cancel()
        await asyncio.gather(*coming, return_exceptions=True)
        await self.studio.close()


def _key(wanted: Wanted, revision: int) -> Key:
    _, form, seat, _, width, theme = wanted
    return Key(wanted.match, revision, seat, form, width, theme)


def _asked(match: Match, key: Key) -> dict[str, Any]:
    return {
        "game": match.game,
        "viewer": key.seat,
        "form": key.form,
        "width": key.width,
        "theme": key.theme,
    }


def _edition() -> str:
    """Of which drawings these are pictures."""
    return f"{__version__} {_built(BOARDS)}"


def _built(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _not_over(match: Match) -> Denied:
    why = "this match goes on: there is a replay of it when it is over"
    return Denied("NOT_ALLOWED", why, needs="a match that is over", match=match.id)
