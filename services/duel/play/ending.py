"""Victory (RULES 13): what ends a game, checked after every change that can do so.

Only the side on turn can win before the last chapter is over: nothing it does helps the other.
"""

from __future__ import annotations

from services.core.frames import Game
from services.duel.board import SHARED, Board
from services.duel.tables import EAGLE, FELLOWSHIP, RACES, SAURON, SIDES

G = Game[Board]


def conclude(g: G, winner: int, reason: str) -> None:
    """End the game at once; what was under way is left as it is."""
    b = g.board
    b.result, b.reason = winner, reason
    facts = {"winner": None if winner == SHARED else SIDES[winner], "reason": reason}
    g.emit("game_ended", facts, None)
    g.stop()


def check_conquest(g: G) -> bool:
    """End the game if the side on turn is present everywhere; whether it has ended."""
    b = g.board
    if not b.is_everywhere(b.turn):
        return False
    conclude(g, b.turn, "conquest")
    return True


def support(b: Board, side: int) -> int:
    """How many of the six races support a side; the Eagle counts as one."""
    return len(b.different_races(side)) + b.has_token(side, EAGLE)


def check_support(g: G) -> bool:
    """End the game if enough races support the side on turn; whether it has ended."""
    b = g.board
    if support(b, b.turn) < len(RACES):
        return False
    conclude(g, b.turn, "support_of_the_races")
    return True


def compare_presence(g: G) -> None:
    """After the last chapter: whoever is present in more regions wins (RULES 13)."""
    fellowship, sauron = (g.board.presence(side) for side in (FELLOWSHIP, SAURON))
    if fellowship == sauron:
        conclude(g, SHARED, "equal_regions")
    else:
        conclude(g, FELLOWSHIP if fellowship > sauron else SAURON, "most_regions")
