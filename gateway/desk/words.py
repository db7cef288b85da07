"""What notices and the audit log say, in words."""

from __future__ import annotations

from datetime import UTC, datetime


def day(ms: int) -> str:
    """A time, to the minute."""
    return datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
