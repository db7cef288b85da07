"""The event halves of the Free Peoples' Strategy deck, in the order of their numbers."""

from __future__ import annotations

from services.core.frames import Game
from services.warofthering.board import Board
from services.warofthering.cards.conditions import active, at_war
from services.warofthering.cards.event import EventPlay, event, then
from services.warofthering.cards.verbs import (
    advance,
    can_levy,
    choose_region,
    do,
    draw,
    levy,
    levy_there,
)
from services.warofthering.play import politics
from services.warofthering.play.asking import choose
from services.warofthering.play.muster import Troops
from services.warofthering.tables import (
    COASTAL,
    ELVES,
    FREE,
    GONDOR,
    MINAS_TIRITH,
    NATIONS_OF,
    REGION,
    ROHAN,
    STRATEGY_DECK,
)

G = Game[Board]

# Kept on the table, and it does something when it is laid down.
event("a_power_too_great", advance(ELVES))


# A choice, and a step that goes on from it.
def _choose_nation(play: EventPlay, g: G) -> None:
    choose(g, play.seat, "nation", NATIONS_OF[FREE], "wisdom_of_elrond")


def _counsel(play: EventPlay, g: G) -> None:
    (nation,) = play.got
    politics.rouse(g, nation, politics.CARD)
    politics.advance(g, nation, politics.CARD)


def _needs_counsel(b: Board, seat: int) -> bool:
    return any(not b.is_active(n) or b.can_advance(n) for n in NATIONS_OF[FREE])


event("wisdom_of_elrond", do(_choose_nation, _needs_counsel), then(_counsel))

event(
    "the_red_arrow",
    advance(ROHAN),
    levy(ROHAN, REGION["edoras"], Troops(any_kind=1, leaders=1)),
    needs=active(GONDOR),
)


def _landing_places(b: Board, seat: int) -> list[int]:
    return [r for r in COASTAL if b.has_army_in(r, FREE) and can_levy(b, ELVES, r)]


event(
    "cirdans_ships",
    choose_region(_landing_places, "cirdans_ships"),
    levy_there(ELVES, Troops(any_kind=2)),
    needs=at_war(ELVES),
)

event("guards_of_the_citadel", levy(GONDOR, MINAS_TIRITH, Troops(any_kind=1, leaders=1)))

event("celeborns_galadhrim", levy(ELVES, REGION["lorien"], Troops(any_kind=1)), draw(STRATEGY_DECK))
