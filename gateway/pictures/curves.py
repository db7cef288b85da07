"""Ratings over time as pictures: for whom, of what, and from what they are drawn.

Design. What everyone may know of a rating is what `GetRatingHistory` tells, and the picture is
drawn from its answer and nothing else. As SVG that is a moment's work; PNG is made of it by the
process that draws boards, and kept for a while.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection
from typing import NamedTuple
from urllib.parse import unquote

from bree.gateway.v1 import gateway_pb2 as pb
from bree.gateway.v1 import profiles_pb2 as profiles
from bree.process.statuses import Denied
from gateway import fields, wire
from gateway.documents import Account
from gateway.pictures import curve
from gateway.pictures.gallery import Gallery
from gateway.pictures.kept import Key
from gateway.pictures.wanted import THEMES, number_of, said_in
from gateway.rating_histories import RatingHistories
from gateway.refusals import invalid

ADDRESS = re.compile(r"/a/([^/]+)/([^/]+)\.(svg|png)")
LEAST_WIDTH, MOST_WIDTH = 200, 2000
KNOWN = {"pace", "theme", "width"}
PNG_PRICE = 100.0
"""What it costs to make PNG of a curve, in what a plain call costs."""

KINDS = {"": "", "live": "live", "slow": "slow", "free": "without a clock"}


class WantedCurve(NamedTuple):
    """A picture of a rating."""

    account: str
    game: str
    form: str
    pace: str = ""
    width: int = curve.WIDTH
    theme: str = ""  # empty: that of the reader's machine


class ShownCurve(NamedTuple):
    """A picture as it is sent; without a body if the caller has it."""

    wanted: WantedCurve
    tag: str
    body: bytes


def is_curve(path: str) -> bool:
    """Whether this is where pictures of ratings are."""
    return ADDRESS.fullmatch(path.partition("?")[0]) is not None


def wanted_curve(path: str) -> WantedCurve:
    """What is wanted of whoever asks for this; refused if it says what there is not."""
    place, _, query = path.partition("?")
    found = ADDRESS.fullmatch(place)
    assert found is not None, "this is no picture of a rating"
    said = said_in(query, KNOWN)
    pace, theme = said.get("pace", ""), said.get("theme", "")
    width = number_of("width", said.get("width", str(curve.WIDTH)))
    if pace not in KINDS:
        raise invalid("pace", "pace is live, slow or free")
    if theme and theme not in THEMES:
        raise invalid("theme", f"theme is {' or '.join(THEMES)}")
    if not LEAST_WIDTH <= width <= MOST_WIDTH:
        raise invalid("width", f"width is {LEAST_WIDTH} to {MOST_WIDTH}")
    name, game = fields.player(unquote(found[1])), fields.word("game", unquote(found[2]))
    return WantedCurve(name, game, found[3], pace, width, theme)


class Curves:
    """All pictures of ratings."""

    def __init__(self, histories: RatingHistories, gallery: Gallery) -> None:
        self.histories, self.gallery = histories, gallery

    async def show(
        self, account: Account, wanted: WantedCurve, has: Collection[str] = ()
    ) -> ShownCurve:
        """A picture for somebody who has those with these tags."""
        asked = profiles.GetRatingHistoryRequest(
            account=wanted.account, game=wanted.game, pace=wire.PACES[wanted.pace]
        )
        told = await self.histories.show(account, asked)
        theme = wanted.theme or (THEMES[0] if wanted.form == "png" else "")
        text = curve.drawn(self._curve(wanted, told), wanted.width, theme)
        tag = hashlib.sha256(f"{wanted.form} {text}".encode()).hexdigest()[:20]
        if tag in has:
            return ShownCurve(wanted, tag, b"")
        body = await self._png(account, tag, text) if wanted.form == "png" else text.encode()
        return ShownCurve(wanted, tag, body)

    def _curve(self, wanted: WantedCurve, told: profiles.GetRatingHistoryResponse) -> curve.Curve:
        rating: pb.Rating = told.rating
        points = [
            curve.Point(point.time.ToMilliseconds(), point.ordinal, point.sigma)
            for point in told.points
        ]
        title, kind = self._title(wanted.game), KINDS[wanted.pace]
        return curve.Curve(rating.account, title, kind, points, rating.matches)

    def _title(self, game: str) -> str:
        try:
            described = self.histories.ratings.catalog.engines.description(game)
        except Denied:
            return game
        return described.title or game

    async def _png(self, account: Account, tag: str, text: str) -> bytes:
        key = Key(tag, 0, "", "png", 0, "")
        body = self.gallery.kept.find(key)
        if body is None:
            self.gallery.quota.charge(account, PNG_PRICE)
            body = await self.gallery.studio.ask(text.encode(), form="png", svg=True)
            self.gallery.kept.keep(key, body)
        return body
