"""The Combat halves of the Free Peoples' cards, by title, in the order of the decks."""

from __future__ import annotations

from services.core.frames import Game
from services.warofthering.board import Board
from services.warofthering.board.fight import (
    EXTRA_HITS,
    MISSES,
    ONES,
    REROLL_HITS,
    SPENT,
    STOPPED_HITS,
)
from services.warofthering.cards.combat import combat
from services.warofthering.cards.conditions import RANGERS
from services.warofthering.cards.tactics import (
    cancel_enemy_card,
    choose_figure,
    convert_misses,
    defends_in_field,
    enemy_fewer,
    enemy_most,
    enemy_plus,
    extra_hits,
    has,
    has_elite,
    has_leader_or_character,
    in_nations_of,
    plus,
    rolled_hits,
    spend_chosen,
    stop_hits,
    volley,
    with_fellowship,
)
from services.warofthering.play.aftermath import Retreat, Withdraw, retreat_regions
from services.warofthering.play.asking import ANSWER, choose, choose_word
from services.warofthering.play.battle import can_withdraw
from services.warofthering.play.characters import bits_of, eliminate
from services.warofthering.play.combat_effects import CombatPlay
from services.warofthering.play.separation import fall_on_map
from services.warofthering.play.strength import leadership, silent
from services.warofthering.tables import (
    ARAGORN,
    COMPANIONS,
    FALLEN,
    FANGORN,
    FREE,
    GANDALF_THE_GREY,
    GANDALF_THE_WHITE,
    HOBBITS,
    LEADERS,
    LEVEL,
    MINIONS,
    NATION_OF,
    NAZGUL,
    ORTHANC,
    RESERVE,
    ROHAN,
)

G = Game[Board]


# The Character deck.

combat("it_is_a_gift", {3: (plus(1, reroll=1),)}, with_fellowship)


def _ask_for_minion(play: CombatPlay, g: G) -> None:
    """For a hit of the re-roll he may be slain, whoever of the Minions it is."""
    fight = g.board.battle
    has_hit = fight.modifier(play.side, REROLL_HITS)
    minions = fight.characters(1 - play.side, MINIONS) if has_hit else []
    seat = fight.seats[play.side]
    choose(g, seat, "figure", minions, "blade_of_westernesse", optional=True)


def _spend_hit_on_minion(play: CombatPlay, g: G) -> None:
    if play.got:
        g.board.battle.add(play.side, REROLL_HITS, -1)
        _slay(play, g)


def _slay(play: CombatPlay, g: G) -> None:
    """The Nazgûl or Minion that the tactic before chose falls; nobody, if there was none."""
    for figure in play.got:
        fight, enemy = g.board.battle, 1 - play.side
        fight.change(enemy, figure, -1)
        eliminate(g, figure, fight.area_of(enemy), RESERVE if figure == NAZGUL else FALLEN)


combat("blade_of_westernesse", {6: (_ask_for_minion, _spend_hit_on_minion)}, has(*HOBBITS))


def _companions(b: Board, side: int) -> list[int]:
    return b.battle.characters(side, COMPANIONS)


def _ready(b: Board, side: int) -> list[int]:
    """The Companions who still count for Leadership, which alone can be given up (17.3)."""
    out = silent(b, side)
    return [who for who in _companions(b, side) if not out >> who & 1]


combat(
    "mighty_attack",
    {4: (choose_figure(_ready, "mighty_attack"), spend_chosen, convert_misses(lambda b, side: 1))},
    has(*COMPANIONS),
)

combat(
    "servant_of_the_secret_fire",
    {3: (plus(1),)},
    has(GANDALF_THE_GREY, GANDALF_THE_WHITE),
)


def _ready_ranger(b: Board, side: int) -> list[int]:
    return [who for who in _ready(b, side) if who in RANGERS]


def _strokes(b: Board, side: int) -> int:
    return 2 if b.battle.count(side, ARAGORN) else 1


combat(
    "anduril",
    {4: (choose_figure(_ready_ranger, "anduril"), spend_chosen, convert_misses(_strokes))},
    has(*RANGERS),
)


def _open_hits(b: Board, side: int) -> int:
    """The hits that the enemy rolled and that nothing has cancelled yet."""
    return max(rolled_hits(b, 1 - side) - b.battle.modifier(side, STOPPED_HITS), 0)


