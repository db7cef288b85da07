"""The printed components: what `data/` says, checked against RULES 1, 3, 8, 10 and 17."""

from __future__ import annotations

import ast
import json
from collections import Counter
from importlib.resources import files
from importlib.util import module_from_spec
from typing import Any

import pytest

from services.duel import tables
from services.duel.play.resolving import RESOLVE

DATA = files("services.duel") / "data"


def read(name: str) -> Any:
    return json.loads((DATA / name).read_text("utf-8"))


CARDS = read("cards.json")["cards"]
SYMBOLS = read("cards.json")["chains"]
TILES = read("landmarks.json")["landmarks"]
TOKENS = read("tokens.json")["tokens"]
MAP, TRACK = read("map.json"), read("track.json")
LAYOUTS = dict(enumerate(read("layouts.json")["chapters"], 1))
COLOURS_OF_CHAPTERS = {
    1: {"grey": 8, "yellow": 4, "blue": 4, "green": 4, "red": 3},
    2: {"grey": 7, "yellow": 2, "blue": 5, "green": 4, "red": 5},
    3: {"yellow": 2, "blue": 5, "green": 4, "red": 6, "purple": 6},
}
REGIONS = {region["id"]: region for region in MAP["regions"]}


# All of it.


class Noted(dict[str, Any]):
    """An object of a data file, which notes the facts that are read of it."""

    def __init__(self, facts: dict[str, Any]) -> None:
        super().__init__(facts)
        self.unread = set(facts)

    def __getitem__(self, key: str) -> Any:
        self.unread.discard(key)
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:
        self.unread.discard(key)
        return super().get(key, default)

    def items(self) -> Any:
        self.unread.clear()
        return super().items()


def test_every_fact_of_the_data_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """What nobody reads is a rule that may be changed there without a change in the game."""
    noted: list[Noted] = []
    whole = json.loads

    def loads(text: str) -> Any:
        return whole(text, object_hook=lambda facts: noted.append(Noted(facts)) or noted[-1])

    assert tables.__spec__
    assert tables.__spec__.loader
    monkeypatch.setattr(json, "loads", loads)
    tables.__spec__.loader.exec_module(module_from_spec(tables.__spec__))

    assert len(noted) > 300
    assert [] == [(sorted(facts.unread), facts) for facts in noted if facts.unread]


def test_what_is_read_is_used() -> None:
    """Every name of `tables` has a user: in the rules, or in what draws them in a terminal."""
    package = files("services.duel")
    folders = (package, *(package / part for part in ("play", "cards", "words")))
    sources = [p.read_text("utf-8") for f in folders for p in f.iterdir() if p.name[-3:] == ".py"]
    sources.append((files("bree.cli.boards") / "duel_facts.py").read_text("utf-8"))
    nodes = [node for source in sources for node in ast.walk(ast.parse(source))]
    used = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    used |= {n.attr for n in nodes if isinstance(n, ast.Attribute)}
    names = {name for name in vars(tables) if name.isupper() and not name.startswith("_")}

    assert set() == names - used


# The cards.


def test_there_are_69_cards_23_a_chapter_each_with_a_name_of_its_own() -> None:
    assert 69 == len(CARDS) == len({card["id"] for card in CARDS})
    assert 69 == len({card["name"] for card in CARDS})
    assert {1: 23, 2: 23, 3: 23} == Counter(card["chapter"] for card in CARDS)


@pytest.mark.parametrize("chapter", COLOURS_OF_CHAPTERS)
def test_the_colours_of_a_chapter_are_those_of_the_rules(chapter: int) -> None:
    colours = Counter(card["colour"] for card in CARDS if card["chapter"] == chapter)

    assert COLOURS_OF_CHAPTERS[chapter] == colours


def test_each_chain_symbol_leads_from_one_card_to_one_later_card_of_its_colour() -> None:
    assert 17 == len(SYMBOLS) == len(set(SYMBOLS))
    for symbol in SYMBOLS:
        (giver,) = (card for card in CARDS if card["chain_to"] == symbol)
        (taker,) = (card for card in CARDS if card["chain_from"] == symbol)
        assert giver["chapter"] < taker["chapter"], symbol
        assert giver["colour"] == taker["colour"], symbol
        assert taker["cost"]["coins"] or taker["cost"]["skills"], "what is free needs no chain"


def test_the_fish_alone_skips_a_chapter() -> None:
    chapters = {c["chain_to"]: c["chapter"] for c in CARDS if c["chain_to"]}
    skips = [c for c in CARDS if c["chain_from"] and c["chapter"] - chapters[c["chain_from"]] > 1]

    assert ["fish"] == [card["chain_from"] for card in skips]


