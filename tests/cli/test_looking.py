"""What may be looked at beside the board: `map`, `about` and `legend`, at home and in a replay."""

from __future__ import annotations

import re

import pytest

from services import GAMES
from tests.golden import FOLDER

WAR = FOLDER / "warofthering/two-2.record"


PLACES = {
    "confrontation": ("Rohan", "Fangorn"),
    "duel": ("Rohan", "Mordor"),
    "risk": ("Moria", "Eregion"),
    "warofthering": ("Moria", "Hollin"),
}


@pytest.mark.parametrize("game", GAMES)
def test_a_player_sees_the_map_its_signs_and_what_borders_on_what(bree, game):
    """In every game; none of it answers the question, and piped it has no colours."""
    place, neighbour = PLACES[game]
    says = f"map\nmap {place}\nlegend\nabout {place}\nquit\n"
    played = bree("play", game, "--seed", "01", says=says)

    assert (0, "") == (played.code, played.err)
    assert "Nothing was played" in played.out or "To go on" in played.out
    _, whole, page, legend, about = re.split(r"\w+> (?:map|legend|about).*\n", played.out)
    assert place in page
    assert "╭" in whole
    assert "┃" in legend or game == "duel"
    assert about.startswith(f"{place} (")
    assert neighbour in about
    assert "\x1b" not in played.out
    assert 80 >= max(map(len, played.out.splitlines()))


def test_what_is_on_no_map_is_said(bree):
    played = bree("play", "duel", "--seed", "01", says="map narnia\nquit\n")

    assert "No part of a map is called 'narnia' here." in played.out


def test_about_alone_says_what_may_be_asked_where_there_is_nothing_in_hand(bree):
    played = bree("play", "risk", "--seed", "01", says="about\nquit\n")

    assert "about NAME tells of a region or a card." in played.out


def test_a_replay_shows_the_map_as_it_was(bree):
    """The page of the position that the viewer is at; and the next Enter goes on from there."""
    shown = bree("record", "replay", WAR, says="40\nmap gondor\n\nabout umbar\nq\n")

    stops = [int(n) for n in re.findall(r"^(\d+) of \d+, ", shown.out, re.MULTILINE)]
    assert [40, 41] == stops
    assert "Gondor and Harad  map 7 of 7" in shown.out
    assert "Umbar (Southrons, Stronghold)" in shown.out
