"""Checks for what is read back from a saved position: nothing out of range gets onto a board."""

from __future__ import annotations

from collections.abc import Sequence

from services.core.errors import Invalid


def number(value: object, low: int, high: int) -> int:
    """A whole number from low to high, both included."""
    if type(value) is not int or not low <= value <= high:
        raise Invalid(f"here stands a number from {low} to {high}", said=repr(value)[:80])
    return value


def numbers(values: object, count: int | None, low: int, high: int) -> list[int]:
    """A list of `count` whole numbers from low to high; None is any length."""
    return [number(value, low, high) for value in parts(values, count)]


def parts(values: object, count: int | None) -> list[object]:
    """A list of `count` parts; None is any length."""
    if type(values) is not list or count not in (None, len(values)):
        raise Invalid(f"here stands a list of {count or 'any length'}", said=repr(values)[:80])
    return values


def word(value: object, words: Sequence[str]) -> str:
    """One of these words."""
    if type(value) is not str or value not in words:
        raise Invalid(f"here stands one of {', '.join(words)}", said=repr(value)[:80])
    return value