def test_every_region_is_on_four_red_cards_and_each_red_card_names_two() -> None:
    red = [card["effects"] for card in CARDS if card["colour"] == "red"]
    named = Counter(region for (effect,) in red for region in effect["regions"])

    assert dict.fromkeys(REGIONS, 4) == named
    assert {2} == {len(effect["regions"]) for (effect,) in red}


def test_red_cards_place_as_many_units_as_their_chapter_has_numbers() -> None:
    for card in CARDS:
        if card["colour"] == "red":
            assert card["chapter"] == card["effects"][0]["count"]


def test_each_race_is_on_two_green_cards_ents_and_wizards_in_the_third_chapter() -> None:
    races = Counter((e["race"], c["chapter"]) for c in CARDS for e in c["effects"] if "race" in e)
    first = {
        (r, chapter): 1 for r in ("elves", "dwarves", "hobbits", "humans") for chapter in (1, 2)
    }

    assert first | {("ents", 3): 2, ("wizards", 3): 2} == races


def test_the_two_choice_cards_share_no_skill() -> None:
    """Else the order in which they cover symbols would matter."""
    one, other = tables.CHOICE_OF.values()

    assert not one & other
    assert (1 << len(tables.SKILLS)) - 1 == one | other


def test_colours_do_what_they_stand_for() -> None:
    kinds = {
        "grey": {"produce_skills", "produce_skill_choice"},
        "yellow": {"gain_coins"},
        "blue": {"advance_quest"},
        "green": {"race_symbol"},
        "red": {"place_units"},
        "purple": {"remove_enemy_units", "opponent_loses_coins", "move_units"},
    }
    for card in CARDS:
        assert {effect["type"] for effect in card["effects"]} <= kinds[card["colour"]], card["id"]


def test_purple_cards_remove_first_and_move_last() -> None:
    order = ["remove_enemy_units", "opponent_loses_coins", "move_units"]
    for card in CARDS:
        if card["colour"] == "purple":
            found = [order.index(effect["type"]) for effect in card["effects"]]
            assert found == sorted(found), card["id"]


# Tiles and tokens.


def test_each_region_has_one_landmark_which_costs_six_symbols() -> None:
    where = "barad_dur mordor, bree arnor, erebor rhovanion, grey_havens lindon, helms_deep rohan, "
    where += "isengard enedwaith, minas_tirith gondor"
    assert sorted(REGIONS) == sorted(pair.split()[1] for pair in where.split(", "))
    for tile, pair in zip(TILES, where.split(", "), strict=True):
        name, region = pair.split()
        assert 6 == sum(tile["skills"].values()), tile["id"]
        assert tile["id"] == name
        assert {"type": "place_fortress", "region": region} == tile["effects"][0]
        assert tables.REGION[region] == tables.TILE_AT[tables.TILE[name]]


def test_each_race_has_three_tokens() -> None:
    races = Counter(token["race"] for token in TOKENS)

    assert dict.fromkeys(tables.RACES, 3) == races


def test_tokens_of_ents_and_wizards_work_once_the_others_for_good() -> None:
    once = {token["race"] for token in TOKENS if token["kind"] == "immediate"}
    lasting = {token["race"] for token in TOKENS if token["kind"] == "persistent"}

    assert {"ents", "wizards"} == once
    assert {"elves", "dwarves", "hobbits", "humans"} == lasting


def test_tokens_answer_to_the_colours_of_the_rules() -> None:
    answers = {
        colour: {tables.TOKENS[token] for token in tables.TRIGGERED[number]}
        for number, colour in enumerate(tables.COLOURS)
        if tables.TRIGGERED[number]
    }

    assert answers == {
        "yellow": {"elves_yellow_extra_turn", "humans_yellow_quest"},
        "blue": {"hobbits_blue_unit"},
        "green": {"dwarves_green_movement"},
    }


def test_the_numbers_of_tokens_are_those_of_the_rules() -> None:
    assert 1 == tables.WILD_SKILLS
    assert 1 == tables.REINFORCEMENTS
    assert 2 == tables.DISCARD_FACTOR
    assert 3 == tables.TOKEN_EFFECTS[tables.CHAIN_COINS][0].amount


def test_the_maneuvers_are_those_of_the_rules() -> None:
    """One unit removed, one coin lost or one movement (RULES 14, D11), three times."""
    (effect,) = tables.TOKEN_EFFECTS[tables.TOKEN["ents_three_maneuvers"]]

    assert ("choose_maneuvers", 3) == effect[:2]
    assert [("remove_enemy_units", 1), ("opponent_loses_coins", 1), ("move_units", 1)] == [
        maneuver[:2] for maneuver in tables.MANEUVERS
    ]


def test_what_is_printed_on_a_card_knows_its_colour() -> None:
    for card, effects in enumerate(tables.CARD_EFFECTS):
        assert {effect.colour for effect in effects} == {tables.COLOUR[card]}
    for effects in (*tables.TILE_EFFECTS, *tables.TOKEN_EFFECTS, tables.BONUS_EFFECTS):
        assert {effect.colour for effect in effects} <= {tables.NONE}


