"""What bots know by the prompt of a question they know by a prompt that there is."""

from __future__ import annotations

import ast
import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from services import GAMES, rules_of
from services.core.frames import Question
from services.warofthering.words.choices import CHOICES
from workers.bots.evals.warofthering import _SETTLED_CHOICES
from workers.bots.habits.warofthering import _CHOICES, FLIGHTS

PROMPT = re.compile(r"[a-z_]+\.[a-z_]+")


def prompts_of(game):
    """The prompts of all questions that a game's rules have written."""
    rules_of(game)
    found, left = set(), [Question]
    while left:
        kind = left.pop()
        left += kind.__subclasses__()
        if kind.__module__.startswith((f"services.{game}.", "services.core.")):
            found.add(kind.prompt)
    return found


def sources(game):
    """The files in which bots are told of a game."""
    for folder in ("evals", "habits"):
        spec = find_spec(f"workers.bots.{folder}.{game}")
        if spec is None:
            continue
        path = Path(spec.origin)
        yield from path.parent.glob("*.py") if path.name == "__init__.py" else [path]


def tables_in(tree):
    """The texts by which something is found, table by table or set by set."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Dict, ast.Set)):
            keys = node.keys if isinstance(node, ast.Dict) else node.elts
            yield [k.value for k in keys if isinstance(k, ast.Constant)]


def named_in(text):
    """The prompts that a source names: what looks like one, and what stands in a row of them."""
    tree = ast.parse(text)
    texts = {n.value for n in ast.walk(tree) if isinstance(n, ast.Constant)}
    named = {t for t in texts if isinstance(t, str) and PROMPT.fullmatch(t)}
    for keys in tables_in(tree):
        if named & set(keys):
            named |= set(keys)
    return named


@pytest.mark.parametrize("game", GAMES)
def test_every_prompt_that_bots_know_is_a_question_of_the_game(game):
    """Under a misspelt one a habit or a reason would never be found, and nobody would notice."""
    named = {prompt for path in sources(game) for prompt in named_in(path.read_text("utf-8"))}

    assert set() == named - prompts_of(game)


def test_a_misspelt_prompt_is_found_with_a_point_or_without():
    """In a table, in a set and in a comparison."""
    assert {"a.b", "ab"} == named_in('X = {"a.b": 1, "ab": 2}')
    assert {"a.b", "ab"} == named_in('X = {"a.b", "ab"}')
    assert {"a.c"} == named_in('y = q.prompt == "a.c" or z == "c"')


def test_every_choice_that_habits_of_war_of_the_ring_know_is_one_of_the_rules():
    """These are told apart by what is chosen for, and not by prompts."""
    assert set() == {*_CHOICES, *FLIGHTS, *_SETTLED_CHOICES} - {*CHOICES}
