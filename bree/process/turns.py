"""The turns of hosted bots that wait for a worker, and whose is next: in Redis, beside the tasks.

Design. Whoever opened a match pays for the thinking of its bots. Each payer has a queue of his own,
and a count of the time that his bots have thought; whoever has used least is next, and somebody who
comes new begins where the others are. Queues of matches in which a person plays go before those of
matches without; of eight turns one is taken from these first, so that they do not starve. A payer
never holds all workers' processes, if there are two, and neither do all matches without people: so
somebody else's turn need not wait for the end of a thought. What the time used is counted from is
told by the workers, on each answer; a worker that is not heard of holds nothing after a while.

A task of Celery is no turn but leave to take one, so it does not matter in which order tasks come:
`add` says whether a task is to be sent, `done` whether another one is. A task that comes again,
since its worker was killed, gets the turn that it had. All of this may be lost: it is made again
from what is due.

    {bree:turns}:LANE           sorted set: payers with turns in a lane, by what they have used
    {bree:turns}:LANE:PAYER     sorted set: his turns, in the order in which they came
    {bree:turns}:causes         hash: by turn, the call that it follows from
    {bree:turns}:used           sorted set: payers by what they have used, if above `reached`
    {bree:turns}:reached        what the last one had used who was taken
    {bree:turns}:held           hash: by task, the turn that is thought about
    {bree:turns}:slots          hash: by worker, when it was heard of and how many processes it has
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import Any, NamedTuple

from bree.redis.primaries import client

KEY = "{bree:turns}"
PEOPLE, ALONE = "people", "alone"
SECONDS = 5.0
"""How long a Redis may be silent before it counts as away."""

Asked = Mapping[str, Any]
"""A turn: what a worker needs to play it."""


class Taken(NamedTuple):
    """A turn that a worker is to play, and who pays for it."""

    turn: dict[str, Any]
    payer: str
    alone: bool
    cause: str = ""  # the call that it follows from


class Turns:
    """All turns that wait or are being played. Its methods may raise `redis.RedisError`."""

    def __init__(self, url: str, clock: Callable[[], int] | None = None) -> None:
        place = url.replace("redis+socket://", "unix://", 1)
        self._redis = client(
            place, decode_responses=True, socket_timeout=SECONDS, socket_connect_timeout=SECONDS
        )
        self._clock = clock
        text = (files("bree.process") / "scripts" / "turns.lua").read_text("utf-8")
        self._script = self._redis.register_script(text)

    def add(self, turn: Asked, payer: str, *, alone: bool, cause: str = "") -> bool:
        """Let a turn wait; False if it is being played already."""
        return bool(self._ask("add", ALONE if alone else PEOPLE, payer, _text(turn), cause))

    def take(self, task: str, worker: str, processes: int) -> Taken | None:
        """The next turn, for a task of this worker; nothing if none may be played now."""
        found: Any = self._ask("take", task, worker, processes)
        if found is None:
            return None
        turn, lane, payer, cause = found
        return Taken(json.loads(turn), payer, lane == ALONE, cause)

    def may_go_on(self, task: str, turn: Asked) -> bool:
        """Whether a task may play this turn, too, which follows its own; False if others wait."""
        return bool(self._ask("go_on", task, _text(turn)))

    def done(self, task: str) -> bool:
        """Let a task's turn go; whether there is another one for some task."""
        return bool(self._ask("done", task))

    def _ask(self, what: str, *arguments: str | int) -> object:
        now = "" if self._clock is None else self._clock()
        return self._script(keys=[KEY], args=[now, what, *arguments])

    def close(self) -> None:
        self._redis.close()


def _text(turn: Asked) -> str:
    """A turn as it is kept: the same for the same."""
    return json.dumps(turn, sort_keys=True, separators=(",", ":"))
