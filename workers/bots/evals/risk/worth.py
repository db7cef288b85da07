"""What a position of Risk is worth as it stands: points, battalions, regions, cards.

Order of reading: the whole, what a seat has, what an invasion promises, moves being made. A
point of the final score is worth about one at the beginning of the march, and more towards its end,
when battalions are worth less and less.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from services.core.decisions import Seat
from services.core.frames import Game
from services.risk.board import Board
from services.risk.tables import (
    BONUS,
    MISSION_LAND,
    MISSIONS,
    NEAR,
    NEUTRAL,
    POINTS,
    REGION_LANDS,
    bits,
)
from workers.bots.habits.risk import as_planned
from workers.bots.habits.risk.campaign import assault, under_way
from workers.bots.habits.risk.invasions import (
    CARD,
    ELIMINATION,
    LEADER,
    MOST,
    PART_OF_REGION,
    SITE,
    WHOLE_REGION,
    battalion,
    hostile,
    invasion,
    late,
    odds,
)

WON = 1000.0
FRIEND = 0.7
"""What an ally has, as a part of what a seat has itself."""
AVERAGE_FOE, STRONGEST_FOE = 0.6, 0.4
SERVED = 0.02
"""What each step of the Ring's march is worth to whoever leads, for each point of his lead."""

STRONGHOLD = 2  # more than another territory, in points
CARD_FADES = 0.7
ADVENTURE = 0.8
MISSION, MISSION_NEAR = 0.35, 0.7
GUARDED, FRONT = 0.8, 0.35
LED = 0.05  # for each battalion that a Leader may lead
IDLE = 0.6  # the part that a battalion loses of its worth inland
TO_PLACE = 1.2
RELUCTANCE = 0.6
"""What an invasion must promise to be begun; so what was stopped is not begun again."""

# The whole.


def value_of(game: Game[Board], seat: Seat) -> float:
    """What the position is worth to a seat."""
    b = as_planned(game)
    if b.placing:
        return WON * (2 * b.placing[seat] - max(b.placing))
    return _balance(b, seat) + _under_way(game, seat)


def _worths(b: Board, seat: Seat) -> list[float]:
    """What each seat has; of its own chances to attack, a seat alone thinks."""
    worths = [_worth(b, other) if b.is_in(other) else -ELIMINATION for other in b.seats]
    if b.is_in(seat):
        worths[seat] += _hopes(b, seat)
    return worths


def _balance(b: Board, seat: Seat, worths: list[float] | None = None) -> float:
    """What a seat has beside what its enemies have, and whom the Ring's march serves."""
    worths = worths or _worths(b, seat)
    friends = [s for s in b.seats if s == seat or b.settings.are_allies(s, seat)]
    foes = [worths[s] for s in b.seats if s not in friends]
    ours = worths[seat] + sum(FRIEND * worths[s] for s in friends if s != seat)
    lead = ours - max(foes)
    against = AVERAGE_FOE * sum(foes) / len(foes) + STRONGEST_FOE * max(foes)
    ring = (SERVED if lead > 0 else -SERVED) * b.ring * min(10.0, abs(lead))
    return ours - against + ring


# What a seat has.


def _worth(b: Board, seat: int) -> float:
    side, held, nearing = b.settings.sides[seat], b.held[seat], late(b)
    points = held.bit_count() + STRONGHOLD * (held & b.settings.strongholds).bit_count()
    cards = sum(POINTS[card][side] for card in bits(b.played[seat]))
    worth = (1 + nearing) * (points + cards) + _regions(b, seat)
    worth += battalion(b) * b.battalions_of(seat) + battalion(b) * b.reserve[seat]
    worth += LEADER * b.leader_lands(seat).bit_count()
    card = CARD * (1 - CARD_FADES * nearing)
    worth += card * b.territory_cards[seat].bit_count() + _hand(b, seat)
    if b.turn == seat and b.number:
        worth += card * b.conquered + SITE * b.sited
    return worth + _front(b, seat)


def _regions(b: Board, seat: int) -> float:
    held, worth, nearing = b.held[seat], 0.0, late(b)
    for lands, bonus in zip(REGION_LANDS, BONUS, strict=True):
        share = (held & lands).bit_count() / lands.bit_count()
        worth += bonus * (WHOLE_REGION + nearing if share == 1 else PART_OF_REGION * share * share)
    return worth


def _hand(b: Board, seat: int) -> float:
    """Cards to be played: a mission is worth more with a Leader beside its place."""
    worth = ADVENTURE * (b.hands[seat] & ~MISSIONS).bit_count()
    near = 0
    for land in bits(b.leader_lands(seat)):
        near |= NEAR[land]
    for card in bits(b.hands[seat] & MISSIONS):
        close = near >> MISSION_LAND[card] & 1
        worth += POINTS[card][b.settings.sides[seat]] * (MISSION_NEAR if close else MISSION)
    return worth


def _front(b: Board, seat: int) -> float:
    """Borders that are guarded, Leaders among many, and battalions that are of no use inland."""
    held, enemies, army, worth = b.held[seat], hostile(b, seat), b.army, 0.0
    armed, idle = enemies & ~b.held[NEUTRAL], IDLE * battalion(b)
    for land in bits(held):
        near, here = NEAR[land], army[land]
        if not near & enemies:
            worth -= idle * (here - 1)
            continue
        threat = max([army[other] for other in bits(near & armed)], default=here)
        if threat > 1:
            worth += GUARDED * min(1.0, here / threat)
        if b.led >> land & 1:
            worth += LED * min(here, 12)
    return worth


