"""`bree arena`: bots against bots, kept, gone on with, counted and rated."""

from __future__ import annotations

import json
import random
import re

import pytest

from bree.cli.arena.contest import Contest, Played, play, points_of
from bree.cli.arena.ratings import Score, elo, points
from bree.cli.arena.report import complete
from bree.cli.arena.run import ladder

PLAIN = ("--bot", "uniform", "--bot", "greedy")


def contest(seed=0, *, swapped=False, bots=("greedy", "uniform"), made_of=("a", "b")):
    return Contest("duel", 1, {}, bots, made_of, seed, swapped)


def lines_of(path):
    return path.read_text().splitlines()


def test_bots_meet_with_swapped_seats_and_are_rated(bree, tmp_path):
    """Every game is told and kept; points by seat and ratings follow at the end."""
    ran = bree("arena", "duel", *PLAIN, "--pairs", "2", "--keep", "kept.jsonl")
    kept = [json.loads(line) for line in lines_of(tmp_path / "kept.jsonl")]

    assert (0, "") == (ran.code, ran.err)
    assert {(0, False), (0, True), (1, False), (1, True)} == {
        (one["contest"]["seed"], one["contest"]["swapped"]) for one in kept
    }
    assert {("greedy", "uniform")} == {tuple(one["contest"]["bots"]) for one in kept}
    assert re.search(
        r"^\d/4 +duel 1: greedy, sitting second, (beats|draws with|loses to) uniform",
        ran.out,
        re.MULTILINE,
    )
    assert re.search(
        r"^greedy – uniform +4 +[\d.]+ % +\d+–\d+ +\d+ % +\d+ %", ran.out, re.MULTILINE
    )
    assert re.search(r"^uniform +\+0 +set to 0$", ran.out, re.MULTILINE)


def test_what_was_played_is_not_played_again(bree, tmp_path):
    """A run that was broken off goes on, also in the middle of a pair."""
    path = tmp_path / "kept.jsonl"
    bree("arena", "duel", *PLAIN, "--pairs", "2", "--keep", path)
    whole = lines_of(path)
    path.write_text("\n".join(whole[:3]) + "\n")

    ran = bree("arena", "duel", *PLAIN, "--pairs", "2", "--keep", path)

    assert "1/1 " in ran.out
    assert "2/" not in ran.out.split("The Lord")[0]
    assert 4 == len(lines_of(path))


def test_no_game_is_begun_when_time_is_up(bree):
    """What is being played is played to its end, and the rest is for the next run."""
    ran = bree("arena", "duel", *PLAIN, "--pairs", "50", "--minutes", "0")

    assert "Time is up; the same command goes on from here." in ran.out
    assert 8 > len(re.findall(r"^\d+/100 ", ran.out, re.MULTILINE))


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--bot", "sauron", "--bot", "greedy"), "there is no bot 'sauron'; there are uniform"),
        (("--bot", "greedy"), "name two different bots or more"),
        (("--bot", "greedy", "--bot", "greedy"), "name two different bots or more"),
        (("--pairs", "0"), "greater than or equal to 1"),
        (("--option", "start"), "--option takes name=value"),
        (("--option", "a=b"), "no option 'a'"),
    ],
)
def test_what_does_not_do_is_said_in_a_sentence(bree, arguments, complaint):
    """And nothing is played."""
    refused = bree("arena", "duel", *arguments)

    assert (2, "") == (refused.code, refused.out)
    assert complaint in refused.err


def test_a_file_of_something_else_is_refused(bree, tmp_path):
    """Its line is named, and it is left as it is."""
    path = tmp_path / "notes.txt"
    path.write_text("hello\n")

    refused = bree("arena", "duel", *PLAIN, "--keep", path)

    assert 2 == refused.code
    assert "line 1 of" in refused.err
    assert "hello\n" == path.read_text()


# Contests.


def test_a_contest_is_the_same_whenever_it_is_played():
    """Chance and whims follow from its seed."""
    once, again = play(contest()), play(contest())

    assert (once.scores, once.decisions) == (again.scores, again.decisions)


