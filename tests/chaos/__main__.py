"""`python -m tests.chaos`: many matches, many kills, and what must be true afterwards."""

from __future__ import annotations

import argparse
import asyncio
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.chaos.killer import Killer
from tests.chaos.tables import Played, Table
from tests.e2e.client import Client, Refused
from tests.e2e.matches import clients, over, saw_everything
from tests.e2e.platform import Down, Platform

GENEROUS = {
    "calls_a_second": 5000,
    "calls_burst": 5000,
    "new_accounts_burst": 10_000,
    "most_streams": 1000,
    "log_level": "warning",
}
"""Limits are tested elsewhere."""

SPARE = 5
"""One table more for so many matches: between two matches a table is empty."""

KILLING = 0.4
"""This part of the time parts are killed; in the rest matches end and are examined."""


def say(sentence: str) -> None:
    """Tell what happens, as it happens."""
    print(f"chaos: {sentence}", flush=True)


class Chaos:
    """One run."""

    def __init__(self, wanted: argparse.Namespace, platform: Platform) -> None:
        self.wanted = wanted
        self.began = time.monotonic()
        self.platform = platform
        self.faults: list[str] = []
        self.decisions = 0
        self.wrong = 0  # matches
        self.killer = Killer(platform, wanted.seed, wanted.kills, KILLING * wanted.seconds, say)

    async def run(self) -> None:
        """Play and kill, then examine every match."""
        wanted = self.wanted
        count = wanted.matches + wanted.matches // SPARE
        async with asyncio.timeout(wanted.seconds), clients(self.platform, count) as made:
            self.clients = made
            pairs = zip(made, [*made[1:], made[0]], strict=True)
            tables = [
                Table(number, wanted.seed, pair, wanted.thinking)
                for number, pair in enumerate(pairs)
            ]
            playing = [asyncio.create_task(table.run(self.killer.done)) for table in tables]
            await self._all_busy(tables, playing)
            say(f"{sum(t.busy for t in tables)} matches are in flight; the killing begins")
            await asyncio.gather(self._kill(tables), *playing)
            self.played = [played for table in tables for played in table.played]
            say(f"{self._age()}: {len(self.played)} matches have finished; they are examined")
            await self._examine(made[0])

    async def _kill(self, tables: list[Table]) -> None:
        await self.killer.run(lambda: sum(table.busy for table in tables))
        say(f"{self._age()}: the killing ends; nobody thinks any longer")
        for table in tables:
            table.thinking = 0
            table.think()

    async def _all_busy(self, tables: list[Table], playing: list[asyncio.Task[None]]) -> None:
        while sum(table.busy for table in tables) < self.wanted.matches:
            for task in playing:
                if task.done():
                    task.result()
            await asyncio.sleep(0.05)

    async def _examine(self, client: Client) -> None:
        fewest = min(self.killer.in_flight)
        if fewest < self.wanted.matches:
            self.faults.append(f"only {fewest} matches were in flight at one of the kills")
        for played in self.played:
            await self._fault(self._examine_match(client, played), played.match)
        expected = Counter((name, one.game) for one in self.played for name in one.accounts)
        for (name, game), count in expected.items():
            counted = (await client.rating(name, game)).matches
            if counted != count:
                self.faults.append(
                    f"{name} played {count} matches of {game} and {counted} have counted"
                )

    async def _examine_match(self, client: Client, played: Played) -> None:
        record = await over(client, played.match, *played.seats)
        self.decisions += len(record.entries)
        await saw_everything(client, played.crowd, record)
        await client.rated(played.match)

    async def _fault(self, examination, match: str) -> None:
        try:
            await examination
        except (AssertionError, Refused, ValueError) as fault:
            self.wrong += 1
            self.faults.append(f"{match}: {fault!r}"[:500])

    def _age(self) -> str:
        return f"{time.monotonic() - self.began:.0f} s"

    def report(self, seconds: float) -> None:
        """The figures of the run."""
        seats = [seat for played in self.played for seat in played.seats]
        good = len(self.played) - self.wrong
        games = Counter(played.game for played in self.played)
        acknowledged = sum(len(seat.acknowledged) for seat in seats)
        kills = ", ".join(f"{name} {count}" for name, count in sorted(self.killer.killed.items()))
        longest, slowest = max(client.longest for client in self.clients)
        restarts = sum("is started again" in line for line in self.platform.said)
        for line in (
            f"seed {self.wanted.seed}, {seconds:.0f} s",
            f"kills: {sum(self.killer.killed.values())} ({kills}); restarts: {restarts}",
            f"matches in flight at each kill: {min(self.killer.in_flight)} at least",
            "games: " + ", ".join(f"{game} {count}" for game, count in sorted(games.items())),
            f"matches finished: {len(self.played)}; verified, as acknowledged, and rated: {good}",
            f"decisions in their records: {self.decisions}",
            f"answers acknowledged to people: {acknowledged}",
            f"calls and streams repeated: {sum(client.repeats for client in self.clients)}",
            f"longest wait for an answer: {longest:.1f} s ({slowest})",
        ):
            say(line)


def bugs(logs: Path) -> list[str]:
    """What the parts themselves say should not have happened."""
    return [
        f"{log.name}: {line[:300]}"
        for log in sorted(logs.glob("*.log"))
        for line in log.read_text(encoding="utf-8", errors="replace").splitlines()
        if '"event": "bug"' in line
    ]


def main() -> int:
    """Run; the exit code says whether everything survived."""
    arguments = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    arguments.add_argument("--seed", type=int, default=random.randrange(10**6))
    arguments.add_argument("--matches", type=int, default=50, help="in flight at the same time")
    arguments.add_argument("--kills", type=int, default=20)
    arguments.add_argument("--seconds", type=float, default=240, help="no run takes longer")
    arguments.add_argument("--thinking", type=float, default=0.5, help="seconds before an answer")
    arguments.add_argument("--keep", action="store_true", help="keep the logs of a good run too")
    wanted = arguments.parse_args()
    say(f"seed {wanted.seed}")
    home = Path(tempfile.mkdtemp(prefix="bree-chaos-"))
    platform = Platform(home / "state", replicas=2, workers=2, sweepers=2, **GENEROUS)
    began, faults = time.monotonic(), ["it did not come to its end"]
    try:
        platform.start()
        say(f"the platform runs after {platform.seconds:.1f} s; its state is in {home}")
        chaos = Chaos(wanted, platform)
        asyncio.run(chaos.run())
        chaos.report(time.monotonic() - began)
        faults = chaos.faults
    except (TimeoutError, Down) as error:
        faults = [f"{type(error).__name__} after {time.monotonic() - began:.0f} s: {error}"]
    finally:
        code = platform.stop()
    faults += bugs(home / "state" / "logs")
    faults += [f"the platform ended with code {code}"] if code else []
    for fault in faults:
        say(f"FAULT {fault}")
    if faults:
        say(f"{len(faults)} faults; logs are in {home / 'state' / 'logs'}")
        return 1
    if not wanted.keep:
        shutil.rmtree(home)
    say("everything survived")
    return 0


if __name__ == "__main__":
    sys.exit(main())
