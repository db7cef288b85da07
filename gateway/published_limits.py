"""The limits that a client can meet, told to anyone: their names, why they are, and what helps.

Design. A limit that the host sets is read from the settings by its name; the others are those of
fields. The prices are those by which callers are let in.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from bree.gateway.v1 import limits_pb2 as pb
from gateway import fields, ledger_results, notes, result_lists, results, sessions
from gateway.desk import reports
from gateway.settings import GatewaySettings


class Told(NamedTuple):
    """What is told of a limit."""

    meaning: str
    hint: str


SLOWER = "Wait for retry_after_ms, then send it again."
SHORTER = "Send less."
ONE_MORE = "Give one up, or wait until one ends."

OF_SETTINGS = {
    "bot_pairs_a_day": Told(
        "Matches without people that a bot's account starts with other bots in a day, in UTC.",
        "Play with people, or tomorrow.",
    ),
    "bots_a_minute": Told(
        "Hosted bots that an account sets to work a minute, since each takes a worker's time.",
        SLOWER,
    ),
    "bots_burst": Told("Hosted bots that it may set to work at once.", SLOWER),
    "call_seconds": Told(
        "Seconds that a call may take which sets no deadline, so that none waits for ever.",
        "Set a deadline of your own.",
    ),
    "calls_a_second": Told(
        "Calls of an account a second at one gateway, by their prices, so that all get a share.",
        SLOWER,
    ),
    "calls_burst": Told("Calls that it may make at once, by their prices.", SLOWER),
    "idle_seconds": Told(
        "Seconds after which a connection over HTTP that nobody uses is closed.",
        "Open another one.",
    ),
    "largest_message": Told(
        "Bytes of a message, so that none fills the memory.",
        "Ask for less: a page, a view without its charts.",
    ),
    "listen_backlog": Told(
        "Answered questions that a bot's stream may lag behind.", "Read faster than you think."
    ),
    "looks_a_second": Told("Calls of an address a second without an account.", SLOWER),
    "looks_burst": Told("Calls that it may make at once.", SLOWER),
    "mails_a_minute": Told("Codes by mail for one address or account a minute.", SLOWER),
    "mails_burst": Told("Codes by mail that it may ask for at once.", SLOWER),
    "most_alone": Told(
        "Running matches of an account's making without people, which only keep workers busy.",
        "Wait until one is over.",
    ),
    "most_connections": Told(
        "Connections of an address over HTTP, where no proxy stands before the gateway.",
        "Use one connection for many calls.",
    ),
    "most_matches": Told("Matches that are not over in which an account sits.", ONE_MORE),
    "most_open": Told("Open matches of an account's making, for others to see theirs.", ONE_MORE),
    "most_streams": Told("Streams of an account at one gateway.", "Close one."),
    "most_visits": Told(
        "Streams of health and reflection of an address without an account.", "Close one."
    ),
    "new_accounts_a_minute": Told(
        "New accounts of an address a minute, so that nobody makes a crowd.", SLOWER
    ),
    "new_accounts_burst": Told("New accounts that it may make at once.", SLOWER),
    "notes_a_minute": Told("Notes of an account a minute, so that nobody is flooded.", SLOWER),
    "notes_burst": Told("Notes that it may write at once.", SLOWER),
    "open_seconds": Told(
        "Seconds after which an open match that nobody has joined is closed; 0: never.",
        "Open another one.",
    ),
    "picture_seconds": Told("Seconds that drawing a picture may take.", "Ask for less width."),
    "request_seconds": Told("Seconds that a request over HTTP may take to come.", SHORTER),
    "stall_seconds": Told("Seconds that a reader over HTTP may take nothing.", "Read on."),
    "watch_backlog": Told("Steps that a watcher may lag behind.", "Read faster than you think."),
    "wrong_tokens_a_minute": Told(
        "Different wrong tokens or codes of an address a minute, so that nobody can guess one.",
        SLOWER,
    ),
    "wrong_tokens_burst": Told("Wrong ones that it may try at once.", SLOWER),
}
"""Those that the host sets, by the names of the settings."""

EVERYWHERE = {
    "action": (fields.LONGEST_ACTION, Told("Characters of an action.", SHORTER)),
    "device": (fields.LONGEST_DEVICE, Told("Characters of the name of a device.", SHORTER)),
    "filter_options": (
        results.LONGEST_OPTIONS,
        Told("Characters of options that results are looked for by.", SHORTER),
    ),
    "filter_players": (
        result_lists.MOST_PLAYERS,
        Told("Players by whom matches are looked for together.", SHORTER),
    ),
    "kept_notes": (notes.MOST_KEPT, Told("Notes of a team that are kept.", "Read them in time.")),
    "looked_at_results": (
        ledger_results.LOOKED_AT,
        Told(
            "Results that one search looks at, so that none takes long.",
            "Ask for the next page, or for a shorter time.",
        ),
    ),
    "nonce": (fields.LONGEST_NONCE, Told("Bytes of a nonce.", SHORTER)),
    "note": (fields.LONGEST_NOTE, Told("Characters of a note.", SHORTER)),
    "options": (fields.MOST_OPTIONS, Told("Options of a match.", SHORTER)),
    "page_size": (fields.LARGEST_PAGE, Told("Entries of a page.", "Ask for the next page.")),
    "report": (reports.LONGEST_TEXT, Told("Characters of a report.", SHORTER)),
    "reports_a_day": (
        reports.MOST_A_DAY,
        Told("Reports of an account a day, so that each is read.", "Report the worst ones."),
    ),
    "request_id": (fields.LONGEST_REQUEST_ID, Told("Characters of a request id.", SHORTER)),
    "sessions": (
        sessions.MOST_SESSIONS,
        Told("Sessions of an account; one more ends the one unused the longest.", ONE_MORE),
    ),
    "word": (fields.LONGEST_WORD, Told("Characters of an option's name or value.", SHORTER)),
}
"""Those that are the same on every platform."""


class PublishedLimits:
    """Tells limits and prices."""

    def __init__(self, settings: GatewaySettings) -> None:
        limits = {name: (getattr(settings, name), told) for name, told in OF_SETTINGS.items()}
        self._said = pb.GetLimitsResponse(
            limits=[
                pb.Limit(name=name, value=value, meaning=told.meaning, hint=told.hint)
                for name, (value, told) in sorted((limits | EVERYWHERE).items())
            ]
        )

    def publish(self, prices: Iterable[tuple[str, float]]) -> None:
        """Tell the prices, too: of methods by their full names."""
        self._said.prices.extend(
            pb.MethodPrice(method=method, price=price) for method, price in sorted(prices)
        )

    async def show(self, _: pb.GetLimitsRequest) -> pb.GetLimitsResponse:
        return self._said
