"""What a Confrontation position is worth: pieces, the Ring's way, the Shire, cards.

Everything is counted for Good and turned round for Dark. A hundred is about a strong character.
"""

from __future__ import annotations

from services.confrontation.board import DRAWN, UNDECIDED, Board, bits
from services.confrontation.characters import BESIDE, LONE
from services.confrontation.tables import (
    CHARACTER,
    DARK,
    FORWARD,
    GOOD,
    IS_TEXT,
    MORDOR,
    NOBODY,
    NUMBER,
    REACH,
    SHIRE,
    SIDEWAYS,
    STEPS,
    STRENGTH,
    TUNNEL,
)
from services.core.decisions import Seat
from services.core.frames import Game
from workers.bots.judge import Judge

WON = 10_000.0
FAR = 99

# Some texts are worth more than the strength beside them.
_TEXT_WORTH = {"boromir": 60, "frodo": 0, "gandalf": 15, "aragorn": 20, "warg": 40, "orcs": 50}
PIECE_WORTH = tuple(
    20.0 + 12 * max(0, min(strength, 7)) + _TEXT_WORTH.get(key, 0)
    for key, strength in zip(CHARACTER, STRENGTH, strict=True)
)
CARD_WORTH = tuple(
    14.0 if text else 4.0 * number for text, number in zip(IS_TEXT, NUMBER, strict=True)
)

EVEN = 370.0  # what Good lacks on average between equals, all else below counted
STEP_OF_THE_RING = 35.0
GUARD = 60.0  # a Dark piece on the Ring-bearer's best way
THREAT = 220.0  # the Ring-bearer may be attacked next turn
IN_SHIRE = (0.0, 60.0, 250.0, 250.0, 250.0)  # by how many Dark pieces stand there
STEP_TO_SHIRE = 8.0


class Confrontation(Judge):
    """Who wins the race for Mordor, and with what."""

    scale = 200.0

    def value(self, game: Game[Board], seat: Seat) -> float:
        b = game.board
        worth = _worth(b)
        lead = b.points[seat] - b.points[1 - seat]
        return (worth if b.side_of(seat) == GOOD else -worth) + lead * WON / 10

    def is_settled(self, game: Game[Board], seat: Seat) -> bool:
        """Whether a turn is about to begin: no battle is under way, nothing is half placed."""
        question = game.question()
        return question is None or question.prompt == "turn.move"


JUDGE = Confrontation()


def _worth(b: Board) -> float:
    if b.result != UNDECIDED:
        return 0.0 if b.result == DRAWN else WON if b.result == GOOD else -WON
    return EVEN + _material(b) + _ring(b) - _shire(b) + _hands(b)


def _material(b: Board) -> float:
    good = sum(PIECE_WORTH[b.face[piece]] for piece in b.pieces_in_play(GOOD))
    dark = sum(PIECE_WORTH[b.face[piece]] for piece in b.pieces_in_play(DARK))
    return good - dark


def _hands(b: Board) -> float:
    good, dark = (sum(CARD_WORTH[card] for card in bits(hand)) for hand in b.hands)
    return good - dark


# The Ring.


def _ring(b: Board) -> float:
    """How far the Ring has come, how open its way is, and whether it is in danger."""
    if b.bearer == NOBODY or b.place[b.bearer] >= TUNNEL:
        return 0.0
    here = b.place[b.bearer]
    worth = -_way(b, here)
    if b.turn == DARK:
        worth -= THREAT * _danger(b, here)
    return worth


def _way(b: Board, here: int) -> float:
    """The cheapest way to Mordor: its steps, and the Dark pieces that stand on it."""
    if here == MORDOR:
        return 0.0
    guards = [0.0] * TUNNEL
    for piece in b.pieces_in_play(DARK):
        if b.place[piece] < TUNNEL and b.place[piece] != MORDOR:
            guards[b.place[piece]] += GUARD
    cost: dict[int, float] = {MORDOR: 0.0}
    for region in _HOMEWARD[here]:
        ways = [guards[to] + cost[to] for to in STEPS[GOOD][region]]
        cost[region] = STEP_OF_THE_RING + min(ways, default=FAR * STEP_OF_THE_RING)
    return cost[here]


def _homeward(here: int) -> tuple[int, ...]:
    """All regions that the Ring may come through from here, each after those that follow it."""
    order: dict[int, None] = {}
    for to in STEPS[GOOD][here]:
        if to != MORDOR:
            order |= dict.fromkeys(_homeward(to))
    return (*order, here)


_HOMEWARD = tuple(_homeward(region) if region != MORDOR else () for region in range(TUNNEL))


def _danger(b: Board, here: int) -> float:
    """About how likely it is that Dark can attack the Ring-bearer next turn and he cannot flee."""
    attackers = sum(_can_attack(b, piece, here) for piece in b.pieces_in_play(DARK))
    if not attackers:
        return 0.0
    found = 1 / max(1, b.number_at(GOOD, here))
    flees = any(not b.number_at(DARK, to) and b.has_room(GOOD, to) for to in SIDEWAYS[here])
    return found * (0.4 if flees else 1.0) * (1 if attackers == 1 else 1.2)


def _can_attack(b: Board, piece: int, here: int) -> bool:
    start, reach = b.place[piece], REACH[b.face[piece]]
    if here in FORWARD[DARK][start]:
        return True
    if reach == BESIDE:
        return here in SIDEWAYS[start]
    return reach == LONE and b.number_at(GOOD, here) == 1


# The Shire.

_TO_SHIRE = {SHIRE: 0}
for _region in range(TUNNEL):
    if _region != SHIRE:
        _TO_SHIRE[_region] = 1 + min(_TO_SHIRE.get(to, FAR) for to in FORWARD[DARK][_region])


def _shire(b: Board) -> float:
    """What Dark has of the three it needs in the Shire: those there, and the nearest others."""
    steps = sorted(_TO_SHIRE[b.place[piece]] for piece in b.pieces_in_play(DARK))
    nearest = sum(6 - step for step in steps[:3])
    return IN_SHIRE[b.number_at(DARK, SHIRE)] + STEP_TO_SHIRE * nearest
