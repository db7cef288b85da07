"""The event halves of the Shadow's Strategy deck, in the order of their numbers, to number 10."""

from __future__ import annotations

from services.core.frames import Game
from services.warofthering.board import NO_FORCE, Board
from services.warofthering.cards.conditions import all_at_war, at_war, besieged_regions, in_play
from services.warofthering.cards.event import event, then
from services.warofthering.cards.verbs import (
    choose_region,
    do,
    journey,
    march,
    storm,
)
from services.warofthering.play import politics
from services.warofthering.play.armies import marching
from services.warofthering.play.asking import choose, say
from services.warofthering.play.attack import Attack, begin
from services.warofthering.play.battle import Battle
from services.warofthering.play.characters import eliminate
from services.warofthering.play.event_effects import Effect, EventPlay
from services.warofthering.play.forces import ANY_ARMY, Detach, detach
from services.warofthering.play.journey import WITH_FRIENDS, transfer
from services.warofthering.play.stacking import Trim
from services.warofthering.play.volley import Strike
from services.warofthering.tables import (
    COMPANIONS,
    ELITE,
    ELVEN_STRONGHOLDS,
    ELVES,
    FACES,
    FALLEN,
    FREE,
    GARRISON_OF,
    GONDOR_COAST,
    ISENGARD,
    LEADER,
    LEADERS,
    MINAS_TIRITH,
    NATION_OF,
    NATIONS_OF,
    NOWHERE,
    REGION,
    REGULAR,
    SARUMAN,
    SHADOW,
    SIDES,
    SOUTHRONS,
    WILL,
)

G = Game[Board]


# The Elves leave.


def _elves_in(b: Board, region: int) -> int:
    """How many Elven units stand in an Elven Stronghold without a siege."""
    if b.is_besieged(region):
        return 0
    return b.count(region, REGULAR + ELVES) + b.count(region, ELITE + ELVES)


def _depart(region: int) -> Effect:
    def run(play: EventPlay, g: G) -> None:
        if dice := _elves_in(g.board, region):
            g.call(Strike(area=region, side=FREE, dice=dice, target=6))

    return do(run, lambda b, seat: _elves_in(b, region) > 0)


def _holds_elven_stronghold(b: Board, seat: int) -> bool:
    """The seat controls one: of team-mates, who took it."""
    return any(
        b.is_controlled_by(region, SHADOW) and b.captors[region] == seat
        for region in ELVEN_STRONGHOLDS
    )


event(
    "return_to_valinor",
    *(_depart(region) for region in ELVEN_STRONGHOLDS),
    needs=_holds_elven_stronghold,
)


# Sieges.


def _sieges_of_isengard(b: Board, seat: int) -> list[int]:
    units = (REGULAR + ISENGARD, ELITE + ISENGARD)
    return [r for r in besieged_regions(b, SHADOW) if any(b.count(r, unit) for unit in units)]


event("the_fighting_uruk_hai", storm(_sieges_of_isengard), needs=in_play(SARUMAN))

_CITADEL = GARRISON_OF[MINAS_TIRITH]


def _choose_leader(play: EventPlay, g: G) -> None:
    b = g.board
    there = [leader for leader in LEADERS if b.count(_CITADEL, leader)]
    choose(g, b.commander(_CITADEL, FREE), "figure", there, "denethors_folly")


def _lose_leader(play: EventPlay, g: G) -> None:
    for leader in play.got:
        eliminate(g, leader, _CITADEL, FALLEN)


# Kept on the table, and it does something when it is laid down; `kept.GONE` wants the siege, and
# some of the besiegers must be the player's.
event(
    "denethors_folly",
    do(_choose_leader),
    then(_lose_leader),
    needs=lambda b, seat: b.has_units(MINAS_TIRITH, seat),
)


# Dice and politics.


def _darken(play: EventPlay, g: G) -> None:
    b = g.board
    for _ in range(b.die_count(FREE, WILL)):
        b.use_die(FREE, WILL)
        say(g, "die_discarded", side=SIDES[FREE], face=FACES[WILL])


