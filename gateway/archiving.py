"""Settled matches leave the store: the gateway's part of it, for the workers.

Design. A worker is told to have a match leave when its time is over. What the ledger has of it is
compared with what its engine has, by the head of the history and the number of its entries; only
then the gateway's own part is taken out of the store. The engine's part is the worker's next step.
"""

from __future__ import annotations

from bree.engine.v1 import engine_pb2 as engine
from bree.gateway.v1 import gateway_pb2 as pb
from gateway import fields
from gateway.contract import Store
from gateway.documents import Match
from gateway.engines import Engines
from gateway.matches import Matches
from gateway.refusals import another_history, no_record, not_archived


class Archiving:
    """What workers ask for when a match is settled or is to leave."""

    def __init__(self, store: Store, matches: Matches) -> None:
        self.store, self.matches = store, matches

    async def archive(self, request: pb.ArchiveMatchRequest) -> pb.ArchiveMatchResponse:
        match = await self.matches.read(fields.match_id(request.match))
        kept = await self.store.archived(match.id)
        if kept is None:
            raise not_archived(match)
        look = engine.ForgetMatchRequest(
            match=match.id, head=kept.head, revision=kept.revision, only_look=True
        )
        await self.matches.engines.ask("ForgetMatch", match.game, look)
        await self.store.keep_notes(match)
        await self.store.take_out(match)
        return pb.ArchiveMatchResponse(head=kept.head, revision=kept.revision)


async def with_record(
    engines: Engines, match: Match, request: pb.SettleRatingsRequest
) -> pb.SettleRatingsRequest:
    """A settlement with its record; the engine has one that is too long for the worker to send."""
    if request.record or not request.revision:
        return request
    asked = engine.GetRecordRequest(match=match.id, with_kept=True)
    answer = await engines.ask("GetRecord", match.game, asked)
    if not answer.text:
        raise no_record()
    if (answer.kept.head, answer.kept.revision) != (request.head, request.revision):
        raise another_history(match, answer.kept.revision)
    whole = pb.SettleRatingsRequest()
    whole.CopyFrom(request)
    whole.record, whole.kept = answer.text, answer.kept.data
    return whole
