"""Why a call is refused, as `errors.proto` has it. Errors of the rules are mapped here only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from bree.process.statuses import Denied
from bree.redis.connection import Away, Unsure
from services.core.contract import Rules
from services.core.errors import Illegal, Invalid, NotAsked, Refused, Stale
from services.host.serialization import ABORTED

LONGEST = 200
"""No message has more characters: they travel in headers, which have little room."""


def invalid(field: str, why: str) -> Denied:
    """A field that is missing or malformed, whatever stands in the store."""
    return Denied("INVALID_REQUEST", f"{field} {why}", field=field)


def unknown_match(match: str) -> Denied:
    return Denied("UNKNOWN_MATCH", f"there is no match {match!r}", match=match)


def unknown_seat(match: str, seat: str, seats: Sequence[str]) -> Denied:
    names = " ".join(seats)
    message = f"there is no such seat: {seat!r}"
    return Denied("UNKNOWN_SEAT", message, match=match, seat=seat, seats=names)


def over(match: str, ended: str) -> Denied:
    ending = "ENDING_ABORTED" if ended == ABORTED else "ENDING_FINISHED"
    return Denied("MATCH_OVER", "the game is over", match=match, ending=ending)


def not_over(match: str) -> Denied:
    needs = "a match that is over"
    return Denied("NOT_ALLOWED", f"match {match!r} is not over", match=match, needs=needs)


def not_settled(match: str) -> Denied:
    needs = "a match that is settled"
    return Denied("NOT_ALLOWED", f"match {match!r} is not settled", match=match, needs=needs)


def not_as_archived(match: str, revision: int) -> Denied:
    message = "this is not the match that was archived: its history is another"
    return Denied("HISTORY_CHANGED", message, match=match, revision=revision)


# What a seat may not do at the table: in words, and what it would need.
NO_PERSON = ("a hosted bot plays this seat", "a person at this seat")
STOOD_IN_FOR = ("a hosted bot stands in at this seat: take it back first", "the seat taken back")
PLAYS_TO_THE_END = ("the time of this seat was out: its bot plays to the end", "time that was left")
TIME_IS_OUT = ("the time of this seat is out", "time that is left")
HANDED_OVER_OFTEN = ("this seat was handed over too often", "fewer handovers")
GONE_ON = ("the match has gone on", "the last decision")
NOTHING_TO_UNDO = ("this can no longer be taken back", "a decision that nobody has learnt from")
OFFER_UNKNOWN = ("this game does not know such an offer", "a game that knows it")
NO_OTHER_PERSON = ("nobody else plays who could accept", "another person")
OFFER_STANDS = ("an offer of this seat stands already", "an answer to the offer that stands")
OFFER_BARRED = ("this was declined or withdrawn", "a decision of this seat since then")
NOTHING_DECIDED = ("there is nothing to take back", "a decision of this seat")
NO_SUCH_OFFER = ("this offer does not stand", "an offer that stands")
HELD = ("the host has stopped this match", "a match that the host does not hold")
HELD_OFTEN = ("this match was held too often", "fewer holds")
NOT_AWAITED = ("this seat is not asked for an answer", "a seat whose answer is awaited")


def not_allowed(match: str, why: tuple[str, str]) -> Denied:
    """What may not be done at the table of a match, for one of the reasons above."""
    sentence, needs = why
    return Denied("NOT_ALLOWED", sentence, match=match, needs=needs)


def gave_up(match: str, seat: str) -> Denied:
    return Denied("NOT_ASKED", f"{seat} has given up already", match=match, seat=seat)


def not_asked(match: str, seat: str) -> Denied:
    return Denied("NOT_ASKED", f"{seat} is not asked anything", match=match, seat=seat)


def not_the_decider(match: str, seat: str, *, is_bot: bool) -> Denied:
    """An answer of a bot that plays the seat no more, or of a person for whom one stands in."""
    again = "the person at this seat plays it again"
    message = again if is_bot else STOOD_IN_FOR[0]
    return Denied("NOT_ASKED", message, match=match, seat=seat)


def held(match: str, seat: str, *, is_bot: bool) -> Denied:
    """What is decided in a match that the host holds; to a bot its turn is over."""
    if is_bot:
        return Denied("NOT_ASKED", HELD[0], match=match, seat=seat)
    return not_allowed(match, HELD)


def stale(match: str, seat: str, number: int, latest: int) -> Denied:
    said = {"match": match, "seat": seat, "question": number, "latest": latest}
    return Denied("STALE_QUESTION", f"question {number} has been answered", **said)


def unknown_question(match: str, seat: str, number: int, latest: int) -> Denied:
    said = {"match": match, "seat": seat, "question": number, "latest": latest}
    return Denied("UNKNOWN_QUESTION", f"there is no question {number} yet", **said)


def unknown_revision(match: str, revision: int, latest: int) -> Denied:
    said = {"match": match, "revision": revision, "latest": latest}
    return Denied("UNKNOWN_REVISION", f"there is no revision {revision} yet", **said)


BOT_FAILS = "bot"
"""What is noted behind the revision of a match that is frozen because of a hosted bot."""


def frozen(match: str, noted: int | str) -> Denied:
    revision, _, why = str(noted).partition(" ")
    what = "a hosted bot cannot answer" if why == BOT_FAILS else "its record does not replay"
    return Denied("MATCH_FROZEN", f"this match is frozen: {what}", match=match, revision=revision)


def unsupported(match: str, rules: Rules[Any], edition: int) -> Denied:
    said = {"match": match, "game": rules.name, "edition": edition, "supported": rules.edition}
    message = f"{rules.name} replays edition {rules.edition} only"
    return Denied("EDITION_UNSUPPORTED", message, **said)


def outdated(match: str, rules: Rules[Any], edition: int) -> Denied:
    said = {"match": match, "game": rules.name, "edition": edition, "supported": rules.edition}
    message = "this match was begun before histories were bound, and is not gone on with"
    return Denied("EDITION_UNSUPPORTED", message, **said)


def history_changed(match: str, revision: int) -> Denied:
    message = "the store has lost what was acknowledged before: begin anew from where it is"
    return Denied("HISTORY_CHANGED", message, match=match, revision=revision)


def reused(match: str, request: str) -> Denied:
    message = "this request id was used for another action"
    return Denied("REQUEST_ID_REUSED", message, match=match, request_id=request)


def exists(match: str) -> Denied:
    message = f"match {match!r} was created in another way"
    return Denied("REQUEST_ID_REUSED", message, match=match, request_id=match)


def not_filled(seat: str, why: str) -> Denied:
    return Denied("SEATS_NOT_FILLED", why, seat=seat)


def lags(match: str, revision: int) -> Denied:
    return Denied("WATCH_LAGS", "this watcher is too slow", match=match, revision=revision)


def too_many_watchers(limit: int) -> Denied:
    message = f"an engine serves {limit} watchers at most"
    return Denied("LIMIT_REACHED", message, limit=limit, of="watchers")


def unavailable(part: str, why: str) -> Denied:
    return Denied("UNAVAILABLE", why, part=part)


def store_away(error: Away | Unsure) -> Denied:
    """Nothing was carried out, or nothing that matters: what only reads may be lost."""
    if isinstance(error, Away):
        return Denied("UNAVAILABLE", error.sentence, **{"part": "store", **error.why})
    return unavailable("store", "the store is out of reach")


def outcome_unknown(match: str, request: str) -> Denied:
    message = "the store went away before it answered"
    return Denied("OUTCOME_UNKNOWN", message, match=match, request_id=request)


# What the rules refuse.


def of_action(error: Invalid, game: str, said: str) -> Denied:
    """A text that is no action of the game."""
    return Denied("INVALID_ACTION", error.why[:LONGEST], game=game, said=said)


class Answer(NamedTuple):
    """A seat's answer to a question, beside the latest question that it was asked."""

    seat: str
    number: int
    latest: int
    said: str


