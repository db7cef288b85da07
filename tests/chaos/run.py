"""One run: matches are played while faults happen, and every match is examined afterwards."""

from __future__ import annotations

import argparse
import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import NamedTuple

from services.core.record import Record
from tests.chaos import checks, schedule
from tests.chaos.journal import Journal, Promise
from tests.chaos.people import Person
from tests.chaos.tables import Played, Table
from tests.chaos.world import World
from tests.e2e.client import Refused, Watcher
from workers import scoring

CALM = 130.0
"""Seconds after the faults in which matches end, or are found to be stuck, and are examined."""

EXAMINATION = 35.0
"""Seconds of these that are kept for examining, whatever has not ended."""

NEW_FOR = 10.0
"""Seconds of these in which new matches begin, if there have not been enough."""

FIRST_CALM = 2.0
"""Seconds in which the first matches begin."""

TICK = 1.0
EXAMINED_AT_ONCE = 6
ANSWER_SECONDS = 60.0
"""After all faults so much is more than enough for an answer."""


class Figures(NamedTuple):
    """What a run has seen."""

    matches: int
    decisions: int
    acknowledged: int
    repeats: int
    longest_quiet: float


class Run:
    """One platform, its tables, and a schedule."""

    def __init__(
        self, wanted: argparse.Namespace, world: World, journal: Journal, say: Callable[[str], None]
    ) -> None:
        self.wanted = wanted
        self.world = world
        self.journal = journal
        self.say = say
        self.over = asyncio.Event()
        self.tables: list[Table] = []
        self.records: list[Record] = []
        self.longest_quiet = 0.0

    async def run(self) -> None:
        """Play and hurt, then examine every match."""
        wanted = self.wanted
        planned = schedule.draw(self.world, wanted.seed, wanted.faults, wanted.number, self._hurt)
        async with asyncio.timeout(wanted.seconds), self._people() as people:
            tables = [self._sat_at(number, pair) for number, pair in enumerate(_pairs(people))]
            watching = asyncio.create_task(self._watch())
            try:
                await self._hurt_them(planned)
                await self._end_of(tables)
            finally:
                for task in (watching, *tables):
                    task.cancel()
            self.say(f"{self.journal.age:.0f} s: {len(self.played)} matches are examined")
            await self._examine(people[0])

    async def _hurt_them(self, planned: list[schedule.Planned]) -> None:
        await asyncio.sleep(FIRST_CALM)
        self.say(f"{len(planned)} faults are planned; they begin")
        await schedule.Schedule(self.world, planned, self.journal, self.say).run()
        self.end_hurting()

    def end_hurting(self) -> None:
        """Let matches come to their end quickly."""
        self.over.set()
        self.say(f"{self.journal.age:.0f} s: the faults are over; nobody thinks any longer")
        for table in self.tables:
            table.thinking = 0
            for seat in table.current.seats if table.current else ():
                seat.pause = 0

    async def _end_of(self, tables: list[asyncio.Task[None]]) -> None:
        """Wait until nobody plays, but not so long that nothing could be examined."""
        left = self.wanted.seconds - EXAMINATION - self.journal.age
        done, _ = await asyncio.wait(tables, timeout=max(0.0, left))
        for task in done:
            task.result()
        for table in self.tables:
            if table.busy:
                match = table.current.match if table.current else f"table {table.number}"
                told = f"it is not over, and quiet for {table.quiet:.0f} s: {table.state()}"
                self.journal.breach(Promise.ENDED, told, match, table.last)

    @property
    def _hurt(self) -> float:
        """The seconds in which faults happen."""
        return max(self.wanted.seconds - CALM, self.wanted.seconds / 3)

    @property
    def played(self) -> list[Played]:
        """The matches that were played to their end."""
        return [played for table in self.tables for played in table.played]

    def figures(self) -> Figures:
        """What was seen."""
        people = {person for table in self.tables for person in table.clients}
        return Figures(
            len(self.played),
            sum(len(record.entries) for record in self.records),
            sum(len(seat.acknowledged) for played in self.played for seat in played.seats),
            sum(person.repeats for person in people),
            round(self.longest_quiet, 1),
        )

    @asynccontextmanager
    async def _people(self) -> AsyncIterator[list[Person]]:
        made = [
            Person(self.world.address(number), self.world.heard)
            for number in range(self.wanted.tables)
        ]
        try:
            yield [await person.__aenter__() for person in made]
        finally:
            for person in made:
                await person.__aexit__()

    def _sat_at(self, number: int, pair: tuple[Person, Person]) -> asyncio.Task[None]:
        wanted = self.wanted
        table = Table(
            number, wanted.seed, pair, wanted.thinking, self.world.matches, lambda: self.journal.age
        )
        self.tables.append(table)
        return asyncio.create_task(table.run(self._more, self._failed))

    def _more(self) -> bool:
        late = self.journal.age > self._hurt + NEW_FOR
        enough = self.over.is_set() and len(self.world.matches) >= self.wanted.matches
        return not late and not enough

    def _failed(self, table: Table, why: str) -> None:
        match = table.current.match if table.current else f"table {table.number}"
        self.journal.breach(checks.promise_of(why), why, match)

    async def _watch(self) -> None:
        """Count the time in which nothing happens at a table though nothing is wrong."""
        while True:
            await asyncio.sleep(TICK)
            if self.journal.active():
                continue
            for table in self.tables:
                if table.busy:
                    self._look_at(table)

    def _look_at(self, table: Table) -> None:
        table.quiet += TICK
        self.longest_quiet = max(self.longest_quiet, table.quiet)
        why = checks.stuck(table.quiet)
        if why and table.work is not None:
            match = table.current.match if table.current else f"table {table.number}, at its start"
            self.journal.breach(Promise.STUCK, f"{why}: {table.state()}", match, table.last)
            table.work.cancel()
            table.quiet = 0.0

    async def _examine(self, person: Person) -> None:
        at_once = asyncio.Semaphore(EXAMINED_AT_ONCE)

        async def examined(played: Played) -> None:
            async with at_once:
                await self._examine_match(person, played)

        await asyncio.gather(*(examined(played) for played in self.played))
        await self._examine_ratings(person)

    async def _examine_match(self, person: Person, played: Played) -> None:
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                text = await person.record(played.match)
                for broken in checks.of_text(text):
                    self.journal.breach(*broken, played.match, played.ended, played.began)
                    return
                record = await asyncio.to_thread(checks.record_of, text)
                self.records.append(record)
                again = Watcher(person, played.match)
                await again.watch()
        except (Refused, TimeoutError) as error:
            self.journal.breach(Promise.VERIFIED, f"no record: {error!r}", played.match)
            return
        found = (
            *checks.of_record(record, played.seats),
            *checks.of_crowd(played.crowd, again, record),
        )
        for broken in found:
            self.journal.breach(*broken, played.match, played.ended, played.began)
        if not is_short(played):
            await self._examine_score(person, played)

    async def _examine_score(self, person: Person, played: Played) -> None:
        try:
            await person.rated(played.match)
        except AssertionError:
            told = f"not scored in {ANSWER_SECONDS:.0f} s"
            self.journal.breach(Promise.SCORED, told, played.match, played.ended)
        except Refused as refused:
            self.journal.breach(Promise.SCORED, str(refused), played.match, played.ended)

    async def _examine_ratings(self, person: Person) -> None:
        """Those of people alone: bots play evil people, too."""
        abandoned = [played for table in self.tables for played in table.abandoned]
        short = [played for played in self.played if is_short(played)]
        expected = _counted(played for played in self.played if not is_short(played))
        perhaps = _counted([*abandoned, *short])
        counted = {
            (name, game): (await person.rating(name, game)).matches
            for name, game in {**expected, **perhaps}
        }
        for broken in checks.of_ratings(expected, perhaps, counted):
            self.journal.breach(*broken)


def note_logs(journal: Journal, world: World) -> None:
    """Note what clients were told and parts have logged that they should not have been."""
    for when, told in world.heard.bugs:
        journal.breach(Promise.INTERNAL, told, at=when - journal.began)
    for line in checks.of_logs(world.logs):
        at = journal.age_at(line.when) if line.when else None
        journal.breach(line.promise, f"{line.log}: {line.told}", at=at)


def is_short(played: Played) -> bool:
    """Whether it may be too short to be rated: somebody gave up after hardly an answer."""
    return any(seat.resigned and len(seat.acknowledged) < scoring.FEWEST for seat in played.seats)


def _counted(matches) -> Counter[tuple[str, str]]:
    return Counter(
        (name, played.game)
        for played in matches
        for name in played.accounts
        if not name.startswith("bot:")
    )


def _pairs(people: list[Person]) -> list[tuple[Person, Person]]:
    return [*zip(people, [*people[1:], people[0]], strict=True)]
