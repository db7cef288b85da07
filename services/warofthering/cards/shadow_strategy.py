"""The event halves of the Shadow's Strategy deck, in the order of their numbers."""

from __future__ import annotations

from services.warofthering.cards.conditions import all_at_war
from services.warofthering.cards.event import event
from services.warofthering.cards.verbs import journey, levy, march
from services.warofthering.play.journey import WITH_FRIENDS
from services.warofthering.play.muster import Troops
from services.warofthering.tables import REGION, SAURON, SHADOW

event("shadows_gather", journey(1, 3, ends=WITH_FRIENDS))

event("the_shadow_is_moving", march(4), needs=all_at_war(SHADOW))

event(
    "orcs_multiplying_again",
    levy(SAURON, REGION["dol_guldur"], Troops(regulars=3)),
    levy(SAURON, REGION["mount_gundabad"], Troops(regulars=3)),
)
