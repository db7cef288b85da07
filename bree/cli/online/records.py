"""Records of a platform's matches: fetched, and verified against what was promised."""

from __future__ import annotations

import sys
from pathlib import Path

from bree.cli import records
from bree.cli.files import RecordFile
from bree.cli.online import words
from bree.cli.online.link import Link
from bree.cli.online.promises import Promise, Promises
from bree.cli.online.table import found
from bree.cli.trouble import Trouble
from bree.engine.v1.types_pb2 import ENDING_FINISHED
from bree.gateway.v1 import gateway_pb2 as pb
from services import rules_of
from services.core.errors import Invalid
from services.core.reading import parse_record
from services.core.record import Record


def fetch(link: Link, name: str, to: Path | None) -> int:
    """Write the record of a match that is over into a file, or to the output."""
    match = found(link, name)
    text = _told(link, match).text
    if to == Path("-"):
        sys.stdout.write(text)
        return 0
    file = RecordFile(to or Path(f"{match.id}.record"), fresh=True)
    file.write(text)
    link.talk.say(f"The record is in {file}.")
    link.talk.say(f"  bree verify {file}")
    link.talk.say(f"  bree record replay --open {file}")
    return 0


def verify(link: Link, name: str) -> int:
    """Replay a match here, and compare it with what was promised before it: 0 if all holds."""
    match = found(link, name)
    promise = Promises().of(match.id)
    with link.talk.busy("Fetching the record."):
        told = _told(link, match)
    try:
        record = parse_record(told.text)
        rules = rules_of(record.game)
    except Invalid as e:
        raise Trouble(f"the record of {match.id} cannot be read here: {e}") from e
    broken = promise.broken_by(record) if promise else ""
    broken = broken or _difference(match, told.standing.head, record)
    if broken:
        link.talk.say(f"{match.id} does NOT hold: {broken}.", "bold red")
        return 1
    with link.talk.busy("Replaying it."):
        code = records.check(link.talk, match.id, record, rules)
    if not code:
        _say_compared(link, promise, record)
    return code


def _say_compared(link: Link, promise: Promise | None, record: Record) -> None:
    link.talk.say(f"Compared with what {link.login.gateway} says of it now:", "bold")
    link.talk.say("  Game, options, commitment, result and head are the same.")
    if promise is None:
        link.talk.say("Nothing was noted here while it ran: what was promised is as told now.")
        return
    link.talk.say("Compared with what was kept here:", "bold")
    if promise.commitment:
        link.talk.say("  The commitment is the one that was noted here before the match was over.")
    if promise.nonces:
        seats = words.listed(list(promise.nonces))
        link.talk.say(f"  The nonce of {seats} is the one that was sent from here.")
    link.talk.say(f"  {_heads(promise)}")
    if lost := promise.lost(record):
        which = "One head, told here, is" if lost == 1 else f"{lost} heads, told here, are"
        link.talk.say(f"  {which} of moves that the platform said it had lost.", "yellow")


def _heads(promise: Promise) -> str:
    count = len(promise.heads)
    if not count:
        return "No head was told here while it ran, so its entries are as told now."
    which = "The head that was told here is" if count == 1 else f"{count} heads, told here, are"
    return f"{which} on the way to its head, up to entry {max(promise.heads)}."


def _told(link: Link, match: pb.Match) -> pb.GetMatchRecordResponse:
    if match.state in (pb.MATCH_STATE_OPEN, pb.MATCH_STATE_CLOSED):
        raise Trouble(f"{match.id} was never played: it is {words.STATES[match.state]}")
    told = link.client.record(match.id)
    if not told.text:
        raise Trouble(f"{match.id} is still played: its record is told when it is over")
    return told


def _difference(match: pb.Match, head: str, record: Record) -> str:
    """What the platform says otherwise than its record does."""
    if (match.game, match.commitment) != (record.game, record.fairness.commitment):
        return "it is the record of another match"
    if {option.name: option.value for option in match.options} != dict(record.options):
        return "its options are not those of the match"
    scores = [score.score for score in match.outcome.scores]
    told = tuple(scores) if match.outcome.ending == ENDING_FINISHED else None
    if told != record.scores:
        return "its result is not the one that the platform tells"
    if head and head != record.claimed_head:
        return "its head is not the one that the platform tells"
    return ""
