"""Which store a ledger belongs to, as the host says it; for commands, which have no loop."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from bree.ledger.refusals import TROUBLES, sentence
from bree.ledger.schema import find, trouble
from bree.ledger.upgrade import CONNECT_SECONDS, NOTE, Refused, connected

BELONG = "UPDATE bree.platform SET store = $1 WHERE one = 1"


def word(url: str) -> str:
    """The word by which the ledger at this URL is known; raises `Refused` if it is no good."""

    async def look(connection: Any) -> str:
        found = await find(connection)
        if why := trouble(found):
            raise Refused(why)
        return found.word

    return asyncio.run(_asked(url, look))


def belong(url: str, run: str) -> None:
    """Have the ledger at this URL belong to the store with this run, from now on."""

    async def change(connection: Any) -> str:
        await connection.execute(BELONG, run)
        await connection.execute(NOTE, "bree.process.accept", "accept", f"the store with run {run}")
        return run

    asyncio.run(_asked(url, change))


async def _asked(url: str, what: Callable[[Any], Awaitable[str]]) -> str:
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            connection = await connected(url)
            try:
                return await what(connection)
            finally:
                connection.terminate()
    except TROUBLES as error:
        raise Refused(sentence(error)) from None
