"""Recruitment and entries into play (RULES 9).

Order of reading: what a Muster result recruits, what a card recruits, Minions, Aragorn and Gandalf.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, NamedTuple

from services.core.decisions import Action, Seat
from services.core.frames import Game, Procedure, Question
from services.warofthering.board import Board
from services.warofthering.cards import kept
from services.warofthering.play import control, politics
from services.warofthering.play.asking import ANSWER, choose, choose_word, say
from services.warofthering.play.characters import may_fly_to
from services.warofthering.play.stacking import Trim
from services.warofthering.tables import (
    ARAGORN,
    AREAS,
    ASIDE,
    ELITE,
    ELVEN_STRONGHOLDS,
    FALLEN,
    FANGORN,
    FIGURES,
    FREE,
    GANDALF_THE_GREY,
    GANDALF_THE_WHITE,
    ISENGARD,
    LEADER,
    MINIONS,
    NATIONS_OF,
    NAZGUL,
    ORTHANC,
    REGION,
    REGION_COUNT,
    REGION_OF,
    REGIONS,
    REGULAR,
    RESERVE,
    SARUMAN,
    SAURON,
    SAURON_STRONGHOLDS,
    SETTLEMENTS_OF,
    SHADOW,
    SIDE_OF_NATION,
    STRIDER,
    VICTORY_AT,
    WITCH_KING,
)

G = Game[Board]


# What a Muster result recruits.


def can_muster_in(b: Board, region: int, side: int) -> bool:
    """Whether a die recruits in a settlement: own, not besieged, no enemy units (9.1)."""
    return (
        b.control[region] == side
        and not b.units[2 * region + 1 - side]
        and not b.is_besieged(region)
    )


def musters(b: Board, seat: int, *, elites: bool, but: int = REGION_COUNT) -> Iterator[Action]:
    """Which figure a seat may recruit where; `but` is where the other one was recruited."""
    side = b.charter.sides[seat]
    for nation in NATIONS_OF[side]:
        if not b.is_at_war(nation) or b.charter.seat_of_nation[nation] != seat:
            continue
        for figure in _kinds(nation, elites):
            if not b.count(RESERVE, figure):
                continue
            joins = figure >= LEADER and figure != NAZGUL  # a Leader joins units (S06)
            for region in _settlements(figure, nation):
                is_open = region != but and can_muster_in(b, region, side)
                if is_open and (not joins or b.units_at(region, FREE)):
                    yield Action("recruit", (figure, region))


def muster_choices(b: Board, seat: int, *, elites: bool, but: int = REGION_COUNT) -> list[Action]:
    """All that a seat may recruit."""
    return list(musters(b, seat, elites=elites, but=but))


def can_recruit(b: Board, seat: int) -> bool:
    """Whether a seat may recruit anything with a Muster result."""
    return next(musters(b, seat, elites=True), None) is not None


@cache
def _kinds(nation: int, elites: bool) -> list[int]:  # cached
    kinds = [REGULAR + nation]
    if elites:
        kinds.append(ELITE + nation)
    if SIDE_OF_NATION[nation] == FREE:
        kinds.append(LEADER + nation)
    elif nation == SAURON:
        kinds.append(NAZGUL)
    return kinds


def _settlements(figure: int, nation: int) -> tuple[int, ...]:
    return SAURON_STRONGHOLDS if figure == NAZGUL else SETTLEMENTS_OF[nation]


def enlist(g: G, figure: int, area: int, number: int = 1) -> None:
    """Put figures from the reinforcements into an area."""
    g.board.move(figure, RESERVE, area, number)
    say(g, "recruited", figure=FIGURES[figure], number=number, place=AREAS[area])


@dataclass(slots=True)
class Recruit(Procedure):
    """A seat recruits with a Muster result: an Elite, or two lesser figures (9.1)."""

    seat: int = 0

    script: ClassVar[tuple[str, ...]] = ("first", "second", "trim")

    def first(self, g: G) -> None:
        g.call(ChooseRecruit(seat=self.seat))

    def second(self, g: G) -> None:
        figure, region = self.got
        if not ELITE <= figure < LEADER and muster_choices(
            g.board, self.seat, elites=False, but=region
        ):
            g.call(ChooseRecruit(seat=self.seat, but=region))

    def trim(self, g: G) -> None:
        g.call(Trim())


@dataclass(slots=True)
class ChooseRecruit(Question[Board]):
    """A seat recruits a figure; the second of two may be declined."""

    prompt: ClassVar[str] = "muster.recruit"

    seat: int = 0
    but: int = REGION_COUNT  # the settlement of the first figure

    def waiting(self, g: G) -> tuple[Seat, ...]:
        return (self.seat,)

    def legal(self, g: G, seat: Seat) -> Sequence[Action]:
        is_first = self.but == REGION_COUNT
        choices = muster_choices(g.board, seat, elites=is_first, but=self.but)
        return choices if is_first else [Action("decline"), *choices]

    def take(self, g: G, seat: Seat, action: Action) -> None:
        if action.verb == "recruit":
            figure, region = action.nouns
            enlist(g, figure, region)
        else:
            say(g, "declined", seat=g.board.charter.seats[seat], what="recruit")
        g.done(*action.nouns)


# What a card recruits.


def place_for(b: Board, region: int, side: int) -> int | None:
    """The area where a card may put a side's figures in a region; None if it may not (9.3)."""
    if b.is_besieged_by(region, 1 - side):
        return b.home_area(region, side)
    if b.units_at(region, 1 - side):
        return None
    if b.is_controlled_by(region, 1 - side) and not b.is_besieged_by(region, side):
        return None
    return region


