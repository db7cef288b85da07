"""The tables of the ledger, all of them in the schema `bree`.

Design. What nobody searches is one text: the document of a match is the gateway's, its record the
text that anyone can verify, `kept` whatever its engine wants back. Migrations make the tables, and
a test holds the two equal.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    Identity,
    Index,
    Integer,
    LargeBinary,
    SmallInteger,
    Table,
    text,
)

from bree.ledger.columns import SCHEMA, figure, flag, metadata, number, of, prose, word

__all__ = ["SCHEMA", "metadata"]

PLAYER = "(CASE WHEN first_name = '' THEN name ELSE first_name END)"
"""Under which name the ratings of an account are kept."""

platform = Table(
    "platform",
    metadata,
    Column("one", SmallInteger, primary_key=True, autoincrement=False),  # there is one row
    word("word"),  # of this ledger; nobody else draws it
    word("store", default=""),  # the run of the store that it belongs to
    number("serves", default="1"),  # the oldest schema whose processes may use this one
    number("made_ms"),
)

LATEST = (text("created_ms DESC"), text("id DESC"))

accounts = Table(
    "accounts",
    metadata,
    word("id", key=True),
    word("name"),
    word("first_name", default=""),
    flag("guest"),
    number("created_ms"),
    word("token_hash"),  # empty once it is revoked
    number("version", default="1"),  # rises with every change of it and its sessions
    flag("bot", default="false"),  # it has said that it is a program
    flag("no_bots", default="false"),  # it wants to meet none
    prose("terms", default=""),  # what it plays, how fast and against whom, if it is one
    number("renamed_ms", default="0"),  # when it last took another name
    number("banned_ms", default="0"),  # until when it may not play
    number("muted_ms", default="0"),  # until when nobody reads what it writes
    number("leaving_ms", default="0"),  # when it is deleted; 0: it stays
    Index("accounts_by_leaving", "leaving_ms", postgresql_where=text("leaving_ms > 0")),
    Index("accounts_by_time", *LATEST),
    Index("accounts_banned", *LATEST, postgresql_where=text("banned_ms > 0")),
    Index("accounts_muted", *LATEST, postgresql_where=text("muted_ms > 0")),
    Index("accounts_that_are_bots", *LATEST, postgresql_where=text("bot")),
    Index("accounts_by_player", text(PLAYER), unique=True),
)

names = Table(
    "names",
    metadata,
    word("name", key=True),  # in lower case
    of("account", accounts.c.id, index=True),
    number("until_ms", default="0"),  # when it is free again; 0: never
    Index("names_by_until", "until_ms", postgresql_where=text("until_ms > 0")),
)

freed_names = Table(
    "freed_names",
    metadata,
    word("mark", key=True),  # which many names share; see `names.py`
)

sessions = Table(
    "sessions",
    metadata,
    of("account", accounts.c.id, key=True),
    word("id", key=True),
    word("token_hash"),
    number("created_ms"),
    number("used_ms"),
    prose("device"),
)

login_codes = Table(
    "login_codes",
    metadata,
    of("account", accounts.c.id, key=True),
    word("code"),  # its hash
    number("until_ms"),
    Index("login_codes_by_code", "code"),
)

ratings = Table(
    "ratings",
    metadata,
    word("game", key=True),
    word("player", key=True),
    number("version"),
    number("matches"),
    figure("mu"),
    figure("sigma"),
    figure("ordinal"),
    Index("ratings_by_ordinal", "game", text("ordinal DESC"), text("player DESC")),
    Index("ratings_by_player", "player"),
)

rating_history = Table(
    "rating_history",
    metadata,
    word("game", key=True),
    word("player", key=True),
    word("match", key=True),
    number("at_ms"),
    number("version"),  # of the rating after it
    figure("mu_before"),
    figure("sigma_before"),
    figure("ordinal_before"),
    figure("mu"),
    figure("sigma"),
    figure("ordinal"),
    Index("rating_history_by_time", "game", "player", text("at_ms DESC")),
    Index("rating_history_by_match", "match"),
)

matches = Table(
    "matches",
    metadata,
    word("id", key=True),
    word("game"),
    word("state"),  # over or closed
    number("created_ms"),
    number("ended_ms"),
    prose("doc"),  # the gateway's document of it
    word("settled", default=""),  # counted or uncounted; empty of a match that was closed
    Index("matches_by_time", "game", "state", text("created_ms DESC"), text("id DESC")),
    Index("matches_by_creator", text("""substring(doc, '"creator":"([^"]*)"')"""), "id"),
)

seats = Table(
    "seats",
    metadata,
    word("account", key=True),  # who sat there, and who has left
    of("match", matches.c.id, key=True),
    number("created_ms"),  # of the match
    word("game"),
    word("state"),
    Index("seats_by_time", "account", text("created_ms DESC"), text("match DESC")),
    Index(
        "seats_by_kind",
        *("account", "game", "state", text("created_ms DESC"), text("match DESC")),
    ),
    Index("seats_by_match", "match"),
)

records = Table(
    "records",
    metadata,
    of("match", matches.c.id, key=True),
    Column("record", LargeBinary, nullable=False),  # its text, as `packing` packs it
    Column("kept", LargeBinary, nullable=False),  # what the engine gave to be kept, likewise
    word("head"),  # of its history
    number("revision"),  # the number of its entries
)

notes = Table(
    "notes",
    metadata,
    of("match", matches.c.id, key=True),
    word("team", key=True),
    number("number", key=True),
    word("account"),
    prose("label"),
    prose("seat"),
    prose("text"),
    number("at_ms"),
    prose("request_id"),
)

outbox = Table(
    "outbox",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    word("kind"),  # account or over
    word("account", default=""),
    word("match", default=""),
    prose("payload", default=""),
    number("at_ms"),
    Column("tries", Integer, nullable=False, server_default=text("0")),
    number("next_ms", default="0"),  # when it is to be tried again
    Column("delivered_ms", BigInteger, nullable=True),
    Index("outbox_waiting", "id", postgresql_where=text("delivered_ms IS NULL")),
    Index("outbox_waiting_of", "account", "id", postgresql_where=text("delivered_ms IS NULL")),
    Index("outbox_delivered", "delivered_ms", postgresql_where=text("delivered_ms IS NOT NULL")),
)

audit = Table(
    "audit",
    metadata,
    number("n", key=True),
    number("at_ms"),
    prose("who"),
    prose("what"),
    prose("why"),
    word("before"),  # the hash of the row before
    word("hash"),
)

tokens = Table(
    "tokens",
    metadata,
    of("account", accounts.c.id, key=True),
    word("id", key=True),
    prose("name"),
    word("scope"),
    word("token_hash"),
    number("created_ms"),
    number("used_ms"),
)

recovery_codes = Table(
    "recovery_codes",
    metadata,
    of("account", accounts.c.id, key=True),
    word("code", key=True),  # its hash
    number("created_ms"),
    Index("recovery_codes_by_code", "code"),
)

passkeys = Table(
    "passkeys",
    metadata,
    word("id", key=True),  # of the credential, as WebAuthn writes it
    of("account", accounts.c.id, index=False),
    Column("public_key", LargeBinary, nullable=False),
    number("sign_count"),
    prose("name"),
    prose("transports"),
    number("created_ms"),
    number("used_ms"),
    flag("eligible", default="false"),  # it may be on several devices
    flag("backed_up", default="false"),  # and is kept elsewhere besides
    Index("passkeys_by_account", "account"),
)

identities = Table(
    "identities",
    metadata,
    word("issuer", key=True),
    word("subject", key=True),  # who it is there
    of("account", accounts.c.id, index=False),
    prose("label"),  # what people call it
    number("created_ms"),
    number("used_ms"),
    Index("identities_by_account", "account"),
)

addresses = Table(
    "addresses",
    metadata,
    word("address", key=True),  # of mail, in lower case; confirmed
    of("account", accounts.c.id, index=False),
    number("created_ms"),
    Index("addresses_by_account", "account", unique=True),
)

reports = Table(
    "reports",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    number("at_ms"),
    word("by_account"),
    word("about"),  # the id of an account
    word("match"),
    word("kind"),
    prose("text"),
    number("closed_ms", default="0"),
    prose("closed_by", default=""),
    prose("verdict", default=""),
    Index("reports_open", "id", postgresql_where=text("closed_ms = 0")),
    Index("reports_by_about", "about", text("id DESC")),
    Index("reports_by_author", "by_account", text("at_ms DESC")),
)

notices = Table(
    "notices",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    number("at_ms"),
    number("until_ms"),
    word("account", default=""),  # whom it is for; empty: all
    word("kind"),  # banned, muted, account, match or news
    word("match", default=""),
    prose("text"),
    prose("why", default=""),
    Index("notices_by_account", "account", "until_ms"),
)

results = Table(
    "results",
    metadata,
    of("match", matches.c.id, key=True),
    word("seat", key=True),
    word("side"),  # its team, if it has team-mates; else the seat
    word("account"),  # its id; empty: a hosted bot
    word("player"),  # under which name its ratings are kept
    word("game"),
    word("pace"),
    word("options"),  # all of them in alphabetic order, as a query names them
    number("ended_ms"),
    number("length"),  # the number of the record's entries
    word("result"),  # won, lost, drawn or aborted
    number("score"),
    flag("rated"),
    Index(
        "results_by_account",
        *("account", text("ended_ms DESC"), text("match DESC"), text("seat DESC")),
    ),
    Index(
        "results_by_player",
        *("player", "game", text("ended_ms DESC"), text("match DESC"), text("seat DESC")),
    ),
    Index("results_by_game", "game", text("ended_ms DESC"), text("match DESC")),
)
