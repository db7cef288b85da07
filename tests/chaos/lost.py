"""`python -m tests.chaos.lost`: the store is emptied, or set back to a copy; that must be told.

Design. What was acknowledged is gone, so nothing can be as it was. What must be true instead: no
match goes on as though nothing had happened, nobody is given the name or the account of another,
engines and gateways say it in their logs and their metrics, and nothing is INTERNAL.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import re
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bree.gateway.v1 import gateway_pb2 as pb
from tests.chaos.journal import Journal, Promise
from tests.chaos.people import Person
from tests.chaos.run import note_logs
from tests.chaos.tables import Table
from tests.chaos.wire import HOST
from tests.chaos.world import World
from tests.e2e.client import Refused

WAYS = ("emptied", "rolledback")
TABLES = 8
BEFORE, BETWEEN, AFTER = 8.0, 10.0, 20.0
"""Seconds of play before the copy is taken, until the loss, and until everybody must know."""

SETTINGS = {"BREE_STORE_MAY_LOSE_SECONDS": "5"}
"""Less than is lost here."""

NAME = "rosie-cotton"
SAID = re.compile(
    r"^bree_(store_\w+|histories_changed_total)(\{[^}]*\})? ([0-9.e+]+)$", re.MULTILINE
)
TELLERS = ("gateway", "engine")


async def kept_of(world: World, into: Path) -> None:
    """Copy the files of the store as they are, to take their place at a start of it."""
    files = (world.edge / "now").resolve()
    await asyncio.to_thread(shutil.copytree, files, into)


class Loss:
    """One loss, and what comes of it."""

    def __init__(self, way: str, seed: int, world: World) -> None:
        self.way = way
        self.seed = seed
        self.world = world
        self.journal = Journal()
        self.tables: list[Table] = []

    async def run(self) -> None:
        """Play, lose, and look who says so."""
        people = [Person(self.world.address(n), self.world.heard) for n in range(TABLES)]
        await people[0].called(NAME)
        for person in people[1:]:
            await person.__aenter__()
        pairs = zip(people, [*people[1:], people[0]], strict=True)
        for number, pair in enumerate(pairs):
            made = (number, self.seed, pair, 0.5, self.world.matches, lambda: self.journal.age)
            self.tables.append(Table(*made))
        playing = [asyncio.create_task(table.run(lambda: True, _left)) for table in self.tables]
        await self._lose()
        await self._ask_after(people[0])
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        for person in people:
            await person.__aexit__()

    async def _lose(self) -> None:
        spare = self.world.home / "copy"
        await asyncio.sleep(BEFORE)
        await kept_of(self.world, spare)
        known = self._acknowledged()
        await asyncio.sleep(BETWEEN)
        lost = {
            seat: count
            for seat, count in self._acknowledged().items()
            if count > known.get(seat, 0)
        }
        if self.way == "emptied":
            shutil.rmtree(spare)
            spare.mkdir()
        spare.rename(self.world.edge / "next")
        happened = self.journal.begin(self.way, "redis")
        os.kill(self.world.running()["redis"], signal.SIGKILL)
        await asyncio.sleep(1)
        await self.world.back("redis")
        happened.ended = self.journal.age
        await asyncio.sleep(AFTER)
        self._see_who_went_on(lost)

    def _acknowledged(self) -> dict[object, int]:
        """How many answers each seat of a match in flight was acknowledged."""
        current = [table.current for table in self.tables if table.current]
        return {seat: len(seat.acknowledged) for played in current for seat in played.seats}

    def _see_who_went_on(self, lost: dict[object, int]) -> None:
        for seat, count in lost.items():
            more = len(seat.acknowledged) - count
            if more > 1:  # one may have been on its way
                told = f"{seat.seat} was acknowledged {more} moves on top of some that are lost"
                self.journal.breach(Promise.TOLD, told, seat.match)

    async def _ask_after(self, person: Person) -> None:
        for told in [*self._silent_logs(), *await self._silent_metrics()]:
            self.journal.breach(Promise.TOLD, told)
        if self.way != "emptied":
            return
        stranger = Person(self.world.address(0), self.world.heard)
        request = pb.CreateAccountRequest(name=NAME)
        with contextlib.suppress(Refused):
            await stranger.once(stranger.accounts.CreateAccount, request)
            self.journal.breach(Promise.TOLD, f"the name {NAME} was given away again")
        try:
            await person.once(person.accounts.GetAccount, pb.GetAccountRequest())
        except Refused as refused:
            if refused.reason == "UNAUTHENTICATED":
                told = f"who has an account is told that he has none: {refused}"
                self.journal.breach(Promise.TOLD, told)
        await stranger.channel.close()

    def _silent_logs(self) -> Iterator[str]:
        """The kinds of parts of which none says in its log that the store is not what it was."""
        lost = self.journal.faults[0].began
        for kind in TELLERS:
            names = [part.name for part in self.world.parts if part.kind == kind]
            if not any(self._says(name, lost) for name in names):
                yield f"no {kind} has an error about the store in its log"

    def _says(self, name: str, since: float) -> bool:
        log = (self.world.logs / f"{name}.log").read_text(encoding="utf-8", errors="replace")
        for line in log.splitlines():
            with contextlib.suppress(ValueError, AttributeError, KeyError):
                said = json.loads(line)
                is_late = self.journal.age_at(said["timestamp"]) > since
                if is_late and said["level"] == "error" and "store" in said["event"]:
                    return True
        return False

    async def _silent_metrics(self) -> list[str]:
        """The kinds of parts of which none counts that something was lost."""
        silent = []
        for kind in TELLERS:
            parts = [part for part in self.world.parts if part.kind == kind]
            pages = [await _metrics(part.metrics) for part in parts]
            if not any(float(found[3]) for page in pages for found in SAID.finditer(page)):
                silent.append(f"no {kind} has a metric of the store's losses that is not zero")
        return silent


async def _metrics(port: int) -> str:
    reader, writer = await asyncio.open_connection(HOST, port)
    writer.write(b"GET /metrics HTTP/1.0\r\n\r\n")
    page = (await reader.read()).decode()
    writer.close()
    return page


def _left(table: Table, why: str) -> None:
    """A match that is refused now is what is wanted here."""


async def lose(way: str, seed: int, home: Path) -> Journal:
    """One loss on a platform of its own."""
    world = World(home, print)
    loss = Loss(way, seed, world)
    try:
        await world.start(SETTINGS)
        loss.journal = Journal()
        await loss.run()
    finally:
        await world.stop()
    note_logs(loss.journal, world)
    codes = ", ".join(f"{code} {count}" for code, count in world.heard.codes.most_common())
    print(f"lost: refused: {codes}")
    return loss.journal


def main() -> int:
    """Lose in each way; the exit code says whether all of them were told of."""
    arguments = argparse.ArgumentParser(prog="python -m tests.chaos.lost", description=__doc__)
    arguments.add_argument("--seed", type=int, default=random.randrange(10**6))
    arguments.add_argument("--ways", default=",".join(WAYS), help=f"of {','.join(WAYS)}")
    wanted = arguments.parse_args()
    good = True
    for way in wanted.ways.split(","):
        home = Path(tempfile.mkdtemp(prefix="bree-lost-"))
        journal = asyncio.run(lose(way, wanted.seed, home))
        for breach in journal.breaches:
            print(f"lost: BROKEN {breach}")
        told = f"logs are in {home / 'state' / 'logs'}" if journal.breaches else "everybody says so"
        print(f"lost: {way}, seed {wanted.seed}: {told}")
        good = good and not journal.breaches
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
