"""The event halves of the Shadow's Strategy deck from number 11 on: whoever joins its armies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from services.core.frames import Game, Procedure
from services.warofthering.board import Board
from services.warofthering.cards.conditions import all_at_war, at_war, in_play
from services.warofthering.cards.event import event, then
from services.warofthering.cards.verbs import (
    Regions,
    can_levy,
    choose_region,
    do,
    levy,
    levy_there,
)
from services.warofthering.play.asking import choose, say
from services.warofthering.play.event_effects import Effect, EventPlay
from services.warofthering.play.journey import transfer
from services.warofthering.play.muster import Levy, Troops, upgrade
from services.warofthering.tables import (
    ADJACENT,
    ARAGORN,
    EASTERN_EDGE,
    ELITE,
    FIGURE_COUNT,
    FIGURES,
    ISENGARD,
    MORIA,
    NATION_OF,
    ORTHANC,
    REGION,
    REGION_OF,
    REGIONS,
    REGULAR,
    RESERVE,
    SARUMAN,
    SAURON,
    SAURON_STRONGHOLDS,
    SETTLEMENTS_OF,
    SHADOW,
    SOUTHRONS,
    WITCH_KING,
)

G = Game[Board]


# Isengard.

_DUNLANDS = (REGION["north_dunland"], REGION["south_dunland"])
_FRINGE = sorted({near for region in _DUNLANDS for near in ADJACENT[region]})
_RAIDERS = Troops(regulars=2)


def _dunlendings(b: Board, area: int) -> list[int]:
    return [unit for unit in (REGULAR + ISENGARD, ELITE + ISENGARD) if b.count(area, unit)]


def _fringe(b: Board, seat: int) -> list[int]:
    """The strictly free regions beside the Dunlands where somebody can come."""
    return [
        region
        for region in _FRINGE
        if b.is_free(region, SHADOW)
        and (
            can_levy(b, ISENGARD, region, _RAIDERS)
            or any(_dunlendings(b, area) for area in _DUNLANDS if area != region)
        )
    ]


def _rage(play: EventPlay, g: G) -> None:
    play.memory = play.got
    (region,) = play.got
    g.call(Levy(seat=play.seat, nation=ISENGARD, region=region, troops=tuple(_RAIDERS)))


@dataclass(slots=True)
class JoinRaid(Procedure):
    """Up to four Isengard units of the two Dunlands join those in a region, one by one."""

    seat: int = 0
    region: int = 0
    left: int = 4
    area: int = 0

    script: ClassVar[tuple[str, ...]] = ("choose_area", "choose_unit", "go")

    def choose_area(self, g: G) -> None:
        b = g.board
        areas = [a for a in _DUNLANDS if a != self.region and self.left and _dunlendings(b, a)]
        choose(g, self.seat, "area", areas, "rage_of_the_dunlendings", optional=True)

    def choose_unit(self, g: G) -> None:
        if not self.got:
            g.done()
            return
        (self.area,) = self.got
        units = _dunlendings(g.board, self.area)
        choose(g, self.seat, "figure", units, "rage_of_the_dunlendings")

    def go(self, g: G) -> None:
        (unit,) = self.got
        force = tuple([int(figure == unit) for figure in range(FIGURE_COUNT)])
        transfer(g, force, self.area, self.region)
        self.left -= 1
        self.go_to("choose_area")


event(
    "rage_of_the_dunlendings",
    choose_region(_fringe, "rage_of_the_dunlendings"),
    then(_rage),
    then(lambda play, g: g.call(JoinRaid(seat=play.seat, region=play.memory[0]))),
    needs=at_war(ISENGARD),
)


# The Witch-king.

_ANGMAR = REGION["angmar"]


def _return(play: EventPlay, g: G) -> None:
    b = g.board
    origin = b.region_of(WITCH_KING)
    if origin != _ANGMAR:
        b.move(WITCH_KING, b.place_of(WITCH_KING), b.home_area(_ANGMAR, SHADOW))
        facts = {"origin": REGIONS[origin], "to": REGIONS[_ANGMAR]}
        say(g, "flew", figure=FIGURES[WITCH_KING], number=1, **facts)


event(
    "return_of_the_witch_king",
    do(_return, lambda b, seat: b.region_of(WITCH_KING) != _ANGMAR),
    levy(SAURON, _ANGMAR, Troops(regulars=2, elites=1)),
    needs=in_play(WITCH_KING),
)


# Figures that join an army.


def _armies_for(nation: int) -> Regions:
    """The regions of Shadow armies that a unit of a nation can join."""

    def regions(b: Board, seat: int) -> list[int]:
        there = sorted({REGION_OF[area] for area in b.areas_with_units(SHADOW)})
        return [region for region in there if can_levy(b, nation, region)]

    return regions


event(
    "half_orcs_and_goblin_men",
    choose_region(_armies_for(ISENGARD), "half_orcs_and_goblin_men"),
    levy_there(ISENGARD, Troops(any_kind=1)),
    needs=at_war(ISENGARD),
)

event(
    "olog_hai",
    choose_region(_armies_for(SAURON), "olog_hai"),
    levy_there(SAURON, Troops(any_kind=1)),
    needs=at_war(SAURON),
)


def _orcs(b: Board) -> list[int]:
    """Where a Regular of Sauron can become an Elite."""
    if not b.count(RESERVE, ELITE + SAURON):
        return []
    return [area for area in b.areas_with_units(SHADOW) if b.count(area, REGULAR + SAURON)]


def _choose_orc(play: EventPlay, g: G) -> None:
    choose(g, play.seat, "area", _orcs(g.board), "hill_trolls")


def _turn_troll(play: EventPlay, g: G) -> None:
    for area in play.got:
        upgrade(g, SAURON, area, 1)


event(
    "hill_trolls",
    do(_choose_orc, lambda b, seat: bool(_orcs(b))),
    then(_turn_troll),
    then(_choose_orc),
    then(_turn_troll),
    needs=at_war(SAURON),
)


# Musters.

event(
    "a_new_power_is_rising",
    levy(ISENGARD, REGION["north_dunland"], Troops(regulars=2)),
    levy(ISENGARD, REGION["south_dunland"], Troops(regulars=2)),
    levy(ISENGARD, ORTHANC, Troops(any_kind=2)),
    needs=in_play(SARUMAN),
)


def _pairs_in_three(nation: int, regions: tuple[int, ...], what: str) -> tuple[Effect, ...]:
    """Two Regulars of a nation in each of three different regions that the seat chooses."""
    troops = Troops(regulars=2)

    def places(b: Board, seat: int) -> list[int]:
        return [region for region in regions if can_levy(b, nation, region, troops)]

    def choose_next(play: EventPlay, g: G) -> None:
        left = [r for r in places(g.board, play.seat) if r not in play.memory]
        choose(g, play.seat, "region", left, what)

    def raise_there(play: EventPlay, g: G) -> None:
        play.memory += play.got
        for region in play.got:
            g.call(Levy(seat=play.seat, nation=nation, region=region, troops=tuple(troops)))

    first = do(choose_next, lambda b, seat: bool(places(b, seat)))
    return first, then(raise_there), *(then(choose_next), then(raise_there)) * 2


event(
    "many_kings_to_the_service_of_mordor",
    *_pairs_in_three(SOUTHRONS, SETTLEMENTS_OF[SOUTHRONS], "many_kings_to_the_service_of_mordor"),
)

event(
    "the_king_is_revealed",
    levy(SAURON, REGION["minas_morgul"], Troops(regulars=5, nazgul=1)),
    needs=in_play(ARAGORN),
)

_GOBLINS = Troops(any_kind=2, nazgul=1)


def _holes(b: Board, seat: int) -> list[int]:
    return [r for r in (REGION["mount_gram"], MORIA) if can_levy(b, SAURON, r, _GOBLINS)]


event(
    "shadows_on_the_misty_mountains",
    choose_region(_holes, "shadows_on_the_misty_mountains"),
    levy_there(SAURON, _GOBLINS),
)

event(
    "orcs_multiplying_again",
    levy(SAURON, REGION["dol_guldur"], Troops(regulars=3)),
    levy(SAURON, REGION["mount_gundabad"], Troops(regulars=3)),
)

_HORDE = Troops(regulars=5)


def _eastern_edge(b: Board, seat: int) -> list[int]:
    return [
        region
        for region in EASTERN_EDGE
        if NATION_OF[region] == SOUTHRONS
        and b.is_free(region, SHADOW)
        and can_levy(b, SOUTHRONS, region, _HORDE)
    ]


event(
    "horde_from_the_east",
    choose_region(_eastern_edge, "horde_from_the_east"),
    levy_there(SOUTHRONS, _HORDE),
    needs=at_war(SOUTHRONS),
)

event(
    "monsters_roused",
    levy(SAURON, _ANGMAR, Troops(regulars=1)),
    levy(SAURON, REGION["ettenmoors"], Troops(regulars=1)),
    levy(SAURON, REGION["weather_hills"], Troops(regulars=1)),
    levy(SAURON, REGION["trollshaws"], Troops(elites=1)),
)

event(
    "musterings_of_long_planned_war",
    levy(SOUTHRONS, REGION["gorgoroth"], Troops(regulars=5)),
    levy(SAURON, REGION["nurn"], Troops(regulars=5)),
    needs=all_at_war(SHADOW),
)

event(
    "pits_of_mordor",
    *_pairs_in_three(SAURON, SAURON_STRONGHOLDS, "pits_of_mordor"),
    needs=at_war(SAURON),
)
