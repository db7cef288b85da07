"""Of four players, each card works on what its player commands (RULES 19.2, Ruling 36)."""

from __future__ import annotations

import pytest

from services.core.decisions import Action, Seat
from services.core.frames import Game
from services.warofthering import RULES
from services.warofthering.board import Board
from services.warofthering.play.asking import Choose
from services.warofthering.play.characters import Gather
from services.warofthering.play.event_effects import EventPlay, may_play
from services.warofthering.play.turn import Turn
from services.warofthering.tables import (
    CARD,
    CARD_COUNT,
    CARD_SEATS,
    CARDS,
    CHARACTERS,
    FREE,
    LEADERS,
    NATION_OF,
    NATIONS,
    NATIONS_OF,
    REGION_COUNT,
    RESERVE,
    SIDE_OF,
    SIDE_OF_CARD,
    STRIDER,
    UNITS,
)
from tests.conform.walks import chosen, fate
from tests.games.warofthering.positions import given

G = Game[Board]

# Everybody is somewhere, with armies of both of a side in one place and in two.
_ALL_AT_WAR = "at_war dwarves, elves, gondor, north, rohan, isengard, sauron, southrons"
_PLACES = (
    """preset four; clear; corruption 3; progress 2; revealed; fellowship fangorn; hunt shadow 2
    company legolas, meriadoc; fallen gandalf_the_grey
    fangorn: gandalf_the_white, 1 nazgul
    edoras: 2 rohan_regular, 1 gondor_regular, strider, gimli, 1 rohan_leader
    osgiliath: 3 gondor_regular, 1 rohan_regular, 1 gondor_leader
    dale: 1 north_regular, 1 elves_regular
    lorien: 1 elves_elite; grey_havens: 1 elves_regular; dol_amroth: 2 gondor_regular, boromir
    orthanc: 3 isengard_regular, saruman
    south_ithilien: 3 sauron_regular, 2 southrons_regular, 2 nazgul, witch_king
    umbar: 3 southrons_regular; near_harad: 2 sauron_regular, 1 southrons_regular
    morannon: 3 sauron_regular, mouth_of_sauron; dagorlad: 1 sauron_regular
    north_dunland: 2 isengard_regular; captured saruman woodland_realm
    woodland_realm: 1 southrons_regular; captured witch_king rivendell; rivendell: 1 sauron_regular
    dice free: character, muster, will_of_the_west; dice shadow: army, muster, character""",
    """preset four; clear; corruption 3; progress 1; fellowship hollin; hunt shadow 2
    company boromir, peregrin; fallen gandalf_the_grey, strider
    erebor: 1 dwarves_regular; erech: 2 gondor_regular, 1 rohan_regular, aragorn
    helms_deep_garrison: 1 rohan_regular, 1 rohan_leader; helms_deep: 3 isengard_elite
    minas_tirith_garrison: 2 gondor_regular, 1 gondor_leader, legolas
    minas_tirith: 3 sauron_regular, 1 southrons_regular, 1 nazgul, witch_king
    druadan_forest: 2 rohan_regular, gimli; lossarnach: 2 gondor_regular, 1 rohan_regular
    bree: meriadoc, 1 north_regular; edoras: 3 rohan_regular, gandalf_the_white
    orthanc: 3 isengard_regular, saruman; gorgoroth: 2 southrons_regular, 1 sauron_regular
    nurn: 1 sauron_regular, 1 southrons_regular; hollin: 1 nazgul; south_dunland: 1 isengard_regular
    captured saruman lorien; lorien: 1 isengard_regular; rivendell: 2 elves_elite
    box north 2; box dwarves 2; box elves 2
    table flocks_of_crebain, mithril_coat_and_sting
    dice free: character, muster; dice shadow: army, muster, character""",
    """preset four; progress 1; fellowship hollin; corruption 1; guide gandalf_the_grey
    lorien: 1 sauron_elite; lorien_garrison: 1 elves_elite
    dimrill_dale: 2 elves_elite; dale: legolas
    company gandalf_the_grey, boromir, gimli, strider; dagorlad: aragorn, 1 gondor_regular
    osgiliath: 1 gondor_elite; dice free: character; dice shadow: muster, event""",
)
_POLITICS = (_ALL_AT_WAR, "at_war isengard, sauron, southrons, gondor; box elves 2")
_TRIES = 3
_STRANGERS = {CARD["dead_men_of_dunharrow"]: (STRIDER,)}
"""By card: who does what it says though he is not its player's."""


