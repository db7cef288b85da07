"""One battle (RULES 5), from the choice of the defender to what is left of both.

Order of reading: the battle's script; who fights (B1, B2); texts (B3, B4); the cards are a chapter
of their own, `cardplay`; the comparison (B8); the aftermath (B9).

Design. Everything a battle keeps is known to both sides: combatants are noted once they are shown,
cards once they are revealed. So an imagined world needs nothing changed here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from services.confrontation.board import Board, name_of
from services.confrontation.play import strength, texts
from services.confrontation.play.cardplay import CardPlay, Outcome
from services.confrontation.play.ending import check_places, defeat
from services.confrontation.play.specials import Moment, offer_specials
from services.confrontation.play.targets import DrawTarget, NameTarget, pool
from services.confrontation.tables import (
    ANSWERS,
    DARK,
    ESCAPES,
    GOOD,
    NO_CARD,
    NOBODY,
    NOWHERE,
    REGIONS,
    RETURNS_TO,
    SIDES,
    SILENCES,
    SLAYS,
    STRIKES_FIRST,
    TAKES_BOTH,
)
from services.core.frames import Game, Procedure

G = Game[Board]

NEITHER, GOOD_ALONE, DARK_ALONE, BOTH = (0, 0), (1, 0), (0, 1), (1, 1)
"""Who falls in a battle, as `Battle.fell` says it."""


@dataclass(slots=True)
class Battle(Procedure):
    """The attacker against one enemy; more enemies are more battles."""

    where: int = NOWHERE
    good: int = NOBODY  # the combatants, once shown
    dark: int = NOBODY
    silenced: int = 0  # Good's combatant has no text in this battle
    boosted: int = 0  # Sam fights for Frodo
    no_cards: int = 0
    support: int = 0
    cards: tuple[int, ...] = (NO_CARD, NO_CARD)  # as played, by side
    numbers: tuple[int, ...] = (0, 0)  # what the cards add
    fell: tuple[int, ...] = NEITHER  # by side: defeated here
    over: int = 0  # a combatant left or was defeated

    script: ClassVar[tuple[str, ...]] = (
        "look_before_targets",
        "choose_target",
        "reveal",
        "call_gwaihir",
        "carry_off",
        "good_text",
        "answer_good_text",
        "look_before_cards",
        "dark_text",
        "answer_dark_text",
        "play_cards",
        "resolve_cards",
        "ask_support",
        "compare",
        "good_falls",
        "dark_falls",
        "answer_escape",
        "return_home",
        "spend_cards",
        "leave",
    )

    def piece(self, side: int) -> int:
        """The combatant of a side."""
        return self.good if side == GOOD else self.dark

    def end(self, fell: tuple[int, int] = NEITHER) -> None:
        """A combatant left, or some were defeated: only the aftermath is left."""
        self.over = 1
        self.fell = fell
        self.go_to("good_falls")

    # B1 and B2: who fights.

    def look_before_targets(self, g: G) -> None:
        if g.board.specials:
            offer_specials(g, Moment.BETWEEN_PARTS)

    def choose_target(self, g: G) -> None:
        b = g.board
        defenders = b.pieces_at(1 - b.turn, self.where)
        if len(defenders) == 1:
            return
        if any(b.is_nameable(piece) for piece in defenders):
            g.call(NameTarget(where=self.where))
        elif len(pool(b, self.where)) > 1:
            g.call(DrawTarget(where=self.where))

    def reveal(self, g: G) -> None:
        b = g.board
        attacker = b.pieces_at(b.turn, self.where)[0]
        defender = self.got[0] if self.got else b.pieces_at(1 - b.turn, self.where)[0]
        self.good, self.dark = (attacker, defender) if b.turn == GOOD else (defender, attacker)
        b.show(attacker)
        b.show(defender)
        facts = {
            "region": REGIONS[self.where],
            "attacker": name_of(b, attacker),
            "defender": name_of(b, defender),
        }
        g.emit("battle_joined", facts, None)
        self.silenced = int(b.face[self.dark] in SILENCES)

    # Gwaihir stands in for the text of Good's combatant, so the Warg stops him too (RULES 11).
    def call_gwaihir(self, g: G) -> None:
        if g.board.specials and not self.silenced:
            offer_specials(g, Moment.BEFORE_TEXTS, self.where)

    def carry_off(self, g: G) -> None:
        if self.got:
            self._retreat(g, self.good, self.got[0])

    # B3 and B4: the texts of the combatants, Good's first.

    def good_text(self, g: G) -> None:
        b = g.board
        if self.silenced:
            return
        if b.face[self.dark] in SLAYS[b.face[self.good]]:
            self._overcome(g, self.good, self.dark)
            self.end(DARK_ALONE)
        elif b.face[self.good] in TAKES_BOTH:
            self._overcome(g, self.good, self.dark)
            self.end(BOTH)
        elif texts.is_boosted_openly(b, self.where, self.good):
            self.boosted = 1
        elif b.face[self.good] in texts.MAY_CHOOSE:
            g.call(texts.GoodText(where=self.where, piece=self.good))

    def answer_good_text(self, g: G) -> None:
        if not self.got:
            return
        answer = texts.Answer(*self.got)
        if answer.does == texts.RETREATS:
            self._retreat(g, self.good, answer.of)
        elif answer.does == texts.BOOSTS:
            self.boosted = 1
        elif answer.does == texts.WAIVES:
            self.no_cards = 1
        elif answer.does == texts.STEPS_IN:
            self.good, self.boosted = answer.of, 1
        elif answer.does == texts.SWAPS:
            self.good = answer.of
            if not check_places(g):
                self.go_to("good_text")

    def _overcome(self, g: G, piece: int, victim: int) -> None:
        facts = {"character": name_of(g.board, piece), "victim": name_of(g.board, victim)}
        g.emit("overcome", facts, None)

    def look_before_cards(self, g: G) -> None:
        if g.board.specials:
            offer_specials(g, Moment.BETWEEN_PARTS)

    def dark_text(self, g: G) -> None:
        b = g.board
        strikes = b.turn == DARK and b.face[self.dark] in STRIKES_FIRST and not b.struck
        if strikes or b.face[self.good] in SLAYS[b.face[self.dark]]:
            self._overcome(g, self.dark, self.good)
            self.end(GOOD_ALONE)
        elif b.face[self.dark] in texts.MAY_CHOOSE:
            g.call(texts.DarkText(where=self.where, piece=self.dark, no_cards=self.no_cards))

    def answer_dark_text(self, g: G) -> None:
        if not self.got:
            return
        answer = texts.Answer(*self.got)
        if answer.does == texts.RETREATS:
            self._retreat(g, self.dark, answer.of)
        else:
            self.no_cards = 1

    def _retreat(self, g: G, piece: int, to: int) -> None:
        texts.withdraw(g, piece, to)
        self.end()
        check_places(g)

    # B5 to B7 are a procedure of their own.

    def play_cards(self, g: G) -> None:
        b = g.board
        if self.no_cards:
            g.emit("cards_waived", {}, None)
            return
        first = b.face[self.good] in ANSWERS and not self.silenced
        g.call(
            CardPlay(
                where=self.where,
                good=self.good,
                dark=self.dark,
                silenced=self.silenced,
                dark_first=int(first),
            )
        )

    def resolve_cards(self, g: G) -> None:
        if not self.got:
            return
        outcome = Outcome(*self.got)
        self.cards = (outcome.good_card, outcome.dark_card)
        self.numbers = (outcome.good_number, outcome.dark_number)
        if outcome.ended:
            self.end(BOTH if outcome.fell else NEITHER)

    # B8: strength and number; the lower total is defeated, equal totals both.

    def ask_support(self, g: G) -> None:
        if g.board.settings.has_support and not self.silenced:
            g.call(texts.Support(where=self.where, piece=self.good))

    def compare(self, g: G) -> None:
        b = g.board
        self.support = self.got[0] if self.got else 0
        good, dark = strength.base(
            b, self.where, self.good, self.dark, silenced=self.silenced, boosted=self.boosted
        )
        totals = (good + self.support + self.numbers[GOOD], dark + self.numbers[DARK])
        g.emit("compared", {SIDES[GOOD]: totals[GOOD], SIDES[DARK]: totals[DARK]}, None)
        self.end((int(totals[GOOD] <= totals[DARK]), int(totals[DARK] <= totals[GOOD])))

    # B9: the Ring first, for nothing that follows matters once it is lost (RULES 8).

    def good_falls(self, g: G) -> None:
        if self.fell[GOOD]:
            defeat(g, self.good, self.dark)

    def dark_falls(self, g: G) -> None:
        if self.fell[DARK] and g.board.face[self.dark] in ESCAPES:
            g.call(texts.Escape(where=self.where, piece=self.dark))

    def answer_escape(self, g: G) -> None:
        if not self.fell[DARK]:
            return
        if self.got:
            texts.withdraw(g, self.dark, self.got[0])
            check_places(g)
        else:
            defeat(g, self.dark, self.good)

    def return_home(self, g: G) -> None:
        b = g.board
        home = RETURNS_TO[b.face[self.dark]]
        if self.fell != GOOD_ALONE or home in (NOWHERE, self.where):
            return
        if b.number_at(GOOD, home) or not b.has_room(DARK, home):
            defeat(g, self.dark, self.good)
            return
        b.relocate(self.dark, home)
        facts = {"character": name_of(b, self.dark), "region": REGIONS[home]}
        g.emit("returned", facts, None)

    def spend_cards(self, g: G) -> None:
        b = g.board
        if self.cards[GOOD] != NO_CARD:
            b.spend(GOOD, self.cards[GOOD])
            b.spend(DARK, self.cards[DARK])
            b.refill()

    # The Orcs' strike is spent by their first battle, however it ended (RULES 5.2).
    def leave(self, g: G) -> None:
        b = g.board
        b.struck = True
        if b.settings.conceals_each:
            b.shown = 0
