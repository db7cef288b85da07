"""What Combat cards do, in tactics that many of them share, and what they need.

Order of reading: what a side needs, bending numbers, Leadership, additional attacks, hits.

Design. A tactic bends the battle on the board, `g.board.battle`, whose numbers are named in
`board/fight`, or calls a frame and lets the next one read `play.got`. `play.side` is the side that
played the card.
"""

from __future__ import annotations

from collections.abc import Callable

from services.core.frames import Game
from services.warofthering.board import Board
from services.warofthering.board.fight import (
    CANCELLED,
    EXTRA_HITS,
    FEWER,
    FORFEITED,
    HITS,
    MISSES,
    MOST,
    MOST_COMBAT_DICE,
    NO_REROLL,
    PLUS,
    REROLL_HITS,
    REROLL_PLUS,
    SIEGE,
    SPENT,
    STOPPED_HITS,
)
from services.warofthering.play.asking import choose
from services.warofthering.play.combat_effects import CombatPlay, Needs, Tactic
from services.warofthering.play.strength import nazgul_leadership
from services.warofthering.play.volley import TARGET_OF_BATTLE, Volley
from services.warofthering.tables import NATION_OF, NO_NATION, SIDE_OF_NATION

G = Game[Board]
Number = Callable[[Board, int], int]
"""A number that the board gives for a side."""


# What a side needs.


def has(*figures: int) -> Needs:
    """Any of these figures of its own takes part."""
    return lambda b, side: any(b.battle.count(side, figure) for figure in figures)


def has_elite(b: Board, side: int) -> bool:
    """An Elite of its own takes part."""
    return b.battle.elites(side) > 0


def has_leader_or_character(b: Board, side: int) -> bool:
    """A Leader, Nazgûl or character of its own takes part."""
    return bool(b.battle.leaders(side) or b.battle.characters(side))


def nazgul_points(least: int) -> Needs:
    """Its Nazgûl Leadership is at least `least` points."""
    return lambda b, side: nazgul_leadership(b) >= least


def with_fellowship(b: Board, side: int) -> bool:
    """The figure of the Fellowship is in the region of the defending army (17.6)."""
    return not b.in_mordor and b.region == b.battle.region


def in_nations_of(owner: int) -> Needs:
    """The defending army is in a region of a nation of this side."""

    def needs(b: Board, side: int) -> bool:
        nation = NATION_OF[b.battle.region]
        return nation != NO_NATION and SIDE_OF_NATION[nation] == owner

    return needs


def defends_in_field(b: Board, side: int) -> bool:
    """It is the defender of a field battle; sorties and reliefs are field battles."""
    return b.battle.defender == side and b.battle.kind != SIEGE


# Bending numbers.


def plus(number: int, *, reroll: int = 0) -> Tactic:
    """Its dice are better, those of the Combat roll and those of the re-roll."""

    def tactic(play: CombatPlay, g: G) -> None:
        g.board.battle.add(play.side, PLUS, number)
        g.board.battle.add(play.side, REROLL_PLUS, reroll)

    return tactic


def both_plus(number: int) -> Tactic:
    """All dice of both sides are better."""

    def tactic(play: CombatPlay, g: G) -> None:
        for side in (0, 1):
            g.board.battle.add(side, PLUS, number)
            g.board.battle.add(side, REROLL_PLUS, number)

    return tactic


def enemy_plus(number: int) -> Tactic:
    """The enemy's Combat dice are worse, or better."""
    return lambda play, g: g.board.battle.add(1 - play.side, PLUS, number)


def enemy_fewer(number: Number) -> Tactic:
    """The enemy rolls fewer Combat dice, one at least."""
    return lambda play, g: g.board.battle.add(
        1 - play.side, FEWER, number(g.board, play.side)
    )  # fmt: skip


def enemy_most(number: int) -> Tactic:
    """The enemy rolls at most `number` Combat dice."""

    def tactic(play: CombatPlay, g: G) -> None:
        fight = g.board.battle
        fight.fix(1 - play.side, MOST, min(number, fight.modifier(1 - play.side, MOST)))

    return tactic


def no_enemy_reroll(play: CombatPlay, g: G) -> None:
    """The enemy's leaders do not re-roll this round."""
    g.board.battle.fix(1 - play.side, NO_REROLL, 1)


def cancel_enemy_card(play: CombatPlay, g: G) -> None:
    """The enemy's card of this round has no effect."""
    g.board.battle.fix(1 - play.side, CANCELLED, 1)


# Leadership.


def forfeit_nazgul(points: int) -> Tactic:
    """It gives up points of Nazgûl Leadership for this round; without them nothing follows."""

    def tactic(play: CombatPlay, g: G) -> None:
        if nazgul_leadership(g.board) < points:
            g.done()
        else:
            g.board.battle.add(play.side, FORFEITED, points)

    return tactic


def choose_figure(figures: Callable[[Board, int], list[int]], what: str) -> Tactic:
    """It chooses a figure; the next tactic gets it, nothing if there is none."""

    def tactic(play: CombatPlay, g: G) -> None:
        seat = g.board.battle.seats[play.side]
        choose(g, seat, "figure", figures(g.board, play.side), what)

    return tactic


def spend_chosen(play: CombatPlay, g: G) -> None:
    """The character that the tactic before chose does not count for Leadership this round."""
    if not play.got:
        g.done()
        return
    fight = g.board.battle
    fight.fix(play.side, SPENT, fight.modifier(play.side, SPENT) | 1 << play.got[0])
    play.memory = play.got


# Additional attacks.


def volley(dice: Number, target: int = TARGET_OF_BATTLE) -> Tactic:
    """An additional attack: at most five dice, at the battle's target number or another."""

    def tactic(play: CombatPlay, g: G) -> None:
        number = min(dice(g.board, play.side), MOST_COMBAT_DICE)
        if number:
            g.call(Volley(side=play.side, dice=number, target=target))

    return tactic


# Hits.


def convert_misses(number: Number) -> Tactic:
    """Missed dice become hits before the re-roll."""

    def tactic(play: CombatPlay, g: G) -> None:
        fight = g.board.battle
        turned = min(number(g.board, play.side), fight.modifier(play.side, MISSES))
        fight.add(play.side, MISSES, -turned)
        fight.add(play.side, HITS, turned)

    return tactic


def rolled_hits(b: Board, side: int) -> int:
    """A side's hits of Combat roll and re-roll together."""
    return b.battle.modifier(side, HITS) + b.battle.modifier(side, REROLL_HITS)


def extra_hits(number: int, needs: Needs) -> Tactic:
    """Hits are added, if something holds."""

    def tactic(play: CombatPlay, g: G) -> None:
        if needs(g.board, play.side):
            g.board.battle.add(play.side, EXTRA_HITS, number)

    return tactic


def stop_hits(number: int, needs: Needs) -> Tactic:
    """Hits of the enemy are cancelled, if something holds."""

    def tactic(play: CombatPlay, g: G) -> None:
        if needs(g.board, play.side):
            g.board.battle.add(play.side, STOPPED_HITS, number)

    return tactic
