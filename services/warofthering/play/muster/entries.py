"""Characters who enter play: Minions (RULES 9.5), Aragorn and Gandalf the White (9.6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from services.core.frames import Game, Procedure
from services.warofthering.board import Board
from services.warofthering.play import politics
from services.warofthering.play.asking import ANSWER, choose, choose_word, say
from services.warofthering.play.characters import may_fly_to
from services.warofthering.play.muster.dice import can_muster_in, enlist
from services.warofthering.play.muster.levy import upgrade
from services.warofthering.play.stacking import Trim
from services.warofthering.tables import (
    ARAGORN,
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
    MINIONS,
    NATIONS_OF,
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
    STRIDER,
    VICTORY_AT,
    WITCH_KING,
)

G = Game[Board]


# Minions.


def minion_regions(b: Board, minion: int) -> list[int]:
    """Where a Minion may enter play now; none if he may not (D09, D11)."""
    if not b.is_aside(minion):
        return []
    if minion == SARUMAN:
        ready = b.is_at_war(ISENGARD) and b.is_unconquered(ORTHANC)
        return [ORTHANC] if ready else []
    if minion == WITCH_KING:
        return _witch_king_regions(b)
    if b.settings.readings.mouth_waits and not (b.in_mordor or b.are_all_at_war(FREE)):
        return []
    return [region for region in SAURON_STRONGHOLDS if b.is_unconquered(region)]


def _witch_king_regions(b: Board) -> list[int]:
    if not b.settings.readings.witch_king_enters_by_war:
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
        if self.minion == WITCH_KING and b.settings.readings.witch_king_rouses:
            for nation in NATIONS_OF[FREE]:
                politics.rouse(g, nation, politics.WITCH_KING)


def can_use_voice(b: Board) -> bool:
    """Whether Saruman's voice can do anything with a Muster result (S01)."""
    if not b.settings.readings.unlisted_abilities or not b.is_on_map(SARUMAN):
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
    after_parting = b.settings.readings.white_enters_after_parting
    left = b.is_fallen(GANDALF_THE_GREY) or (after_parting and b.is_on_map(GANDALF_THE_GREY))
    minion = b.minion_seen if after_parting else b.has_minion()
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
