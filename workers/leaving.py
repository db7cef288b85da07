"""A settled match: out of the store, once the ledger has all of it. Safe to run twice.

Design. The gateway says what the ledger has, and takes its own part away; the engine forgets the
match if it is that and nothing else. It is due until the engine has, and with what is due in it
goes the match: so a crash anywhere between leads to a repetition.
"""

from __future__ import annotations

import structlog

from bree.engine.v1.engine_pb2 import ForgetMatchRequest
from bree.gateway.v1.gateway_pb2 import ArchiveMatchRequest
from bree.process import metrics
from workers.calls import Failed
from workers.clients import Clients

log = structlog.get_logger()


def leave(clients: Clients, game: str, match: str) -> str:
    """Take a settled match out of the store; what came of it, in a word."""
    more = {}
    try:
        asked = ArchiveMatchRequest(match=match)
        archived = clients.settlement(match, lambda stub: stub.ArchiveMatch, asked)
        named = ForgetMatchRequest(match=match, head=archived.head, revision=archived.revision)
        clients.engine(game, match, lambda stub: stub.ForgetMatch, named)
        result = "left"
    except Failed as failed:
        result = "unavailable" if failed.is_away else "failed"
        more = {"refused": str(failed)}
    metrics.LEAVINGS.labels(game, result).inc()
    say = log.error if result == "failed" else log.info
    say("leaving", game=game, match=match, result=result, **more)
    return result
