"""What was played, in memory: for tests and for measuring."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from gateway.contract import Counted, Counts, Filter, History, Listed, Place
from gateway.documents import Rating, RatingPoint, Result


class ResultsInMemory:
    """The part of a `contract.Store` that concerns what was played."""

    def __init__(self) -> None:
        super().__init__()
        self._results: list[Result] = []
        self._points: defaultdict[tuple[str, str], list[RatingPoint]] = defaultdict(list)

    def keep_results(self, results: Sequence[Result]) -> None:
        """Keep what came of a match that is over now."""
        now = time.time_ns() // 1_000_000
        self._results += [result._replace(ended_ms=now) for result in results]

    def keep_point(self, game: str, match: str, new: Rating) -> None:
        """Keep what a rating is now."""
        now = time.time_ns() // 1_000_000
        figures = new.mu, new.sigma, new.ordinal, new.version
        self._points[game, new.player].append(RatingPoint(now, match, *figures))

    async def results(self, wanted: Filter, after: Place | None, most: int) -> Listed:
        return self._listed(wanted, after, most, by_match=False)

    async def found(self, wanted: Filter, after: Place | None, most: int) -> Listed:
        return self._listed(wanted, after, most, by_match=True)

    def _listed(self, wanted: Filter, after: Place | None, most: int, *, by_match: bool) -> Listed:
        found: list[Result] = []
        for result in self._wanted(wanted):
            place = Place(result.ended_ms, result.match, "" if by_match else result.seat)
            if after is not None and place >= after:
                continue
            if by_match and found and found[-1].match == result.match:
                continue
            if len(found) == most:
                last = found[-1]
                seat = "" if by_match else last.seat
                return Listed(found, Place(last.ended_ms, last.match, seat))
            found.append(result)
        return Listed(found, None)

    def _wanted(self, wanted: Filter) -> Iterator[Result]:
        newest = sorted(self._results, key=lambda r: (r.ended_ms, r.match, r.seat), reverse=True)
        return (result for result in newest if self._fits(wanted, result))

    def _fits(self, w: Filter, r: Result) -> bool:
        said = (
            *((w.game, r.game), (w.account, r.account), (w.player, r.player)),
            *((w.options, r.options), (w.pace, r.pace), (w.result, r.result)),
        )
        return (
            all(not wish or wish == is_so for wish, is_so in said)
            and (not w.side or w.side in (r.side, r.seat))
            and (w.rated is None or w.rated == r.rated)
            and w.from_ms <= r.ended_ms < w.until_ms
            and w.least <= r.length <= w.most
            and set(w.opponents) <= {o.player for o in self._others(r)}
            and set(w.others) <= {o.player for o in self._results if o.match == r.match}
        )

    def _others(self, r: Result) -> list[Result]:
        return [o for o in self._results if o.match == r.match and o.side != r.side]

    async def counts(self, wanted: Filter, *, with_opponents: bool) -> Counts:
        counted: Counter[tuple[str, str, str, str]] = Counter()
        for r in self._wanted(wanted):
            kinds = (("", ""), ("side", r.side), ("options", r.options), ("pace", r.pace))
            counted.update((r.game, by, of, r.result) for by, of in kinds)
            if with_opponents:
                met = {o.player for o in self._others(r)} - {r.player}
                counted.update(("", "opponent", player, r.result) for player in met)
        return Counts([Counted(*key, number) for key, number in counted.items()], None)

    async def rating_history(
        self, game: str, player: str, from_ms: int, until_ms: int, most: int
    ) -> History:
        points = [p for p in self._points[game, player] if from_ms <= p.at_ms < until_ms]
        if len(points) <= most:
            return History(points, thinned=False)
        first, last = points[0].at_ms, points[-1].at_ms
        ends = [first + (last - first) * step // (most - 1) for step in range(most)]
        kept = {[p for p in points if p.at_ms <= end][-1] for end in ends}
        return History(sorted(kept, key=lambda p: (p.at_ms, p.version)), thinned=True)
