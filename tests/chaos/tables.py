"""The tables at which matches are played, one after the other, while parts are killed."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass, field

from tests.e2e.client import Client, Seat, Watcher
from tests.e2e.matches import against, between, of_bots

KINDS = ("people", "person and bot", "person and bot", "bots")
IN_PLAY = ("confrontation", "duel", "confrontation")
"""Those with matches short enough for a run to end; with the kinds they make twelve sorts."""

LEVELS = ("uniform", "novice", "greedy")


@dataclass
class Played:
    """A match that was played to its end, and who saw what of it."""

    match: str
    game: str
    accounts: tuple[str, ...]  # who is rated by it
    seats: tuple[Seat, ...]
    crowd: Watcher


@dataclass
class Table:
    """One place for matches: always one in flight, until no more shall begin."""

    number: int
    seed: int
    clients: tuple[Client, Client]
    thinking: float
    played: list[Played] = field(default_factory=list)
    seats: tuple[Seat, ...] = ()  # of the match in flight
    busy: bool = False

    async def run(self, enough: asyncio.Event) -> None:
        """Play match after match."""
        chance = random.Random(f"table {self.seed} {self.number}")
        while not enough.is_set():
            sort = self.number + len(self.played)
            await self._play(KINDS[sort % len(KINDS)], IN_PLAY[sort % len(IN_PLAY)], chance)

    def think(self) -> None:
        """Let those who sit here think for as long as they should now."""
        for seat in self.seats:
            seat.pause = self.thinking

    async def _play(self, kind: str, game: str, chance: random.Random) -> None:
        one, two = self.clients
        level, other = chance.sample(LEVELS, 2)
        if kind == "people":
            seats = await between(one, two, game=game)
            accounts = (one.name, two.name)
        elif kind == "bots":
            seats, accounts = (), (f"bot:{level}", f"bot:{other}")
        else:
            seats = (await against(one, level, game=game),)
            accounts = (one.name, f"bot:{level}")
        match = seats[0].match if seats else await of_bots(one, level, other, game=game)
        played = Played(match, game, accounts, seats, Watcher(two, match))
        self.seats, self.busy = seats, True
        self.think()
        await asyncio.gather(played.crowd.watch(), *(seat.play() for seat in seats))
        self.busy = False
        self.played.append(played)
