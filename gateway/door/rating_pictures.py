"""Pictures of ratings, at addresses of their own: `/a/NAME/GAME.svg?pace=live`."""

from __future__ import annotations

from collections.abc import Collection

from typing_extensions import override

from bree.gateway.v1 import profiles_pb2 as profiles
from gateway.documents import Account
from gateway.door import shields
from gateway.door.callers import Callers
from gateway.door.connect import Wrong
from gateway.door.looks import Given, Looks
from gateway.door.pictures import KINDS
from gateway.methods import Access, Method
from gateway.pictures.curves import Curves, is_curve, wanted_curve
from gateway.pictures.studio import Unable

PRICE = 6


def methods(curves: Curves) -> tuple[Method, ...]:
    """These pictures as methods, so that callers are let in as they are to others."""
    asked = profiles.GetRatingHistoryRequest
    path = RatingPictures.path
    return (Method(path, asked, Access.LOOKER, curves.show, streams=False, price=PRICE),)


class RatingPictures(Looks):
    """Answers those who want pictures of ratings."""

    path = "/bree.gateway.v1.Pictures/GetRatingPicture"
    headers = shields.PICTURE
    keep = b"public, max-age=60"

    def __init__(self, curves: Curves, callers: Callers) -> None:
        super().__init__(callers)
        self.curves = curves

    @override
    def has(self, path: str) -> bool:
        return is_curve(path)

    @override
    def check(self, path: str) -> None:
        wanted_curve(path)

    @override
    async def given(self, account: Account, path: str, has: Collection[str]) -> Given:
        wanted = wanted_curve(path)
        try:
            shown = await self.curves.show(account, wanted, has)
        except Unable as unable:
            raise Wrong("unimplemented", str(unable)) from None
        name = f"{wanted.account.replace(':', '-')}-{wanted.game}.{wanted.form}"
        return Given(KINDS[wanted.form], name, shown.tag, shown.body)
