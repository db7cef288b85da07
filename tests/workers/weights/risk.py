"""The weights of Risk's judge, and of what it thinks of invasions and campaigns."""

from __future__ import annotations

from functools import partial

from services import rules_of
from services.risk.tables import (
    LANDS,
    MISSION_LAND,
    MISSIONS,
    MOUNT_DOOM,
    NEAR,
    NEUTRAL,
    POINTS,
    TERRITORY,
    bits,
)
from tests.games.risk import positions
from tests.workers.weights import Ladder
from workers.bots.evals.risk import JUDGE, prospects, worth
from workers.bots.habits.risk import campaign, invasions

MODULES = (worth, prospects, invasions, campaign)
NO_WEIGHTS = {
    *("WON", "CARD_FADES", "MOST", "LONGEST", "UNLIKELY", "STRONGEST", "TO_THE_END"),
    *("NOTHING", "SURE", "EVEN_ROLL"),
    "WEIGHTS",  # fitted, see tests/bench
}
RULES = rules_of("risk")
ME, FOE, OTHER = range(3)
WALL = 30
"""Battalions that nobody attacks."""

STARTS = [TERRITORY[name] for name in ("nurn", "deep_harad", "andrast", "emyn_muil")]
"""Where each seat has two battalions, far from each other and from all else here."""
HOME, BESIDE, AWAY = (TERRITORY[name] for name in ("mithlond", "forlindon", "lune_valley"))
"""A territory, and two beside it; none is a Stronghold."""
RHUN = [TERRITORY[n] for n in ("north_rhun", "withered_heath", "esgaroth", "south_rhun")]
"""A whole region."""
ELSEWHERE, STRONG, PLAIN = (TERRITORY[name] for name in ("carrock", "rhudaur", "borderlands"))


def at(*changes, players="2", **options):
    """A board without a question, on which each seat has what these changes give it."""

    def position():
        agreed = RULES.agree({"players": players, "setup_mode": "random", **options})
        game = RULES.setup(agreed)
        game.stack.clear()
        b = game.board
        b.number, b.turn, b.led = 1, ME, 0
        b.hands = b.territory_cards = b.played = (0,) * len(b.seats)
        b.reserve = (0,) * len(b.seats)
        for land in range(LANDS):
            b.give(land, NEUTRAL, WALL)
        for seat in b.seats:
            b.give(STARTS[seat], seat, 2)
        for change, *values in changes:
            change(b, *values)
        return game

    return position


def ladder(*boards, worth=None, **more):
    return [Ladder([at(*changes, **more) for changes in boards], ME, worth)]


def near_end(*boards):
    """Judged as a search does it, when the Ring is at Mount Doom."""
    return ladder(*[[(march, MOUNT_DOOM), *changes] for changes in boards], worth=JUDGE.foresee)


def promised(*boards, source, target, **more):
    """What an invasion of a single battalion promises."""
    sides = [[(hold, ME, 20, source), (hold, NEUTRAL, 1, target), *changes] for changes in boards]
    return ladder(*sides, worth=partial(_invasion, source=source, target=target), **more)


def _invasion(game, seat, source, target):
    return invasions.invasion(game.board, seat, source, target)


def hold(b, seat, battalions, *lands):
    for land in lands:
        b.give(land, seat, battalions)


def lead(b, *lands):
    for land in lands:
        b.led |= 1 << land


def march(b, ring):
    b.ring = ring


def change(b, name, value):
    setattr(b, name, value)


def own_of(b, pile, seat, cards):
    piles = list(getattr(b, pile))
    piles[seat] = cards
    setattr(b, pile, tuple(piles))


def placing(battalions):
    """Battalions that are yet to be placed."""

    def position():
        game = positions.given(
            RULES, ["at reinforce; yellow: mithlond 3; red: nurn 3; rest neutral 30"]
        )
        game.question().left = battalions
        return game

    return position


def begun(bound):
    """An invasion that has been begun; it can be taken back, or not."""

    def position():
        game = invading("invade mithlond forlindon")
        campaign.under_way(game).bound = bound
        return game

    return position


def given_up():
    """The same board, but nobody attacks."""
    game = begun(bound=1)()
    game.stack.clear()
    return game


def assaulting():
    """An assault on a wall, to the end."""
    game = invading("assault mithlond forlindon")
    game.board.add(BESIDE, WALL)
    return game


def left_alone():
    """The same board, but nobody attacks."""
    game = assaulting()
    game.stack.clear()
    return game


def invading(said):
    lines = ["at combat; yellow: mithlond 8; red: nurn 3, forlindon 1; rest neutral 1"]
    game = positions.given(RULES, lines)
    RULES.apply(game, ME, RULES.parse(said))
    return game


ADVENTURE = next(card for card in range(len(POINTS)) if not MISSIONS >> card & 1)
QUEST = next(card for card in bits(MISSIONS) if POINTS[card][0] > 0)
GOAL = MISSION_LAND[QUEST]
ON_THE_WAY = bits(NEAR[GOAL])[0]
FIGHT = {"source": HOME, "target": BESIDE}

