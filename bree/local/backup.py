"""`bree backup` and `bree restore`: for a local run, and for servers that the environment names.

Design. A local run is backed up while it runs, and restored while it does not: its two servers are
started alone for that. Where both are named (`BREE_STORE_URL`, `BREE_LEDGER_URL`) they are used as
they are. The fate key is in a backup only if that is asked for: with it all chance of live matches
can be foretold, and without it nobody can go on with them.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TypeVar

from bree.backup import after, checking, restoring, taking
from bree.backup.file import Broken, Reader
from bree.backup.taking import Where
from bree.local import redis_server
from bree.local.ledger import url_of_this_run
from bree.local.parts import servers_of
from bree.local.screen import Screen, alone
from bree.local.settings import LocalSettings, Trouble, of_this_run
from bree.local.state import State
from bree.local.supervisor import Supervisor
from bree.redis.clients import FAILURES, checked
from services.host.fate_keys import fingerprint

T = TypeVar("T")
KEYS = "keys"
SOME = 100
"""The records that are looked at, unless all are asked for."""

AWAY = 3
DAMAGED = 1


def back_up(folder: Path, *, keys: bool, thorough: bool) -> int:
    """Back up the platform that runs; the exit code."""
    return run(lambda settings, screen: _back_up(settings, screen, folder, keys, thorough))


def restore(path: Path, lost: str) -> int:
    """Bring a platform back; the exit code."""
    return run(lambda settings, screen: _restore(settings, screen, path, lost))


def check(path: Path, *, thorough: bool) -> int:
    """Look whether a backup is what it says; the exit code."""
    return run(lambda settings, screen: _check(settings, screen, path, thorough))


def run(work: Callable[[LocalSettings, Screen], Awaitable[int]]) -> int:
    """Do something with the servers of this run; the exit code, and why, if it cannot be done."""
    settings, screen = of_this_run(), Screen()
    alone()
    try:
        return asyncio.run(_awaited(work(settings, screen)))
    except taking.Refused as refused:
        screen.say(str(refused))
        return AWAY if refused.is_away else 2
    except Broken as broken:
        screen.say(str(broken))
        return DAMAGED
    except Trouble as trouble:
        screen.say(str(trouble))
        return trouble.code


async def _awaited(work: Awaitable[T]) -> T:
    return await work


# Taking one.


async def _back_up(
    settings: LocalSettings, screen: Screen, folder: Path, keys: bool, thorough: bool
) -> int:
    given = keys_of_this_run(settings)
    if keys and not given:
        raise Trouble("there is no fate key here: set BREE_FATE_KEY, as engines have it", 2)
    extra = {KEYS: [key.hex() for key in given]} if keys else {}
    taken = await taking.back_up(where_of(settings), folder, extra)
    screen.say(
        f"{taken.path}: {taken.accounts} accounts, {taken.live} live matches, {taken.ended} that "
        f"are over; {'with' if keys else 'without'} the fate key"
    )
    return await _check(settings, screen, taken.path, thorough)


async def _check(settings: LocalSettings, screen: Screen, path: Path, thorough: bool) -> int:
    with Reader(path) as source:
        keys = keys_of_this_run(settings) or _keys_of(source)
        records = source.parts["ledger/records"].rows
        share = 1.0 if thorough or records <= SOME else SOME / records
        found = await checking.check(source, keys, share)
    for wrong in found.wrong:
        screen.say(wrong)
    of_live = f"{found.live} live matches replayed" if keys else "no fate key, so no live match"
    screen.say(
        f"verified: every part is whole, {of_live}, {found.records} of {records} records replayed; "
        f"{len(found.wrong) or 'nothing'} wrong"
    )
    return DAMAGED if found.wrong else 0


# Bringing one back.


async def _restore(settings: LocalSettings, screen: Screen, path: Path, lost: str) -> int:
    _check_lost(lost)
    with Reader(path) as source:
        if settings.store_url and settings.ledger_url:
            await _restored(where_of(settings), screen, source)
        else:
            await _restored_here(settings, screen, source)
        if lost:
            await _tell_after(lost, screen, source)
    return 0


async def _restored_here(settings: LocalSettings, screen: Screen, source: Reader) -> None:
    """Restore into the servers of a local run, which are started for that alone."""
    state = State(settings.state)
    try:
        _take_keys(state, source)
        supervisor = Supervisor(servers_of(settings, state), state, settings, screen.say)
        supervisor.prepare()
        try:
            await supervisor.start()
            await _restored(where_of(settings), screen, source)
        finally:
            await supervisor.stop()
    finally:
        state.close()


def _take_keys(state: State, source: Reader) -> None:
    """Have the fate key that the matches of a backup go on with, or refuse."""
    wanted, path = set(source.said["fate_keys"]), state.root / "fate_key"
    given = _keys_of(source)
    if given and not path.exists():
        state.take_secret("fate_key", given[0].hex())
    ours = {fingerprint(key) for key in _keys_in(path)} if path.exists() else set()
    if wanted and wanted.isdisjoint(ours):
        raise Trouble(
            f"the matches of this backup began with another fate key ({' '.join(sorted(wanted))}): "
            f"put the one of the platform that it is of into {path}",
            2,
        )


async def _restored(where: Where, screen: Screen, source: Reader) -> None:
    came = await restoring.restore(where, source)
    screen.say(
        f"restored and compared: {came.accounts} accounts, {len(came.live)} live matches, "
        f"{came.ended} that are over, as they were {_moment(source)}; what was played since is "
        f"lost, and whose client knows more is told so"
    )


def _moment(source: Reader) -> str:
    return f"at {source.path.name.removeprefix('bree-').removesuffix('.backup')}"


def _check_lost(url: str) -> None:
    """Refuse a URL that names no store, before anything is restored."""
    try:
        if url:
            checked(url)
    except ValueError as error:
        raise Trouble(f"--lost: {error}", 2) from None


async def _tell_after(lost: str, screen: Screen, source: Reader) -> None:
    """Say what the store that is given up has, and the backup has not."""
    number = 0
    try:
        async with Where(lost, "").live() as store:
            async for one in after.after(store, source):
                number += 1
                screen.say(f"after the backup: {one}")
    except FAILURES as error:
        raise taking.Refused(
            f"all is restored, but the store that is given up cannot be read: {error}", is_away=True
        ) from None
    screen.say(f"{number} matches went on after the backup")


# Where things are.


def where_of(settings: LocalSettings) -> Where:
    """The servers of this run."""
    live, kept = redis_server.url_of_this_run(settings), url_of_this_run(settings)
    return Where(live, kept, settings.store_replicas)


def keys_of_this_run(settings: LocalSettings) -> Sequence[bytes]:
    """The fate keys of this platform, as far as they are here."""
    given = os.environ.get("BREE_FATE_KEY", "")
    if given:
        return [bytes.fromhex(key.strip()) for key in given.split(",")]
    path = settings.state / "fate_key"
    return _keys_in(path) if path.exists() else ()


def _keys_in(path: Path) -> Sequence[bytes]:
    return [bytes.fromhex(path.read_text("ascii").strip())]


def _keys_of(source: Reader) -> Sequence[bytes]:
    return [bytes.fromhex(key) for key in source.said.get(KEYS, ())]
