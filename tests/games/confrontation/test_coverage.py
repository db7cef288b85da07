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

from services.confrontation import RULES, words
from services.confrontation.settings import OPTIONS
from services.confrontation.tables import CARDS, CHARACTER_KEYS, SPECIALS
from services.core.frames import Question
from tests.cases.cases import cases_in
from tests.games.heard import Heard, heard_in

FOLDER = Path(__file__).parents[2] / "cases" / "confrontation"
CASES = tuple(cases_in(FOLDER))
PROMPTS = sorted({frame.prompt for frame in RULES.frames if issubclass(frame, Question)})
TOLD_ELSEWHERE = {"game_began", "setup.draft"}


@cache
def heard() -> Heard:
    return heard_in(RULES, CASES)


def done() -> set[str]:
    """The verbs of all that is done in cases."""
    return {text.split()[0] for text in heard().done}


def words_of_cases() -> set[str]:
    """Every word that a line of a case uses, its comments and title apart."""
    lines = (line.text for case in CASES for line in case.lines)
    return {word for text in lines for word in re.findall(r"\w+", text)}


WORDS = words_of_cases()


@pytest.mark.parametrize("key", CHARACTER_KEYS)
def test_every_character_has_a_case(key: str) -> None:
    assert key in WORDS


@pytest.mark.parametrize("key", CARDS)
def test_every_combat_card_is_played_in_a_case(key: str) -> None:
    played = {line.text.split()[-1] for c in CASES for line in c.lines if ": card " in line.text}

    assert key in played


@pytest.mark.parametrize("key", SPECIALS)
def test_every_special_card_is_in_play_and_played_in_a_case(key: str) -> None:
    assert key in WORDS
    assert key.removeprefix("sp_") in done()


@pytest.mark.parametrize(
    ("name", "value"),
    [(o.name, value) for o in OPTIONS for value in o.values if value != o.default],
)
def test_every_value_of_an_option_has_a_case_or_a_test(name: str, value: str) -> None:
    lines = {part.strip() for c in CASES for n in c.lines for part in n.text.split(";")}
    said = f"preset {value}" if name == "preset" else f"option {name} {value}"
    tests = "".join(path.read_text("utf-8") for path in Path(__file__).parent.glob("test_*.py"))

    assert said in lines or said in tests


@pytest.mark.parametrize("number", range(1, 31))
def test_every_test_vector_has_a_case(number: int) -> None:
    assert any(case.title.startswith(f"14.{number} ") for case in CASES)


def test_every_case_cites_its_section_or_ruling() -> None:
    cited = re.compile(r"(ruling \d+|T\d|B\d|\d+(\.\d+)*) \S")

    assert [] == [case.title for case in CASES if not cited.match(case.title)]


def test_every_prompt_comes_up_and_has_words() -> None:
    assert set(PROMPTS) - heard().prompts == set()
    assert set(PROMPTS) == set(words._QUESTIONS)


def test_every_verb_is_offered_and_has_words() -> None:
    verbs = set(words._SENTENCES)

    assert verbs == set(RULES.vocabulary._verbs)
    assert verbs - heard().offered == set()
    assert verbs - done() == set()


def emitted() -> set[str]:
    """The kinds of event that the code can tell of."""
    package, kinds = files("services.confrontation"), set()
    for folder in (package, package / "play", package / "cards"):
        for path in folder.iterdir():
            if path.name.endswith(".py"):
                kinds |= set(_kinds_in(path.read_text("utf-8")))
    return kinds


def _kinds_in(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name in ("emit", "tell_owner", "_tell_card"):
                first = node.args[0] if name == "emit" else node.args[1]
                if isinstance(first, ast.Constant):
                    yield str(first.value)


def test_every_kind_of_event_is_told_in_a_case_and_has_words() -> None:
    assert emitted() == set(words._REPORTS)
    assert emitted() - heard().events - TOLD_ELSEWHERE == set()


def test_every_way_to_end_a_game_is_reached_and_has_words() -> None:
    assert heard().reasons == set(words._REASONS)


def test_sentences_are_sentences() -> None:
    """They begin like one, end like one, and hold no name of a program's."""
    for sentence in heard().sentences:
        assert sentence[0].isupper(), sentence
        assert sentence.endswith((".", "?")), sentence
        assert "_" not in sentence, sentence
        assert "None" not in sentence, sentence


def test_chance_is_asked_what_no_seat_should_decide_and_nothing_else() -> None:
    by_chance = {"battle.draw_target", "special.point", "special.expose"}

    assert by_chance == heard().by_chance
