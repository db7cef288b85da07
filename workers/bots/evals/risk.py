"""What a position of Risk is worth: points, battalions where they matter, regions, cards, the Ring.

Order of reading: odds, the whole, what a seat has, what an invasion promises, moves being made. A
point of the final score is worth about one at the beginning of the march, and more towards its end,
when battalions are worth less and less.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import product
from typing import Any

from services.core.decisions import CHANCE, Seat
from services.core.frames import Game
from services.risk.board import Board
from services.risk.tables import (
    BONUS,
    MISSION_AT,
    MISSION_LAND,
    MISSIONS,
    MOUNT_DOOM,
    NEAR,
    NEUTRAL,
    NOBODY,
    POINTS,
    REGION_LANDS,
    REGION_OF,
    bits,
)

WORLDS = 2
"""Hidden cards change little of what is judged here, so few worlds tell it."""
WON = 1000.0
CARD, ADVENTURE, LEADER, SITE = 1.2, 0.8, 1.5, 1.5
WHOLE_REGION, PART_OF_REGION = 1.6, 0.6
GUARDED, FRONT = 0.8, 0.35
ELIMINATION = 5.0
RELUCTANCE = 0.6
"""An invasion must promise so much to be begun; so what was stopped is not begun again."""
MOST = 30
"""Armies above this count as this many."""


# The odds of fighting to the end, by the rules of the dice alone.


@lru_cache(maxsize=256)
def _round(attack: int, defence: int, more: int, more_theirs: int) -> tuple[float, ...]:
    """How likely it is that the attacker loses 0, 1, 2 … battalions in one battle."""
    found = [0, 0, 0]
    for dice in product(range(1, 7), repeat=attack + defence):
        ours = sorted(dice[:attack], reverse=True)
        theirs = sorted(dice[attack:], reverse=True)
        ours[0] += more
        theirs[0] += more_theirs
        found[sum(a <= d for a, d in zip(ours, theirs, strict=False))] += 1
    return tuple(count / 6 ** (attack + defence) for count in found)


@lru_cache(maxsize=20_000)
def odds(attack: int, defence: int, more: int, more_theirs: int) -> tuple[float, float]:
    """How likely so many attackers are to win, and how many of them are left on average."""
    if not defence:
        return 1.0, float(attack)
    if not attack:
        return 0.0, 0.0
    dice, theirs = min(3, attack), min(2, defence)
    won = left = 0.0
    pairs = min(dice, theirs)
    for lost, chance in enumerate(_round(dice, theirs, more, more_theirs)[: pairs + 1]):
        win, rest = odds(attack - lost, defence - (pairs - lost), more, more_theirs)
        won += chance * win
        left += chance * rest
    return won, left


# The whole.


def value(game: Game[Board], seat: Seat) -> float:
    """What the position is worth to a seat."""
    b = game.board
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
    friends = [s for s in b.seats if s == seat or b.charter.are_allies(s, seat)]
    foes = [worths[s] for s in b.seats if s not in friends]
    ours = worths[seat] + sum(0.7 * worths[s] for s in friends if s != seat)
    lead = ours - max(foes)
    against = 0.5 * sum(foes) / len(foes) + 0.2 * max(foes)
    ring = (0.02 if lead > 0 else -0.02) * b.ring * min(10.0, abs(lead))
    return ours - against + ring


def is_settled(game: Game[Board], seat: Seat) -> bool:
    """Whether somebody other than chance decides next."""
    question = game.question()
    return question is None or question.waiting(game) != (CHANCE,)


# What a seat has.


def _late(b: Board) -> float:
    return b.ring / MOUNT_DOOM


def battalion(b: Board) -> float:
    """What one battalion is worth: less and less as the end comes near."""
    return 0.3 * (1.1 - _late(b))


def _worth(b: Board, seat: int) -> float:
    side, held, late = b.charter.sides[seat], b.held[seat], _late(b)
    points = held.bit_count() + 2 * (held & b.charter.strongholds).bit_count()
    cards = sum(POINTS[card][side] for card in bits(b.played[seat]))
    worth = (1 + late) * (points + cards) + _regions(b, seat)
    worth += battalion(b) * b.battalions_of(seat) + battalion(b) * b.reserve[seat]
    worth += LEADER * b.leader_lands(seat).bit_count()
    worth += CARD * (1 - 0.7 * late) * b.deeds[seat].bit_count() + _hand(b, seat)
    if b.turn == seat and b.number:
        worth += CARD * (1 - 0.7 * late) * b.conquered + SITE * b.sited
    return worth + _front(b, seat)


def _regions(b: Board, seat: int) -> float:
    held, worth, late = b.held[seat], 0.0, _late(b)
    for lands, bonus in zip(REGION_LANDS, BONUS, strict=True):
        share = (held & lands).bit_count() / lands.bit_count()
        worth += bonus * (WHOLE_REGION + late if share == 1 else PART_OF_REGION * share * share)
    return worth


def _hand(b: Board, seat: int) -> float:
    """Cards to be played: a mission is worth more with a Leader beside its place."""
    worth = ADVENTURE * (b.hands[seat] & ~MISSIONS).bit_count()
    near = 0
    for land in bits(b.leader_lands(seat)):
        near |= NEAR[land]
    for card in bits(b.hands[seat] & MISSIONS):
        close = near >> MISSION_LAND[card] & 1
        worth += POINTS[card][b.charter.sides[seat]] * (0.7 if close else 0.35)
    return worth


def _foes(b: Board, seat: int) -> int:
    ally = b.charter.ally(seat)
    friends = b.held[seat] | b.held[NOBODY]
    return ~(friends if ally is None else friends | b.held[ally])


def _front(b: Board, seat: int) -> float:
    """Borders that are guarded, Leaders among many, and battalions that are of no use inland."""
    held, foes, worth = b.held[seat], _foes(b, seat), 0.0
    for land in bits(held):
        beside = NEAR[land] & foes
        army = b.army[land]
        if not beside:
            worth -= 0.6 * battalion(b) * (army - 1)
            continue
        threat = max(b.army[near] - 1 for near in bits(beside & ~b.held[NEUTRAL]) or (land,))
        if threat > 0:
            worth += GUARDED * min(1.0, army / (threat + 1))
        if b.led >> land & 1:
            worth += 0.05 * min(army, 12)
    return worth


def _hopes(b: Board, seat: int) -> float:
    """What a seat could do next, where it is strongest."""
    return FRONT * sum(sorted(_chances(b, seat), reverse=True)[:3])


def _chances(b: Board, seat: int) -> Iterator[float]:
    """What each of a seat's strong territories could take."""
    foes = _foes(b, seat)
    for land in bits(b.held[seat]):
        if b.army[land] > 2 and NEAR[land] & foes:
            yield max(0.0, *(invasion(b, seat, land, near) for near in bits(NEAR[land] & foes)))