LADDERS = {
    "FRIEND": ladder(
        [],
        [(hold, 2, 9, STARTS[2])],
        players="4",
        team_mode="on",
    ),
    "AVERAGE_FOE": ladder(
        [(own_of, "territory_cards", FOE, 15), (own_of, "territory_cards", OTHER, 7)],
        [(own_of, "territory_cards", FOE, 15)],
        players="3",
    ),
    "STRONGEST_FOE": ladder(
        [(own_of, "territory_cards", FOE, 15)],
        [(own_of, "territory_cards", FOE, 3), (own_of, "territory_cards", OTHER, 12)],
        players="3",
    ),
    "SERVED": ladder(
        *[[(own_of, "hands", ME, 0b111 << ADVENTURE), (march, ring)] for ring in (0, 6)],
    ),
    "STRONGHOLD": ladder([(hold, ME, 1, PLAIN)], [(hold, ME, 1, STRONG)]),
    "ADVENTURE": ladder([], [(own_of, "hands", ME, 1 << ADVENTURE)]),
    "MISSION": ladder([], [(own_of, "hands", ME, 1 << QUEST)]),
    "MISSION_NEAR": ladder(
        *[
            [(own_of, "hands", ME, 1 << QUEST), (hold, ME, 1, HOME, ON_THE_WAY), (lead, land)]
            for land in (HOME, ON_THE_WAY)
        ],
    ),
    "GUARDED": ladder(
        *[
            [(hold, FOE, 4, BESIDE), (hold, ME, guards, HOME), (hold, ME, 5 - guards, ELSEWHERE)]
            for guards in (2, 3)
        ],
    ),
    "FRONT": ladder(
        *[[(hold, ME, 10, HOME), (hold, NEUTRAL, guards, BESIDE)] for guards in (WALL, 1)]
    ),
    "LED": ladder(
        *[[(hold, ME, 3, HOME), (hold, ME, 8, ELSEWHERE), (lead, at)] for at in (HOME, ELSEWHERE)]
    ),
    "IDLE": ladder(
        *[
            [(hold, ME, 2, *bits(NEAR[HOME])), (hold, ME, idle, HOME), (hold, ME, 11 - idle, PLAIN)]
            for idle in (9, 2)
        ],
    ),
    "TO_PLACE": [Ladder([placing(3), placing(6)], ME)],
    "RELUCTANCE": [
        Ladder([begun(bound=0), begun(bound=1)], ME),
        Ladder([given_up, begun(bound=1)], ME),
    ],
    "CARD": [
        *ladder([], [(own_of, "territory_cards", ME, 1)]),
        *promised([(change, "conquered", 1)], [], **FIGHT),
    ],
    "LEADER": [
        *ladder([(hold, ME, 1, HOME)], [(hold, ME, 1, HOME), (lead, HOME)]),
        *promised([(hold, FOE, 1, BESIDE)], [(hold, FOE, 1, BESIDE), (lead, BESIDE)], **FIGHT),
    ],
    "SITE": [
        *ladder([], [(change, "sited", 1)]),
        *promised(
            [(lead, BESIDE), (change, "sited", 1)], [(lead, BESIDE)], source=BESIDE, target=HOME
        ),
    ],
    "WHOLE_REGION": [
        *ladder([(hold, ME, 1, *RHUN[:3], ELSEWHERE)], [(hold, ME, 1, *RHUN)]),
        *promised(
            [(hold, ME, 1, *RHUN[1:3])],
            [(hold, ME, 1, *RHUN[:3])],
            source=ELSEWHERE,
            target=RHUN[3],
        ),
    ],
    "PART_OF_REGION": [
        *ladder([(hold, ME, 1, RHUN[0], PLAIN)], [(hold, ME, 1, *RHUN[:2])]),
        *promised([], [(hold, ME, 1, RHUN[0])], source=ELSEWHERE, target=RHUN[3]),
    ],
    "ELIMINATION": [
        *ladder(
            [], [(change, "gone", (OTHER,)), (hold, NEUTRAL, WALL, STARTS[OTHER])], players="3"
        ),
        *promised(
            [(hold, FOE, 1, BESIDE)],
            [(hold, FOE, 1, BESIDE), (hold, NEUTRAL, WALL, STARTS[FOE])],
            **FIGHT,
        ),
    ],
    "HARMED": promised([], [(hold, FOE, 1, BESIDE)], **FIGHT),
    "BROKEN": promised(
        [(hold, FOE, 1, *RHUN[1:])],
        [(hold, FOE, 1, *RHUN)],
        source=ELSEWHERE,
        target=RHUN[3],
    ),
    "CAPTURED": promised(
        [(hold, FOE, 1, BESIDE)], [(hold, FOE, 1, BESIDE), (lead, BESIDE)], **FIGHT
    ),
    "AT_MISSION": promised(
        [(lead, ON_THE_WAY)],
        [(lead, ON_THE_WAY), (own_of, "hands", ME, 1 << QUEST)],
        source=ON_THE_WAY,
        target=GOAL,
    ),
    "BATTALION": [
        *ladder([(hold, ME, 2, HOME)], [(hold, ME, 9, HOME)]),
        *ladder([], [(own_of, "reserve", ME, 5)]),
    ],
    "TURN_OVER": ladder([], [(change, "turn", FOE)], worth=JUDGE.foresee),
    "POINT": near_end([], [(hold, ME, 1, HOME)]),
    "SCORED": [
        *near_end([], [(hold, ME, 1, HOME)]),
        *near_end([(hold, ME, 1, PLAIN)], [(hold, ME, 1, STRONG)]),
        *near_end([(hold, ME, 1, *RHUN[:3], ELSEWHERE)], [(hold, ME, 1, *RHUN)]),
        *near_end([], [(own_of, "played", ME, 1 << QUEST)]),
    ],
    "LOST": [Ladder([assaulting, left_alone], ME, JUDGE.foresee)],
}
