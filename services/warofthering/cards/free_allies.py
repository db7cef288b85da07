"""The event halves of the Free Peoples' Character deck, 18 to 24: those who come to help."""

from __future__ import annotations

from services.core.frames import Game
from services.warofthering.board import Board
from services.warofthering.cards.conditions import (
    RANGERS,
    any_companion_in,
    every,
    in_nation,
    in_play,
    in_regions,
    is_with_army,
    ranger,
)
from services.warofthering.cards.event import event, own_nations, then
from services.warofthering.cards.verbs import (
    can_levy,
    choose_region,
    do,
    draw,
    levy_there,
    strike,
    when,
)
from services.warofthering.play import control, muster
from services.warofthering.play.aftermath import Flight
from services.warofthering.play.asking import Roll, choose, say
from services.warofthering.play.characters import Gather, bits_of, eliminate, figures_in, put
from services.warofthering.play.event_effects import EventPlay, may_play
from services.warofthering.play.events import NO_DIE, PlayEvent
from services.warofthering.play.forces import WITH_COMPANION, meets, units_in
from services.warofthering.play.muster import Troops
from services.warofthering.play.volley import MOST_STRIKE_DICE, Strike
from services.warofthering.tables import (
    ADJACENT,
    AREAS,
    BOROMIR,
    CARD,
    CHARACTER_DECK,
    COMPANIONS,
    ELITE,
    FALLEN,
    FANGORN,
    FIGURES,
    FREE,
    GANDALF_THE_WHITE,
    GONDOR,
    NATIONS_OF,
    NAZGUL,
    ORTHANC,
    REGION,
    REGION_OF,
    REGIONS,
    REGIONS_OF,
    REGULAR,
    RESERVE,
    ROHAN,
    SARUMAN,
    SAURON_STRONGHOLDS,
    SHADOW,
    STRATEGY_DECK,
)

G = Game[Board]

# 18: the Eagles.


def _beset_armies(b: Board, seat: int) -> list[int]:
    """The Shadow armies with Nazgûl in or next to the region of an army with a Companion."""
    near = {
        region
        for area in b.areas_with_units(FREE)
        if units_in(army := b.army(area, seat)) and meets(b, army, WITH_COMPANION)
        for region in (REGION_OF[area], *ADJACENT[REGION_OF[area]])
    }
    armies = b.areas_with_units(SHADOW)
    return [area for area in armies if b.count(area, NAZGUL) and REGION_OF[area] in near]


def _choose_nazgul(play: EventPlay, g: G) -> None:
    choose(g, play.seat, "area", _beset_armies(g.board, play.seat), "the_eagles_are_coming")


def _dive(play: EventPlay, g: G) -> None:
    play.memory = play.got
    (area,) = play.got
    dice = min(g.board.count(area, NAZGUL), MOST_STRIKE_DICE)
    g.call(Roll(dice=dice, what="the_eagles_are_coming"))


def _drive_off(play: EventPlay, g: G) -> None:
    b = g.board
    (area,) = play.memory
    for _ in range(sum(n >= 5 for n in play.got)):
        eliminate(g, NAZGUL, area, RESERVE)
    if b.count(area, NAZGUL):
        havens = [region for region in SAURON_STRONGHOLDS if b.is_unconquered(region)]
        choose(g, b.commander(area, SHADOW), "region", havens, "the_eagles_are_coming_to")


def _flee(play: EventPlay, g: G) -> None:
    if not play.got:
        return
    b = g.board
    (area,), (region,) = play.memory, play.got
    number = b.count(area, NAZGUL)
    b.move(NAZGUL, area, b.home_area(region, SHADOW), number)
    facts = {"figure": FIGURES[NAZGUL], "number": number, "origin": AREAS[area]}
    say(g, "flew", **facts, to=REGIONS[region])


event(
    "the_eagles_are_coming",
    do(_choose_nazgul),
    then(_dive),
    then(_drive_off),
    then(_flee),
    needs=lambda b, seat: bool(_beset_armies(b, seat)),
)


# 19 to 21: the Ents, three cards that do the same.

_ENTS = (
    "the_ents_awake_treebeard",
    "the_ents_awake_huorns",
    "the_ents_awake_entmoot",
)
_ENT_CARDS = tuple(CARD[name] for name in _ENTS)


def _army_at_orthanc(b: Board) -> int | None:
    """The area of the Shadow's army in Orthanc, besieged or not."""
    return next((area for area in b.army_areas(ORTHANC) if b.units_at(area, SHADOW)), None)


def _is_saruman_alone(b: Board, seat: int) -> bool:
    return b.region_of(SARUMAN) == ORTHANC and not is_with_army(b, SARUMAN)


def _drown_saruman(play: EventPlay, g: G) -> None:
    b = g.board
    if _is_saruman_alone(b, play.seat):
        eliminate(g, SARUMAN, b.place_of(SARUMAN), FALLEN)


def _has_other_card(b: Board, seat: int) -> bool:
    """Whether there is a card to play that does something beside waking Ents."""
    cards = b.hand(seat, CHARACTER_DECK)
    return any(card not in _ENT_CARDS and may_play(b, card, seat) for card in cards)


