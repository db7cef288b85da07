"""Actions and events, errors and options: the small values that everything is made of."""

from __future__ import annotations

import pytest

from services.core.contract import Option
from services.core.decisions import Action, Event
from services.core.errors import Illegal, Invalid, NotAsked, Refused, Stale


def test_an_action_is_a_verb_and_its_nouns() -> None:
    assert Action("pass") == Action("pass", ())
    assert Action("move", (1, 2)) != Action("move", (2, 1))
    assert 1 == len({Action("move", (1, 2)), Action("move", (1, 2))})


@pytest.mark.parametrize(
    ("seen_by", "viewers"),
    [
        (frozenset(), []),
        (None, [None, 0, 1]),
        (frozenset({0}), [0]),
        (frozenset({None, 1}), [None, 1]),
    ],
)
def test_an_event_is_seen_by_those_it_names(
    seen_by: frozenset[int | None] | None, viewers: list[int | None]
) -> None:
    event = Event("moved", {}, seen_by)

    assert viewers == [viewer for viewer in (None, 0, 1) if event.is_seen_by(viewer)]


def test_an_event_is_nobodys_by_default() -> None:
    assert not any(Event("moved", {}).is_seen_by(viewer) for viewer in (None, 0, 1))


@pytest.mark.parametrize("kind", [Illegal, Invalid, NotAsked, Stale])
def test_a_refusal_says_what_was_said_and_where(kind: type[Refused]) -> None:
    error = kind("no such road", said="move mordor", where="Turn.march")

    assert isinstance(error, Refused)
    assert "no such road: 'move mordor' (at Turn.march)" == str(error)
    assert ("no such road", "move mordor", "Turn.march") == (error.why, error.said, error.where)


def test_a_refusal_without_more_is_its_reason() -> None:
    assert "no such road" == str(Illegal("no such road"))


WORDS = Option("deck", "full", "which cards", values=("full", "small"))
NUMBERS = Option("rounds", "3", "how many", values=("none",), span=(1, 12))


@pytest.mark.parametrize("value", ["full", "small"])
def test_an_option_allows_its_words(value: str) -> None:
    assert WORDS.allows(value)


@pytest.mark.parametrize("value", ["none", "1", "7", "12"])
def test_an_option_allows_the_numbers_of_its_span(value: str) -> None:
    assert NUMBERS.allows(value)


@pytest.mark.parametrize(
    "value",
    ["", "0", "13", "-1", "+1", "01", " 1", "1 ", "1.0", "1e1", "٣", "²", "1" * 5000, "None"],
)
def test_an_option_allows_numbers_in_their_plain_form_only(value: str) -> None:
    assert not NUMBERS.allows(value)
    assert not WORDS.allows(value)


def test_an_option_says_what_it_allows() -> None:
    assert "full, small" == WORDS.allowed()
    assert "none, 1 to 12" == NUMBERS.allowed()
