"""Which results somebody wants: what a request says, checked, in the words of the store.

Design. Every list begins with something that an index begins with, too: a player with a game, an
account, or a game. A request that names none of these is refused here, so nothing that may be asked
goes through all results there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from google.protobuf.timestamp_pb2 import Timestamp

from bree.gateway.v1 import gateway_pb2 as pb
from bree.gateway.v1 import profiles_pb2 as profiles
from bree.process.statuses import Denied
from gateway import fields, page_tokens, results
from gateway.catalog import Catalog
from gateway.contract import Filter, Place, Store
from gateway.current_names import CurrentNames
from gateway.documents import Account, ListEntry, Match
from gateway.refusals import invalid, unknown_account

KINDS = {
    "": profiles.RESULT_KIND_UNSPECIFIED,
    results.WON: profiles.RESULT_KIND_WON,
    results.LOST: profiles.RESULT_KIND_LOST,
    results.DRAWN: profiles.RESULT_KIND_DRAWN,
    results.ABORTED: profiles.RESULT_KIND_ABORTED,
}
LATEST_MS = 1 << 52
"""No match is over later, and numbers up to it stay whole wherever they come by."""


class Player(NamedTuple):
    """Whose results are wanted."""

    kept_as: str  # under which name his ratings are kept
    account: str = ""  # his id; empty: a hosted bot

    def of(self, wanted: Filter) -> Filter:
        """The results that are wanted, and are his."""
        if not self.account and not wanted.game:
            why = "a hosted bot has played so much that a game must be named"
            raise invalid("filter.game", why)
        return wanted._replace(player=self.kept_as, account=self.account)


class ResultFilters:
    """Reads what requests say, and names what was found."""

    def __init__(self, store: Store, catalog: Catalog, names: CurrentNames) -> None:
        self.store, self.catalog, self.names = store, catalog, names

    async def player(self, account: Account, field: str, name: str) -> Player:
        """Whoever has this name, or else the caller."""
        if not name:
            return Player(account.player, account.id)
        if not fields.PLAYER.fullmatch(name):
            raise invalid(field, f"{field} is the name of an account, or bot:LEVEL")
        if name.startswith(fields.BOT):
            return Player(await self._bot(field, name))
        found = await self.store.account_named(name)
        if found is None:
            raise invalid(field, unknown_account(name).message)
        return Player(found.player, found.id)

    async def _bot(self, field: str, name: str) -> str:
        level = name.removeprefix(fields.BOT)
        games = self.catalog.engines.descriptions()
        if any(level in game.bot_levels for game in games):
            return name
        for game in self.catalog.engines.replicas:
            if (await self.store.ratings(game, [name]))[0]:
                return name
        raise invalid(field, f"there is no bot level {level!r}")

    async def read(self, account: Account, said: profiles.ResultFilter) -> Filter:
        """What a filter says, but for whose results these are."""
        game = self.catalog.game(said.game) if said.game else ""
        opponent = said.opponent
        against = (await self.player(account, "filter.opponent", opponent)) if opponent else None
        from_ms, until_ms = span(said, "filter.")
        least, most = said.least_length, said.most_length
        if least < 0 or most < 0 or (most and least > most):
            why = "lengths are not negative, and the least is not above the most"
            raise invalid("filter.least_length", why)
        return Filter(
            game=game,
            options=self._options(game, said.options),
            pace=fields.pace(said.pace),
            side=fields.optional_word("filter.side", said.side),
            opponents=(against.kept_as,) if against else (),
            result=_kind(said.result),
            rated=said.rated if said.HasField("rated") else None,
            from_ms=from_ms,
            until_ms=until_ms,
            least=least,
            most=most or Filter().most,
        )

    def _options(self, game: str, said: str) -> str:
        """Options as they are kept, by the name of a preset or by all of them."""
        if len(said) > results.LONGEST_OPTIONS:
            longest = results.LONGEST_OPTIONS
            raise invalid("filter.options", f"options are at most {longest} characters")
        if not said or "=" in said:
            return " ".join(sorted(said.split(" "))) if " #" not in said else said
        if not game:
            raise invalid("filter.game", "a preset is one of a game, which must be named")
        known = results.presets(self.catalog.engines.description(game))
        if said not in known:
            names = ", ".join(known) or "none"
            raise invalid("filter.options", f"{game} has the presets: {names}")
        return known[said]

    # What was found.

    def presets(self, games: Iterable[str]) -> Mapping[tuple[str, str], str]:
        """The names of presets, by game and options; none of a game that is out of reach."""
        found: dict[tuple[str, str], str] = {}
        for game in set(games):
            try:
                described = self.catalog.engines.description(game)
            except Denied:
                continue
            for name, options in results.presets(described).items():
                found.setdefault((game, options), name)
        return found

    async def shown(self, ids: Iterable[str]) -> Mapping[str, pb.Match]:
        """Matches as everyone may see them, by their ids."""
        found: list[Match] = [one for one in await self.store.matches(list(ids)) if one]
        return {match.id: match for match in await self.names.matches(found)}


def span(
    said: profiles.ResultFilter | profiles.GetRatingHistoryRequest, where: str = ""
) -> tuple[int, int]:
    """From when, and until before when."""
    from_ms = _ms(f"{where}from_time", said.from_time) if said.HasField("from_time") else 0
    until_ms = LATEST_MS
    if said.HasField("until_time"):
        until_ms = _ms(f"{where}until_time", said.until_time)
    if from_ms > until_ms:
        raise invalid(f"{where}from_time", "from_time is not after until_time")
    return from_ms, until_ms


def _ms(field: str, time: Timestamp) -> int:
    ms = time.seconds * 1000 + time.nanos // 1_000_000
    if not 0 <= ms <= LATEST_MS or not 0 <= time.nanos < 1_000_000_000:
        raise invalid(field, f"{field} is a time after 1969")
    return ms


def _kind(number: profiles.ResultKind.ValueType) -> str:
    for name, known in KINDS.items():
        if known == number:
            return name
    raise invalid("filter.result", "result is a value of ResultKind")


def place_of(token: str, *which: object) -> Place | None:
    """Where a page begins whose token this is."""
    entry = page_tokens.decode(token, *which)
    if entry is None:
        return None
    match, _, seat = entry.name.partition(" ")
    return Place(int(max(0, min(LATEST_MS, entry.score))), match, seat)


def token_of(place: Place | None, *which: object) -> str:
    """The token of the page that begins at a place."""
    if place is None:
        return ""
    entry = ListEntry(float(place.ended_ms), f"{place.match} {place.seat}".rstrip())
    return page_tokens.encode(entry, *which)
