"""What a match is to each who sat there, and where a list of that goes on."""

from __future__ import annotations

import pytest

from bree.engine.v1 import engine_pb2 as engine
from bree.engine.v1 import types_pb2 as types
from gateway import paces, page_tokens, results
from gateway.contract import Place
from gateway.documents import Clock, ListEntry
from gateway.result_filters import LATEST_MS, place_of, token_of
from tests.gateway.played import PAIRS, match


@pytest.mark.parametrize(
    ("clock", "pace"),
    [
        (None, "free"),
        (Clock(3_600_000, 0, ""), "live"),
        (Clock(3_600_001, 0, ""), "slow"),
        (Clock(0, 60_000, ""), "live"),
        (Clock(600_000, 50_001, ""), "slow"),
    ],
)
def test_a_pace_is_how_much_time_there_is(clock, pace):
    """An hour in all, with sixty questions, is live."""
    assert pace == paces.pace_of(clock)


@pytest.mark.parametrize(
    ("scores", "teams", "came"),
    [
        ((1, 0), (), "won lost"),
        ((0, 0), (), "drawn drawn"),
        ((), (), "aborted aborted"),
        ((5, 2, 5), (), "drawn lost drawn"),
        ((1, 0, 1, 0), PAIRS, "won lost won lost"),
        ((1, 0, 0, 0), PAIRS, "won lost won lost"),
        ((0, 0, 0, 0), PAIRS, "drawn drawn drawn drawn"),
        ((1, 0, 1, 0), (), "drawn lost drawn lost"),
    ],
)
def test_a_result_is_that_of_a_side(scores, teams, came):
    """Team-mates have won together; sides that share the best have drawn."""
    players = ("Ann", "Bob", "bot:novice", "bot:master")[: max(2, len(scores))]
    ended = match(1, players, scores, teams=teams)
    rows = results.results_of(ended, players, 9, 77)

    assert came.split() == [row.result for row in rows]
    assert (["warm", "cold"] * 2 if teams else [row.seat for row in rows]) == [
        row.side for row in rows
    ]
    assert {("free", 9, 77, bool(scores))} == {
        (row.pace, row.length, row.ended_ms, row.rated) for row in rows
    }


def test_options_are_one_text_in_whatever_order():
    """A preset is what its options come to, with all that it leaves as it is."""
    game = engine.DescribeGameResponse(
        options=[
            types.OptionSpec(name="seats", values=["2", "3"], default_value="2"),
            types.OptionSpec(name="maps", values=["old", "new"], default_value="old"),
        ],
        presets=[types.Preset(name="usual"), types.Preset(name="new")],
    )
    game.presets[1].options.add(name="maps", value="new")

    assert {"usual": "maps=old seats=2", "new": "maps=new seats=2"} == results.presets(game)
    assert "maps=new seats=2" == results.spelt([("seats", "2"), ("maps", "new")])
    long = [(f"option{n}", "x" * 40) for n in range(30)]
    assert results.spelt(long) != results.spelt([*long[:-1], ("option29", "y" * 40)])
    assert results.LONGEST_OPTIONS >= len(results.spelt(long))


@pytest.mark.parametrize(
    ("score", "name", "place"),
    [
        (1e300, "h-abc red", (LATEST_MS, "h-abc", "red")),
        (-1e300, "h-abc", (0, "h-abc", "")),
        (5.5, "", (5, "", "")),
        (7.0, "a b c", (7, "a", "b c")),
    ],
)
def test_a_place_is_one_that_the_ledger_understands(score, name, place):
    """Page tokens are written by callers, after all."""
    token = page_tokens.encode(ListEntry(score, name), "results")

    assert place == place_of(token, "results")


def test_a_place_is_found_again():
    """From its token, to the millisecond."""
    for place in (Place(1_700_000_000_123, "h-abc", "red"), Place(0, "h-abc")):
        assert place == place_of(token_of(place, 1), 1)
    assert "" == token_of(None, 1)
    assert place_of("", 1) is None