def _play_other_card(play: EventPlay, g: G) -> None:
    if g.board.hand(play.seat, CHARACTER_DECK):
        g.call(PlayEvent(seat=play.seat, face=NO_DIE, deck=CHARACTER_DECK, optional=1))


for _card in _ENTS:
    event(
        _card,
        strike(_army_at_orthanc, dice=3, target=4, is_attack=True, kills_all=True),
        do(_drown_saruman, _is_saruman_alone),
        when(
            in_regions((GANDALF_THE_WHITE,), (FANGORN, *REGIONS_OF[ROHAN])),
            do(_play_other_card, _has_other_card),
        ),
        needs=every(in_play(GANDALF_THE_WHITE), any_companion_in(FANGORN)),
    )


# 22: the Dead Men.

_LANDINGS = (REGION["erech"], REGION["lamedon"], REGION["pelargir"])


def _call_companions(play: EventPlay, g: G) -> None:
    b = g.board
    leader = ranger(b)
    there = b.characters_at(b.place_of(leader), COMPANIONS)
    others = [who for who in there if who != leader and b.owns(play.seat, who)]
    if others:
        g.call(Gather(seat=play.seat, among=bits_of(others), optional=1))


def _take_paths_of_the_dead(play: EventPlay, g: G) -> None:
    joined = play.got[0] if play.got else 0
    play.memory = (joined | 1 << ranger(g.board),)
    choose(g, play.seat, "region", _LANDINGS, "dead_men_of_dunharrow")


def _appear(play: EventPlay, g: G) -> None:
    b = g.board
    (group,), (region,) = play.memory, play.got
    play.memory = (region,)
    origin = REGIONS[b.region_of(ranger(b))]
    names = [FIGURES[who] for who in figures_in(group)]
    say(g, "companions_moved", origin=origin, to=REGIONS[region], companions=names)
    for who in figures_in(group):
        put(g, who, region)
    if b.units_at(region, SHADOW):
        g.call(Roll(dice=1, what="dead_men_of_dunharrow"))


def _haunt(play: EventPlay, g: G) -> None:
    if play.got:
        ((hits,), (region,)) = play.got, play.memory
        g.call(Strike(area=region, side=SHADOW, hits=hits, is_attack=1, kills_all=1))


def _put_to_flight(play: EventPlay, g: G) -> None:
    g.call(Flight(area=play.memory[0]))


def _count_recruits(play: EventPlay, g: G) -> None:
    most = min(g.board.count(RESERVE, REGULAR + GONDOR), 3)
    numbers = range(most, -1, -1)
    choose(g, play.seat, "number", numbers, "dead_men_of_dunharrow_muster")


def _raise_the_south(play: EventPlay, g: G) -> None:
    (region,), (number,) = play.memory, play.got
    if number:
        muster.enlist(g, REGULAR + GONDOR, region, number)
        control.arrive(g, region, FREE)


event(
    "dead_men_of_dunharrow",
    do(_call_companions),
    then(_take_paths_of_the_dead),
    then(_appear),
    then(_haunt),
    then(_put_to_flight),
    then(_count_recruits),
    then(_raise_the_south),
    needs=in_nation(RANGERS, ROHAN),
)


# 23 and 24: recruits, and cards.


def _region_of_boromir(b: Board, seat: int) -> list[int]:
    region = b.region_of(BOROMIR)
    return [region] if can_levy(b, GONDOR, region) else []


event(
    "house_of_the_stewards",
    choose_region(_region_of_boromir, "house_of_the_stewards"),
    levy_there(GONDOR, Troops(any_kind=1)),
    draw(STRATEGY_DECK, 2),
    needs=in_nation((BOROMIR,), GONDOR),
)


def _dunedain(b: Board, seat: int) -> list[int]:
    """The nations of which a Regular beside the Ranger can become an Elite."""
    area = b.place_of(ranger(b))
    return [
        nation
        for nation in own_nations(b, seat, NATIONS_OF[FREE])
        if b.count(area, REGULAR + nation) and b.count(RESERVE, ELITE + nation)
    ]


def _choose_dunedain(play: EventPlay, g: G) -> None:
    choose(g, play.seat, "nation", _dunedain(g.board, play.seat), "the_grey_company")


def _join_the_company(play: EventPlay, g: G) -> None:
    if play.got:
        area = g.board.place_of(ranger(g.board))
        muster.upgrade(g, play.got[0], area, 1, FALLEN)


def _rides_with_ranger(b: Board, seat: int) -> bool:
    """The Ranger is with an army, and he or some of it is the seat's."""
    return any(
        is_with_army(b, who) and (b.owns(seat, who) or b.has_units(b.place_of(who), seat))
        for who in RANGERS
    )


event(
    "the_grey_company",
    do(_choose_dunedain, lambda b, seat: bool(_dunedain(b, seat))),
    then(_join_the_company),
    draw(STRATEGY_DECK, 2),
    needs=_rides_with_ranger,
)
