"""Where armies usually march, and which marches are worth a thought."""

from __future__ import annotations

from collections.abc import Sequence

from services.core.decisions import Action, Pick
from services.core.frames import Game
from services.warofthering.board import Board
from services.warofthering.tables import (
    DISTANCE,
    FIELD_LIMIT,
    FREE,
    NOWHERE,
    ON_MAP,
    REGION_OF,
    SHADOW,
)
from workers.bots.habits.warofthering.strength import VALUED, Actions, anything, prizes

G = Game[Board]

MARCHERS = 2
"""The armies of which every march is thought of; of the others only the likeliest is."""


def worthy_marches(g: G, seat: int, actions: Actions) -> Actions:
    """The likeliest march of each army, and all of those that have most to gain."""
    goals = _goals(g.board, g.board.settings.sides[seat])
    marches = _by_area(actions)
    first = sorted(marches, key=lambda area: -_gain(g, seat, area, goals))[:MARCHERS]
    likely = {_nearest(g, seat, area, ends, goals)[0] for area, ends in marches.items()}
    return [a for a in actions if not a.nouns or a in likely or _is_for(a, first)]


def _is_for(action: Action, areas: Sequence[int]) -> bool:
    """Whether this is for one of the armies; a part goes only where something is to be held."""
    return action.nouns[0] in areas and (action.verb == "march" or action.nouns[0] in VALUED)


def _by_area(actions: Actions) -> dict[int, list[Action]]:
    """The marches of whole armies, by where they begin."""
    found: dict[int, list[Action]] = {}
    for action in actions:
        if action.verb == "march":
            found.setdefault(action.nouns[0], []).append(action)
    return found


def _goals(b: Board, side: int) -> list[int]:
    """Where armies go: the Shadow to conquer, the Free Peoples home or where nobody keeps watch."""
    if side == SHADOW:
        return prizes(b, side)
    held = b.control
    return [r for r in VALUED if held[r] == FREE or not b.has_army_in(r, SHADOW)]


def march_from(g: G, seat: int, actions: Actions, pick: Pick) -> Action:
    """The army that has most to gain: a large one, not far from its goal and not yet there."""
    goals = _goals(g.board, g.board.settings.sides[seat])
    return max(actions, key=lambda a: _gain(g, seat, a.nouns[0], goals) if a.nouns else 0.0)


def _gain(g: G, seat: int, area: int, goals: Sequence[int]) -> float:
    """How much an army has to gain by a march; 0 is as good as staying."""
    b = g.board
    side = b.settings.sides[seat]
    row = DISTANCE[REGION_OF[area]]
    steps, goal = min(((row[goal], goal) for goal in goals), default=(0, 0))
    is_open = steps == 1 and not b.has_army_in(goal, 1 - side)
    worth = ARRIVES if is_open else WORTH_GOING[min(steps, len(WORTH_GOING) - 1)]
    return b.units_at(area, side) * worth


def march(g: G, seat: int, actions: Actions, pick: Pick) -> Action:
    """The army that has most to gain goes, all of it, towards its goal."""
    goals = _goals(g.board, g.board.settings.sides[seat])
    marches = _by_area(actions)
    gains = {area: _gain(g, seat, area, goals) for area in marches}
    area = max(gains, key=lambda area: gains[area])
    if not actions[0].nouns and gains[area] <= 0:
        return actions[0]
    return anything(g, seat, _nearest(g, seat, area, marches[area], goals), pick)


ARRIVES = 1.2
WORTH_GOING = (-1.0, -0.5, 1.0, 0.8, 0.6, 0.45, 0.3, 0.2)
"""By steps to its goal, whether an army does well to go on."""


def march_to(g: G, seat: int, actions: Actions, pick: Pick) -> Action:
    """Towards the nearest goal, and to friends on the way if all of them find room."""
    goals = _goals(g.board, g.board.settings.sides[seat])
    source = getattr(g.stack[-2], "area", NOWHERE) if len(g.stack) > 1 else NOWHERE
    ends = [action for action in actions if action.nouns]
    return anything(g, seat, _nearest(g, seat, source, ends, goals), pick)


def _nearest(g: G, seat: int, source: int, ends: Actions, goals: Sequence[int]) -> Actions:
    """Those of the ways of an army that lead nearest to a goal; the region is named last."""
    b = g.board
    side = b.settings.sides[seat]
    units = b.units_at(source, side) if source in ON_MAP else 0

    def nearness(action: Action) -> float:
        to = action.nouns[-1]
        steps = min((DISTANCE[to][goal] for goal in goals), default=0)
        there = b.units_at(to, side)
        return 0.05 * there - steps - 2.0 * max(units + there - FIELD_LIMIT, 0)

    found = [nearness(action) for action in ends]
    best = max(found)
    return [action for action, near in zip(ends, found, strict=True) if near == best]
