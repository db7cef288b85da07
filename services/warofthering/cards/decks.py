"""All cards: importing this fills the tables in which play looks for what they do."""

from __future__ import annotations

from types import ModuleType

from services.warofthering.cards import (
    free_allies,
    free_character,
    free_combat,
    free_strategy,
    shadow_character,
    shadow_combat,
    shadow_musters,
    shadow_strategy,
)

MODULES: tuple[ModuleType, ...] = (
    free_character,
    free_allies,
    free_combat,
    free_strategy,
    shadow_character,
    shadow_combat,
    shadow_musters,
    shadow_strategy,
)
