"""What chance draws for the Hunt: tiles, a Companion, a card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from services.core.decisions import CHANCE, Action, Pick, Seat
from services.core.frames import Game, Question
from services.warofthering.board import Board
from services.warofthering.play.asking import say
from services.warofthering.play.hands import discard_unseen
from services.warofthering.tables import (
    CHARACTER_DECK,
    DRAWN,
    FIGURES,
    FREE,
    POOL,
    STANDARD_TILES,
    TILE_COUNT,
    TILES,
)

G = Game[Board]


@dataclass(slots=True)
class RandomDiscard(Question[Board]):
    """Chance discards one card of a deck from the hands of the Free Peoples; hands back nothing."""

    prompt: ClassVar[str] = "chance.discard"

    deck: int = CHARACTER_DECK

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (CHANCE,) if self._cards(g.board) else ()

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return [Action("discard", (card,)) for card in self._cards(g.board)]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        (card,) = action.nouns
        seats = range(len(g.board.settings.seats))
        holder = next(s for s in seats if card in g.board.hand(s))
        discard_unseen(g, holder, card)
        g.done()

    def _cards(self, b: Board) -> list[int]:
        return [card for seat in b.settings.teams[FREE] for card in b.hand(seat, self.deck)]


@dataclass(slots=True)
class DrawTile(Question[Board]):
    """Chance draws a tile from the Hunt Pool, refilled when it is empty; hands back its kind.

    `held` are those drawn for the same purpose, which do not go back when it is refilled (S27).
    """

    prompt: ClassVar[str] = "chance.tile"

    held: tuple[int, ...] = ()

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (CHANCE,)

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return [Action("tile", (tile,)) for tile, n in self._pool(g.board) if n]

    def deal(self, g: G, pick: Pick) -> Action:
        bag = [tile for tile, n in self._pool(g.board) for _ in range(n)]
        return Action("tile", (bag[pick(len(bag))],))

    def take(self, g: G, seat: Seat, action: Action) -> None:
        b = g.board
        if not b.tile_total(POOL):
            for tile, number in self._pool(b):
                b.move_tile(tile, DRAWN, POOL, number)
        (tile,) = action.nouns
        b.move_tile(tile, POOL, DRAWN)
        say(g, "tile_drawn", tile=TILES[tile])
        g.done(tile)

    def _pool(self, b: Board) -> list[tuple[int, int]]:
        if b.tile_total(POOL):
            return [(tile, b.tiles_in(POOL, tile)) for tile in range(TILE_COUNT)]
        held = self.held
        return [(tile, b.tiles_in(DRAWN, tile) - held.count(tile)) for tile in STANDARD_TILES]


@dataclass(slots=True)
class RandomCompanion(Question[Board]):
    """Chance picks a Companion of the Fellowship; hands him back."""

    prompt: ClassVar[str] = "chance.companion"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (CHANCE,) if g.board.company() else ()

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return [Action("companion", (who,)) for who in g.board.company()]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        say(g, "companion_picked", companion=FIGURES[action.nouns[0]])
        g.done(*action.nouns)
