"""War of the Ring, as the rest of Bree knows it."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from services.core.contract import Option, Options, Rules
from services.core.decisions import Action, Ask, Event, Pick, Seat
from services.core.errors import Invalid
from services.core.frames import Frame, Game
from services.core.stacked import StackRules, position
from services.core.vocabulary import Vocabulary
from services.warofthering import settings, words
from services.warofthering.audit import audit
from services.warofthering.board import Board
from services.warofthering.board.gist import gist
from services.warofthering.cards import decks, verbs
from services.warofthering.guess import guess
from services.warofthering.play import (
    abilities,
    aftermath,
    armies,
    asking,
    attack,
    battle,
    casualties,
    characters,
    combat_cards,
    combat_effects,
    deeds,
    ending,
    event_effects,
    events,
    fellowship,
    forces,
    hands,
    journey,
    marches,
    separation,
    sorcery,
    stacking,
    turn,
    volley,
)
from services.warofthering.play.asking import BACK
from services.warofthering.play.hunt import draws, roll, tile, toll, warding
from services.warofthering.play.muster import dice, entries, levy
from services.warofthering.tables import (
    CARDS,
    FACES,
    FIGURES,
    REGIONS,
    TILES,
)
from services.warofthering.view import View, view

G = Game[Board]

_CHAPTERS: tuple[ModuleType, ...] = (
    abilities, aftermath, armies, asking, attack, battle, casualties, characters, combat_cards,
    combat_effects, dice, draws, entries, event_effects, events, fellowship, forces, hands,
    journey, levy, marches, roll, separation, sorcery, stacking, tile, toll, turn, verbs, volley,
    warding,
    *decks.MODULES,
)  # fmt: skip


def _frames_in(module: ModuleType) -> list[type[Frame]]:
    """The kinds of frames that a module defines; a question without a prompt is a pattern."""
    kinds = [kind for kind in vars(module).values() if isinstance(kind, type)]
    return [
        kind
        for kind in kinds
        if issubclass(kind, Frame)
        and kind.__module__ == module.__name__
        and bool(getattr(kind, "prompt", True))
    ]


_KINDS = tuple(kind for module in _CHAPTERS for kind in _frames_in(module))


class WarOfTheRing(StackRules[Board]):
    """The Free Peoples and the Shadow: armies, the Fellowship, and the Hunt for the Ring."""

    name = "warofthering"
    title = "War of the Ring"
    edition = 2
    options: tuple[Option, ...] = settings.OPTIONS
    presets = settings.PRESETS
    preset_meanings = settings.PRESET_MEANINGS
    frames = _KINDS
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

    def bound(self, options: Options) -> int | None:
        return None

    def setup(self, options: Options) -> G:
        g = Game(Board(settings.resolve(options)), [turn.Turn()])
        g.advance()
        g.events.clear()
        return g

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
        told, g.events = g.events, []
        return told

    def view(self, g: G, seat: Seat | None) -> View:
        return view(g, seat)

    def scores(self, g: G) -> tuple[int, ...]:
        return ending.scores(g.board)

    def forfeit(self, g: G, seat: Seat) -> list[Event]:
        ending.conclude(g, 1 - g.board.settings.sides[seat], "forfeit")
        told, g.events = g.events, []
        return told

    def guess(self, g: G, seat: Seat, pick: Pick) -> G:
        return guess(g, seat, pick)

    def audit(self, g: G) -> None:
        audit(g)

    def dump_board(self, board: Board) -> list[Any]:
        return board.dump()

    def gist(self, g: G) -> bytes:
        """A position in short, for digests: positions that differ have different gists."""
        return position(gist(g.board), g.stack)

    def load_board(self, saved: list[Any]) -> Board:
        options = dict(saved[0])
        agreed = self.agree(options)
        if list(agreed.items()) != list(options.items()):
            raise Invalid("a saved position has every option", said=repr(saved[0])[:80])
        return Board.load(settings.resolve(agreed), saved)

    def question(self, g: G, seat: Seat) -> str:
        return words.question(g, seat)

    def sentence(self, g: G, seat: Seat, action: Action) -> str:
        return words.sentence(g, seat, action)

    def report(self, event: Event) -> str:
        return words.report(event)


RULES: Rules[Board] = WarOfTheRing()
