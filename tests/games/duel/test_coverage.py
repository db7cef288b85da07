"""Every printed thing has its cases, and everything that can be asked or told has words.

All cases are played once more here, with an ear for what is asked, offered and told on the way.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest

from services.core.frames import Question
from services.duel import RULES
from services.duel.settings import OPTIONS
from services.duel.tables import CARDS, TILES, TOKENS
from services.duel.words.actions import PASSES, SENTENCES
from services.duel.words.events import REASONS, REPORTS
from services.duel.words.printed import card_text, tile_text, token_text
from services.duel.words.questions import QUESTIONS
from tests.cases.cases import cases_in
from tests.games.heard import Heard, heard_in

FOLDER = Path(__file__).parents[2] / "cases" / "duel"
CASES = tuple(cases_in(FOLDER))
PROMPTS = {frame.prompt for frame in RULES.frames if issubclass(frame, Question)}
RULINGS = re.findall(r"^\| (R-\d\d) \|", (FOLDER.parents[2] / "services/duel/RULINGS.md").read_text(
    "utf-8"), re.MULTILINE)  # fmt: skip

NOT_SHOWN = {
    "R-02": "there is nothing of expansions",
    "R-03": "test_data checks the layouts",
    "R-30": "test_data: a region has one landmark, and the audit holds it to one fortress",
    "R-35": "no action improves the position of the other side",
    "R-53": "what has no order cannot be shown to have none",
    "R-55": "R-17 shows it",
    "R-56": "it is about names",
}
"""Rulings of which no case could show anything."""

BEFORE_THE_FIRST_DECISION = {"chapter_began"}
"""What is told when a game is set up, and in no case but those that go on to the next chapter."""


@cache
def heard() -> Heard:
    return heard_in(RULES, CASES)


@pytest.mark.parametrize("key", CARDS)
def test_every_card_is_played_in_a_case(key: str) -> None:
    assert f"play {key}" in heard().done


@pytest.mark.parametrize("key", TILES)
def test_every_landmark_is_taken_in_a_case(key: str) -> None:
    assert f"landmark {key}" in heard().done


@pytest.mark.parametrize("key", TOKENS)
def test_every_token_has_a_case_of_its_own(key: str) -> None:
    assert any(case.title.startswith(f"9 {key}: ") for case in CASES)


@pytest.mark.parametrize(
    ("name", "value"),
    [(o.name, value) for o in OPTIONS for value in o.values if value != o.default],
)
def test_every_value_of_an_option_has_a_case(name: str, value: str) -> None:
    lines = {part.strip() for c in CASES for n in c.lines for part in n.text.split(";")}

    assert f"option {name} {value}" in lines


@pytest.mark.parametrize("number", range(1, 11))
def test_every_test_vector_has_a_case(number: int) -> None:
    assert any(case.title.startswith(f"17.{number} ") for case in CASES)


@pytest.mark.parametrize("number", RULINGS)
def test_every_ruling_that_can_be_shown_has_a_case(number: str) -> None:
    shown = any(case.title.startswith(f"ruling {number} ") for case in CASES)

    assert shown is (number not in NOT_SHOWN)


def test_rulings_are_numbered_from_one_up() -> None:
    assert [f"R-{number:02}" for number in range(1, len(RULINGS) + 1)] == RULINGS
    assert len(RULINGS) > 46


def test_every_case_cites_its_section_or_ruling() -> None:
    cited = re.compile(r"(ruling R-\d\d|\d+(\.\d+)*) \S")

    assert [] == [case.title for case in CASES if not cited.match(case.title)]


def test_every_prompt_comes_up_and_has_words() -> None:
    assert set() == PROMPTS - heard().prompts
    assert PROMPTS == set(QUESTIONS)


def test_every_refusal_has_words_of_its_own() -> None:
    refusals = [PASSES[prompt] for prompt in PASSES]

    assert len(refusals) == len(set(refusals))
    assert set(PASSES) <= PROMPTS


def test_every_verb_is_offered_and_done_and_has_words() -> None:
    verbs = set(SENTENCES)

    assert verbs == set(RULES.vocabulary._verbs)
    assert set() == verbs - heard().offered
    assert set() == verbs - {text.split()[0] for text in heard().done}


def emitted() -> set[str]:
    """The kinds of event that the code can tell of."""
    package, kinds = files("services.duel"), set()
    for folder in (package, package / "play", package / "cards"):
        for path in folder.iterdir():
            if path.name.endswith(".py"):
                kinds |= set(_kinds_in(path.read_text("utf-8")))
    return kinds


def _kinds_in(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "emit":
            (first, *_) = node.args
            assert isinstance(first, ast.Constant)
            yield str(first.value)


def test_every_kind_of_event_is_told_in_a_case_and_has_words() -> None:
    assert emitted() == set(REPORTS)
    assert set() == emitted() - heard().events - BEFORE_THE_FIRST_DECISION


def test_every_way_to_end_a_game_is_reached_and_has_words() -> None:
    assert heard().reasons == set(REASONS)


def test_sentences_are_sentences() -> None:
    """They begin like one, end like one, and hold no name of a program's."""
    for sentence in heard().sentences:
        assert sentence[0].isupper(), sentence
        assert sentence.endswith((".", "?")), sentence
        assert "_" not in sentence, sentence
        assert "None" not in sentence, sentence


def test_every_token_has_a_text() -> None:
    assert len({token_text(token) for token in range(len(TOKENS))}) == len(TOKENS)


def test_every_card_and_tile_has_a_text() -> None:
    for card in range(len(CARDS)):
        assert card_text(card)
    assert len(TILES) == len({tile_text(tile) for tile in range(len(TILES))})


def test_chance_is_asked_what_no_seat_should_decide_and_nothing_else() -> None:
    by_chance = {"chapter.deal", "chapter.set_aside", "chapter.landmark", "alliance.draw"}

    assert by_chance == heard().by_chance
