"""Checks of the rules before anybody plays: names, options, frames and setup."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from services.core.contract import Rules
from services.core.errors import Invalid
from services.core.frames import Frame, Procedure, Question
from services.core.reading import NAME
from services.core.table import CHANCE_NAME, HOST_NAME
from tests.conform.walks import variants

_VALUE = re.compile(r"[a-z0-9_]{1,40}")  # what a record can hold
_SENTENCE = re.compile(r"[A-Z][^_]*[a-z][^_]*\.")
_PROMPT = re.compile(r"[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*")


def rules_are_named(rules: Rules[Any]) -> None:
    assert NAME.fullmatch(rules.name)
    assert rules.title.strip()
    assert rules.edition >= 1


def rules_have_every_method_of_the_contract(rules: Rules[Any]) -> None:
    for name, method in vars(Rules).items():
        if callable(method) and not name.startswith("_"):
            asked = list(inspect.signature(method).parameters)[1:]
            assert asked == list(inspect.signature(getattr(rules, name)).parameters), name


def options_say_what_they_mean(rules: Rules[Any]) -> None:
    names = [option.name for option in rules.options]
    assert len(set(names)) == len(names)
    for option in rules.options:
        assert NAME.fullmatch(option.name)
        assert len(option.meaning.split()) > 2, option.name
        assert "_" not in option.meaning, option.name
        assert option.allows(option.default), option.name
        assert all(_VALUE.fullmatch(value) for value in option.values), option.name
        assert option.span is None or option.span[0] <= option.span[1], option.name


def agreed_options_are_complete_and_agree_again(rules: Rules[Any]) -> None:
    for variant in variants(rules.name):
        options = rules.agree(dict(variant.options))
        assert [option.name for option in rules.options] == list(options), variant.name
        assert dict(variant.options) == dict(options), variant.name
        assert all(o.allows(options[o.name]) for o in rules.options), variant.name


def presets_are_agreed_to(rules: Rules[Any]) -> None:
    for name, chosen in rules.presets.items():
        assert NAME.fullmatch(name)
        options = rules.agree(chosen)
        assert {**options, **chosen} == dict(options), name


def presets_say_what_they_are(rules: Rules[Any]) -> None:
    """A newcomer chooses by these sentences: a name alone tells nothing."""
    assert list(rules.presets) == list(rules.preset_meanings)
    for name, meaning in rules.preset_meanings.items():
        assert _SENTENCE.fullmatch(meaning), name
        assert len(meaning.split()) > 3, name
    assert len(set(rules.preset_meanings.values())) == len(rules.presets)


def unknown_options_are_refused(rules: Rules[Any]) -> None:
    wrong = [{"no_such_option": "1"}]
    wrong += [{option.name: value} for option in rules.options for value in ("", "No", "1x", "-1")]
    for chosen in wrong:
        with pytest.raises(Invalid):
            rules.agree(chosen)


def seats_have_names_of_their_own(rules: Rules[Any]) -> None:
    for variant in variants(rules.name):
        seats = rules.seats(dict(variant.options))
        assert len(seats) >= 2
        assert len(set(seats)) == len(seats)
        assert all(NAME.fullmatch(seat) for seat in seats)
        assert not {CHANCE_NAME, HOST_NAME} & set(seats)


def teams_are_seats_side_by_side(rules: Rules[Any]) -> None:
    """Every seat is in one team, and in some team are two; else there are none."""
    for variant in variants(rules.name):
        options = rules.agree(dict(variant.options))
        teams = rules.teams(options)
        assert all(NAME.fullmatch(team) for team in teams), variant.name
        if teams:
            seats = sorted(seat for team in teams.values() for seat in team)
            assert list(range(len(rules.seats(options)))) == seats, variant.name
            assert 1 < len(teams) < len(seats), variant.name


def setup_is_the_same_every_time(rules: Rules[Any]) -> None:
    for variant in variants(rules.name):
        options = rules.agree(dict(variant.options))
        first, second = rules.setup(options), rules.setup(options)
        assert rules.dump(first) == rules.dump(second), variant.name
        assert rules.waiting(first), variant.name
        assert not first.events, "what setup causes is nobody's to see"


def frames_have_names_of_their_own(rules: Rules[Any]) -> None:
    names = [frame.__name__ for frame in _frames(rules)]
    assert len(set(names)) == len(names)


def frames_hold_only_plain_values(rules: Rules[Any]) -> None:
    for frame in _frames(rules):
        values = frame().values()
        assert all(_is_plain(value) for value in values), (frame.__name__, values)


def every_step_of_a_script_exists(rules: Rules[Any]) -> None:
    for frame in _frames(rules):
        if issubclass(frame, Procedure):
            assert frame.script, frame.__name__
            assert len(set(frame.script)) == len(frame.script), frame.__name__
            missing = [step for step in frame.script if not callable(getattr(frame, step, None))]
            assert missing == [], frame.__name__
            assert len(frame.steps) == len(frame.script), frame.__name__


def every_question_has_a_prompt(rules: Rules[Any]) -> None:
    for frame in _frames(rules):
        if issubclass(frame, Question):
            assert _PROMPT.fullmatch(frame.prompt), frame.__name__


def every_frame_that_is_written_is_listed(rules: Rules[Any]) -> None:
    """A frame that others are built on need not be."""
    written = list(_written(rules))
    ends = {
        f.__name__ for f in written if not any(g is not f and issubclass(g, f) for g in written)
    }

    assert ends - {frame.__name__ for frame in _frames(rules)} == set()


RULES_CHECKS: tuple[Callable[[Rules[Any]], None], ...] = (
    rules_are_named,
    rules_have_every_method_of_the_contract,
    options_say_what_they_mean,
    agreed_options_are_complete_and_agree_again,
    presets_are_agreed_to,
    presets_say_what_they_are,
    unknown_options_are_refused,
    seats_have_names_of_their_own,
    teams_are_seats_side_by_side,
    setup_is_the_same_every_time,
    frames_have_names_of_their_own,
    frames_hold_only_plain_values,
    every_step_of_a_script_exists,
    every_question_has_a_prompt,
    every_frame_that_is_written_is_listed,
)


def _frames(rules: Rules[Any]) -> tuple[type[Frame], ...]:
    frames: tuple[type[Frame], ...] = rules.frames
    return frames


def _written(rules: Rules[Any]) -> Iterator[type[Frame]]:
    """The frames that the modules of this game define."""
    home = type(rules).__module__
    package = home.removesuffix(".rules") if home.endswith(".rules") else home
    for name, module in sorted(sys.modules.items()):
        if name == package or name.startswith(f"{package}."):
            for kind in vars(module).values():
                if isinstance(kind, type) and issubclass(kind, Frame) and kind.__module__ == name:
                    yield kind


def _is_plain(value: object) -> bool:
    if isinstance(value, tuple):
        return all(_is_plain(item) for item in value)
    return isinstance(value, int | str) and not isinstance(value, bool)
