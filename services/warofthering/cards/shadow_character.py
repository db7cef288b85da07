"""The event halves of the Shadow's Character deck, in the order of their numbers."""

from __future__ import annotations

from services.core.frames import Game
from services.warofthering.board import Board
from services.warofthering.cards.conditions import (
    away_from_free_settlements,
    besieges,
    in_play,
    progressed,
    revealed,
)
from services.warofthering.cards.event import event, then
from services.warofthering.cards.verbs import (
    can_levy,
    choose_answer,
    choose_region,
    corrupt,
    do,
    fly,
    hunt_tile,
    reveal,
    roll,
    special_tile,
    storm,
    when,
)
from services.warofthering.play import fellowship, hunt, politics
from services.warofthering.play.armies import can_march
from services.warofthering.play.asking import ANSWER, Given, Roll, choose, choose_word, say
from services.warofthering.play.attack import Attack, can_attack
from services.warofthering.play.characters import MoveMinions, flyers
from services.warofthering.play.event_effects import Effect, EventPlay
from services.warofthering.play.forces import WITH_NAZGUL, WITH_WITCH_KING, meets, units_in
from services.warofthering.play.hunt import (
    FORCED_CASUALTY,
    NO_EYE,
    NO_FELLOWSHIP_TILE,
    NO_REDUCTION,
    character_cards_on_table,
)
from services.warofthering.play.marches import Marches
from services.warofthering.play.muster import Levy, Troops
from services.warofthering.play.separation import SendAway, fellowship_seat, lose_companion
from services.warofthering.play.volley import Strike
from services.warofthering.tables import (
    ADJACENT,
    DIE_VALUE,
    EYE,
    EYE_TILES,
    FACES,
    FELLOWSHIP_TILES,
    FREE,
    GOLLUM,
    LEVEL,
    NAZGUL,
    REGION_OF,
    SARUMAN,
    SAURON,
    SHADOW,
    SIDES,
    TILE_VALUE,
    TILES,
    WITCH_KING,
)

G = Game[Board]

# Special Hunt tiles.

event("shelobs_lair", special_tile())

event("the_ring_is_mine", special_tile())

event("on_on_they_went", special_tile())

event("give_it_to_uss", special_tile())


# The Fellowship on its way.

_SPARED = NO_EYE | NO_FELLOWSHIP_TILE

event("orc_patrol", hunt_tile(_SPARED), needs=away_from_free_settlements)

event("isildurs_bane", hunt_tile(_SPARED | NO_REDUCTION), needs=away_from_free_settlements)

event(
    "foul_thing_from_the_deep",
    hunt_tile(_SPARED | FORCED_CASUALTY),
    needs=away_from_free_settlements,
)


def _haunt(play: EventPlay, g: G) -> None:
    least = 6 if g.board.guide == GOLLUM else 4
    hunt.corrupt(g, sum(1 for pips in play.got if pips >= least))


event(
    "candles_of_corpses",
    roll(3, "candles_of_corpses"),
    then(_haunt),
    needs=away_from_free_settlements,
)


def nazgul_at_fellowship(b: Board, seat: int) -> bool:
    """Whether a Nazgûl, the Witch-king among them, is in the region of the Fellowship."""
    if b.in_mordor:
        return False
    areas = b.army_areas(b.region)
    return any(b.count(area, who) for area in areas for who in (NAZGUL, WITCH_KING))


event("nazgul_search", fly(), when(nazgul_at_fellowship, reveal()), needs=progressed)


def _drive(play: EventPlay, g: G) -> None:
    if play.got:
        fellowship.shift(g, play.got[0])


event(
    "cruel_weather",
    choose_region(lambda b, seat: ADJACENT[b.region], "cruel_weather"),
    then(_drive),
    needs=progressed,
)


def _blows(b: Board, seat: int) -> list[str]:
    """What Nazgûl who have found the Fellowship can do: nothing without dice or cards."""
    if not nazgul_at_fellowship(b, seat):
        return []
    return ["discard"] * bool(character_cards_on_table(b)) + ["hunt"] * bool(b.hunt_shadow)


def _strike(play: EventPlay, g: G) -> None:
    if play.got == (ANSWER["hunt"],):
        g.call(hunt.Hunt())
        play.skip_rest()
    elif play.got:
        choose(g, play.seat, "card", character_cards_on_table(g.board), "the_nazgul_strike")


def _strip(play: EventPlay, g: G) -> None:
    for card in play.got:
        politics.discard_from_table(g, card)


event(
    "the_nazgul_strike",
    fly(),
    choose_answer(_blows, "the_nazgul_strike"),
    then(_strike),
    then(_strip),
    needs=progressed,
)


# The Fellowship revealed.

event("morgul_wound", corrupt(lambda b: 2 if b.corruption <= 3 else 1), needs=revealed)


def _tempt(play: EventPlay, g: G) -> None:
    if g.board.guide == GOLLUM:
        hunt.corrupt(g, 1)
    else:
        g.call(hunt.RandomCompanion())


def _ask_tempted(play: EventPlay, g: G) -> None:
    if play.got:
        play.memory = play.got
        words = ("corruption", "casualty")
        choose_word(g, fellowship_seat(g.board), words, "lure_of_the_ring")


def _answer_tempted(play: EventPlay, g: G) -> None:
    if play.got == (ANSWER["corruption"],):
        hunt.corrupt(g, LEVEL[play.memory[0]])
    elif play.got:
        lose_companion(g, play.memory[0])
        g.call(hunt.Aftermath())


event(
    "lure_of_the_ring", do(_tempt), then(_ask_tempted), then(_answer_tempted), needs=revealed
)  # fmt: skip


def _break(play: EventPlay, g: G) -> None:
    if g.board.guide == GOLLUM:
        hunt.corrupt(g, 1)
    else:
        g.call(hunt.WardedDraw())