def positions() -> list[G]:
    """Where every card can be played by whoever may ever play it."""
    return [
        given(RULES, [*text.splitlines(), politics]) for text in _PLACES for politics in _POLITICS
    ]


def _begin(position: G, card: int, seat: Seat) -> G:
    g = position.copy()
    g.stack = [Turn(at=len(Turn.script) - 1)]
    g.board.show(card)
    return g


def _plays(g: G) -> bool:
    return any(isinstance(frame, EventPlay) for frame in g.stack)


def _offered(g: G, seat: Seat) -> list[int]:
    """The nations and figures of its own side that a seat may choose from now."""
    question, side = g.question(), g.board.settings.sides[seat]
    actions = RULES.ask(g, seat).actions
    if isinstance(question, Choose) and question.verb == "nation":
        return [_any_of(a) for a in actions if a.nouns and a.nouns[0] in NATIONS_OF[side]]
    if isinstance(question, (Choose, Gather)):
        figures = [a.nouns[0] for a in actions if a.verb in ("figure", "take")]
        return [figure for figure in figures if SIDE_OF[figure] == side]
    return []


def _any_of(action: Action) -> int:
    return action.nouns[0]  # a nation's Regular has its number


@pytest.mark.parametrize("card", range(CARD_COUNT), ids=CARDS)
def test_a_card_offers_and_moves_only_what_is_its_players(card: int) -> None:
    """Each card is played by both seats of its side, often enough to see most of its choices."""
    side = SIDE_OF_CARD[card]
    players = set()
    for number, position in enumerate(positions()):
        for seat in position.board.settings.teams[side]:
            for attempt in range(_TRIES):
                g = _begin(position, card, seat)
                if may_play(g.board, card, seat):
                    players.add(position.board.settings.seats[seat])
                    _play(g, card, seat, f"{card} {number} {seat} {attempt}")

    team = position.board.settings.teams[side]
    assert players == set(CARD_SEATS[card] or [position.board.settings.seats[s] for s in team])


def _play(g: G, card: int, seat: Seat, label: str) -> None:
    before, pick = g.board.copy(), fate(label).pick
    acts = before.settings.seats[seat] == "rohan"  # for the Fellowship (D22)
    commanded = (*_STRANGERS.get(card, ()), *(before.company() if acts else ()))
    g.call(EventPlay(card=card, seat=seat))
    g.advance()
    while _plays(g):
        who, action = chosen(RULES, g, pick, pick)
        if who == seat and g.board.fight is None:
            for figure in _offered(g, seat):
                assert figure in commanded or g.board.owns(seat, figure), g.place()
        RULES.apply(g, who, action)
    _assert_mate_untouched(before, g.board, seat, commanded)


def _assert_mate_untouched(before: Board, b: Board, seat: Seat, but: tuple[int, ...]) -> None:
    """No nation of the mate advances, none of his is recruited, and none of his goes anywhere."""
    side = b.settings.sides[seat]
    for nation in range(len(NATIONS)):
        if b.settings.sides[b.settings.seat_of_nation[nation]] == side and not b.owns(seat, nation):
            assert before.politics[nation] == b.politics[nation], NATIONS[nation]
            assert b.is_active(nation) == before.is_active(nation) or _came(b, nation)
    for figure in (*UNITS, *LEADERS, *CHARACTERS):
        if SIDE_OF[figure] != side or b.owns(seat, figure) or figure in but:
            continue
        assert b.count(RESERVE, figure) >= before.count(RESERVE, figure), "no recruits"
        assert not _grown(before, b, figure), "nobody goes"


def _grown(before: Board, b: Board, figure: int) -> list[int]:
    """The regions where there are more of a figure than before."""

    def number(board: Board, region: int) -> int:
        return sum(board.count(area, figure) for area in board.army_areas(region))

    return [r for r in range(REGION_COUNT) if number(b, r) > number(before, r)]


def _came(b: Board, nation: int) -> bool:
    """Whether a Companion is where he may activate a nation, which is no work of the card."""
    return any(
        b.is_on_map(who) and NATION_OF[b.region_of(who)] == nation
        for who in CHARACTERS
        if SIDE_OF[who] == FREE
    )
