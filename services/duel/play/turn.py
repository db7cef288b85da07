"""Chapters and turns (RULES 3, 4.2, 12): laying out, one turn after another, the end.

Order of reading: the match, then what chance and the side on turn are asked in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from services.core.decisions import Action, Pick, Seat
from services.core.frames import Game, Procedure, Question
from services.duel.board import FACE_DOWN, IN_STACK, OFFERED, Board
from services.duel.play.armies import PASS
from services.duel.play.ending import compare_presence
from services.duel.play.taking import MainChoice
from services.duel.tables import (
    CARDS,
    CHAPTERS,
    FACE_UP,
    FACE_UP_TILES,
    SET_ASIDE,
    SIDES,
    TILES,
    available,
)

G = Game[Board]

DEAL = tuple(Action("deal", (card,)) for card in range(len(CARDS)))
ASIDE = tuple(Action("set_aside", (card,)) for card in range(len(CARDS)))
TURN_UP = tuple(Action("turn_up", (tile,)) for tile in range(len(TILES)))
AGAIN = Action("again")


@dataclass(slots=True)
class Match(Procedure):
    """Three chapters, each of turns until its display is empty."""

    script: ClassVar[tuple[str, ...]] = (
        "open_chapter",
        "set_aside",
        "turn_up_landmarks",
        "offer_turn",
        "pass_on",
        "choose",
        "reveal",
        "close_chapter",
    )

    def open_chapter(self, g: G) -> None:
        b = g.board
        b.open_chapter()
        g.emit("chapter_began", {"chapter": b.chapter}, None)
        g.call(DealCards(slots=FACE_UP[b.chapter - 1]))

    def set_aside(self, g: G) -> None:
        g.call(SetAside(count=SET_ASIDE))

    def turn_up_landmarks(self, g: G) -> None:
        g.call(TurnUpLandmarks())

    def offer_turn(self, g: G) -> None:
        if g.board.extra and g.board.settings.refusable:
            g.call(TakeExtraTurn())

    def pass_on(self, g: G) -> None:
        b = g.board
        if self.got:  # the extra turn is refused
            b.extra -= 1
            self.go_to("offer_turn")
            return
        if b.extra:
            b.extra -= 1
        elif b.turns:
            b.turn = 1 - b.turn
        b.turns += 1

    def choose(self, g: G) -> None:
        g.call(MainChoice())

    def reveal(self, g: G) -> None:
        b = g.board
        slots = [s for s in available(b.chapter, b.left) if b.display[s] == FACE_DOWN]
        if slots:
            g.call(DealCards(slots=tuple(slots)))

    def close_chapter(self, g: G) -> None:
        b = g.board
        if b.left:
            self.go_to("offer_turn")
            return
        b.close_chapter()
        if b.chapter == len(CHAPTERS):
            compare_presence(g)  # an extra turn still due is lost (ruling R-15)
        else:
            self.at = 0


@dataclass(slots=True)
class DealCards(Question[Board]):
    """Chance says which cards are turned up, slot by slot."""

    slots: tuple[int, ...] = ()

    prompt: ClassVar[str] = "chapter.deal"

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return [DEAL[card] for card in g.board.bag]

    def allows(self, g: G, seat: Seat, action: Action) -> bool:
        return action.verb == "deal" and action.nouns[0] in g.board.bag

    def deal(self, g: G, pick: Pick) -> Action:
        bag = g.board.bag
        return DEAL[bag[pick(len(bag))]]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        slot, *rest = self.slots
        (card,) = action.nouns
        g.board.turn_up(slot, card)
        g.emit("card_revealed", {"slot": slot, "card": CARDS[card]}, None)
        if rest:
            self.slots = tuple(rest)
        else:
            g.done()


@dataclass(slots=True)
class SetAside(Question[Board]):
    """Chance puts cards into the discard pile that nobody sees."""

    count: int = 0

    prompt: ClassVar[str] = "chapter.set_aside"

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return [ASIDE[card] for card in g.board.bag]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        (card,) = action.nouns
        g.board.put_aside(card)
        g.emit("card_set_aside", {"card": CARDS[card]})
        self.count -= 1
        if not self.count:
            g.done()


@dataclass(slots=True)
class TurnUpLandmarks(Question[Board]):
    """Chance turns up tiles until three are face up, or none is left (ruling R-37)."""

    prompt: ClassVar[str] = "chapter.landmark"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        tiles = g.board.tiles
        needed = tiles.count(OFFERED) < FACE_UP_TILES and IN_STACK in tiles
        return Question.waiting(self, g) if needed else ()

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return [TURN_UP[tile] for tile, where in enumerate(g.board.tiles) if where == IN_STACK]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        (tile,) = action.nouns
        g.board.tiles[tile] = OFFERED
        g.emit("landmark_revealed", {"landmark": TILES[tile]}, None)


@dataclass(slots=True)
class TakeExtraTurn(Question[Board]):
    """Whether an extra turn is taken, once the new cards are seen, if it may be refused (D14)."""

    prompt: ClassVar[str] = "turn.again"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (g.board.turn,)

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return (PASS, AGAIN)

    def take(self, g: G, seat: Seat, action: Action) -> None:
        if action == PASS:
            g.emit("extra_turn_refused", {"side": SIDES[seat]}, None)
            g.done(1)
        else:
            g.done()
