"""The weights of War of the Ring's judge, part by part, as one side or the other wants it."""

from __future__ import annotations

from functools import cache, partial

from services import rules_of
from services.warofthering.tables import (
    DIE_VALUE,
    EYE_VALUE,
    FREE,
    NATION,
    OWNER,
    POOL,
    SHADOW,
    TILE_COUNT,
    TILE_REVEALS,
    TILE_STOPS,
    TILE_VALUE,
    VICTORY_POINTS,
)
from tests.games.warofthering import positions
from tests.workers.weights import Ladder
from workers.bots.evals import warofthering
from workers.bots.evals.warofthering import WEIGHTS, parts

MODULES = (warofthering, parts)
NO_WEIGHTS = {
    *("WON", "WHOLE_WAY"),
    *("EYE_HARM", "DIE_HARM", "REVEALS", "STOPS"),  # `HARM` is made of them
    *("NEAR", "HEIR", "FACE_MORE", "WEIGHTS"),  # see test_evals_warofthering and tests/bench
}
RULES = rules_of("warofthering")
PARTS = [*WEIGHTS]
FARTHEST = next(region for region, steps in enumerate(parts.TO_MORDOR) if steps == 11)
"""From here the Fellowship has the whole way to go."""
IN_MORDOR = parts.WHOLE_WAY - parts.CRACK_OF_DOOM
"""Steps that lead to Mordor's track."""


@cache
def given(lines):
    return positions.given(RULES, [f"clear; {lines}" if lines else "clear"])


def at(lines, *changes):
    def position():
        game = given(lines).copy()
        for change, *values in changes:
            change(game.board, *values)
        return game

    return position


def judged(part, *boards, side=FREE):
    """Of one part, what a side thinks of boards: lines, or lines and changes."""
    made = [at(board) if isinstance(board, str) else at(*board) for board in boards]
    return Ladder(made, side, partial(_part, number=PARTS.index(part)))


def _part(game, side, number):
    whole = (*parts.parts_of(game.board), *parts.finer_parts_of(game.board))
    return whole[number] if side == FREE else -whole[number]


def together(first, second, *boards):
    """Of two parts."""
    numbers = [PARTS.index(first), PARTS.index(second)]
    return Ladder(
        [at(*board) for board in boards],
        FREE,
        lambda game, side: sum(_part(game, side, number) for number in numbers),
    )


def go(b, steps):
    """The Fellowship has gone this number of steps of the way, unseen."""
    b.region = FARTHEST
    b.progress = min(steps, IN_MORDOR - 1)
    if steps >= IN_MORDOR:
        b.mordor = steps - IN_MORDOR


def change(b, name, value):
    setattr(b, name, value)


def take(b, side, points):
    """A side has captured settlements of this number of points."""
    for region in sorted(parts.VALUED, key=lambda region: -VICTORY_POINTS[region]):
        if OWNER[region] != side and VICTORY_POINTS[region] <= points:
            b.control[region] = side
            points -= VICTORY_POINTS[region]
    assert not points


def stand(b, nation, box):
    b.politics[NATION[nation]] = box


def pool(b, tile):
    """This is the only tile that can be drawn."""
    b.tiles = bytearray(len(b.tiles))
    b.tiles[POOL * TILE_COUNT + tile] = 1


def tiles(*order):
    """What the Free Peoples think of a Hunt that draws one tile or another."""
    return judged("tiles", *[("", (pool, tile)) for tile in order])


PLAIN_TILE = TILE_VALUE.index(0, 1)
BAD = [n for n in range(TILE_COUNT) if TILE_VALUE[n] > 0 or TILE_REVEALS[n] or TILE_STOPS[n]]
GOOD = [n for n in range(TILE_COUNT) if TILE_VALUE[n] < 0]


