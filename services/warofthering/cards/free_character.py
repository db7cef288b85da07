"""The event halves of the Free Peoples' Character deck, 1 to 17; the rest is in `free_allies`."""

from __future__ import annotations

from services.core.frames import Game
from services.warofthering.board import Board
from services.warofthering.cards.conditions import (
    RANGERS,
    company_left,
    in_company,
    in_regions,
    is_guide,
    is_with_army,
    ranger,
)
from services.warofthering.cards.event import event, then
from services.warofthering.cards.verbs import (
    advance,
    choose_answer,
    do,
    heal,
    roll,
    rouse,
    separate,
    special_tile,
    when,
)
from services.warofthering.play import hunt
from services.warofthering.play.asking import ANSWER, choose_word, say
from services.warofthering.play.characters import OWN_LEVEL, MoveCompanions, movers
from services.warofthering.play.event_effects import Effect, EventPlay
from services.warofthering.play.fellowship import MoveFellowship, can_move, hide
from services.warofthering.play.hunt import DrawTile
from services.warofthering.play.separation import acts_for_fellowship, fall_on_map, leavers
from services.warofthering.tables import (
    BOROMIR,
    CHARACTER,
    DRAWN,
    DWARVES,
    ELVES,
    EYE_TILES,
    FACES,
    GANDALF_THE_GREY,
    GIMLI,
    GOLLUM,
    GONDOR,
    LEGOLAS,
    NATION_OF,
    NORTH,
    POOL,
    REGION,
    REMOVED,
    ROHAN,
    SIDES,
    STRIDER,
    WILL,
)

G = Game[Board]

# 1 to 8: Hunt tiles, and cards that the Hunt asks `kept` for.

event("elven_cloaks", special_tile())

event("elven_rope", special_tile())

event("phial_of_galadriel", special_tile())

event("smeagol_helps_nice_master", special_tile())

event("mithril_coat_and_sting")

event("axe_and_bow", needs=in_company(GIMLI, LEGOLAS))

event("horn_of_gondor", needs=in_company(BOROMIR))

event("wizards_staff", needs=in_company(GANDALF_THE_GREY))


# 9 to 13: what heals.


def _is_corrupted(b: Board, seat: int) -> bool:
    return b.corruption > 0


def _apply_herbs(play: EventPlay, g: G) -> None:
    least = 3 if g.board.guide == STRIDER else 5
    hunt.corrupt(g, -sum(n >= least for n in play.got))


event("athelas", when(_is_corrupted, roll(3, "athelas")), then(_apply_herbs))


def _secret_ways(b: Board, seat: int) -> list[str]:
    if not acts_for_fellowship(b, seat):
        return []
    return ["hide"] * (not b.hidden) + ["move"] * can_move(b)


def _ask_gollum(play: EventPlay, g: G) -> None:
    ways = _secret_ways(g.board, play.seat)
    choose_word(g, play.seat, ["no", *ways], "there_is_another_way")


def _follow_gollum(play: EventPlay, g: G) -> None:
    if play.got == (ANSWER["hide"],):
        hide(g)
    elif play.got == (ANSWER["move"],):
        g.call(MoveFellowship())


event(
    "there_is_another_way",
    heal(1),
    when(is_guide(GOLLUM), do(_ask_gollum, lambda b, seat: bool(_secret_ways(b, seat)))),
    then(_follow_gollum),
)

event("i_will_go_alone", separate(bonus=1), heal(1), needs=company_left)

event("bilbos_song", heal(1, if_guide={GOLLUM: 2}))


def _has_character_die(b: Board, seat: int) -> bool:
    return CHARACTER in b.faces_left(b.settings.sides[seat])


def _look_into_mirror(play: EventPlay, g: G) -> None:
    b = g.board
    side = b.settings.sides[play.seat]
    if _has_character_die(b, play.seat):
        b.use_die(side, CHARACTER)
        b.put_die(side, WILL)
        say(g, "die_changed", side=SIDES[side], face=FACES[CHARACTER], to=FACES[WILL])


def _rests_in_lorien(b: Board, seat: int) -> bool:
    lorien = REGION["lorien"]
    return not b.in_mordor and b.region == lorien and b.is_unconquered(lorien)


event(
    "mirror_of_galadriel",
    do(_look_into_mirror, _has_character_die),
    when(_rests_in_lorien, heal(1)),
)


# 14: three tiles, which the Hunt has no part in.


def _leads_in_the_south(b: Board, seat: int) -> bool:
    return any(
        b.owns(seat, who)
        and is_with_army(b, who)
        and NATION_OF[b.region_of(who)] in (GONDOR, ROHAN)
        for who in RANGERS
    )


def _draw_tile(play: EventPlay, g: G) -> None:
    play.memory += play.got
    g.call(DrawTile(held=play.memory))


def _answer_challenge(play: EventPlay, g: G) -> None:
    b = g.board
    tiles = play.memory + play.got
    defeated = all(tile in EYE_TILES for tile in tiles)
    for tile in tiles:
        is_lost = tile in EYE_TILES and not defeated
        b.move_tile(tile, DRAWN, REMOVED if is_lost else POOL)
    if defeated:
        fall_on_map(g, ranger(b))


event(
    "challenge_of_the_king",
    do(_draw_tile),
    then(_draw_tile),
    then(_draw_tile),
    then(_answer_challenge),
    needs=_leads_in_the_south,
)


# 15 to 17: Companions go.


def _set_out(card: str, *, bonus: int = 0, level: int = OWN_LEVEL) -> tuple[Effect, Effect]:
    """One group separates or moves on the map, and may end in a Stronghold under siege."""

    def ways(b: Board, seat: int) -> list[str]:
        return ["separate"] * bool(leavers(b, seat)) + ["move"] * bool(movers(b, seat))

    def go(play: EventPlay, g: G) -> None:
        if play.got == (ANSWER["move"],):
            going = MoveCompanions(seat=play.seat, groups=1, bonus=bonus, level=level)
            going.into_siege = 1
            g.call(going)
        else:
            separate(bonus=bonus, level=level, into_siege=True).run(play, g)

    return choose_answer(ways, card), then(go)


event("gwaihir_the_windlord", *_set_out("gwaihir_the_windlord", level=4))

event("we_prove_the_swifter", *_set_out("we_prove_the_swifter", bonus=2))

_NORTHERN_REALMS = (REGION["dale"], REGION["erebor"], REGION["woodland_realm"])


def _came_home(b: Board, seat: int) -> bool:
    realms = [region for region in _NORTHERN_REALMS if b.is_unconquered(region)]
    return in_regions((GIMLI, LEGOLAS), realms)(b, seat)


event(
    "there_and_back_again",
    separate(bonus=1),
    when(_came_home, rouse(DWARVES, NORTH)),
    when(_came_home, advance(DWARVES, ELVES, NORTH)),
)
