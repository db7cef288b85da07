"""The gateway's own refusals, each in one place with its reason and metadata."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime

import structlog

from bree.engine.v1.types_pb2 import Ending
from bree.process import metrics
from bree.process.statuses import Denied
from gateway.documents import Account, Match, State

log = structlog.get_logger()

STATES = {
    State.OPEN: "has not started",
    State.STARTING: "is starting",
    State.RUNNING: "has started",
    State.OVER: "is over",
    State.CLOSED: "was closed before it started",
}

ALONE_RETRY_MS = 30_000
"""When it is worth asking again for another match without people."""


def invalid(field: str, message: str) -> Denied:
    """A field that is missing or malformed."""
    return Denied("INVALID_REQUEST", message, field=field)


def unknown_game(game: str) -> Denied:
    """A game that no engine is configured for."""
    return Denied("UNKNOWN_GAME", f"there is no game {game!r}", game=game)


def unknown_match(match: str) -> Denied:
    """A match that does not exist."""
    return Denied("UNKNOWN_MATCH", f"there is no match {match!r}", match=match)


def unknown_seat(match: Match, seat: str) -> Denied:
    """A seat that the match does not have."""
    names = " ".join(seat.name for seat in match.seats)
    message = f"there is no such seat: {seat!r}"
    return Denied("UNKNOWN_SEAT", message, match=match.id, seat=seat, seats=names)


def wrong_seat(match: Match, seat: str) -> Denied:
    """A seat that is not the caller's."""
    return Denied("WRONG_SEAT", f"you do not sit at {seat}", match=match.id, seat=seat)


def seat_taken(match: Match, seat: str) -> Denied:
    """A seat at which somebody else sits already."""
    return Denied("WRONG_SEAT", f"somebody else sits at {seat}", match=match.id, seat=seat)


def no_free_seat(match: Match) -> Denied:
    """A match in which all seats are taken."""
    return Denied("NOT_ALLOWED", "all seats are taken", needs="a free seat", match=match.id)


def not_open(match: Match) -> Denied:
    """A match whose seats may no longer change."""
    message = f"this match {STATES[match.state]}"
    return Denied("NOT_ALLOWED", message, needs="an open match", match=match.id)


def resign_instead(match: Match) -> Denied:
    """A match that is left too late."""
    message = f"this match {STATES[match.state]}: resign instead of leaving"
    return Denied("NOT_ALLOWED", message, needs="an open match", match=match.id)


def not_started(match: Match) -> Denied:
    """A match that cannot be seen or played yet."""
    message = f"this match {STATES[match.state]}"
    return Denied("NOT_ALLOWED", message, needs="a match that has started", match=match.id)


def match_over(match: Match) -> Denied:
    """A match that takes nothing more."""
    number = match.outcome.ending if match.outcome else Ending.ENDING_FINISHED
    ending = Ending.Name(Ending.ValueType(number))
    return Denied("MATCH_OVER", "the game is over", match=match.id, ending=ending)


def no_team(match: Match, seat: str) -> Denied:
    """A seat that plays for itself."""
    needs = "a seat with team-mates"
    return Denied("NOT_ALLOWED", f"{seat} has no team-mates", needs=needs, match=match.id)


def creator_only(match: Match) -> Denied:
    """What only the creator of a match may do."""
    message = "only whoever opened this match may"
    return Denied("NOT_ALLOWED", message, needs="the creator of the match", match=match.id)


def seat_not_filled(match: Match, seat: str) -> Denied:
    """A match that cannot begin with this seat empty."""
    return Denied("SEATS_NOT_FILLED", f"nobody sits at {seat}", match=match.id, seat=seat)


def limit_reached(most: int, what: str) -> Denied:
    """A caller who holds as many of something as one may."""
    return Denied("LIMIT_REACHED", f"an account may have {most} {what}", limit=most, of=what)


def too_many_alone(most: int) -> Denied:
    """A caller whose matches without people are as many as may run; they end by themselves."""
    message = f"an account may have {most} running matches without people: wait until one is over"
    metadata = {"limit": most, "of": "matches without people", "retry_after_ms": ALONE_RETRY_MS}
    return Denied("LIMIT_REACHED", message, **metadata)


