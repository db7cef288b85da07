"""What those are told who have a ledger."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

from pydantic import Field, field_validator

from bree.ledger.link import Ledger
from bree.process.settings import ProcessSettings

FORM = "a URL of PostgreSQL, as postgresql://USER:PASSWORD@HOST:PORT/DATABASE"


def checked(url: str) -> str:
    """A URL by which a ledger may be found; `ValueError`, with one sentence, if it is none."""
    try:
        parts = urlsplit(url)
        has_host = bool(parts.hostname or "host" in parse_qs(parts.query))
        is_ours = parts.scheme in ("postgresql", "postgres") and parts.port != 0
    except ValueError:
        raise ValueError(f"this is not {FORM}") from None
    if not (is_ours and has_host and len(parts.path) > 1):
        raise ValueError(f"this is not {FORM}")
    return url


class LedgerSettings(ProcessSettings):
    """Read from variables that begin with BREE_."""

    ledger_url: str = ""
    ledger_connections: int = Field(default=16, ge=2, le=1000)  # at most
    ledger_seconds: float = Field(default=5, gt=0, le=60)  # that a call to it may take

    @field_validator("ledger_url")
    @classmethod
    def _is_a_url(cls, url: str) -> str:
        return checked(url) if url else url

    def ledger(self) -> Ledger:
        """The ledger that these settings name."""
        return Ledger(self.ledger_url, self.ledger_connections, self.ledger_seconds)
