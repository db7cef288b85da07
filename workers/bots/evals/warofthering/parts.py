"""The parts of what a War of the Ring position is worth, each for the Free Peoples.

A hundred is about two Victory Points in the middle of a game. Order of reading: the whole, the
Ring, conquest, armies, the rest.

Design. What wins is judged by two races: the Ring-bearers' steps against their Corruption, and the
Shadow's conquests. Armies are worth what they are, and more where they threaten or guard something:
so the Shadow gathers before walls that it may break, and the Free Peoples recruit behind them.
"""

from __future__ import annotations

from functools import lru_cache

from services.warofthering.board import Board
from services.warofthering.tables import (
    ARAGORN,
    ARMY,
    AT_WAR,
    CHARACTER,
    CRACK_OF_DOOM,
    DIE_VALUE,
    DISTANCE,
    DRAWN,
    ELITE,
    EYE_VALUE,
    FREE,
    GANDALF_THE_WHITE,
    GARRISON_OF,
    LARGEST_CORRUPTION,
    LEADERS,
    LEADERSHIP,
    LEVEL,
    MINIONS,
    MUSTER_ARMY,
    NATIONS_OF,
    NAZGUL,
    NOWHERE,
    OWNER,
    POOL,
    REGION_OF,
    RESERVE,
    SETTLEMENT,
    SHADOW,
    SIDE_OF,
    STRIDER,
    STRONGHOLD,
    TILE_COUNT,
    TILE_REVEALS,
    TILE_STOPS,
    TILE_VALUE,
    UNITS,
    UNITS_OF,
    VICTORY_POINTS,
    WAITING,
    WILL,
    WITCH_KING,
)
from workers.bots.habits.warofthering.strength import CROWNED_IN, KEPT, TO_MORDOR, VALUED, strength

# The Ring. The way is about seventeen steps: to a gate, through it, and five in Mordor.
WHOLE_WAY = 17
STEPS = tuple(15.0 * step + 1.0 * step * step for step in range(WHOLE_WAY + 1))
CORRUPTION = tuple(6.0 * n + 3.0 * n * n for n in range(LARGEST_CORRUPTION + 1))
# In Mordor: the Corruption of a step, the part that Levels pay, what is borne, and the fear beyond.
TOLL, PAID, BORNE, DREAD = 1.5, 0.7, 8.0, 2.0
REVEALED = 30.0  # it costs a die to hide
HASTE = 0.2  # a step that is left, for the square of the Shadow's Victory Points: it presses
UNSEEN_STEP = 1.5  # where the Fellowship really is, is not known
IN_COMPANY = 9.0  # a Level that a Companion could pay with
ON_MAP_LEADERSHIP = 10.0
HUNTED = (0.0, 18.0, 33.0, 44.0, 51.0, 56.0)  # by dice in the Hunt Box, while it may still move
NAZGUL_THERE, ARMY_THERE = 16.0, 8.0  # a die of the Hunt rolled again
TILE = 40.0  # a point of damage, which each step of the track brings anew
EYE_HARM, DIE_HARM, REVEALS, STOPS = 2.5, 3.5, 0.5, 1.0
HARM = tuple(
    {EYE_VALUE: EYE_HARM, DIE_VALUE: DIE_HARM}.get(TILE_VALUE[n], float(TILE_VALUE[n]))
    + REVEALS * TILE_REVEALS[n]
    + STOPS * TILE_STOPS[n]
    for n in range(TILE_COUNT)
)

# Conquest, by Victory Points.
TAKEN = (
    (0.0, 70.0, 150.0, 280.0, 700.0, 700.0),
    (0.0, 110.0, 220.0, 335.0, 450.0, 570.0, 690.0, 815.0, 945.0, 1080.0, 1700.0),
)
"""By side; the last is for all above. It is won when the turn ends, unless it is taken back."""
BESIEGED = 15.0
THREAT = (18.0, 50.0)
"""By side: the Free Peoples seldom go out to conquer. What is taken is worth more than threats."""
UNGUARDED = 3.0
IDLE = 0.1  # what an army counts whose nations are not At War
NEAR = (
    tuple((1.0, 1.0, 0.3)[steps] if steps < 3 else 0.0 for steps in range(30)),
    (1.6, *(0.5**steps for steps in range(30))),
)
"""By side and distance, what the square of an army counts where it threatens."""
BEHIND_WALLS, IN_TOWN = 1.9, 1.3

