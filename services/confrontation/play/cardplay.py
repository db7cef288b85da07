"""The cards of a battle (RULES 5 B5-B7, 6): chosen, revealed, exchanged, and their texts in order.

Order of reading: the script, then choosing and revealing, then the texts. The cards *in force* are
the played ones until Magic, or the Mouth of Sauron, replaces them.

Design. This is a procedure of its own above the battle: it knows cards, and hands back their
outcome.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, NamedTuple

from services.confrontation.board import Board, bits
from services.confrontation.play.ending import check_places
from services.confrontation.play.movement import retreats
from services.confrontation.play.texts import withdraw
from services.confrontation.tables import (
    CARDS,
    CLOAK,
    DARK,
    EXCHANGES,
    EYE,
    GOOD,
    IGNORES,
    IGNORES_OWN,
    IS_TEXT,
    MAGIC,
    NO_CARD,
    NOBODY,
    NOWHERE,
    NUMBER,
    REJECTS,
    RETREAT,
    SACRIFICE,
    SIDES,
)
from services.confrontation.worlds import PIECES
from services.core.decisions import Action, Seat
from services.core.frames import Game, Procedure, Question
from services.core.questions import Seal

G = Game[Board]


class Outcome(NamedTuple):
    """What the cards of a battle did."""

    good_card: int  # to be spent
    dark_card: int
    good_number: int  # what they add to the strengths
    dark_number: int
    ended: int  # a combatant left or fell: there is nothing to compare
    fell: int  # both combatants did


@dataclass(slots=True)
class CardPlay(Procedure):
    """One card from each hand, and what the two do to each other: hands back an `Outcome`."""

    where: int = NOWHERE
    good: int = NOBODY
    dark: int = NOBODY
    silenced: int = 0
    dark_first: int = 0  # Dark shows his card before Good chooses (Gandalf)
    played: tuple[int, ...] = (NO_CARD, NO_CARD)  # by side
    in_force: tuple[int, ...] = (NO_CARD, NO_CARD)
    void: int = 0  # Good's text is cancelled by the Eye
    left: tuple[int, ...] = (0, 0)  # by side: retreated

    script: ClassVar[tuple[str, ...]] = (
        "dark_leads",
        "show_lead",
        "complete_lead",
        "seal_cards",
        "reveal_cards",
        "exchange",
        "answer_exchange",
        "read_texts",
        "weigh_eye",
        "dark_magic",
        "become_dark",
        "good_magic",
        "become_good",
        "dark_retreat",
        "withdraw_dark",
        "good_retreat",
        "withdraw_good",
        "settle",
    )

    # What is in force.

    def is_ignored(self, b: Board) -> bool:
        """Whether Dark's card has neither number nor text."""
        if b.face[self.dark] in IGNORES_OWN:
            return True
        return not self.silenced and self.in_force[DARK] in IGNORES[b.face[self.good]]

    def _play(self, side: int, card: int) -> None:
        self.played = _with(self.played, side, card)
        self.in_force = _with(self.in_force, side, card)

    # B5: choosing. With Gandalf Dark leads, and completes a Magic before Good answers.

    def dark_leads(self, g: G) -> None:
        if self.dark_first:
            g.call(PlayCard(side=DARK))
        else:
            self.go_to("seal_cards")

    def show_lead(self, g: G) -> None:
        self._play(DARK, self.got[0])
        _tell_card(g, "card_revealed", DARK, self.got[0])
        self._ask_magic(g, DARK)

    def complete_lead(self, g: G) -> None:
        self._become(g, DARK)

    def seal_cards(self, g: G) -> None:
        if self.dark_first:
            g.call(PlayCard(side=GOOD))
        else:
            g.call(SealCards())

    # B6: revealing, and what may be done about it.

    def reveal_cards(self, g: G) -> None:
        b = g.board
        if self.dark_first:
            self._play(GOOD, self.got[0])
        else:
            for side in (GOOD, DARK):
                self._play(side, self.got[b.seat_of(side)])
            _tell_card(g, "card_revealed", DARK, self.played[DARK])
        _tell_card(g, "card_revealed", GOOD, self.played[GOOD])

    def exchange(self, g: G) -> None:
        b = g.board
        who = b.face[self.dark]
        if EXCHANGES[who] not in (NO_CARD, self.played[DARK]):
            g.call(Exchange(card=EXCHANGES[who]))
        elif who in REJECTS and b.hands[GOOD] != 1 << self.played[GOOD]:
            g.call(Reject())

    def answer_exchange(self, g: G) -> None:
        if not self.got:
            return
        b, (side, card) = g.board, self.got
        replaced = self.played[side]
        if side == DARK and b.used(DARK) >> card & 1:
            b.take_back(DARK, card)
            b.spend(DARK, replaced)
        self._play(side, card)
        _tell_card(g, "card_exchanged", side, card)

    # B7: the texts, in order.

    def read_texts(self, g: G) -> None:
        if not (IS_TEXT[self.in_force[GOOD]] or IS_TEXT[self.in_force[DARK]]):
            self.go_to("settle")

    def weigh_eye(self, g: G) -> None:
        """The Eye voids a Good text; by option, a Magic only once it has become another card."""
        if self.in_force[DARK] != EYE or self.is_ignored(g.board):
            return
        good = self.in_force[GOOD]
        if good != MAGIC[GOOD] or g.board.settings.eye_first:
            self.void = int(IS_TEXT[good])

    def dark_magic(self, g: G) -> None:
        self._ask_magic(g, DARK)

    def become_dark(self, g: G) -> None:
        if self.got:
            self._become(g, DARK)
            self.weigh_eye(g)

    def good_magic(self, g: G) -> None:
        if not self.void:
            self._ask_magic(g, GOOD)

    def become_good(self, g: G) -> None:
        before = self.in_force[GOOD]
        self._become(g, GOOD)
        if before != self.in_force[GOOD]:
            self.weigh_eye(g)

    def _ask_magic(self, g: G, side: int) -> None:
        b = g.board
        if side == DARK and self.is_ignored(b):
            return
        if self.in_force[side] == MAGIC[side] and b.used(side):
            g.call(ChooseMagic(side=side))

    def _become(self, g: G, side: int) -> None:
        if self.got:
            self.in_force = _with(self.in_force, side, self.got[0])
            _tell_card(g, "magic_became", side, self.got[0])

    def dark_retreat(self, g: G) -> None:
        if self.in_force[DARK] == RETREAT[DARK] and not self.is_ignored(g.board):
            g.call(Retreat(where=self.where, piece=self.dark, direction="sideways"))

    def withdraw_dark(self, g: G) -> None:
        self._withdraw(g, DARK, self.dark)

    def good_retreat(self, g: G) -> None:
        if self.void or self.in_force[GOOD] != RETREAT[GOOD]:
            return
        if g.board.settings.both_leave or not self.left[DARK]:
            g.call(Retreat(where=self.where, piece=self.good, direction="backward"))

    def withdraw_good(self, g: G) -> None:
        self._withdraw(g, GOOD, self.good)

    def _withdraw(self, g: G, side: int, piece: int) -> None:
        if self.got:
            self.left = _with(self.left, side, 1)
            withdraw(g, piece, self.got[0])
            check_places(g)

    def settle(self, g: G) -> None:
        b = g.board
        good, dark = 0 if self.void else NUMBER[self.in_force[GOOD]], NUMBER[self.in_force[DARK]]
        if self.is_ignored(b) or (self.in_force[GOOD] == CLOAK and not self.void):
            dark = 0
        fell = int(self._sacrifices(b))
        ended = int(any(self.left)) or fell
        g.done(*Outcome(self.played[GOOD], self.played[DARK], good, dark, ended, fell))

    def _sacrifices(self, b: Board) -> bool:
        """Noble Sacrifice works, unless a Retreat that counts stands against it (RULES 6.2)."""
        if self.void or self.in_force[GOOD] != SACRIFICE:
            return False
        if self.in_force[DARK] != RETREAT[DARK] or self.is_ignored(b):
            return True
        return not self.left[DARK] and b.settings.sacrifice_works


