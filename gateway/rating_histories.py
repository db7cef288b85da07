"""What ratings were, and when: as points, and as the curve that a picture shows."""

from __future__ import annotations

from bree.gateway.v1 import profiles_pb2 as profiles
from gateway import fields, wire
from gateway.contract import Store
from gateway.documents import Account, RatingPoint
from gateway.paces import paced
from gateway.ratings import Ratings, beginner
from gateway.refusals import invalid
from gateway.result_filters import span

USUAL_POINTS, LEAST_POINTS, MOST_POINTS = 200, 2, 500


class RatingHistories:
    """Tells what ratings were."""

    def __init__(self, store: Store, ratings: Ratings) -> None:
        self.store, self.ratings = store, ratings

    async def show(
        self, account: Account, request: profiles.GetRatingHistoryRequest
    ) -> profiles.GetRatingHistoryResponse:
        game = self.ratings.catalog.game(request.game)
        pace, most = fields.pace(request.pace), request.most_points or USUAL_POINTS
        if not LEAST_POINTS <= most <= MOST_POINTS:
            raise invalid("most_points", f"most_points is {LEAST_POINTS} to {MOST_POINTS}")
        from_ms, until_ms = span(request)
        player, name, _ = await self.ratings.player(account, game, request.account)
        kept_as = paced(game, pace)
        [now] = await self.store.ratings(kept_as, [player])
        found = await self.store.rating_history(kept_as, player, from_ms, until_ms, most)
        return profiles.GetRatingHistoryResponse(
            rating=wire.rating(now or beginner(player), game, name, pace),
            points=[_point(point) for point in found.points],
            thinned=found.thinned,
        )


def _point(point: RatingPoint) -> profiles.RatingPoint:
    return profiles.RatingPoint(
        time=wire.time(point.at_ms),
        match=point.match,
        mu=point.mu,
        sigma=point.sigma,
        ordinal=point.ordinal,
        matches=point.version,
    )