class Troops(NamedTuple):
    """What a card recruits; units of any kind are each of the kind that the seat chooses."""

    regulars: int = 0
    elites: int = 0
    any_kind: int = 0
    leaders: int = 0
    nazgul: int = 0


@dataclass(slots=True)
class Levy(Procedure):
    """A card puts figures of a nation into a region, as many as it says and there are (9.3).

    A Leader needs a unit beside him (S06).
    """

    seat: int = 0
    nation: int = 0
    region: int = 0
    troops: tuple[int, ...] = (0, 0, 0, 0, 0)  # as `Troops`
    chosen: int = 0  # of the units of any kind

    script: ClassVar[tuple[str, ...]] = ("units", "choose_kind", "place_kind", "leading", "trim")

    def units(self, g: G) -> None:
        if self._area(g.board) is None:
            g.done()
            return
        troops = Troops(*self.troops)
        self._put(g, REGULAR + self.nation, troops.regulars)
        self._put(g, ELITE + self.nation, troops.elites)

    def choose_kind(self, g: G) -> None:
        kinds = (REGULAR + self.nation, ELITE + self.nation)
        if self.chosen < Troops(*self.troops).any_kind:
            there = [kind for kind in kinds if g.board.count(RESERVE, kind)]
            choose(g, self.seat, "figure", there, "levy")

    def place_kind(self, g: G) -> None:
        if self.got:
            self._put(g, self.got[0], 1)
            self.chosen += 1
            self.go_to("choose_kind")

    def leading(self, g: G) -> None:
        area = self._area(g.board)
        assert area is not None
        troops = Troops(*self.troops)
        if troops.leaders and g.board.units_at(area, FREE):
            self._put(g, LEADER + self.nation, troops.leaders)
        self._put(g, NAZGUL, troops.nazgul)

    def trim(self, g: G) -> None:
        side = SIDE_OF_NATION[self.nation]
        if g.board.units_at(self.region, side):  # Nazgûl alone are no army
            control.arrive(g, self.region, side)
        g.call(Trim())

    def _area(self, b: Board) -> int | None:
        return place_for(b, self.region, SIDE_OF_NATION[self.nation])

    def _put(self, g: G, figure: int, number: int) -> None:
        area = self._area(g.board)
        number = min(number, g.board.count(RESERVE, figure))
        if number and area is not None:
            enlist(g, figure, area, number)


