"""The Confrontation, as the rest of Bree knows it."""

from __future__ import annotations

from typing import Any

from services.confrontation import settings, words
from services.confrontation.audit import audit
from services.confrontation.board import DRAWN, UNDECIDED, Board
from services.confrontation.guess import guess
from services.confrontation.play import setup
from services.confrontation.tables import CARDS, CHARACTER_KEYS, REGIONS, SIDES, SPECIALS
from services.confrontation.view import view
from services.core.contract import Option, Options, Rules
from services.core.decisions import Seat
from services.core.frames import Game
from services.core.stacked import Delegates, StackRules
from services.core.vocabulary import Vocabulary
from services.manifests import manifests

G = Game[Board]

DECISIONS_A_TURN = 90
"""A turn has a move, a card's first step, four battles of at most 17 questions, and the Palantír
between their delegates; this is more than all of them."""


class Confrontation(StackRules[Board]):
    """Two sides, hidden pieces, sealed cards."""

    name = "confrontation"
    title = manifests()["confrontation"].title
    edition = 1
    options: tuple[Option, ...] = settings.OPTIONS
    presets = settings.PRESETS
    preset_meanings = settings.PRESET_MEANINGS
    delegates = Delegates(words, view, guess, audit, Board.dump, Board.gist)
    first = setup.Match
    vocabulary = Vocabulary(
        {
            "field": (CHARACTER_KEYS,),
            "choose": (SPECIALS,),
            "place": (CHARACTER_KEYS, REGIONS),
            "leave": (REGIONS,),
            "move": (CHARACTER_KEYS, REGIONS),
            "pass": (),
            "ambush": (CHARACTER_KEYS,),
            "random": (),
            "target": (CHARACTER_KEYS,),
            "stand": (),
            "retreat": (REGIONS,),
            "substitute": (CHARACTER_KEYS,),
            "show": (CHARACTER_KEYS,),
            "swap": (CHARACTER_KEYS,),
            "waive": (),
            "card": (CARDS,),
            "keep": (),
            "exchange": (CARDS,),
            "reject": (),
            "magic": (CARDS,),
            "fall": (),
            "escape": (REGIONS,),
            "gandalf_white": (),
            "shadowfax": (CHARACTER_KEYS, REGIONS),
            "king_revealed": (REGIONS,),
            "gwaihir": (REGIONS,),
            "palantir": (REGIONS,),
            "recall": (CHARACTER_KEYS,),
            "dark_of_mordor": (CHARACTER_KEYS, REGIONS),
            "crebain": (REGIONS,),
            "point": (CHARACTER_KEYS,),
            "expose": (CHARACTER_KEYS,),
        }
    )

    def agree(self, chosen: Options) -> Options:
        options = super().agree(settings.with_usual(chosen))
        settings.check(options)
        return options

    def seats(self, options: Options) -> tuple[str, ...]:
        return settings.resolve(options).seats

    def bound(self, options: Options) -> int | None:
        settled = settings.resolve(options)
        if settled.ply_cap is None:
            return None
        return settled.games * (40 + settled.ply_cap * DECISIONS_A_TURN)

    def board(self, options: Options) -> Board:
        return Board(settings.resolve(options))

    # One win counts one; a match of two games counts the winners' characters (RULES 8).
    def scores(self, g: G) -> tuple[int, ...]:
        b = g.board
        if b.settings.games > 1:
            return b.points
        if b.result in (UNDECIDED, DRAWN):
            return (0, 0)
        return (1, -1) if b.seat_of(b.result) == 0 else (-1, 1)

    def give_up(self, g: G, seat: Seat) -> None:
        b = g.board
        winner = 1 - b.side_of(seat)
        b.result, b.reason = winner, "forfeit"
        points = list(b.points)
        points[seat], points[1 - seat] = 0, max(points[1 - seat], 1)
        b.points = tuple(points)
        g.emit("game_ended", {"winner": SIDES[winner], "reason": "forfeit"}, None)
        g.stop()

    def load_board(self, saved: list[Any]) -> Board:
        return Board.load(settings.resolve(self.agreed(saved[0])), saved)


RULES: Rules[Board] = Confrontation()
