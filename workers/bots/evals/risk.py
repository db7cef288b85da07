"""What a position of Risk is worth: points, battalions where they matter, regions, cards, the Ring.

Order of reading: the whole, what a seat has, what an invasion promises, moves being made. A
point of the final score is worth about one at the beginning of the march, and more towards its end,
when battalions are worth less and less.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from math import tanh
from typing import Any

from services.core.decisions import CHANCE, Seat
from services.core.frames import Game
from services.risk.board import Board
from services.risk.tables import (
    BONUS,
    HAS_DIE,
    MISSION_LAND,
    MISSIONS,
    MOUNT_DOOM,
    NEAR,
    NEUTRAL,
    POINTS,
    REGION_LANDS,
    bits,
)
from workers.bots.habits.risk import as_planned, likely
from workers.bots.habits.risk.campaign import assault, campaign, under_way
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
from workers.bots.habits.risk.sense import orders, priors, sensible

__all__ = ["WORLDS", "foresee", "is_settled", "likely", "orders", "priors", "sensible", "value"]

WORLDS = 2
"""Hidden cards change little of what is judged here, so few worlds tell it."""
WON = 1000.0
ADVENTURE = 0.8
GUARDED, FRONT = 0.8, 0.35
TURN_OVER = 0.3
"""What the end of a turn costs, since others go on; else a search would put it off."""
RELUCTANCE = 0.6
"""An invasion must promise so much to be begun; so what was stopped is not begun again."""

# The whole.


def value(game: Game[Board], seat: Seat) -> float:
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
    ours = worths[seat] + sum(0.7 * worths[s] for s in friends if s != seat)
    lead = ours - max(foes)
    against = 0.6 * sum(foes) / len(foes) + 0.4 * max(foes)
    ring = (0.02 if lead > 0 else -0.02) * b.ring * min(10.0, abs(lead))
    return ours - against + ring


def is_settled(game: Game[Board], seat: Seat) -> bool:
    """Whether somebody other than chance decides next, or an assault is judged by its odds."""
    question = game.question()
    if question is None or question.waiting(game) != (CHANCE,):
        return True
    return question.prompt == "dice.battle" and assault(game, seat) is not None


# What a search judges by: weights of what seats have, fitted by `bench.weigh`.

HELD = (
    "territories",
    "strongholds",
    "regions",
    "parts of regions",
    "battalions",
    "largest army",
    "Leaders",
    "territory cards",
    "adventure cards",
    "points of cards",
)


# By seats, at the beginning of the Ring's way, and what its end adds: log odds, for each one more.
WEIGHTS: Mapping[int, Sequence[tuple[float, float]]] = {
    2: (
        (0.069, -0.036),
        (0.425, -0.402),
        (-0.030, 0.115),
        (-0.207, 0.127),
        (0.084, 0.048),
        (0.022, 0.066),
        (0.158, 0.181),
        (0.309, 0.154),
        (0.279, 0.016),
        (-0.033, 0.115),
    ),
    3: (
        (-0.005, 0.153),
        (0.081, 0.025),
        (0.046, -0.102),
        (-0.015, -0.042),
        (0.058, -0.082),
        (0.067, 0.022),
        (0.116, -0.060),
        (0.206, -0.054),
        (0.102, 0.046),
        (0.049, 0.060),
    ),
    4: (
        (0.012, 0.102),
        (0.049, 0.079),
        (0.044, -0.093),
        (-0.034, -0.017),
        (0.049, -0.031),
        (0.106, -0.065),
        (0.003, 0.120),
        (0.472, -0.338),
        (0.045, -0.012),
        (0.068, 0.040),
    ),
}


def foresee(game: Game[Board], seat: Seat) -> float:
    """How a seat will likely stand when the turn is over, as log odds to win."""
    return foreseen(game, seat, standing)


def foreseen(game: Game[Board], seat: Seat, stands: Callable[[Board, int], float]) -> float:
    """The same, by any measure of how a seat stands."""
    b = game.board
    if b.placing or not b.number:
        return value(game, seat)
    planned = campaign(game, seat, stands)
    if planned is None:
        return stands(b, seat) - TURN_OVER * (b.turn == seat)
    return planned - TURN_OVER


def standing(b: Board, seat: int) -> float:
    """How likely a seat is to win as things stand, as log odds."""
    return weighed(b, seat, WEIGHTS[len(b.territory_cards)], POINT)


def weighed(b: Board, seat: int, weights: Sequence[tuple[float, float]], point: float) -> float:
    """The same by these weights of what it has, and of a point when it ends.

    If the game ends before the seat's next turn, points are all that counts.
    """
    nearing, last = late(b), ends_within(b.ring, sum(map(b.is_in, b.seats)))
    counts = [
        (1 - last) * (first + more * nearing) + last * point * scored
        for (first, more), scored in zip(weights, SCORED, strict=True)
    ]
    side, foes = both_sides(b, seat)
    ours = sum([_mark(counts, one) for one in side]) / len(side)
    ahead = [ours - _mark(counts, one) for one in foes]
    return ahead[0] if len(foes) == 1 else sum([SURE * tanh(by / SURE) for by in ahead]) / len(foes)


def _mark(counts: Sequence[float], held: Sequence[float]) -> float:
    return sum([count * each for count, each in zip(counts, held, strict=True)])


@cache
def ends_within(ring: int, moves: int) -> float:
    """How likely the Ring is destroyed by so many moves of the Fellowship, cards aside."""
    if not moves:
        return 0.0
    stays = ends_within(ring, moves - 1)
    if ring == MOUNT_DOOM:
        return EVEN_ROLL + (1 - EVEN_ROLL) * stays
    then = ends_within(ring + 1, moves - 1)
    if ring + 1 == MOUNT_DOOM:  # it is tried at once
        then = EVEN_ROLL + (1 - EVEN_ROLL) * then
    leaves = EVEN_ROLL if HAS_DIE[ring] else 1.0
    return leaves * then + (1 - leaves) * stays


NOTHING = (0.0,) * len(HELD)
SCORED = (1, 2, 1, 0, 0, 0, 0, 0, 0, 1)
"""How many points each is at the end, in the order of `HELD`."""
SURE = 2.0
"""Who is so far ahead of one of several others gains little by more, or loses little if behind.

