"""Power cards: what each does (RULES 9.2, 9.3, 9.5). Where it may be played: `play/playable.py`.

Order of reading: what a card does at once, the choices that some call for, the table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from services.core.decisions import Action, Seat
from services.core.frames import Game, Procedure, Question
from services.risk.board import BLOCK, SAILS, UNWALLED, Board
from services.risk.play.counts import Defect
from services.risk.play.fellowship import move_ring
from services.risk.play.leaders import tell_leader
from services.risk.play.playable import retreats
from services.risk.play.resolving import POWER_EFFECTS, gain_battalions
from services.risk.tables import BRIDGES, PATH, POWERS, STEM, TERRITORIES, bits

G = Game[Board]

AMBUSH, COURAGE, RINGWARDS, MOST_DEFECTING = 3, 4, 4, 2
"""Battalions that cards bring, and those that Gríma wins over at most."""
NIGHT_MOVES = 3
FINDS, CAPTURED, LAIR, SMEAGOL = 2, -1, -2, 2
"""What cards add to the Ring's roll; Faramir may take his from it instead."""

ANSWERED_BY_STEP = (
    "the_way_is_under_the_mountains",
    "violent_storms",
    "a_balrog_is_come",
    "boromir_tries_to_seize_the_one_ring",
    "knife_in_the_dark",
    "dangerous_crossing",
    "gollum",
)
"""Cards of which the step that let them be played sees to the effect."""


# What a card does at once.


def _nothing(g: G, seat: int, source: int, target: int) -> None:
    """A step of the rules goes on as this card makes it."""


def _grima(g: G, seat: int, source: int, target: int) -> None:
    g.call(Grima(seat=seat, source=source, target=target))


def _unwall(g: G, seat: int, source: int, target: int) -> None:
    g.board.boons |= UNWALLED


def _sail(g: G, seat: int, source: int, target: int) -> None:
    g.board.boons |= SAILS


def _night(g: G, seat: int, source: int, target: int) -> None:
    g.board.moves_left += NIGHT_MOVES


def _hunt(g: G, seat: int, source: int, target: int) -> None:
    b = g.board
    if b.owner[PATH[b.ring]] == seat:
        gain_battalions(g, PATH[b.ring], RINGWARDS)
    else:
        move_ring(g)


def _add_to_roll(more: int) -> Callable[[G, int, int, int], None]:
    def effect(g: G, seat: int, source: int, target: int) -> None:
        g.board.roll_more += more

    return effect


@dataclass(slots=True)
class ChooseBridge(Question[Board]):
    """You Shall Not Pass!: which bridge only Leaders open until the player's next turn."""

    seat: int = 0
    prompt: ClassVar[str] = "card.bridge"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (self.seat,) if g.board.is_in(self.seat) else ()

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return [Action("block", (bridge,)) for bridge in range(len(BRIDGES))]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        (bridge,) = action.nouns
        g.board.begin_effect(BLOCK, bridge, seat)
        g.emit("bridge_blocked", {"seat": g.board.name(seat), "bridge": BRIDGES[bridge]}, None)
        g.done()


@dataclass(slots=True)
class Grima(Procedure):
    """Gríma Wormtongue: one or two of the defenders change sides."""

    seat: int = 0
    source: int = 0
    target: int = 0

    script: ClassVar[tuple[str, ...]] = ("ask", "defect")

    def ask(self, g: G) -> None:
        g.call(Defect(seat=self.seat, least=1, most=self._most(g)))

    def _most(self, g: G) -> int:
        return min(MOST_DEFECTING, g.board.army[self.target] - 1)

    def defect(self, g: G) -> None:
        number = self.got[0] if self.got else 1
        b = g.board
        b.lose(self.target, number)
        b.add(self.source, number)
        facts = {"from": TERRITORIES[self.target], "to": TERRITORIES[self.source]}
        g.emit("defected", {**facts, "battalions": number}, None)