# What an invasion promises.


def invasion(b: Board, seat: int, source: int, target: int) -> float:
    """What fighting to the end is worth on average, for what is won and what it costs."""
    walls = b.charter.strongholds >> target & 1
    more, more_theirs = b.led >> source & 1, (b.led >> target & 1) + walls
    attack, defence = min(b.army[source] - 1, MOST), min(b.army[target], MOST)
    won, left = odds(attack, defence, more, more_theirs)
    risked = attack - left
    return won * _prize(b, seat, source, target) - battalion(b) * risked - 0.15


def _promise(b: Board, seat: int, source: int, target: int) -> float:
    """How much better the position becomes on average by fighting to the end."""
    more_theirs = (b.led >> target & 1) + (b.charter.strongholds >> target & 1)
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
        after.sited |= b.charter.sites >> target & 1
    return after


def _prize(b: Board, seat: int, source: int, target: int) -> float:
    late, loser, bit = _late(b), b.owner[target], 1 << target
    worth = (1 + late) * (1 + 2 * (b.charter.strongholds >> target & 1))
    lands, bonus = REGION_LANDS[REGION_OF[target]], BONUS[REGION_OF[target]]
    before = (b.held[seat] & lands).bit_count() / lands.bit_count()
    after = ((b.held[seat] | bit) & lands).bit_count() / lands.bit_count()
    worth += bonus * PART_OF_REGION * (after * after - before * before)
    worth += bonus * (WHOLE_REGION + late - PART_OF_REGION) * (after == 1)
    if loser < NEUTRAL:
        worth += 0.5
        worth += bonus * 0.8 * (not lands & ~b.held[loser])
        worth += ELIMINATION * (b.held[loser] == bit) + 0.7 * LEADER * (b.led >> target & 1)
    if not b.conquered or b.turn != seat:
        worth += CARD * (1 - 0.7 * late)
    if b.led >> source & 1:
        worth += SITE * (b.charter.sites >> target & 1 and not b.sited)
        worth += 2.5 * (b.hands[seat] >> MISSION_AT.get(target, 63) & 1)
    return worth


# Moves being made: what they promise stands on the stack.


def _under_way(game: Game[Board], seat: Seat) -> float:
    question: Any = game.question()
    if question is None or seat not in question.waiting(game):
        return 0.0
    due: float = sum(getattr(frame, "battalions", 0) for frame in game.stack)
    to_place = 1.2 * battalion(game.board) * (due + getattr(question, "left", 0))
    hoped = _HOPES.get(question.prompt)
    return to_place + (hoped(game, seat, question) if hoped else 0.0)


def _target(game: Game[Board], seat: Seat, question: Any) -> float:
    b, source = game.board, question.source
    foes = bits(NEAR[source] & _foes(b, seat))
    hopeful = sorted(foes, key=lambda land: -invasion(b, seat, source, land))
    found = [_promise(b, seat, source, land) for land in hopeful[:2]]
    return max(found, default=0.0) - RELUCTANCE


def _battle(game: Game[Board], seat: Seat, question: Any) -> float:
    b, source = game.board, question.source
    return max(0.0, _promise(b, seat, source, question.target)) if b.army[source] > 1 else 0.0


def _window(game: Game[Board], seat: Seat, question: Any) -> float:
    window: Any = game.stack[-2]
    if window.target and game.board.turn == seat:
        return max(0.0, _promise(game.board, seat, window.source, window.target))
    return 0.0


def _follow(game: Game[Board], seat: Seat, question: Any) -> float:
    conquest: Any = game.stack[-2]
    return max(0.0, _moved(game.board, seat, conquest.source, conquest.target))


def _count(game: Game[Board], seat: Seat, question: Any) -> float:
    """More than going back, so that who has said where goes there."""
    fortify: Any = game.stack[-2]
    return 5.0 + _moved(game.board, seat, fortify.start, fortify.to)


def _goal(game: Game[Board], seat: Seat, question: Any) -> float:
    """What the best of the moves that can still come of this would change."""
    b = game.board
    goals = [to for to in bits(_reach(b, seat, question.start)) if NEAR[to] & _foes(b, seat)]
    return max((_moved(b, seat, question.start, to) for to in goals), default=-1.0)


_HOPES: Mapping[str, Callable[[Game[Board], Seat, Any], float]] = {
    "combat.target": _target,
    "combat.battle": _battle,
    "window.play": _window,
    "conquest.follow": _follow,
    "fortify.count": _count,
    "fortify.goal": _goal,
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
