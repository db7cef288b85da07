"""What was played, counted: by game, side, options, pace and opponent, and of two players."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from google.protobuf.timestamp_pb2 import Timestamp

from bree.gateway.v1 import profiles_pb2 as profiles
from gateway import wire
from gateway.contract import Counted, Counts, Store
from gateway.documents import Account
from gateway.refusals import invalid
from gateway.result_filters import ResultFilters
from gateway.result_lists import ResultLists

USUAL, MOST = 10, 50
LATEST = 5
"""Results of two players against each other that are shown with what they come to."""

Key = tuple[str, str, str]


class Tallies:
    """Counts results."""

    def __init__(self, store: Store, filters: ResultFilters, lists: ResultLists) -> None:
        self.store, self.filters, self.lists = store, filters, lists

    async def summarize(
        self, account: Account, request: profiles.SummarizeResultsRequest
    ) -> profiles.SummarizeResultsResponse:
        if not 0 <= request.most <= MOST:
            raise invalid("most", f"most is 0 to {MOST}")
        wanted = await self.filters.read(account, request.filter)
        wanted = (await self.filters.player(account, "account", request.account)).of(wanted)
        counts = await self.store.counts(wanted, with_opponents=True)
        told, most = _tallies(counts.counted), request.most or USUAL
        return profiles.SummarizeResultsResponse(
            games=told[""],
            sides=told["side"],
            options=self._named(_first_of_each_game(told["options"], most)),
            paces=told["pace"],
            opponents=await self._opponents(told["opponent"][:most]),
            since_time=_since(counts),
        )

    def _named(self, tallies: list[profiles.Tally]) -> list[profiles.Tally]:
        """Options by the names of presets."""
        presets = self.filters.presets(tally.game for tally in tallies)
        for tally in tallies:
            tally.of = presets.get((tally.game, tally.of), tally.of)
        return tallies

    async def _opponents(self, tallies: list[profiles.Tally]) -> list[profiles.Tally]:
        """Opponents by the names that they have now."""
        names: Mapping[str, str] = await self.filters.names.players(tally.of for tally in tallies)
        for tally in tallies:
            tally.of = names[tally.of]
        return tallies

    async def head_to_head(
        self, account: Account, request: profiles.HeadToHeadRequest
    ) -> profiles.HeadToHeadResponse:
        one = await self.filters.player(account, "one", request.one)
        other = await self.filters.player(account, "other", request.other)
        if one == other:
            raise invalid("other", "nobody is his own opponent: name two players")
        if request.filter.opponent:
            raise invalid("filter.opponent", "the opponent is the other one")
        wanted = await self.filters.read(account, request.filter)
        of_one = one.of(wanted)._replace(opponents=(other.kept_as,))
        counts = await self.store.counts(of_one, with_opponents=False)
        latest = await self.store.results(of_one, None, LATEST)
        told = _tallies(counts.counted)
        return profiles.HeadToHeadResponse(
            games=told[""],
            paces=told["pace"],
            latest=await self.lists.shown(latest.results),
            since_time=_since(counts),
        )


def _tallies(counted: Iterable[Counted]) -> defaultdict[str, list[profiles.Tally]]:
    """By what they have in common, the largest first."""
    found: dict[Key, profiles.Tally] = {}
    for one in counted:
        tally = found.setdefault((one.by, one.game, one.of), profiles.Tally(game=one.game))
        setattr(tally, one.result, getattr(tally, one.result) + one.number)
        if one.by == "pace":
            tally.pace = wire.PACES[one.of]
        else:
            tally.of = one.of
    told: defaultdict[str, list[profiles.Tally]] = defaultdict(list)
    for (by, *_), tally in sorted(found.items(), key=lambda pair: (-_total(pair[1]), pair[0])):
        told[by].append(tally)
    return told


def _total(tally: profiles.Tally) -> int:
    return tally.won + tally.lost + tally.drawn + tally.aborted


def _first_of_each_game(tallies: Iterable[profiles.Tally], most: int) -> list[profiles.Tally]:
    kept: defaultdict[str, list[profiles.Tally]] = defaultdict(list)
    for tally in tallies:
        kept[tally.game].append(tally)
    return [tally for game in kept.values() for tally in game[:most]]


def _since(counts: Counts) -> Timestamp | None:
    return None if counts.since_ms is None else wire.time(counts.since_ms)
