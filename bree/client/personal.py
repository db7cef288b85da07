"""What a client says of itself, whom it wants to meet, and what is kept of it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import grpc

from bree.client.calling import Caller
from bree.gateway.v1 import gateway_pb2 as pb
from bree.gateway.v1 import personal_pb2, personal_pb2_grpc, programs_pb2, programs_pb2_grpc


class Personal(Caller):
    """The calls for that."""

    def open_personal(self, channel: grpc.Channel) -> None:
        """Call over this channel."""
        self._programs = programs_pb2_grpc.ProgramServiceStub(channel)
        self._personal = personal_pb2_grpc.PersonalServiceStub(channel)

    # Programs.

    def declare_bot(self) -> pb.Account:
        """Say that the account is a program's, once and for ever."""
        request = programs_pb2.DeclareBotRequest()
        return self._call(self._programs.DeclareBot, request).account

    def set_terms(self, terms: programs_pb2.Terms) -> programs_pb2.Terms:
        """Say what it plays, and with whom."""
        request = programs_pb2.SetTermsRequest(terms=terms)
        return self._call(self._programs.SetTerms, request).terms

    def terms(self, account: str = "") -> programs_pb2.Terms:
        """What a bot plays, by its name."""
        request = programs_pb2.GetTermsRequest(account=account)
        return self._call(self._programs.GetTerms, request).terms

    def meet_bots(self, *, wanted: bool) -> None:
        """Say whether the account wants to meet bots."""
        wishes = programs_pb2.Wishes(no_bots=not wanted)
        self._call(self._programs.SetWishes, programs_pb2.SetWishesRequest(wishes=wishes))

    # One's own data.

    def export(self) -> Iterator[bytes]:
        """All that is kept of the account: the pieces of a tar archive, packed by gzip."""
        request = personal_pb2.ExportDataRequest()
        for said in self._stream(self._personal.ExportData, request):
            yield said.data

    def delete_account(self, reason: str = "") -> datetime:
        """Have the account be deleted; gives until when that may be undone."""
        request = personal_pb2.DeleteAccountRequest(reason=reason)
        answer = self._call(self._personal.DeleteAccount, request)
        return answer.leave_time.ToDatetime(UTC)

    def keep_account(self) -> pb.Account:
        """Undo that."""
        return self._call(self._personal.KeepAccount, personal_pb2.KeepAccountRequest()).account
