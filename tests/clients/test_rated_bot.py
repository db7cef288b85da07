"""The bot that earns a rating: match after match, from every seat, as one account."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import pytest

from bree.client import rated_bot
from bree.engine.v1.types_pb2 import Outcome, SeatScore
from bree.gateway.v1.gateway_pb2 import MATCH_STATE_OVER

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder in which no bot has played before; nobody waits for ratings in it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("BREE_BOT_TOKEN", raising=False)
    monkeypatch.setattr(rated_bot, "PATIENCE", 0)
    return tmp_path


def test_it_plays_from_every_seat_and_tells_its_rating(gateway, here, capsys):
    """Each match against a hosted bot, each to its end."""
    rated_bot.main(gateway.address, "taking", "novice", 3)

    said = capsys.readouterr().out.splitlines()
    assert ["left", "right", "left"] == [re.search(r"as (\w+): ", line)[1] for line in said[:3]]
    assert all(re.search(r": (won|drawn|lost)$", line) for line in said[:3])
    assert re.fullmatch(r"rating after \d+ matches: 25\.0, give or take [\d.]+", said[3])
    assert [{"left": "", "right": "novice"}, {"left": "novice", "right": ""}] == [
        match.bots for match in list(gateway.world.matches.values())[:2]
    ]


def test_it_is_the_same_account_the_next_day(gateway, here):
    """The token is kept, for its owner's eyes only."""
    rated_bot.main(gateway.address, "taking", "novice", 1)
    token = (here / "bot.token").read_text()
    rated_bot.main(gateway.address, "taking", "novice", 1)

    assert token == (here / "bot.token").read_text()
    assert 0o600 == (here / "bot.token").stat().st_mode & 0o777
    assert 1 == len(gateway.world.accounts) == len(gateway.world.programs)


def test_the_guides_own_bot_plays(gateway, here, monkeypatch, capsys):
    """The program on the page runs as it stands, against a hosted bot and to the end."""
    guide = (ROOT / "docs" / "write-a-bot.md").read_text("utf-8")
    monkeypatch.setattr(sys, "argv", ["my_bot.py", gateway.address, "taking", "novice"])
    exec(re.search(r"```python\n(.*?)```", guide, re.DOTALL)[1], {})  # noqa: S102

    [match] = gateway.world.matches.values()
    assert MATCH_STATE_OVER == match.state
    assert {"left": "", "right": "novice"} == match.bots
    assert {"left", "right"} == set(ast.literal_eval(capsys.readouterr().out))


def test_the_guides_choice_can_be_put_into_the_bot_that_is_rated(gateway, here, monkeypatch):
    """It answers every question there, too."""
    guide = (ROOT / "docs" / "write-a-bot.md").read_text("utf-8")
    program = re.search(r"```python\n(.*?)^gateway", guide, re.DOTALL | re.MULTILINE)[1]
    names = dict(vars(rated_bot))
    exec(program, names)  # noqa: S102
    monkeypatch.setattr(rated_bot, "choose", names["choose"])

    rated_bot.main(gateway.address, "taking", "novice", 1)

    assert all(match.state == MATCH_STATE_OVER for match in gateway.world.matches.values())


@pytest.mark.parametrize(
    ("scores", "word"),
    [((3, 2, 1), "won"), ((3, 3, 1), "drawn"), ((2, 1, 3), "lost"), ((), "aborted")],
)
def test_how_a_match_went_is_a_word(scores, word):
    """More seats than two are told by the best of the others."""
    outcome = Outcome(
        scores=[SeatScore(seat=s, score=n) for s, n in zip("abc", scores, strict=False)]
    )

    assert word == rated_bot.ending(outcome, "a")
