"""Missions (RULES 9.4): a Leader who enters the place that a card names, and what it earns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from services.core.decisions import Action, Seat
from services.core.frames import Game, Procedure, Question
from services.risk.board import Board
from services.risk.play.counts import PlaceReward
from services.risk.play.windows import PASS, is_asked, play
from services.risk.tables import ADVENTURES, MISSION_AT, REWARD, REWARD_LANDS

G = Game[Board]


@dataclass(slots=True)
class Mission(Procedure):
    """A Leader has entered a territory: its mission may be turned in by whoever moved him there."""

    seat: int = 0
    land: int = 0

    script: ClassVar[tuple[str, ...]] = ("offer", "complete")

    def offer(self, g: G) -> None:
        b = g.board
        card = MISSION_AT.get(self.land)
        if card is None or not is_asked(b, self.seat, 1 << card & ~b.open_cards()):
            g.done()
        else:
            g.call(ClaimMission(seat=self.seat, card=card))

    def complete(self, g: G) -> None:
        if not self.got:
            return
        b = g.board
        (card,) = self.got
        play(g, self.seat, card)
        if b.charter.mission_leader_stays:
            b.rested |= 1 << self.land
        battalions = REWARD[card][b.charter.sides[self.seat]]
        facts = {"seat": b.name(self.seat), "mission": ADVENTURES[card], "battalions": battalions}
        g.emit("mission_completed", facts, None)
        if battalions:
            g.call(PlaceReward(seat=self.seat, left=battalions, lands=REWARD_LANDS[card]))
        else:
            b.extra_deeds += 1


@dataclass(slots=True)
class ClaimMission(Question[Board]):
    """The seat turns its mission in, or keeps it for another time."""

    seat: int = 0
    card: int = 0
    prompt: ClassVar[str] = "mission.claim"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (self.seat,) if g.board.is_in(self.seat) else ()

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        held = g.board.hands[self.seat] >> self.card & 1
        return [PASS, Action("play", (self.card,))] if held else [PASS]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        g.done(*action.nouns)
