"""Ratings, leaderboards, and what a finished match does to them.

Design. Ratings are kept under the first name of an account, or what it has in its place, which
never changes, and shown under the name of now. Workers compute, the store decides: a settlement is
written if no rating in it has changed since it was read, and once for each match, with all that is
kept of the match for good. What is live of it notes afterwards that it is settled; if a crash comes
between, the outbox of the ledger mends that, or whoever looks at the match.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from bree.engine.v1 import types_pb2 as types
from bree.gateway.v1 import gateway_pb2 as pb
from bree.ledger.names import OWN
from gateway import fields, page_tokens, wire
from gateway.archiving import with_record
from gateway.catalog import Catalog
from gateway.contract import Settled, Store
from gateway.current_names import CurrentNames
from gateway.documents import Account, ListEntry, Match, Rating, Recorded, State
from gateway.matches import Matches, now_ms
from gateway.paces import pace_of, paced
from gateway.refusals import invalid, no_record, not_started, rating_changed, unknown_account
from gateway.results import results_of

MU, SIGMA = 25.0, 25.0 / 3

HEAD = re.compile(r"[0-9a-f]{0,128}")

LATEST = 200
"""How many of a player's latest matches are looked through for those who met him before."""

HALF_LIFE_MS = 30 * 24 * 3600 * 1000
"""The age at which a meeting counts for half."""


def beginner(player: str) -> Rating:
    """The rating of somebody for whom nothing has counted yet."""
    return Rating(player, MU, SIGMA, ordinal=0.0)


class Ratings:
    """What players see of ratings."""

    def __init__(self, store: Store, catalog: Catalog, names: CurrentNames) -> None:
        self.store, self.catalog, self.names = store, catalog, names

    async def show(self, account: Account, request: pb.GetRatingRequest) -> pb.GetRatingResponse:
        game, pace = self.catalog.game(request.game), fields.pace(request.pace)
        player, name, bot = await self.player(account, game, request.account)
        [found] = await self.store.ratings(paced(game, pace), [player])
        rating = wire.rating(found or beginner(player), game, name, pace, bot=bot)
        return pb.GetRatingResponse(rating=rating)

    async def player(self, account: Account, game: str, name: str) -> tuple[str, str, bool]:
        """Under which name a rating is kept, whose it is, and whether that is a bot."""
        if not name:
            return account.player, account.name, account.bot
        if fields.player(name).startswith(fields.BOT):
            if not (await self.store.ratings(game, [name]))[0]:
                self.catalog.level("account", game, name.removeprefix(fields.BOT))
            return name, name, True
        found = await self.store.account_named(name)
        if found is None:
            raise unknown_account(name)
        return found.player, found.name, found.bot

    async def leaders(self, _: Account, request: pb.ListLeadersRequest) -> pb.ListLeadersResponse:
        game, pace = self.catalog.game(request.game), fields.pace(request.pace)
        which = paced(game, pace)
        size = fields.page_size(request.page_size)
        without = ("without bots",) if request.without_bots else ()
        listed = ("leaders", which, *without)
        after = page_tokens.decode(request.page_token, *listed)
        found = await self.store.leaders(which, after, size + 1, people=request.without_bots)
        last = found[size - 1] if len(found) > size else None
        entry = ListEntry(last.ordinal, last.player) if last else None
        players = [rating.player for rating in found[:size]]
        names, bots = await self.names.players(players), await self._bots(players)
        return pb.ListLeadersResponse(
            leaders=[
                wire.rating(rating, game, names[rating.player], pace, bot=rating.player in bots)
                for rating in found[:size]
            ],
            next_page_token=page_tokens.encode(entry, *listed),
        )

    async def _bots(self, players: Sequence[str]) -> set[str]:
        """Those of some players who are bots."""
        accounts = [player for player in players if not player.startswith(fields.BOT)]
        return set(players).difference(accounts) | await self.store.programs(accounts)


