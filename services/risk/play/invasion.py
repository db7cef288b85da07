"""One invasion (RULES 6.1, 6.2): its battles, until its target falls or the attacker stops.

Design. How long an attacker fights on, and whether a defender stands, is told to nobody: it is in
the frame and on the board, and what others can work out from who was asked is there beside it.

Order of reading: the invasion, the attacker's choice, the defender's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, NamedTuple

from services.core.decisions import Action, Seat
from services.core.frames import Game, Procedure, Question
from services.risk.board import SAILS, UNWALLED, Board
from services.risk.play.conquest import Conquest
from services.risk.play.counts import BACK
from services.risk.play.dice import RollBattle, capped_losses
from services.risk.play.playable import INVADED, INVADED_BY_SEA
from services.risk.play.resolving import resolve
from services.risk.play.roads import is_by_sea, may_fight_from, other_sources
from services.risk.play.windows import open_window
from services.risk.tables import FACES, NEUTRAL, TERRITORIES

G = Game[Board]

STOP, HOLD = Action("stop"), Action("hold")
MOST_ATTACKING, MOST_DEFENDING, CORSAIRS_TAKE = 3, 2, 3
"""Dice of an attacker and of a defender; battalions that the Corsairs take."""
NO_LIMIT, SURELY_NO_LIMIT, LAST, MOST_LEFT = -1, 0, 1, 150
"""An attacker may fight on until no more battalions than his limit are left in the source: at least
the last one, and at most this number. Or he has no limit; and all may know that for sure."""
STOPS, FIGHTS, PRESSES, SWITCHES, TAKES_BACK = range(5)
"""What an attacker does before a battle."""


class AttackersChoice(NamedTuple):
    """What an attacker does, and with how many dice, down to which limit, or from where."""

    does: int
    number: int = 0


_SWITCH = tuple(Action("switch", (land,)) for land in range(len(TERRITORIES)))


@dataclass(slots=True)
class Invasion(Procedure):
    """One attempt to take one territory."""

    seat: int = 0
    named: int = 0  # the source first named
    source: int = 0
    target: int = 0
    dice: int = 0  # of the attacker, in this battle
    defence: int = 0
    limit: int = NO_LIMIT  # down to which the attacker fights on; known to him alone
    pressing: int = 0  # all have seen that he fights on
    most: int = SURELY_NO_LIMIT  # and that his limit is no more than this
    bound: int = 0  # a card was played or dice have fallen: it cannot be taken back
    charged: int = 0  # the Corsairs have had their share
    switched: int = 0  # the source, since the last battle
    cards: tuple[int, ...] = ()  # that were played with the naming, and have yet to work

    script: ClassVar[tuple[str, ...]] = (
        "before",
        "declare",
        "warn_defender",
        "hear_defender",
        "choose_battle",
        "begin_battle",
        "pay_corsairs",
        "weather_storms",
        "choose_defence",
        "roll",
        "compare",
    )

    def before(self, g: G) -> None:
        if self.cards:
            card, *others = self.cards
            self.cards = tuple(others)
            self.go_to("before")
            resolve(g, self.seat, card, self.source, self.target)

    def declare(self, g: G) -> None:
        b = g.board
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

    def warn_defender(self, g: G) -> None:
        defender = g.board.owner[self.target]
        if defender != NEUTRAL:
            seats = (defender,)
            open_window(g, INVADED, seats, self.source, self.target)

    def hear_defender(self, g: G) -> None:
        if self.got:
            self._pause()

    def _pause(self) -> None:
        """The attacker is asked again: a card of the defender has changed what he spoke of."""
        self.bound = 1
        self._forget_limit()

    def _forget_limit(self) -> None:
        self.limit, self.pressing, self.most = NO_LIMIT, 0, SURELY_NO_LIMIT

    def choose_battle(self, g: G) -> None:
        b, source, army = g.board, self.source, g.board.army[self.source]
        here = may_fight_from(b, self.seat, source, self.named, self.target)
        if self.limit != NO_LIMIT and army > self.limit and here:
            self.pressing, self.most = 1, min(self.most, army - 1)
            return
        self._forget_limit()
        if here or other_sources(b, self.seat, source, self.named, self.target):
            g.call(
                ChooseBattle(
                    seat=self.seat,
                    named=self.named,
                    source=source,
                    target=self.target,
                    switched=self.switched,
                    bound=self.bound,
                )
            )
        else:
            self._stop(g)

    def begin_battle(self, g: G) -> None:
        army = g.board.army[self.source]
        if not self.got and self.limit != NO_LIMIT:
            self.dice = min(MOST_ATTACKING, army - 1)
            return
        does, number = self.got or AttackersChoice(STOPS)
        if does == STOPS:
            self._stop(g)
        elif does == TAKES_BACK:
            g.emit("taken_back", {"territory": TERRITORIES[self.target]}, None)
            g.done()
        elif does == SWITCHES:
            self.source, self.switched = number, 1
            g.emit("source_switched", {"territory": TERRITORIES[number]}, None)
            self.go_to("choose_battle")
        else:
            full = min(MOST_ATTACKING, army - 1)
            self.dice = full if does == PRESSES else number
            self.limit = number if does == PRESSES else NO_LIMIT
            self.most = most_left(army) if self.dice == full else SURELY_NO_LIMIT

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
            open_window(g, INVADED_BY_SEA, seats, self.source, self.target)

    def weather_storms(self, g: G) -> None:
        if self.got:
            self._pause()
            g.board.add(self.source, -self.dice)
            facts = {"territory": TERRITORIES[self.source], "battalions": self.dice}
            g.emit("storm_took", facts, None)
            self.switched = 0
            self.go_to("choose_battle")

    def choose_defence(self, g: G) -> None:
        b = g.board
        self.defence = min(MOST_DEFENDING, b.army[self.target])
        decides = who_defends(b, self.seat, self.target)
        if self.defence > 1 and decides != NEUTRAL:
            b.stands_seen |= 1 << decides  # by who is asked now, and who is not
            if not b.stands >> decides & 1:
                g.call(ChooseDefence(seat=decides))

    # Who has thrown two may have said that he will again.
    def roll(self, g: G) -> None:
        if self.got:
            b, decides = g.board, who_defends(g.board, self.seat, self.target)
            self.defence, stands = self.got
            b.stands |= stands << decides
            if self.defence == MOST_DEFENDING:
                b.stands_seen &= ~(1 << decides)
        g.call(RollBattle(attack=self.dice, defence=self.defence))

    def compare(self, g: G) -> None:
        b, (attack, defence) = g.board, self.got
        self.switched, self.bound = 0, 1
        more = bonuses(b, self.source, self.named, self.target)
        ours, theirs = capped_losses(FACES[attack], FACES[defence], more, b.settings.highest_die)
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
            g.call(Conquest(seat=self.seat, source=self.source, target=self.target, dice=self.dice))

    def _stop(self, g: G) -> None:
        g.emit("invasion_stopped", {"territory": TERRITORIES[self.target]}, None)
        g.done()


def bonuses(b: Board, source: int, named: int, target: int) -> tuple[int, int]:
    """What is added to the highest die of attacker and defender (RULES 6.2)."""
    sails = b.boons & SAILS and is_by_sea(b, source, named, target)
    walls = b.settings.strongholds >> target & 1 and not b.boons & UNWALLED
    return b.has_leader(source) + bool(sails), b.has_leader(target) + bool(walls)


def who_defends(b: Board, attacker: int, land: int) -> int:
    """Who says how many dice defend a territory: its holder, or for the neutral army an opponent.

    `NEUTRAL` where nobody is asked (RULES 13.1, R26).
    """
    holder = b.owner[land]
    if holder != NEUTRAL or b.settings.neutral_defends_itself:
        return holder
    return b.after(attacker)


# The attacker's choice.


def most_left(battalions: int) -> int:
    """The highest limit that can be named where the source has this number of battalions."""
    return max(0, min(battalions - 2, MOST_LEFT))


@lru_cache(maxsize=1000)
def _fights(battalions: int, first: Action) -> tuple[Action, ...]:
    dice = range(1, min(MOST_ATTACKING, battalions - 1) + 1)
    return (
        first,
        *(Action("fight", (n,)) for n in dice),
        *(Action("press", (limit,)) for limit in range(1, most_left(battalions) + 1)),
    )


@dataclass(slots=True)
class ChooseBattle(Question[Board]):
    """The attacker stops, fights one battle or several, or goes on from another territory."""

    seat: int = 0
    named: int = 0
    source: int = 0
    target: int = 0
    switched: int = 0  # and must fight from there before he switches again (RULINGS 7)
    bound: int = 0  # he may stop; as long as he is not bound, he takes the invasion back instead
    prompt: ClassVar[str] = "combat.battle"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (self.seat,)

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        b = g.board
        here = may_fight_from(b, seat, self.source, self.named, self.target)
        first = STOP if self.bound else BACK
        actions = _fights(b.army[self.source], first) if here else (first,)
        if self.switched:
            return actions
        others = other_sources(b, seat, self.source, self.named, self.target)
        return [*actions, *[_SWITCH[land] for land in others]]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        if action == STOP:
            g.done(*AttackersChoice(STOPS))
        elif action == BACK:
            g.done(*AttackersChoice(TAKES_BACK))
        elif action.verb == "fight":
            g.done(*AttackersChoice(FIGHTS, action.nouns[0]))
        elif action.verb == "press":
            g.done(*AttackersChoice(PRESSES, action.nouns[0]))
        else:
            g.done(*AttackersChoice(SWITCHES, action.nouns[0]))


# The defender's.

_DEFENCES = (Action("defend", (2,)), Action("defend", (1,)), HOLD)


@dataclass(slots=True)
class ChooseDefence(Question[Board]):
    """The defender throws one die or two, or two whenever he may until he says otherwise."""

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
