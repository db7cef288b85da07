"""A finished match: verify its record, rate its players, take it off the list. Safe to run twice.

Design. The gateway counts a match once, whoever settles it and how often; the engine forgets that
it is due only after that. So a crash anywhere between leads to a repetition that changes nothing. A
record that does not verify is never rated and stays due, which keeps it in sight.

What a result tells of a player hangs on the others, so that nobody is raised by accounts that were
made for it. A match in which all but one gave up before they had decided anything to speak of does
not count; an opponent who is new counts for less than one who is known; and so does one who was met
again and again. Whoever let a bot play for him loses by it if it loses, and wins nothing by it.
"""

from __future__ import annotations

import random
import time
from collections.abc import Collection, Iterable

import grpc
import structlog
from openskill.models import PlackettLuce

from bree.engine.v1.engine_pb2 import GetRecordRequest, GetRecordResponse, SettleMatchRequest
from bree.engine.v1.types_pb2 import Ending, Outcome, SeatScore
from bree.gateway.v1.gateway_pb2 import (
    GetSettlementRequest,
    GetSettlementResponse,
    Meeting,
    PlayerRating,
    SettleRatingsRequest,
)
from bree.process import metrics
from services import rules_of
from services.core.course import Course
from services.core.errors import Invalid, Refused
from services.core.reading import parse_record
from services.core.record import Record
from services.core.replaying import replay
from services.core.table import FORFEITS, HOST_NAME
from workers.calls import Failed
from workers.clients import Clients

log = structlog.get_logger()

FEWEST = 5
"""Who gives up with fewer decisions of his own has not played."""

KNOWN_AFTER, LEAST = 10, 0.25
"""The matches after which an opponent counts in full, and what a new one counts for."""

OFTEN = 5
"""How often two may meet before their matches count for less."""

LARGEST = 512 << 10
"""In bytes. A longer record the gateway has from the engine itself, by its head."""

BOT = "bot:"
"""What the names of hosted bots begin with, as ratings call them."""

TRIES = 8
"""How often a settlement is tried because a rating has changed meanwhile."""


def score(clients: Clients, game: str, match: str) -> str:
    """Settle a finished match; what came of it, in a word."""
    more = {}
    try:
        result = _score(clients, game, match)
    except Refused as refused:
        result, more = "unverifiable", {"refused": str(refused)}
    except Failed as failed:
        result = "unavailable" if failed.is_away else "failed"
        more = {"refused": str(failed)}
    metrics.SETTLEMENTS.labels(game, result).inc()
    say = log.error if result in ("unverifiable", "failed") else log.info
    say("scored", game=game, match=match, result=result, **more)
    return result


def _score(clients: Clients, game: str, match: str) -> str:
    asked = GetRecordRequest(match=match, with_kept=True)
    answer = clients.engine(game, match, lambda stub: stub.GetRecord, asked)
    if not answer.text:
        return "running"
    record = verified(answer.text, game)
    lent = frozenset(one.seat for one in answer.standing.stand_ins)
    result = _settle(clients, match, record, lent, answer)
    done = SettleMatchRequest(match=match)
    clients.engine(game, match, lambda stub: stub.SettleMatch, done)
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


def _settle(
    clients: Clients,
    match: str,
    record: Record,
    lent: Collection[str],
    found: GetRecordResponse,
) -> str:
    asked = GetSettlementRequest(match=match)
    for attempt in range(TRIES):
        settlement = clients.settlement(match, lambda stub: stub.GetSettlement, asked)
        if settlement.settled:
            return "repeated"
        players = rated(settlement, record, lent)
        settled = SettleRatingsRequest(
            match=match,
            outcome=outcome_of(record),
            players=players,
            pace_players=rated(settlement, record, lent, in_pace=True),
            head=found.kept.head,
            revision=found.kept.revision,
        )
        if len(found.text) + len(found.kept.data) <= LARGEST:
            settled.record, settled.kept = found.text, found.kept.data
        try:
            answer = clients.settlement(match, lambda stub: stub.SettleRatings, settled)
        except Failed as failed:
            if failed.code is not grpc.StatusCode.ABORTED:
                raise
            # Others settle matches of the same players; they must not meet again and again.
            time.sleep(random.uniform(0, 0.02 * 2**attempt))  # noqa: S311
        else:
            return ("rated" if players else "unrated") if answer.counted else "repeated"
    raise Failed(grpc.StatusCode.UNAVAILABLE, "", "these ratings change all the time")


def rated(
    settlement: GetSettlementResponse,
    record: Record,
    lent: Collection[str] = (),
    *,
    in_pace: bool = False,
) -> list[PlayerRating]:
    """What the ratings become through this match, or those of its pace; none if it does not count.

    At a seat that was lent to a hosted bot they fall or stay: what the bot has won is not theirs.
    """
    before = settlement.pace_players if in_pace else settlement.players
    if not settlement.rateable or record.scores is None or len(_players(record)) < 2:
        return []
    if in_pace and not before:  # of a gateway that knows of no paces
        return []
    if tuple(player.seat for player in before) != record.seats:
        raise Invalid("others sat there", said=" ".join(player.seat for player in before))
    model = PlackettLuce()
    teams = [[model.rating(mu=one.rating.mu, sigma=one.rating.sigma)] for one in before]
    after = model.rate(teams, scores=[float(score) for score in record.scores])
    players = []
    for player, (new,) in zip(before, after, strict=True):
        old, weight = player.rating, _weight(player, before, settlement.meetings)
        mu, sigma = (
            was + weight * (now - was) for was, now in ((old.mu, new.mu), (old.sigma, new.sigma))
        )
        changed = PlayerRating()
        changed.CopyFrom(player)
        ordinal = model.rating(mu=mu, sigma=sigma).ordinal()
        if player.seat not in lent or ordinal < model.rating(mu=old.mu, sigma=old.sigma).ordinal():
            changed.rating.mu, changed.rating.sigma, changed.rating.ordinal = mu, sigma, ordinal
        changed.rating.matches += 1
        players.append(changed)
    return players


def _players(record: Record) -> list[str]:
    """The seats that have played: all but those that gave up at once."""
    course = Course()
    for entry in record.entries:
        course.follow(entry, record.seats)
    gone = {
        entry.what.partition(" ")[2]
        for entry in record.entries
        if entry.who == HOST_NAME and entry.what.partition(" ")[0] in FORFEITS
    }
    decided = [course.count(seat) for seat in range(len(record.seats))]
    named = zip(record.seats, decided, strict=True)
    return [seat for seat, count in named if seat not in gone or count >= FEWEST]


def _weight(
    player: PlayerRating, players: Iterable[PlayerRating], meetings: Iterable[Meeting]
) -> float:
    """How much of what the result alone would change is changed."""
    mine = player.rating.account
    met = {frozenset((meeting.one, meeting.other)): meeting for meeting in meetings}
    weights = []
    for other in players:
        name = other.rating.account
        if other.seat != player.seat:  # two may have sat down under one name, at other times
            meeting = met.get(frozenset((mine, name)))
            times = meeting.matches if meeting else 0.0
            weights.append(_standing(other) * OFTEN / max(OFTEN, times))
    return sum(weights) / len(weights)


def _standing(other: PlayerRating) -> float:
    """How much is known of an opponent. Hosted bots are what they are."""
    if other.rating.account.startswith(BOT):
        return 1.0
    return max(LEAST, min(1.0, (other.rating.matches + 1) / KNOWN_AFTER))


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
