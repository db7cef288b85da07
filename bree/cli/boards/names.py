"""Names as people type them: without accents, capitals, signs and articles, each word cut short."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")


def plain(words: str) -> str:
    """Words without accents, capitals, signs and a leading article."""
    letters = unicodedata.normalize("NFKD", words.replace("’", "'")).casefold()
    letters = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return " ".join(re.findall(r"[a-z0-9]+", letters.replace("'s", "s"))).removeprefix("the ")


def fits(words: str, *names: str) -> bool:
    """Whether each of these words begins one of a thing's own."""
    own = [part for name in names for part in plain(name).split()]
    asked = plain(words).split()
    return bool(asked) and all(any(part.startswith(word) for part in own) for word in asked)


def named(words: str, things: Iterable[T], names: Callable[[T], Sequence[str]]) -> list[T]:
    """Those that are called exactly so, or else all that these words may mean."""
    known = list(things)
    said = plain(words)
    exact = [one for one in known if said and said in {plain(name) for name in names(one)}]
    return exact or [one for one in known if fits(words, *names(one))]
