"""`python -m tests.chaos.upgrade`: a platform is replaced part by part while matches run.

Design. Two of everything, and people who play through gateways of which each knows both. The
migration is made first; then one process after the other is asked to stop, finishes what it does,
and its place is taken by one of the next version, in an order that the seed decides. So both
versions run side by side for most of it. Nothing acknowledged may be lost, nobody may be refused
for good, and every match must come to its end, verified and scored once, as after any chaos.
Without revisions both versions are this tree.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path

from bree.local.parts import Part
from bree.local.settings import Trouble
from bree.local.supervisor import Keeper
from tests.chaos.journal import Journal, Promise
from tests.chaos.people import Person
from tests.chaos.run import FIRST_CALM, Run, note_logs
from tests.chaos.versions import OURS, Version, version, version_of
from tests.chaos.world import World

STOP_SECONDS = 30
"""What a cluster gives a process to stop; a worker has its own."""

WORKER_STOP_SECONDS = 60

BETWEEN = 1.0
"""Seconds of play between two replacements."""

PATIENCE = 60.0
"""Seconds in which a client sends a call again and again; a call that took longer has failed."""


def say(sentence: str) -> None:
    """Tell what happens, as it happens."""
    print(f"upgrade: {sentence}", flush=True)


class Patient(Person):
    """Somebody who notes how long it took until a call was answered, with all repetitions."""

    async def call(self, method, request, patience=PATIENCE):
        began = time.monotonic()
        answer = await super().call(method, request, patience)
        self.longest = max(self.longest, (time.monotonic() - began, type(request).__name__))
        return answer


class Upgrade(Run):
    """A run in which nothing is hurt, and everything is replaced."""

    new: Version
    seconds: dict[str, tuple[float, float]]  # of each part: to stop, and until the next was well

    async def _hurt_them(self, planned: object) -> None:
        self.seconds = {}
        await asyncio.sleep(FIRST_CALM)
        happened = self.journal.begin("upgrade", "all")
        if said := await asyncio.to_thread(self.new.migrate, self.world.parts[-1].environment):
            self.say(said)
        for part in in_turn(self.world.parts, self.wanted.seed):
            await self._replace(part)
            await asyncio.sleep(BETWEEN)
        happened.ended = self.journal.age
        self._examine_versions()
        self.over.set()
        for table in self.tables:
            table.thinking = 0
            for seat in table.current.seats if table.current else ():
                seat.pause = 0

    async def _replace(self, part: Part) -> None:
        supervisor = self.world.supervisor
        place = next(n for n, k in enumerate(supervisor.keepers) if k.part.name == part.name)
        keeper, began = supervisor.keepers[place], time.monotonic()
        await keeper.stop(WORKER_STOP_SECONDS if part.kind == "worker" else STOP_SECONDS)
        stopped = time.monotonic() - began
        code = keeper.process.returncode
        if code != 0:
            told = f"{part.name} was asked to stop and ended with {code} after {stopped:.1f} s"
            self.journal.breach(Promise.BACK, told)
        successor = self.new.of(part)
        supervisor.keepers[place] = Keeper(successor, supervisor)
        self.world.parts[self.world.parts.index(part)] = successor
        await supervisor.until_healthy(successor)
        back = time.monotonic() - began
        self.seconds[part.name] = stopped, back
        self.say(f"{part.name}: stopped after {stopped:.1f} s, the next one well after {back:.1f}")

    def _examine_versions(self) -> None:
        for name, pid in self.world.running().items():
            if self.world.part(name).kind in OURS and version_of(pid) != self.new.name:
                self.journal.breach(Promise.BACK, f"{name} is still of the version before")

    @asynccontextmanager
    async def _people(self) -> AsyncIterator[list[Patient]]:
        made = [
            Patient(self.world.address(number), self.world.heard)
            for number in range(self.wanted.tables)
        ]
        try:
            yield [await person.__aenter__() for person in made]
        finally:
            seconds, method = max(person.longest for person in made)
            self.say(f"the longest that anybody sent a call again: {seconds:.1f} s, {method}")
            if seconds > PATIENCE:
                self.journal.breach(Promise.SERVED, f"{method} took {seconds:.0f} s")
            for person in made:
                await person.__aexit__()


def in_turn(parts: Sequence[Part], seed: int) -> list[Part]:
    """All that are replaced, in an order in which versions of all kinds meet each other."""
    ours = [part for part in parts if part.kind in OURS]
    return random.Random(f"upgrade {seed}").sample(ours, len(ours))


class Old(World):
    """A platform of the version before."""

    def __init__(self, home: Path, version: Version) -> None:
        super().__init__(home, say, stop_seconds=STOP_SECONDS)
        self.version = version

    async def _reached_by_wires(self, part, names):
        return self.version.of(await super()._reached_by_wires(part, names))


async def upgraded(options: argparse.Namespace, home: Path, old: Version, new: Version) -> Upgrade:
    """One platform, replaced while matches run."""
    world = Old(home, old)
    run = Upgrade(options, world, Journal(), say)
    run.new = new
    try:
        await world.start()
        run.journal = Journal()
        say(f"the platform runs; its state is in {home}")
        await run.run()
    except (TimeoutError, Trouble, ExceptionGroup) as error:
        run.journal.breach(Promise.ENDED, f"{type(error).__name__}: {error}")
    finally:
        await world.stop()
    note_logs(run.journal, world)
    return run


def report(run: Upgrade) -> None:
    """The figures, then each broken promise."""
    games = Counter(played.game for played in run.played)
    figures, codes = run.figures(), run.world.heard.codes.most_common()
    for line in (
        f"seed {run.wanted.seed}, {run.journal.age:.0f} s, {len(run.seconds)} parts replaced",
        "games: " + ", ".join(f"{game} {count}" for game, count in sorted(games.items())),
        f"matches finished: {figures.matches}, with {figures.decisions} decisions in their records",
        f"answers acknowledged to people: {figures.acknowledged}; all are in the records"
        if not run.journal.breaches
        else f"answers acknowledged to people: {figures.acknowledged}",
        f"calls and streams repeated: {figures.repeats}",
        "refused: " + (", ".join(f"{code} {count}" for code, count in codes) or "nobody"),
    ):
        say(line)
    for breach in sorted(run.journal.breaches, key=lambda breach: breach.at):
        say(f"BROKEN {breach}")


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos.upgrade", description=__doc__)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--old", default="", help="the revision of git to begin with")
    parser.add_argument("--new", default="", help="the revision to come to")
    parser.add_argument("--tables", type=int, default=16, help="matches at the same time")
    parser.add_argument("--seconds", type=float, default=300, help="no run takes longer")
    parser.add_argument("--thinking", type=float, default=0.5, help="seconds before an answer")
    parser.set_defaults(faults=[], number=0, matches=0)
    return parser


def main() -> int:
    """Upgrade; the exit code says whether nothing was lost."""
    wanted = arguments().parse_args()
    home = Path(tempfile.mkdtemp(prefix="bree-upgrade-"))
    with ExitStack() as trees:
        try:
            old = trees.enter_context(version("old", wanted.old, home))
            new = trees.enter_context(version("new", wanted.new, home))
        except subprocess.CalledProcessError as error:
            say(f"there is no such version: {(error.stderr or b'').decode().strip() or error}")
            return 2
        run = asyncio.run(upgraded(wanted, home / "run", old, new))
    report(run)
    if run.journal.breaches:
        say(f"{dict(run.journal.broken())} broken; logs are in {run.world.logs}")
        return 1
    shutil.rmtree(home)
    say("nothing was lost")
    return 0


if __name__ == "__main__":
    sys.exit(main())
