"""What the tables of the ledger are made of.

Design. Names and ids are compared byte by byte, as Redis sorts them, so that lists of both can be
joined. Times are in milliseconds since 1970.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, MetaData, Text, text
from sqlalchemy.dialects.postgresql import DOUBLE_PRECISION

SCHEMA = "bree"
metadata = MetaData(schema=SCHEMA)


def word(name: str, *, key: bool = False, default: str | None = None) -> Column[str]:
    """A column of text that is compared byte by byte."""
    given = None if default is None else text(f"'{default}'")
    kind = Text(collation="C")
    return Column(name, kind, primary_key=key, nullable=False, server_default=given)


def number(name: str, *, key: bool = False, default: str | None = None) -> Column[int]:
    """A column of whole numbers, times among them."""
    given = None if default is None else text(default)
    return Column(
        name,
        BigInteger,
        primary_key=key,
        nullable=False,
        server_default=given,
        autoincrement=False,
    )


def figure(name: str) -> Column[float]:
    """A column of figures that were computed."""
    return Column(name, DOUBLE_PRECISION, nullable=False)


def prose(name: str, *, default: str | None = None) -> Column[str]:
    """A column of text that nobody sorts."""
    given = None if default is None else text(f"'{default}'")
    return Column(name, Text, nullable=False, server_default=given)


def flag(name: str, *, default: str | None = None) -> Column[bool]:
    """A column of what is so or is not."""
    given = None if default is None else text(default)
    return Column(name, Boolean, nullable=False, server_default=given)


def of(name: str, row: Column[str], *, key: bool = False, index: bool | None = None) -> Column[str]:
    """A column that names a row of another table."""
    kind = Text(collation="C")
    return Column(name, kind, ForeignKey(row), primary_key=key, nullable=False, index=index)
