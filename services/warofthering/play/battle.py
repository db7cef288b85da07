"""Battles (RULES 11, 12.1 to 12.5), from the attack to the advance.

Order of reading: the battle, one round of it, how a round ends. Who attacks whom is in `attack`,
Combat cards are in `combat_cards`, dice and Leadership in `strength`, losses in `casualties`.

Design. What the battle is made of stands on the board, as `board.fight`: cards and conditions ask
it there. These frames hold only how far it has got, and the cards not yet revealed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from services.core.frames import Game, Procedure
from services.warofthering.board import Board
from services.warofthering.board.fight import (
    CARD,
    EXTRA_HITS,
    FIELD,
    HITS,
    KINDS,
    MISSES,
    MOST_COMBAT_DICE,
    NO_REROLL,
    ONES,
    PLUS,
    REROLL_HITS,
    REROLL_PLUS,
    STOPPED_HITS,
)
from services.warofthering.play import combat_effects, politics
from services.warofthering.play.aftermath import Advance, Continue, Retreat, Withdraw, wipe_out
from services.warofthering.play.asking import ANSWER, YES, Roll, choose_word, say
from services.warofthering.play.casualties import Losses, drop_replacements
from services.warofthering.play.combat_cards import ChooseCombatCard
from services.warofthering.play.control import tidy
from services.warofthering.play.hands import discard_shown
from services.warofthering.play.sorcery import SorcererDraw
from services.warofthering.play.stacking import Trim
from services.warofthering.play.strength import combat_dice, is_hit, leadership, target_number
from services.warofthering.tables import (
    CARDS,
    FALLEN,
    FIGURES_OF,
    FREE,
    GANDALF_THE_WHITE,
    LOSSES,
    NO_CARD,
    REGIONS,
    SETTLEMENT,
    SIDES,
    STRONGHOLD,
    UNITS,
)

G = Game[Board]


@dataclass(slots=True)
class Battle(Procedure):
    """The battle that stands on the board, round after round."""

    script: ClassVar[tuple[str, ...]] = (
        "react",
        "ask_white_rider",
        "answer_white_rider",
        "fight_round",
        "go_on",
        "advance",
        "clear",
        "trim",
    )

    def react(self, g: G) -> None:
        fight = g.board.battle
        attacker, where = SIDES[fight.attacker], REGIONS[fight.region]
        say(g, "battle_began", attacker=attacker, region=where, kind=KINDS[fight.kind])
        politics.react_to_attack(g, fight.target, fight.defender)

    def ask_white_rider(self, g: G) -> None:
        b = g.board
        may_ride = b.settings.readings.unlisted_abilities
        if b.battle.count(FREE, GANDALF_THE_WHITE) and may_ride:
            choose_word(g, b.battle.seats[FREE], ("no", "yes"), "white_rider")

    def answer_white_rider(self, g: G) -> None:
        if self.got == (YES,):
            g.board.battle.white_rider = True
            say(g, "white_rider")

    def fight_round(self, g: G) -> None:
        g.call(Round())

    def go_on(self, g: G) -> None:
        if self.got == (YES,):
            g.board.battle.next_round()
            settle_command(g.board)
            self.go_to("fight_round")

    def advance(self, g: G) -> None:
        fight = g.board.battle
        for side in (0, 1):
            drop_replacements(g, side)
        settle_command(g.board)
        if fight.units(fight.attacker) and not g.board.units_at(fight.target, fight.defender):
            g.call(Advance())

    def clear(self, g: G) -> None:
        b = g.board
        for figure in FIGURES_OF[FREE]:
            b.move(figure, LOSSES, FALLEN, b.count(LOSSES, figure))
        b.fight = None
        say(g, "battle_ended")
        tidy(g)

    def trim(self, g: G) -> None:
        g.call(Trim())


@dataclass(slots=True)
class Round(Procedure):
    """One round of the battle; hands back YES if another follows."""

    sealed: tuple[int, ...] = (NO_CARD, NO_CARD)  # by side, until both are revealed
    is_late: int = 0  # the re-roll after the losses, by the letter of the guide (D15)
    taken: tuple[int, ...] = (0, 0)  # by side: hits removed before it

    script: ClassVar[tuple[str, ...]] = (
        "ask_withdrawal",
        "answer_withdrawal",
        "attacker_card",
        "seal_attacker",
        "defender_card",
        "reveal",
        "before_combat",
        "set_up_roll",
        "attacker_roll",
        "count_attack",
        "defender_roll",
        "count_defence",
        "before_reroll",
        "attacker_reroll",
        "count_attack_reroll",
        "defender_reroll",
        "count_defence_reroll",
        "score_hits",
        "before_losses",
        "attacker_losses",
        "defender_losses",
        "late_reroll",
        "after_losses",
        "end_check",
        "spend_cards",
        "ask_attacker",
        "ask_defender",
        "next_round",
    )

    # B0: the defender may withdraw into his Stronghold.

    def ask_withdrawal(self, g: G) -> None:
        b = g.board
        fight = b.battle
        if can_withdraw(b):
            choose_word(g, fight.seats[fight.defender], ("fight", "withdraw"), "withdraw")

    def answer_withdrawal(self, g: G) -> None:
        if self.got == (ANSWER["withdraw"],):
            self.go_to("end_check")
            g.call(Withdraw())

    # B1 to B3: Combat cards.

    def attacker_card(self, g: G) -> None:
        g.call(ChooseCombatCard(side=g.board.battle.attacker))

    def seal_attacker(self, g: G) -> None:
        self._seal(g.board.battle.attacker)

    def defender_card(self, g: G) -> None:
        g.call(ChooseCombatCard(side=g.board.battle.defender))

    def reveal(self, g: G) -> None:
        b = g.board
        self._seal(b.battle.defender)
        for side, card in enumerate(self.sealed):
            if card != NO_CARD:
                b.show(card)
                b.battle.fix(side, CARD, card)
                say(g, "combat_card_revealed", side=SIDES[side], card=CARDS[card])
        self.sealed = (NO_CARD, NO_CARD)
        self._play_cards(g, 0, 0)

    def _seal(self, side: int) -> None:
        if self.got:
            sealed = list(self.sealed)
            (sealed[side],) = self.got
            self.sealed = tuple(sealed)

    def _play_cards(self, g: G, first: int, last: int) -> None:
        for play in reversed(combat_effects.plays(g.board, first, last)):
            g.call(play)

    # B4 to B6: before the Combat roll, and the roll.

    def before_combat(self, g: G) -> None:
        self._play_cards(g, 1, 2)

    def set_up_roll(self, g: G) -> None:
        if is_over(g.board):
            self.go_to("end_check")
        else:
            self._play_cards(g, 3, 3)

    def attacker_roll(self, g: G) -> None:
        self._roll(g, g.board.battle.attacker)

    def count_attack(self, g: G) -> None:
        self._count(g, g.board.battle.attacker)

    def defender_roll(self, g: G) -> None:
        self._roll(g, g.board.battle.defender)

    def count_defence(self, g: G) -> None:
        self._count(g, g.board.battle.defender)

    def _roll(self, g: G, side: int) -> None:
        if is_over(g.board):  # a card may have cost the last unit
            return
        g.call(Roll(dice=combat_dice(g.board, side), what=f"combat_{SIDES[side]}"))

    def _count(self, g: G, side: int) -> None:
        fight = g.board.battle
        bonus, target = fight.modifier(side, PLUS), target_number(fight, side)
        hits = sum(1 for n in self.got if is_hit(n, bonus, target))
        fight.fix(side, HITS, hits)
        fight.fix(side, MISSES, len(self.got) - hits)
        fight.fix(side, ONES, self.got.count(1))

    # B7: the Leader re-roll.

    def before_reroll(self, g: G) -> None:
        if _rerolls_late(g.board):
            self.go_to("score_hits")
        self._play_cards(g, 4, 4)

    def attacker_reroll(self, g: G) -> None:
        self._reroll(g, g.board.battle.attacker)

    def count_attack_reroll(self, g: G) -> None:
        self._count_reroll(g, g.board.battle.attacker)

    def defender_reroll(self, g: G) -> None:
        self._reroll(g, g.board.battle.defender)

    def count_defence_reroll(self, g: G) -> None:
        self._count_reroll(g, g.board.battle.defender)

    def _reroll(self, g: G, side: int) -> None:
        fight = g.board.battle
        dice = min(MOST_COMBAT_DICE, leadership(g.board, side), fight.modifier(side, MISSES))
        if dice and fight.units(side) and not fight.modifier(side, NO_REROLL):
            g.call(Roll(dice=dice, what=f"reroll_{SIDES[side]}"))

    def _count_reroll(self, g: G, side: int) -> None:
        fight = g.board.battle
        bonus, target = fight.modifier(side, REROLL_PLUS), target_number(fight, side)
        fight.fix(side, REROLL_HITS, sum(1 for n in self.got if is_hit(n, bonus, target)))

    # B8 to B11: hits and losses. Both sides' hits are counted before anybody falls.

    def score_hits(self, g: G) -> None:
        if not self.is_late:
            self._play_cards(g, 5, 5)

    def before_losses(self, g: G) -> None:
        if not self.is_late:
            self._play_cards(g, 6, 6)

    def attacker_losses(self, g: G) -> None:
        self._lose(g, g.board.battle.attacker)

    def defender_losses(self, g: G) -> None:
        self._lose(g, g.board.battle.defender)

    def _lose(self, g: G, side: int) -> None:
        fight = g.board.battle
        hits = hits_on(g.board, side) - self.taken[side]
        say(g, "hits_scored", side=SIDES[1 - side], hits=hits)
        area, seat = fight.area_of(side), fight.seats[side]
        g.call(Losses(seat=seat, area=area, side=side, hits=hits, in_battle=1))

    # By the letter of the guide leaders re-roll now, and there is a second removal (D15).
    def late_reroll(self, g: G) -> None:
        if _rerolls_late(g.board) and not self.is_late:
            self.is_late, self.taken = 1, (hits_on(g.board, 0), hits_on(g.board, 1))
            self.go_to("attacker_reroll")

    def after_losses(self, g: G) -> None:
        self._play_cards(g, 7, 7)

    # B12 to B14: how the round ends.

    def end_check(self, g: G) -> None:
        for side in (0, 1):
            if g.board.fight is not None and not g.board.battle.units(side):
                wipe_out(g, side)

    def spend_cards(self, g: G) -> None:
        fight = g.board.battle
        for side in (0, 1):
            if (card := fight.modifier(side, CARD)) != NO_CARD:
                discard_shown(g, card)
        g.call(SorcererDraw())

    def ask_attacker(self, g: G) -> None:
        if is_over(g.board):
            g.done()
        else:
            g.call(Continue())

    def ask_defender(self, g: G) -> None:
        if self.got != (YES,):
            g.done()
        else:
            g.call(Retreat())

    def next_round(self, g: G) -> None:
        if is_over(g.board):
            g.done()
        else:
            g.done(YES)


def _rerolls_late(b: Board) -> bool:
    return b.settings.readings.rerolls_follow_losses


def settle_command(b: Board) -> None:
    """Who decides for an army of team-mates may change with its numbers, between rounds (S17)."""
    fight = b.battle
    for side in (0, 1):
        force = fight.group(side)
        if len(b.settings.teams[side]) > 1 and any(force[unit] for unit in UNITS):
            fight.seats[side] = b.controller(force, side)


def is_over(b: Board) -> bool:
    """Whether an army has no units left in the battle, or has left it."""
    return not (b.battle.units(0) and b.battle.units(1))


def can_withdraw(b: Board) -> bool:
    """Whether the defender may withdraw into a Stronghold (B0)."""
    fight = b.battle
    region = fight.region
    return (
        fight.kind == FIELD
        and SETTLEMENT[region] == STRONGHOLD
        and b.is_controlled_by(region, fight.defender)
        and not b.is_besieged(region)
    )


def hits_on(b: Board, side: int) -> int:
    """How many hits a side must take this round."""
    fight = b.battle
    enemy = 1 - side
    scored = sum(fight.modifier(enemy, name) for name in (HITS, REROLL_HITS, EXTRA_HITS))
    return max(scored - fight.modifier(side, STOPPED_HITS), 0)
