"""The tables of the ledger, all of them in the schema `bree`.

Design. Names and ids are compared byte by byte, as Redis sorts them, so that lists of both can be
joined. Times are in milliseconds since 1970. What nobody searches is one text: the document of a
match is the gateway's, its record the text that anyone can verify, `kept` whatever its engine wants
back. Migrations make the tables, and a test holds the two equal.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Identity,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    Table,
    Text,
    text,
)
from sqlalchemy.dialects.postgresql import DOUBLE_PRECISION

SCHEMA = "bree"
metadata = MetaData(schema=SCHEMA)


def _word(name: str, *, key: bool = False, default: str | None = None) -> Column[str]:
    """A column of text that is compared byte by byte."""
    given = None if default is None else text(f"'{default}'")
    kind = Text(collation="C")
    return Column(name, kind, primary_key=key, nullable=False, server_default=given)


def _number(name: str, *, key: bool = False, default: str | None = None) -> Column[int]:
    given = None if default is None else text(default)
    return Column(
        name,
        BigInteger,
        primary_key=key,
        nullable=False,
        server_default=given,
        autoincrement=False,
    )


def _figure(name: str) -> Column[float]:
    return Column(name, DOUBLE_PRECISION, nullable=False)


platform = Table(
    "platform",
    metadata,
    Column("one", SmallInteger, primary_key=True, autoincrement=False),  # there is one row
    _word("word"),  # of this ledger; nobody else draws it
    _word("store", default=""),  # the run of the store that it belongs to
    _number("serves", default="1"),  # the oldest schema whose processes may use this one
    _number("made_ms"),
)

accounts = Table(
    "accounts",
    metadata,
    _word("id", key=True),
    _word("name"),
    _word("first_name", default=""),
    Column("guest", Boolean, nullable=False),
    _number("created_ms"),
    _word("token_hash"),  # empty once it is revoked
    _number("version", default="1"),  # rises with every change of it and its sessions
)

names = Table(
    "names",
    metadata,
    _word("name", key=True),  # in lower case; never given away again
    Column("account", Text(collation="C"), ForeignKey(accounts.c.id), nullable=False, index=True),
)

sessions = Table(
    "sessions",
    metadata,
    Column("account", Text(collation="C"), ForeignKey(accounts.c.id), primary_key=True),
    _word("id", key=True),
    _word("token_hash"),
    _number("created_ms"),
    _number("used_ms"),
    Column("device", Text, nullable=False),
)

login_codes = Table(
    "login_codes",
    metadata,
    Column("account", Text(collation="C"), ForeignKey(accounts.c.id), primary_key=True),
    _word("code"),  # its hash
    _number("until_ms"),
    Index("login_codes_by_code", "code"),
)

ratings = Table(
    "ratings",
    metadata,
    _word("game", key=True),
    _word("player", key=True),
    _number("version"),
    _number("matches"),
    _figure("mu"),
    _figure("sigma"),
    _figure("ordinal"),
    Index("ratings_by_ordinal", "game", text("ordinal DESC"), text("player DESC")),
)

rating_history = Table(
    "rating_history",
    metadata,
    _word("game", key=True),
    _word("player", key=True),
    _word("match", key=True),
    _number("at_ms"),
    _number("version"),  # of the rating after it
    _figure("mu_before"),
    _figure("sigma_before"),
    _figure("ordinal_before"),
    _figure("mu"),
    _figure("sigma"),
    _figure("ordinal"),
    Index("rating_history_by_time", "game", "player", text("at_ms DESC")),
    Index("rating_history_by_match", "match"),
)

matches = Table(
    "matches",
    metadata,
    _word("id", key=True),
    _word("game"),
    _word("state"),  # over or closed
    _number("created_ms"),
    _number("ended_ms"),
    Column("doc", Text, nullable=False),  # the gateway's document of it
    _word("settled", default=""),  # counted or uncounted; empty of a match that was closed
    Index("matches_by_time", "game", "state", text("created_ms DESC"), text("id DESC")),
)

seats = Table(
    "seats",
    metadata,
    _word("account", key=True),  # who sat there, and who has left
    Column("match", Text(collation="C"), ForeignKey(matches.c.id), primary_key=True),
    _number("created_ms"),  # of the match
    _word("game"),
    _word("state"),
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
    Column("match", Text(collation="C"), ForeignKey(matches.c.id), primary_key=True),
    Column("record", LargeBinary, nullable=False),  # its text, as `packing` packs it
    Column("kept", LargeBinary, nullable=False),  # what the engine gave to be kept, likewise
    _word("head"),  # of its history
    _number("revision"),  # the number of its entries
)

notes = Table(
    "notes",
    metadata,
    Column("match", Text(collation="C"), ForeignKey(matches.c.id), primary_key=True),
    _word("team", key=True),
    _number("number", key=True),
    _word("account"),
    Column("label", Text, nullable=False),
    Column("seat", Text, nullable=False),
    Column("text", Text, nullable=False),
    _number("at_ms"),
    Column("request_id", Text, nullable=False),
)

outbox = Table(
    "outbox",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    _word("kind"),  # account or over
    _word("account", default=""),
    _word("match", default=""),
    Column("payload", Text, nullable=False, server_default=text("''")),
    _number("at_ms"),
    Column("tries", Integer, nullable=False, server_default=text("0")),
    _number("next_ms", default="0"),  # when it is to be tried again
    Column("delivered_ms", BigInteger, nullable=True),
    Index("outbox_waiting", "id", postgresql_where=text("delivered_ms IS NULL")),
    Index("outbox_waiting_of", "account", "id", postgresql_where=text("delivered_ms IS NULL")),
    Index("outbox_delivered", "delivered_ms", postgresql_where=text("delivered_ms IS NOT NULL")),
)

audit = Table(
    "audit",
    metadata,
    _number("n", key=True),
    _number("at_ms"),
    Column("who", Text, nullable=False),
    Column("what", Text, nullable=False),
    Column("why", Text, nullable=False),
    _word("before"),  # the hash of the row before
    _word("hash"),
)
