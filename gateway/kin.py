"""Whether the store and the ledger belong together: they did when they last met.

Design. A ledger has a word, a store has a run, and each notes that of the other when they first
meet. After that neither is used with another one, before the host has accepted it: else two
platforms would share accounts, or one would go on with the matches of another. A store that was
accepted anew says which runs it follows, and that is enough.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from bree.ledger.schema import Found
from bree.process.epoch import KEYS
from bree.process.statuses import Denied
from gateway.redis_link import RedisLink

EPOCH = KEYS[0]
WORD = "ledger"
REMEDY = "to accept it, run: python -m bree.process.accept"

BELONG = "UPDATE bree.platform SET store = $1 WHERE one = 1 AND store = $2 RETURNING store"


class Kin:
    """Looks whether a ledger belongs to this store."""

    def __init__(self, store: RedisLink) -> None:
        self._store = store
        self._said = ""

    async def __call__(self, connection: Any, found: Found) -> str:
        """Why it does not, in a sentence; nothing if it does."""
        with suppress(Denied):  # of a store that is away, or in doubt: what it last said holds
            self._said = await self._look(connection, found)
        return self._said

    async def _look(self, connection: Any, found: Found) -> str:
        [(run, follows, word)] = await self._store.many([("HMGET", EPOCH, "run", "follows", WORD)])
        if not run:
            return ""  # a store without a run is used by nobody
        if word and word != found.word:
            return f"this store belongs to another ledger than this one; {REMEDY}"
        if found.store not in ("", run, *(follows or "").split()):
            return f"this ledger belongs to another store than this one; {REMEDY}"
        if found.store != run and not await connection.fetchval(BELONG, run, found.store):
            return f"this ledger has just met another store than this one; {REMEDY}"
        if not word:
            await self._store.note(EPOCH, WORD, found.word)
        return ""
