"""Missions (RULES 9.4): a Leader who enters the place that a card names, and what it earns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from services.core.frames import Game, Procedure
from services.risk.board import Board
from services.risk.play.counts import PlaceReward
from services.risk.play.orders import completes, show_completing
from services.risk.play.windows import play
from services.risk.tables import ADVENTURES, MISSION_AT, REWARD, REWARD_LANDS

G = Game[Board]


@dataclass(slots=True)
class Mission(Procedure):
    """A Leader has entered a territory: who moved him there turns its mission in, or keeps it.

    That he keeps it he has said beforehand; nobody is asked, so nobody learns that he could.
    """

    seat: int = 0
    land: int = 0

    script: ClassVar[tuple[str, ...]] = ("complete",)

    def complete(self, g: G) -> None:
        b = g.board
        card = MISSION_AT.get(self.land)
        if card is None or not b.hands[self.seat] >> card & 1 or b.locked >> self.seat & 1:
            return
        if not b.is_in(self.seat) or not completes(b, self.seat):
            return
        show_completing(b, self.seat)
        play(g, self.seat, card)
        if b.settings.mission_leader_stays:
            b.rested |= 1 << self.land
        battalions = REWARD[card][b.settings.sides[self.seat]]
        facts = {"seat": b.name(self.seat), "mission": ADVENTURES[card], "battalions": battalions}
        g.emit("mission_completed", facts, None)
        if battalions:
            g.call(PlaceReward(seat=self.seat, left=battalions, lands=REWARD_LANDS[card]))
        else:
            b.extra_cards += 1