def _with(pair: tuple[int, ...], side: int, value: int) -> tuple[int, int]:
    return (value, pair[DARK]) if side == GOOD else (pair[GOOD], value)


def _tell_card(g: G, kind: str, side: int, card: int) -> None:
    g.emit(kind, {"side": SIDES[side], "card": CARDS[card]}, None)


@cache
def card_actions(hand: int) -> tuple[Action, ...]:
    """A card action for every card in a hand."""
    return tuple(Action("card", (card,)) for card in bits(hand))


@dataclass(slots=True)
class SealCards(Seal[Board]):
    """Both sides choose a card, unseen."""

    prompt: ClassVar[str] = "battle.card"

    def offers(self, g: G, seat: Seat) -> Sequence[Action]:
        return card_actions(g.board.hands[g.board.side_of(seat)])


@dataclass(slots=True)
class PlayCard(Question[Board]):
    """One side chooses a card openly, because the other has shown his or will answer it."""

    side: int = GOOD
    prompt: ClassVar[str] = "battle.card"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (g.board.seat_of(self.side),)

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return card_actions(g.board.hands[self.side])

    def take(self, g: G, seat: Seat, action: Action) -> None:
        g.done(action.nouns[0])


@dataclass(slots=True)
class Exchange(Question[Board]):
    """The Mouth of Sauron may exchange the card played for one card, from hand or used ones."""

    card: int = NO_CARD
    prompt: ClassVar[str] = "battle.exchange"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (g.board.seat_of(DARK),)

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return [Action("keep"), Action("exchange", (self.card,))]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        if action.verb == "keep":
            g.done()
        else:
            g.done(DARK, self.card)


