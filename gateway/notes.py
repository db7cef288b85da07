"""Notes that the people of a team write to each other, in a match that runs.

Design. A note is kept beside its match and told to those whom it is for, at whichever gateway they
listen; who has missed it lists the notes. Who may read is asked of the seats, which never change
once a match has started: so the notes of a team are its own for ever, also when the match is over.
"""

from __future__ import annotations

import base64

import structlog
from google.protobuf.message import DecodeError

from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.statuses import Denied
from gateway import fields, page_tokens, wire
from gateway.contract import ALL, Store
from gateway.current_names import CurrentNames
from gateway.documents import Account, ListEntry, Match, News, Note, State, Team
from gateway.limits import TokenBuckets
from gateway.match_changes import MatchChanges
from gateway.matches import Matches, now_ms
from gateway.refusals import match_over, no_team, request_id_reused
from gateway.seat_access import authorized
from gateway.settings import GatewaySettings

log = structlog.get_logger()

MOST_KEPT = 200
"""How many notes are kept of each team, the latest ones."""


class Notes:
    """What teams have written."""

    def __init__(
        self,
        settings: GatewaySettings,
        store: Store,
        matches: Matches,
        names: CurrentNames,
        changes: MatchChanges,
    ) -> None:
        self.store, self.matches, self.names, self.changes = store, matches, names, changes
        a_minute = settings.notes_a_minute
        self.rate = TokenBuckets(
            a_minute / 60, settings.notes_burst, f"{a_minute:g} notes a minute"
        )

    async def say(self, account: Account, r: pb.SayNoteRequest) -> pb.SayNoteResponse:
        text, request_id = fields.note(r.text), fields.request_id(r.request_id)
        match, team = await self._table(account, r.match, r.seat, r.channel)
        now = await self.matches.read(match.id)
        if now.state is State.OVER:
            raise match_over(now)
        self.rate.take(account.id)
        written = Note(account.id, account.name, r.seat, text, now_ms(), request_id)
        kept = await self.store.add_note(match.id, team.name, written, MOST_KEPT)
        if (kept.seat, kept.text) != (r.seat, text):
            raise request_id_reused(request_id, match.id)
        note = wire.note(kept, match, team.name, {account.id: account.name})
        await self._tell(match, team, note)
        return pb.SayNoteResponse(note=note)

    async def list(self, account: Account, r: pb.ListNotesRequest) -> pb.ListNotesResponse:
        size = fields.page_size(r.page_size)
        match, team = await self._table(account, r.match, r.seat, r.channel)
        which = ("notes", match.id, team.name)
        after = page_tokens.decode(r.page_token, *which)
        before = ALL if after is None else round(after.score)
        found = await self.store.notes(match.id, team.name, before, size + 1)
        notes, more = found[:size], found[size:]
        names = await self.names.of({note.account: note.label for note in notes})
        last = ListEntry(notes[-1].number, "") if more else None
        return pb.ListNotesResponse(
            notes=[wire.note(note, match, team.name, names) for note in notes],
            next_page_token=page_tokens.encode(last, *which),
        )

    async def _table(
        self, account: Account, match_id: str, seat: str, channel: pb.NoteChannel.ValueType
    ) -> tuple[Match, Team]:
        """The match and the team of a seat of the account's; refused to everyone else."""
        fields.note_channel(channel)
        # Once a match is over anyone may look through any eyes; but notes are no part of it.
        match = await authorized(self.matches, account, match_id, seat, acts=True)
        team = match.team_of(seat)
        if team is None:
            raise no_team(match, seat)
        return match, team

    async def _tell(self, match: Match, team: Team, note: pb.Note) -> None:
        seats = (seat for seat in match.seats if seat.name in team.seats and seat.account)
        accounts = tuple(sorted({seat.account for seat in seats}))
        said = base64.urlsafe_b64encode(note.SerializeToString()).decode()
        try:
            await self.store.tell(News("note", match.id, accounts, said))
        except Denied as denied:  # it is kept, and listed
            log.info("note not told", match=match.id, reason=denied.reason)

    def hear_of(self, accounts: tuple[str, ...], said: str) -> None:
        """Somebody has written a note to these accounts."""
        try:
            note = pb.Note.FromString(base64.urlsafe_b64decode(said))
        except (ValueError, DecodeError):  # of a gateway of another release, perhaps
            log.warning("news not understood", said=said[:100])
            return
        for account in accounts:
            for stream in self.changes.streams_of(account):
                which = ("note", note.match, note.team, str(note.number))
                stream.put(which, pb.ListenNewsResponse(note=note))
