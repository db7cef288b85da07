"""The test language: scripts are obeyed, and what was not offered is refused with what was."""

from __future__ import annotations

import pytest

from services.core.frames import Game
from tests.games.skirmish.positions import given
from tests.games.skirmish.rules import RULES, Board
from tests.play import Play, ScriptError

DRAWS = """
    chance: draw charge
    chance: draw horn
    chance: draw shield
    chance: draw shield
"""


def test_a_script_decides_for_seats_and_for_chance() -> None:
    play = Play(RULES)

    events = play(DRAWS + "gondor: pick horn   # unseen\n\n# a remark\nmordor: ready\n")

    assert ["card_drawn"] * 4 + ["card_picked", "got_ready"] == [event.kind for event in events]
    assert play.events == events
    assert ("gondor",) == play.waiting
    assert not play.is_over


def test_a_play_tells_what_is_asked_and_offered() -> None:
    play = Play(RULES)
    play(DRAWS)

    assert "battle.seal_cards" == play.ask("gondor").prompt
    assert ["ready", "pick charge", "pick horn"] == play.offered("gondor")
    assert ["charge", "horn"] == play.offered("gondor", "pick")
    assert [""] == play.offered("mordor", "ready")
    assert [] == play.offered("mordor", "burn")
    assert play.allows("mordor", "pick shield")
    assert not play.allows("mordor", "pick horn")
    assert {"gondor": 3, "mordor": 3} == play.scores


def test_a_play_shows_a_seat_what_it_may_know() -> None:
    play = Play(RULES)
    play(DRAWS)

    assert [1, 3] == play.view("gondor")["hand"]
    assert play.view()["hand"] is None
    assert [1, 3] == [event.facts["card"] for event in play.seen("gondor")]
    assert [] == play.seen()


def test_options_are_those_given() -> None:
    assert 3 == len(Play(RULES, {"seats": "3"}).scores)


def test_the_host_speaks_in_a_script() -> None:
    play = Play(RULES)
    play(DRAWS + "host: expire mordor")

    assert play.is_over
    assert {"gondor": 3, "mordor": 0} == play.scores


def test_a_play_may_start_from_a_position() -> None:
    game: Game[Board] = given(RULES, ["gondor: charge", "1 rounds are left"])
    play = Play(RULES, game=game)
    play(
        "gondor: pick charge\ngondor: ready\nmordor: ready\nchance: roll 3 3 3\nchance: roll 1 1 1"
    )

    assert ["fall"] == play.offered("mordor")
    assert 0 < play.table.number(1)


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("gondor: pick shield", r"line 1: 'gondor: pick shield' is refused: .*may not do this"),
        ("gondor: pick shield", r"offered to gondor \(battle.seal_cards\): ready, pick charge"),
        ("\n\ngondor: pick pick", "line 3: .*refused: .*knows no 'pick'"),
        ("chance: draw horn", "asked now: gondor, mordor"),
        ("rohan: ready", "there is no such seat"),
        ("gondor: ready\ngondor: ready", "line 2: .*\nasked now: mordor"),
        ("host: sleep", "the host may: resign <seat>, expire <seat>, abort"),
        ("gondor ready", "line 1: 'gondor ready' is not of the form 'seat: action'"),
        ("gondor:", "is not of the form"),
        ("the gondor: ready", "is not of the form"),
        ("host: abort\ngondor: ready", "asked now: nobody, the game is over"),
    ],
)
def test_what_was_not_offered_is_refused_with_what_was(script: str, message: str) -> None:
    play = Play(RULES)
    play(DRAWS)

    with pytest.raises(ScriptError, match=message):
        play(script)


def test_a_question_that_lists_nothing_says_so() -> None:
    play = Play(RULES)
    play(DRAWS + "gondor: ready\nmordor: ready")

    with pytest.raises(ScriptError, match=r"offered to chance .*: what the question does not list"):
        play("chance: roll 6 6 0")