def upgrade(g: G, nation: int, area: int, number: int, pile: int = RESERVE) -> None:
    """Replace Regulars of a nation in an area by Elites, as many as there are."""
    b = g.board
    most = min(number, b.count(area, REGULAR + nation), b.count(RESERVE, ELITE + nation))
    if most:
        b.move(REGULAR + nation, area, pile, most)
        b.move(ELITE + nation, RESERVE, area, most)
        say(g, "upgraded", figure=FIGURES[ELITE + nation], number=most, place=AREAS[area])


# Minions (9.5).


def minion_regions(b: Board, minion: int) -> list[int]:
    """Where a Minion may enter play now; none if he may not (D09, D11)."""
    if not b.is_aside(minion):
        return []
    if minion == SARUMAN:
        ready = b.is_at_war(ISENGARD) and b.is_unconquered(ORTHANC)
        return [ORTHANC] if ready else []
    if minion == WITCH_KING:
        return _witch_king_regions(b)
    if "mouth_entry" in b.charter.published and not (b.in_mordor or b.are_all_at_war(FREE)):
        return []
    return [region for region in SAURON_STRONGHOLDS if b.is_unconquered(region)]


def _witch_king_regions(b: Board) -> list[int]:
    if "witch_king_entry" not in b.charter.published:
        if b.victory_points(SHADOW) < VICTORY_AT[FREE]:
            return []
        return [region for region in range(REGION_COUNT) if may_fly_to(b, region)]
    if not b.is_at_war(SAURON) or not any(b.is_at_war(n) for n in NATIONS_OF[FREE]):
        return []
    areas = b.areas_with_units(SHADOW)
    return sorted({REGION_OF[area] for area in areas if b.nations_at(area, SHADOW) >> SAURON & 1})


def minion_choices(b: Board, seat: int) -> list[int]:
    """The Minions that a seat may bring into play."""
    return [minion for minion in MINIONS if b.owns(seat, minion) and minion_regions(b, minion)]


@dataclass(slots=True)
class BringMinion(Procedure):
    """A Minion enters play."""

    seat: int = 0
    minion: int = 0

    script: ClassVar[tuple[str, ...]] = ("choose_minion", "choose_region", "enter")

    def choose_minion(self, g: G) -> None:
        choose(g, self.seat, "figure", minion_choices(g.board, self.seat), "minion")

    def choose_region(self, g: G) -> None:
        (self.minion,) = self.got
        choose(g, self.seat, "region", minion_regions(g.board, self.minion), "minion_to")

    def enter(self, g: G) -> None:
        (region,) = self.got
        b = g.board
        b.move(self.minion, ASIDE, b.home_area(region, SHADOW))
        b.minion_seen = True
        say(g, "entered_play", figure=FIGURES[self.minion], region=REGIONS[region])
        if self.minion == WITCH_KING and "witch_king_rouses" not in b.charter.literal:
            for nation in NATIONS_OF[FREE]:
                politics.rouse(g, nation, politics.WITCH_KING)


def can_use_voice(b: Board) -> bool:
    """Whether Saruman's voice can do anything with a Muster result (S01)."""
    if "published_abilities" in b.charter.literal or not b.is_on_map(SARUMAN):
        return False
    if not b.is_unconquered(ORTHANC) or b.is_besieged(ORTHANC):
        return False
    return bool(_voice_settlements(b)) or _can_upgrade(b)


def _voice_settlements(b: Board) -> list[int]:
    if not b.count(RESERVE, REGULAR + ISENGARD):
        return []
    return [r for r in SETTLEMENTS_OF[ISENGARD] if can_muster_in(b, r, SHADOW)]


def _can_upgrade(b: Board) -> bool:
    regulars = b.count(ORTHANC, REGULAR + ISENGARD)
    return bool(regulars and b.count(RESERVE, ELITE + ISENGARD))


