"""Matches that begin where a Dark piece in Moria may be the Balrog, for all that Good knows.

Design. A match begins at a position that random play has come to, just before Good moves into the
tunnel; the limit of turns, an option like any other, says at which.
"""

from __future__ import annotations

import random
from typing import NamedTuple

from services import rules_of
from services.core.decisions import CHANCE

RULES = rules_of("confrontation")
OPTION, PROMPT = "draw_ply_cap", "tunnel.ambush"


class Place(NamedTuple):
    """A position, and the move of Good's after which Dark is asked."""

    saved: bytes
    move: str


def places(limit, *, choices):
    """Random games under this limit, stopped before a move that leads to such a question."""
    for seed in range(100_000):
        pick = random.Random(f"{limit} {choices} {seed}")
        game = RULES.setup(RULES.agree({OPTION: str(limit)}))
        while waiting := RULES.waiting(game):
            if waiting == (CHANCE,):
                RULES.apply(game, CHANCE, RULES.deal(game, pick.randrange))
                continue
            ask = RULES.ask(game, waiting[0])
            for action in ask.actions if ask.prompt == "turn.move" and waiting == (0,) else ():
                after = game.copy()
                RULES.apply(after, 0, action)
                if RULES.waiting(after) == (1,):
                    put = RULES.ask(after, 1)
                    if put.prompt == PROMPT and len(put.actions) == choices:
                        return Place(RULES.dump(game), RULES.spell(action))
            RULES.apply(game, waiting[0], pick.choice(ask.actions))
    raise AssertionError("never asked")


class Tunnel(type(RULES)):
    """The Confrontation, begun at one of some places."""

    def __init__(self, known):
        super().__init__()
        self.known = known

    def setup(self, options):
        return self.load(self.known[options[OPTION]].saved)