def _count_leaving(play: EventPlay, g: G) -> None:
    if not play.got:
        return
    tile, _ = play.got
    if tile in EYE_TILES or tile in FELLOWSHIP_TILES:
        say(g, "tile_without_effect", tile=TILES[tile])
    elif TILE_VALUE[tile] == DIE_VALUE:
        g.call(Roll(dice=1, what="tile"))
    else:
        g.call(Given(value=(TILE_VALUE[tile],)))


def _send_away(play: EventPlay, g: G) -> None:
    for companions in play.got:
        g.call(SendAway(seat=fellowship_seat(g.board), companions=companions))


event(
    "the_breaking_of_the_fellowship",
    do(_break),
    then(_count_leaving),
    then(_send_away),
    needs=revealed,
)


# Kept on the table; the Hunt, the Fellowship and battles ask `kept` for them.

event("worn_with_sorrow_and_toil")

event("flocks_of_crebain")

event("balrog_of_moria")


# Dice.


def _choose_die(play: EventPlay, g: G) -> None:
    faces = g.board.faces_left(g.board.settings.sides[play.seat])
    choose(g, play.seat, "face", faces, "the_lidless_eye", optional=bool(play.memory))


def _turn_die(play: EventPlay, g: G) -> None:
    if not play.got:
        play.skip_rest()
        return
    (face,) = play.got
    side = g.board.settings.sides[play.seat]
    play.memory += play.got
    g.board.use_die(side, face)
    g.board.put_die(side, EYE)
    say(g, "die_changed", side=SIDES[side], face=FACES[face], to=FACES[EYE])


event(
    "the_lidless_eye",
    do(_choose_die, lambda b, seat: b.dice_left(b.settings.sides[seat]) > 0),
    then(_turn_die),
    *(then(_choose_die), then(_turn_die)) * 2,
)


# Armies with Nazgûl.


def _victims(b: Board, area: int) -> list[int]:
    """The areas of the Free Peoples' armies in the region of an area, or next to it."""
    here = REGION_OF[area]
    near = (a for region in (here, *ADJACENT[here]) for a in b.army_areas(region))
    return [victim for victim in near if b.units_at(victim, FREE)]


def _casters(b: Board, seat: int) -> list[int]:
    """The areas of a seat's armies with Nazgûl that have a victim."""
    armies = ((area, b.army(area, seat)) for area in b.areas_with_units(SHADOW))
    return [
        area
        for area, army in armies
        if units_in(army) and meets(b, army, WITH_NAZGUL) and _victims(b, area)
    ]


def _choose_caster(play: EventPlay, g: G) -> None:
    choose(g, play.seat, "area", _casters(g.board, play.seat), "dreadful_spells_by")


def _choose_victim(play: EventPlay, g: G) -> None:
    play.memory = play.got
    choose(g, play.seat, "area", _victims(g.board, play.memory[0]), "dreadful_spells")


def _cast(play: EventPlay, g: G) -> None:
    army = g.board.army(play.memory[0], play.seat)
    dice = army[NAZGUL] + army[WITCH_KING]
    g.call(Strike(area=play.got[0], side=FREE, dice=dice, target=5))


event(
    "dreadful_spells",
    do(_choose_caster, lambda b, seat: bool(_casters(b, seat))),
    then(_choose_victim),
    then(_cast),
)


def _sieges_of_witch_king(b: Board, seat: int) -> list[int]:
    area = b.place_of(WITCH_KING)
    on_map = b.is_on_map(WITCH_KING) and area == b.region_of(WITCH_KING)
    return [area] if on_map and besieges(b, area) else []


event("grond_hammer_of_the_underworld", storm(_sieges_of_witch_king, WITH_WITCH_KING))


# Kept on the table; that Saruman falls, or Rohan is roused, ends them: `kept.GONE`.

event("the_palantir_of_orthanc", needs=in_play(SARUMAN))

event("wormtongue", needs=in_play(SARUMAN))


# Nazgûl and armies.


def _command(need: int, most: int, what: str) -> tuple[Effect, Effect]:
    """Up to `most` armies with someone in them may move, or one may attack."""

    def words(b: Board, seat: int) -> list[str]:
        found = ["move"] * can_march(b, seat, need) + ["attack"] * can_attack(b, seat, need)
        return ["no", *found] if found else []

    def obey(play: EventPlay, g: G) -> None:
        if play.got == (ANSWER["move"],):
            g.call(Marches(seat=play.seat, most=most, need=need))
        elif play.got == (ANSWER["attack"],):
            g.call(Attack(seat=play.seat, need=need))

    return choose_answer(words, what), then(obey)


event("the_ringwraiths_are_abroad", fly(), *_command(WITH_NAZGUL, 2, "the_ringwraiths_are_abroad"))

_ESCORT = Troops(nazgul=2)


def _summons(b: Board, seat: int) -> list[str]:
    joins = can_levy(b, SAURON, b.region_of(WITCH_KING), _ESCORT)
    return ["no"] + ["recruit"] * joins + ["fly"] * bool(flyers(b, seat))


def _summon(play: EventPlay, g: G) -> None:
    if play.got == (ANSWER["recruit"],):
        region = g.board.region_of(WITCH_KING)
        g.call(Levy(seat=play.seat, nation=SAURON, region=region, troops=tuple(_ESCORT)))
    elif play.got == (ANSWER["fly"],):
        g.call(MoveMinions(seat=play.seat, walks=0, optional=1))


event(
    "the_black_captain_commands",
    choose_answer(_summons, "the_black_captain_commands"),
    then(_summon),
    *_command(WITH_WITCH_KING, 1, "the_black_captain_commands"),
    needs=in_play(WITCH_KING),
)
