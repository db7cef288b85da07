"""The tables at which matches are played, one after the other, while parts are hurt."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf

from bree.engine.v1.engine_pb2 import Clock
from bree.engine.v1.types_pb2 import OptionChoice
from services import GAMES
from services.manifests import manifests
from tests.chaos.people import Listener, Person, Sitter
from tests.e2e.client import Refused, Watcher
from tests.e2e.matches import against, between, of_bots

KINDS = ("people", "person and bot", "person and bot", "bots")
BY_BOTS = tuple(game for game in GAMES if game != "risk")
"""Those short enough for two bots, who never resign."""

CHEAP = ("uniform", "novice", "greedy")
LEVELS = (*3 * CHEAP, "apprentice", "uniform", "adept", *3 * CHEAP, "apprentice", "master")
"""The dear ones think for seconds, and the machine is small: they come seldom."""

DEAR = {"apprentice": 6, "adept": 3, "master": 2}
"""Answers after which whoever plays against one of these resigns, at the latest."""

FEWEST, MOST = 6, 25
"""Answers that somebody gives before he resigns."""

CLOCK = Clock(bank_ms=900_000, move_ms=10_000)
"""Far more than any match takes, and less than a wrong clock is wrong by."""

AGAIN_AFTER = 1.0
"""Seconds after a match that failed in which nobody sits down at its table."""


@dataclass
class Played:
    """A match, and who saw what of it."""

    match: str
    game: str
    accounts: tuple[str, ...]  # who is rated by it
    seats: tuple[Sitter, ...]
    crowd: Watcher
    began: float = 0.0  # by the run's clock
    ended: float = 0.0


@dataclass
class Table:
    """One place for matches: always one in flight, until no more shall begin."""

    number: int
    seed: int
    clients: tuple[Person, Person]
    thinking: float
    matches: list[str]  # of all tables, as they begin
    age: Callable[[], float]  # of the run
    played: list[Played] = field(default_factory=list)
    abandoned: list[Played] = field(default_factory=list)
    current: Played | None = None
    quiet: float = 0.0  # seconds without a fault in which nothing happened here
    last: float = 0.0  # when something happened, by the run's clock
    busy: bool = False
    sort: int = 0
    work: asyncio.Task[None] | None = None

    async def run(self, more: Callable[[], bool], failed: Callable[[Table, str], None]) -> None:
        """Play match after match; one that fails is told of and left."""
        chance = random.Random(f"table {self.seed} {self.number}")
        self.sort = self.number
        while more():
            self.busy, self.current = True, None
            self.progress()
            self.work = asyncio.create_task(self._play(chance))
            try:
                await self.work
            except (Refused, AssertionError, ValueError) as error:
                self.fail(failed, repr(error))
                await asyncio.sleep(AGAIN_AFTER)
            except asyncio.CancelledError:
                if asyncio.current_task().cancelling():
                    raise
                self.fail(failed, "")
            self.busy = False
            self.sort += 1

    def fail(self, failed: Callable[[Table, str], None], why: str) -> None:
        """Leave a match that cannot be played to its end."""
        if self.current is not None:
            self.abandoned.append(self.current)
        if why:
            failed(self, why)

    def state(self) -> str:
        """Who waits here for what, for whoever looks for the reason."""
        if self.current is None:
            return "it is being set up"
        told = [f"a spectator is at {self.current.crowd.revisions[-1:]}"]
        for seat in self.current.seats:
            how = "listens" if isinstance(seat, Listener) else "watches"
            done = " and has resigned" if seat.resigned else ""
            told.append(f"{seat.seat} {how}, has answered {seat.answered}{done}")
        return "; ".join(told)

    def progress(self) -> None:
        """Something has happened here."""
        self.quiet, self.last = 0.0, self.age()

    async def _play(self, chance: random.Random) -> None:
        self.current = played = await self._begun(chance)
        played.began = self.age()
        self.matches.append(played.match)
        work = (played.crowd.watch(), *(seat.play() for seat in played.seats))
        tasks = [asyncio.create_task(one) for one in work]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            played.ended = self.age()
        self.played.append(played)

    async def _begun(self, chance: random.Random) -> Played:
        one, two = self.clients
        kind, games = KINDS[self.sort % len(KINDS)], GAMES
        game = chance.choice(BY_BOTS if kind == "bots" else games)
        short = manifests()[game].short.items()
        options = [OptionChoice(name=name, value=value) for name, value in short]
        more = {"game": game, "options": options}
        if kind == "bots":
            level, other = chance.sample(CHEAP, 2)
            match, accounts, seats = await of_bots(one, level, other, **more), (), ()
            return Played(match, game, accounts, seats, _Crowd(two, match, self.progress))
        more |= {"clock": CLOCK} if chance.random() < 0.5 else {}
        level = chance.choice(LEVELS)
        made = (
            await between(one, two, **more)
            if kind == "people"
            else (await against(one, level, **more),)
        )
        enough = self._enough(chance, game, "" if kind == "people" else level)
        seats = tuple(self._sitter(chance, seat, enough) for seat in made)
        accounts = (one.name, two.name) if kind == "people" else (one.name, f"bot:{level}")
        return Played(
            made[0].match, game, accounts, seats, _Crowd(two, made[0].match, self.progress)
        )

    def _sitter(self, chance: random.Random, seat, enough: float) -> Sitter:
        kind = Listener if chance.random() < 0.3 else Sitter
        sitter = kind(seat, enough, self.progress)
        sitter.pause = self.thinking
        return sitter

    def _enough(self, chance: random.Random, game: str, level: str) -> float:
        if game in BY_BOTS and level not in DEAR and chance.random() < 0.4:
            return inf
        return min(chance.randint(FEWEST, MOST), DEAR.get(level, MOST))


class _Crowd(Watcher):
    """A spectator whose news is news of the table."""

    def __init__(self, client: Person, match: str, progress: Callable[[], None]) -> None:
        super().__init__(client, match)
        self.progress = progress

    async def watch(self):
        async for update in self.client.updates(self.match, self.seat):
            self.progress()
            self.keep(update)
        return self.outcome