@dataclass(slots=True)
class Reject(Question[Board]):
    """Saruman may send Good's card back, once; Good then plays another, knowing Dark's."""

    prompt: ClassVar[str] = "battle.exchange"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (g.board.seat_of(DARK),)

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return [Action("keep"), Action("reject")]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        play = g.stack[-2]
        assert isinstance(play, CardPlay)
        g.done()
        if action.verb == "reject":
            _tell_card(g, "card_rejected", GOOD, play.played[GOOD])
            g.call(PlayAnother(rejected=play.played[GOOD]))


@dataclass(slots=True)
class PlayAnother(Question[Board]):
    """Good plays a card other than the one that was sent back."""

    rejected: int = NO_CARD
    prompt: ClassVar[str] = "battle.card"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (g.board.seat_of(GOOD),)

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return [a for a in card_actions(g.board.hands[GOOD]) if a.nouns[0] != self.rejected]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        g.done(GOOD, action.nouns[0])


@dataclass(slots=True)
class ChooseMagic(Question[Board]):
    """Magic becomes one of the side's own used cards."""

    side: int = GOOD
    prompt: ClassVar[str] = "battle.magic"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (g.board.seat_of(self.side),)

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return [Action("magic", (card,)) for card in bits(g.board.used(self.side))]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        g.done(action.nouns[0])


@dataclass(slots=True)
class Retreat(Question[Board]):
    """A character that must retreat goes where its owner says; nowhere, if there is no way."""

    where: int = NOWHERE
    piece: int = NOBODY
    direction: str = ""
    prompt: ClassVar[str] = "battle.retreat_to"

    def waiting(self, g: G) -> tuple[Seat, ...]:
        b = g.board
        return (b.seat_of(self.piece // PIECES),) if self._ways(b) else ()

    def _ways(self, b: Board) -> list[int]:
        return retreats(b, self.piece // PIECES, self.where, self.direction)

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        return [Action("retreat", (to,)) for to in self._ways(g.board)]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        g.done(action.nouns[0])
