"""What bots think, in words."""

from __future__ import annotations

import re

import pytest

from bree.cli.thoughts import told
from services.core.decisions import Action
from tests.cli.conftest import answers
from workers.bots.contract import Thought, Weighed


def weighed(number, visits, value):
    return Weighed(Action("go", (number,)), visits, value)


def lines(thought):
    return list(told("dark", thought, lambda action: f"Go to {action.nouns[0]}."))


def test_favourites_are_told_with_what_they_are_worth():
    """Three of them; the one that is chosen is marked."""
    ways = [weighed(1, 1200, 0.614), weighed(2, 80, 0.5), weighed(3, 40, 0.4), weighed(4, 1, 0)]

    assert [
        "dark looked 1,321 times ahead, at 4 answers:",
        "  → Go to 1: wins 61 in 100, tried 1,200 times",
        "    Go to 2: wins 50 in 100, tried 80 times",
        "    Go to 3: wins 40 in 100, tried 40 times",
    ] == lines(Thought(ways[0].action, ways))


def test_a_whim_is_told_too():
    """The choice is always told, however little it was looked at."""
    ways = [weighed(n, 9 - 2 * n, 0.5) for n in range(5)]

    assert "  → Go to 4: wins 50 in 100, tried once" == lines(Thought(ways[4].action, ways))[-1]
    assert 5 == len(lines(Thought(ways[4].action, ways)))


def test_without_a_thought_there_is_nothing_to_tell():
    """A bot that plays at random has no reasons."""
    assert not lines(Thought(Action("go", (1,))))


@pytest.mark.parametrize("bot", ["novice", "greedy"])
def test_a_bot_that_is_asked_to_thinks_aloud(bree, bot):
    """Each of its choices, in the words of the game; the person is warned."""
    game = ("play", "confrontation", "--bot", bot, "--seed", "02", "--record", "a.record")

    aloud, silent = (
        bree(*game[:-1], f"{n}.record", *more, says=answers(2))
        for n, more in enumerate([("--explain",), ()])
    )

    assert (0, 0) == (aloud.code, silent.code)
    assert "The bots think aloud" in aloud.out
    assert re.search(r"^dark looked \d+ times ahead, at \d+ answers:$", aloud.out, re.MULTILINE)
    assert re.search(r"^  → .*: wins \d+ in 100, tried \d+ times$", aloud.out, re.MULTILINE)
    assert "looked" not in silent.out
    assert 80 >= max(map(len, aloud.out.splitlines()))
