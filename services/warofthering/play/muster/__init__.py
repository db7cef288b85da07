"""Recruitment and entries into play (RULES 9)."""

from __future__ import annotations

from services.warofthering.play.muster.dice import (
    ChooseRecruit,
    Recruit,
    advance_choices,
    can_muster_in,
    can_recruit,
    enlist,
    muster_choices,
    musters,
)
from services.warofthering.play.muster.entries import (
    BringMinion,
    Crown,
    SendGandalf,
    VoiceOfSaruman,
    aragorn_region,
    can_use_voice,
    gandalf_white_regions,
    minion_choices,
    minion_regions,
)
from services.warofthering.play.muster.levy import (
    Levy,
    Troops,
    area_for,
    upgrade,
)

__all__ = [
    "BringMinion",
    "ChooseRecruit",
    "Crown",
    "Levy",
    "Recruit",
    "SendGandalf",
    "Troops",
    "VoiceOfSaruman",
    "advance_choices",
    "aragorn_region",
    "area_for",
    "can_muster_in",
    "can_recruit",
    "can_use_voice",
    "enlist",
    "gandalf_white_regions",
    "minion_choices",
    "minion_regions",
    "muster_choices",
    "musters",
    "upgrade",
]
