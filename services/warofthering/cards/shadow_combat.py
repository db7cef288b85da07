"""The Combat halves of the Shadow's cards, by title, in the order of the decks."""

from __future__ import annotations

from services.core.frames import Game
from services.warofthering.board import Board
from services.warofthering.board.fight import (
    CARD,
    EARLY_HITS,
    FEWER,
    FORFEITED,
    PLUS,
    REROLL_HITS,
    SIEGE,
    SUPPRESSED,
)
from services.warofthering.cards.combat import combat
from services.warofthering.cards.tactics import (
    both_plus,
    cancel_enemy_card,
    choose_figure,
    extra_hits,
    forfeit_nazgul,
    has,
    has_elite,
    nazgul_points,
    no_enemy_reroll,
    plus,
    rolled_hits,
    volley,
    with_fellowship,
)
from services.warofthering.play.asking import choose
from services.warofthering.play.casualties import Losses
from services.warofthering.play.characters import eliminate
from services.warofthering.play.combat_effects import CombatPlay, Tactic
from services.warofthering.play.separation import fall_on_map
from services.warofthering.play.strength import leadership, nazgul_leadership
from services.warofthering.play.volley import Volley
from services.warofthering.tables import (
    COMPANIONS,
    DISTANCE,
    ELITE,
    FALLEN,
    ISENGARD,
    LEADERS,
    LEVEL,
    MORIA,
    NAZGUL,
    NO_CARD,
    REGULAR,
    SOUTHRONS,
    WITCH_KING,
)

G = Game[Board]

combat("one_for_the_dark_lord", {3: (plus(1, reroll=1),)}, with_fellowship)

combat("cruel_as_death", {3: (forfeit_nazgul(2), plus(1))}, nazgul_points(2))

combat("they_are_terrible", {4: (forfeit_nazgul(1), plus(0, reroll=1))}, nazgul_points(1))


def _choose_dread(play: CombatPlay, g: G) -> None:
    points = range(nazgul_leadership(g.board), 0, -1)
    choose(g, g.board.battle.seats[play.side], "number", points, "dread_and_despair")


def _spread_dread(play: CombatPlay, g: G) -> None:
    for points in play.got:
        g.board.battle.add(play.side, FORFEITED, points)
        g.board.battle.add(1 - play.side, FEWER, points)


combat("dread_and_despair", {3: (_choose_dread, _spread_dread)}, nazgul_points(1))


def _overawe(play: CombatPlay, g: G) -> None:
    if nazgul_leadership(g.board) >= leadership(g.board, 1 - play.side):
        no_enemy_reroll(play, g)


combat("foul_stench", {3: (_overawe,)}, nazgul_points(1))


def _choose_stricken(play: CombatPlay, g: G) -> None:
    """The re-roll may kill a Leader, or a Companion of at most so high a Level."""
    fight = g.board.battle
    hits, enemy = fight.modifier(play.side, REROLL_HITS), 1 - play.side
    leaders = [leader for leader in LEADERS if hits and fight.count(enemy, leader)]
    companions = [who for who in fight.characters(enemy, COMPANIONS) if LEVEL[who] <= hits]
    choose(
        g, fight.seats[play.side], "figure", leaders + companions, "black_breath", optional=True
    )  # fmt: skip


def _strike_down(play: CombatPlay, g: G) -> None:
    fight = g.board.battle
    for figure in play.got:
        fight.change(1 - play.side, figure, -1)
        if figure in COMPANIONS:
            fall_on_map(g, figure)
        else:
            eliminate(g, figure, fight.area_of(1 - play.side), FALLEN)


_NAZGUL = has(NAZGUL, WITCH_KING)

combat("black_breath", {6: (_choose_stricken, _strike_down)}, _NAZGUL)


def _enemy_companions(b: Board, side: int) -> list[int]:
    return b.battle.characters(1 - side, COMPANIONS)


def _silence(play: CombatPlay, g: G) -> None:
    fight, enemy = g.board.battle, 1 - play.side
    for who in play.got:
        fight.fix(enemy, SUPPRESSED, fight.modifier(enemy, SUPPRESSED) | 1 << who)


combat(
    "words_of_power", {1: (choose_figure(_enemy_companions, "words_of_power"), _silence)}, _NAZGUL
)


def _near_moria(b: Board, side: int) -> bool:
    return DISTANCE[MORIA][b.battle.region] <= 2


combat("durins_bane", {2: (volley(lambda b, side: 3, target=4),)}, _near_moria)

_of_isengard = has(REGULAR + ISENGARD, ELITE + ISENGARD)


def _breaches(b: Board, side: int) -> bool:
    """Isengard is there, and the defender in a Stronghold: a siege battle (S25)."""
    return b.battle.kind == SIEGE and _of_isengard(b, side)


combat("devilry_of_orthanc", {3: (plus(1),)}, _breaches)

combat("deadly_strife", {3: (both_plus(2),)})


# Hits that it inflicts on its own units, as many as it likes up to a number.


def _choose_sacrifice(most: int, what: str) -> Tactic:
    def tactic(play: CombatPlay, g: G) -> None:
        fight = g.board.battle
        bearable = fight.units(play.side) + fight.elites(play.side)
        hits = range(min(most, bearable) + 1)
        choose(g, fight.seats[play.side], "number", hits, what)

    return tactic


def _sacrifice(play: CombatPlay, g: G) -> None:
    """The next one gets the hits for which there was no unit; the memory is how many it chose."""
    fight = g.board.battle
    play.memory = play.got
    area, seat = fight.area_of(play.side), fight.seats[play.side]
    g.call(Losses(seat=seat, area=area, side=play.side, hits=play.got[0], in_battle=1))


def _storm_on(play: CombatPlay, g: G) -> None:
    if dice := play.memory[0] - sum(play.got):
        g.call(Volley(side=play.side, dice=dice, target=4))


combat("onslaught", {7: (_choose_sacrifice(4, "onslaught"), _sacrifice, _storm_on)})


def _press_on(play: CombatPlay, g: G) -> None:
    g.board.battle.add(play.side, PLUS, play.memory[0] - sum(play.got))


combat(
    "relentless_assault", {3: (_choose_sacrifice(2, "relentless_assault"), _sacrifice, _press_on)}
)


def _overrun(play: CombatPlay, g: G) -> None:
    fight, enemy = g.board.battle, 1 - play.side
    if fight.units(play.side) >= 2 * fight.units(enemy):
        area, seat = fight.area_of(enemy), fight.seats[enemy]
        g.call(Losses(seat=seat, area=area, side=enemy, hits=1, in_battle=1))


combat("great_host", {7: (_overrun,)})


def _hits_more(b: Board, side: int) -> bool:
    own, enemy = (rolled_hits(b, s) + b.battle.modifier(s, EARLY_HITS) for s in (side, 1 - side))
    return own > enemy


# Two effects, each at its own initiative.
combat("mumakil", {3: (plus(1),), 5: (extra_hits(1, _hits_more),)}, has(ELITE + SOUTHRONS))


def _swarm(play: CombatPlay, g: G) -> None:
    if g.board.battle.modifier(1 - play.side, CARD) != NO_CARD:
        cancel_enemy_card(play, g)
    else:
        plus(0, reroll=1)(play, g)


combat("swarm_of_bats", {0: (_swarm,)})

combat(
    "we_come_to_kill", {7: (volley(lambda b, side: b.battle.elites(side), target=5),)}, has_elite
)

combat("desperate_battle", {3: (both_plus(1),)})