def test_games_of_a_pair_have_the_same_chance_and_other_seats():
    """So that neither luck nor the better side favours a bot."""
    assert [0, 1] == contest().seating(2)
    assert [1, 0] == contest(swapped=True).seating(2)


@pytest.mark.parametrize(
    ("seed", "seats", "seating"),
    [(0, 3, [0, 1, 0]), (0, 4, [0, 1, 0, 1]), (1, 4, [0, 0, 1, 1]), (1, 3, [0, 1, 0])],
)
def test_more_than_two_seats_are_shared(seed, seats, seating):
    """In turns round the table, or in blocks; swapped, each seat is the other bot's."""
    assert seating == contest(seed).seating(seats)
    assert [1 - bot for bot in seating] == contest(seed, swapped=True).seating(seats)


@pytest.mark.parametrize(
    ("scores", "seating", "won"),
    [
        ((1, -1), [0, 1], 1),
        ((1, -1), [1, 0], 0),
        ((1, 1), [0, 1], 0.5),
        ((4, 3, 2, 1), [0, 1, 0, 1], 0.75),
        ((4, 3, 2, 1), [0, 0, 1, 1], 1),
    ],
)
def test_points_compare_each_seat_with_each_of_the_others(scores, seating, won):
    """A tie is half a point."""
    assert won == points_of(scores, seating)


def test_other_bots_and_other_options_are_other_contests():
    """Results of an earlier version of a bot never count for the present one."""
    keys = {
        contest().key(),
        contest(swapped=True).key(),
        contest(seed=1).key(),
        contest(made_of=("a", "c")).key(),
        Contest("duel", 1, {"a": "b"}, ("greedy", "uniform"), ("a", "b"), 0, swapped=False).key(),
        Contest("duel", 2, {}, ("greedy", "uniform"), ("a", "b"), 0, swapped=False).key(),
    }

    assert 6 == len(keys)


def test_only_whole_pairs_count():
    """A game without its other half could favour the better side."""
    games = [
        Played(contest(seed, swapped=swapped), (1, -1), 1.0, 9, (1.0, 1.0))
        for seed, swapped in [(0, False), (0, True), (1, False), (2, True)]
    ]

    assert [(games[0], games[1])] == list(complete(games))


def test_the_ladder_has_each_level_and_the_one_below():
    """The lowest meets what plays at random, the highest all that do not search."""
    assert [
        ("novice", "uniform"),
        ("apprentice", "novice"),
        ("adept", "apprentice"),
        ("master", "adept"),
        ("master", "uniform"),
        ("master", "greedy"),
    ] == ladder()


# Ratings.


@pytest.mark.parametrize(
    ("won", "games", "low", "high"),
    [(50, 100, 0.404, 0.596), (60, 100, 0.502, 0.691), (20, 20, 0.839, 1), (0, 10, 0, 0.278)],
)
def test_the_interval_of_points_is_wilsons(won, games, low, high):
    """Figures from a table of that interval."""
    assert (won / games, low, high) == pytest.approx(points(won, games), abs=0.001)


def test_ratings_are_found_again():
    """From many games between players of known strength."""
    chance = random.Random("elo")
    strength = {"a": 0, "b": 120, "c": 300}
    scores = [
        Score((x, y), sum(chance.random() < 1 / (1 + 10 ** ((b - a) / 400)) for _ in range(2)), 2)
        for x, a in strength.items()
        for y, b in strength.items()
        if x < y
        for _ in range(500)
    ]

    rated = elo(scores, "a")

    assert (0, 0, 0) == rated["a"]
    for bot in ("b", "c"):
        assert strength[bot] == pytest.approx(rated[bot].value, abs=40)
        assert rated[bot].low < rated[bot].value < rated[bot].high
        assert 100 > rated[bot].high - rated[bot].low


def test_who_has_never_lost_has_a_rating():
    """It is high, and not without end."""
    rated = elo([Score(("a", "b"), 2, 2)] * 10, "b")

    assert 400 < rated["a"].value < 1200