event(
    "the_day_without_dawn",
    do(_darken, lambda b, seat: b.die_count(FREE, WILL) > 0),
    needs=all_at_war(SHADOW),
)

event("threats_and_promises")  # kept on the table; Muster results ask `kept` for it


def _ill_news(b: Board) -> list[int]:
    """The nations not At War where the Fellowship or a Companion is, and something to lose."""
    regions = [b.region_of(who) for who in COMPANIONS]
    regions += [] if b.in_mordor else [b.region]
    there = {NATION_OF[region] for region in regions if region != NOWHERE}
    return [
        nation
        for nation in NATIONS_OF[FREE]
        if nation in there and not b.is_at_war(nation)
        and (b.politics[nation] > 1 or _homes(b, nation))
    ]  # fmt: skip


def _figures_of(b: Board, nation: int, area: int) -> list[int]:
    return [kind + nation for kind in (REGULAR, ELITE, LEADER) if b.count(area, kind + nation)]


def _homes(b: Board, nation: int) -> list[int]:
    return [area for area in b.areas_with_units(FREE) if _figures_of(b, nation, area)]


def _choose_nation(play: EventPlay, g: G) -> None:
    choose(g, play.seat, "nation", _ill_news(g.board), "stormcrow")


def _dishearten(play: EventPlay, g: G) -> None:
    (nation,) = play.got
    politics.step_back(g, nation)
    owner = g.board.settings.seat_of_nation[nation]
    play.memory = (nation, owner)
    choose(g, owner, "area", _homes(g.board, nation), "stormcrow")


def _choose_deserter(play: EventPlay, g: G) -> None:
    if play.got:
        nation, owner = play.memory
        (area,) = play.got
        play.memory = (area,)
        choose(g, owner, "figure", _figures_of(g.board, nation, area), "stormcrow")


def _desert(play: EventPlay, g: G) -> None:
    for figure in play.got:
        eliminate(g, figure, play.memory[0], FALLEN)


event(
    "stormcrow",
    do(_choose_nation, lambda b, seat: bool(_ill_news(b))),
    then(_dishearten),
    then(_choose_deserter),
    then(_desert),
)


# Armies on the march.

event("shadows_gather", journey(1, 3, ends=WITH_FRIENDS))

event("the_shadow_lengthens", journey(2, 2, ends=WITH_FRIENDS))

event("the_shadow_is_moving", march(4), needs=all_at_war(SHADOW))

_UMBAR = REGION["umbar"]


def _coasts(b: Board, seat: int) -> list[int]:
    """Where those may land who may leave Umbar, whoever is there."""
    return [r for r in GONDOR_COAST if marching(b, seat, _UMBAR, r, ANY_ARMY) != NO_FORCE]


def _embark(play: EventPlay, g: G) -> None:
    b = g.board
    (region,) = play.got
    play.memory = (region, int(b.is_besieged_by(region, SHADOW)))
    able = marching(b, play.seat, _UMBAR, region, ANY_ARMY)
    army = b.army(_UMBAR, play.seat)
    question = Detach(seat=play.seat, area=_UMBAR, army=army, able=able)
    question.what = "move" if b.is_open(region, SHADOW) else "attack"
    detach(g, question)


def _land(play: EventPlay, g: G) -> None:
    """Join those on the coast, or attack from the ships: only victors go ashore."""
    region = play.memory[0]
    if g.board.is_open(region, SHADOW):
        transfer(g, play.got, _UMBAR, region)
        g.call(Trim())
    else:
        begin(g, play.seat, play.got, _UMBAR, region).may_cease = False
        g.call(Battle())


def _join_siege(play: EventPlay, g: G) -> None:
    """An army that was under siege is attacked by those who came, and who were there."""
    region, was_besieged = play.memory
    if was_besieged:
        g.call(Attack(seat=play.seat, sources=(region,), aims=(GARRISON_OF[region],)))


event(
    "corsairs_of_umbar",
    choose_region(_coasts, "corsairs_of_umbar"),
    then(_embark),
    then(_land),
    then(_join_siege),
    needs=at_war(SOUTHRONS),
)