# Armies. The Free Peoples' losses are lost for good.
UNIT = (10.0, 7.0)
ELITE_MORE = (8.0, 6.0)
IN_RESERVE = (4.0, 3.0)
LEADER, FLYER = 6.0, 5.0

# The rest.
STEP_TO_WAR, WAR, ACTIVE = 8.0, 12.0, 4.0
EXTRA_DIE = 60.0
HEIR = tuple(55.0 * 0.9**steps for steps in range(30))  # by steps to where he may be crowned
RING, CARD, KEPT_CARD, DIE = 12.0, 5.0, 9.0, 9.0
FACE_MORE = (((WILL, 6.0), (CHARACTER, 4.0)), ((MUSTER_ARMY, 3.0), (ARMY, 2.0), (CHARACTER, 1.0)))
"""By side, what an unused die is worth beyond that for what it shows."""

_PRIZES = tuple(tuple(r for r in VALUED if OWNER[r] != side) for side in (FREE, SHADOW))


def parts_of(b: Board) -> tuple[float, ...]:
    """What each part is worth by which everybody judges, in the order of the judge's weights."""
    armies, levels = _armies(b), sum(LEVEL[who] for who in b.company())
    return (
        STEPS[_steps(b)],
        -CORRUPTION[b.corruption],
        IN_COMPANY * levels,
        _dread(b, levels),
        -HASTE * b.victory_points(SHADOW) ** 2 * (WHOLE_WAY - _steps(b)),
        UNSEEN_STEP * b.progress if b.hidden else -REVEALED,
        -_hunt(b),
        -_pursuit(b),
        _conquest(b, FREE),
        -_conquest(b, SHADOW),
        _threats(b, FREE, armies),
        -_threats(b, SHADOW, armies),
        _figures(b, armies, FREE),
        -_figures(b, armies, SHADOW),
        _politics(b, FREE),
        -_politics(b, SHADOW),
        _heroes(b),
        -EXTRA_DIE * sum(b.is_on_map(who) for who in MINIONS),
        RING * (b.rings[FREE] - b.rings[SHADOW]),
        DIE * (b.dice_left(FREE) - b.dice_left(SHADOW)),
        _cards(b),
    )


def finer_parts_of(b: Board) -> tuple[float, ...]:
    """The parts that are judged only where it is foreseen, in the same order."""
    left = CRACK_OF_DOOM - b.mordor if b.in_mordor else CRACK_OF_DOOM
    return (
        -TILE * left * _harm(bytes(b.tiles), b.in_mordor),
        sum([more * b.die_count(FREE, face) for face, more in FACE_MORE[FREE]]),
        -sum([more * b.die_count(SHADOW, face) for face, more in FACE_MORE[SHADOW]]),
    )


# The Ring.


@lru_cache(maxsize=KEPT)
def _harm(tiles: bytes, in_mordor: bool) -> float:
    """What a tile does that is drawn in Mordor, on average: all come back when it is entered."""
    places = (POOL,) if in_mordor else (POOL, DRAWN, WAITING)
    numbers = [sum(tiles[place * TILE_COUNT + n] for place in places) for n in range(TILE_COUNT)]
    harm = sum(number * HARM[n] for n, number in enumerate(numbers))
    return harm / max(1, sum(numbers))


def _dread(b: Board, levels: int) -> float:
    """What the Hunt will yet cost in Mordor beyond what can be borne."""
    if not b.in_mordor:
        return 0.0
    due = b.corruption + TOLL * (CRACK_OF_DOOM - b.mordor) - PAID * levels - BORNE
    return -DREAD * max(due, 0.0) ** 2


def _hunt(b: Board) -> float:
    """What waits for the Fellowship, if it moves this turn."""
    dice = min(b.hunt_shadow, len(HUNTED) - 1)
    return HUNTED[dice] * (1.0 + 0.4 * b.in_mordor) if b.hidden else 0.0


def _steps(b: Board) -> int:
    """How much of the way the Ring-bearers have gone."""
    if b.in_mordor:
        return WHOLE_WAY - CRACK_OF_DOOM + b.mordor
    left = max(TO_MORDOR[b.region] - b.progress, 0) + 1 + CRACK_OF_DOOM
    return max(WHOLE_WAY - left, 0)


def _pursuit(b: Board) -> float:
    """What is where the Fellowship was last seen, and lets the Hunt roll again."""
    if b.in_mordor:
        return 0.0
    areas = b.army_areas(b.region)
    nazgul = any(b.count(area, NAZGUL) or b.count(area, WITCH_KING) for area in areas)
    return NAZGUL_THERE * nazgul + ARMY_THERE * any(b.units_at(a, SHADOW) for a in areas)