@dataclass(slots=True)
class Borne(Procedure):
    """Borne to Another Place: which Leader, and where to."""

    seat: int = 0
    leader: int = 0

    script: ClassVar[tuple[str, ...]] = ("choose", "lift", "move")

    def choose(self, g: G) -> None:
        g.call(ChooseLeader(seat=self.seat))

    def lift(self, g: G) -> None:
        leaders = bits(g.board.leader_lands(self.seat))
        self.leader = self.got[0] if self.got else leaders[0]
        g.emit("leader_chosen", {"territory": TERRITORIES[self.leader]}, None)
        g.call(Bear(seat=self.seat))

    def move(self, g: G) -> None:
        (to,) = self.got
        g.board.move_leader(self.leader, to)
        tell_leader(g, self.seat, self.leader, to)


@dataclass(slots=True)
class ChooseLeader(Question[Board]):
    """Which of two Leaders is borne away."""

    seat: int = 0
    prompt: ClassVar[str] = "card.leader"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        two = g.board.leader_lands(self.seat).bit_count() > 1
        return (self.seat,) if two and g.board.is_in(self.seat) else ()

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return [Action("bear", (land,)) for land in bits(g.board.leader_lands(self.seat))]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        g.done(*action.nouns)


@dataclass(slots=True)
class Bear(Question[Board]):
    """Where he is borne to."""

    seat: int = 0
    prompt: ClassVar[str] = "card.bear"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (self.seat,) if g.board.is_in(self.seat) else ()

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        free = g.board.held[self.seat] & ~g.board.led
        return [Action("station", (land,)) for land in bits(free)]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        g.done(*action.nouns)


@dataclass(slots=True)
class Withdraw(Question[Board]):
    """Strategic Withdrawal: all but one battalion go to an adjacent territory."""

    seat: int = 0
    land: int = 0
    prompt: ClassVar[str] = "card.withdraw"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (self.seat,) if g.board.is_in(self.seat) else ()

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        verbs = ("withdraw", "withdraw_led")
        return [Action(verbs[led], (to,)) for to, led in retreats(g.board, self.seat, self.land)]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        (to,) = action.nouns
        b = g.board
        gone = b.lose(self.land, b.army[self.land])
        b.add(to, gone)
        facts = {"seat": b.name(seat), "from": TERRITORIES[self.land], "to": TERRITORIES[to]}
        g.emit("withdrew", {**facts, "battalions": gone}, None)
        if action.verb == "withdraw_led":
            b.move_leader(self.land, to)
            tell_leader(g, seat, self.land, to)
        g.done()


@dataclass(slots=True)
class Faramir(Question[Board]):
    """Faramir Finds the Ringbearer: add two to the roll, or take two from it."""

    seat: int = 0
    prompt: ClassVar[str] = "card.faramir"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (self.seat,) if g.board.is_in(self.seat) else ()

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return [Action("help"), Action("hinder")]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        more = FINDS if action.verb == "help" else -FINDS
        g.board.roll_more += more
        g.emit("roll_changed", {"seat": g.board.name(seat), "by": more}, None)
        g.done()


POWER_EFFECTS.update(
    {
        "you_shall_not_pass": lambda g, seat, source, target: g.call(ChooseBridge(seat=seat)),
        "borne_to_another_place": lambda g, seat, source, target: g.call(Borne(seat=seat)),
        "hunt_for_the_ringbearer": _hunt,
        "grima_wormtongue": _grima,
        "ambush": lambda g, seat, source, target: gain_battalions(g, source, AMBUSH),
        "the_enemy_is_at_hand": _unwall,
        "siege_machines": _unwall,
        "black_sails": _sail,
        "courage_alone": lambda g, seat, source, target: gain_battalions(g, target, COURAGE),
        "strategic_withdrawal": lambda g, seat, source, target: g.call(
            Withdraw(seat=seat, land=target)
        ),
        "move_by_night": _night,
        "faramir_finds_the_ringbearer": lambda g, seat, source, target: g.call(Faramir(seat=seat)),
        "captured_by_orcs": _add_to_roll(CAPTURED),
        "shelobs_lair": _add_to_roll(LAIR),
        "smeagol": _add_to_roll(SMEAGOL),
        **dict.fromkeys(ANSWERED_BY_STEP, _nothing),
    }
)
assert POWER_EFFECTS.keys() == {STEM[card] for card in bits(POWERS)}
