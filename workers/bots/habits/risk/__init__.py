"""What people usually do next in Risk: reinforce where it leads on, invade where the odds are good.

Everybody fights to the end what he has begun while the odds are with him, follows towards the
enemy, and brings idle battalions to a border. What is not covered here is any answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from services.core.decisions import Action, Pick, Seat
from services.core.frames import Game
from services.risk.board import Board
from services.risk.tables import NEAR, NEUTRAL, bits, set_value
from workers.bots.habits.risk.invasions import hostile, invasion

G = Game[Board]
Actions = Sequence[Action]
Habit = Callable[[G, int, Actions, Pick], Action]

GUARDED = 0.8
EAGER = 0.3
"""The promise from which on an invasion is begun."""
PLAYS = 3
"""The number of chances to play a card of which all but one are taken."""


def likely(game: G, seat: Seat, actions: Actions, pick: Pick) -> Action:
    """What a seat is likely to do."""
    if len(actions) == 1:
        return actions[0]
    question = game.question()
    assert question is not None
    return _HABITS.get(question.prompt, _any)(game, seat, actions, pick)


def _any(g: G, seat: int, actions: Actions, pick: Pick) -> Action:
    return actions[pick(len(actions))]


def _all(g: G, seat: int, actions: Actions, pick: Pick) -> Action:
    """The last is the most."""
    return actions[-1]


# Reinforcing.


def urgency(b: Board, seat: int, land: int, battalions: int, enemies: int) -> float:
    """What `battalions` more are good for in a territory."""
    beside = NEAR[land] & enemies
    if not beside:
        return -1.0
    attack = max(invasion(b, seat, land, near, battalions) for near in bits(beside))
    if b.army[land] > 1:
        attack -= max(0.0, *[invasion(b, seat, land, near) for near in bits(beside)])
    threat = max([b.army[near] for near in bits(beside & ~b.held[NEUTRAL])], default=0)
    if threat < 2:
        return attack
    before, after = b.army[land] / threat, (b.army[land] + battalions) / threat
    return attack + GUARDED * (min(1.0, after) - min(1.0, before))


def as_planned(g: G) -> Board:
    """The board as it will be when what is being placed stands."""
    placed: Sequence[int] = getattr(g.question(), "planned", ())
    if not placed:
        return g.board
    after = g.board.copy()
    for land, battalions in zip(placed[::2], placed[1::2], strict=True):
        after.add(land, battalions)
    return after


def _place(g: G, seat: int, actions: Actions, pick: Pick) -> Action:
    """Cards are played, the best set is turned in; all that are left go where they are needed."""
    cards = played(actions)
    if cards:
        return cards[0]
    sets = [action for action in actions if action.verb == "turn_in"]
    if sets:
        return _turn_in(g, seat, sets, pick)
    if actions[0].verb == "confirm":
        return actions[0]
    placing = [action for action in actions if action.verb == "place"]
    most = max(action.nouns[1] for action in placing)
    b, enemies = as_planned(g), hostile(g.board, seat)
    whole = [action for action in placing if action.nouns[1] == most]
    return max(whole, key=lambda a: urgency(b, seat, a.nouns[0], most, enemies))


def _turn_in(g: G, seat: int, actions: Actions, pick: Pick) -> Action:
    cards = played(actions)
    return cards[0] if cards else max(actions, key=lambda a: set_value(a.nouns))


def played(actions: Actions) -> list[Action]:
    """The cards among what may be done: each scores, so all are played as soon as they may be."""
    return [action for action in actions if action.verb == "play"]


def _batch(g: G, seat: int, actions: Actions, pick: Pick) -> Action:
    onward = [action for action in actions if action.verb != "back"]
    return onward[pick(len(onward))]


# Combat.


def promise_of(b: Board, seat: int, source: int, target: int) -> float:
    """What an invasion promises that is begun with more than one battle in mind."""
    if b.army[source] < 3 or b.army[source] <= b.army[target]:
        return -1.0
    return invasion(b, seat, source, target)


def _invade(g: G, seat: int, actions: Actions, pick: Pick) -> Action:
    """What promises most, to the end and with all cards that fit; nothing, if it is little."""
    b, best, most = g.board, actions[0], (0, EAGER, True)
    for action in actions[1:]:
        if action.verb in ("invade", "assault"):
            source, target, *cards = action.nouns
            promised = promise_of(b, seat, source, target)
            worth = (len(cards), promised, action.verb == "assault")
            if promised > EAGER and worth > most:
                best, most = action, worth
    return best


def _battle(g: G, seat: int, actions: Actions, pick: Pick) -> Action:
    """On to the end while the odds are good; never from elsewhere."""
    question, b = g.stack[-1], g.board
    source, target = getattr(question, "source", 0), getattr(question, "target", 0)
    if b.army[source] - 1 <= 0 or invasion(b, seat, source, target) < 0:
        return actions[0]
    wanted = ("press", (1,)) if b.army[source] > 2 else ("fight", (1,))
    return next((a for a in actions if (a.verb, a.nouns) == wanted), actions[0])


def _follow(g: G, seat: int, actions: Actions, pick: Pick) -> Action:
    """Everyone, unless only the old place borders on enemies."""
    conquest, enemies = g.stack[-2], hostile(g.board, seat)
    source, target = getattr(conquest, "source", 0), getattr(conquest, "target", 0)
    if NEAR[source] & enemies and not NEAR[target] & enemies:
        return actions[0]
    return actions[-1]


# Moving, and cards.


def _march(g: G, seat: int, actions: Actions, pick: Pick) -> Action:
    """Those that are of no use where they are go to the largest army at a border."""
    b, enemies = g.board, hostile(g.board, seat)
    cards = played(actions)
    if cards:
        return cards[0]
    idle = [a for a in actions if a.nouns and not NEAR[a.nouns[0]] & enemies]
    most = max([b.army[a.nouns[0]] for a in idle], default=0)
    if most < 3:
        return actions[0]
    best = [a for a in idle if b.army[a.nouns[0]] == most]
    borders = [a for a in best if len(a.nouns) > 1 and NEAR[a.nouns[1]] & enemies]
    return max(borders, key=lambda a: b.army[a.nouns[1]], default=best[-1])


def _window(g: G, seat: int, actions: Actions, pick: Pick) -> Action:
    plays = played(actions)
    return plays[pick(len(plays))] if plays and pick(PLAYS) else actions[0]


def _lead(g: G, seat: int, actions: Actions, pick: Pick) -> Action:
    """A Leader goes to the largest army."""
    return max(actions, key=lambda a: g.board.army[a.nouns[0]] if a.nouns else 0)


_HABITS: Mapping[str, Habit] = {
    "setup.batch": _batch,
    "reinforce.place": _place,
    "mission.place": _place,
    "reinforce.set": _turn_in,
    "combat.invade": _invade,
    "combat.battle": _battle,
    "combat.defence": _all,
    "conquest.follow": _follow,
    "fortify.march": _march,
    "fortify.count": _all,
    "window.play": _window,
    "leader.replace": _lead,
    "leader.appoint": _lead,
}
