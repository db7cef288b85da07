"""Windows: the moments at which cards may be played, and who is asked (RULES 9.3).

Design. Only players who hold a card that is legal in a window are asked, unless the option asks
everybody; so being asked, and not being asked, tells something. What it tells is noted on the
board, and the worlds that `guess` makes agree with it. Which cards a window admits depends on
public facts alone. What the cards do is in `cards/power.py`; who opens a window goes on when all
have passed.

The window before an invasion is part of naming it: until a card is played there, or the invasion is
declared, nobody else learns that it is open, and what it tells is noted only then.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from services.core.decisions import Action, Seat
from services.core.frames import Game, Procedure, Question
from services.risk.board import UNDERGROUND, Board
from services.risk.cards.power import admitted, resolve
from services.risk.play.counts import BACK, TAKEN_BACK
from services.risk.tables import ADVENTURES, STEM, TERRITORIES, bits

G = Game[Board]

PASS = Action("pass")
NAMING = "pre_invasion"
"""The window that is a part of naming an invasion."""


def cards_of(b: Board, seat: int, cards: int) -> tuple[int, ...]:
    """Those of these cards that a seat holds; of two copies, the first."""
    held = bits(b.hands[seat] & cards)
    return tuple([c for n, c in enumerate(held) if not n or STEM[held[n - 1]] != STEM[c]])


def is_asked(b: Board, seat: int, cards: int, *, seen: bool = True) -> bool:
    """Whether a seat is asked for one of these cards.

    All others see whether it is; or, unless it is `seen`, only that it is not.
    """
    if not cards or not b.hands[seat] or b.locked >> seat & 1 or not b.is_in(seat):
        return False
    if b.charter.asks_everybody:
        return True
    if b.hands[seat] & cards:
        if seen:
            b.attest(seat, cards)
        return True
    b.deny(seat, cards)
    return False


def open_window(
    g: G, kind: str, seats: tuple[int, ...], source: int = 0, target: int = 0, *, once: bool = False
) -> None:
    """Let these seats play, one after the other; nothing happens if nobody is asked."""
    b = g.board
    seen = kind != NAMING or bool(b.boons & UNDERGROUND)
    for number, seat in enumerate(seats):
        if is_asked(b, seat, admitted(b, kind, seat, source, target), seen=seen):
            g.call(Window(0, (), kind, seats, source, target, int(once), number))
            return


@dataclass(slots=True)
class Window(Procedure):
    """Seats are asked in turn, and again after each card, until nobody plays (RULES R16).

    Hands back the last card played, if one was.
    """

    kind: str = ""
    seats: tuple[int, ...] = ()
    source: int = 0  # of the invasion, where there is one
    target: int = 0
    once: int = 0  # at most one card is played
    next: int = 0
    card: int = -1

    script: ClassVar[tuple[str, ...]] = ("ask", "answer", "resolve", "ask_again")

    def is_secret(self, b: Board) -> bool:
        """Whether only the seat that is asked knows that the window is open."""
        return self.kind == NAMING and self.card < 0 and not b.boons & UNDERGROUND

    def admits(self, b: Board, seat: int) -> int:
        """The cards that a seat may play here, if it holds them."""
        return admitted(b, self.kind, seat, self.source, self.target)

    def ask(self, g: G) -> None:
        b = g.board
        while self.next < len(self.seats):
            seat = self.seats[self.next]
            if is_asked(b, seat, self.admits(b, seat), seen=not self.is_secret(b)):
                g.call(PlayCard(seat=seat))
                return
            self.next += 1
        g.done(*[self.card] if self.card >= 0 else [])

    def answer(self, g: G) -> None:
        b = g.board
        if self.got == (TAKEN_BACK,):
            g.done(TAKEN_BACK)
        elif self.got:
            if self.is_secret(b):
                tell_target(g, self.source, self.target)
            (self.card,) = self.got
        else:
            if self.is_secret(b) and not b.charter.asks_everybody:
                b.attest(self.seats[self.next], self.admits(b, self.seats[self.next]))
            self.next += 1
            self.go_to("ask")

    def resolve(self, g: G) -> None:
        seat = self.seats[self.next]
        play(g, seat, self.card)
        resolve(g, seat, self.card, self.source, self.target)

    def ask_again(self, g: G) -> None:
        self.next = len(self.seats) if self.once else 0
        self.go_to("ask")


def tell_target(g: G, source: int, target: int) -> None:
    """Say what is about to be invaded, since a card is played for it."""
    facts = {"from": TERRITORIES[source], "to": TERRITORIES[target]}
    g.emit("target_named", facts, None)


def play(g: G, seat: int, card: int) -> None:
    """A card leaves a hand and lies open before its player, where it scores."""
    b = g.board
    b.play_adventure(seat, card)
    g.emit("card_played", {"seat": b.name(seat), "card": ADVENTURES[card]}, None)


@dataclass(slots=True)
class PlayCard(Question[Board]):
    """A seat plays one of the cards that the window admits, or passes."""

    seat: int = 0
    prompt: ClassVar[str] = "window.play"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (self.seat,) if g.board.is_in(self.seat) else ()

    def window(self, g: G) -> Window:
        """The window that asks."""
        window = g.stack[-2]
        assert isinstance(window, Window)
        return window

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        w, b = self.window(g), g.board
        cards = admitted(b, w.kind, seat, w.source, w.target)
        # An invasion may be taken back as long as no card was played for it (RULES 6.1).
        back = [BACK] if w.is_secret(b) else []
        return [PASS, *back, *(Action("play", (card,)) for card in cards_of(b, seat, cards))]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        g.done(*([TAKEN_BACK] if action == BACK else action.nouns))
