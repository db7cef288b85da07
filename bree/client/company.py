"""What the people of a match do beside playing it: bots stand in for them, a team writes notes."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

from bree.client.calling import Caller
from bree.engine.v1.engine_pb2 import Standing
from bree.gateway.v1 import gateway_pb2 as pb
from bree.gateway.v1 import gateway_pb2_grpc as rpc


class Company(Caller):
    """The calls for that."""

    _matches: rpc.MatchServiceStub
    _notes: rpc.NoteServiceStub

    def hand_over(self, match: str, seat: str, level: str) -> Standing:
        """Let a hosted bot play on at a seat of the caller's, from the question that stands."""
        request = pb.HandOverSeatRequest(match=match, seat=seat, level=level)
        return self._call(self._matches.HandOverSeat, request).standing

    def take_back_seat(self, match: str, seat: str) -> pb.TakeBackSeatResponse:
        """Play on oneself; with the question that stands."""
        request = pb.TakeBackSeatRequest(match=match, seat=seat)
        return self._call(self._matches.TakeBackSeat, request)

    def say_note(self, match: str, seat: str, text: str) -> pb.Note:
        """Write to the team-mates of a seat, once, however often it must be sent."""
        request = pb.SayNoteRequest(
            match=match,
            seat=seat,
            channel=pb.NOTE_CHANNEL_TEAM,
            text=text,
            request_id=uuid.uuid4().hex,
        )
        return self._call(self._notes.SayNote, request).note

    def notes(self, match: str, seat: str) -> Iterator[pb.Note]:
        """What the team of a seat has written, the latest first; page after page."""
        request = pb.ListNotesRequest(match=match, seat=seat, channel=pb.NOTE_CHANNEL_TEAM)
        while True:
            page = self._call(self._notes.ListNotes, request)
            yield from page.notes
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token


def plays_for(standing: Standing, seat: str) -> str:
    """The level of the hosted bot that plays for the person at a seat; nothing if none does."""
    return next((one.bot_level for one in standing.stand_ins if one.seat == seat), "")
