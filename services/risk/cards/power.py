"""Power cards: where each may be played, and what it does (RULES 9.2, 9.3, 9.5).

Order of reading: when a card is admitted, what it does at once, and the choices that some call for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from services.core.decisions import Action, Seat
from services.core.frames import Game, Procedure, Question
from services.risk.board import BLOCK, SAILS, UNWALLED, Board
from services.risk.play.counts import Defect
from services.risk.tables import (
    BRIDGES,
    BY_SEA,
    HAS_DIE,
    IN_WINDOW,
    MOUNT_DOOM,
    PATH,
    PORTS,
    STEM,
    TERRITORIES,
    TERRITORY,
    bits,
    mask,
    named,
)

G = Game[Board]

AMBUSH, COURAGE, RINGWARDS, NIGHT_MOVES, MOST_DEFECTING = 3, 4, 4, 3, 2
FINDS, CAPTURED, LAIR, SMEAGOL = 2, -1, -2, 2

_GRIMA, _SIEGE, _ENEMY = (
    named("grima_wormtongue"),
    named("siege_machines"),
    named("the_enemy_is_at_hand"),
)
_BORNE, _HUNT = named("borne_to_another_place"), named("hunt_for_the_ringbearer")
_WITHDRAWAL, _STORMS, _SAILS = (
    named("strategic_withdrawal"),
    named("violent_storms"),
    named("black_sails"),
)
_CAPTURED, _LAIR, _BALROG = (
    named("captured_by_orcs"),
    named("shelobs_lair"),
    named("a_balrog_is_come"),
)
_GORGOROTH, _MORGUL, _MORIA = (
    TERRITORY["gorgoroth"],
    TERRITORY["minas_morgul"],
    TERRITORY["moria"],
)


def admitted(b: Board, window: str, seat: int, source: int, target: int) -> int:
    """The cards that a seat may play in a window, if it holds them: for all to work out."""
    return IN_WINDOW[window] & ~_BARRED[window](b, seat, source, target) & ~b.open_cards()


# Each answers which cards of its window are of no use here.


def _at_turn_start(b: Board, seat: int, source: int, target: int) -> int:
    barred = 0
    leaders = b.leader_lands(seat)
    if not leaders or leaders == b.held[seat]:
        barred |= _BORNE
    if b.ring == MOUNT_DOOM and b.owner[PATH[b.ring]] != seat:
        barred |= _HUNT
    return barred


def _for_defender(b: Board, seat: int, source: int, target: int) -> int:
    return 0 if b.army[target] > 1 and retreats(b, seat, target) else _WITHDRAWAL


def _for_port(b: Board, seat: int, source: int, target: int) -> int:
    return 0 if PORTS >> target & 1 else _STORMS  # the window opens in battles by sea only


def _before_leaving(b: Board, seat: int, source: int, target: int) -> int:
    return IN_WINDOW["fellowship_before_leaving"] if HAS_DIE[b.ring] else 0


def _after_roll(b: Board, seat: int, source: int, target: int) -> int:
    here = PATH[b.ring]
    return (0 if here == _GORGOROTH else _CAPTURED) | (0 if here == _MORGUL else _LAIR)


def _finally(b: Board, seat: int, source: int, target: int) -> int:
    return 0 if PATH[b.ring] == _MORIA else _BALROG


_BARRED: Mapping[str, Callable[[Board, int, int, int], int]] = {
    "turn_start": _at_turn_start,
    "invasion_declared_defender": _for_defender,
    "battle_declared_defender": _for_port,
    "after_last_invasion": lambda b, seat, source, target: 0,
    "fellowship_before_leaving": _before_leaving,
    "fellowship_after_roll": _after_roll,
    "fellowship_final": _finally,
}


# Those that an attacker plays as he names an invasion.

READY = IN_WINDOW["pre_invasion"] | IN_WINDOW["invasion_declared_attacker"]


def aims(b: Board, card: int, source: int, targets: int, *, below: bool = False) -> int:
    """Those of these targets for which such a card may be played, invaded from this source."""
    bit = 1 << card
    if bit & (_SIEGE | _ENEMY):
        return targets & b.settings.strongholds
    if bit & _GRIMA:
        return mask(land for land in bits(targets) if b.army[land] > 1)
    if bit & _SAILS:  # a battle below mountains is never by sea
        return 0 if below else targets & BY_SEA[source]
    return targets


# What a card does. Those that answer for themselves in the Fellowship's step do nothing here.


def resolve(g: G, seat: int, card: int, source: int, target: int) -> None:
    """Carry out a card that was played; it may put a question."""
    effect = _EFFECTS.get(STEM[card])
    if effect is not None:
        effect(g, seat, source, target)


def reinforce(g: G, land: int, battalions: int) -> None:
    """Battalions appear from the supply."""
    g.board.add(land, battalions)
    g.emit("battalions_gained", {"territory": TERRITORIES[land], "battalions": battalions}, None)


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
        reinforce(g, PATH[b.ring], RINGWARDS)
    else:
        move_ring(g)


def move_ring(g: G) -> None:
    """The Ring goes one territory further."""
    b = g.board
    b.ring += 1
    g.emit("ring_moved", {"territory": TERRITORIES[PATH[b.ring]]}, None)


def _add_to_roll(more: int) -> Callable[[G, int, int, int], None]:
    def effect(g: G, seat: int, source: int, target: int) -> None:
        g.board.roll_more += more

    return effect


_EFFECTS: Mapping[str, Callable[[G, int, int, int], None]] = {
    "you_shall_not_pass": lambda g, seat, source, target: g.call(ChooseBridge(seat=seat)),
    "borne_to_another_place": lambda g, seat, source, target: g.call(Borne(seat=seat)),
    "hunt_for_the_ringbearer": _hunt,
    "grima_wormtongue": _grima,
    "ambush": lambda g, seat, source, target: reinforce(g, source, AMBUSH),
    "the_enemy_is_at_hand": _unwall,
    "siege_machines": _unwall,
    "black_sails": _sail,
    "courage_alone": lambda g, seat, source, target: reinforce(g, target, COURAGE),
    "strategic_withdrawal": lambda g, seat, source, target: g.call(
        Withdraw(seat=seat, land=target)
    ),
    "move_by_night": _night,
    "faramir_finds_the_ringbearer": lambda g, seat, source, target: g.call(Faramir(seat=seat)),
    "captured_by_orcs": _add_to_roll(CAPTURED),
    "shelobs_lair": _add_to_roll(LAIR),
    "smeagol": _add_to_roll(SMEAGOL),
}


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


def tell_leader(g: G, seat: int, start: int, to: int) -> None:
    """Say that a Leader went somewhere."""
    facts = {"seat": g.board.name(seat), "from": TERRITORIES[start], "to": TERRITORIES[to]}
    g.emit("leader_moved", facts, None)


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


def retreats(b: Board, seat: int, land: int) -> list[tuple[int, int]]:
    """Where a garrison may withdraw to, without its Leader and with him."""
    plain = b.ways(land, led=False) & b.held[seat]
    found = [(to, 0) for to in bits(plain)]
    if b.has_leader(land):
        found += [(to, 1) for to in bits(b.ways(land, led=True) & b.held[seat] & ~b.led)]
    return found


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
