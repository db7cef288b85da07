"""The turn (RULES 4, 5): its six phases, and the actions of both sides.

Order of reading: the turn, rolling dice, the order of actions, one action.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from services.core.decisions import CHANCE, Action, Pick, Seat
from services.core.frames import Game, Procedure, Question
from services.warofthering.board import NO_SEAT, Board
from services.warofthering.play import deeds, kept
from services.warofthering.play.abilities import give_ring, has_used_ring
from services.warofthering.play.asking import choose, say
from services.warofthering.play.control import tidy
from services.warofthering.play.ending import ended_by_conquest
from services.warofthering.play.fellowship import FellowshipPhase, suffer_inactivity
from services.warofthering.play.hands import TurnDraw
from services.warofthering.play.hunt import hunter
from services.warofthering.play.separation import ReturnHobbits
from services.warofthering.tables import (
    EVENT,
    FACES,
    FACES_OF,
    FREE,
    MUSTER,
    SHADOW,
    SIDES,
    WILL,
)

G = Game[Board]


@dataclass(slots=True)
class Turn(Procedure):
    """One turn after another, until the game ends; the frame at the bottom."""

    pools: tuple[int, ...] = (0, 0)  # by side: how many Action dice this turn

    script: ClassVar[tuple[str, ...]] = (
        "recover",
        "draw",
        "fellowship_phase",
        "ask_hunt",
        "allocate",
        "roll_free",
        "roll_shadow",
        "resolve",
        "end_actions",
        "return_hobbits",
        "check_victory",
    )

    # P1.
    def recover(self, g: G) -> None:
        b = g.board
        b.forget_turn()
        self.pools = (b.pool_size(FREE), b.pool_size(SHADOW))
        if b.turn > 1:
            b.leading = tuple(_next_leader(b, side) for side in (FREE, SHADOW))
        say(g, "turn_began", turn=b.turn)

    def draw(self, g: G) -> None:
        g.call(TurnDraw())

    # P2.
    def fellowship_phase(self, g: G) -> None:
        g.call(FellowshipPhase())

    # P3: as many dice as there are Companions, one at least allowed (D04).
    def ask_hunt(self, g: G) -> None:
        b = g.board
        most = min(max(1, len(b.company())), self.pools[SHADOW])
        least = int(b.settings.readings.hunt_has_minimum and b.free_die_hunted)
        choose(g, hunter(b), "number", range(least, most + 1), "allocate_hunt")

    def allocate(self, g: G) -> None:
        (g.board.hunt_shadow,) = self.got
        say(g, "hunt_allocated", dice=g.board.hunt_shadow)

    # P4.
    def roll_free(self, g: G) -> None:
        g.call(RollActionDice(side=FREE, dice=self.pools[FREE]))

    def roll_shadow(self, g: G) -> None:
        dice = self.pools[SHADOW] - g.board.hunt_shadow
        g.call(RollActionDice(side=SHADOW, dice=dice))

    # P5.
    def resolve(self, g: G) -> None:
        g.call(Actions())

    def end_actions(self, g: G) -> None:
        suffer_inactivity(g)

    # P6.
    def return_hobbits(self, g: G) -> None:
        g.call(ReturnHobbits())

    def check_victory(self, g: G) -> None:
        if not ended_by_conquest(g):
            g.board.turn += 1
            self.at = 0


def _next_leader(b: Board, side: int) -> int:
    """The Leading Player token changes hands (19.2)."""
    team = b.settings.teams[side]
    return team[(team.index(b.leading[side]) + 1) % len(team)]


# Rolling dice.


@dataclass(slots=True)
class RollActionDice(Question[Board]):
    """Chance rolls a side's Action dice; the Shadow's Eyes go to the Hunt Box at once."""

    prompt: ClassVar[str] = "chance.action_dice"

    side: int = FREE
    dice: int = 1

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (CHANCE,) if self.dice else ()

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return ()

    def allows(self, g: G, seat: Seat, action: Action) -> bool:
        faces = FACES_OF[self.side]
        return action.verb == f"dice{self.dice}" and all(n in faces for n in action.nouns)

    def deal(self, g: G, pick: Pick) -> Action:
        faces = FACES_OF[self.side]
        return Action(f"dice{self.dice}", tuple(faces[pick(6)] for _ in range(self.dice)))

    def take(self, g: G, seat: Seat, action: Action) -> None:
        for face in action.nouns:
            g.board.put_die(self.side, face)
        faces = [FACES[face] for face in action.nouns]
        say(g, "action_dice_rolled", side=SIDES[self.side], faces=faces)
        g.done()

    def shown(self, g: G, seat: Seat | None) -> dict[str, object]:
        return {"side": SIDES[self.side], "dice": self.dice}


# The order of actions.


def action_order(b: Board) -> tuple[int, ...]:
    """The seats in the order of their actions, over and over (5, 19.3, 19.4, D03)."""
    settings = b.settings
    if not settings.has_teams:
        return (0, 1)
    shadow = b.leading[SHADOW]
    other = next(seat for seat in settings.teams[SHADOW] if seat != shadow)
    if settings.players == 3:
        if settings.readings.free_begin:
            return (0, other, 0, shadow)
        return (other, 0, shadow, 0)
    free = b.leading[FREE]
    mate = next(seat for seat in settings.teams[FREE] if seat != free)
    return (mate, other, free, shadow)


@dataclass(slots=True)
class Actions(Procedure):
    """Seats act in their order until no side has dice; a side without is skipped (P5)."""

    next_in_order: int = 0

    script: ClassVar[tuple[str, ...]] = ("next_action",)

    def next_action(self, g: G) -> None:
        b = g.board
        if not b.has_dice(FREE) and not b.has_dice(SHADOW):
            b.acted = b.resting = (0, 0)
            return
        self.at = 0
        order = action_order(b)
        seat = order[self.next_in_order % len(order)]
        is_new_cycle = self.next_in_order % len(order) < len(order) // 2
        self.next_in_order += 1
        if b.has_dice(b.settings.sides[seat]):
            rest(b, seat, is_new_cycle=is_new_cycle)
            g.call(Act(seat=seat))


def rest(b: Board, seat: int, *, is_new_cycle: bool) -> None:
    """Of three players the Free Peoples' may not act twice in a row with the same (19.4, D03).

    By the guide that is so within a cycle, by the published rules always; an action without a
    nation or an army neither counts nor breaks the row (S16).
    """
    if b.settings.players != 3:
        return
    last = b.acted if any(b.acted) else b.resting
    if b.settings.sides[seat] != FREE:
        b.acted, b.resting = last, (0, 0)
        return
    ends_with_cycle = not b.settings.readings.free_begin
    b.resting = (0, 0) if is_new_cycle and ends_with_cycle else last
    b.acted = (0, 0)


# One action.


@dataclass(slots=True)
class Act(Procedure):
    """A seat uses a die, throws one away or passes; before that it may use an Elven Ring."""

    seat: int = 0
    face: int = 0
    deed: int = 0
    free_messenger: int = 0  # whether it was unused when the action began

    script: ClassVar[tuple[str, ...]] = ("choose_action", "spend", "finish")

    def choose_action(self, g: G) -> None:
        g.call(ChooseAction(seat=self.seat))

    def spend(self, g: G) -> None:
        if not self.got:
            g.done()
            return
        self.face, self.deed = self.got
        b = g.board
        side = b.settings.sides[self.seat]
        self.free_messenger = int(not b.used_messenger)
        b.use_die(side, self.face)
        if deeds.uses_messenger(b, self.seat, self.face, self.deed):
            b.used_messenger = True
        name = deeds.DEED_NAMES[self.deed]
        say(g, "action_taken", seat=b.settings.seats[self.seat], face=FACES[self.face], deed=name)
        b.tentative = self.seat
        g.call(deeds.begin(self.seat, self.face, self.deed))

    def finish(self, g: G) -> None:
        b = g.board
        b.settle()
        moved = deeds.DEED_NAMES[self.deed] == "move_fellowship"
        if moved and not kept.keeps_die_out_of_hunt(b):
            b.hunt_free += 1
        tidy(g)


def can_take_back(b: Board, seat: Seat) -> bool:
    """Whether a seat may take back the action that it has begun.

    It may as long as nobody has learnt anything, and nothing but the die has changed.
    """
    return b.tentative == seat


def settle_action(b: Board, seat: Seat) -> None:
    """Somebody decides: an action stays as it is if it was another who has begun it."""
    if b.tentative not in (seat, NO_SEAT):
        b.settle()


def take_back(g: G) -> None:
    """Come back to the choice of the action, its die unspent."""
    b = g.board
    while not isinstance(g.stack[-1], Act):
        g.stack.pop()
    act = g.stack[-1]
    b.put_die(b.settings.sides[act.seat], act.face)
    b.used_messenger = b.used_messenger and not act.free_messenger
    b.tentative = NO_SEAT
    g.stack[-1] = Act(seat=act.seat)
    say(g, "taken_back", seat=b.settings.seats[act.seat])


@dataclass(slots=True)
class ChooseAction(Question[Board]):
    """What to do with which die."""

    prompt: ClassVar[str] = "turn.action"

    seat: int = 0

    def is_neutral(self, g: G, seat: Seat) -> bool:
        """Whether it may hang on the hand alone that a die need not be skipped."""
        b = g.board
        faces = b.faces_left(b.settings.sides[seat])
        if len(faces) > 1 or faces[0] not in _CARDS_ALONE:
            return False
        passing, others = self._besides_deeds(b, seat)
        return not passing and len(others) == 1

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (self.seat,) if g.board.has_dice(g.board.settings.sides[self.seat]) else ()

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        b = g.board
        if b.actions is None:  # else they were asked for, maybe before an action was taken back
            b.actions = self.action_choices(b)
        passing, others = self._besides_deeds(b, seat)
        return [*passing, *[_ACTS[face][number] for face, number in b.actions], *others]

    def action_choices(self, b: Board) -> tuple[tuple[int, int], ...]:
        """What the seat can do with which die."""
        known = deeds.unknown(b, self.seat)
        faces = b.faces_left(b.settings.sides[self.seat])
        return tuple([(f, n) for f in faces for n in deeds.deeds_for(b, self.seat, f, known)])

    def _besides_deeds(self, b: Board, seat: int) -> tuple[list[Action], list[Action]]:
        """What may be done besides using a die: to pass; Elven Rings, and throwing dice away."""
        side = b.settings.sides[seat]
        faces = b.faces_left(side)
        passing = [Action("pass")] if b.dice_left(side) < b.dice_left(1 - side) else []
        has_ring = b.rings[side] and not has_used_ring(b, seat)
        rings = _rings(side, tuple(faces)) if has_ring else ()
        return passing, [*rings, *[_SKIPS[face] for face in faces]]

    def allows(self, g: G, seat: Seat, action: Action) -> bool:
        if action.verb != "act":
            passing, others = self._besides_deeds(g.board, seat)
            return action in passing or action in others
        b = g.board
        face, number = action.nouns
        has_die = b.die_count(b.settings.sides[seat], face) > 0
        return has_die and deeds.can_do(b, seat, face, number)

    def take(self, g: G, seat: Seat, action: Action) -> None:
        b = g.board
        side = b.settings.sides[seat]
        if action.verb == "act":
            g.done(*action.nouns)
        elif action.verb == "ring":
            face, new = action.nouns
            give_ring(g, seat)
            b.use_die(side, face)
            b.put_die(side, new)
            say(g, "die_changed", side=SIDES[side], face=FACES[face], to=FACES[new])
        else:
            if action.verb == "skip":
                b.use_die(side, action.nouns[0])
            facts = {"face": FACES[action.nouns[0]]} if action.nouns else {}
            kind = "die_skipped" if action.verb == "skip" else "passed"
            say(g, kind, seat=b.settings.seats[seat], **facts)
            g.done()


@cache
def _rings(side: int, faces: tuple[int, ...]) -> tuple[Action, ...]:
    """What an Elven Ring may make of a side's dice; never a Will of the West."""
    results = [f for f in dict.fromkeys(FACES_OF[side]) if f != WILL]
    return tuple(Action("ring", (face, new)) for face in faces for new in results if face != new)


_SKIPS = tuple(Action("skip", (face,)) for face in range(len(FACES)))
_CARDS_ALONE = (EVENT, MUSTER)
"""The dice that may be good for nothing but to play a card."""
_ACTS = tuple(
    tuple(Action("act", (face, number)) for number in range(len(deeds.DEED_NAMES)))
    for face in range(len(FACES))
)
