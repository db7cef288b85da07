"""What the Hunt costs (RULES 13.8, 14, 15.3): Corruption, Companions and what follows from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from services.core.frames import Game, Procedure
from services.warofthering.board import Board
from services.warofthering.play import kept, politics
from services.warofthering.play.asking import ANSWERS, choose, choose_word, say
from services.warofthering.play.ending import ended_by_corruption
from services.warofthering.play.hunt.draws import RandomDiscard
from services.warofthering.play.separation import (
    ChooseGuide,
)
from services.warofthering.tables import (
    CARDS_IN,
    CHARACTER_DECK,
    FREE,
    SHADOW,
)

G = Game[Board]


def hunter(b: Board) -> int:
    """The seat that decides for the Hunt: the leader of the Shadow (19.2)."""
    return b.leading[SHADOW]


def corrupt(g: G, amount: int) -> None:
    """Corruption is added or healed; at twelve the game is over, at once (18.1)."""
    before = g.board.corruption
    g.board.corrupt(amount)
    if g.board.corruption != before:
        say(g, "corruption_changed", corruption=g.board.corruption)
        ended_by_corruption(g)


def reducers(b: Board) -> list[int]:
    """The cards on the table that lower the damage of a tile."""
    return [card for card in (kept.AXE_AND_BOW, kept.HORN_OF_GONDOR) if b.is_on_table(card)]


def step_on_track(g: G) -> None:
    """One step further on the Mordor Track."""
    g.board.mordor += 1
    say(g, "mordor_step", step=g.board.mordor)


@dataclass(slots=True)
class Aftermath(Procedure):
    """After a casualty: a new Guide, and Worn with Sorrow and Toil."""

    script: ClassVar[tuple[str, ...]] = ("choose_guide", "ask_sorrow", "strip", "strip_table")

    def choose_guide(self, g: G) -> None:
        g.call(ChooseGuide())

    def ask_sorrow(self, g: G) -> None:
        b = g.board
        if not b.is_on_table(kept.WORN_WITH_SORROW):
            g.done()
            return
        words = ["no"]
        words += ["hand"] * any(b.hand(seat, CHARACTER_DECK) for seat in b.settings.teams[FREE])
        words += ["table"] * bool(character_cards_on_table(b))
        choose_word(g, hunter(b), words, "worn_with_sorrow")

    def strip(self, g: G) -> None:
        word = ANSWERS[self.got[0]]
        if word == "hand":
            g.call(RandomDiscard(deck=CHARACTER_DECK))
        elif word == "table":
            cards = character_cards_on_table(g.board)
            choose(g, hunter(g.board), "card", cards, "worn_with_sorrow")

    def strip_table(self, g: G) -> None:
        for card in self.got:
            politics.discard_from_table(g, card)


def character_cards_on_table(b: Board) -> list[int]:
    """The Character cards that the Free Peoples have on the table."""
    return [card for card in b.table_cards(FREE) if card in CARDS_IN[FREE][CHARACTER_DECK]]
