"""The printed components: what `data/` says, checked against RULES 1, 2, 6 and the code."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest

from services.confrontation import tables
from services.confrontation.play import strength

PACKAGE = files("services.confrontation")


def read(name: str) -> Any:
    return json.loads((PACKAGE / "data" / name).read_text("utf-8"))


BOARD, CAST, DECK = read("board.json"), read("characters.json"), read("cards.json")
REGIONS = {region["id"]: region for region in BOARD["regions"]}
CHARACTERS = CAST["characters"]
TEXTS = [(key, text) for key, facts in CHARACTERS.items() for text in facts["abilities"]]
MOUNTAINS = {"high_pass", "misty_mountains", "moria", "gap_of_rohan"}


def strings_in_code() -> set[str]:
    """Every string constant of the rules' code."""
    found: set[str] = set()
    for folder in (PACKAGE, PACKAGE / "play", PACKAGE / "cards"):
        for path in folder.iterdir():
            if path.name.endswith(".py"):
                tree = ast.parse(path.read_text("utf-8"))
                found |= {str(n.value) for n in ast.walk(tree) if isinstance(n, ast.Constant)}
    return found


STRINGS = strings_in_code()


# The map.


def test_the_map_has_sixteen_regions_and_24_steps_forward() -> None:
    steps = [(start, to) for start, r in REGIONS.items() for to in r["good_forward"]]

    assert len(REGIONS) == 16
    assert len(steps) == len(set(steps)) == 24


def test_darks_forward_is_goods_backward() -> None:
    good = {(start, to) for start, r in REGIONS.items() for to in r["good_forward"]}
    dark = {(to, start) for start, r in REGIONS.items() for to in r["dark_forward"]}

    assert good == dark


def test_every_step_leads_to_the_next_row() -> None:
    for region in REGIONS.values():
        assert {REGIONS[to]["row"] - region["row"] for to in region["good_forward"]} <= {1}


def test_neighbours_are_mutual_and_stand_side_by_side() -> None:
    for name, region in REGIONS.items():
        for other in region["sideways_neighbours"]:
            assert name in REGIONS[other]["sideways_neighbours"]
            assert REGIONS[other]["row"] == region["row"]
            assert abs(REGIONS[other]["col"] - region["col"]) == 1


def test_nobody_goes_sideways_in_the_mountains_or_at_home() -> None:
    still = {name for name, r in REGIONS.items() if not r["sideways_movement_allowed"]}

    assert still == MOUNTAINS | {"shire", "mordor"}
    assert still == {n for n in REGIONS if not tables.SIDEWAYS[tables.REGION[n]]}


def test_homes_hold_four_mountains_one_and_all_else_two() -> None:
    expected = dict.fromkeys(REGIONS, 2) | dict.fromkeys(MOUNTAINS, 1)
    expected |= {"shire": 4, "mordor": 4}

    assert expected == {name: r["capacity_per_side"] for name, r in REGIONS.items()}
    assert tuple(expected[name] for name in tables.REGIONS) == tables.CAPACITY


def test_the_river_and_the_tunnel_are_goods() -> None:
    arcs = {(a["kind"], a["side"], a["from"], a["to"]) for a in BOARD["special_arcs"]}

    assert arcs == {
        ("river", "good", "mirkwood", "fangorn"),
        ("river", "good", "fangorn", "rohan"),
        ("tunnel", "good", "eregion", "fangorn"),
    }


def test_start_zones_are_those_of_the_rules() -> None:
    assert BOARD["start_zones"] == {
        "good_home": ["shire"],
        "good_forward": ["arthedain", "cardolan", "rhudaur", "eregion", "enedwaith"],
        "dark_home": ["mordor"],
        "dark_forward": ["dagorlad", "gondor", "mirkwood", "fangorn", "rohan"],
    }


def test_steps_are_forward_ways_and_goods_arcs() -> None:
    arcs = [(a["from"], a["to"]) for a in BOARD["special_arcs"]]
    for name, region in REGIONS.items():
        place = tables.REGION[name]
        good = set(region["good_forward"]) | {to for start, to in arcs if start == name}
        assert good == {tables.REGIONS[to] for to in tables.STEPS[tables.GOOD][place]}
        dark = {tables.REGIONS[to] for to in tables.STEPS[tables.DARK][place]}
        assert dark == set(region["dark_forward"])


# The characters.


@pytest.mark.parametrize(("roster", "size"), [("manual", 8), ("classic", 9), ("variant", 9)])
def test_rosters_have_their_size_and_side(roster: str, size: int) -> None:
    for side in ("good", "dark"):
        names = CAST["rosters"][roster][side]
        assert len(names) == len(set(names)) == size
        assert {CHARACTERS[name]["side"] for name in names} == {side}
        assert sum("ringbearer" in kinds_of(name) for name in names) == (side == "good")


def kinds_of(name: str) -> list[str]:
    return [text["kind"] for text in CHARACTERS[name]["abilities"]]


