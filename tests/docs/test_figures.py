"""What was measured is marked, and is what was measured; what is set is what is set."""

from __future__ import annotations

import re

import pytest

from tests.docs.figures import MARK, PAGES, ROOT, kept, measured, renewed, wrong
from tests.docs.limits import LIMITS

RESULTS = (
    {"name": "a", "value": 1234.5, "ratio": 0.25},
    {"name": "b", "value": 2.0},
    {"name": "old", "once": {"date": "2026-01-01", "commit": "1234567", "how": "by hand"}, "x": 7},
)
WORDS = "one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|fifty|hundred"
NUMBER = r"\d[\d,]*(?:\.\d+)?"
UNIT = (
    r" ?(?:×|%|ms\b|µs|us\b|s\b|[kMG]i?B\b|x\b)"
    r"| (?:times|points|milliseconds?|microseconds?|seconds?|minutes?)\b"
    r"| \w+ (?:a|per) second\b| (?:a|per) second\b"
)
FIGURE = re.compile(
    rf"(?<![\w.:/=^-])(?:{NUMBER}(?:{UNIT})|(?:{WORDS})(?: (?:ms|milliseconds?|microseconds?))\b"
    r"|\d+\.\d+(?![\w.]))"
)
UNSAID = re.compile(
    r"^(?:```|~~~).*?^(?:```|~~~)$|^    .*?$|`[^`\n]*`|<!--.*?-->|\]\([^)]*\)|<https?:[^>]*>"
    r"|\b(?:C?Python|Redis|mypyc|Kubernetes|TLS|License|Covenant)(?: from)?"
    r"(?:(?:,| to| and)?\s\d+(?:\.\d+)*)+",
    re.MULTILINE | re.DOTALL,
)
MEASURING = [page for page in PAGES if "rules" not in page.relative_to(ROOT).parts]
"""The rules of games have no measurements; their numbers are the games'."""


def name_of(page):
    return page.relative_to(ROOT).as_posix()


def unmarked(text):
    """What looks measured and has no mark, with its line."""
    text = MARK.sub("", text)
    text = UNSAID.sub(lambda match: "\n" * match[0].count("\n"), text)
    return [
        (text.count("\n", 0, match.start()) + 1, match[0].replace("\n", " "))
        for match in FIGURE.finditer(text)
    ]


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_marked_figure_is_what_was_measured(page):
    """`python -m tests.docs.figures` writes them anew."""
    assert "" == "\n".join(map(str, wrong(page.read_text(encoding="utf-8"), kept())))


def test_there_are_marked_figures():
    """A pattern that finds none would find no wrong one."""
    pages = {page.name for page in PAGES if MARK.search(page.read_text(encoding="utf-8"))}

    assert {"architecture.md", "metrics.md", "0006-what-a-move-costs.md"} <= pages


@pytest.mark.parametrize("page", MEASURING, ids=name_of)
def test_what_is_not_marked_is_a_limit(page):
    """A figure with a unit is either measured, and marked, or set, and in the table of limits."""
    known = {limit.said for limit in LIMITS if limit.page == name_of(page)}
    found = unmarked(page.read_text(encoding="utf-8"))

    assert [] == [(line, said) for line, said in found if said not in known]


@pytest.mark.parametrize("limit", LIMITS, ids=lambda limit: f"{limit.page}: {limit.said}")
def test_a_limit_is_what_is_set(limit):
    """It stands on its page, and something in its place sets it so."""
    found = {said for _, said in unmarked((ROOT / limit.page).read_text(encoding="utf-8"))}

    assert limit.said in found
    assert limit.is_set(ROOT)


def test_what_was_measured_once_says_when_and_how():
    """A date, a commit and how it was done."""
    for result in kept():
        once = result.get("once")
        if once is not None:
            assert re.fullmatch(r"\d{4}-\d{2}-\d{2}", once["date"])
            assert re.fullmatch(r"[0-9a-f]{7}", once["commit"])
            assert once["how"]


def test_no_measure_stands_twice():
    """A figure has one truth."""
    names = [result["name"] for result in kept()]

    assert sorted(set(names)) == sorted(names)


# The marks themselves.


def test_a_wrong_figure_is_told_with_its_place():
    """Line, key, what is said, and what is true, in as many decimals."""
    page = "One\n\n0.31<!-- bench: a; ratio -->× or 7<!-- bench: old; x --> or 2<!-- bench: b -->\n"

    assert ["line 3: a; ratio: 0.31 is 0.25"] == list(map(str, wrong(page, RESULTS)))
    assert "1,235<!-- bench: a -->" == renewed("9<!-- bench: a -->", RESULTS)
    assert "0.3<!-- bench: a; ratio -->" == renewed("9.9<!-- bench: a; ratio -->", RESULTS)


def test_of_several_measures_the_least_or_the_most():
    """A name with a star needs to be told which."""
    assert (2.0, 1234.5) == (measured("*; min value", RESULTS), measured("*; max value", RESULTS))
    with pytest.raises(KeyError, match="2 of"):
        measured("*; value", RESULTS)


@pytest.mark.parametrize("key", ["c", "a; speed", "a; once"])
def test_a_figure_of_nothing_is_wrong(key):
    """A mark whose measure is gone, or that is no number."""
    assert ["0 of"] == [found.true[23:27] for found in wrong(f"1<!-- bench: {key} -->", RESULTS)]
    assert [key] == [found.key for found in wrong(f"<!-- bench: {key} -->", RESULTS)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It takes 5 ms, or 5<!-- bench: b --> ms.", ["5 ms"]),
        ("0.44× so far, 3 µs and 12 MiB", ["0.44×", "3 µs", "12 MiB"]),
        ("2,400 moves a second, 14.4 %, twelve", ["2,400 moves a second", "14.4 %"]),
        ("costs two microseconds\nand 3.1 of it", ["two microseconds", "3.1"]),
        ("1.5 times, 90 seconds", ["1.5 times", "90 seconds"]),
        ("`5 ms`, Python 3.11 to 3.14, R 5.3.1, [x](a-5 s), 12 bytes", []),
        ("```\n5 ms\n```\n\n    5 ms\n<!-- 5 ms -->", []),
    ],
)  # fmt: skip
def test_what_looks_measured(text, found):
    """A number with a unit in prose, and every decimal fraction."""
    assert found == [said for _, said in unmarked(text)]