class Settlement:
    """What workers see of ratings."""

    def __init__(self, store: Store, matches: Matches) -> None:
        self.store, self.matches = store, matches

    async def show(self, request: pb.GetSettlementRequest) -> pb.GetSettlementResponse:
        match = await self._match(request.match)
        settled = await self.store.settled(match.game, match.id)
        if settled and not match.settled:
            match = await self.matches.refreshed(match)
        return pb.GetSettlementResponse(
            game=match.game,
            players=await self._shown(match, ""),
            pace_players=await self._shown(match, pace_of(match.clock)),
            settled=bool(settled),
            rateable=match.is_rateable,
            meetings=[] if settled or not match.is_rateable else await self._meetings(match),
        )

    async def _shown(self, match: Match, pace: str) -> list[pb.PlayerRating]:
        ratings = await self._ratings(match, pace)
        return [
            pb.PlayerRating(
                seat=seat.name,
                rating=wire.rating(rating, match.game, seat.player, pace),
                version=rating.version,
            )
            for seat, rating in zip(match.seats, ratings, strict=True)
        ]

    async def _meetings(self, match: Match) -> list[pb.Meeting]:
        """How often those who sit there have met, as far as their latest matches tell."""
        people = [seat for seat in match.seats if seat.account]
        lists = [await self.store.seated(seat.account, None, LATEST) for seat in people]
        sat = [{entry.name for entry in entries} - {match.id} for entries in lists]
        pairs = list(combinations(range(len(people)), 2))
        shared = sorted(set().union(*(sat[one] & sat[other] for one, other in pairs)))
        found = [m for m in await self.store.matches(shared) if m and m.game == match.game]
        met = [(people[one], people[other]) for one, other in pairs]
        return [
            pb.Meeting(one=one.label, other=other.label, matches=matches)
            for one, other in met
            if (matches := sum(_weight_between(one.account, other.account, m) for m in found))
        ]

    async def settle(self, request: pb.SettleRatingsRequest) -> pb.SettleRatingsResponse:
        match = await self._match(request.match)
        _check_outcome(match, request.outcome)
        request = await with_record(self.matches.engines, match, request)
        recorded = _recorded(request)
        given = _new_ratings(match, "players", request.players)
        in_pace = _new_ratings(match, "pace_players", request.pace_players)
        if in_pace and not given:
            raise invalid("pace_players", "a match counts in all ratings or in none")
        players = await self._players(match)
        outcome, mark = wire.outcome(request.outcome), "counted" if given else "uncounted"
        over = Matches.ended(match, outcome, mark)
        results = results_of(over, players, recorded.revision, 0)
        ratings = _named(given, players), _named(in_pace, players)
        done = await self.store.settle(over, ratings[0], recorded, results, ratings[1])
        if done.changed is not None:
            await self._refuse(match, done, ratings[done.in_pace])
        if not done.now:
            mark = await self.store.settled(match.game, match.id)
        await self.matches.end(match, outcome, mark)
        return pb.SettleRatingsResponse(counted=done.now)

    async def _refuse(self, match: Match, done: Settled, given: Sequence[Rating]) -> None:
        """Say whose rating has changed since it was read."""
        number = done.changed or 0
        latest = await self._ratings(match, pace_of(match.clock) if done.in_pace else "")
        versions = given[number].version, latest[number].version
        raise rating_changed(match, match.seats[number].name, *versions)

    async def _match(self, match_id: str) -> Match:
        match = await self.matches.read(fields.match_id(match_id))
        if match.state in (State.OPEN, State.CLOSED):
            raise not_started(match)
        return match

    async def _ratings(self, match: Match, pace: str) -> list[Rating]:
        players = await self._players(match)
        found = await self.store.ratings(paced(match.game, pace), players)
        return [rating or beginner(p) for p, rating in zip(players, found, strict=True)]

    async def _players(self, match: Match) -> list[str]:
        """Under which names the ratings of those who sit there are kept.

        It is not what the record calls them, which may be somebody else's name by now.
        """
        ids = [seat.account for seat in match.seats if seat.account]
        found = {a.id: a.player for a in await self.store.accounts(ids) if a}
        return [
            found.get(seat.account, OWN + seat.account) if seat.account else seat.player
            for seat in match.seats
        ]


def _weight_between(one: str, other: str, match: Match) -> float:
    """What a match counts for when meetings of two accounts are counted."""
    sat = {seat.account for seat in match.seats}
    if match.settled != "counted" or not {one, other} <= sat:
        return 0.0
    return float(0.5 ** (max(0, now_ms() - match.created_ms) / HALF_LIFE_MS))


def _check_outcome(match: Match, outcome: types.Outcome) -> None:
    """An outcome with a score for every seat, and the one that is known, if one is."""
    aborted = outcome.ending == types.ENDING_ABORTED
    if not aborted and outcome.ending != types.ENDING_FINISHED:
        raise invalid("outcome.ending", "a match has finished or was aborted")
    scored = [score.seat for score in outcome.scores]
    if scored != ([] if aborted else [seat.name for seat in match.seats]):
        raise invalid("outcome.scores", "there is one score for each seat; none if it was aborted")
    if match.outcome and match.outcome != wire.outcome(outcome):
        raise invalid("outcome", "this is not how the match ended")


def _recorded(request: pb.SettleRatingsRequest) -> Recorded:
    """What is to be kept of the match for good."""
    if not request.record:
        raise no_record()
    if not HEAD.fullmatch(request.head):
        raise invalid("head", "head is what binds the record, in hexadecimal digits")
    if request.revision < 0:
        raise invalid("revision", "revision is the number of entries")
    return Recorded(request.record, request.kept, request.head, request.revision)


def _named(ratings: Sequence[Rating], players: Sequence[str]) -> list[Rating]:
    """Ratings under the names under which they are kept; none if there are none."""
    return [replace(r, player=player) for r, player in zip(ratings, players, strict=False)]


def _new_ratings(match: Match, field: str, given: Sequence[pb.PlayerRating]) -> list[Rating]:
    """The ratings of every seat's player, by what the record calls him, or none."""
    if not given:
        return []
    if not match.is_rateable:
        raise invalid(field, "this match says nothing about its players")
    named = [(player.seat, player.rating.account) for player in given]
    if named != [(seat.name, seat.player) for seat in match.seats]:
        raise invalid(field, f"{field} are those who sat there, in the order of the seats")
    for number, player in enumerate(given):
        _check_rating(f"{field}[{number}]", match, player)
    return [
        Rating(p.rating.account, p.rating.mu, p.rating.sigma, p.rating.ordinal, 0, p.version)
        for p in given
    ]


def _check_rating(field: str, match: Match, player: pb.PlayerRating) -> None:
    rating = player.rating
    if rating.game not in ("", match.game):
        raise invalid(f"{field}.rating.game", f"the game is {match.game}")
    if not all(math.isfinite(number) for number in (rating.mu, rating.sigma, rating.ordinal)):
        raise invalid(f"{field}.rating", "ratings are finite numbers")
    if rating.sigma <= 0:
        raise invalid(f"{field}.rating.sigma", "sigma is above 0")
    if player.version < 0:
        raise invalid(f"{field}.version", "version is one that was read")
