"""The weights of Duel's judge, as Sauron sees them, who is on turn."""

from __future__ import annotations

from services import rules_of
from tests.workers.weights import Ladder
from workers.bots.evals import duel
from workers.bots.evals.duel import (
    GOAL,
    IS_IMMEDIATE,
    KEPT,
    REGION_COUNT,
    SKILL_COUNT,
    SLOTS,
    TAKEN,
    TOKENS,
)

MODULES = (duel,)
NO_WEIGHTS = {"WON", "POOR"}
RULES = rules_of("duel")
SAURON = 1
UNITS, SKILLS, RACES = SAURON * REGION_COUNT, SAURON * SKILL_COUNT, len(duel.SUPPORT) - 1


def at(change, *, late=False):
    """A position in which nobody has anything but what a change gives him."""

    def position():
        game = RULES.setup(RULES.agree({}))
        b = game.board
        b.units, b.coins = bytearray(2 * REGION_COUNT), [0, 0]
        if late:
            b.chapter, b.display = 3, bytearray([TAKEN]) * SLOTS
        change(b)
        return game

    return position


def ladder(change, numbers, **more):
    """What a change makes of one number after the other."""
    return [Ladder([at(lambda b, n=n: change(b, n), **more) for n in numbers], SAURON)]


def stepped(b, steps):
    b.quest[SAURON] = steps


def supported(b, races):
    for race in range(min(races, RACES)):
        b.races[len(b.races) // 2 + race] = 1


def present(b, regions):
    """The same number of units in more and more regions."""
    for region in range(regions):
        b.units[UNITS + region] = 1
    b.units[UNITS] = max(0, REGION_COUNT + 1 - regions) if regions else 0


def settled(b, units):
    b.units[UNITS] = units


def put(b, units):
    b.units[UNITS] = 1 + units


def fortified(b, forts):
    b.units[UNITS] = 1
    b.forts[0] = forts and 1 + SAURON


def paid(b, coins):
    b.coins[SAURON] = coins


def skilled(b, count):
    b.skills[SKILLS] = count


def chosen(b, count):
    b.choices[SAURON] = (1 << count) - 1


def chained(b, count):
    b.chains[SAURON] = sum(1 << symbol for symbol in [*duel._TAKER][:count])


def with_token(b, count):
    for token in [t for t in range(len(TOKENS)) if not IS_IMMEDIATE[t]][:count]:
        b.tokens[token] = KEPT + SAURON


def with_turns(b, turns):
    b.turn, b.extra = SAURON, turns


def leading(b, lead):
    """As many regions as there are, or one that both have: what a lead is worth shows late."""
    for side in (0, 1):
        b.units[side * REGION_COUNT] = 1
    for region in range(lead):
        b.units[UNITS + region] = 1


LADDERS = {
    "STEPS": ladder(stepped, range(GOAL + 1)),
    "SUPPORT": ladder(supported, range(RACES + 1)),
    "PRESENCE": [*ladder(settled, (0, 1)), *ladder(present, range(1, REGION_COUNT + 1))],
    "LEAD": ladder(leading, (1, 2), late=True),
    "FORTRESS": ladder(fortified, (0, 1)),
    "UNIT": ladder(put, (0, 1)),
    "COIN": ladder(paid, (0, 3)),
    "SPARE_COIN": ladder(paid, (9, 12)),
    "SYMBOL": [*ladder(skilled, range(6)), *ladder(skilled, (0, 6)), *ladder(skilled, (0, 7))],
    "CHOICE": ladder(chosen, (0, 1)),
    "CHAIN": ladder(chained, (0, 1)),
    "TOKEN": ladder(with_token, (0, 1)),
    "EXTRA_TURN": ladder(with_turns, (0, 1)),
}
