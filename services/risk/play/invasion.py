"""Combat (RULES 6.1, 6.2): invasions one after another, and the battles of one invasion.

Order of reading: naming source and target, the invasion, the attacker's choice, the defender's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from services.core.decisions import Action, Seat
from services.core.frames import Game, Procedure, Question
from services.risk.board import SAILS, UNDERGROUND, UNWALLED, Board
from services.risk.play.conquest import Conquest
from services.risk.play.dice import RollBattle, capped_losses
from services.risk.play.roads import (
    is_by_sea,
    may_fight_from,
    mountain_sources,
    mountain_targets,
    other_sources,
    sources,
    targets,
)
from services.risk.play.windows import BACK, TAKEN_BACK, is_asked, open_window, play, tell_back
from services.risk.tables import FACES, NEUTRAL, TERRITORIES, bits, named

G = Game[Board]

THE_WAY = named("the_way_is_under_the_mountains")
END_COMBAT, STOP, HOLD = Action("end_combat"), Action("stop"), Action("hold")
MOST_ATTACKING, MOST_DEFENDING, CORSAIRS_TAKE = 3, 2, 3
LIMITS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 75, 100)
"""An attacker may fight on until so few battalions are left in the source."""
NO_LIMIT = -1
STOPS, FIGHTS, PRESSES, SWITCHES = range(4)
"""What the attacker's choice hands back first."""

_FROM = tuple(Action("from", (land,)) for land in range(len(TERRITORIES)))
_BELOW = tuple(Action("below", (land,)) for land in range(len(TERRITORIES)))
_AGAINST = tuple(Action("against", (land,)) for land in range(len(TERRITORIES)))
_SWITCH = tuple(Action("switch", (land,)) for land in range(len(TERRITORIES)))


@dataclass(slots=True)
class Combat(Procedure):
    """Any number of invasions."""

    source: int = 0
    below: int = 0  # by the mountain card

    script: ClassVar[tuple[str, ...]] = ("choose_source", "choose_target", "invade")

    def choose_source(self, g: G) -> None:
        b = g.board
        if sources(b, b.turn) or (
            mountain_sources(b, b.turn) and is_asked(b, b.turn, THE_WAY & ~b.open_cards())
        ):
            g.call(ChooseSource(seat=b.turn))
        else:
            g.done()

    def choose_target(self, g: G) -> None:
        if not self.got:
            g.done()
            return
        b = g.board
        self.source, self.below = self.got
        b.boons = 0
        if self.below:  # announced with the source, and binding from there (RULINGS 6)
            b.boons = UNDERGROUND
            play(g, b.turn, bits(b.hands[b.turn] & THE_WAY)[0])
        g.emit("source_named", {"territory": TERRITORIES[self.source]}, None)
        g.call(ChooseTarget(seat=g.board.turn, source=self.source, below=self.below))

    def invade(self, g: G) -> None:
        self.go_to("choose_source")
        if not self.got:
            tell_back(g)
            return
        b, (target,) = g.board, self.got
        g.call(Invasion(seat=b.turn, named=self.source, source=self.source, target=target))


@dataclass(slots=True)
class ChooseSource(Question[Board]):
    """The active player names a territory to invade from, or ends combat."""

    seat: int = 0
    prompt: ClassVar[str] = "combat.source"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (self.seat,)

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        b = g.board
        actions = [END_COMBAT, *[_FROM[land] for land in sources(b, seat)]]
        if b.hands[seat] & THE_WAY and not b.locked >> seat & 1:
            actions += [_BELOW[land] for land in mountain_sources(b, seat)]
        return actions

    def take(self, g: G, seat: Seat, action: Action) -> None:
        if action.nouns:
            g.done(action.nouns[0], int(action.verb == "below"))
        else:
            g.done()


@dataclass(slots=True)
class ChooseTarget(Question[Board]):
    """He names what is invaded from there, or takes the source back."""

    seat: int = 0
    source: int = 0
    below: int = 0
    prompt: ClassVar[str] = "combat.target"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (self.seat,)

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        found = (mountain_targets if self.below else targets)(g.board, seat, self.source)
        return [*([] if self.below else [BACK]), *[_AGAINST[land] for land in bits(found)]]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        g.done(*action.nouns)


