"""What accounts have played: results, ratings over time, and matches that are looked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bree.client.calling import Caller
from bree.gateway.v1 import gateway_pb2 as pb
from bree.gateway.v1 import gateway_pb2_grpc as rpc
from bree.gateway.v1 import profiles_pb2 as profiles
from bree.gateway.v1 import profiles_pb2_grpc as profiles_rpc


class Profiles(Caller):
    """The calls for that; an account without a name is the caller's."""

    _accounts: rpc.AccountServiceStub
    _profiles: profiles_rpc.ProfileServiceStub

    def profile(
        self, account: str = "", pace: pb.Pace.ValueType = pb.PACE_UNSPECIFIED
    ) -> pb.GetProfileResponse:
        """What everyone may know of an account, with its ratings in all matches or of a pace."""
        request = pb.GetProfileRequest(account=account, pace=pace)
        return self._call(self._accounts.GetProfile, request)

    def results(
        self, account: str = "", wanted: profiles.ResultFilter | None = None
    ) -> Iterator[profiles.Result]:
        """What came of an account's matches, the newest first; page after page."""
        request = profiles.ListResultsRequest(account=account, filter=wanted)
        while True:
            page = self._call(self._profiles.ListResults, request)
            yield from page.results
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    def found(
        self, players: Sequence[str] = (), wanted: profiles.ResultFilter | None = None
    ) -> Iterator[profiles.FoundMatch]:
        """Matches that are over in which all of these have sat; page after page."""
        request = profiles.FindMatchesRequest(players=players, filter=wanted)
        while True:
            page = self._call(self._profiles.FindMatches, request)
            yield from page.matches
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    def summary(
        self, account: str = "", wanted: profiles.ResultFilter | None = None
    ) -> profiles.SummarizeResultsResponse:
        """How often an account has won, lost and drawn, in several ways."""
        request = profiles.SummarizeResultsRequest(account=account, filter=wanted)
        return self._call(self._profiles.SummarizeResults, request)

    def head_to_head(
        self, other: str, one: str = "", wanted: profiles.ResultFilter | None = None
    ) -> profiles.HeadToHeadResponse:
        """What came of the matches of one against another."""
        request = profiles.HeadToHeadRequest(one=one, other=other, filter=wanted)
        return self._call(self._profiles.HeadToHead, request)

    def rating_history(
        self, game: str, account: str = "", pace: pb.Pace.ValueType = pb.PACE_UNSPECIFIED
    ) -> profiles.GetRatingHistoryResponse:
        """What a rating was, the oldest first."""
        request = profiles.GetRatingHistoryRequest(game=game, account=account, pace=pace)
        return self._call(self._profiles.GetRatingHistory, request)
