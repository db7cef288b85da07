"""Step 3 (RULES 8): moving battalions between connected territories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from services.core.decisions import Action, Seat
from services.core.frames import Game, Procedure, Question
from services.risk.board import Board
from services.risk.cards.missions import Mission
from services.risk.cards.power import tell_leader
from services.risk.play.counts import BACK, TAKEN_BACK, MarchOff
from services.risk.play.roads import connected
from services.risk.tables import TERRITORIES, bits

G = Game[Board]

STAY = Action("stay")
_TO = tuple(Action("to", (land,)) for land in range(len(TERRITORIES)))
_LEAD = tuple(Action("lead", (land,)) for land in range(len(TERRITORIES)))


def may_lead(b: Board, land: int) -> bool:
    """Whether a Leader may go along from here."""
    return b.has_leader(land) and not b.rested >> land & 1


def origins(b: Board, seat: int) -> list[int]:
    """From where a seat may move battalions."""
    held = b.held[seat]
    return [
        land
        for land in bits(held)
        if b.army[land] > 1
        and (b.ways(land, led=False) & held or (b.blocked and led_goals(b, seat, land)))
    ]


def led_goals(b: Board, seat: int, start: int) -> int:
    """Where a group with its Leader may go: not to the other one, though past him."""
    if not may_lead(b, start):
        return 0
    return connected(b, seat, start, led=True) & ~b.led


@dataclass(slots=True)
class Fortify(Procedure):
    """One move, and as many more as Move by Night grants, one after another (RULES R13)."""

    seat: int = 0
    start: int = 0
    to: int = 0
    led: int = 0

    script: ClassVar[tuple[str, ...]] = (
        "choose_origin",
        "choose_goal",
        "choose_number",
        "move",
        "move_on",
    )

    # Until a move is done, what has been said of it stands here and is told to nobody else.
    def choose_origin(self, g: G) -> None:
        b = g.board
        self.start = self.to = self.led = 0
        if b.moves_left and origins(b, self.seat):
            g.call(ChooseOrigin(seat=self.seat))
        else:
            g.done()

    def choose_goal(self, g: G) -> None:
        if self.got:
            (self.start,) = self.got
            g.call(ChooseGoal(seat=self.seat, start=self.start))
        else:
            g.done()

    def choose_number(self, g: G) -> None:
        if self.got:
            self.to, self.led = self.got
            g.call(MarchOff(0, (), self.seat, 1, g.board.army[self.start] - 1))
        else:
            self.go_to("choose_origin")

    def move(self, g: G) -> None:
        if self.got == (TAKEN_BACK,):
            self.go_to("choose_origin")
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
        self.go_to("choose_origin")


@dataclass(slots=True)
class ChooseOrigin(Question[Board]):
    """From where battalions move, if any do."""

    seat: int = 0
    prompt: ClassVar[str] = "fortify.origin"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (self.seat,)

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return [STAY, *(Action("march", (land,)) for land in origins(g.board, seat))]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        g.done(*action.nouns)


@dataclass(slots=True)
class ChooseGoal(Question[Board]):
    """Where they go, and whether the Leader goes along."""

    seat: int = 0
    start: int = 0
    prompt: ClassVar[str] = "fortify.goal"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (self.seat,)

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        b = g.board
        plain = connected(b, seat, self.start, led=False)
        led = led_goals(b, seat, self.start)
        return [
            BACK,
            *[_TO[land] for land in bits(plain)],
            *[_LEAD[land] for land in bits(led)],
        ]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        if action.nouns:
            g.done(action.nouns[0], int(action.verb == "lead"))
        else:
            g.done()
