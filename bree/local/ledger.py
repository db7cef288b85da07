"""The ledger of a local run: where it is, and that its tables are those that the parts need."""

from __future__ import annotations

from collections.abc import Iterable

from bree.local import postgres_server
from bree.local.parts import Part
from bree.local.settings import LocalSettings, Trouble

VARIABLE = "BREE_LEDGER_URL"


def url_of_this_run(settings: LocalSettings) -> str:
    """Where the ledger of a local run is, for commands besides it."""
    if settings.ledger_url:
        return settings.ledger_url
    password = settings.state / postgres_server.PASSWORD
    if not password.exists():
        raise Trouble(f"nothing has ever run on {settings.state}", 2)
    return postgres_server.url(settings.postgres_port, password.read_text("ascii").strip())


async def make_ready(parts: Iterable[Part]) -> None:
    """Bring the tables to what these parts need, before one of them is started."""
    urls = {part.environment[VARIABLE] for part in parts if VARIABLE in part.environment}
    for url in urls:
        await _upgrade(url)


async def _upgrade(url: str) -> None:
    """Make the migrations that are missing."""
