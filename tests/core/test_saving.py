"""What is read back from a saved position is in range, or refused."""

from __future__ import annotations

import pytest

from services.core.errors import Invalid
from services.core.saving import number, numbers, parts, word


@pytest.mark.parametrize("value", [-2, 0, 5])
def test_a_number_in_range_is_itself(value: int) -> None:
    assert value == number(value, -2, 5)


@pytest.mark.parametrize("value", [-3, 6, 10**40, True, False, 1.0, "1", None, [1], {}])
def test_anything_else_is_no_number(value: object) -> None:
    with pytest.raises(Invalid, match="here stands a number from -2 to 5"):
        number(value, -2, 5)


def test_numbers_are_so_many_or_any_number() -> None:
    assert [1, 2] == numbers([1, 2], 2, 0, 9)
    assert [] == numbers([], None, 0, 9)
    assert [3] * 50 == numbers([3] * 50, None, 0, 9)


@pytest.mark.parametrize("values", [[1], [1, 2, 3], 2, "12", None, {"a": 1, "b": 2}, (1, 2)])
def test_another_shape_is_refused(values: object) -> None:
    with pytest.raises(Invalid, match="here stands a list of 2"):
        numbers(values, 2, 0, 9)


def test_one_number_out_of_range_is_enough() -> None:
    with pytest.raises(Invalid, match="here stands a number from 0 to 9: '10'"):
        numbers([1, 10], 2, 0, 9)


def test_parts_are_of_any_kind() -> None:
    assert [1, "a", []] == parts([1, "a", []], 3)
    assert ["a"] == parts(["a"], None)
    with pytest.raises(Invalid, match="here stands a list of any length"):
        parts("a", None)


def test_a_word_is_one_of_those_known() -> None:
    assert "press" == word("press", ("cease", "press"))


@pytest.mark.parametrize("value", ["", "Press", "pre", 0, None, ["press"]])
def test_any_other_word_is_refused(value: object) -> None:
    with pytest.raises(Invalid, match="here stands one of cease, press"):
        word(value, ("cease", "press"))


def test_what_is_refused_is_quoted_in_short() -> None:
    with pytest.raises(Invalid) as caught:
        number("x" * 1000, 0, 9)

    assert 80 == len(caught.value.said)
