"""How the rest of a turn of Risk is likely to go, without a die being thrown.

Design. One invasion opens the way to the next, and battalions are worth what they can still take
this turn. So a position in the middle of a seat's own turn is judged by its campaign: what is yet
to be placed goes where it is needed most; then, again and again, the invasion that promises most is
won with as many left as are left on average. It is followed as far as that is worth it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from services.core.frames import Game
from services.risk.board import Board
from services.risk.tables import NEAR, NEUTRAL, bits
from workers.bots.habits.risk import as_planned, promise_of, urgency
from workers.bots.habits.risk.invasions import MOST, hostile, invasion, odds

LONGEST, UNLIKELY = 10, 0.25
"""The invasions, and the chance that all are won, beyond which no campaign is followed."""
STRONGEST = 8
"""The number of armies that are thought of."""
Standing = Callable[[Board, int], float]
"""How a seat stands on a board."""

TO_THE_END = 1
"""The battalions that are left in the source of an invasion that is fought to the end."""

PLANNED = frozenset(
    {
        "reinforce.place",
        "reinforce.set",
        "mission.place",
        "combat.invade",
        "combat.battle",
        "conquest.follow",
    }
)
"""Questions after which a seat may still invade."""


LOST = 0.15
"""What a battalion that attacks is worth, if all of them fall."""


def campaign(game: Game[Board], seat: int, stands: Standing) -> float | None:
    """What a seat can make of the rest of its turn; nothing, if it does not invade any more."""
    question: Any = game.question()
    b, assaulted = game.board, assault(game, seat)
    if question is None or b.turn != seat or not (assaulted or question.prompt in PLANNED):
        return None
    after = as_planned(game).copy()
    if assaulted is not None:
        return _after_assault(after, seat, assaulted, stands)
    _place(after, seat, getattr(question, "to_go", 0))
    return _fight(after, seat, _begun(game, question, after), stands)


def assault(game: Game[Board], seat: int) -> tuple[int, int] | None:
    """Source and target of an invasion that a seat fights to the end, while its dice are thrown."""
    invasion: Any = under_way(game)
    if invasion is None or invasion.seat != seat or invasion.limit != TO_THE_END:
        return None
    return invasion.source, invasion.target


def under_way(game: Game[Board]) -> Any:
    """The invasion that goes on: it alone has a limit, down to which it is fought."""
    return next((frame for frame in reversed(game.stack) if hasattr(frame, "limit")), None)


def _place(b: Board, seat: int, battalions: int) -> None:
    """Put what is left to be placed where it is needed most."""
    if not battalions:
        return
    foes = hostile(b, seat)
    lands = [land for land in bits(b.held[seat]) if NEAR[land] & foes]
    if lands:
        b.add(max(lands, key=lambda land: urgency(b, seat, land, battalions, foes)), battalions)


def _begun(game: Game[Board], question: Any, after: Board) -> tuple[int, int] | None:
    """Source and target of the invasion that has been begun; who may follow a conquest does."""
    if question.prompt == "conquest.follow":
        conquest: Any = game.stack[-2]
        number = after.army[conquest.source] - 1
        after.add(conquest.source, -number)
        after.add(conquest.target, number)
    if question.prompt == "combat.battle":
        return question.source, question.target
    return None


def _fight(b: Board, seat: int, begun: tuple[int, int] | None, stands: Standing) -> float:
    """Win what promises most, again and again; what the best moment to stop is worth."""
    strong = sorted((-b.army[land], land) for land in bits(b.held[seat]) if b.army[land] > 2)
    sources = [land for _, land in strong[:STRONGEST]]
    now = best = so_far = stands(b, seat)
    chance = 1.0
    for step in range(LONGEST):
        if begun is None or step:
            promise, source, target = _best(b, seat, sources)
        else:
            promise, source, target = _promised(b, seat, begun)
        if not promise or chance < UNLIKELY:
            break
        attack, (won, left) = b.army[source] - 1, _odds(b, source, target)
        _win(b, seat, (source, target), left / won)
        then = stands(b, seat)
        so_far += chance * (won * (then - now) - (1 - won) * LOST * attack)
        best, now, chance = max(best, so_far), then, chance * won
        sources.append(target)
    return best


def _after_assault(b: Board, seat: int, ends: tuple[int, int], stands: Standing) -> float:
    """Fight this one to the end, whatever it promises; then go on, if it is won."""
    source, target = ends
    attack, before = b.army[source] - 1, stands(b, seat)
    if attack < 1:
        return before
    won, left = _odds(b, source, target)
    _win(b, seat, ends, left / won)
    then = _fight(b, seat, None, stands)
    return before + won * (then - before) - (1 - won) * LOST * attack


def _best(b: Board, seat: int, sources: list[int]) -> tuple[float, int, int]:
    """The invasion that promises most."""
    army, foes, best = b.army, hostile(b, seat) & ~b.stormed, (0.0, 0, 0)
    for source in sources:
        here = army[source]
        if here < 3:
            continue
        near = b.ways(source, led=b.has_leader(source))
        for target in bits(near & foes):
            if here > army[target]:
                promise = invasion(b, seat, source, target)
                if promise > best[0]:
                    best = (promise, source, target)
    return best


def _promised(b: Board, seat: int, ends: tuple[int, int]) -> tuple[float, int, int]:
    """What this invasion promises, if it is worth going on with."""
    return max(0.0, promise_of(b, seat, *ends)), *ends


def _odds(b: Board, source: int, target: int) -> tuple[float, float]:
    more_theirs = (b.led >> target & 1) + (b.settings.strongholds >> target & 1)
    attack, defence = min(b.army[source] - 1, MOST), min(b.army[target], MOST)
    return odds(attack, defence, b.led >> source & 1, more_theirs)


def _win(b: Board, seat: int, ends: tuple[int, int], left: float) -> None:
    """A territory is taken with `left` battalions on average, which all go in."""
    source, target = ends
    spare, loser = max(0, b.army[source] - 1 - MOST), b.owner[target]
    b.led &= ~(1 << target)
    b.give(target, seat, max(1, round(left)) + spare)
    b.add(source, 1 - b.army[source])
    b.conquered = 1
    if loser < NEUTRAL and not b.held[loser]:
        b.gone = (*b.gone, loser)
    if b.led >> source & 1:
        b.move_leader(source, target)
        b.sited |= b.settings.sites >> target & 1
