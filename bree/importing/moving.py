"""Moves one platform, from first to last; safe to break off anywhere and to run again."""

from __future__ import annotations

from collections.abc import Sequence

from bree.importing import requests
from bree.importing.old_store import OldStore
from bree.importing.past import Past
from bree.importing.people import People
from bree.importing.report import Refused, Report
from bree.ledger.link import Ledger
from bree.ledger.upgrade import NOTE
from bree.redis.clients import is_cluster
from services import GAMES
from services.host.store import RedisStore

SECONDS = 60.0
"""How long one call to the ledger may take."""


async def moved(store_url: str, ledger_url: str, keys: Sequence[bytes]) -> Report:
    """What was moved, and what was not. `Refused`, and nothing is touched, if it cannot be."""
    old, ledger = OldStore(store_url), Ledger(ledger_url, 2, SECONDS)
    stores = {game: RedisStore(store_url, game, SECONDS) for game in GAMES}
    try:
        await _check(old, ledger)
        report = Report()
        await People(old, ledger, report).move()
        await Past(old, ledger, stores, keys, report).move()
        await requests.tidy(old)
        said = ("bree ledger import", "imported", report.text())
        await ledger.write("import", lambda connection: connection.execute(NOTE, *said))
        return report
    finally:
        await old.close()
        await ledger.close()
        for store in stores.values():
            await store.close()


async def moved_at_first(store_url: str, ledger_url: str, keys: Sequence[bytes]) -> Report | None:
    """The same, if this ledger has never met a store and this store was used before.

    A cluster is not asked: there was none before there was a ledger.
    """
    if is_cluster(store_url):
        return None
    old, ledger = OldStore(store_url), Ledger(ledger_url, 1, SECONDS)
    try:
        is_first = not (await ledger.look()).store and bool(await old.runs())
    finally:
        await old.close()
        await ledger.close()
    return await moved(store_url, ledger_url, keys) if is_first else None


async def _check(old: OldStore, ledger: Ledger) -> None:
    """Refuse where the platform runs, or where the ledger is another platform's."""
    found = await ledger.look()
    runs = await old.runs()
    if found.store and found.store not in runs:
        raise Refused("this ledger belongs to another store")
    listening = await old.listeners(tuple(GAMES))
    if listening:
        raise Refused(
            f"the platform still runs, {listening} of its parts listen to the store: stop it first"
        )