def _hopes(b: Board, seat: int) -> float:
    """What a seat could do next, where it is strongest."""
    return FRONT * sum(sorted(_chances(b, seat), reverse=True)[:3])


def _chances(b: Board, seat: int) -> Iterator[float]:
    """What each of a seat's strong territories could take."""
    enemies = hostile(b, seat)
    for land in bits(b.held[seat]):
        if b.army[land] > 2 and NEAR[land] & enemies:
            yield max(0.0, *[invasion(b, seat, land, near) for near in bits(NEAR[land] & enemies)])


# What an invasion promises.


def _promise(b: Board, seat: int, source: int, target: int) -> float:
    """How much better the position becomes on average by fighting to the end."""
    more_theirs = (b.led >> target & 1) + (b.settings.strongholds >> target & 1)
    attack, defence = min(b.army[source] - 1, MOST), min(b.army[target], MOST)
    won, left = odds(attack, defence, b.led >> source & 1, more_theirs)
    worths, loser = _worths(b, seat), b.owner[target]
    promise = -_balance(b, seat, worths)
    for chance, after in (
        (won, _taken(b, seat, (source, target), left / won) if won else b),
        (1 - won, _beaten(b, source, target)),
    ):
        then = worths[:]
        then[seat] = _worth(after, seat) + _hopes(after, seat)
        if loser < NEUTRAL:
            then[loser] = _worth(after, loser) if after.held[loser] else -ELIMINATION
        promise += chance * _balance(after, seat, then)
    return promise


def _beaten(b: Board, source: int, target: int) -> Board:
    """The position after an attack has failed."""
    after = b.copy()
    after.add(source, 1 - b.army[source])
    after.add(target, -(b.army[target] // 2))
    return after


def _taken(b: Board, seat: int, ends: tuple[int, int], left: float) -> Board:
    """The position after it has been won with `left` battalions, on average."""
    source, target = ends
    after = b.copy()
    after.led &= ~(1 << target)
    after.give(target, seat, max(1, round(left)))
    after.add(source, 1 - b.army[source])
    after.conquered = 1
    if b.led >> source & 1:
        after.move_leader(source, target)
        after.sited |= b.settings.sites >> target & 1
    return after


# Moves being made: what they promise stands on the stack.


def _under_way(game: Game[Board], seat: Seat) -> float:
    question: Any = game.question()
    begun = assault(game, seat)
    if begun is not None and seat not in question.waiting(game):
        return max(0.0, _promise(game.board, seat, *begun)) - _reluctance(game)
    if question is None or seat not in question.waiting(game):
        return 0.0
    due: float = sum(getattr(frame, "battalions", 0) for frame in game.stack)
    to_place = TO_PLACE * battalion(game.board) * (due + getattr(question, "to_go", 0))
    hoped = _HOPES.get(question.prompt)
    return to_place + (hoped(game, seat, question) if hoped else 0.0)


def _reluctance(game: Game[Board]) -> float:
    """What it costs to begin an invasion that can still be taken back."""
    return 0.0 if under_way(game).bound else RELUCTANCE


def _battle(game: Game[Board], seat: Seat, question: Any) -> float:
    b, source = game.board, question.source
    if b.army[source] < 2:
        return 0.0
    return max(0.0, _promise(b, seat, source, question.target)) - _reluctance(game)


def _follow(game: Game[Board], seat: Seat, question: Any) -> float:
    conquest: Any = game.stack[-2]
    return max(0.0, _moved(game.board, seat, conquest.source, conquest.target))


def _count(game: Game[Board], seat: Seat, question: Any) -> float:
    fortify: Any = game.stack[-2]
    return _moved(game.board, seat, fortify.start, fortify.to)


def _march(game: Game[Board], seat: Seat, question: Any) -> float:
    """What the best of the moves from here would change, once it was said from where."""
    b = game.board
    if question.start not in bits(b.held[seat]):
        return 0.0
    goals = [to for to in bits(_reach(b, seat, question.start)) if NEAR[to] & hostile(b, seat)]
    return max((_moved(b, seat, question.start, to) for to in goals), default=-1.0)


_HOPES: Mapping[str, Callable[[Game[Board], Seat, Any], float]] = {
    "combat.battle": _battle,
    "conquest.follow": _follow,
    "fortify.count": _count,
    "fortify.march": _march,
}


def _reach(b: Board, seat: Seat, start: int) -> int:
    found = edge = 1 << start
    while edge:
        near = 0
        for land in bits(edge):
            near |= NEAR[land]
        edge = near & b.held[seat] & ~found
        found |= edge
    return found & ~(1 << start)


def _moved(b: Board, seat: Seat, start: int, to: int) -> float:
    """How much better the front stands after all have gone from one territory to another."""
    before = _stand(b, seat)
    moved = b.copy()
    number = b.army[start] - 1
    moved.add(start, -number)
    moved.add(to, number)
    return _stand(moved, seat) - before


def _stand(b: Board, seat: int) -> float:
    return _front(b, seat) + _hopes(b, seat)
