"""Step 3 (RULES 8): moving battalions between connected territories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from services.core.decisions import Action, Seat
from services.core.frames import Game, Procedure, Question
from services.risk.board import Board
from services.risk.play.counts import BACK, MOST_OFFERED, NOWHERE, TAKEN_BACK, MarchOff, pairs
from services.risk.play.leaders import tell_leader
from services.risk.play.missions import Mission
from services.risk.play.playable import LAST_INVASION, admitted
from services.risk.play.resolving import resolve
from services.risk.play.roads import components, connected
from services.risk.play.windows import play, plays
from services.risk.tables import NEAR, TERRITORIES, bits

G = Game[Board]

STAY = Action("stay")


Marches = tuple[int, int, int]
"""A territory, and the sets of those that can be reached from it without a Leader and with him."""


def may_lead(b: Board, land: int) -> bool:
    """Whether a Leader may go along from here."""
    return b.has_leader(land) and not b.rested >> land & 1


def marches(b: Board, seat: int) -> list[Marches]:
    """From where a seat may move battalions, and where to."""
    found, army, held = [], b.army, b.held[seat]
    if b.blocked:
        for land in bits(held):
            plain, led = goals_of(b, seat, land) if army[land] > 1 else (0, 0)
            if plain | led:
                found.append((land, plain, led))
        return found
    for part in components(held):
        for land in bits(part) if part & part - 1 else ():
            if army[land] > 1:
                led = part & ~b.led if b.led >> land & 1 and may_lead(b, land) else 0
                found.append((land, part & ~(1 << land), led))
    return found


def goals_of(b: Board, seat: int, start: int) -> tuple[int, int]:
    """Where a group may go; with its Leader not to the other one, though past him."""
    led = connected(b, seat, start, led=True) & ~b.led if may_lead(b, start) else 0
    return connected(b, seat, start, led=False), led


@dataclass(slots=True)
class Fortify(Procedure):
    """One move, and as many more as Move by Night grants, one after another (RULES R13)."""

    seat: int = 0
    start: int = 0
    to: int = 0
    led: int = 0

    script: ClassVar[tuple[str, ...]] = ("choose", "choose_number", "move", "move_on")

    # Until a move is done, what has been said of it stands here and is told to nobody else.
    def choose(self, g: G) -> None:
        b = g.board
        self.start = self.to = self.led = 0
        if b.moves_left and self._may_move(b):
            g.call(ChooseMarch(seat=self.seat))
        else:
            g.done()

    def _may_move(self, b: Board) -> bool:
        held = b.held[self.seat]
        if b.blocked:
            return bool(marches(b, self.seat))
        return any(b.army[land] > 1 and NEAR[land] & held for land in bits(held))

    def choose_number(self, g: G) -> None:
        if self.got:
            self.start, self.to, self.led = self.got
            g.call(MarchOff(seat=self.seat, least=1, most=g.board.army[self.start] - 1))
        else:  # said aloud: others could not tell it from a move that is being named
            g.emit("fortify_ended", {"seat": g.board.name(self.seat)}, None)
            g.done()

    def move(self, g: G) -> None:
        if self.got == (TAKEN_BACK,):
            self.go_to("choose")
            return
        b = g.board
        number = self.got[0] if self.got else 1
        b.moves_left -= 1
        b.add(self.start, -number)
        b.add(self.to, number)
        facts = {"from": TERRITORIES[self.start], "to": TERRITORIES[self.to]}
        g.emit("fortified", {"seat": b.name(self.seat), **facts, "battalions": number}, None)
        if self.led:
            b.move_leader(self.start, self.to)
            tell_leader(g, self.seat, self.start, self.to)
            g.call(Mission(seat=self.seat, land=self.to))

    def move_on(self, g: G) -> None:
        self.go_to("choose")


@dataclass(slots=True)
class ChooseMarch(Question[Board]):
    """From where battalions move and where to, with or without their Leader, if any do.

    Move by Night is played here, before the first move: nothing happens between combat and this.
    """

    seat: int = 0
    start: int = NOWHERE  # named alone, where the list would be too long; nobody else knows
    prompt: ClassVar[str] = "fortify.march"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (self.seat,)

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        b = g.board
        if self.start != NOWHERE:
            plain, led = goals_of(b, seat, self.start)
            return [BACK, *pairs("march", self.start, plain), *pairs("lead", self.start, led)]
        found, actions = marches(b, seat), [STAY, *self._plays(b)]
        if sum([plain.bit_count() + led.bit_count() for _, plain, led in found]) > MOST_OFFERED:
            return [*actions, *[Action("depart", (start,)) for start, _, _ in found]]
        for start, plain, led in found:
            actions += pairs("march", start, plain)
            actions += pairs("lead", start, led)
        return actions

    def _plays(self, b: Board) -> tuple[Action, ...]:
        return plays(b, self.seat, admitted(b, LAST_INVASION, self.seat))

    def take(self, g: G, seat: Seat, action: Action) -> None:
        if action == BACK:
            self.start = NOWHERE
        elif action.verb == "depart":
            (self.start,) = action.nouns
        elif action.verb == "play":
            play(g, seat, action.nouns[0])
            resolve(g, seat, action.nouns[0])
        elif action == STAY:
            g.done()
        else:
            g.done(*action.nouns, int(action.verb == "lead"))