def like(tile, *, reveals, stops):
    """The tile of the same value that reveals, or stops, or does not."""
    return next(
        (
            n
            for n in range(TILE_COUNT)
            if (TILE_VALUE[n], TILE_REVEALS[n], TILE_STOPS[n]) == (TILE_VALUE[tile], reveals, stops)
        ),
        None,
    )


WORSE_THAN = [
    (worse, tile)
    for tile in range(TILE_COUNT)
    for worse in (
        like(tile, reveals=True, stops=TILE_STOPS[tile]),
        like(tile, reveals=TILE_REVEALS[tile], stops=True),
    )
    if worse not in (None, tile)
]

SHADOW_ARMY = "dimrill_dale: 9 sauron_regular"
FREE_ARMY = "hollin: 3 elves_regular"
LORIEN, DALE = "lorien: 2 elves_regular", "dale: 2 north_regular"
SIEGE = "minas_tirith_garrison: 2 gondor_regular; minas_tirith: 3 sauron_regular"

LADDERS = {
    "STEPS": [judged("way", *[("", (go, steps)) for steps in range(parts.WHOLE_WAY + 1)])],
    "CORRUPTION": [
        judged(
            "corruption",
            *[("", (change, "corruption", n)) for n in range(parts.LARGEST_CORRUPTION, -1, -1)],
        )
    ],
    "IN_COMPANY": [judged("company", "company strider", "company strider, gimli")],
    "TOLL": [
        judged(
            "dread",
            *[("company strider", (change, "corruption", 10), (go, n)) for n in (13, 15)],
        )
    ],
    "PAID": [
        judged(
            "dread",
            *[
                (f"company {who}", (change, "corruption", 10), (go, 13))
                for who in ("strider", "strider, gimli, legolas")
            ],
        )
    ],
    "BORNE": [
        together("way", "dread", *[("", (change, "corruption", 1), (go, n)) for n in (11, 12)])
    ],
    "DREAD": [
        judged(
            "dread",
            *[("company strider", (change, "corruption", n), (go, 13)) for n in (11, 9)],
        ),
    ],
    "HASTE": [
        judged("haste", ("", (take, SHADOW, 6)), ""),
        judged("haste", *[("", (take, SHADOW, 6), (go, steps)) for steps in (3, 9)]),
    ],
    "UNSEEN_STEP": [judged("hiding", "fellowship hollin", "fellowship hollin; progress 2")],
    "REVEALED": [judged("hiding", "fellowship hollin; revealed", "fellowship hollin")],
    "HUNTED": [
        judged("the Hunt", *[f"hunt shadow {n}" for n in range(len(parts.HUNTED) - 1, -1, -1)])
    ],
    "NAZGUL_THERE": [judged("pursuit", "rivendell: 1 nazgul", "bree: 1 nazgul")],
    "ARMY_THERE": [
        judged("pursuit", "fellowship moria; moria: 1 sauron_regular", "fellowship moria")
    ],
    "TAKEN": [
        judged("conquests of the Free Peoples", *[("", (take, FREE, n)) for n in range(5)]),
        judged("conquests of the Free Peoples", "", ("", (take, FREE, 5))),
        judged(
            "conquests of the Shadow", *[("", (take, SHADOW, n)) for n in range(11)], side=SHADOW
        ),
    ],
    "BESIEGED": [judged("conquests of the Shadow", "", SIEGE, side=SHADOW)],
    "THREAT": [
        judged("threats of the Free Peoples", "at_war elves", f"at_war elves; {FREE_ARMY}"),
        judged(
            "threats of the Shadow", "at_war sauron", f"at_war sauron; {SHADOW_ARMY}", side=SHADOW
        ),
    ],
    "UNGUARDED": [
        judged("threats of the Shadow", SHADOW_ARMY, f"{SHADOW_ARMY}; lorien: 1 elves_regular")
    ],
    "IDLE": [
        judged(
            "threats of the Shadow",
            "box sauron 1",
            f"box sauron 1; {SHADOW_ARMY}",
            f"at_war sauron; {SHADOW_ARMY}",
            side=SHADOW,
        )
    ],
    "BEHIND_WALLS": [
        judged("threats of the Shadow", SHADOW_ARMY, f"{SHADOW_ARMY}; lorien: 3 elves_regular")
    ],
    "IN_TOWN": [
        judged(
            "threats of the Shadow",
            "north_rhun: 9 sauron_regular",
            "north_rhun: 9 sauron_regular; dale: 2 north_regular",
        )
    ],
    "UNIT": [
        judged("figures of the Free Peoples", "reserve 1 elves_regular", LORIEN),
        judged("figures of the Shadow", "", SHADOW_ARMY, side=SHADOW),
    ],
    "ELITE_MORE": [
        judged("figures of the Free Peoples", "lorien: 1 elves_regular", "lorien: 1 elves_elite"),
        judged(
            "figures of the Shadow", "moria: 1 sauron_regular", "moria: 1 sauron_elite", side=SHADOW
        ),
    ],
    "IN_RESERVE": [
        judged(
            "figures of the Free Peoples", "reserve 1 gondor_regular", "reserve 5 gondor_regular"
        ),
        judged(
            "figures of the Shadow",
            "reserve 1 sauron_regular",
            "reserve 5 sauron_regular",
            side=SHADOW,
        ),
    ],
    "LEADER": [
        judged("figures of the Free Peoples", LORIEN, f"{LORIEN}, 1 elves_leader"),
    ],
    "FLYER": [
        judged(
            "figures of the Shadow",
            "moria: 2 sauron_regular",
            "moria: 2 sauron_regular, 2 nazgul",
            side=SHADOW,
        )
    ],
    "ON_MAP_LEADERSHIP": [
        judged("figures of the Free Peoples", LORIEN, f"{LORIEN}, gimli"),
    ],
    "STEP_TO_WAR": [
        judged("politics of the Free Peoples", *[("", (stand, "gondor", n)) for n in (1, 2)]),
        judged(
            "politics of the Shadow", *[("", (stand, "sauron", n)) for n in (1, 2)], side=SHADOW
        ),
    ],
    "WAR": [
        judged("politics of the Free Peoples", *[("", (stand, "gondor", n)) for n in (3, 4)]),
        judged(
            "politics of the Shadow", *[("", (stand, "sauron", n)) for n in (3, 4)], side=SHADOW
        ),
    ],
    "ACTIVE": [judged("politics of the Free Peoples", "", "active gondor")],
    "EXTRA_DIE": [
        judged(
            "Aragorn and Gandalf the White",
            "minas_tirith: 1 gondor_regular",
            "minas_tirith: 1 gondor_regular, aragorn",
        ),
        judged("Minions", "", "morannon: 1 sauron_regular, mouth_of_sauron", side=SHADOW),
    ],
    "RING": [
        judged("Elven Rings", "rings free 1", "rings free 2"),
        judged("Elven Rings", "rings shadow 0", "rings shadow 1", side=SHADOW),
    ],
    "DIE": [
        judged("dice", "dice free: event", "dice free: event, event"),
        judged("dice", "dice shadow: event", "dice shadow: event, event", side=SHADOW),
    ],
    "CARD": [
        judged("cards", "", "hand free_peoples: athelas"),
        judged("cards", "", "hand shadow: stormcrow", side=SHADOW),
    ],
    "KEPT_CARD": [judged("cards", "", "table wizards_staff")],
    "HARM": [
        *[tiles(bad, PLAIN_TILE) for bad in BAD],
        *[tiles(PLAIN_TILE, good) for good in GOOD],
        *[tiles(worse, tile) for worse, tile in WORSE_THAN],
    ],
    "TILE": [tiles(bad, PLAIN_TILE) for bad in BAD],
}
assert {EYE_VALUE, DIE_VALUE} <= {TILE_VALUE[n] for n in BAD}
