"""The reference charts: everything that is printed, for every viewer, at any time (RULES 12.1)."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

import pytest

from services.confrontation import RULES
from services.confrontation.tables import CARDS, CHARACTER_KEYS, SIDES, SPECIALS
from tests.play import Play

DATA = files("services.confrontation") / "data"
VIEWERS = ("good", "dark", None)
VARIANTS = (
    {"preset": "manual"},
    {"preset": "classic_2002", "special_cards": "set_2002"},
    {"preset": "deluxe_variant", "special_cards": "set_deluxe"},
    {"preset": "deluxe_draft"},
    {"preset": "deluxe_draft", "announce_draft": "off"},
)

each_variant = pytest.mark.parametrize("options", VARIANTS, ids=lambda o: " ".join(o.values()))


def entries(view: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The entries of both charts by name."""
    found = [entry for side in SIDES for entry in view["charts"][side]]
    assert len({entry["name"] for entry in found}) == len(found)
    return {entry["name"]: entry for entry in found}


@each_variant
def test_every_viewer_has_all_of_both_charts_at_any_time(options: dict[str, str]) -> None:
    pick, play = random.Random("charts"), Play(RULES, options)
    while not play.is_over:
        for viewer in VIEWERS:
            assert entries(play.view(viewer)).keys() == {*CHARACTER_KEYS, *CARDS, *SPECIALS}
        who = pick.choice(play.waiting)
        play(f"{who}: {pick.choice(play.offered(who))}")


@each_variant
def test_who_plays_is_who_is_on_the_rosters_that_a_viewer_knows(options: dict[str, str]) -> None:
    """Where a roster is a secret, everyone who may be on it may play."""
    pick, play = random.Random("rosters"), Play(RULES, options)
    while not play.is_over:
        for viewer in VIEWERS:
            view = play.view(viewer)
            for side in SIDES:
                chart = view["charts"][side]
                playing = [e["name"] for e in chart if e["kind"] == "character" and e["in_game"]]
                assert playing == (view["rosters"][side] or playing)
                assert len(playing) == len(view["rosters"][side] or range(18))
        who = pick.choice(play.waiting)
        play(f"{who}: {pick.choice(play.offered(who))}")


def test_what_is_printed_is_what_the_data_says() -> None:
    printed = {**json.loads((DATA / "characters.json").read_text("utf-8"))["characters"]}
    deck = json.loads((DATA / "cards.json").read_text("utf-8"))
    printed |= {card["id"]: card for card in deck["cards"] + deck["special_cards"]}
    charts = entries(Play(RULES, {}).view("good"))

    for name, facts in printed.items():
        assert charts[name]["text"] == facts["description"]
        assert set(facts.get("notes", ())) <= set(charts[name]["exceptions"])
        assert charts[name]["strength"] == facts.get("strength", facts.get("value"))


def test_every_note_on_an_option_is_of_an_option_and_its_value() -> None:
    options = {option.name: option for option in RULES.options}
    deck = json.loads((DATA / "cards.json").read_text("utf-8"))
    cast = json.loads((DATA / "characters.json").read_text("utf-8"))["characters"].values()
    notes = [n for facts in [*deck["cards"], *cast] for n in facts.get("option_notes", ())]

    assert notes
    assert all(options[note["option"]].allows(note["value"]) for note in notes)


def test_charts_are_written_in_sentences() -> None:
    for entry in entries(Play(RULES, {}).view(None)).values():
        for said in (entry["text"], *entry["exceptions"]):
            assert re.fullmatch(r"[A-Z][^_]*\.", said), said


def test_namesakes_are_told_apart() -> None:
    found = entries(Play(RULES, {}).view(None)).values()
    titles = [entry["title"] for entry in found if entry["kind"] == "character"]

    assert len(set(titles)) == len(titles)


def test_whoever_the_warg_silences_says_so() -> None:
    """Every text of Good's that works in a battle; Aragorn's moves him, and some slay others."""
    for entry in Play(RULES, {}).view("good")["charts"]["good"]:
        is_silenced = entry["name"] not in {"aragorn", "merry", "legolas", "gimli"}
        if entry["kind"] == "character" and is_silenced:
            assert "Warg" in " ".join(entry["exceptions"]), entry["name"]
