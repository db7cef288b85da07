"""A finished match: verify its record, rate its players, take it off the list. Safe to run twice.

Design. The gateway counts a match once, whoever settles it and how often; the engine forgets that
it is due only after that. So a crash anywhere between leads to a repetition that changes nothing. A
record that does not verify is never rated and stays due, which keeps it in sight.
"""

from __future__ import annotations

import random
import time

import grpc
import structlog
from openskill.models import PlackettLuce

from bree.engine.v1.engine_pb2 import GetRecordRequest, SettleMatchRequest
from bree.engine.v1.types_pb2 import Ending, Outcome, SeatScore
from bree.gateway.v1.gateway_pb2 import (
    GetSettlementRequest,
    GetSettlementResponse,
    PlayerRating,
    SettleRatingsRequest,
)
from process import metrics
from services import rules_of
from services.core.errors import Invalid, Refused
from services.core.reading import parse_record
from services.core.record import Record
from services.core.replaying import replay
from workers.calls import Failed
from workers.engines import Reach

log = structlog.get_logger()

TRIES = 8
"""So often a settlement begins again because a rating has changed meanwhile."""


def score(reach: Reach, game: str, match: str) -> str:
    """Settle a finished match; what came of it, in a word."""
    more = {}
    try:
        result = _score(reach, game, match)
    except Refused as refused:
        result, more = "unverifiable", {"refused": str(refused)}
    except Failed as failed:
        result = "unavailable" if failed.is_away else "failed"
        more = {"refused": str(failed)}
    metrics.SETTLEMENTS.labels(game, result).inc()
    say = log.error if result in ("unverifiable", "failed") else log.info
    say("scored", game=game, match=match, result=result, **more)
    return result


def _score(reach: Reach, game: str, match: str) -> str:
    asked = GetRecordRequest(match=match)
    text = reach.engine(game, match, lambda stub: stub.GetRecord, asked).text
    if not text:
        return "running"
    record = verified(text, game)
    result = _settle(reach, match, record)
    done = SettleMatchRequest(match=match)
    reach.engine(game, match, lambda stub: stub.SettleMatch, done)
    return result


def verified(text: str, game: str) -> Record:
    """The record of a match that is over, every draw, decision, digest and its result checked."""
    record = parse_record(text)
    if record.game != game:
        raise Invalid(f"this is not a record of {game}", said=record.game)
    replay(record, rules_of(game))
    if record.scores is None and not record.aborted:
        raise Invalid("this match is not over", said=record.ending())
    return record


def _settle(reach: Reach, match: str, record: Record) -> str:
    asked = GetSettlementRequest(match=match)
    for attempt in range(TRIES):
        settlement = reach.settlement(match, lambda stub: stub.GetSettlement, asked)
        if settlement.settled:
            return "repeated"
        players = rated(settlement, record)
        settled = SettleRatingsRequest(match=match, outcome=outcome_of(record), players=players)
        try:
            answer = reach.settlement(match, lambda stub: stub.SettleRatings, settled)
        except Failed as failed:
            if failed.code is not grpc.StatusCode.ABORTED:
                raise
            # Others settle matches of the same players; they must not meet again and again.
            time.sleep(random.uniform(0, 0.02 * 2**attempt))  # noqa: S311
        else:
            return ("rated" if players else "unrated") if answer.counted else "repeated"
    raise Failed(grpc.StatusCode.UNAVAILABLE, "", "these ratings change all the time")


def rated(settlement: GetSettlementResponse, record: Record) -> list[PlayerRating]:
    """What the ratings become through this match; none if it does not count."""
    if not settlement.rateable or record.scores is None:
        return []
    seats = tuple(player.seat for player in settlement.players)
    if seats != record.seats:
        raise Invalid("others sat there", said=" ".join(seats))
    model = PlackettLuce()
    teams = [
        [model.rating(mu=player.rating.mu, sigma=player.rating.sigma)]
        for player in settlement.players
    ]
    after = model.rate(teams, scores=[float(score) for score in record.scores])
    players = []
    for player, (new,) in zip(settlement.players, after, strict=True):
        changed = PlayerRating()
        changed.CopyFrom(player)
        changed.rating.mu, changed.rating.sigma = new.mu, new.sigma
        changed.rating.ordinal = new.ordinal()
        changed.rating.matches += 1
        players.append(changed)
    return players


def outcome_of(record: Record) -> Outcome:
    """How a match ended, as its record says."""
    if record.aborted or record.scores is None:
        return Outcome(ending=Ending.ENDING_ABORTED)
    return Outcome(
        ending=Ending.ENDING_FINISHED,
        scores=[
            SeatScore(seat=seat, score=score)
            for seat, score in zip(record.seats, record.scores, strict=True)
        ],
    )
