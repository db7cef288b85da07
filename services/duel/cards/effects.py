"""What each kind of printed effect does (RULES 7), for the side on turn; and the maneuvers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from services.core.decisions import Action, Seat
from services.core.frames import Game, Question
from services.duel.board import Board
from services.duel.play.alliance import ChooseRace
from services.duel.play.armies import (
    PASS,
    MoveUnits,
    PlaceFreely,
    PlaceUnits,
    RemoveFortress,
    RemoveUnits,
    build,
    place,
)
from services.duel.play.discards import StripGrey, search
from services.duel.play.quest import advance, earn_turn
from services.duel.play.resolving import RESOLVE
from services.duel.tables import (
    ALL_REGIONS,
    MANEUVERS,
    RED,
    RED_ANYWHERE,
    REINFORCEMENT,
    REINFORCEMENTS,
    SIDES,
    UNITS,
    Effect,
)

G = Game[Board]

_WORDS = {
    "remove_enemy_units": "removal",
    "opponent_loses_coins": "coin",
    "move_units": "movement",
}
MANEUVER_WORDS = tuple(_WORDS[effect.kind] for effect in MANEUVERS)
"""What maneuvers are called in actions and events."""

CHOOSE = tuple(Action("maneuver", (number,)) for number in range(len(MANEUVERS)))


def _nothing(g: G, effect: Effect) -> None:
    """Skills and races count as soon as the card is in play."""


def _gain_coins(g: G, effect: Effect) -> None:
    side = g.board.turn
    coins = g.board.gain(side, effect.amount)
    if coins:
        g.emit("coins_gained", {"side": SIDES[side], "coins": coins}, None)


def _opponent_loses_coins(g: G, effect: Effect) -> None:
    other = 1 - g.board.turn
    coins = g.board.lose(other, effect.amount)
    if coins:
        g.emit("coins_lost", {"side": SIDES[other], "coins": coins}, None)


def _place_units(g: G, effect: Effect) -> None:
    b = g.board
    units, regions = effect.amount, effect.what
    if not b.supply[b.turn]:
        return
    if effect.colour == RED:  # only red cards heed the red tokens (ruling R-40)
        units += REINFORCEMENTS * b.has_token(b.turn, REINFORCEMENT)
        anywhere = b.has_token(b.turn, RED_ANYWHERE)
        g.call(PlaceUnits(units=units, regions=ALL_REGIONS if anywhere else regions))
    elif regions == ALL_REGIONS:
        g.call(PlaceFreely(count=units))
    elif b.settings.refusable or regions & (regions - 1):
        g.call(PlaceUnits(units=units, regions=regions))
    else:
        place(g, regions.bit_length() - 1, units)


def _choose_maneuvers(g: G, effect: Effect) -> None:
    g.call(Maneuver(count=effect.amount))


@dataclass(slots=True)
class Maneuver(Question[Board]):
    """Maneuvers of choice, repeats allowed; each only if it can do something (D11)."""

    count: int = 1

    prompt: ClassVar[str] = "maneuver.choose"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (g.board.turn,) if len(self.legal(g, g.board.turn)) > 1 else ()

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        b = g.board
        useful = [CHOOSE[n] for n, effect in enumerate(MANEUVERS) if _IS_USEFUL[effect.kind](b)]
        return [PASS, *useful]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        self.count = self.count - 1 if action.nouns else 0
        if not self.count:
            g.done()
        if action.nouns:
            (number,) = action.nouns
            facts = {"side": SIDES[seat], "maneuver": MANEUVER_WORDS[number]}
            g.emit("maneuver_chosen", facts, None)
            RESOLVE[MANEUVERS[number].kind](g, MANEUVERS[number])


_IS_USEFUL: Mapping[str, Callable[[Board], bool]] = {
    "remove_enemy_units": lambda b: b.supply[1 - b.turn] < UNITS,
    "opponent_loses_coins": lambda b: b.coins[1 - b.turn] > 0,
    "move_units": lambda b: b.supply[b.turn] < UNITS,
}
"""By the kind of a maneuver: whether it can do something now."""


RESOLVE.update(
    {
        "produce_skills": _nothing,
        "produce_skill_choice": _nothing,
        "race_symbol": _nothing,
        "gain_coins": _gain_coins,
        "opponent_loses_coins": _opponent_loses_coins,
        "advance_quest": lambda g, effect: advance(g, effect.amount),
        "extra_turn": lambda g, effect: earn_turn(g),
        "place_units": _place_units,
        "place_units_separately": lambda g, effect: g.call(PlaceFreely(count=effect.amount)),
        "move_units": lambda g, effect: g.call(MoveUnits(count=effect.amount)),
        "remove_enemy_units": lambda g, effect: g.call(RemoveUnits(count=effect.amount)),
        "remove_enemy_fortress": lambda g, effect: g.call(RemoveFortress()),
        "choose_maneuvers": _choose_maneuvers,
        "play_from_discard": lambda g, effect: search(g),
        "alliance_from_one_race": lambda g, effect: g.call(ChooseRace(each=effect.amount)),
        "discard_opponent_card": lambda g, effect: g.call(StripGrey()),
        "place_fortress": lambda g, effect: build(g, effect.what),
    }
)
