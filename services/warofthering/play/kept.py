"""Cards kept on the table: what they change while there, and when they must go (RULES 16.3).

Order of reading: what they forbid and allow, when they go.

Design. These are plain queries of the board, so every chapter may ask them. Each begins with a look
at the set of cards on the table, which is empty most of the time. A card goes when its entry in
`GONE` holds, which `control.tidy` asks after every action and every step of a Hunt; where what
ends it is something that happens rather than a state, the chapter where it happens says so with
`politics.discard_when`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from services.warofthering.board import Board
from services.warofthering.tables import (
    ARAGORN,
    BOROMIR,
    CARD,
    FREE,
    GANDALF_THE_GREY,
    GIMLI,
    LEGOLAS,
    MINAS_TIRITH,
    NATION_OF,
    NO_NATION,
    REGION,
    ROHAN,
    SARUMAN,
    SHADOW,
    SIDE_OF_NATION,
)

MITHRIL_COAT, AXE_AND_BOW = CARD["mithril_coat_and_sting"], CARD["axe_and_bow"]
HORN_OF_GONDOR, WIZARDS_STAFF = CARD["horn_of_gondor"], CARD["wizards_staff"]
LAST_BATTLE, POWER_TOO_GREAT = CARD["the_last_battle"], CARD["a_power_too_great"]
TOM_BOMBADIL, WORN_WITH_SORROW = (
    CARD["the_power_of_tom_bombadil"],
    CARD["worn_with_sorrow_and_toil"],
)
CREBAIN, BALROG = CARD["flocks_of_crebain"], CARD["balrog_of_moria"]
PALANTIR, WORMTONGUE = CARD["the_palantir_of_orthanc"], CARD["wormtongue"]
DENETHORS_FOLLY, THREATS = CARD["denethors_folly"], CARD["threats_and_promises"]

# What happens, where the state of the board does not tell of it afterwards.
DECLARED, DECLARED_IN_REFUGE, ADVANCED_BY_ATTACK, ADVANCED_BY_COMPANION = range(4)

_BARRED: Mapping[int, tuple[str, ...]] = {
    POWER_TOO_GREAT: ("lorien", "rivendell", "grey_havens"),
    TOM_BOMBADIL: ("old_forest", "the_shire", "buckland"),
}
_BARRED_BITS = {card: sum(1 << REGION[r] for r in names) for card, names in _BARRED.items()}
_BARRING = sum(1 << card for card in _BARRED)
_EDORAS_OR_HELMS_DEEP = (REGION["edoras"], REGION["helms_deep"])


def barred(b: Board, side: int) -> int:
    """The regions that a side's armies may neither enter nor attack, as a set of bits."""
    if not b.table & _BARRING or side != SHADOW:
        return 0
    return sum(bits for card, bits in _BARRED_BITS.items() if b.is_on_table(card))


def is_barred(b: Board, region: int, side: int) -> bool:
    """Whether a side's armies may neither enter nor attack a region."""
    return bool(barred(b, side) >> region & 1)


def may_use_combat_card(b: Board, side: int, region: int) -> bool:
    """Whether a side may use Combat cards in a battle in a region."""
    folly = side == FREE and region == MINAS_TIRITH and b.is_on_table(DENETHORS_FOLLY)
    return not folly


def may_muster_advance(b: Board, nation: int) -> bool:
    """Whether a Muster result may advance this nation."""
    return b.is_active(nation) or not b.is_on_table(THREATS)


def may_rouse(b: Board, nation: int, cause: str, region: int) -> bool:
    """Whether this may activate a nation: little still activates Rohan under Wormtongue."""
    if nation != ROHAN or not b.is_on_table(WORMTONGUE):
        return True
    if cause in ("declared", "attacked"):
        return region in _EDORAS_OR_HELMS_DEEP
    return cause == "companion"


def keeps_die_out_of_hunt(b: Board) -> bool:
    """Whether dice that move the Fellowship stay out of the Hunt Box."""
    return b.is_on_table(LAST_BATTLE)


def aragorn_marches_abroad(b: Board) -> bool:
    """Whether Aragorn is with an army outside every Free Peoples nation."""
    region = b.region_of(ARAGORN)
    if not b.is_on_map(ARAGORN) or not b.units_at(b.place_of(ARAGORN), FREE):
        return False
    nation = NATION_OF[region]
    return nation == NO_NATION or SIDE_OF_NATION[nation] != FREE


def _none_in_company(*companions: int) -> Callable[[Board], bool]:
    return lambda b: not any(b.is_in_company(who) for who in companions)


GONE: Mapping[int, Callable[[Board], bool]] = {
    AXE_AND_BOW: _none_in_company(GIMLI, LEGOLAS),
    HORN_OF_GONDOR: _none_in_company(BOROMIR),
    WIZARDS_STAFF: _none_in_company(GANDALF_THE_GREY),
    LAST_BATTLE: lambda b: not b.hidden or not aragorn_marches_abroad(b),
    PALANTIR: lambda b: not b.is_on_map(SARUMAN),
    WORMTONGUE: lambda b: not b.is_on_map(SARUMAN) or b.is_active(ROHAN),
    DENETHORS_FOLLY: lambda b: not b.is_besieged_by(MINAS_TIRITH, SHADOW),
}
"""By card: the state of the board in which it is discarded, and may not be played."""

GONE_WHEN: Mapping[int, tuple[int, ...]] = {
    DECLARED: (LAST_BATTLE,),
    DECLARED_IN_REFUGE: (WORN_WITH_SORROW, CREBAIN),
    ADVANCED_BY_ATTACK: (THREATS,),
    ADVANCED_BY_COMPANION: (THREATS,),
}
"""By what happens: the cards that it ends."""
