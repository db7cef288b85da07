"""The text of actions: read back as it was written, and every complaint."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.core.decisions import Action
from services.core.errors import Invalid
from services.core.vocabulary import LONGEST, Vocabulary

PLACES = ("shire", "bree", "rivendell")
CARDS = ("none", "1", "2")
VERBS = {"rest": (), "march": (PLACES, PLACES), "play": (CARDS,), "ambush": (CARDS, PLACES)}
WORDS = Vocabulary({**VERBS, "raid": (PLACES,)}, tails={"raid": CARDS})
KNOWN = sorted({*VERBS, "raid", *PLACES, *CARDS})


@st.composite
def actions(draw: st.DrawFn) -> Action:
    verb = draw(st.sampled_from(sorted(VERBS)))
    nouns = (draw(st.integers(0, len(kind) - 1)) for kind in VERBS[verb])
    return Action(verb, tuple(nouns))


@st.composite
def raids(draw: st.DrawFn) -> Action:
    cards = draw(st.lists(st.integers(0, len(CARDS) - 1), max_size=4))
    return Action("raid", (draw(st.integers(0, len(PLACES) - 1)), *sorted(cards)))


@given(actions() | raids())
def test_an_action_is_read_back_as_it_was_written(action: Action) -> None:
    assert action == WORDS.parse(WORDS.spell(action))


def test_an_action_is_written_with_names() -> None:
    assert "march shire bree" == WORDS.spell(Action("march", (0, 1)))
    assert "rest" == WORDS.spell(Action("rest"))
    assert "ambush 2 rivendell" == WORDS.spell(Action("ambush", (2, 2)))


def test_the_same_name_means_its_own_kind_after_each_verb() -> None:
    assert Action("play", (1,)) == WORDS.parse("play 1")
    assert Action("ambush", (1, 0)) == WORDS.parse("ambush 1 shire")


def test_nouns_of_a_tail_are_said_in_any_order() -> None:
    assert Action("raid", (1,)) == WORDS.parse("raid bree")
    assert Action("raid", (1, 1, 2)) == WORDS.parse("raid bree 2 1")


def test_space_between_words_does_not_matter() -> None:
    assert Action("march", (0, 1)) == WORDS.parse("  march \t shire  bree\n")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "an action is a verb and its nouns"),
        ("   ", "an action is a verb and its nouns"),
        ("rest" + " " * LONGEST, "an action is a verb and its nouns"),
        ("x" * (LONGEST + 1), "an action is a verb and its nouns"),
        ("sleep", "unknown verb 'sleep'"),
        ("Rest", "unknown verb 'Rest'"),
        ("rest now", "'rest' takes 0 nouns"),
        ("march shire", "'march' takes 2 nouns"),
        ("march shire bree bree", "'march' takes 2 nouns"),
        ("raid", "'raid' takes 1 nouns or more"),
        ("raid 1", "'raid' knows no '1'"),
        ("raid shire 1 bree", "'raid' knows no 'bree'"),
        ("march shire mordor", "'march' knows no 'mordor'"),
        ("march 1 shire", "'march' knows no '1'"),
        ("play 01", "'play' knows no '01'"),
        ("play -1", "'play' knows no '-1'"),
        ("play bree", "'play' knows no 'bree'"),
    ],
)
def test_a_complaint_says_what_is_wrong_and_repeats_the_text(text: str, why: str) -> None:
    with pytest.raises(Invalid) as caught:
        WORDS.parse(text)

    assert why == caught.value.why
    assert text[:LONGEST] == caught.value.said


def test_the_longest_text_is_read() -> None:
    assert Action("rest") == WORDS.parse("rest" + " " * (LONGEST - 4))


@given(st.text() | st.lists(st.sampled_from(KNOWN) | st.text(max_size=3)).map(" ".join))
def test_any_text_is_an_action_or_invalid(text: str) -> None:
    try:
        action = WORDS.parse(text)
    except Invalid:
        return

    said, spelt = text.split(), WORDS.spell(action).split()
    assert said[:2] == spelt[:2]
    assert sorted(said) == sorted(spelt)