def test_every_character_is_in_a_roster_or_an_alternative() -> None:
    named = {n for r in CAST["rosters"].values() for side in ("good", "dark") for n in r[side]}
    named |= set(CAST["rosters"]["manual"]["dark_eighth_alternatives"])

    assert named == set(CHARACTERS)
    assert len(CHARACTERS) == 38


def test_the_draft_pairs_the_classic_set_with_the_variant_one() -> None:
    classic, variant = (CAST["rosters"][name] for name in ("classic", "variant"))
    pairs = CAST["draft"]["pairs"]

    assert len(pairs) == 18
    assert {first for first, _ in pairs} == {*classic["good"], *classic["dark"]}
    assert {second for _, second in pairs} == {*variant["good"], *variant["dark"]}
    for pair in pairs:
        assert len({CHARACTERS[face]["side"] for face in pair}) == 1


def test_texts_name_tags_that_someone_has() -> None:
    tags = {facts["tag"] for facts in CHARACTERS.values()}
    for key, text in TEXTS:
        named = text["params"].get("target_tags", [])
        named += [text["params"].get(name) for name in ("replaces_tag", "successor_tag")]
        assert {tag for tag in named if tag} <= tags, key


def test_who_slays_whom_goes_by_tags() -> None:
    slays = {
        tables.CHARACTER_KEYS[who]: {tables.CHARACTER_KEYS[foe] for foe in foes}
        for who, foes in tables.SLAYS.items()
        if foes
    }

    assert slays == {
        "merry": {"witch_king", "witch_king_variant"},
        "legolas": {"flying_nazgul", "flying_nazgul_variant", "nazgul"},
        "gimli": {"orcs", "orcs_variant"},
        "saruman_variant": {"gandalf", "gandalf_variant"},
    }


# Every text is read: what the data says and the code does not know fails here.


@pytest.mark.parametrize("kind", sorted({text["kind"] for _, text in TEXTS}))
def test_every_kind_of_text_is_read_by_the_code(kind: str) -> None:
    assert kind in CAST["ability_vocabulary"]["kinds"]
    assert kind in STRINGS


def test_every_kind_in_the_vocabulary_is_somebodys() -> None:
    assert {text["kind"] for _, text in TEXTS} == set(CAST["ability_vocabulary"]["kinds"])


def values_of(parameter: str, kind: str) -> Iterator[str]:
    for _, text in TEXTS:
        if text["kind"] == kind and parameter in text["params"]:
            value = text["params"][parameter]
            yield from value if isinstance(value, list) else [value]


def test_every_condition_of_a_strength_is_known() -> None:
    assert set(values_of("condition", "conditional_strength")) == strength.KNOWN_CONDITIONS
    assert strength.KNOWN_CONDITIONS <= STRINGS


def test_every_range_of_an_attack_is_known() -> None:
    assert set(values_of("range", "attack_move")) <= STRINGS
    assert set(values_of("range", "revealed_move")) == {"forward_any_distance"}


def test_every_direction_of_a_retreat_is_known() -> None:
    assert set(values_of("directions", "early_retreat")) == {"forward", "backward", "sideways"}
    assert {"forward", "backward", "sideways"} <= STRINGS
    assert set(values_of("when", "early_retreat")) == {"any", "attacked", "attacking"}


def test_no_two_texts_of_a_character_are_of_one_kind() -> None:
    """Texts are kept by kind: a second one of the same kind would be lost."""
    for key in CHARACTERS:
        assert len(set(kinds_of(key))) == len(kinds_of(key)), key


# The cards.


def test_each_side_has_nine_combat_cards_of_its_own() -> None:
    cards = {card["id"]: card for card in DECK["cards"]}
    for side, strongest in (("good", 5), ("dark", 6)):
        deck = [cards[key] for key in DECK["sets"]["combat"][side]]
        assert len(deck) == DECK["hand"]["hand_size"] == 9
        assert {card["side"] for card in deck} == {side}
        numbers = [card["value"] for card in deck if card["type"] == "strength"]
        assert numbers == list(range(1, strongest + 1))
    assert len(cards) == 18


def test_text_cards_are_those_of_the_rules() -> None:
    texts = {tables.CARDS[n] for n, is_text in enumerate(tables.IS_TEXT) if is_text}

    assert texts == {
        "good_magic", "good_retreat", "good_cloak", "good_sacrifice",
        "dark_magic", "dark_retreat", "dark_eye",
    }  # fmt: skip
    assert {tables.NUMBER[tables.CARD[key]] for key in texts} == {0}


def test_special_sets_have_two_and_four_cards_a_side() -> None:
    sides = {card["id"]: card["side"] for card in DECK["special_cards"]}
    for name, size in (("special_2002", 2), ("special_deluxe", 4)):
        for side in ("good", "dark"):
            cards = DECK["sets"][name][side]
            assert len(set(cards)) == size
            assert {sides[card] for card in cards} == {side}
    first = {card["id"] for card in DECK["special_cards"] if card["first_edition"] == "2002"}
    assert first == {c for cards in DECK["sets"]["special_2002"].values() for c in cards}
