"""`bree account`: all that a platform keeps of one person, given out or taken away.

Design. Only what is in the ledger can be given out whole and taken away for good. Whoever sits in a
match that is live, or has ended so lately that it is still in the live store, is asked to wait.
"""

from __future__ import annotations

import asyncio
import json
import zipfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from bree.backup.taking import Refused, Where
from bree.ledger import exporting, people
from bree.ledger.people import Person
from bree.ledger.refusals import TROUBLES, sentence
from bree.ledger.schema import find, trouble
from bree.local import ledger, redis_server
from bree.local.screen import Screen, alone
from bree.local.settings import Trouble, of_this_run
from bree.redis.clients import FAILURES, Client

AWAY = 3
LISTS = ("live", "seated", "open")
"""The lists of an account that name matches of the live store."""


def export(name: str, to: Path) -> int:
    """Write everything of one person into a file; the exit code."""
    return _run(name, lambda where, sql, who, screen: _export(sql, who, to, screen))


def delete(name: str) -> int:
    """Take one person away; the exit code."""
    return _run(name, _delete)


Work = Callable[[Where, Any, Person, Screen], Awaitable[None]]


def _run(name: str, work: Work) -> int:
    screen = Screen()
    alone()
    try:
        asyncio.run(_with_ledger(name, work, screen))
    except Trouble as found:
        screen.say(str(found))
        return found.code
    except TROUBLES as error:
        screen.say(sentence(error))
        return AWAY
    except Refused as refused:
        screen.say(str(refused))
        return 2
    except FAILURES as error:
        screen.say(f"the store cannot be asked: {error}")
        return AWAY
    return 0


async def _with_ledger(name: str, work: Work, screen: Screen) -> None:
    settings = of_this_run()
    live, kept = redis_server.url_of_this_run(settings), ledger.url_of_this_run(settings)
    where = Where(live, kept, settings.store_replicas)
    async with where.sql() as sql:
        if why := trouble(await find(sql)):
            raise Trouble(why, 2)
        who = await people.person(sql, name)
        if who is None:
            raise Trouble(f"there is no account {name}", 2)
        await work(where, sql, who, screen)


async def _export(sql: Any, who: Person, to: Path, screen: Screen) -> None:
    number = 0
    try:
        with zipfile.ZipFile(to, "x", zipfile.ZIP_DEFLATED) as file:
            file.writestr("account.json", _json(await exporting.everything(sql.fetch, who)))
            async for match in exporting.over(sql.fetch, who.id, exporting.HIGHEST):
                number += 1
                doc, record = await exporting.match(sql.fetch, match) or ("{}", "")
                file.writestr(f"matches/{match}.json", _json(json.loads(doc)))
                if record:
                    file.writestr(f"records/{match}.txt", record)
    except OSError as error:
        raise Trouble(f"{to} cannot be written: {error.strerror}", 2) from None
    screen.say(f"{to}: the account {who.name} with {number} matches that are over")


async def _delete(where: Where, sql: Any, who: Person, screen: Screen) -> None:
    async with where.live() as store:
        if live := await _live(store, who.id):
            raise Trouble(
                f"{who.name} sits in {len(live)} matches that are live or have just ended "
                f"({', '.join(live[:3])}): end them, run bree archive, and delete him then",
                2,
            )
        async with sql.transaction():
            deleted = await people.delete(sql, who, "bree account delete")
        lists = [f"bree:g:{{a:{who.id}}}:{part}" for part in (*LISTS, "asked", "ended")]
        await store.call_safely("UNLINK", *lists)
    screen.say(
        f"{who.name} is deleted: {deleted.matches} matches and the ratings go on as "
        f"{deleted.pseudonym}; backups from before still have the name"
    )
    if deleted.named:
        screen.say(f"records of the first form bind the name and keep it: {deleted.named}")


async def _live(store: Client, account: str) -> list[str]:
    """The matches of the live store in which somebody sits."""
    found: set[str] = set()
    for part in LISTS:
        named: Any = await store.call("ZRANGE", f"bree:g:{{a:{account}}}:{part}", 0, -1)
        found |= set(named)
    return sorted([m for m in found if await store.call("EXISTS", f"bree:g:{{m:{m}}}")])


def _json(said: Any) -> str:
    return json.dumps(said, indent=1, ensure_ascii=False) + "\n"
