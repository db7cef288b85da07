"""Which answers in Risk are worth a thought: the others are never much better than one of these.

Whoever fights throws all the dice he may, whoever defends too; battalions are placed where they may
fight, a few armies and a few targets are thought of, and of numbers none, half or all.

What has been begun is not taken back, and an invasion that is worth it is begun and not stopped: so
nobody who keeps to this goes in circles.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from services.core.decisions import Action
from services.core.frames import Game
from services.risk.board import Board
from services.risk.tables import MOMENTS, NEAR, set_value
from workers.bots.contract import onward
from workers.bots.habits.risk import EAGER, as_planned, likely, played, promise_of, urgency
from workers.bots.habits.risk.invasions import hostile

G = Game[Board]
Actions = Sequence[Action]
PLACES, PAIRS, MARCHES, GOALS = 8, 6, 3, 1
PROMISING = 0.0
"""An invasion that promises more is thought of."""
AHEAD = 6
"""The number of battalions of the setup that are placed at a time."""
_WANTED = (MOMENTS.index("fellowship"), MOMENTS.index("attacked"))
FAVOURITE = 0.4
"""How likely what habit would do is to be the best."""


def sensible(game: G, seat: int, actions: Actions) -> Actions:
    """Those of the actions that a search should weigh; at least one, and often all."""
    question = game.question()
    assert question is not None
    actions = onward(actions)
    few = _CANDIDATES.get(question.prompt)
    return (few(game, seat, actions) or actions) if few else actions


def priors(game: G, seat: int, actions: Actions) -> Sequence[float]:
    """What habit would do is likelier than the rest."""
    favourite = likely(game, seat, actions, _first)
    share = (1 - FAVOURITE) / len(actions)
    return [share + FAVOURITE * (action == favourite) for action in actions]


def _first(choices: int) -> int:
    return 0


def _best(actions: Actions, worth: Callable[[Action], float], number: int) -> list[Action]:
    return sorted(actions, key=worth, reverse=True)[:number]


def orders(actions: Actions, kinds: int) -> Actions:
    """What a careful seat says first, whatever it holds: when it wants to be asked for cards.

    When the Ring moves all are asked at once, for nine cards; so of one kind only that is wanted.
    When it is attacked others wait for it some forty times a game, for three.
    """
    wanted = _WANTED[:kinds]
    return [action for action in actions if action.verb == "ask" and action.nouns[0] in wanted]


def _cards(g: G, seat: int, actions: Actions) -> Actions:
    """Cards that may be played are played: each scores."""
    return played(actions)[:1]


def _window(g: G, seat: int, actions: Actions) -> Actions:
    return [action for action in actions if action.verb in ("pass", "play")]


def _place(g: G, seat: int, actions: Actions) -> Actions:
    if cards := played(actions):
        return cards[:1]
    sets = [action for action in actions if action.verb == "turn_in"]
    best_set = sorted(sets, key=lambda a: -set_value(a.nouns))[:1]
    placing = [action for action in actions if action.verb == "place"]
    if not placing:
        return [*best_set, *[action for action in actions if action.verb == "confirm"]]
    b, foes = as_planned(g), hostile(g.board, seat)
    most = max(action.nouns[1] for action in placing)
    whole = [action for action in placing if action.nouns[1] == most]
    fronts = [action for action in whole if NEAR[action.nouns[0]] & foes]
    best = _best(fronts or whole, lambda a: urgency(b, seat, a.nouns[0], most, foes), PLACES)
    lands = {action.nouns[0] for action in best[: PLACES // 2]}
    some = [a for a in placing if a.nouns[0] in lands and a.nouns[1] in (3, 5) and most > 5]
    into = [a for a in actions if a.verb == "into" and a.nouns[0] in lands and most > 5]
    return [*best_set, *best, *some, *into]


def _by_turns(g: G, seat: int, actions: Actions) -> Actions:
    """A few battalions go to one place, and only then is it thought of another."""
    most = max(action.nouns[1] for action in actions)
    return [action for action in actions if action.nouns[1] == min(AHEAD, most)]


def _invade(g: G, seat: int, actions: Actions) -> Actions:
    """What promises most, to the end; where that is not offered, as an invasion.

    Cards that fit what is worth it anyway are played, since each scores: as many as go together.
    """
    b = g.board
    named = [action for action in actions if action.verb in ("invade", "assault")]
    carded = [action for action in named if len(action.nouns) > 2]
    found = _promising(b, seat, carded, EAGER)
    if found:
        most = max(len(action.nouns) for action in found)
        found = [action for action in found if len(action.nouns) == most]
    else:
        found = _promising(b, seat, named[: len(named) - len(carded)], PROMISING)
    to_the_end = [action for action in found if action.verb == "assault"] or found
    below = [action for action in actions if action.verb == "below"][:2]
    best = _best(to_the_end, lambda a: promise_of(b, seat, *a.nouns[:2]), PAIRS)
    return [actions[0], *best, *below]


def _promising(b: Board, seat: int, actions: Actions, least: float) -> Actions:
    return [action for action in actions if promise_of(b, seat, *action.nouns[:2]) > least]


def _battle(g: G, seat: int, actions: Actions) -> Actions:
    """One battle with all dice, or on to the end, or until half are left; or stop."""
    b, question = g.board, _top(g)
    fights = [action for action in actions if action.verb == "fight"]
    presses = [action for action in actions if action.verb == "press"]
    half = presses[len(presses) // 2 : len(presses) // 2 + 1] if len(presses) > 2 else []
    hopeless = promise_of(b, seat, question.source, question.target) <= 0
    stop = [action for action in actions if action.verb == "stop" and hopeless]
    return [*stop, *fights[-1:], *presses[:1], *half] if fights else actions


def _defence(g: G, seat: int, actions: Actions) -> Actions:
    return [action for action in actions if action.verb == "hold"]


def _number(g: G, seat: int, actions: Actions) -> Actions:
    middle = actions[len(actions) // 2]
    return list(dict.fromkeys((actions[0], middle, actions[-1])))


def _march(g: G, seat: int, actions: Actions) -> Actions:
    """From the largest armies, each to the largest at borders; or it is said from where."""
    b, foes, found = g.board, hostile(g.board, seat), list[Action]()
    if cards := played(actions):
        return cards[:1]
    moving = [action for action in actions if action.nouns]
    starts = {action.nouns[0] for action in moving}
    for start in sorted(starts, key=lambda land: -b.army[land])[:MARCHES]:
        some = [action for action in moving if action.nouns[0] == start]
        borders = [a for a in some if len(a.nouns) == 1 or NEAR[a.nouns[1]] & foes]
        found += _best(borders, lambda a: b.army[a.nouns[-1]], GOALS)
    return [*[action for action in actions if action.verb == "stay"], *found]


def _top(g: G) -> Any:
    return g.stack[-1]


_CANDIDATES: Mapping[str, Callable[[G, int, Actions], Actions]] = {
    "setup.place": _by_turns,
    "reinforce.place": _place,
    "reinforce.set": _cards,
    "window.play": _window,
    "combat.invade": _invade,
    "combat.battle": _battle,
    "combat.defence": _defence,
    "conquest.follow": _number,
    "fortify.march": _march,
    "fortify.count": _number,
}