def _ask_for_hero(play: CombatPlay, g: G) -> None:
    b = g.board
    fight, side = b.battle, play.side
    heroes = [f for f in (*LEADERS, *COMPANIONS) if fight.count(side, f)]
    if _open_hits(b, side):
        choose(g, fight.seats[side], "figure", heroes, "heroic_death", optional=True)


def _die_like_a_hero(play: CombatPlay, g: G) -> None:
    for hero in play.got:
        fight, side = g.board.battle, play.side
        worth = LEVEL[hero] if hero in COMPANIONS else 1
        fight.add(side, STOPPED_HITS, min(worth, _open_hits(g.board, side)))
        fight.change(side, hero, -1)
        if hero in COMPANIONS:
            fall_on_map(g, hero)
        else:
            eliminate(g, hero, fight.area_of(side), FALLEN)


combat("heroic_death", {6: (_ask_for_hero, _die_like_a_hero)}, has_leader_or_character)


def _forfeit_companions(play: CombatPlay, g: G) -> None:
    fight = g.board.battle
    spent = fight.modifier(play.side, SPENT) | bits_of(_companions(g.board, play.side))
    fight.fix(play.side, SPENT, spent)


combat("daring_defiance", {0: (_forfeit_companions, cancel_enemy_card)}, has(*COMPANIONS))


def _choose_victim(play: CombatPlay, g: G) -> None:
    """A hit of the re-roll fells a Nazgûl; two may fell a Minion, the Witch-king too, instead."""
    fight, enemy = g.board.battle, 1 - play.side
    hits = fight.modifier(play.side, REROLL_HITS)
    victims = [NAZGUL] if hits and fight.count(enemy, NAZGUL) else []
    victims += fight.characters(enemy, MINIONS) if hits >= 2 else []
    choose(g, fight.seats[play.side], "figure", victims, "fateful_strike")


combat("fateful_strike", {6: (_choose_victim, _slay)}, has_leader_or_character)

combat("sudden_strike", {2: (volley(leadership),)}, has_leader_or_character)

combat(
    "brave_stand", {3: (enemy_fewer(lambda b, side: len(_companions(b, side))),)}, has(*COMPANIONS)
)


def _near_fangorn(b: Board, side: int) -> bool:
    region = b.battle.region
    return region in (FANGORN, ORTHANC) or NATION_OF[region] == ROHAN


def _has_hit(b: Board, side: int) -> bool:
    return rolled_hits(b, side) >= 1


combat("ents_rage", {3: (plus(2),)}, _near_fangorn)

combat("huorn_dark", {3: (enemy_most(2),)}, _near_fangorn)

combat("nameless_wood", {5: (extra_hits(2, _has_hit),)}, _near_fangorn)


# The Strategy deck.

combat("daylight", {3: (enemy_most(3),)})

combat("no_quarter", {5: (extra_hits(1, _has_hit),)})

combat("advantageous_position", {3: (enemy_plus(-1),)}, in_nations_of(FREE))


def _choose_way_out(play: CombatPlay, g: G) -> None:
    b = g.board
    words = ["retreat"] * bool(retreat_regions(b)) + ["withdraw"] * can_withdraw(b)
    choose_word(g, b.battle.seats[play.side], words, "scouts")


def _slip_away(play: CombatPlay, g: G) -> None:
    if play.got == (ANSWER["retreat"],):
        g.call(Retreat(must=1))
    elif play.got:
        g.call(Withdraw())


combat("scouts", {1: (_choose_way_out, _slip_away)}, defends_in_field)

combat("shield_wall", {6: (stop_hits(1, lambda b, side: rolled_hits(b, 1 - side) >= 2),)})


def _confuse(play: CombatPlay, g: G) -> None:
    fight, enemy = g.board.battle, 1 - play.side
    ones = fight.modifier(enemy, ONES)
    fight.add(enemy, MISSES, -ones)
    fight.add(play.side, EXTRA_HITS, ones)


combat("confusion", {4: (_confuse,)})

combat("charge", {2: (volley(lambda b, side: b.battle.elites(side)),)}, has_elite)

combat("valour", {3: (plus(1),)}, has_elite)
