"""A whole game of War of the Ring at the terminal, answered by number."""

from __future__ import annotations

import re

import pytest

from services.core.reading import parse_record
from tests.cli.conftest import answers


@pytest.mark.parametrize(("seat", "preset"), [("free_peoples", "two"), ("saruman", "three")])
def test_a_game_is_played_recorded_and_verified(bree, tmp_path, seat, preset):
    """It ends, nothing is wider than the terminal, and the record holds."""
    path = tmp_path / "my.record"
    game = ("play", "warofthering", "--seat", seat, "--preset", preset, "--bot", "uniform")

    played = bree(*game, "--seed", "01", "--option", "turn_limit=3", "--record", path,
                  says=answers(1))  # fmt: skip

    assert (0, "") == (played.code, played.err)
    assert re.search(r"^(You win|You lose|It is a draw)\.$", played.out, re.MULTILINE)
    assert 80 >= max(map(len, played.out.splitlines()))
    assert parse_record(path.read_text()).scores is not None
    assert 0 == bree("verify", path).code
