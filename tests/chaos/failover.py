"""`python -m tests.chaos.failover`: a primary, its replicas and Sentinels are killed and paused.

Design. It is the platform of the chaos with people and bots, on a group of Redis in place of the
one of a local run; one replica is waited for. Each fault ends with a group that is whole again, so
that each is one loss, as `docs/durability.md` promises to survive; links are stalled for a second
and a half before most kills of a primary, so that there is something to be lost.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from bree.local.parts import Part
from bree.local.settings import Trouble
from tests.chaos.__main__ import report
from tests.chaos.journal import Journal, Promise
from tests.chaos.run import CALM, FIRST_CALM, Run, note_logs
from tests.chaos.schedule import Planned
from tests.chaos.world import World
from tests.redis_group import RedisGroup, redis_group

STALLED, PAUSED, AWAY = 1.5, 8.0, 2.0
"""Seconds that a link is stalled, that a node stands still, and that one is gone."""

EACH = 20.0
"""Seconds that a fault may take, all in all."""

BETWEEN = 1.0


def say(sentence: str) -> None:
    """Tell what happens, as it happens."""
    print(f"failover: {sentence}", flush=True)


class GroupWorld(World):
    """A platform on a group of Redis."""

    def __init__(self, home: Path, group: RedisGroup, replicas: int) -> None:
        super().__init__(home, say)
        self.group, self.replicas = group, replicas

    @property
    def settings_of_parts(self) -> Mapping[str, str]:
        """What each part is told."""
        urls = dict.fromkeys(("BREE_STORE_URL", "BREE_BROKER_URL"), self.group.url)
        return {**urls, "BREE_STORE_REPLICAS": str(self.replicas), "BREE_STORE_NEW": "yes"}

    def wanted(self, parts: list[Part]) -> list[Part]:
        """All but the Redis."""
        return [part for part in parts if part.kind != "redis"]


class Faults:
    """What is done to the group; each returns when it is whole again."""

    def __init__(self, group: RedisGroup, chance: random.Random) -> None:
        self.group, self.chance = group, chance
        self.kinds: Mapping[str, Callable[[], None]] = {
            "kill the primary, one link stalled": lambda: self.kill_primary(1),
            "kill the primary, both links stalled": lambda: self.kill_primary(2),
            "kill the primary": lambda: self.kill_primary(0),
            "pause the primary": self.pause_primary,
            "kill a replica": self.kill_replica,
            "pause a replica": self.pause_replica,
            "kill both replicas": self.kill_replicas,
            "kill a Sentinel": self.kill_sentinel,
        }

    def kill_primary(self, stalled: int) -> None:
        """What it alone knows is gone until somebody else has been promoted."""
        old = self.group.primary()
        for behind in self.chance.sample(self.group.replicas(), stalled):
            self.group.stall(behind)
        if stalled:
            pause(STALLED)
        old.kill()
        self.group.until_promoted(old)
        old.start()
        self.group.until_whole()

    def pause_primary(self) -> None:
        """It wakes up when another has long been promoted."""
        old = self.group.primary()
        old.pause()
        pause(PAUSED)
        old.go_on()
        self.group.until_whole()

    def kill_replica(self) -> None:
        """The other one is enough."""
        one = self.chance.choice(self.group.replicas())
        one.kill()
        pause(AWAY)
        one.start()
        self.group.until_whole()

    def pause_replica(self) -> None:
        """It stands still and comes back."""
        one = self.chance.choice(self.group.replicas())
        one.pause()
        pause(PAUSED / 2)
        one.go_on()
        self.group.until_whole()

    def kill_replicas(self) -> None:
        """Nothing is acknowledged meanwhile."""
        both = self.group.replicas()
        for one in both:
            one.kill()
        pause(AWAY)
        for one in both:
            one.start()
        self.group.until_whole()

    def kill_sentinel(self) -> None:
        """Two of three are enough."""
        one = self.chance.choice(self.group.sentinels)
        one.kill()
        pause(AWAY)
        one.start()
        self.group.until_whole()


class Failovers(Run):
    """Matches that are played while the store fails over."""

    world: GroupWorld

    async def _hurt_them(self, planned: list[Planned]) -> None:
        assert not planned
        await asyncio.sleep(FIRST_CALM)
        chance = random.Random(f"failover {self.wanted.seed}")
        faults = Faults(self.world.group, chance)
        turns: list[str] = []
        for _ in range(self.wanted.failovers):
            turns = turns or chance.sample([*faults.kinds], len(faults.kinds))
            kind = turns.pop()
            happened = self.journal.begin(kind, "store")
            try:
                await asyncio.to_thread(faults.kinds[kind])
            except RuntimeError as error:
                self.journal.breach(Promise.BACK, f"the store after {kind}: {error}")
            happened.ended = self.journal.age
            self.say(f"{happened.began:6.1f} s  {kind}, {happened.ended - happened.began:.1f} s")
            await asyncio.sleep(BETWEEN + chance.random())
        self.end_hurting()


def pause(seconds: float) -> None:
    """Let that last, in a thread of its own."""
    time.sleep(seconds)


def wanted() -> argparse.Namespace:
    """What the command line asks for."""
    arguments = argparse.ArgumentParser(prog="python -m tests.chaos.failover", description=__doc__)
    arguments.add_argument("--seed", type=int, default=random.randrange(10**6))
    arguments.add_argument("--failovers", type=int, default=50, help="kills and pauses")
    arguments.add_argument("--replicas", type=int, default=1, help="that are waited for; 0 loses")
    arguments.add_argument("--tables", type=int, default=12, help="matches at the same time")
    arguments.add_argument("--thinking", type=float, default=0.3, help="seconds before an answer")
    found = arguments.parse_args()
    found.faults, found.number, found.matches = [], 0, 0
    found.seconds = EACH * found.failovers + CALM
    return found


async def run(options: argparse.Namespace, home: Path, group: RedisGroup) -> tuple[Run, Journal]:
    """One run on a platform of its own."""
    world, journal = GroupWorld(home, group, options.replicas), Journal()
    piece = Failovers(options, world, journal, say)
    try:
        await world.start(world.settings_of_parts)
        journal = piece.journal = Journal()
        say(f"the platform runs; its state is in {home}")
        await piece.run()
    except (TimeoutError, Trouble, ExceptionGroup) as error:
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
    with redis_group() as group:
        piece, journal = asyncio.run(run(options, home, group))
    report(piece, journal, journal.age)
    if journal.breaches:
        say(f"{dict(journal.broken())} broken; logs are in {piece.world.logs}")
    else:
        shutil.rmtree(home)
    say("not everything survived" if journal.breaches else "everything survived")
    return 1 if journal.breaches else 0


if __name__ == "__main__":
    sys.exit(main())
