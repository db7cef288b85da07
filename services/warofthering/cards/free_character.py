"""The event halves of the Free Peoples' Character deck, in the order of their numbers."""

from __future__ import annotations

from services.warofthering.cards.conditions import company_left, in_company
from services.warofthering.cards.event import event
from services.warofthering.cards.verbs import heal, separate, special_tile
from services.warofthering.tables import GANDALF_THE_GREY, GOLLUM

event("elven_cloaks", special_tile())

# Kept on the table: `event` has no effects, what it changes is asked of `kept` by the Hunt.
event("wizards_staff", needs=in_company(GANDALF_THE_GREY))

event("i_will_go_alone", separate(bonus=1), heal(1), needs=company_left)

event("bilbos_song", heal(1, if_guide={GOLLUM: 2}))
