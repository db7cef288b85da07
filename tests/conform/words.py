"""Whether a sentence is fit for people: what no question, choice, event or card may say."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

_VOWEL_BY_EYE = r"(?!(?i:uni|use|usu|eu|one\b|once\b|u\b))[AEIOUaeiou]"
"""How a word begins that takes an `an`; some that look so begin like `you` and `one`."""
_PLURAL_OF_ONE = r"(?:are|were|have)\b"
_IRREGULAR = r"dice|armies|successes|cities|men|people"
_ONES_OF_MANY = r"(?:hit|card|die|unit|point|battalion|army|success|regular|elite|leader|turn|step)"
_NO_PLURAL = r"(?:loss|pass|success|princess|mass|class|gas|plus|minus|this|is|was|has|as|points-)"

_FAULTS: Mapping[str, str] = {
    "has an id in it": r"_",
    "has a value of the code in it": r"[{}<>]|\bTrue\b|\bFalse\b",
    "has a wrong article": (
        rf"\b[Aa] {_VOWEL_BY_EYE}|\b[Aa]n (?!{_VOWEL_BY_EYE}|hour|honest|8|11\b|18)"
    ),
    "has two articles": r"\b(?:[Aa]n?|[Tt]he) (?:an?|[Tt]he)\b",
    "has the plural of one": (
        rf"(?<![\d+-])\b1 (?!{_NO_PLURAL}\b)(?:[A-Z]\w+ )?(?:(?i:{_ONES_OF_MANY})s|{_IRREGULAR})\b"
        rf"|(?<![\d+-])\b1 \w+ {_PLURAL_OF_ONE}"
    ),
    "has one of many": rf"\b(?:0|[2-9]|[1-9]\d+) (?:[A-Z]\w+ )?(?i:{_ONES_OF_MANY})\b(?!-|')",
    "is badly spaced": r"^\s|\s$|\s\s|\s[.,;:?!](?:\s|$)|\(\s|\s\)",
    "is badly stopped": r"[.,;:][.,;:]|[?!][.,;]|\(\)",
}
"""What is wrong, and what it looks like."""

_BEGINS = re.compile(r"[A-ZÀ-Þ0-9+(\"“]")
_ENDS = re.compile(r".*[.?!][)\"”]?", re.DOTALL)


def faults(sentence: str, names: Iterable[str] = ()) -> list[str]:
    """What is wrong with a sentence; nothing, if it is fit for people.

    `names` are those of the game, as people read them: none may stand in small letters, nor with
    the underscores of an id.
    """
    found = [what for what, looks in _COMPILED if looks(sentence)]
    if not _BEGINS.match(sentence):
        found.append("begins without a capital")
    if not _ENDS.fullmatch(sentence):
        found.append("does not end")
    if not sentence.isprintable():
        found.append("cannot be printed")
    known = tuple(names)
    if known and (raw := _raw_names(known).search(sentence)):
        found.append(f"names {raw.group()} in small letters")
    return found


def _looks_for(pattern: str) -> Callable[[str], object]:
    return re.compile(pattern).search


_COMPILED = tuple((what, _looks_for(pattern)) for what, pattern in _FAULTS.items())


@lru_cache(maxsize=32)
def _raw_names(names: tuple[str, ...]) -> re.Pattern[str]:
    """What finds a name that lacks its capitals."""
    raw = {name.lower() for name in names if name != name.lower()}
    listed = "|".join(re.escape(name) for name in sorted(raw, key=len, reverse=True))
    return re.compile(rf"(?<![\w’'-])(?:{listed})(?![\w-])")
