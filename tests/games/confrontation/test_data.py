"""The printed components: what `data/` says, checked against RULES 1, 2, 6 and the code."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import fields
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import pytest

from services.confrontation import tables
from services.confrontation.characters import (
    ANY,
    AROUND,
    ATTACKED,
    ATTACKING,
    BESIDE,
    LEAP,
    LONE,
    RIDE,
    TEXTS,
    Text,
)

PACKAGE = files("services.confrontation")


def read(name: str) -> Any:
    return json.loads((PACKAGE / "data" / name).read_text("utf-8"))


BOARD, CAST, DECK = read("board.json"), read("characters.json"), read("cards.json")
REGIONS = {region["id"]: region for region in BOARD["regions"]}
CHARACTERS = CAST["characters"]
MOUNTAINS = {"high_pass", "misty_mountains", "moria", "gap_of_rohan"}


def sources() -> Iterator[Traversable]:
    """The modules of the rules' code."""
    for folder in (PACKAGE, PACKAGE / "play", PACKAGE / "cards"):
        yield from (path for path in folder.iterdir() if path.name.endswith(".py"))


def strings_in(path: Traversable) -> set[str]:
    """Every string constant of a module."""
    tree = ast.parse(path.read_text("utf-8"))
    return {str(n.value) for n in ast.walk(tree) if isinstance(n, ast.Constant)}


def names_in(path: Traversable) -> set[str]:
    """Every name that a module uses."""
    tree = ast.parse(path.read_text("utf-8"))
    return {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}


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
        assert sum(TEXTS[name].bears_ring for name in names) == (side == "good")


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
    for key, text in TEXTS.items():
        named = {text.slays, text.steps_in_for, text.heir, text.heirless_against}
        named.add(text.strong_beside[0])
        assert named - {""} <= tags, key


def test_who_slays_whom_goes_by_tags() -> None:
    slays = {
        tables.CHARACTER_KEYS[who]: {tables.CHARACTER_KEYS[foe] for foe in foes}
        for who, foes in enumerate(tables.SLAYS)
        if foes
    }

    assert slays == {
        "merry": {"witch_king", "witch_king_variant"},
        "legolas": {"flying_nazgul", "flying_nazgul_variant", "nazgul"},
        "gimli": {"orcs", "orcs_variant"},
        "saruman_variant": {"gandalf", "gandalf_variant"},
    }


# Every text is in one place, and every part of it is read.


@pytest.mark.parametrize("key", sorted(CHARACTERS))
def test_who_searches_the_code_for_a_character_finds_what_its_text_does(key: str) -> None:
    assert f'    "{key}": Text(' in (PACKAGE / "characters.py").read_text("utf-8")
    assert TEXTS[key] != Text(), "every character has a text"


def test_the_rules_know_no_character_by_name_but_there() -> None:
    """A special card may name whom it is about, and an option the characters it chooses from."""
    known = {*CHARACTERS, *(facts["tag"] for facts in CHARACTERS.values())}
    elsewhere = {"characters.py": known, "special.py": {"gandalf", "aragorn"}}
    elsewhere["settings.py"] = {"shelob"}
    for path in sources():
        assert strings_in(path) & known <= elsewhere.get(path.name, set()), path.name


@pytest.mark.parametrize("part", [field.name for field in fields(Text)])
def test_every_part_of_a_text_is_somebodys_and_read_where_it_says(part: str) -> None:
    assert any(getattr(text, part) != getattr(Text(), part) for text in TEXTS.values())
    code = (PACKAGE / "characters.py").read_text("utf-8")
    found = re.search(rf"^    {part}: .*# ([a-z, ]+):", code, re.MULTILINE)
    assert found, "it says where it is read"
    table = {"ignores_texts": "IGNORES"}.get(part, part.upper())
    modules = {path.name.removesuffix(".py"): path for path in sources()}
    for module in found[1].split(", "):
        assert table in names_in(modules[module]), module


def test_every_region_and_card_that_a_text_names_is_there() -> None:
    for text in TEXTS.values():
        regions = {text.reach_to, text.wins_in, text.returns_to, *text.strong_in[0]}
        assert regions - {""} <= tables.REGION.keys()
        assert {text.exchanges, *text.ignores} - {""} <= tables.CARD.keys()
        assert set(text.slips) <= {"forward", "backward", "sideways"}
        assert text.slips_when in {"", ATTACKED, ATTACKING, ANY}
        assert text.reach in {"", AROUND, BESIDE, LEAP, LONE, RIDE}


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
