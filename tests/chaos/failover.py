"""`python -m tests.chaos.failover`: the servers of a store are killed, paused and replaced.

Design. It is the platform of the chaos with people and bots, on a primary with replicas and
Sentinels, or on a cluster, in place of the Redis of a local run; one replica is waited for. Each
fault, PostgreSQL's among them, ends when all is whole again, so that each is one loss, as
`docs/durability.md` promises to survive; links are stalled for a second and a half before many
kills of a primary, so that there is something to be lost.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import shutil
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import redis

from bree.local.settings import Trouble
from bree.local.state import POSTGRES
from tests.chaos.__main__ import report
from tests.chaos.cluster import ClusterWorld
from tests.chaos.faults import Fault, Kill, Pause
from tests.chaos.group import GroupWorld
from tests.chaos.journal import Journal, Promise
from tests.chaos.losses import Lengths
from tests.chaos.run import CALM, FIRST_CALM, Run, note_logs
from tests.chaos.schedule import Planned
from tests.chaos.world import World
from tests.e2e.client import Refused
from tests.redis_cluster import redis_cluster
from tests.redis_group import redis_group

EACH = 20.0
"""Seconds that a fault may take, all in all."""

BETWEEN = 1.0


def say(sentence: str) -> None:
    """Tell what happens, as it happens."""
    print(f"failover: {sentence}", flush=True)


class Failovers(Run):
    """Matches that are played while the store fails over."""

    world: GroupWorld | ClusterWorld

    async def _hurt_them(self, planned: list[Planned]) -> None:
        assert not planned
        await asyncio.sleep(FIRST_CALM)
        chance = random.Random(f"failover {self.wanted.seed}")
        losses = await asyncio.to_thread(self.world.losses, chance)
        kinds = {kind: partial(asyncio.to_thread, loss) for kind, loss in losses.kinds.items()}
        kinds |= of_the_ledger(self.world, losses.lengths)
        turns: list[str] = []
        for _ in range(self.wanted.failovers):
            turns = turns or chance.sample([*kinds], len(kinds))
            kind = turns.pop()
            happened = self.journal.begin(kind, "store")
            try:
                await kinds[kind]()
            except (RuntimeError, TimeoutError, redis.RedisError) as error:
                self.journal.breach(Promise.BACK, f"the store after {kind}: {error}")
            happened.ended = self.journal.age
            self.say(f"{happened.began:6.1f} s  {kind}, {happened.ended - happened.began:.1f} s")
            await asyncio.sleep(BETWEEN + chance.random())
        self.end_hurting()


def of_the_ledger(world: World, lengths: Lengths) -> Mapping[str, Callable[[], Awaitable[None]]]:
    """What is done to PostgreSQL, each until it is well again."""
    faults = (Kill(world, POSTGRES, 0.0), Pause(world, POSTGRES, lengths.paused))

    async def happen(fault: Fault) -> None:
        await fault.begin()
        await asyncio.sleep(fault.seconds)
        await fault.end()

    return {f"{fault.kind} {POSTGRES}": partial(happen, fault) for fault in faults}


def wanted() -> argparse.Namespace:
    """What the command line asks for."""
    arguments = argparse.ArgumentParser(prog="python -m tests.chaos.failover", description=__doc__)
    arguments.add_argument("--seed", type=int, default=random.randrange(10**6))
    arguments.add_argument(
        "--cluster", action="store_true", help="of three masters, with a replica each"
    )
    arguments.add_argument("--failovers", type=int, default=50, help="kills and pauses")
    arguments.add_argument("--replicas", type=int, default=1, help="that are waited for; 0 loses")
    arguments.add_argument("--tables", type=int, default=12, help="matches at the same time")
    arguments.add_argument("--thinking", type=float, default=0.3, help="seconds before an answer")
    found = arguments.parse_args()
    found.faults, found.number, found.matches = [], 0, 0
    found.seconds = EACH * found.failovers + CALM
    return found


@contextmanager
def platform(options: argparse.Namespace, home: Path) -> Iterator[GroupWorld | ClusterWorld]:
    """One that is to be started; its store runs."""
    if options.cluster:
        with redis_cluster() as cluster:
            yield ClusterWorld(home, say, cluster, options.replicas)
    else:
        with redis_group() as group:
            yield GroupWorld(home, say, group, options.replicas)


async def run(options: argparse.Namespace, world: GroupWorld | ClusterWorld) -> tuple[Run, Journal]:
    """One run on a platform of its own."""
    journal = Journal()
    piece = Failovers(options, world, journal, say)
    try:
        await world.start(world.settings_of_parts)
        journal = piece.journal = Journal()
        say(f"the platform runs; its state is in {world.home}")
        await piece.run()
    except (TimeoutError, Trouble, ExceptionGroup, Refused) as error:
        journal.breach(Promise.ENDED, f"{type(error).__name__}: {error}")
    finally:
        await world.stop()
    note_logs(journal, world)
    return piece, journal


def main() -> int:
    """Run; the exit code says whether everything survived."""
    options = wanted()
    say(f"seed {options.seed}")
    home = Path(tempfile.mkdtemp(prefix="bree-failover-"))
    with platform(options, home) as world:
        piece, journal = asyncio.run(run(options, world))
    report(piece, journal, journal.age)
    if journal.breaches:
        say(f"{dict(journal.broken())} broken; logs are in {piece.world.logs}")
    else:
        shutil.rmtree(home)
    say("not everything survived" if journal.breaches else "everything survived")
    return 1 if journal.breaches else 0


if __name__ == "__main__":
    sys.exit(main())