@dataclass(slots=True)
class Invasion(Procedure):
    """One attempt to take one territory."""

    seat: int = 0
    named: int = 0  # the source first named
    source: int = 0
    target: int = 0
    dice: int = 0  # of the attacker, in this battle
    defence: int = 0
    limit: int = NO_LIMIT  # fight on until so few are left
    stands: int = 0  # the defender throws all he may, without being asked
    charged: int = 0  # the Corsairs have had their share
    switched: int = 0  # the source, since the last battle

    script: ClassVar[tuple[str, ...]] = (
        "before",
        "declare",
        "warn_defender",
        "choose_battle",
        "begin_battle",
        "pay_corsairs",
        "weather_storms",
        "choose_defence",
        "roll",
        "compare",
    )

    # A window that opens tells all what has been named; otherwise it is declared at once.
    def before(self, g: G) -> None:
        open_window(g, "pre_invasion", (self.seat,), self.source, self.target)
        if g.stack[-1] is not self:
            ends = {"from": TERRITORIES[self.source], "to": TERRITORIES[self.target]}
            g.emit("target_named", ends, None)

    def declare(self, g: G) -> None:
        b = g.board
        if self.got == (TAKEN_BACK,):
            tell_back(g)
            g.done()
            return
        g.emit(
            "invasion_declared",
            {
                "seat": b.name(self.seat),
                "against": b.name(b.owner[self.target]),
                "from": TERRITORIES[self.source],
                "to": TERRITORIES[self.target],
            },
            None,
        )
        open_window(g, "invasion_declared_attacker", (self.seat,), self.source, self.target)

    def warn_defender(self, g: G) -> None:
        defender = g.board.owner[self.target]
        if defender != NEUTRAL:
            seats = (defender,)
            open_window(g, "invasion_declared_defender", seats, self.source, self.target)

    def choose_battle(self, g: G) -> None:
        b = g.board
        here = may_fight_from(b, self.seat, self.source, self.named, self.target)
        if here and b.army[self.source] > self.limit > 0:
            return
        self.limit = NO_LIMIT
        if here or other_sources(b, self.seat, self.source, self.named, self.target):
            g.call(
                ChooseBattle(0, (), self.seat, self.named, self.source, self.target, self.switched)
            )
        else:
            self._stop(g)

    def begin_battle(self, g: G) -> None:
        army = g.board.army[self.source]
        if not self.got and self.limit > 0:
            self.dice = min(MOST_ATTACKING, army - 1)
            return
        how, number = self.got or (STOPS, 0)
        if how == STOPS:
            self._stop(g)
        elif how == SWITCHES:
            self.source, self.switched = number, 1
            g.emit("source_switched", {"territory": TERRITORIES[number]}, None)
            self.go_to("choose_battle")
        elif how == PRESSES:
            self.limit, self.dice = number, min(MOST_ATTACKING, army - 1)
            g.emit("pressed", {"territory": TERRITORIES[self.source], "until": number}, None)
        else:
            self.dice = number

    # Once an invasion, for the source of its first battle by sea (RULES R40).
    def pay_corsairs(self, g: G) -> None:
        b = g.board
        if not is_by_sea(b, self.source, self.named, self.target):
            self.go_to("choose_defence")
            return
        if b.taxed and not self.charged:
            self.charged = 1
            lost = b.lose(self.source, CORSAIRS_TAKE)
            g.emit(
                "corsairs_paid", {"territory": TERRITORIES[self.source], "battalions": lost}, None
            )
            if b.army[self.source] < 2:
                self._stop(g)
                return
            self.dice = min(self.dice, b.army[self.source] - 1)
        defender = b.owner[self.target]
        if defender != NEUTRAL:
            seats = (defender,)
            open_window(g, "battle_declared_defender", seats, self.source, self.target)

    def weather_storms(self, g: G) -> None:
        if self.got:
            g.board.add(self.source, -self.dice)
            facts = {"territory": TERRITORIES[self.source], "battalions": self.dice}
            g.emit("storm_took", facts, None)
            self.switched = 0
            self.go_to("choose_battle")

    def choose_defence(self, g: G) -> None:
        b = g.board
        self.defence = min(MOST_DEFENDING, b.army[self.target])
        decides = who_defends(b, self.seat, self.target)
        if self.defence > 1 and decides != NEUTRAL and not self.stands:
            g.call(ChooseDefence(seat=decides))

    def roll(self, g: G) -> None:
        if self.got:
            self.defence, self.stands = self.got
            if self.stands:
                g.emit("stood", {"territory": TERRITORIES[self.target]}, None)
        g.call(RollBattle(attack=self.dice, defence=self.defence))

    def compare(self, g: G) -> None:
        b, (attack, defence) = g.board, self.got
        self.switched = 0
        more = bonuses(b, self.source, self.named, self.target)
        ours, theirs = capped_losses(FACES[attack], FACES[defence], more, b.charter.highest_die)
        b.add(self.source, -ours)
        b.add(self.target, -theirs)
        g.emit(
            "battle_fought",
            {
                "from": TERRITORIES[self.source],
                "to": TERRITORIES[self.target],
                "attack": list(FACES[attack]),
                "defence": list(FACES[defence]),
                "bonus": list(more),
                "lost": [ours, theirs],
            },
            None,
        )
        if b.army[self.target]:
            self.go_to("choose_battle")
        else:
            g.done()
            g.call(Conquest(0, (), self.seat, self.source, self.target, self.dice))

    def _stop(self, g: G) -> None:
        g.emit("invasion_stopped", {"territory": TERRITORIES[self.target]}, None)
        g.done()