Places count, not margins: else the strongest would crush the weakest, whom he beats anyway."""
POINT = 0.25
"""The log odds of a point more, when it ends."""
EVEN_ROLL = 0.5
"""The Fellowship leaves a region, and destroys the Ring, with four or more."""


def holdings(b: Board, seat: int) -> Sequence[float]:
    """What a seat has, in the order of `HELD`."""
    held, whole, parts = b.held[seat], 0.0, 0.0
    for lands, bonus in zip(REGION_LANDS, BONUS, strict=True):
        mine = held & lands
        if mine == lands:
            whole += bonus
        elif mine:
            part = mine.bit_count() / lands.bit_count()
            parts += bonus * part * part
    armies = [b.army[land] for land in bits(held)]
    side = b.settings.sides[seat]
    return (
        held.bit_count(),
        (held & b.settings.strongholds).bit_count(),
        whole,
        parts,
        sum(armies),
        min(max(armies), MOST),
        (b.led & held).bit_count(),
        b.territory_cards[seat].bit_count() + (b.conquered and b.turn == seat),
        b.hands[seat].bit_count(),
        sum([POINTS[card][side] for card in bits(b.played[seat])]),
    )


def both_sides(b: Board, seat: int) -> tuple[list[Sequence[float]], list[Sequence[float]]]:
    """What each seat of a side has, and each of its enemies; partners count together."""
    side: list[Sequence[float]] = []
    foes: list[Sequence[float]] = []
    for other in b.seats:
        is_friend = other == seat or b.settings.are_allies(other, seat)
        (side if is_friend else foes).append(holdings(b, other) if b.held[other] else NOTHING)
    return side, foes


def lead(b: Board, seat: int) -> list[float]:
    """What a seat has of each beyond the average of its enemies; by this weights are fitted."""
    side, foes = both_sides(b, seat)
    return [
        sum(ours) / len(side) - sum(theirs) / len(foes)
        for ours, theirs in zip(zip(*side, strict=True), zip(*foes, strict=True), strict=True)
    ]


# What a seat has.


def _worth(b: Board, seat: int) -> float:
    side, held, nearing = b.settings.sides[seat], b.held[seat], late(b)
    points = held.bit_count() + 2 * (held & b.settings.strongholds).bit_count()
    cards = sum(POINTS[card][side] for card in bits(b.played[seat]))
    worth = (1 + nearing) * (points + cards) + _regions(b, seat)
    worth += battalion(b) * b.battalions_of(seat) + battalion(b) * b.reserve[seat]
    worth += LEADER * b.leader_lands(seat).bit_count()
    worth += CARD * (1 - 0.7 * nearing) * b.territory_cards[seat].bit_count() + _hand(b, seat)
    if b.turn == seat and b.number:
        worth += CARD * (1 - 0.7 * nearing) * b.conquered + SITE * b.sited
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
        worth += POINTS[card][b.settings.sides[seat]] * (0.7 if close else 0.35)
    return worth


def _front(b: Board, seat: int) -> float:
    """Borders that are guarded, Leaders among many, and battalions that are of no use inland."""
    held, enemies, army, worth = b.held[seat], hostile(b, seat), b.army, 0.0
    armed, idle = enemies & ~b.held[NEUTRAL], 0.6 * battalion(b)
    for land in bits(held):
        near, here = NEAR[land], army[land]
        if not near & enemies:
            worth -= idle * (here - 1)
            continue
        threat = max([army[other] for other in bits(near & armed)], default=here)
        if threat > 1:
            worth += GUARDED * min(1.0, here / threat)
        if b.led >> land & 1:
            worth += 0.05 * min(here, 12)
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
    """The position after it has been won with so many battalions left."""
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
    to_place = 1.2 * battalion(game.board) * (due + getattr(question, "to_go", 0))
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
