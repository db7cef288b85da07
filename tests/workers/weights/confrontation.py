"""The weights of The Confrontation's judge."""

from __future__ import annotations

from services import rules_of
from tests.workers.weights import Ladder
from workers.bots.evals import confrontation
from workers.bots.evals.confrontation import (
    CARD_WORTH,
    CHARACTER,
    DARK,
    DRAWN,
    FORWARD,
    GOOD,
    IN_SHIRE,
    MORDOR,
    NOBODY,
    SHIRE,
    STEPS,
)

MODULES = (confrontation,)
NO_WEIGHTS = {"WON", "FAR"}
RULES = rules_of("confrontation")
BEARER, OTHER = 0, len(RULES.setup(RULES.agree({})).board.place) // 2
"""A piece of Good's, and the first of Dark's."""
HALFWAY = max(region for region in range(MORDOR) if MORDOR not in STEPS[GOOD][region])


def at(*changes):
    """An empty board but for what these changes put there; Good is on turn."""

    def position():
        game = RULES.setup(RULES.agree({}))
        game.board.turn, game.board.hands, game.board.bearer = GOOD, (0, 0), NOBODY
        for change, *values in changes:
            change(game.board, *values)
        return game

    return position


def seen_by(side, *positions):
    seat = RULES.setup(RULES.agree({})).board.seat_of(side)
    return Ladder([at(*changes) for changes in positions], seat)


def stand(b, piece, place, character):
    b.face[piece], b.place[piece] = character, place
    b.count[(piece >= OTHER) * (len(b.count) // 2) + place] += 1


def bear(b, place):
    stand(b, BEARER, place, CHARACTER["frodo"])
    b.bearer = BEARER


def lurk(b, *places):
    for n, place in enumerate(places):
        stand(b, OTHER + n, place, CHARACTER["warg"])


def hold(b, side, card):
    b.hands = (1 << card, 0) if side == GOOD else (0, 1 << card)


def turn(b, side):
    b.turn = side


def end(b, result):
    b.result = result


def faced(character):
    """Whoever has this character would rather have it than not; at home it does no more."""
    is_good = character < GOOD_ENDS or DARK_ENDS <= character < MORE_GOOD_ENDS
    side, piece, home = (GOOD, BEARER, SHIRE) if is_good else (DARK, OTHER, MORDOR)
    return seen_by(side, [], [(stand, piece, home, character)])


GOOD_ENDS, DARK_ENDS, MORE_GOOD_ENDS = (
    CHARACTER[name] for name in ("balrog", "frodo_variant", "uruk_hai")
)
"""Characters are in the order Good, Dark, and the variants of either."""
AHEAD = STEPS[GOOD][HALFWAY]

LADDERS = {
    "PIECE_WORTH": [faced(character) for character in range(len(CHARACTER))],
    "CARD_WORTH": [
        seen_by(side, [], [(hold, side, card)])
        for card in range(len(CARD_WORTH))
        for side in (GOOD, DARK)
    ],
    "EVEN": [seen_by(GOOD, [(end, DRAWN)], [])],
    "STEP_OF_THE_RING": [seen_by(GOOD, [(bear, SHIRE)], [(bear, HALFWAY)])],
    "GUARD": [
        seen_by(
            GOOD,
            [(bear, HALFWAY), (lurk, *AHEAD)],
            [(bear, HALFWAY), (lurk, *[MORDOR] * len(AHEAD))],
        )
    ],
    "THREAT": [
        seen_by(
            GOOD,
            [(bear, HALFWAY), (lurk, AHEAD[0]), (turn, DARK)],
            [(bear, HALFWAY), (lurk, AHEAD[0])],
        )
    ],
    "IN_SHIRE": [
        seen_by(DARK, [(lurk, *[MORDOR] * n)], [(lurk, *[SHIRE] * n)])
        for n in range(1, len(IN_SHIRE))
    ],
    "STEP_TO_SHIRE": [seen_by(DARK, [(lurk, MORDOR)], [(lurk, FORWARD[DARK][MORDOR][0])])],
}
