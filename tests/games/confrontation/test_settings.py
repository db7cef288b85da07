"""What players may agree on (RULES 0): defaults, and what does not go together."""

from __future__ import annotations

import pytest

from services.confrontation import RULES
from services.confrontation.settings import resolve
from services.core.errors import Invalid


def test_the_defaults_are_those_of_the_rules() -> None:
    assert dict(RULES.agree({})) == {
        "preset": "manual",
        "dark_eighth": "shelob",
        "target_choice": "random_hidden_or_name_shown",
        "conceal": "after_all_battles_of_the_turn",
        "river_sideways_retreat": "both_directions",
        "eye_cancels_magic": "true",
        "both_retreat": "dark_only",
        "sacrifice_vs_failed_dark_retreat": "no_effect",
        "no_move_counts": "any_legal_move",
        "special_cards": "off",
        "special_count": "2",
        "special_pick": "own",
        "announce_draft": "on",
        "draw_ply_cap": "200",
        "match": "single_game",
        "inference": "off",
    }


@pytest.mark.parametrize(
    ("preset", "roster"),
    [
        ("manual", "manual"),
        ("classic_2002", "classic"),
        ("deluxe_classic", "classic"),
        ("deluxe_variant", "variant"),
        ("deluxe_draft", "draft"),
    ],
)
def test_a_preset_differs_in_its_roster_and_in_two_retreats(preset: str, roster: str) -> None:
    agreed = RULES.agree(RULES.presets[preset])
    both = "dark_only" if preset == "manual" else "both_leave"

    assert roster == resolve(agreed).roster
    assert {**RULES.agree({}), "preset": preset, "both_retreat": both} == dict(agreed)


@pytest.mark.parametrize("preset", RULES.presets)
def test_a_preset_is_the_same_whether_named_or_chosen_as_an_option(preset: str) -> None:
    assert RULES.agree(RULES.presets[preset]) == RULES.agree({"preset": preset})


@pytest.mark.parametrize("value", ["dark_only", "both_leave"])
@pytest.mark.parametrize("preset", RULES.presets)
def test_two_retreats_are_an_option_of_every_preset(preset: str, value: str) -> None:
    assert RULES.agree({"preset": preset, "both_retreat": value})["both_retreat"] == value


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ("preset=classic_2002 special_cards=set_deluxe", "'classic_2002' allows special_cards off"),
        ("preset=classic_2002 special_cards=set_2002 special_count=3", "set_2002 has two"),
        ("preset=deluxe_variant special_cards=set_2002 special_count=4", "set_2002 has two"),
        ("preset=deluxe_classic special_cards=set_deluxe special_count=5", "allows 0 to 4"),
        ("preset=classic_2002 dark_eighth=warg", "'dark_eighth|dark_eighth is an option of"),
        ("dark_eighth=balrog", "option 'dark_eighth' allows"),
        ("announce_draft=off", "announce_draft is an option of preset 'deluxe_draft'"),
        ("draw_ply_cap=0", "allows none, 1 to 9999"),
        ("draw_ply_cap=007", "allows none, 1 to 9999"),
        ("draw_ply_cap=-1", "allows none, 1 to 9999"),
        ("eye_cancels_magic=yes", "allows true, false"),
        ("preset=deluxe", "option 'preset' allows"),
        ("roster=classic", "has no option 'roster'"),
    ],
)
def test_what_does_not_go_together_is_refused(chosen: str, message: str) -> None:
    pairs = dict(pair.split("=") for pair in chosen.split())

    with pytest.raises(Invalid, match=message):
        RULES.agree(pairs)


@pytest.mark.parametrize(
    "chosen",
    [
        "preset=manual dark_eighth=cave_troll",
        "preset=classic_2002 special_cards=set_2002 special_count=2",
        "preset=manual special_cards=set_2002",
        "special_cards=set_deluxe special_count=4 special_pick=opponents",
        "preset=deluxe_classic special_cards=set_2002 special_count=1",
        "preset=deluxe_draft special_cards=set_deluxe special_count=4 announce_draft=off",
        "preset=deluxe_variant special_cards=set_deluxe special_count=0",
        "draw_ply_cap=none",
        "draw_ply_cap=9999",
    ],
)
def test_what_goes_together_is_agreed_to(chosen: str) -> None:
    pairs = dict(pair.split("=") for pair in chosen.split())

    assert pairs.items() <= RULES.agree(pairs).items()


def test_seats_are_sides_unless_they_change_sides() -> None:
    assert RULES.seats(RULES.agree({})) == ("good", "dark")
    assert RULES.seats(RULES.agree({"match": "two_games_swap_sides"})) == ("first", "second")


def test_only_a_game_without_a_limit_of_turns_has_no_bound() -> None:
    assert RULES.bound(RULES.agree({"draw_ply_cap": "none"})) is None
    assert RULES.bound(RULES.agree({})) is not None
