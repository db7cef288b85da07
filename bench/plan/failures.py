"""What dies in a simulated platform, and what becomes of those who play.

Design. A share of the whole is simulated, with the same share of each part: so each process is as
busy as in the whole, and one of them is. At a moment one dies, and stays away or comes back.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from statistics import quantiles
from typing import Any, NamedTuple

from bench.plan.costs import Costs
from bench.plan.demand import GAMES, Load, Plan
from bench.plan.moves import People, Platform, Size
from bench.plan.queues import World

DIES = 1.5
"""When, in seconds; before it all is as always."""


class Outcome(NamedTuple):
    """What a failure did to moves."""

    usual: float  # seconds, the median of moves that ended before
    usual_p99: float
    most_waiting: int  # moves that were somewhere on their way at the same time, less the usual
    asked_again: int  # moves that were refused at least once
    slowest: float  # seconds that the slowest move took, or has taken so far
    over_after: float  # seconds from the failure until moves take no longer than before


class Scene(NamedTuple):
    """What is simulated: one part in `share` of a plan."""

    costs: Costs
    plan: Plan
    load: Load
    share: int = GAMES  # one game

    @property
    def size(self) -> Size:
        """How many there are of each."""
        return Size(self._some("gateway"), self._some("engine"), self._some("master"))

    def _some(self, name: str) -> int:
        return max(2, round(self.plan.part(name).copies / self.share))


class Watched:
    """A platform whose moves are counted every tenth of a second."""

    def __init__(self, scene: Scene, seed: int) -> None:
        self.platform = Platform(scene.costs, scene.size, seed)
        load, share = scene.load, scene.share
        self.people = People(self.platform, load.moves / share, int(load.matches / share))
        self.inside: list[tuple[float, int]] = []
        self.platform.world.after(0.1, self._count)

    def _count(self, _: object) -> None:
        self.inside.append((self.platform.world.now, self.platform.inside))
        self.platform.world.after(0.1, self._count)

    def outcome(self) -> Outcome:
        """What became of the moves."""
        before = [m for m in self.platform.done if m.ended < DIES]
        usual = quantiles((m.ended - m.began for m in before), n=100)
        since = [m for m in self.platform.done if m.ended >= DIES]
        late = [m for m in since if m.ended - m.began > 10 * usual[98]]
        now = self.platform.world.now
        open_for = (now - m.began for m in self.platform.under_way)
        ordinary = max(count for at, count in self.inside if at < DIES)
        return Outcome(
            usual[49],
            usual[98],
            max(0, max(count for at, count in self.inside if at >= DIES) - ordinary),
            sum(1 for m in since if m.tries),
            max((*(m.ended - m.began for m in since), *open_for)),
            max((m.ended - DIES for m in late), default=0.0),
        )


def master_dies(scene: Scene, takeover: float, seconds: float, seed: int = 1) -> Outcome:
    """A master of the matches dies, and after a while its replica is the master."""
    watched = Watched(scene, seed)
    platform = watched.platform

    def die(_: object) -> None:
        platform.kill(platform.masters[0])
        platform.kill(platform.replicas[0])  # it takes no copies any more

    def take_over(_: object) -> None:
        platform.masters[0].rise()

    platform.world.at(DIES, die)
    platform.world.at(DIES + takeover, take_over)
    platform.world.run(DIES + seconds)
    return watched.outcome()


def engine_dies(scene: Scene, replay: float, seconds: float, seed: int = 1) -> Outcome:
    """An engine dies and stays away: others load its matches, each at its next move."""
    watched = Watched(scene, seed)
    watched.platform.replay = replay
    watched.platform.world.at(DIES, lambda _: watched.platform.kill(watched.platform.engines[0]))
    watched.platform.world.run(DIES + seconds)
    return watched.outcome()


def gateway_dies(scene: Scene, seconds: float, seed: int = 1) -> Outcome:
    """A gateway dies: whoever called it asks another."""
    watched = Watched(scene, seed)
    watched.platform.world.at(DIES, lambda _: watched.platform.kill(watched.platform.gateways[0]))
    watched.platform.world.run(DIES + seconds)
    return watched.outcome()


# Workers.


class Turns(NamedTuple):
    """What became of the turns of bots."""

    begun: int
    played: int
    waiting: int  # at the end
    most_waiting: int
    longest: float  # seconds that a turn waited for a worker


class Workers:
    """Workers who take the turns that wait, the oldest first."""

    def __init__(self, count: int, thought: float) -> None:
        self.world, self.count, self.thought = World(), count, thought
        self.busy = self.begun = self.played = self.most = 0
        self.waiting: deque[float] = deque()
        self.longest = 0.0

    def come(self, every: float) -> None:
        """A turn is due, and the next one a while later."""
        self.begun += 1
        self.waiting.append(self.world.now)
        self.most = max(self.most, len(self.waiting))
        self.take()
        self.world.after(every, self.come_again, every)

    def come_again(self, every: float) -> None:
        """The same, as an event."""
        self.come(every)

    def take(self) -> None:
        """Whoever is free takes a turn."""
        while self.waiting and self.busy < self.count:
            self.longest = max(self.longest, self.world.now - self.waiting.popleft())
            self.busy += 1
            self.world.after(self.thought, self._done)

    def _done(self, _: object) -> None:
        self.busy -= 1
        self.played += 1
        self.take()

    def become(self, count: int) -> None:
        """From now on there are so many; whoever thinks has his thought out."""
        self.count = count
        self.take()


def half_the_workers_die(scene: Scene, back: float, seconds: float) -> Turns:
    """Half of them go, and are back after a while."""
    costs, plan, load, share = scene
    count = max(2, plan.part("worker").copies // share)
    workers = Workers(count, costs.thought + costs.bot_worker)
    workers.come(share / (load.moves * load.bots))
    workers.world.at(DIES, lambda _: workers.become(count // 2))
    workers.world.at(DIES + back, lambda _: workers.become(count))
    workers.world.run(DIES + seconds)
    waiting = len(workers.waiting) + workers.busy
    return Turns(workers.begun, workers.played, waiting, workers.most, workers.longest)


def replays(results: Sequence[Mapping[str, Any]]) -> tuple[float, float]:
    """What it costs to load a match half through: of the shortest game, and of the longest."""
    found = [
        float(one["value"]) / 2000
        for one in results
        if ": replay of " in one["name"] and one.get("unit") == "ms"
    ]
    return min(found), max(found)