@dataclass(slots=True)
class VoiceOfSaruman(Procedure):
    """Regulars in every Isengard settlement, or two Elites for Regulars in Orthanc."""

    seat: int = 0

    script: ClassVar[tuple[str, ...]] = ("choose_use", "use", "trim")

    def choose_use(self, g: G) -> None:
        b = g.board
        words = ["recruit"] if _voice_settlements(b) else []
        choose_word(g, self.seat, words + ["upgrade"] * _can_upgrade(b), "voice_of_saruman")

    def use(self, g: G) -> None:
        if self.got == (ANSWER["upgrade"],):
            upgrade(g, ISENGARD, ORTHANC, 2)
            return
        for region in _voice_settlements(g.board):
            if g.board.count(RESERVE, REGULAR + ISENGARD):
                enlist(g, REGULAR + ISENGARD, region)

    def trim(self, g: G) -> None:
        g.call(Trim())


# Aragorn and Gandalf the White (9.6).

_CROWNED_IN = tuple(REGION[name] for name in ("minas_tirith", "pelargir", "dol_amroth"))


def aragorn_region(b: Board) -> int | None:
    """Where Strider stands if he can be crowned there."""
    region = b.region_of(STRIDER)
    ready = b.is_aside(ARAGORN) and region in _CROWNED_IN and b.is_unconquered(region)
    return region if ready else None


@dataclass(slots=True)
class Crown(Procedure):
    """Aragorn takes Strider's place."""

    script: ClassVar[tuple[str, ...]] = ("crown",)

    def crown(self, g: G) -> None:
        b = g.board
        area, region = b.place_of(STRIDER), b.region_of(STRIDER)
        b.move(STRIDER, area, FALLEN)
        b.move(ARAGORN, ASIDE, area)
        say(g, "entered_play", figure=FIGURES[ARAGORN], region=REGIONS[region])
        politics.rouse_by_companion(g, ARAGORN, region)


def gandalf_white_regions(b: Board) -> list[int]:
    """Where Gandalf the White may enter play; none if he may not (D08)."""
    if not b.is_aside(GANDALF_THE_WHITE):
        return []
    published = "gandalf_white_entry" in b.charter.published
    left = b.is_fallen(GANDALF_THE_GREY) or (published and b.is_on_map(GANDALF_THE_GREY))
    minion = b.minion_seen if published else b.has_minion()
    if not left or not minion:
        return []
    if b.is_on_map(GANDALF_THE_GREY):
        return [b.region_of(GANDALF_THE_GREY)]
    return [FANGORN, *(r for r in ELVEN_STRONGHOLDS if b.is_unconquered(r))]


@dataclass(slots=True)
class SendGandalf(Procedure):
    """Gandalf the White enters play."""

    seat: int = 0

    script: ClassVar[tuple[str, ...]] = ("choose_region", "enter")

    def choose_region(self, g: G) -> None:
        choose(g, self.seat, "region", gandalf_white_regions(g.board), "gandalf_to")

    def enter(self, g: G) -> None:
        (region,) = self.got
        b = g.board
        area = b.home_area(region, FREE)
        if b.is_on_map(GANDALF_THE_GREY):
            area = b.place_of(GANDALF_THE_GREY)
            b.move(GANDALF_THE_GREY, area, FALLEN)
        b.move(GANDALF_THE_WHITE, ASIDE, area)
        say(g, "entered_play", figure=FIGURES[GANDALF_THE_WHITE], region=REGIONS[region])
        politics.rouse_by_companion(g, GANDALF_THE_WHITE, region)


def advance_choices(b: Board, seat: int) -> list[int]:
    """The nations of a seat that a Muster result may advance (10.3)."""
    return [
        nation
        for nation in NATIONS_OF[b.charter.sides[seat]]
        if b.charter.seat_of_nation[nation] == seat
        and b.can_advance(nation)
        and kept.may_muster_advance(b, nation)
    ]