def too_many_visits(most: int) -> Denied:
    """An address that has as many streams open as one may without an account."""
    message = f"an address may have {most} streams without an account: close one"
    return Denied("LIMIT_REACHED", message, limit=most, of="streams without an account")


def request_id_reused(request_id: str, match: str) -> Denied:
    """A request id that stands for another request."""
    message = "this request id was used for another match"
    return Denied("REQUEST_ID_REUSED", message, match=match, request_id=request_id)


def rating_changed(match: Match, seat: str, read: int, latest: int) -> Denied:
    """A settlement that was computed from a rating which has changed."""
    said = {"match": match.id, "seat": seat, "question": read, "latest": latest}
    return Denied("STALE_QUESTION", f"the rating at {seat} has changed since it was read", **said)


def name_taken(name: str) -> Denied:
    """A name that somebody else has."""
    return invalid("name", f"the name {name!r} is taken")


def unknown_account(name: str) -> Denied:
    """A name that nobody has."""
    return invalid("account", f"there is no account {name!r}")


def no_guest() -> Denied:
    """An account that has chosen its name."""
    return Denied("NOT_ALLOWED", "you have a name of your choice already", needs="a guest")


def no_name_yet() -> Denied:
    """A guest who asks for another name before he has chosen one."""
    message = "you are a guest: choose a name first, with ClaimName"
    return Denied("NOT_ALLOWED", message, needs="a name of your choice")


