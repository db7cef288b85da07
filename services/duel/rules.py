"""Duel for Middle-earth, as the rest of Bree knows it."""

from __future__ import annotations

from typing import Any

from services.core.contract import Option, Options, Rules
from services.core.decisions import Seat
from services.core.frames import Game
from services.core.stacked import Delegates, StackRules
from services.core.vocabulary import Vocabulary
from services.duel import settings, words
from services.duel.audit import audit
from services.duel.board import SHARED, UNDECIDED, Board
from services.duel.cards import effects
from services.duel.guess import guess
from services.duel.play import turn
from services.duel.tables import (
    CARDS,
    CHAPTERS,
    GOAL,
    RACES,
    REGIONS,
    SET_ASIDE,
    SIDES,
    SLOTS,
    TILES,
    TOKENS,
)
from services.duel.view import view
from services.manifests import manifests

G = Game[Board]

STEPS = tuple(map(str, range(GOAL + 1)))

DECISIONS_A_TURN = 60
"""Two cards of the discard pile, three alliances and all their movements in one turn are fewer."""


class Duel(StackRules[Board]):
    """Two sides draft from an open display; a map, a race on a track, and alliances."""

    name = "duel"
    title = manifests()["duel"].title
    edition = 2
    options: tuple[Option, ...] = settings.OPTIONS
    presets = settings.PRESETS
    preset_meanings = settings.PRESET_MEANINGS
    delegates = Delegates(words, view, guess, audit, Board.dump, Board.gist)
    first = turn.Match
    vocabulary = Vocabulary(
        {
            "deal": (CARDS,),
            "set_aside": (CARDS,),
            "turn_up": (TILES,),
            "draw": (TOKENS,),
            "discard": (CARDS,),
            "play": (CARDS,),
            "landmark": (TILES,),
            "again": (),
            "pass": (),
            "advance": (STEPS,),
            "build": (REGIONS,),
            "place": (REGIONS,),
            "move": (REGIONS, REGIONS),
            "remove": (REGIONS,),
            "raze": (REGIONS,),
            "keep": (TOKENS,),
            "call": (RACES,),
            "unite": (RACES, RACES, RACES),
            "strip": (CARDS,),
            "maneuver": (effects.MANEUVER_WORDS,),
        }
    )

    def seats(self, options: Options) -> tuple[str, ...]:
        return SIDES

    def bound(self, options: Options) -> int | None:
        turns = len(CHAPTERS) * SLOTS + len(TILES)
        chance = len(CHAPTERS) * (SLOTS + SET_ASIDE) + len(TILES) + len(TOKENS)
        return turns * DECISIONS_A_TURN + chance

    def board(self, options: Options) -> Board:
        return Board(settings.resolve(options))

    # A shared victory is one for both (RULES 13).
    def scores(self, g: G) -> tuple[int, ...]:
        result = g.board.result
        if result == UNDECIDED:
            return (0, 0)
        if result == SHARED:
            return (1, 1)
        return (1, -1) if result == 0 else (-1, 1)

    def give_up(self, g: G, seat: Seat) -> None:
        b = g.board
        b.result, b.reason = 1 - seat, "forfeit"
        g.emit("game_ended", {"winner": SIDES[b.result], "reason": b.reason}, None)
        g.stop()

    def load_board(self, saved: list[Any]) -> Board:
        return Board.load(settings.resolve(self.agreed(saved[0])), saved)


RULES: Rules[Board] = Duel()
