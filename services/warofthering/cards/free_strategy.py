"""The event halves of the Free Peoples' Strategy deck, in the order of their numbers."""

from __future__ import annotations

from services.core.frames import Game
from services.warofthering.board import NO_FORCE, Board
from services.warofthering.cards.conditions import (
    active,
    any_companion_in,
    at_war,
    besieged_regions,
)
from services.warofthering.cards.event import event, own_nations, then
from services.warofthering.cards.verbs import (
    Regions,
    advance,
    call_to_war,
    can_levy,
    choose_region,
    do,
    draw,
    journey,
    levy,
    levy_there,
    move_companions,
    when,
)
from services.warofthering.play import kept, politics
from services.warofthering.play.armies import marching, may_enter
from services.warofthering.play.asking import choose
from services.warofthering.play.attack import Attack, attacking
from services.warofthering.play.event_effects import Effect, EventPlay
from services.warofthering.play.forces import ANY_ARMY, WITH_COMPANION, Detach, detach
from services.warofthering.play.journey import transfer
from services.warofthering.play.muster import Troops
from services.warofthering.play.volley import Strike
from services.warofthering.tables import (
    ADJACENT,
    COASTAL,
    DWARVES,
    ELVES,
    EREBOR,
    FREE,
    GARRISON_OF,
    GONDOR,
    MINAS_TIRITH,
    NATION_OF,
    NATIONS_OF,
    NORTH,
    REGION,
    REGION_OF,
    REGIONS_OF,
    ROHAN,
    SETTLEMENTS_OF,
    SHADOW,
    STRATEGY_DECK,
)

G = Game[Board]

_ONE, _TWO = Troops(any_kind=1), Troops(any_kind=2)
_ONE_LED = Troops(any_kind=1, leaders=1)
_EDORAS, _OSGILIATH = REGION["edoras"], REGION["osgiliath"]


# 1 to 3: kept on the table, and asked of `kept`.

event("the_last_battle", needs=lambda b, seat: kept.aragorn_marches_abroad(b))

event("a_power_too_great", advance(ELVES))

event("the_power_of_tom_bombadil", advance(NORTH))


# 4 and 7: Companions go, and may rouse a nation where they are.


def _rouse_where(nation: int, *regions: int) -> tuple[Effect, Effect]:
    """Companions move; one who is in any of the regions then calls its nation to war."""

    def is_called(b: Board, seat: int) -> bool:
        own = [region for region in regions if b.is_unconquered(region)]
        return any_companion_in(*own)(b, seat)

    return move_companions(), when(is_called, call_to_war(nation))


event("book_of_mazarbul", *_rouse_where(DWARVES, EREBOR, REGION["ered_luin"]))


# 5 and 6: armies are hit, without an attack.


def _mixed_hosts(b: Board, seat: int) -> list[int]:
    """The Shadow armies with units of two nations or more."""
    armies = b.areas_with_units(SHADOW)
    return [area for area in armies if b.nations_at(area, SHADOW).bit_count() >= 2]


_ITHILIEN = (_OSGILIATH, REGION["south_ithilien"], REGION["north_ithilien"])


def _hosts_in_ithilien(b: Board, seat: int) -> list[int]:
    return [region for region in _ITHILIEN if b.units_at(region, SHADOW)]


def _hit_one_of(armies: Regions, what: str, dice: int) -> tuple[Effect, Effect]:
    """The player chooses one of these armies, and dice are rolled against it."""

    def choose_army(play: EventPlay, g: G) -> None:
        choose(g, play.seat, "area", armies(g.board, play.seat), what)

    def hit(play: EventPlay, g: G) -> None:
        for area in play.got:
            g.call(Strike(area=area, side=SHADOW, dice=dice))

    return do(choose_army, lambda b, seat: bool(armies(b, seat))), then(hit)


event("the_spirit_of_mordor", *_hit_one_of(_mixed_hosts, "the_spirit_of_mordor", 5))

event(
    "faramirs_rangers",
    *_hit_one_of(_hosts_in_ithilien, "faramirs_rangers", 3),
    when(
        lambda b, seat: b.units_at(_OSGILIATH, FREE) > 0,
        levy(GONDOR, _OSGILIATH, _ONE_LED),
    ),
)

event("fear_fire_foes", *_rouse_where(NORTH, REGION["the_shire"], REGION["bree"]))


# 8 and 9: politics.


def _choose_nation(play: EventPlay, g: G) -> None:
    nations = own_nations(g.board, play.seat, NATIONS_OF[FREE])
    choose(g, play.seat, "nation", nations, "wisdom_of_elrond")


def _counsel(play: EventPlay, g: G) -> None:
    (nation,) = play.got
    politics.rouse(g, nation, politics.CARD)
    politics.advance(g, nation, politics.CARD)


def _needs_counsel(b: Board, seat: int) -> bool:
    nations = own_nations(b, seat, NATIONS_OF[FREE])
    return any(not b.is_active(nation) or b.can_advance(nation) for nation in nations)


event("wisdom_of_elrond", do(_choose_nation, _needs_counsel), then(_counsel))

event(
    "the_red_arrow",
    advance(ROHAN),
    levy(ROHAN, _EDORAS, _ONE_LED),
    needs=active(GONDOR),
)


# 10: relief.


