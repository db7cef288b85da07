"""The language of rule cases: blocks of plain text that players can read and write.

    case   p.12 a shield stops one hit
    given  gondor: charge, horn            # a line the game's own position builder reads
    may    gondor: ready, pick charge, pick horn
    can    gondor: pick horn
    cannot gondor: pick shield
    gondor: pick horn
    chance: roll 6 4 1
    then   mordor has 2 figures            # a line the game's own fact reader reads
    over   gondor 3, mordor 0

Design. `may` is the whole list that is offered, `can` and `cannot` are parts of it and not of it.
What a game says of its own positions is in `tests/games/<game>/positions.py`: `given(rules, lines)`
makes a position, `then(rules, game, line)` asserts a fact of one, and `options(lines)`, where there
is one, names the options that differ from the default.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from services.core.contract import Rules
from services.core.errors import Refused
from tests.games import rules_of
from tests.play import Play

_WORDS = ("given", "may", "can", "cannot", "then", "over")


class CaseError(AssertionError):
    """A case that does not hold, or cannot be read; the message begins with its file and line."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a case: a decision, if `word` is empty."""

    number: int
    word: str
    text: str


@dataclass(frozen=True, slots=True)
class Case:
    """One claim about the rules, and the lines that show it."""

    game: str
    file: str
    title: str
    lines: tuple[Line, ...]

    def __str__(self) -> str:
        return f"{self.file}: {self.title}"


def cases_in(folder: Path) -> Iterator[Case]:
    """Every case of a game, file by file."""
    for path in sorted(folder.glob("*.txt")):
        yield from parsed(path.read_text(encoding="utf-8"), folder.name, path.name)


def parsed(text: str, game: str, file: str) -> Iterator[Case]:
    """The cases that a file holds; `CaseError` where it cannot be read."""
    title, lines = "", list[Line]()
    for number, written in enumerate(text.splitlines(), 1):
        line = written.partition("#")[0].strip()
        word, _, rest = line.partition(" ")
        if word == "case" and rest.strip():
            yield from _closed(game, file, title, lines)
            title, lines = rest.strip(), []
        elif line and not title:
            raise CaseError(f"{file} line {number}: {line!r} stands before the first case")
        elif line:
            lines.append(_line(file, number, word, rest.strip(), line))
    yield from _closed(game, file, title, lines)


def run(case: Case) -> None:
    """Play a case; `CaseError` at the first line that does not hold."""
    rules = rules_of(case.game)
    written = [line for line in case.lines if line.word == "given"]
    play = _begin(case, rules, written)
    for line in case.lines:
        if line.word == "given":
            continue
        try:
            _check(play, case, line)
        except (AssertionError, Refused) as e:
            said = f"{line.word} {line.text}".strip()
            raise CaseError(f"{case.file} line {line.number}: {said}\n{e}") from e


def _line(file: str, number: int, word: str, rest: str, line: str) -> Line:
    if word in _WORDS:
        return Line(number, word, rest)
    if word.endswith(":") and rest:
        return Line(number, "", line)
    raise CaseError(f"{file} line {number}: {line!r} is neither a decision nor {', '.join(_WORDS)}")


def _closed(game: str, file: str, title: str, lines: list[Line]) -> Iterator[Case]:
    if not title:
        return
    words = [line.word for line in lines]
    if not set(words) - {"given", ""}:
        raise CaseError(f"{file}: case {title!r} claims nothing")
    if "given" in words[words.count("given") :]:
        raise CaseError(f"{file}: in case {title!r} a 'given' comes too late")
    yield Case(game, file, title, tuple(lines))


def _begin(case: Case, rules: Rules[Any], written: list[Line]) -> Play:
    if not written:
        return Play(rules)
    positions = positions_of(case.game)
    lines = [line.text for line in written]
    chosen: Mapping[str, str] = positions.options(lines) if hasattr(positions, "options") else {}
    try:
        return Play(rules, chosen, positions.given(rules, lines))
    except (AssertionError, Refused, ValueError, LookupError) as e:
        where = f"{case.file} line {written[0].number}"
        raise CaseError(f"{where}: no such position: {type(e).__name__}: {e}") from e


def positions_of(game: str) -> ModuleType:
    """What a game says of its own positions."""
    return import_module(f"tests.games.{game}.positions")


def _check(play: Play, case: Case, line: Line) -> None:
    if line.word == "":
        play(line.text, line.number)
    elif line.word == "then":
        positions_of(case.game).then(play.rules, play.game, line.text)
    elif line.word == "over":
        _check_over(play, line.text)
    else:
        _check_offers(play, line.word, line.text)


def _check_offers(play: Play, word: str, text: str) -> None:
    who, colon, listed = text.partition(":")
    assert colon, f"'{word}' names a seat, then a colon"
    named = [" ".join(part.split()) for part in listed.split(",")]
    offered = play.offered(who.strip())
    for action in named:
        play.rules.parse(action)
    found = f"offered: {', '.join(offered)}"
    if word == "may":
        assert sorted(named) == sorted(offered), found
    for action in named:
        assert (action in offered) == (word != "cannot"), f"{action}; {found}"


def _check_over(play: Play, text: str) -> None:
    expected = {}
    for part in text.split(","):
        seat, _, score = part.strip().partition(" ")
        expected[seat] = score.strip()
    scores = {seat: str(score) for seat, score in play.scores.items()}
    assert play.is_over, f"{', '.join(play.waiting)} must still decide, at {play.table.where()}"
    assert expected == scores, f"the scores are {scores}"