def of_decision(error: Refused, match: str, answer: Answer) -> Denied:
    """A decision that the table refused."""
    seat, number, latest, said = answer
    if isinstance(error, Stale):
        return stale(match, seat, number, latest)
    if isinstance(error, NotAsked):
        return not_asked(match, seat)
    if isinstance(error, Illegal):
        words = {"match": match, "seat": seat, "question": number, "said": said}
        return Denied("ILLEGAL_ACTION", error.why[:LONGEST], **words)
    return unknown_question(match, seat, number, latest)


def of_options(error: Invalid, rules: Rules[Any], chosen: Mapping[str, str]) -> Denied:
    """Options that a match cannot have."""
    known = {option.name: option for option in rules.options}
    for name, value in chosen.items():
        words = {"game": rules.name, "option": name}
        if name not in known:
            message = f"{rules.name} has no option {name!r}"
            return Denied("UNKNOWN_OPTION", message[:LONGEST], **words)
        if not known[name].allows(value):
            allowed = known[name].allowed()
            message = f"option {name!r} allows {allowed}"[:LONGEST]
            return Denied("OPTION_NOT_ALLOWED", message, **words, value=value, allowed=allowed)
    why = error.why[:LONGEST]
    return Denied("OPTIONS_CONTRADICT", why, game=rules.name, said=error.said)
