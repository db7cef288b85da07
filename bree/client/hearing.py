"""What one listener was told, so that each news is told once, and again if moves were lost.

Design. Numbers only rise. A number that is not above the last one was told before; or the platform
has lost moves that it had acknowledged, and the number stands for a question of another history.
While the caller still owes an answer it makes no difference: should the question be another, its
head will not fit the answer, the answer is refused, and everything that stands is told anew. What
was dealt with already should stand no more, nor should anything below the last number: there the
platform is asked, since the news may only have crossed the answer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import grpc

from bree.gateway.v1 import gateway_pb2 as pb

Place = tuple[str, str]
"""A match and a seat."""

Stands = Callable[[pb.ListenQuestionsResponse], bool]
"""Whether a question stands now, as the platform has it."""


@dataclass(slots=True)
class Last:
    """The last question that was told of a place."""

    number: int
    is_dealt: bool = False  # with: it was answered, or found to be moot


class Ear:
    """One listener's memory, and the call by which it listens."""

    def __init__(self) -> None:
        self.call: grpc.Call | None = None
        self._last: dict[Place, Last] = {}
        self._over: set[Place] = set()
        self._begins_anew = False

    def hear(self, news: pb.ListenQuestionsResponse, stands: Stands) -> bool:
        """Whether this has to be told; and notes that it was."""
        place = news.match, news.seat
        if not news.HasField("question"):
            is_new = place not in self._over
            self._last.pop(place, None)
            self._over.add(place)
            return is_new
        number, last = news.question.number, self._last.get(place)
        if last is not None and number <= last.number:
            if number == last.number and not last.is_dealt:
                return False
            if not stands(news):
                return False
        self._last[place] = Last(number)
        self._over.discard(place)
        return True

    def note(self, match: str, seat: str, number: int) -> None:
        """The caller has dealt with a question."""
        last = self._last.get((match, seat))
        if last is not None and last.number == number:
            last.is_dealt = True

    def forget(self, match: str) -> None:
        """Whatever was told of a match belongs to another history: listen anew."""
        for (name, _), last in list(self._last.items()):
            if name == match:
                last.number = 0
        self._begins_anew = True
        if self.call is not None:
            self.call.cancel()

    def begins_anew(self) -> bool:
        """Whether the stream was ended from here, to be told again what stands."""
        begins, self._begins_anew = self._begins_anew, False
        return begins
