"""The ledger of a local run: where it is, and that its tables are those that the parts need."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from bree.importing.moving import moved_at_first
from bree.importing.report import Refused as NotMoved
from bree.ledger.upgrade import Refused, upgraded
from bree.local import postgres_server
from bree.local.parts import Part
from bree.local.settings import LocalSettings, Trouble
from bree.process.statuses import Denied
from bree.redis.clients import FAILURES

VARIABLE, STORE, KEY = "BREE_LEDGER_URL", "BREE_STORE_URL", "BREE_FATE_KEY"


def url_of_this_run(settings: LocalSettings) -> str:
    """Where the ledger of a local run is, for commands besides it."""
    if settings.ledger_url:
        return settings.ledger_url
    password = settings.state / postgres_server.PASSWORD
    if not password.exists():
        raise Trouble(f"nothing has ever run on {settings.state}", 2)
    return postgres_server.url(settings.postgres_port, password.read_text("ascii").strip())


async def make_ready(parts: Iterable[Part], say: Callable[[str], None]) -> None:
    """Bring the tables to what these parts need, before one of them is started.

    A platform from before there was a ledger is moved to it.
    """
    environments = [part.environment for part in parts if VARIABLE in part.environment]
    for url in {one[VARIABLE] for one in environments}:
        await _upgrade(url)
    for one in environments:
        if KEY in one:
            await _move(one, say)
            return


async def _move(environment: Mapping[str, str], say: Callable[[str], None]) -> None:
    """Move what the store has from before, once."""
    keys = [bytes.fromhex(key) for key in environment[KEY].split(",")]
    try:
        report = await moved_at_first(environment[STORE], environment[VARIABLE], keys)
    except (*FAILURES, Denied, NotMoved, OSError) as error:
        raise Trouble(f"what was kept before there was a ledger cannot be moved: {error}") from None
    if report is None or not (report.moved.total() or report.left):
        return
    say(report.text())
    for what, why in report.left.items():
        say(f"{what}: {why}")


async def _upgrade(url: str) -> None:
    """Make the migrations that are missing."""
    try:
        await upgraded(url, "bree run")
    except Refused as refused:
        raise Trouble(str(refused)) from None
