"""Moves on their way through a simulated platform: gateway, engine, Redis with its replica, back.

Design. A move visits its gateway twice, its engine twice, its master once and the replica that
copies it once. What a visit costs was measured for the whole way: half of it is taken at each of
two visits, and what a process spends on being woken is the difference between a move alone and one
of many. Whatever finds its part dead is refused at once, and the client asks again as ours does: a
tenth of a second later, then after twice as long each time. The network takes no time here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from bench.plan.costs import Costs
from bench.plan.queues import Machine, Process, World

SHORTEST, LONGEST = 0.1, 5.0  # of the pauses of a client


@dataclass(slots=True, eq=False)
class Move:
    """One move, from when a client sends it first; or a look at a board."""

    match: int
    began: float
    gateway: int
    pause: float = SHORTEST
    tries: int = 0
    looks: bool = False  # then nothing is appended
    ended: float = -1.0


@dataclass(frozen=True, slots=True)
class Size:
    """How many there are of each part."""

    gateways: int = 1
    engines: int = 1
    masters: int = 1
    replicated: bool = True
    cores: int = 0  # that all of them share; 0: each has one


class Platform:
    """All parts of it, and the moves that they have not done yet."""

    def __init__(self, costs: Costs, size: Size, seed: int = 1) -> None:
        self.costs, self.size, self.chances = costs, size, Random(seed)
        self.world = World()
        self._shared = Machine(size.cores) if size.cores else None
        wake = (costs.gateway_alone - costs.gateway) / 2
        self.gateways = self._processes("gateway", size.gateways, wake)
        wake = (costs.engine_alone - costs.engine) / 2
        self.engines = self._processes("engine", size.engines, wake)
        self.append = costs.waited if size.replicated else costs.redis_append
        wake = max(0.0, costs.redis_alone - self.append)
        self.masters = self._processes("master", size.masters, wake, costs.disk)
        copies = size.masters if size.replicated else 0
        self.replicas = self._processes("replica", copies, 0.0, costs.disk)
        self.begun = self.resting = 0
        self.done: list[Move] = []
        self.under_way: set[Move] = set()
        self.moved_to: dict[int, int] = {}  # matches that another engine has loaded
        self.replay = 0.0  # what it costs to load one
        self.on_done: Callable[[Move], None] = self.done.append

    def _processes(self, name: str, count: int, wake: float, disk: float = 0.0) -> list[Process]:
        return [
            Process(self.world, self._shared or Machine(1), name, max(0.0, wake), disk)
            for _ in range(count)
        ]

    @property
    def parts(self) -> dict[str, list[Process]]:
        """The processes of each kind."""
        found = (self.gateways, self.engines, self.masters, self.replicas)
        return {part[0].name: part for part in found if part}

    @property
    def inside(self) -> int:
        """The moves that are somewhere on their way."""
        return self.resting + sum(one.inside for part in self.parts.values() for one in part)

    def slowest(self) -> str:
        """The kind of process that has been busiest."""
        return max(self.parts, key=self.use)

    def use(self, kind: str) -> float:
        """For how much of the time the busiest process of a kind was busy."""
        return max(one.busy + one.disk_time for one in self.parts[kind]) / max(self.world.now, 1e-9)

    # The way of a move.

    def send(self, move: Move) -> None:
        """A client sends a move for the first time."""
        self.begun += 1
        self.under_way.add(move)
        self._ask_gateway(move)

    def _ask_gateway(self, move: Move) -> None:
        gateway = self.gateways[move.gateway]
        if gateway.is_dead:
            move.gateway = self.chances.randrange(len(self.gateways))
            self._refuse(move)
            return
        gateway.ask(self.costs.gateway / 2, self._ask_engine, move)

    def engine_of(self, match: int) -> Process:
        """The engine that has this match in its memory; another, if that one is dead."""
        first = match % len(self.engines)
        if not self.engines[first].is_dead:
            return self.engines[first]
        others = [n for n in range(len(self.engines)) if not self.engines[n].is_dead]
        return self.engines[others[match // len(self.engines) % len(others)]]

    def _ask_engine(self, move: Move) -> None:
        engine, cost = self.engine_of(move.match), self.costs.engine / 2
        at = id(engine)
        if engine is not self.engines[move.match % len(self.engines)]:
            if self.moved_to.get(move.match) != at:
                cost += self.replay
            self.moved_to[move.match] = at
        engine.ask(cost, self._ask_master, move)

    def _ask_master(self, move: Move) -> None:
        if move.looks:
            self._answer(move)
            return
        number = move.match % len(self.masters)
        if self.masters[number].is_dead:
            self._refuse(move)
        else:
            self.masters[number].ask(self.append, self._copy, move)

    def _copy(self, move: Move) -> None:
        if not self.replicas:
            self._appended(move)
            return
        copying = self.replicas[move.match % len(self.replicas)]
        if copying.is_dead:  # it has become the master, and another copies
            self._appended(move)
        else:
            copying.ask(self.costs.copied, self._appended, move)

    def _appended(self, move: Move) -> None:
        self.engine_of(move.match).ask(self.costs.engine / 2, self._answer, move)

    def _answer(self, move: Move) -> None:
        gateway = self.gateways[move.gateway]
        if gateway.is_dead:
            self._refuse(move)
        else:
            gateway.ask(self.costs.gateway / 2, self._end, move)

    def _end(self, move: Move) -> None:
        move.ended = self.world.now
        self.under_way.remove(move)
        self.on_done(move)

    # What goes wrong.

    def _refuse(self, move: Move) -> None:
        """A client is told that something is away, and asks again."""
        self.resting += 1
        move.tries += 1
        pause = move.pause * self.chances.uniform(0.5, 1.5)
        move.pause = min(2 * move.pause, LONGEST)
        self.world.after(pause, self._ask_again, move)

    def _ask_again(self, move: Move) -> None:
        self.resting -= 1
        self._ask_gateway(move)

    def kill(self, process: Process) -> None:
        """A process dies with all that it had not done; whoever waits for that asks again."""
        for move in process.die():
            self._refuse(move)


class People:
    """Those who move whenever they like: so many moves a second, in any of the matches."""

    def __init__(self, platform: Platform, moves: float, matches: int) -> None:
        self.platform, self.moves, self.matches = platform, moves, matches
        platform.world.after(0.0, self._next)

    def _next(self, _: object) -> None:
        platform, chances = self.platform, self.platform.chances
        gateway = chances.choice([n for n, one in enumerate(platform.gateways) if not one.is_dead])
        match = chances.randrange(self.matches)
        platform.send(Move(match, platform.world.now, gateway))
        platform.world.after(chances.expovariate(self.moves), self._next)


class Client:
    """The bench's own: so many at once, each moves again in its match once it has its answer.

    With `looks`, it looks at the board before each move.
    """

    def __init__(self, platform: Platform, at_once: int, *, looks: bool = False) -> None:
        costs, self.platform, self.looks = platform.costs, platform, looks
        machine = platform.gateways[0].machine
        wake = max(0.0, (costs.client_alone - costs.client) / 2)
        self.process = Process(platform.world, machine, "client", wake)
        self.done: list[Move] = []
        platform.on_done = self._hear
        for match in range(at_once):
            self._move(match, looks=looks)

    def _move(self, match: int, *, looks: bool) -> None:
        move = Move(match, self.platform.world.now, 0, looks=looks)
        self.process.ask(self.platform.costs.client / 2, self.platform.send, move)

    def _hear(self, move: Move) -> None:
        self.process.ask(self.platform.costs.client / 2, self._heard, move)

    def _heard(self, move: Move) -> None:
        move.ended = self.platform.world.now
        if not move.looks:
            self.done.append(move)
        self._move(move.match, looks=self.looks and not move.looks)
