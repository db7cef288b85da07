"""Windows: the moments at which cards may be played on the turns of others (RULES 9.3).

Design. Who is asked depends on standing orders and on what lies open, never on a hand; so being
asked tells nothing of it. All who want to be asked answer at once and unseen: of those who play,
the first in the order of the rules counts, the others' cards stay in their hands, and all are asked
again. What only the player on turn may play is among the choices of what he is asked anyway: see
reinforcing, combat and fortifying. Who opens a window goes on when all
have passed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from services.core.decisions import Action, Pick, Seat
from services.core.frames import Game, Procedure, Question
from services.risk.board import Board
from services.risk.play.orders import ATTACKED, FELLOWSHIP, answer, show_wish, wants
from services.risk.play.playable import FELLOWSHIP_WINDOWS, admitted
from services.risk.play.resolving import resolve
from services.risk.tables import ADVENTURES, STEM, TERRITORIES, bits

G = Game[Board]

PASS = Action("pass")
UNASKED, PENDING, PASSED, PASSED_TURN, PASSED_FOR_GOOD = range(-1, -6, -1)
"""What stands for a seat where no card does, whose numbers begin at 0."""
NO_CARD = -1
_PASSES = {PASS: PASSED, Action("pass_turn"): PASSED_TURN, Action("never"): PASSED_FOR_GOOD}
"""What can be answered without a card."""
_LASTING_PASSES = tuple(_PASSES)[1:]


@lru_cache(maxsize=500)
def _each_once(cards: int) -> tuple[int, ...]:
    held = bits(cards)
    return tuple([c for n, c in enumerate(held) if not n or STEM[held[n - 1]] != STEM[c]])


def cards_of(b: Board, seat: int, cards: int) -> tuple[int, ...]:
    """Those of these cards that a seat holds; of two copies, the first."""
    return _each_once(b.hands[seat] & cards)


def plays(b: Board, seat: int, cards: int) -> tuple[Action, ...]:
    """The same, as actions."""
    return tuple([Action("play", (card,)) for card in cards_of(b, seat, cards)])


def may_hold(b: Board, seat: int, cards: int) -> bool:
    """Whether a seat may have one of these cards to play, as far as all can see."""
    return bool(cards and b.hands[seat] and not b.locked >> seat & 1 and b.is_in(seat))


def open_window(
    g: G, kind: str, seats: tuple[int, ...], source: int = 0, target: int = 0, *, once: bool = False
) -> None:
    """Let these seats play; nothing happens if none of them wants to be asked."""
    window = Window(kind=kind, seats=seats, source=source, target=target, once=int(once))
    window.summon(g.board)
    if window.is_anybody_asked():
        g.call(window)


@dataclass(slots=True)
class Window(Procedure):
    """Seats are asked at once, and again after each card, until nobody plays (RULES R16).

    Hands back the last card played, if one was.
    """

    kind: str = ""
    seats: tuple[int, ...] = ()  # in the order in which their cards count
    source: int = 0  # of the invasion, where there is one
    target: int = 0
    once: int = 0  # at most one card is played
    picks: tuple[int, ...] = ()  # of each of the seats; a card is known to its own seat alone
    by: int = 0
    card: int = NO_CARD

    script: ClassVar[tuple[str, ...]] = ("ask", "hear", "resolve", "ask_again")

    def admits(self, b: Board, seat: int) -> int:
        """The cards that a seat may play here, if it holds them."""
        return admitted(b, self.kind, seat, self.source, self.target)

    def summon(self, b: Board) -> None:
        """Ask those who may hold a card and want to be asked; all see who does and who does not."""
        order = FELLOWSHIP if self.kind in FELLOWSHIP_WINDOWS else ATTACKED
        picks = []
        for seat in self.seats:
            is_asked = False
            if may_hold(b, seat, self.admits(b, seat)):
                is_asked = wants(b, seat, order)
                show_wish(b, seat, order)
            picks.append(PENDING if is_asked else UNASKED)
        self.picks = tuple(picks)

    def is_anybody_asked(self) -> bool:
        """Whether somebody has yet to answer."""
        return PENDING in self.picks

    def note(self, seat: Seat, action: Action) -> None:
        """Keep what a seat has answered."""
        pick = action.nouns[0] if action.nouns else _PASSES[action]
        at = self.seats.index(seat)
        self.picks = (*self.picks[:at], pick, *self.picks[at + 1 :])

    def ask(self, g: G) -> None:
        g.call(PlayCard())

    # Whose card stays in his hand has been heard by nobody; he may have passed as well.
    def hear(self, g: G) -> None:
        b, played = g.board, NO_CARD
        for seat, pick in zip(self.seats, self.picks, strict=True):
            if pick == UNASKED or not b.is_in(seat):
                continue
            if pick >= 0 and played == NO_CARD:
                self.by, played = seat, pick
            else:
                answer(b, seat, rests=pick == PASSED_TURN, never=pick == PASSED_FOR_GOOD)
        self.picks = ()
        if played == NO_CARD:
            self._close(g)
        else:
            self.card = played

    def resolve(self, g: G) -> None:
        play(g, self.by, self.card)
        resolve(g, self.by, self.card, self.source, self.target)

    def ask_again(self, g: G) -> None:
        if not self.once:
            self.summon(g.board)
        if self.is_anybody_asked():
            self.go_to("ask")
        else:
            self._close(g)

    def _close(self, g: G) -> None:
        g.done(*[] if self.card == NO_CARD else [self.card])


def play(g: G, seat: int, card: int) -> None:
    """A card leaves a hand and lies open before its player, where it scores."""
    b = g.board
    b.play_adventure(seat, card)
    g.emit("card_played", {"seat": b.name(seat), "card": ADVENTURES[card]}, None)


def tell_target(g: G, source: int, target: int) -> None:
    """Say what is about to be invaded, since a card is played for it."""
    facts = {"from": TERRITORIES[source], "to": TERRITORIES[target]}
    g.emit("target_named", facts, None)


@dataclass(slots=True)
class PlayCard(Question[Board]):
    """Seats play one of the cards that the window admits, or pass: all at once, and unseen.

    Who holds no such card is asked like any other.
    """

    prompt: ClassVar[str] = "window.play"
    neutral: ClassVar[bool] = True

    def window(self, g: G) -> Window:
        """The window that asks."""
        window = g.stack[-2]
        assert isinstance(window, Window)
        return window

    def waiting(self, g: G) -> tuple[Seat, ...]:
        w, b = self.window(g), g.board
        asked = zip(w.seats, w.picks, strict=True)
        return tuple(sorted([seat for seat, pick in asked if pick == PENDING and b.is_in(seat)]))

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        found = plays(g.board, seat, self.window(g).admits(g.board, seat))
        return (PASS, *found, *_LASTING_PASSES)

    def take(self, g: G, seat: Seat, action: Action) -> None:
        w = self.window(g)
        w.note(seat, action)
        if not w.is_anybody_asked():
            g.done()

    def redraw(self, g: G, seat: Seat, pick: Pick) -> None:
        """Draw anew what others have answered, for a world that is imagined."""
        w = self.window(g)
        for other, answered in zip(w.seats, w.picks, strict=True):
            if other != seat and answered not in (UNASKED, PENDING) and g.board.is_in(other):
                offers = self.legal(g, other)
                w.note(other, offers[pick(len(offers))])
