"""The settings of a match: every option comes to something, and none to another's."""

from __future__ import annotations

from dataclasses import astuple, fields

import pytest

from services.warofthering import RULES
from services.warofthering.settings import OPTIONS, Readings, Settings, resolve

READINGS = [field.name for field in fields(Readings)]
VALUES = [
    (option.name, value)
    for option in OPTIONS
    for value in (*option.values, *(("7",) if option.span else ()))
    if value != option.default and option.name != "players"
]
BESIDE = {"isengard_start": "starting_boxes", "turn_limit": "turn_limit"}
"""The options that are no reading, and the settings that they are."""
TEAMS = {"fellowship_actions": "4", "companion_control": "4"}


def settled(**chosen: str) -> Settings:
    """The settings of three players, or of four for what only four may choose."""
    players = next((TEAMS[name] for name in chosen if name in TEAMS), "3")
    return resolve(RULES.agree({"players": players, **chosen}))


def changed(name: str, value: str) -> set[str]:
    """The readings and other settings that one option changes."""
    before, after = settled(**{name: RULES.agree({})[name]}), settled(**{name: value})
    pairs = zip(READINGS, astuple(before.readings), astuple(after.readings), strict=True)
    return {reading for reading, old, new in pairs if old != new} | {
        other for other in BESIDE.values() if getattr(before, other) != getattr(after, other)
    }


@pytest.mark.parametrize(("name", "value"), VALUES)
def test_every_value_of_an_option_changes_what_the_rules_ask_for(name: str, value: str) -> None:
    assert changed(name, value)


def test_no_two_options_change_the_same_setting() -> None:
    found: dict[str, str] = {}
    for name, value in VALUES:
        for setting in changed(name, value):
            assert name == found.setdefault(setting, name)

    assert {*READINGS, *BESIDE.values()} == {*found}


@pytest.mark.parametrize(
    ("name", "value", "reading", "holds"),
    [
        ("three_player_draw", "published", "free_draw_two_each_turn", True),
        ("three_player_order", "published", "free_begin", True),
        ("hunt_minimum", "published", "hunt_has_minimum", True),
        ("gandalf_draw", "published", "gandalf_draws_after_any_event", True),
        ("strider_hide", "literal", "strider_hides_with_any_die", False),
        ("hobbit_elimination", "published", "hobbits_separate_at_once", True),
        ("gandalf_white_entry", "published", "white_enters_after_parting", True),
        ("witch_king_entry", "published", "witch_king_enters_by_war", True),
        ("witch_king_draw", "published", "witch_king_draws_once", True),
        ("mouth_entry", "published", "mouth_waits", True),
        ("elite_hunt_rerolls", "published", "elites_reroll_the_hunt", False),
        ("field_battle_rounds", "published", "field_battles_are_limited", False),
        ("reroll_timing", "literal", "rerolls_follow_losses", True),
        ("replacement_source", "published", "earlier_losses_replace", True),
        ("card_order", "literal", "defender_cards_go_first", True),
        ("reveal_ignored", "literal", "refuges_hide", True),
        ("reveal_ignored", "published", "refuges_hide_who_rest", False),
        ("mordor_entry", "published", "mordor_needs_declaring", False),
        ("mordor_pool", "published", "eyes_alone_return", True),
        ("mordor_inactivity", "published", "hiding_is_no_excuse", True),
        ("fellowship_actions", "published", "both_act_for_fellowship", True),
        ("companion_control", "published", "companions_are_shared", True),
        ("ring_limit", "published", "each_player_uses_a_ring", True),
        ("advance_after_siege", "literal", "attackers_must_advance", True),
        ("passive_advance", "literal", "passive_nations_advance", False),
        ("replacement_fate", "literal", "replacements_fall", True),
        ("published_abilities", "literal", "unlisted_abilities", False),
        ("witch_king_rouses", "literal", "witch_king_rouses", False),
    ],
)
def test_a_reading_holds_by_its_option(name: str, value: str, reading: str, holds: bool) -> None:
    before, after = settled(**{name: RULES.agree({})[name]}), settled(**{name: value})

    assert (not holds, holds) == (
        getattr(before.readings, reading),
        getattr(after.readings, reading),
    )
