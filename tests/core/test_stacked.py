"""Saved positions: read back as they were, and garbage refused as `Invalid` and nothing else."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.core.decisions import CHANCE, Action
from services.core.errors import Invalid
from services.core.frames import Game, Procedure, Question
from tests.conform.walks import variants, walk
from tests.games.skirmish.rules import RULES, Battle, Board, SealCards, Skirmish

SAVED = [m.saved for v in variants("skirmish") for m in walk(v, 0).moments]
ODD = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False)
    | st.text(max_size=8)
    | st.sampled_from(["Battle", "SealCards", "TakeLosses", "draw", "seal", ""]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=6,
)


@dataclass(slots=True)
class Elsewhere(Procedure):
    """A frame that the skirmish does not have."""

    script: ClassVar = ("pause",)

    def pause(self, g: Game[Board]) -> None: ...


def read(data: bytes) -> Game[Board] | None:
    """The position, or nothing if it was refused; any other error is a failure."""
    try:
        return RULES.load(data)
    except Invalid:
        return None


@st.composite
def changed(draw: st.DrawFn) -> bytes:
    """A saved position in which one part, anywhere, is something else."""
    whole: list[Any] = json.loads(draw(st.sampled_from(SAVED)))
    part: Any = whole
    while draw(st.integers(0, 4)) and any(isinstance(item, list) and item for item in part):
        part = draw(st.sampled_from([item for item in part if isinstance(item, list) and item]))
    how, place = draw(st.integers(0, 2)), draw(st.integers(0, len(part) - 1))
    part[place : place + (how != 1)] = [] if how == 2 else [draw(ODD)]
    return json.dumps(whole).encode()


def test_a_position_is_saved_by_the_names_of_its_frames_and_steps() -> None:
    game = Game(Board(2, [[3, 3], [0, 0], [0, 1, 1, 1], [0] * 4], [(1,), ()]), [])
    game.stack = [Battle(at=2, cards=(0, 1)), SealCards(ready=(0, 1))]
    board = [2, [[3, 3], [0, 0], [0, 1, 1, 1], [0, 0, 0, 0]], [[1], []]]
    stack = [["Battle", "reveal", [], [0, 1], []], ["SealCards", 0, [], [0, 1]]]

    assert [board, stack] == json.loads(RULES.dump(game))
    assert game.stack == RULES.load(RULES.dump(game)).stack


def test_a_procedure_that_has_run_all_its_steps_is_read_back() -> None:
    game = RULES.setup(RULES.agree({}))
    game.stack = [Battle(at=len(Battle.script))]

    assert len(Battle.script) == RULES.load(RULES.dump(game)).stack[0].at


@pytest.mark.parametrize("saved", SAVED[:: len(SAVED) // 20])
def test_a_position_is_read_back_as_it_was(saved: bytes) -> None:
    assert saved == RULES.dump(RULES.load(saved))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        b"[]",
        b"null",
        b"[1,2]",
        b"[[],[]]",
        b"\xff\xfe",
        b"NaN",
        b"[" * 100_000,
        b"[" + b"9" * 5000 + b",[]]",
        *(SAVED[3][:cut] for cut in range(0, len(SAVED[3]), 11)),
        SAVED[3] + b"]",
        SAVED[3].replace(b'"Battle"', b'"Battel"'),
        SAVED[3].replace(b'"seal"', b'"seel"'),
        SAVED[3].replace(b'"Battle"', b'["Battle"]'),
        SAVED[3].replace(b'"Battle",', b'"Battle",0,'),
        SAVED[3].replace(b'"Battle","seal"', b'"Battle",true'),
    ],
)
def test_what_was_not_saved_so_is_invalid(data: bytes) -> None:
    assert data not in SAVED

    with pytest.raises(Invalid):
        RULES.load(data)


@given(changed())
def test_a_changed_position_is_refused_or_is_a_position(data: bytes) -> None:
    game = read(data)
    if game is not None:
        saved = RULES.dump(game)

        assert saved == RULES.dump(RULES.load(saved))


@given(st.sampled_from(SAVED), st.integers(0, 2000), st.binary(max_size=3), st.integers(0, 3))
def test_changed_bytes_are_refused_or_are_a_position(
    saved: bytes, at: int, other: bytes, cut: int
) -> None:
    at %= len(saved)
    read(saved[:at] + other + saved[at + cut :])


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_garbage_is_refused(data: bytes) -> None:
    assert read(data) is None


# Options and the delegation to questions.


def test_agreed_options_are_whole_and_in_order() -> None:
    options = RULES.agree({"deck": "small"})

    assert ["seats", "rounds", "deck"] == list(options)
    assert {"seats": "2", "rounds": "3", "deck": "small"} == options


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"speed": "fast"}, "skirmish has no option 'speed': 'speed=fast'"),
        ({"deck": "large"}, "option 'deck' allows full, small: 'deck=large'"),
        ({"seats": "4"}, "option 'seats' allows 2 to 3: 'seats=4'"),
        ({"seats": "3", "deck": "small"}, "three seats need the full deck"),
    ],
)
def test_options_that_do_not_fit_are_refused(chosen: dict[str, str], message: str) -> None:
    with pytest.raises(Invalid, match=message):
        RULES.agree(chosen)


def test_rules_ask_the_question_on_top_of_the_stack() -> None:
    game = RULES.setup(RULES.agree({}))

    assert (CHANCE,) == RULES.waiting(game)
    assert "battle.draw_cards" == RULES.ask(game, CHANCE).prompt
    assert RULES.allows(game, CHANCE, Action("draw", (1,)))
    assert not RULES.allows(game, CHANCE, Action("draw", (0,)))
    assert RULES.deal(game, lambda choices: choices - 1) == Action("draw", (3,))


@dataclass(slots=True)
class Dealt(Question[Board]):
    """A question that is never put to a seat."""

    prompt: ClassVar = "chance.dealt"


class WithADeal(Skirmish):
    frames = (*RULES.frames, Dealt)


def test_prompts_are_those_of_questions_to_seats() -> None:
    """No client needs a text for what chance alone is asked."""
    assert Dealt in WithADeal().frames
    assert RULES.prompts() == WithADeal().prompts()
    assert {"battle.seal_cards", "battle.take_losses"} <= set(RULES.prompts())


def test_a_frame_that_no_module_defines_is_refused() -> None:
    """Though it is a frame: it may be another game's."""
    game = RULES.setup(RULES.agree({}))
    game.stack.insert(0, Elsewhere())

    with pytest.raises(Invalid, match="skirmish has no frame 'Elsewhere'"):
        RULES.load(RULES.dump(game))


def test_what_a_decision_causes_is_handed_over_once() -> None:
    game = RULES.setup(RULES.agree({}))
    (event,) = RULES.apply(game, CHANCE, Action("draw", (1,)))

    assert {"seat": 0, "card": 1} == event.facts
    assert [] == game.events


def test_nobody_is_waited_for_when_the_game_is_over() -> None:
    game = RULES.setup(RULES.agree({}))
    game.stop()

    assert () == RULES.waiting(game)
    assert not RULES.allows(game, 0, Action("ready"))
