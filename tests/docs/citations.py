"""Finding what cites the rules and what can be cited; `test_rules.py` says the forms."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GAMES = ("confrontation", "duel", "risk", "warofthering")

_PLACE = r"(?:\d{1,2}(?:\.\d{1,2})*|[A-Z]\d{1,2})(?!\w|\.\d|-(?![A-Z]?\d))"
_LINK = r"(?:,\s+and\s+|[,;]\s+|\s+and\s+|\s+to\s+|-|\s+(?=[A-Z]\d))"
_LIST = rf"{_PLACE}(?:{_LINK}{_PLACE})*"
_RULING = r"(?:R-\d{2}|\d{1,2})(?![\w.])"
_RULINGS = rf"{_RULING}(?:(?:,\s+|\s+and\s+){_RULING})*"

_NAMED = re.compile(rf"\bRULES\s+({_LIST})")
_IN_BRACKETS = re.compile(rf"(?<![\w)\]])\(({_LIST})(?=\)|[,;]\s+(?:ruling|RULING|Ruling))")
_BARE = re.compile(r"(?<![\w.-])([A-Z]\d{1,2}(?:(?:\s+to\s+|-)[A-Z]\d{1,2})?)(?![\w-])")
_TITLE = re.compile(rf"^({_LIST})(?=\s)")
_BARE_RULING = re.compile(r"(?<![\w|-])(?<!\| )(R-\d{2})(?![\w-])")
_OF_RULING = re.compile(rf"\b(?:[Rr]ulings?|RULINGS)\s+({_RULINGS})")
_SPLIT = re.compile(rf"({_LINK})")
_TO = re.compile(r"^(?:\s+to\s+|-)$")

_HEADING = re.compile(r"^#{2,4} (\d{1,2}(?:\.\d{1,2})*|[A-Z]\d{1,2})\.? ")
_CODE = r"\d{1,2}(?:\.\d{1,2})+|[A-Z]\d{1,2}"
_NUMBERED = re.compile(rf"^\s*(?:(?:[-*] )?\*\*({_CODE})\.[ *]|[-*] \*\*({_CODE})\*\*(?= ))")
_RULED = re.compile(r"^(?:(\d{1,2})\. |\| (R-\d{2}) \|)")


@dataclass(frozen=True, slots=True)
class Citation:
    """One place of a game's rules, or one of its rulings, as one line names it."""

    game: str
    file: str
    line: int
    place: str
    is_ruling: bool = False

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {'Ruling ' if self.is_ruling else ''}{self.place}"


def cited(text: str) -> Iterator[tuple[int, str, bool]]:
    """Each place that prose cites: its offset, its number, and whether it is a ruling."""
    yield from _of_rules(text)
    yield from sorted(
        {
            (match.start(1) + ruling.start(), ruling[0], True)
            for form in (_OF_RULING, _BARE_RULING)
            for match in form.finditer(text)
            for ruling in re.finditer(_RULING, match[1])
        }
    )


def _of_rules(text: str) -> Iterator[tuple[int, str, bool]]:
    seen: set[tuple[int, int]] = set()
    for form in (_NAMED, _IN_BRACKETS, _BARE):
        for match in form.finditer(text):
            first, last = match.span(1)
            if not any(start <= first and last <= end for start, end in seen):
                seen.add((first, last))
                for place in _places(match[1]):
                    yield first, place, False


def _places(listed: str) -> Iterator[str]:
    """The numbers in a list; `to` and a dash stand for all between."""
    first, *rest = _SPLIT.split(listed)
    yield first
    for link, place in zip(rest[::2], rest[1::2], strict=True):
        yield from _between(first, place) if _TO.match(link) else ()
        yield place
        first = place


def _between(first: str, last: str) -> Iterator[str]:
    """What lies strictly between two numbers that differ in their last part only."""
    at = re.compile(r"\d+$")
    low, high = at.search(first), at.search(last)
    assert low is not None, f"{first} ends in a number"
    assert high is not None, f"{last} ends in a number"
    stem = first[: low.start()]
    assert stem == last[: high.start()], f"{first} to {last} is within one section"
    yield from (f"{stem}{n}" for n in range(int(low[0]) + 1, int(high[0])))


