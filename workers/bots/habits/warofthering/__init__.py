"""What people usually do next in War of the Ring, once they have decided what a die is used for.

Armies go all together, towards what they can conquer; whoever is outnumbered withdraws; losses are
taken in the usual way; the Fellowship goes towards Mordor. What is not covered here is any answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from services.core.decisions import Action, Pick, Seat
from services.core.frames import Game
from services.warofthering.board import Board
from services.warofthering.tables import (
    ADJACENT,
    DISTANCE,
    ELITE,
    GARRISON_OF,
    NOWHERE,
    REGION_OF,
    SHADOW,
    UNITS,
    VICTORY_POINTS,
)
from workers.bots.habits.warofthering.marches import march, march_from, march_to, worthy_marches
from workers.bots.habits.warofthering.strength import (
    CROWNED_IN,
    TO_MORDOR,
    VALUED,
    Actions,
    Habit,
    anything,
    nearest_enemy,
    odds,
    strength,
)

G = Game[Board]

CONFIDENT = 1.25
"""The ratio of strengths from which on an attacker goes on."""


def likely(game: G, seat: Seat, actions: Actions, pick: Pick) -> Action:
    """What a seat is likely to do."""
    actions = _without_back(actions)
    if len(actions) == 1:
        return actions[0]
    question = game.question()
    assert question is not None
    habit = _HABITS.get(question.prompt)
    return (habit or anything)(game, seat, actions, pick)


def sensible(game: G, seat: int, actions: Actions) -> Actions:
    """Those of the actions that are worth a thought; never none."""
    question = game.question()
    assert question is not None
    actions = _without_back(actions)
    if question.prompt == "army.march":
        return worthy_marches(game, seat, actions)
    if question.prompt == "army.detach":
        return _departing(game, actions)
    if question.prompt == "choose.one" and question.shown(game, seat)["what"] in FLIGHTS:
        return _useful_flights(game.board, actions) or actions
    return actions


FLIGHTS = {"fly_to", "minion_to"}


def _without_back(actions: Actions) -> Actions:
    """What goes on with an action: nobody goes in circles. To take it back is offered last."""
    return actions[:-1] if actions[-1].verb == "back" else actions


def _departing(g: G, actions: Actions) -> Actions:
    """All go, or all but one Regular, who holds a settlement; who has begun to pick goes on."""
    if actions[0].verb != "all":
        return actions[:1] if actions[0].verb == "go" else actions
    if getattr(g.stack[-1], "part", 0):
        return [_all_but_one(actions)]
    if getattr(g.stack[-1], "area", NOWHERE) not in VALUED:
        return actions[:1]
    return [a for a in actions if a.verb == "all" or (a.verb == "leave" and a.nouns[0] < ELITE)]


def _all_but_one(actions: Actions) -> Action:
    """A Regular stays behind, if one may."""
    staying = (a for a in actions if a.verb == "leave" and a.nouns[0] < ELITE)
    return next(staying, actions[0])


def _useful_flights(b: Board, actions: Actions) -> Actions:
    """To armies, to the Fellowship, or nowhere."""
    return [
        action
        for action in actions
        if not action.nouns or action.nouns[0] == b.region or b.units_at(action.nouns[0], SHADOW)
    ]


# Habits, by prompt.


def _first(g: G, seat: int, actions: Actions, pick: Pick) -> Action:
    return actions[0]


def _detach(g: G, seat: int, actions: Actions, pick: Pick) -> Action:
    """All go, where not a part was wanted."""
    is_part = actions[0].verb == "all" and bool(getattr(g.stack[-1], "part", 0))
    return _all_but_one(actions) if is_part else actions[0]


def _casualties(g: G, seat: int, actions: Actions, pick: Pick) -> Action:
    return actions[0]  # the usual way


def _combat_card(g: G, seat: int, actions: Actions, pick: Pick) -> Action:
    """None as often as one."""
    return actions[0] if pick(2) else actions[pick(len(actions))]


def _recruit(g: G, seat: int, actions: Actions, pick: Pick) -> Action:
    """What is near the enemy, and big."""
    b = g.board
    side = b.settings.sides[seat]
    recruits = [action for action in actions if action.nouns]

    def worth(action: Action) -> float:
        figure, region = action.nouns
        size = 2.0 if ELITE <= figure < UNITS.stop else 1.0
        return size + 4.0 / (1 + nearest_enemy(b, region, side)) + VICTORY_POINTS[region]

    return _best(recruits, worth, pick)


def _best(actions: Actions, worth: Callable[[Action], float], pick: Pick) -> Action:
    """One of the better actions: the best of three drawn."""
    drawn = [actions[pick(len(actions))] for _ in range(min(3, len(actions)))]
    return max(drawn, key=worth)


# Choices of one, by what is chosen for.


def _choose(g: G, seat: int, actions: Actions, pick: Pick) -> Action:
    question = g.question()
    assert question is not None
    what = str(question.shown(g, seat).get("what"))
    habit = _CHOICES.get(what)
    return (habit or anything)(g, seat, actions, pick)


def _attack_from(g: G, seat: int, actions: Actions, pick: Pick) -> Action:
    """The army that has the best target."""
    b = g.board
    side = b.settings.sides[seat]

    def worth(action: Action) -> float:
        (area,) = action.nouns
        region = REGION_OF[area]
        near = [region, GARRISON_OF[region], *ADJACENT[region]]
        found = [at for at in near if at not in (NOWHERE, area) and b.units_at(at, 1 - side)]
        return max((_target_worth(b, area, at, side) for at in found), default=-1.0)

    return max(actions, key=worth)


def _target_worth(b: Board, source: int, target: int, side: int) -> float:
    return odds(b, source, target, side) * (1 + VICTORY_POINTS[REGION_OF[target]])


def _attack_whom(g: G, seat: int, actions: Actions, pick: Pick) -> Action:
    """The weakest, where points are to be had."""
    b = g.board
    enemy = 1 - b.settings.sides[seat]

    def worth(action: Action) -> float:
        area = action.nouns[0]
        return 3.0 * VICTORY_POINTS[REGION_OF[area]] - strength(b, area, enemy)

    return max(actions, key=worth)


def _by_odds(factor: float = CONFIDENT) -> Habit:
    """The last answer if the attacker is strong enough, otherwise the first."""

    def habit(g: G, seat: int, actions: Actions, pick: Pick) -> Action:
        b = g.board
        fight = b.battle
        ratio = odds(b, fight.source, fight.target, fight.attacker)
        return actions[-1] if ratio >= factor else actions[0]

    return habit


def _retreat(g: G, seat: int, actions: Actions, pick: Pick) -> Action:
    """Only before much greater strength, and never out of walls; where a card drives, anywhere."""
    b = g.board
    fight = b.fight
    if fight is None:
        return anything(g, seat, actions, pick)
    far_stronger = odds(b, fight.source, fight.target, fight.attacker) > 3
    inside = VICTORY_POINTS[fight.region] and b.control[fight.region] == fight.defender
    return actions[-1] if far_stronger and not inside else actions[0]


def _hunt_response(g: G, seat: int, actions: Actions, pick: Pick) -> Action:
    """Corruption at first; later on somebody else pays, if he can."""
    return actions[0] if g.board.corruption <= 4 else actions[-1]


def _toward_mordor(g: G, seat: int, actions: Actions, pick: Pick) -> Action:
    ends = [action for action in actions if action.nouns]
    best = min(TO_MORDOR[action.nouns[0]] for action in ends)
    return anything(g, seat, [a for a in ends if TO_MORDOR[a.nouns[0]] == best], pick)


def _toward_crown(g: G, seat: int, actions: Actions, pick: Pick) -> Action:
    """To where Aragorn may be crowned, which is also where many are needed."""
    b = g.board
    ends = [action for action in actions if action.nouns] or list(actions)

    def nearness(action: Action) -> float:
        row = DISTANCE[action.nouns[0]] if action.nouns else ()
        return -min((row[r] for r in CROWNED_IN if row and b.is_unconquered(r)), default=20)

    best = max(map(nearness, ends))
    return anything(g, seat, [a for a in ends if nearness(a) == best], pick)


def _fly_from(g: G, seat: int, actions: Actions, pick: Pick) -> Action:
    """One flight or two, not all there could be."""
    return actions[0] if not actions[0].nouns and pick(3) else actions[pick(len(actions))]


def _fly_to(g: G, seat: int, actions: Actions, pick: Pick) -> Action:
    """To the Fellowship, or to an army that fights."""
    b = g.board
    hunted = [a for a in actions if a.nouns[0] == b.region and not b.in_mordor]
    if hunted and not pick(2):
        return hunted[0]
    armies = [a for a in actions if b.units_at(a.nouns[0], SHADOW)]
    return max(armies, key=lambda a: b.units_at(a.nouns[0], SHADOW)) if armies else actions[0]


def _last(g: G, seat: int, actions: Actions, pick: Pick) -> Action:
    return actions[-1]


_CHOICES: Mapping[str, Habit] = {
    "march_from": march_from,
    "march_to": march_to,
    "march_on": march_to,
    "attack_from": _attack_from,
    "attack_whom": _attack_whom,
    "withdraw": _by_odds(),
    "go_on": _by_odds(),
    "extend": _by_odds(2.0),
    "retreat": _retreat,
    "advance": _last,
    "hunt_response": _hunt_response,
    "reveal_to": _toward_mordor,
    "declare": _first,
    "enter_mordor": _last,
    "companions_to": _toward_crown,
    "separate_to": _toward_crown,
    "meriadoc_to": _toward_crown,
    "peregrin_to": _toward_crown,
    "fly_from": _fly_from,
    "fly_number": _last,
    "fly_to": _fly_to,
    "gandalf_draw": _last,
    "sorcerer": _last,
    "white_rider": _first,
    "hunt_rerolls": _first,
}
_HABITS: Mapping[str, Habit] = {
    "choose.one": _choose,
    "army.detach": _detach,
    "army.march": march,
    "battle.casualties": _casualties,
    "battle.combat_card": _combat_card,
    "muster.recruit": _recruit,
}