# Conquest.


def _conquest(b: Board, side: int) -> float:
    points = b.victory_points(side)
    table = TAKEN[side]
    worth = table[min(points, len(table) - 1)]
    besieged = (r for r in _PRIZES[side] if b.control[r] != side and b.is_besieged(r))
    return worth + BESIEGED * sum(VICTORY_POINTS[r] for r in besieged)


Armies = tuple[list[tuple[int, float]], list[tuple[int, float]]]
"""By side: the area of each army, and its strength."""


def _armies(b: Board) -> Armies:
    free, shadow = (
        [(area, strength(b, area, side)) for area in b.areas_with_units(side)]
        for side in (FREE, SHADOW)
    )
    return free, shadow


def _threats(b: Board, side: int, armies: Armies) -> float:
    """What a side's armies may take: the more, the nearer and the stronger they are.

    Squares are added, as strength fights by its square: one large army threatens more than two.
    """
    near = NEAR[side]
    at_war = sum(1 << nation for nation in NATIONS_OF[side] if b.is_at_war(nation))
    squares = [
        (REGION_OF[area], force * force * (1.0 if b.nations_at(area, side) & at_war else IDLE))
        for area, force in armies[side]
    ]
    threat = 0.0
    for region in VALUED:
        if b.control[region] == side or (OWNER[region] == side and side != FREE):
            continue
        row = DISTANCE[region]
        force = sum([near[row[here]] * square for here, square in squares])
        guard = _guard(b, region, 1 - side)
        threat += VICTORY_POINTS[region] * force / (force + guard * guard)
    return THREAT[side] * threat


def _guard(b: Board, region: int, side: int) -> float:
    """How strong a settlement is, with whoever stands in it."""
    garrison = GARRISON_OF[region]
    area = region if garrison == NOWHERE or not b.units_at(garrison, side) else garrison
    walls = BEHIND_WALLS if SETTLEMENT[region] == STRONGHOLD else IN_TOWN
    return UNGUARDED + walls * strength(b, area, side)


# Armies.


def _figures(b: Board, armies: Armies, side: int) -> float:
    worth = sum([_army(b.figures_in(area), side) for area, _ in armies[side]])
    reserve = b.figures_in(RESERVE)
    return worth + IN_RESERVE[side] * sum([reserve[unit] for unit in UNITS_OF[side]])


@lru_cache(maxsize=KEPT)
def _army(figures: bytes, side: int) -> float:
    """What an army is worth by itself; leaders are worth something where they can lead."""
    force = [figures[f] * (SIDE_OF[f] == side) for f in range(len(figures))]
    units = sum(force[: UNITS.stop])
    worth = UNIT[side] * units + ELITE_MORE[side] * sum(force[ELITE : UNITS.stop])
    leaders = LEADER * sum(force[LEADERS.start : LEADERS.stop])
    flyers = FLYER * min(force[NAZGUL], units)
    who = ON_MAP_LEADERSHIP * sum(LEADERSHIP[f] for f in range(NAZGUL + 1, len(force)) if force[f])
    return worth + leaders + flyers + who


# The rest.


def _politics(b: Board, side: int) -> float:
    """How near to war a side's nations are; the Shadow's join it for good."""
    worth = 0.0
    for nation in NATIONS_OF[side]:
        box = b.politics[nation]
        step = STEP_TO_WAR * box + WAR * (box == AT_WAR)
        worth += 0.5 * step + ACTIVE * b.is_active(nation) if side == FREE else 1.6 * step
    return worth


def _heroes(b: Board) -> float:
    """The dice of Aragorn and of Gandalf the White, and how near the first is to his."""
    worth = EXTRA_DIE * sum(b.is_on_map(who) for who in (ARAGORN, GANDALF_THE_WHITE))
    if b.is_on_map(STRIDER):
        row = DISTANCE[b.region_of(STRIDER)]
        worth += max((HEIR[row[r]] for r in CROWNED_IN if b.is_unconquered(r)), default=0.0)
    return worth


def _cards(b: Board) -> float:
    worth = 0.0
    for side, sign in ((FREE, 1.0), (SHADOW, -1.0)):
        hands = sum(b.hand_size(seat) for seat in b.settings.teams[side])
        worth += sign * (CARD * hands + KEPT_CARD * len(b.table_cards(side)))
    return worth
