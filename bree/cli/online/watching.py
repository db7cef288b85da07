"""`bree watch`: a match as it happens, for a spectator or for a seat of one's own.

Design. Every event is a line. The board is drawn when nothing has come for a moment, so two quick
bots do not fill the screen with boards that nobody could look at.
"""

from __future__ import annotations

from bree.cli.online import boards, words
from bree.cli.online.endings import final_view
from bree.cli.online.link import Link
from bree.cli.online.promises import Promises
from bree.cli.online.session import LOST, say_afterwards
from bree.cli.online.steps import Step
from bree.client.patience import CHANGED, Refused
from bree.engine.v1.types_pb2 import Outcome
from bree.gateway.v1 import gateway_pb2 as pb

_REMINDERS = 5
QUIET_SECONDS = 0.7


class Watching:
    """A match that is looked at."""

    def __init__(self, link: Link, match: pb.Match, seat: str, *, drawn: bool) -> None:
        self.link = link
        self.talk = link.talk
        self.match = match
        self.seat = seat
        self.drawn = drawn
        self.steps = link.steps(match.id, seat)

    def run(self, *, whole: bool) -> None:
        """Tell what happens until the match is over."""
        self.talk.say(f"{self.match.id}, {self.match.game}", "bold green")
        self.talk.say(f"{words.seats(self.match)}.")
        outcome = self._watch_on(whole=whole)
        self._draw(final=True)
        self.talk.say(words.verdict(outcome), "bold green")
        say_afterwards(self.link, self.match)

    def _watch_on(self, *, whole: bool) -> Outcome:
        """Watch, from the beginning again where moves were lost."""
        while True:
            try:
                return self._watch(whole=whole)
            except Refused as refused:
                if refused.reason != CHANGED:
                    raise
            self.talk.say(LOST, "bold yellow")
            Promises().doubt_heads(self.match.id)
            self.steps = self.link.steps(self.match.id, self.seat)

    def _watch(self, *, whole: bool) -> Outcome:
        step = self._next(None)
        assert step is not None
        self._tell(step, None if whole else _REMINDERS)
        stale = self.drawn
        while not step.standing.HasField("outcome"):
            come = self._next(QUIET_SECONDS if stale else None)
            if come is None:
                self._draw()
                stale = False
                continue
            step, stale = come, self.drawn
            self._tell(step)
        return step.standing.outcome

    def _next(self, seconds: float | None) -> Step | None:
        with self.talk.busy("Watching. Control-C leaves."):
            step = self.steps.next(seconds)
        if step is not None and not self.steps.has_more:  # what comes binds what has come
            Promises().note_head(self.match.id, step.standing)
        return step

    def _tell(self, step: Step, most: int | None = None) -> None:
        events = list(step.events)
        for event in events if most is None else events[-most:]:
            self.talk.say(f"  • {event.sentence}")

    def _draw(self, *, final: bool = False) -> None:
        if final:
            view = final_view(self.link, self.match, self.seat)
        else:
            shown = self.link.client.view(self.match.id, self.seat, charts=True)
            view = boards.view_of(self.match.game, shown.view)
        self.talk.show(boards.drawing(self.match.game).draw(view))