def test_every_kind_of_effect_is_resolved_by_the_code_and_printed_somewhere() -> None:
    printed = [*CARDS, *TILES, *TOKENS]
    kinds = {effect["type"] for thing in printed for effect in thing.get("effects", ())}
    kinds |= {bonus["effect"]["type"] for bonus in TRACK["bonuses"]}

    assert kinds == set(RESOLVE)


# The map and the track.


def test_the_map_has_the_ten_connections_of_the_rules() -> None:
    edges = {frozenset(edge) for edge in MAP["edges"]}
    expected = (
        "lindon arnor, arnor enedwaith, arnor rhovanion, rhovanion enedwaith, rhovanion rohan, "
        "enedwaith rohan, enedwaith gondor, rohan gondor, rohan mordor, gondor mordor"
    )

    assert {frozenset(pair.split()) for pair in expected.split(", ")} == edges
    assert 7 == len(REGIONS)


def test_neighbours_are_mutual_and_are_the_connections() -> None:
    edges = {frozenset(edge) for edge in MAP["edges"]}
    near = {
        frozenset((tables.REGIONS[start], tables.REGIONS[to]))
        for start, neighbours in enumerate(tables.ADJACENT)
        for to in neighbours
    }

    assert edges == near
    assert 2 * len(edges) == sum(map(len, tables.ADJACENT))


def test_sides_begin_as_the_rules_say() -> None:
    units = {name: region["start_units"] for name, region in REGIONS.items()}

    assert {"fellowship": 2, "sauron": 0} == units.pop("arnor")
    assert {"fellowship": 0, "sauron": 2} == units.pop("mordor")
    assert {0} == {count for sides in units.values() for count in sides.values()}
    assert (15, 7, 30) == (tables.UNITS, tables.FORTRESSES, tables.TOTAL_COINS)
    assert (3, 2) == tables.START_COINS


def test_the_track_has_fourteen_steps_and_four_bonuses() -> None:
    bonuses = dict(zip(tables.BONUS_AT, tables.BONUS_EFFECTS, strict=True))

    assert 14 == tables.GOAL
    assert [3, 6, 9, 12] == list(bonuses)
    assert ("gain_coins", 1) == bonuses[3][:2]
    assert ("place_units", 1, tables.ALL_REGIONS) == bonuses[6][:3]
    assert "extra_turn" == bonuses[9].kind
    assert "remove_enemy_fortress" == bonuses[12].kind


def test_no_advance_passes_two_bonuses() -> None:
    steps = [e["steps"] for c in [*CARDS, *TILES, *TOKENS] for e in c.get("effects", ())
             if e["type"] == "advance_quest"]  # fmt: skip

    assert 3 == max(steps)
    assert 3 == min(b - a for a, b in zip(tables.BONUS_AT, tables.BONUS_AT[1:], strict=False))


# The layouts.


@pytest.mark.parametrize("chapter", tables.CHAPTERS)
def test_a_layout_has_twenty_slots_eight_of_them_face_down_row_by_row(chapter: int) -> None:
    layout = LAYOUTS[chapter]
    rows = Counter(slot["row"] for slot in layout["slots"])
    expected = {1: [2, 3, 4, 5, 6], 2: [6, 5, 4, 3, 2], 3: [2, 3, 4, 2, 4, 3, 2]}

    assert expected[chapter] == [rows[n] for n in sorted(rows)]
    assert 20 == len(layout["slots"])
    assert 8 == sum(not slot["face_up"] for slot in layout["slots"])
    for slot in layout["slots"]:
        assert slot["face_up"] is (slot["row"] % 2 == 0)


@pytest.mark.parametrize("chapter", tables.CHAPTERS)
def test_a_slot_is_covered_by_what_lies_half_a_card_away_in_the_next_row(chapter: int) -> None:
    layout = LAYOUTS[chapter]
    slots = list(enumerate(layout["slots"]))
    for _, slot in slots:
        over = [
            number
            for number, other in slots
            if other["row"] == slot["row"] + 1 and abs(other["x"] - slot["x"]) == 1
        ]
        assert over == slot["covered_by"]


def test_at_the_start_the_last_row_is_available_and_face_up() -> None:
    assert (14, 15, 16, 17, 18, 19) == tables.available(1, tables.FULL_DISPLAY)
    assert (18, 19) == tables.available(2, tables.FULL_DISPLAY)
    assert (18, 19) == tables.available(3, tables.FULL_DISPLAY)
    for chapter in tables.CHAPTERS:
        for slot in tables.available(chapter, tables.FULL_DISPLAY):
            assert slot in tables.FACE_UP[chapter - 1]