def _relievers(b: Board, seat: int, region: int) -> list[int]:
    """The regions from which the besiegers of a Stronghold can be attacked from without."""
    return [near for near in ADJACENT[region] if attacking(b, seat, near, ANY_ARMY) != NO_FORCE]


def _hard_pressed(b: Board, seat: int) -> list[int]:
    return [r for r in besieged_regions(b, SHADOW) if _relievers(b, seat, r)]


def _ride_to_help(play: EventPlay, g: G) -> None:
    b = g.board
    (region,) = play.got
    sources = tuple(_relievers(b, play.seat, region))
    relief = Attack(seat=play.seat, sources=sources, aims=(region,))
    relief.fewer = b.units_at(GARRISON_OF[region], FREE)
    g.call(relief)


event(
    "help_unlooked_for",
    choose_region(_hard_pressed, "help_unlooked_for"),
    then(_ride_to_help),
)


# 11 and 12: armies go further than they could.


def _ends_of_path(b: Board) -> list[int]:
    """Minas Tirith; or what is next to it, if the Shadow holds or besieges it."""
    held = b.is_controlled_by(MINAS_TIRITH, SHADOW) or b.is_besieged_by(MINAS_TIRITH, SHADOW)
    regions = ADJACENT[MINAS_TIRITH] if held else (MINAS_TIRITH,)
    return [region for region in regions if may_enter(b, region, FREE)]


def _paths(b: Board, seat: int, area: int) -> list[int]:
    """Where an army of the seat in an area may be led."""
    ends = _ends_of_path(b)
    return [end for end in ends if marching(b, seat, area, end, ANY_ARMY) != NO_FORCE]


def _riders(b: Board, seat: int) -> list[int]:
    """The armies in Rohan that may be led, garrisons too."""
    armies = b.areas_with_units(FREE)
    return [a for a in armies if NATION_OF[REGION_OF[a]] == ROHAN and _paths(b, seat, a)]


def _choose_riders(play: EventPlay, g: G) -> None:
    choose(g, play.seat, "area", _riders(g.board, play.seat), "march_from")


def _choose_path(play: EventPlay, g: G) -> None:
    play.memory = play.got
    choose(g, play.seat, "region", _paths(g.board, play.seat, *play.got), "march_to")


def _choose_force(play: EventPlay, g: G) -> None:
    b = g.board
    (area,), (region,) = play.memory, play.got
    play.memory = (area, region)
    able = marching(b, play.seat, area, region, ANY_ARMY)
    army = b.army(area, play.seat)
    detach(g, Detach(seat=play.seat, area=area, army=army, able=able))


def _lead_riders(play: EventPlay, g: G) -> None:
    transfer(g, play.got, *play.memory)


event(
    "paths_of_the_woses",
    do(_choose_riders, lambda b, seat: bool(_riders(b, seat))),
    then(_choose_path),
    then(_choose_force),
    then(_lead_riders),
    needs=at_war(ROHAN),
)

event("through_a_day_and_a_night", journey(1, 2, need=WITH_COMPANION))


# 13 to 24: recruits.


def _landing_places(b: Board, seat: int) -> list[int]:
    return [r for r in COASTAL if b.has_army_in(r, FREE) and can_levy(b, ELVES, r)]


event(
    "cirdans_ships",
    choose_region(_landing_places, "cirdans_ships"),
    levy_there(ELVES, _TWO),
    needs=at_war(ELVES),
)

event("guards_of_the_citadel", levy(GONDOR, MINAS_TIRITH, _ONE_LED))

event("celeborns_galadhrim", levy(ELVES, REGION["lorien"], _ONE), draw(STRATEGY_DECK))


def _musters_of_rohan(b: Board, seat: int) -> list[int]:
    """Edoras, and where a Companion is in Rohan."""
    regions = [r for r in REGIONS_OF[ROHAN] if r == _EDORAS or any_companion_in(r)(b, seat)]
    return [region for region in regions if can_levy(b, ROHAN, region, _ONE_LED)]


event(
    "riders_of_theoden",
    choose_region(_musters_of_rohan, "riders_of_theoden"),
    levy_there(ROHAN, _ONE_LED),
)

event("grimbeorn_the_old_son_of_beorn", levy(NORTH, REGION["carrock"], _ONE_LED))

event("imrahil_of_dol_amroth", levy(GONDOR, REGION["dol_amroth"], _ONE_LED))

event("king_brands_men", levy(NORTH, REGION["dale"], Troops(regulars=2)), draw(STRATEGY_DECK))

event(
    "swords_in_eriador",
    levy(NORTH, REGION["the_shire"], _ONE),
    levy(DWARVES, REGION["ered_luin"], _ONE),
    draw(STRATEGY_DECK),
)

event("kindred_of_glorfindel", levy(ELVES, REGION["rivendell"], _ONE), draw(STRATEGY_DECK))

event("dain_ironfoots_guard", levy(DWARVES, EREBOR, _ONE_LED))


def _free_settlements(b: Board, seat: int) -> list[int]:
    regions = [region for region in SETTLEMENTS_OF[ROHAN] if b.is_free(region, FREE)]
    return [region for region in regions if can_levy(b, ROHAN, region, _ONE_LED)]


event(
    "eomer_son_of_eomund",
    choose_region(_free_settlements, "eomer_son_of_eomund"),
    levy_there(ROHAN, _ONE_LED),
)

event("thranduils_archers", levy(ELVES, REGION["woodland_realm"], _ONE), draw(STRATEGY_DECK))
