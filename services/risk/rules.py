"""Risk: The Lord of the Rings Trilogy Edition, as the rest of Bree knows it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from services.core.contract import Option, Options, Rules
from services.core.decisions import Seat
from services.core.errors import Invalid
from services.core.frames import Game
from services.core.stacked import Delegates, StackRules
from services.core.vocabulary import Vocabulary
from services.manifests import manifests
from services.risk import settings, words
from services.risk.audit import audit
from services.risk.board import Board
from services.risk.guess import guess
from services.risk.play import (
    combat,
    ending,
    saving,
    setup,
)
from services.risk.tables import (
    ADVENTURES,
    BRIDGES,
    MOMENTS,
    NUMBERS,
    TEAM_NAMES,
    TERRITORIES,
    TERRITORY_CARDS,
    THROWS,
)
from services.risk.view import view

G = Game[Board]


class Risk(StackRules[Board]):
    """Two to four armies, dice and territories, cards that interrupt, and the Ring on its way."""

    name = "risk"
    title = manifests()["risk"].title
    edition = 3
    options: tuple[Option, ...] = settings.OPTIONS
    presets = settings.PRESETS
    preset_meanings = settings.PRESET_MEANINGS
    delegates = Delegates(words, view, guess, audit, saving.dump, saving.gist)
    first = setup.Match
    vocabulary = Vocabulary(
        {
            "deal": (TERRITORIES,),
            "claim": (TERRITORIES,),
            "muster": (TERRITORIES,),
            "place": (TERRITORIES, NUMBERS),
            "into": (TERRITORIES,),
            "confirm": (),
            "station": (TERRITORIES,),
            "draw_territory": (TERRITORY_CARDS,),
            "draw_adventure": (ADVENTURES,),
            "deal_hand": (ADVENTURES,) * 4,
            "roll": (THROWS,),
            "battle": (THROWS, THROWS),
            "turn_in": (TERRITORY_CARDS,) * 3,
            "pass": (),
            "back": (),
            "play": (ADVENTURES,),
            "pass_turn": (),
            "never": (),
            "ask": (MOMENTS,),
            "spare": (MOMENTS,),
            "keep_missions": (),
            "complete_missions": (),
            "end_combat": (),
            "invade": (TERRITORIES, TERRITORIES),
            "assault": (TERRITORIES, TERRITORIES),
            "below": (TERRITORIES, TERRITORIES),
            "stop": (),
            "fight": (NUMBERS,),
            "press": (NUMBERS,),
            "switch": (TERRITORIES,),
            "defend": (NUMBERS,),
            "hold": (),
            "release": (),
            "move": (NUMBERS,),
            "all": (),
            "heap": (),
            "stay": (),
            "depart": (TERRITORIES,),
            "march": (TERRITORIES, TERRITORIES),
            "lead": (TERRITORIES, TERRITORIES),
            "discard": (ADVENTURES,),
            "block": (BRIDGES,),
            "bear": (TERRITORIES,),
            "withdraw": (TERRITORIES,),
            "withdraw_led": (TERRITORIES,),
            "help": (),
            "hinder": (),
        },
        tails=dict.fromkeys(combat.VERBS, ADVENTURES),
    )

    def agree(self, chosen: Options) -> Options:
        options = super().agree(chosen)
        settings.check(options)
        return options

    def seats(self, options: Options) -> tuple[str, ...]:
        return settings.resolve(options).seats

    def teams(self, options: Options) -> Mapping[str, tuple[Seat, ...]]:
        agreed = settings.resolve(options)
        if not agreed.has_teams:
            return {}
        seats = range(len(agreed.seats))
        return {
            name: tuple(seat for seat in seats if agreed.sides[seat] == side)
            for side, name in enumerate(TEAM_NAMES)
        }

    def bound(self, options: Options) -> int | None:
        return None  # the Ring may fail to leave a territory for ever

    def board(self, options: Options) -> Board:
        return Board(settings.resolve(options))

    # How many are below each; once the game is over the dice have broken a tie for the first place.
    def scores(self, g: G) -> tuple[int, ...]:
        return g.board.placing or ending.standing(g.board)

    def give_up(self, g: G, seat: Seat) -> None:
        b = g.board
        if b.is_in(seat):
            ending.give_up(g, seat)
            if ending.is_decided(b):
                g.stack[:] = [ending.Ending()]
            elif b.number and b.turn == seat:
                g.unwind()
            g.advance()

    def load_board(self, saved: list[Any]) -> Board:
        values = saved[0].split(" ")
        if len(values) != len(self.options):
            raise Invalid("a saved position has every option", said=repr(saved[0])[:80])
        agreed = self.agree({o.name: to for o, to in zip(self.options, values, strict=True)})
        return saving.load(settings.resolve(agreed), saved)


RULES: Rules[Board] = Risk()
