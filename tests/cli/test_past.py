"""What was played, through the commands: in a pipe as lines, on a screen as tables."""

from __future__ import annotations

import re

import pytest

from tests.cli.played import begun
from tests.cli.test_online_play import plain


@pytest.fixture
def past(town, ann):
    """A platform on which these matches were played."""
    begun(town)
    return town


def lines(said):
    assert (0, "") == (said.code, said.err)
    return [line.split("\t") for line in said.out.splitlines()]


def matches(said):
    return [int(row[0][2:]) for row in lines(said)]


def test_results_are_lines_in_a_pipe(bree, past):
    """All of one on one line, however long, the newest first."""
    rows = lines(bree("results", "ruby_b"))

    assert [2, 1, 0] == [int(row[0][2:]) for row in rows]
    assert ["confrontation", "good", "drawn", "bot greedy", "free"] == rows[0][2:7]
    assert ["confrontation", "dark", "lost", "Hal_G", "free"] == rows[1][2:7]
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", rows[0][1])
    assert ["12", "11", "10"] == [row[-1] for row in rows]


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        (("results", "Ruby_B", "--game", "confrontation", "--result", "won"), [0]),
        (("results", "Ruby_B", "--pace", "live"), [0]),
        (("results", "Ruby_B", "--side", "dark"), [1]),
        (("results", "Ruby_B", "--against", "Hal_G"), [1, 0]),
        (("results", "Ruby_B", "--length", "11-"), [2, 1]),
        (("results", "Ruby_B", "--length", "-10"), [0]),
        (("results", "Hal_G", "--unrated"), [3]),
        (("results", "Hal_G", "--rated"), [1, 0]),
        (("results", "Ruby_B", "--most", "1"), [2]),
        (("results", "Ruby_B", "--until", "2001-01-01"), []),
        (("results", "Ruby_B", "--since", "2001-01-01T10:00+01:00", "--most", "2"), [2, 1]),
        (("results", "Ruby_B", "--options", "preset=manual"), [2, 1, 0]),
        (("results", "bot:greedy", "--game", "confrontation"), [3, 2]),
        (("results",), []),
        (("search", "confrontation"), [3, 2, 1, 0]),
        (("search", "confrontation", "--result", "aborted"), [3]),
        (("search", "--player", "Ruby_B", "--player", "Hal_G"), [1, 0]),
        (("search", "--player", "Hal_G", "--player", "Ruby_B", "--result", "won"), [1]),
        (("search", "confrontation", "--pace", "live", "--length", "5-99", "--most", "3"), [0]),
    ],
)
def test_what_is_wanted_is_listed(bree, past, asked, wanted):
    """By everything that the platform can look for."""
    assert wanted == matches(bree(*asked))


def test_a_search_tells_who_sat_there(bree, past):
    """And how it ended."""
    rows = lines(bree("search", "confrontation"))

    assert "good: bot greedy, dark: Hal_G" == rows[0][3]
    assert "The match was broken off; nobody wins" == rows[0][4]
    assert "Good wins" == rows[-1][4]


def test_a_profile_has_all_that_was_played(bree, past):
    """Ratings, and counts by game, side, pace and opponent."""
    rows = lines(bree("profile", "ruby_b"))

    assert ["account", "Ruby_B", "", "1970-01-01"] == rows[0]
    assert ["rating", "confrontation", "2.0", "26.0 ± 8.0", "3", "–", "–", "–"] == rows[1]
    assert ["game", "confrontation", "", "1", "1", "1", "0"] in rows
    assert ["side", "confrontation", "good", "1", "0", "1", "0"] in rows
    assert ["pace", "confrontation", "free", "0", "1", "1", "0"] in rows
    assert ["against", "", "Hal_G", "1", "1", "0", "0"] in rows
    bots = lines(bree("profile", "bot:greedy"))
    assert ["account", "bot:greedy", "hosted bot", ""] == bots[0]
    assert ["game", "confrontation", "", "0", "0", "1", "1"] in bots


def test_who_has_played_nothing_has_a_profile(bree, past, ann):
    """One's own, if nobody is named."""
    [row] = lines(bree("profile"))

    assert ["account", ann] == row[:2]


REFUSED = {
    "a pace": (("results", "--pace", "fast"), "--pace takes live, slow or free, not 'fast'"),
    "a result": (("results", "--result", "good"), "--result takes won, lost, drawn or aborted"),
    "a day": (("results", "--since", "soon"), "--since takes a day such as 2026-01-31"),
    "a length": (("search", "confrontation", "--length", "5"), "--length takes entries such as"),
    "no number": (("results", "--most", "0"), "--most takes a number from 1"),
    "nothing": (("search",), "say which game, or whose matches"),
    "nobody": (("profile", "nobody"), "there is no account 'nobody'"),
    "nobody's": (("results", "nobody"), "there is no account 'nobody'"),
    "a bot's": (("results", "bot:greedy"), "a game must be named"),
    "no game": (("search", "chess"), "there is no game 'chess'"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_makes_no_sense_is_one_sentence(bree, past, what):
    """And exit code 2."""
    asked, why = REFUSED[what]
    said = bree(*asked)

    assert (2, "") == (said.code, said.out)
    assert why in said.err
    assert 1 == said.err.count("\n")


def test_on_a_screen_they_are_tables(past, terminal, ann):
    """With headings."""
    shown = plain(terminal("profile", "Ruby_B").until("END"))
    assert re.search(r"Ruby_B\s+since 1970-01-01", shown)
    assert re.search(r"game +rating +estimate +matches +live +slow +free", shown)
    assert re.search(r"against +Hal_G +1 +1 +0 +0", shown)
    results = plain(terminal("results", "Ruby_B", "--most", "2").until("END"))
    assert re.search(r"match +ended +game +side +result", results)
    assert "c-0000000002" in results
    search = plain(terminal("search", "--player", "Ruby_B", "--until", "2001-01-01").until("END"))
    assert "There is none." in search
