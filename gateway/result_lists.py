"""Lists of what was played, the newest first: of one player, or of matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bree.gateway.v1 import gateway_pb2 as pb
from bree.gateway.v1 import profiles_pb2 as profiles
from gateway import fields, wire
from gateway.contract import Filter, Store
from gateway.documents import Account, Result
from gateway.refusals import invalid
from gateway.result_filters import KINDS, ResultFilters, place_of, token_of

MOST_PLAYERS = 4

Presets = Mapping[tuple[str, str], str]


class ResultLists:
    """Lists results, and finds matches."""

    def __init__(self, store: Store, filters: ResultFilters) -> None:
        self.store, self.filters = store, filters

    async def page(
        self, account: Account, request: profiles.ListResultsRequest
    ) -> profiles.ListResultsResponse:
        size = fields.page_size(request.page_size)
        wanted = await self.filters.read(account, request.filter)
        wanted = (await self.filters.player(account, "account", request.account)).of(wanted)
        after = place_of(request.page_token, "results", *wanted)
        found = await self.store.results(wanted, after, size)
        return profiles.ListResultsResponse(
            results=await self.shown(found.results),
            next_page_token=token_of(found.after, "results", *wanted),
        )

    async def shown(self, found: Sequence[Result]) -> list[profiles.Result]:
        """Results as everyone may see them; what was dropped meanwhile is left out."""
        matches = await self.filters.shown(dict.fromkeys(one.match for one in found))
        presets = self.filters.presets(one.game for one in found)
        return [_result(one, matches[one.match], presets) for one in found if one.match in matches]

    async def find(
        self, account: Account, request: profiles.FindMatchesRequest
    ) -> profiles.FindMatchesResponse:
        size = fields.page_size(request.page_size)
        wanted = await self._wanted(account, request)
        after = place_of(request.page_token, "found", *wanted)
        found = await self.store.found(wanted, after, size)
        matches = await self.filters.shown(one.match for one in found.results)
        presets = self.filters.presets(one.game for one in found.results)
        return profiles.FindMatchesResponse(
            matches=[
                _found(one, matches[one.match], presets)
                for one in found.results
                if one.match in matches
            ],
            next_page_token=token_of(found.after, "found", *wanted),
        )

    async def _wanted(self, account: Account, request: profiles.FindMatchesRequest) -> Filter:
        said, names = request.filter, list(dict.fromkeys(request.players))
        if len(names) > MOST_PLAYERS or not all(names):
            raise invalid("players", f"players are at most {MOST_PLAYERS} names")
        if not names and not said.game:
            raise invalid("filter.game", "a game must be named, or a player")
        if not names and (said.side or said.opponent):
            raise invalid("players", "a side and an opponent are those of a player: name him")
        wanted = await self.filters.read(account, said)
        if not names:
            return wanted
        first, *others = [await self.filters.player(account, "players", name) for name in names]
        return first.of(wanted)._replace(others=tuple(sorted({o.kept_as for o in others})))


def _result(one: Result, match: pb.Match, presets: Presets) -> profiles.Result:
    return profiles.Result(
        match=match,
        seat=one.seat,
        side=one.side,
        result=KINDS[one.result],
        score=one.score,
        options=presets.get((one.game, one.options), one.options),
        pace=wire.PACES[one.pace],
        length=one.length,
        end_time=wire.time(one.ended_ms),
    )


def _found(one: Result, match: pb.Match, presets: Presets) -> profiles.FoundMatch:
    return profiles.FoundMatch(
        match=match,
        options=presets.get((one.game, one.options), one.options),
        pace=wire.PACES[one.pace],
        length=one.length,
        end_time=wire.time(one.ended_ms),
    )
