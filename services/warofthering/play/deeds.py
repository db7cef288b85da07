"""What a die can be used for (RULES 6): every deed, with which faces, and when it can be done.

Design. A deed is a row of `DEEDS`: the side that may, the faces that allow it, whether it can be
completed now (RULES 5: a die is spent on nothing that cannot), and how it begins. What a face may
be used as is in `faces`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from services.core.frames import Frame, Game
from services.warofthering.board import Board
from services.warofthering.play import fellowship, muster
from services.warofthering.play.abilities import (
    AdvanceNation,
    DiscardByForce,
    advancing_companions,
    can_force_discard,
)
from services.warofthering.play.armies import can_march
from services.warofthering.play.attack import Attack, can_attack
from services.warofthering.play.characters import (
    MoveCompanions,
    MoveMinions,
    can_move_minions,
    movers,
)
from services.warofthering.play.events import KnownCards, PlayEvent, can_play, unknown_cards
from services.warofthering.play.faces import is_by_messenger, uses
from services.warofthering.play.fellowship import HideFellowship, MoveFellowship
from services.warofthering.play.forces import ANY_ARMY, BY_DIE, LED
from services.warofthering.play.hands import DrawFromEither
from services.warofthering.play.marches import Marches
from services.warofthering.play.separation import Separate, acts_for_fellowship
from services.warofthering.tables import (
    ANY_SEAT,
    ARMY,
    CHARACTER,
    EVENT,
    FREE,
    MUSTER,
    SHADOW,
    STRIDER,
    WILL,
)

G = Game[Board]

ANY_FACE = 255


class Deed(NamedTuple):
    """One thing that a die can be used for."""

    name: str
    side: int  # the side that may, or `ANY_SEAT`
    use: int  # what the die must count as, or `ANY_FACE`
    can: Callable[[Board, int], bool]
    begin: Callable[[int, int], Frame]  # from the seat and the face


def _can_move_fellowship(b: Board, seat: int) -> bool:
    return acts_for_fellowship(b, seat) and fellowship.can_move(b)


def _can_hide(b: Board, seat: int) -> bool:
    return acts_for_fellowship(b, seat) and not b.hidden


def _strider_hides(b: Board, seat: int) -> bool:
    if b.guide != STRIDER or not b.settings.readings.strider_hides_with_any_die:
        return False
    return _can_hide(b, seat)


def _can_separate(b: Board, seat: int) -> bool:
    return acts_for_fellowship(b, seat) and not b.in_mordor and bool(b.company())


def _can_recruit(b: Board, seat: int) -> bool:
    return muster.can_recruit(b, seat)


def _can_draw(b: Board, seat: int) -> bool:
    side = b.settings.sides[seat]
    return bool(b.deck_size(side, 0) or b.deck_size(side, 1))


def _leads(b: Board, seat: int) -> bool:
    return can_march(b, seat, LED + BY_DIE)


def _marches(b: Board, seat: int) -> bool:
    return can_march(b, seat, ANY_ARMY + BY_DIE)


def _attacks(b: Board, seat: int) -> bool:
    return can_attack(b, seat, ANY_ARMY + BY_DIE)


def _attacks_led(b: Board, seat: int) -> bool:
    return can_attack(b, seat, LED + BY_DIE)


def _companions_can_move(b: Board, seat: int) -> bool:
    return bool(movers(b, seat))


def _minions_can_move(b: Board, seat: int) -> bool:
    return can_move_minions(b, seat)


def _saruman_can_speak(b: Board, seat: int) -> bool:
    return muster.can_use_voice(b)


def _may_crown(b: Board, seat: int) -> bool:
    return muster.aragorn_region(b) is not None


DEEDS: tuple[Deed, ...] = (
    Deed("move_fellowship", FREE, CHARACTER, _can_move_fellowship, lambda s, f: MoveFellowship()),
    Deed("hide", FREE, CHARACTER, _can_hide, lambda s, f: HideFellowship()),
    Deed("separate", FREE, CHARACTER, _can_separate, lambda s, f: Separate(seat=s)),
    Deed("move_companions", FREE, CHARACTER, _companions_can_move,
         lambda s, f: MoveCompanions(seat=s)),
    Deed("move_minions", SHADOW, CHARACTER, _minions_can_move,
         lambda s, f: MoveMinions(seat=s)),
    Deed("lead_army", ANY_SEAT, CHARACTER, _leads,
         lambda s, f: Marches(seat=s, most=1, need=LED + BY_DIE)),
    Deed("lead_attack", ANY_SEAT, CHARACTER, _attacks_led,
         lambda s, f: Attack(seat=s, need=LED + BY_DIE)),
    Deed("move_armies", ANY_SEAT, ARMY, _marches,
         lambda s, f: Marches(seat=s, need=ANY_ARMY + BY_DIE)),
    Deed("attack", ANY_SEAT, ARMY, _attacks, lambda s, f: Attack(seat=s, need=ANY_ARMY + BY_DIE)),
    Deed("advance", ANY_SEAT, MUSTER, lambda b, s: bool(muster.advance_choices(b, s)),
         lambda s, f: AdvanceNation(seat=s)),
    Deed("recruit", ANY_SEAT, MUSTER, _can_recruit, lambda s, f: muster.Recruit(seat=s)),
    Deed("bring_minion", SHADOW, MUSTER, lambda b, s: bool(muster.minion_choices(b, s)),
         lambda s, f: muster.BringMinion(seat=s)),
    Deed("voice_of_saruman", SHADOW, MUSTER, _saruman_can_speak,
         lambda s, f: muster.VoiceOfSaruman(seat=s)),
    Deed("draw_event", ANY_SEAT, EVENT, _can_draw, lambda s, f: DrawFromEither(seat=s)),
    Deed("crown_aragorn", FREE, WILL, _may_crown, lambda s, f: muster.Crown()),
    Deed("send_gandalf", FREE, WILL, lambda b, s: bool(muster.gandalf_white_regions(b)),
         lambda s, f: muster.SendGandalf(seat=s)),
    Deed("strider_hides", FREE, ANY_FACE, _strider_hides, lambda s, f: HideFellowship()),
    Deed("companion_advances", FREE, ANY_FACE, lambda b, s: bool(advancing_companions(b, s)),
         lambda s, f: AdvanceNation(seat=s, by_companion=1)),
)  # fmt: skip
PLAY_EVENT, FORCE_DISCARD = "play_event", "force_discard"
DEED_NAMES: tuple[str, ...] = (*(deed.name for deed in DEEDS), PLAY_EVENT, FORCE_DISCARD)


Known = tuple[dict[int, bool], KnownCards]
"""What was found out for another die: which deeds can be done, which cards can be played."""


def unknown(b: Board, seat: int) -> Known:
    """Nothing was found out yet."""
    return {}, unknown_cards(b, seat)


_UNLED = {
    DEED_NAMES.index("lead_army"): DEED_NAMES.index("move_armies"),
    DEED_NAMES.index("lead_attack"): DEED_NAMES.index("attack"),
}
"""What an army that is led can do it can do unled."""


@cache
def _deeds_of(side: int, as_what: tuple[int, ...]) -> tuple[int, ...]:
    """The deeds of a side for which a die may be used."""
    return tuple(
        number
        for number, deed in enumerate(DEEDS)
        if deed.side in (side, ANY_SEAT) and deed.use in (*as_what, ANY_FACE)
    )


def deeds_for(b: Board, seat: int, face: int, known: Known) -> list[int]:
    """The deeds, by number, that a seat can do with a die."""
    done, cards = known
    side = b.settings.sides[seat]
    found = []
    for number in _deeds_of(side, uses(b, side, face)):
        if number not in done:
            done[number] = DEEDS[number].can(b, seat)
        if done[number]:
            found.append(number)
            if number in _UNLED:
                done[_UNLED[number]] = True
    if can_play(b, seat, face, cards):
        found.append(len(DEEDS))
    if can_force_discard(b, seat, face):
        found.append(len(DEEDS) + 1)
    return found


def can_do(b: Board, seat: int, face: int, number: int) -> bool:
    """Whether a seat can do one deed with such a die."""
    name = DEED_NAMES[number]
    if name == PLAY_EVENT:
        return can_play(b, seat, face, unknown_cards(b, seat))
    if name == FORCE_DISCARD:
        return can_force_discard(b, seat, face)
    side = b.settings.sides[seat]
    return number in _deeds_of(side, uses(b, side, face)) and DEEDS[number].can(b, seat)


def begin(seat: int, face: int, number: int) -> Frame:
    """The frame that does a deed."""
    name = DEED_NAMES[number]
    if name == PLAY_EVENT:
        return PlayEvent(seat=seat, face=face)
    if name == FORCE_DISCARD:
        return DiscardByForce(seat=seat, face=face)
    return DEEDS[number].begin(seat, face)


def uses_messenger(b: Board, seat: int, face: int, number: int) -> bool:
    """Whether a deed needs the Messenger; of a card that is known when it is chosen."""
    if number >= len(DEEDS) or DEEDS[number].use == ANY_FACE:
        return False
    return is_by_messenger(face, DEEDS[number].use)
