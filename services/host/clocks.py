"""The time that seats have, and how it passes.

Design. Clocks are a function of the record and of when each entry was made, which is stored with
it: so every replica, and a replay years later, finds the same times. Time is in whole milliseconds
since the match began. Nothing happens here when a time is over; somebody must come and ask.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Self

from services.core.decisions import Seat


class Run(NamedTuple):
    """Since when a question uses up how much time."""

    since: int
    left: int


NO_QUESTION = 0
"""Where the number of a question stands: there is none. The first one has number 1."""


class Held(NamedTuple):
    """What a seat had left for a question when somebody else took it over."""

    number: int
    left: int


NOTHING_HELD = Held(NO_QUESTION, 0)


class Clock(NamedTuple):
    """The terms on which time is given, in ms."""

    bank: int  # for the whole match; 0 if each question has a time of its own
    move: int  # added to the bank with each question, or all there is for it
    level: str = ""  # of the bot that takes over when time is out; empty if the seat forfeits


class Clocks:
    """How much time each seat has left, and since when a question uses it up."""

    __slots__ = ("_held", "_left", "_numbers", "_out", "_runs", "_since", "clock")

    def __init__(self, clock: Clock, runs: tuple[bool, ...]) -> None:
        self.clock = clock
        self._runs = list(runs)  # by seat; not for bots, who are the host's own affair
        self._left = [clock.bank or clock.move] * len(runs)  # in ms
        self._numbers = [NO_QUESTION] * len(runs)  # the question that uses time
        self._since = [0] * len(runs)
        self._held = [NOTHING_HELD] * len(runs)  # what a seat had left as a bot took it over
        self._out = [False] * len(runs)  # whether its time was over then

    def copy(self) -> Self:
        new = object.__new__(type(self))
        new.clock = self.clock
        new._runs = self._runs[:]
        new._left = self._left[:]
        new._numbers = self._numbers[:]
        new._since = self._since[:]
        new._held = self._held[:]
        new._out = self._out[:]
        return new

    def turn(self, now: int, asked: Mapping[Seat, int]) -> None:
        """Now these seats are asked these questions, by number, and nobody else is."""
        for seat, runs in enumerate(self._runs):
            number = asked.get(seat, NO_QUESTION)
            if runs and number != self._numbers[seat]:
                self._stop(seat, now)
                if number != NO_QUESTION:
                    self._start(seat, now, number)

    def release(self, seat: Seat, now: int) -> None:
        """A bot takes a seat over: its time passes no more."""
        if self._runs[seat]:
            self._held[seat] = Held(self._numbers[seat], self.left(seat, now))
            self._out[seat] = self.is_over(seat, now)
        self._stop(seat, now)
        self._runs[seat] = False

    def resume(self, seat: Seat, now: int, number: int) -> None:
        """Its person plays a seat again, which is asked this, if anything.

        No time is given for a question that he has been given time for already.
        """
        self._runs[seat] = True
        if number == NO_QUESTION:
            return
        if number == self._held[seat].number:
            self._since[seat], self._left[seat] = now, self._held[seat].left
            self._numbers[seat] = number
        else:
            self._start(seat, now, number)

    def is_over(self, seat: Seat, now: int) -> bool:
        """Whether the time of the seat's question is over."""
        expires = self.expires(seat)
        return expires is not None and expires <= now

    def was_out(self, seat: Seat) -> bool:
        """Whether a bot took the seat over because its time was."""
        return self._out[seat]

    def run(self, seat: Seat) -> Run | None:
        """How the time of the seat's question passes; `None` if none does."""
        if self._numbers[seat] == NO_QUESTION:
            return None
        return Run(self._since[seat], self._left[seat])

    def go_on(self, seat: Seat, run: Run | None, number: int) -> None:
        """A question is put again under this number, as if it had never been answered.

        So no time is given for it, and what has passed meanwhile is its own.
        """
        if run is not None and self._runs[seat]:
            self._since[seat], self._left[seat] = run
            self._numbers[seat] = number

    def expires(self, seat: Seat) -> int | None:
        """When the time of the seat's question is over; `None` if none passes."""
        if self._numbers[seat] == NO_QUESTION:
            return None
        return self._since[seat] + self._left[seat]

    def left(self, seat: Seat, now: int) -> int:
        """What the seat has left."""
        runs = self._numbers[seat] != NO_QUESTION
        used = now - self._since[seat] if runs else 0
        return max(0, self._left[seat] - used)

    def _start(self, seat: Seat, now: int, number: int) -> None:
        self._numbers[seat] = number
        self._since[seat] = now
        if self.clock.bank:
            self._left[seat] += self.clock.move
        else:
            self._left[seat] = self.clock.move

    def _stop(self, seat: Seat, now: int) -> None:
        if self._numbers[seat] != NO_QUESTION:
            self._left[seat] = self.left(seat, now) if self.clock.bank else self.clock.move
            self._numbers[seat] = NO_QUESTION
