"""War of the Ring, as the rest of Bree knows it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from services.core.contract import Option, Options, Rules
from services.core.decisions import Action, Ask, Event, Seat
from services.core.frames import Game
from services.core.stacked import Delegates, StackRules
from services.core.vocabulary import Vocabulary
from services.manifests import manifests
from services.warofthering import settings, words
from services.warofthering.audit import audit
from services.warofthering.board import Board
from services.warofthering.board.gist import gist
from services.warofthering.guess import guess
from services.warofthering.play import (
    asking,
    deeds,
    ending,
    turn,
)
from services.warofthering.play.asking import BACK
from services.warofthering.tables import (
    CARDS,
    FACES,
    FIGURES,
    REGIONS,
    TEAM_NAMES,
    TILES,
)
from services.warofthering.view import view

G = Game[Board]


class WarOfTheRing(StackRules[Board]):
    """The Free Peoples and the Shadow: armies, the Fellowship, and the Hunt for the Ring."""

    name = "warofthering"
    title = manifests()["warofthering"].title
    edition = 2
    options: tuple[Option, ...] = settings.OPTIONS
    presets = settings.PRESETS
    preset_meanings = settings.PRESET_MEANINGS
    delegates = Delegates(words, view, guess, audit, Board.dump, gist)
    first = turn.Turn
    vocabulary = Vocabulary(
        {
            **{f"roll{n}": (asking.PIPS,) * n for n in range(1, asking.LARGEST_ROLL + 1)},
            **{f"dice{n}": (FACES,) * n for n in range(1, 11)},
            "draw": (CARDS,),
            "discard": (CARDS,),
            "keep": (),
            "swap": (CARDS,),
            "tile": (TILES,),
            "companion": (FIGURES,),
            "pass": (),
            "skip": (FACES,),
            "act": (FACES, deeds.DEED_NAMES),
            "back": (),
            "ring": (FACES, FACES),
            "decline": (),
            **{verb: (names,) for verb, names in asking.NAMES.items()},
            "march": (REGIONS, REGIONS),
            "part": (REGIONS,),
            "all": (),
            "go": (),
            "take": (FIGURES,),
            "leave": (FIGURES,),
            "remove": (FIGURES,),
            "recruit": (FIGURES, REGIONS),
            "play": (CARDS,),
            "no_card": (),
            "combat": (CARDS,),
            "usual": (),
            "lose": (FIGURES,),
            "reduce": (FIGURES,),
        }
    )

    def agree(self, chosen: Options) -> Options:
        options = super().agree(chosen)
        settings.check(options)
        return options

    def seats(self, options: Options) -> tuple[str, ...]:
        return settings.resolve(options).seats

    def teams(self, options: Options) -> Mapping[str, tuple[Seat, ...]]:
        agreed = settings.resolve(options)
        return dict(zip(TEAM_NAMES, agreed.teams, strict=True)) if agreed.has_teams else {}

    def bound(self, options: Options) -> int | None:
        return None

    def board(self, options: Options) -> Board:
        return Board(settings.resolve(options))

    def ask(self, g: G, seat: Seat) -> Ask:
        """The question on top; in one that is part of an action the seat may take that back."""
        asked = super().ask(g, seat)
        if turn.can_take_back(g.board, seat):
            return Ask(asked.prompt, (*asked.actions, BACK))
        return asked

    def allows(self, g: G, seat: Seat, action: Action) -> bool:
        if action == BACK:
            return turn.can_take_back(g.board, seat)
        return super().allows(g, seat, action)

    def apply(self, g: G, seat: Seat, action: Action) -> list[Event]:
        turn.settle_action(g.board, seat)
        if action != BACK:
            return super().apply(g, seat, action)
        turn.take_back(g)
        g.advance()
        return g.drain()

    def scores(self, g: G) -> tuple[int, ...]:
        return ending.scores(g.board)

    def give_up(self, g: G, seat: Seat) -> None:
        ending.conclude(g, 1 - g.board.settings.sides[seat], "forfeit")

    def load_board(self, saved: list[Any]) -> Board:
        return Board.load(settings.resolve(self.agreed(saved[0])), saved)


RULES: Rules[Board] = WarOfTheRing()
