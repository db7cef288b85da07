"""Questions that every game asks: choosing one of several, drawing one, sealing picks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic

from services.core.decisions import Action, Pick, Seat
from services.core.frames import B, Game, Question


@dataclass(slots=True)
class Seal(Question[B], Generic[B]):
    """Each seat picks unseen, once or several times; the last pick opens them all.

    Hands back every seat's picks, one seat after the other. Others are shown how many picks a seat
    has made, and no more.
    """

    picks: tuple[tuple[int, ...], ...] = ((), ())  # by seat, as many seats as there are
    size: int = 1  # how many picks each seat makes

    def offers(self, g: Game[B], seat: Seat) -> Sequence[Action]:
        """What a seat may pick next."""
        return ()

    def pick_of(self, g: Game[B], action: Action) -> int:
        """What is kept of an action until all are opened."""
        return action.nouns[0]

    def waiting(self, g: Game[B]) -> tuple[Seat, ...]:
        size = self.size
        return tuple([seat for seat, made in enumerate(self.picks) if len(made) < size])

    def legal(self, g: Game[B], seat: Seat) -> Sequence[Action]:
        return self.offers(g, seat)

    def take(self, g: Game[B], seat: Seat, action: Action) -> None:
        self._keep(seat, (*self.picks[seat], self.pick_of(g, action)))
        if not self.waiting(g):
            g.done(*(pick for made in self.picks for pick in made))

    def redraw(self, g: Game[B], seat: Seat, pick: Pick) -> None:
        """Replace a seat's picks by as many others, for a world that is imagined."""
        made = len(self.picks[seat])
        self._keep(seat, ())
        for _ in range(made):
            offers = self.offers(g, seat)
            chosen = offers[pick(len(offers))]
            self._keep(seat, (*self.picks[seat], self.pick_of(g, chosen)))

    def _keep(self, seat: Seat, picks: tuple[int, ...]) -> None:
        self.picks = (*self.picks[:seat], picks, *self.picks[seat + 1 :])

    def shown(self, g: Game[B], seat: Seat | None) -> dict[str, object]:
        return {"done": [len(made) for made in self.picks], "yours": self.yours(seat)}

    def yours(self, seat: Seat | None) -> tuple[int, ...]:
        """What this viewer has picked so far."""
        return () if seat is None else self.picks[seat]