def bonuses(b: Board, source: int, named: int, target: int) -> tuple[int, int]:
    """What is added to the highest die of attacker and defender (RULES 6.2)."""
    sails = b.boons & SAILS and is_by_sea(b, source, named, target)
    walls = b.charter.strongholds >> target & 1 and not b.boons & UNWALLED
    return b.has_leader(source) + bool(sails), b.has_leader(target) + bool(walls)


def who_defends(b: Board, attacker: int, land: int) -> int:
    """Who says how many dice defend a territory: its holder, or for the neutral army an opponent.

    `NEUTRAL` where nobody is asked (RULES 13.1, R26).
    """
    holder = b.owner[land]
    if holder != NEUTRAL or b.charter.neutral_defends_itself:
        return holder
    return b.after(attacker)


# The attacker's choice.


@lru_cache(maxsize=1000)
def _fights(battalions: int) -> tuple[Action, ...]:
    dice = range(1, min(MOST_ATTACKING, battalions - 1) + 1)
    limits = [limit for limit in LIMITS if limit < battalions - 1]
    return (
        STOP,
        *(Action("fight", (n,)) for n in dice),
        *(Action("press", (limit,)) for limit in limits),
    )


@dataclass(slots=True)
class ChooseBattle(Question[Board]):
    """The attacker stops, fights one battle or several, or goes on from another territory."""

    seat: int = 0
    named: int = 0
    source: int = 0
    target: int = 0
    switched: int = 0  # and must fight from there before he switches again (RULINGS 7)
    prompt: ClassVar[str] = "combat.battle"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (self.seat,)

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        b = g.board
        here = may_fight_from(b, seat, self.source, self.named, self.target)
        actions = _fights(b.army[self.source]) if here else (STOP,)
        if self.switched:
            return actions
        others = other_sources(b, seat, self.source, self.named, self.target)
        return [*actions, *[_SWITCH[land] for land in others]]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        if action.verb == "stop":
            g.done(STOPS, 0)
        elif action.verb == "fight":
            g.done(FIGHTS, action.nouns[0])
        elif action.verb == "press":
            g.done(PRESSES, action.nouns[0])
        else:
            g.done(SWITCHES, action.nouns[0])


# The defender's.

_DEFENCES = (Action("defend", (2,)), Action("defend", (1,)), HOLD)


@dataclass(slots=True)
class ChooseDefence(Question[Board]):
    """The defender throws one die or two, or two in every battle of this invasion."""

    seat: int = 0
    prompt: ClassVar[str] = "combat.defence"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (self.seat,) if g.board.is_in(self.seat) else ()

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return _DEFENCES

    def take(self, g: G, seat: Seat, action: Action) -> None:
        if action.verb == "hold":
            g.done(MOST_DEFENDING, 1)
        else:
            g.done(action.nouns[0], 0)