def citations(game: str, root: Path = ROOT) -> list[Citation]:
    """All citations of a game's rules and rulings, in the order of files and lines."""
    found = set()
    for path in _sources(game, root):
        name = path.relative_to(root).as_posix()
        for line, text, is_title in _prose(path):
            for at, place, is_ruling in cited(text):
                number = line + text.count("\n", 0, at)
                found.add(Citation(game, name, number, place, is_ruling))
            if is_title and (match := _TITLE.match(text)):
                found |= {Citation(game, name, line, place) for place in _places(match[1])}
    return sorted(found, key=lambda c: (c.file, c.line, c.is_ruling, c.place))


def _sources(game: str, root: Path) -> Iterator[Path]:
    for folder in (f"services/{game}", f"tests/games/{game}"):
        yield from sorted((root / folder).rglob("*.py"))
    yield from sorted((root / "tests/cases" / game).glob("*.txt"))
    yield root / "services" / game / "RULINGS.md"


def _prose(path: Path) -> Iterator[tuple[int, str, bool]]:
    """What a file says in words: its line, the text, and whether it is the title of a case."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        yield from ((line, said, False) for line, said in of_python(text))
    elif path.suffix == ".txt":
        yield from _of_cases(text)
    else:
        yield 1, text, False


def _of_cases(text: str) -> Iterator[tuple[int, str, bool]]:
    for number, line in enumerate(text.splitlines(), start=1):
        said, _, comment = line.partition("#")
        word, _, title = said.partition(" ")
        if word == "case":
            yield number, title.strip(), True
        if comment:
            yield number, comment, False


def of_python(text: str) -> Iterator[tuple[int, str]]:
    """Comments, docstrings, and texts that end with a code in brackets, as of an option."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Expr(value=ast.Constant(value=str(said))):
                yield node.lineno, said
            case ast.Constant(value=str(said)) if code := re.search(r"\([A-Z]\d\d\)\.?$", said):
                yield node.end_lineno or node.lineno, code[0]
    yield from _comments(text)


def _comments(text: str) -> Iterator[tuple[int, str]]:
    """Comments; those on lines of their own that follow one another are one text."""
    last, lines = 0, [""]
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type != tokenize.COMMENT:
            continue
        said = token.string.lstrip("#: ")
        if token.line.lstrip().startswith("#") and token.start[0] == last + 1:
            lines.append(said)
        else:
            if last:
                yield last - len(lines) + 1, "\n".join(lines)
            lines = [said]
        last = token.start[0]
    if last:
        yield last - len(lines) + 1, "\n".join(lines)


def places(page: str) -> dict[str, int]:
    """The numbered places of a page of rules and their lines: headings, and bold numbers."""
    found: dict[str, int] = {}
    for number, line in enumerate(page.splitlines(), start=1):
        if place := _place(line):
            assert place not in found, f"{place} stands in two places, line {number}"
            found[place] = number
    return found


def sections(page: str) -> dict[str, list[str]]:
    """The numbered headings of a page, each with all the places in it and itself."""
    found: dict[str, list[str]] = {}
    open_: list[tuple[int, str]] = []
    for line in page.splitlines():
        depth = len(line) - len(line.lstrip("#"))
        if depth:
            open_ = [(level, place) for level, place in open_ if level < depth]
        if (place := _place(line)) and depth:
            open_.append((depth, place))
            found[place] = []
        for _, section in open_ if place else ():
            found[section].append(place)
    return found


def _place(line: str) -> str:
    """The number at the beginning of a line of a page, if it has one."""
    match = _HEADING.match(line) or _NUMBERED.match(line)
    return next(number for number in match.groups() if number) if match else ""


def rulings(page: str) -> dict[str, int]:
    """The numbered rulings of a game's RULINGS.md and their lines: items of a list, or rows."""
    found: dict[str, int] = {}
    _, _, listed = page.partition("\n## Rulings\n")
    first = page.count("\n", 0, len(page) - len(listed))
    for number, line in enumerate(listed.splitlines(), start=first + 1):
        if match := _RULED.match(line):
            found[match[1] or match[2]] = number
    return found