def renamed_lately(days: int, next_ms: int, left_ms: int) -> Denied:
    """An account that has taken another name a short time ago."""
    said = datetime.fromtimestamp(next_ms // 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
    message = f"an account may take another name once in {days} days: you may again at {said}"
    metadata = {"limit": 1, "of": f"new names in {days} days", "retry_after_ms": left_ms}
    return Denied("LIMIT_REACHED", message, **metadata)


def still_sits(match: Match) -> Denied:
    """An account that is to be a bot's, and that plays, or has just played."""
    message = f"{match.id} is not over, or not yet scored: say that you are a bot after it"
    needs = "an account that sits in no match"
    return Denied("NOT_ALLOWED", message, needs=needs, match=match.id)


def has_counted() -> Denied:
    """An account that is to be a bot's, and has been rated for what it was."""
    message = "a rated match of this account has counted: a bot needs an account of its own"
    return Denied("NOT_ALLOWED", message, needs="an account without a rating")


def no_bot(who: str) -> Denied:
    """An account that has no terms."""
    message = f"{who} not said to be a bot, and only a bot has terms"
    return Denied("NOT_ALLOWED", message, needs="a bot's account")


def no_bots_wanted(match: Match, who: str, bot: str) -> Denied:
    """Two who do not sit down together."""
    message = f"{who} wants to meet no bots, and {bot} is one"
    return Denied("NOT_ALLOWED", message, needs="other company", match=match.id)


def not_willing(match: Match, bot: str, why: str) -> Denied:
    """A match that is not what a bot plays."""
    return Denied("NOT_ALLOWED", f"{bot} {why}", needs="a match on its terms", match=match.id)


def sits_alone(bot: str) -> Denied:
    """A bot that plays no matches between bots."""
    message = f"{bot} plays no matches with other bots"
    return Denied("LIMIT_REACHED", message, limit=0, of="matches between bots")


def too_many_bot_matches(bot: str, most: int, at_ms: int, now_ms: int) -> Denied:
    """A bot that has played enough of other bots today."""
    message = f"{bot} plays {most} matches with other bots a day: again from 00:00 in UTC"
    metadata = {"limit": most, "of": "matches between bots", "retry_after_ms": at_ms - now_ms}
    return Denied("LIMIT_REACHED", message, **metadata)


def not_archived(match: Match) -> Denied:
    """A match that cannot leave the store, since the ledger does not have it."""
    message = "the ledger does not have this match"
    return Denied("NOT_ALLOWED", message, needs="a match that is settled", match=match.id)


def another_history(match: Match, revision: int) -> Denied:
    """A record of another match than the engine has."""
    message = "its engine has another history of this match"
    return Denied("HISTORY_CHANGED", message, match=match.id, revision=revision)


def no_record() -> Denied:
    """A worker that does not send the record of what it has scored."""
    return Denied(
        "UNAVAILABLE",
        "this worker is older than the gateway: it does not send the record; a newer one will",
        part="worker",
    )


def unauthenticated() -> Denied:
    """A call without a token, or with one that is worth nothing."""
    return Denied("UNAUTHENTICATED", "a valid token is needed")


def leaves(account: Account) -> Denied:
    """An account that is to be deleted, and may do little else until then."""
    when = datetime.fromtimestamp(account.leaving_ms / 1000, UTC)
    message = f"this account is deleted on {when:%Y-%m-%d}, and may only be kept or exported"
    said = {"needs": "an account that stays", "when": f"{when:%Y-%m-%dT%H:%M:%SZ}"}
    return Denied("NOT_ALLOWED", message, **said)


def too_late_to_stay() -> Denied:
    """An account whose week is over."""
    message = "the week in which this account could be kept is over: it is being deleted"
    return Denied("NOT_ALLOWED", message, needs="an account that may yet be kept")


def exported_lately(wait_ms: int) -> Denied:
    """Somebody who has been given his data."""
    message = "an account's data is given out once an hour"
    metadata = {"limit": 1, "of": "exports an hour", "retry_after_ms": wait_ms}
    return Denied("LIMIT_REACHED", message, **metadata)


def beyond_scope(scope: str) -> Denied:
    """A token that may not do this, though its account may."""
    message = f"a token that is made to {scope} may not do this"
    return Denied("NOT_ALLOWED", message, needs="a token of a wider scope", scope=scope)


def hosts_only() -> Denied:
    """What is for the host's desk; the same to everybody who does not sit there."""
    return Denied("NOT_ALLOWED", "this is for the host of the platform", needs="the host")


def wrong_code() -> Denied:
    """A login code that is worth nothing: mistyped, used, replaced, or too old."""
    return Denied("UNAUTHENTICATED", "this code is worth nothing: ask for a new one")


def wrong_recovery_code() -> Denied:
    """A recovery code that is worth nothing: mistyped, used, replaced, or never made."""
    return Denied("UNAUTHENTICATED", "this recovery code is worth nothing: try another one")


def wrong_passkey() -> Denied:
    """A passkey that proves nothing here: not made here, used before, too late, or a copy."""
    return Denied("UNAUTHENTICATED", "this passkey is worth nothing here: begin again")


def wrong_proof() -> Denied:
    """What came back from a provider, or did not: used before, too late, or of another."""
    return Denied("UNAUTHENTICATED", "the provider proves nothing here: begin again")


def last_way(what: str) -> Denied:
    """A way in that is taken away, so that none is left that lasts."""
    message = f"with this {what} goes the last way in: say even_if_last if that is to be"
    return Denied("NOT_ALLOWED", message, needs="even_if_last")


def stopping() -> Denied:
    """A stream that ends because its gateway does."""
    return Denied("UNAVAILABLE", "this gateway is stopping", part="gateway")


def lags(match: str, revision: int) -> Denied:
    """A reader who is too slow."""
    return Denied("WATCH_LAGS", "this watcher is too slow", match=match, revision=revision)


def replaced() -> Denied:
    """A stream of news whose name another one has taken."""
    message = "another stream of this name was opened"
    return Denied("LIMIT_REACHED", message, limit=1, of="streams of one name")


def bug(where: str, error: Exception) -> Denied:
    """Our own fault, found where no call is answered; the log has the whole story."""
    incident = uuid.uuid4().hex[:12]
    metrics.BUGS.labels("Gateway").inc()
    log.error("bug", where=where, incident=incident, exc_info=error)
    return Denied("BUG", "this is a bug in Bree", incident=incident)
