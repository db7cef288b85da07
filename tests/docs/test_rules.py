"""The rules of each game are in the repository: whatever cites them finds them there.

A *place* is a number on `docs/rules/<game>.md`: of a heading (`## 6. Title`, `### 6.3 Title`) or of
a paragraph or item that begins with it (`**7.1.**`, `- **H9.**`, `* **14.2** `). A *ruling* is a
numbered item, or row, of `services/<game>/RULINGS.md`. They are cited in the comments and
docstrings of the game's code and tests, in the titles and comments of its cases, and in its
rulings, in these forms and no others:

    RULES 6.2, 9.3 and R16     after this word, a list of places
    (7.1, D13), (B5; 13.3)     in brackets of their own, a list of places; rulings may follow it
    H9, B10 to B12, B5-B7      a capital and a number stand for a place wherever they stand
    case   23.6 three dice     a list of places at the beginning of a case's title
    "... or in box 3 (D01)."   one code in brackets at the end of any text in code, as of an option
    Ruling 4, RULINGS 3 and 7  a list of rulings; ruling R-09, and R-09 alone, are rulings too

`to` and a dash between two numbers stand for all between. Other numbers are numbers.
"""

from __future__ import annotations

import json
import re

import pytest

from services import rules_of
from tests.docs.citations import (
    GAMES,
    ROOT,
    citations,
    cited,
    of_python,
    places,
    rulings,
    sections,
)


def page_of(game):
    return (ROOT / "docs" / "rules" / f"{game}.md").read_text(encoding="utf-8")


def rulings_of(game):
    return rulings((ROOT / "services" / game / "RULINGS.md").read_text(encoding="utf-8"))


def test_every_game_has_its_page():
    """Each game that has rulings has rules, and no other page pretends to."""
    games = {path.parent.name for path in ROOT.glob("services/*/RULINGS.md")}

    assert games == set(GAMES)
    assert games == {path.stem for path in (ROOT / "docs" / "rules").glob("*.md")}


@pytest.mark.parametrize("game", GAMES)
def test_each_citation_of_the_rules_finds_its_place(game):
    """Somebody who reads a number can look it up."""
    known = places(page_of(game))

    assert "" == "\n".join(
        str(c) for c in citations(game) if not c.is_ruling and c.place not in known
    )


@pytest.mark.parametrize("game", GAMES)
def test_each_citation_of_a_ruling_finds_it(game):
    """So it is with rulings."""
    known = rulings_of(game)

    assert "" == "\n".join(str(c) for c in citations(game) if c.is_ruling and c.place not in known)


@pytest.mark.parametrize("game", GAMES)
def test_each_section_is_cited(game):
    """What nothing cites is not shown by anything: itself or a place in it has its code or case."""
    used = {c.place for c in citations(game) if not c.is_ruling}

    assert "" == " ".join(
        name for name, within in sections(page_of(game)).items() if not used & set(within)
    )


@pytest.mark.parametrize("game", GAMES)
def test_a_page_cites_what_there_is(game):
    """Codes, numbers with a dot, and rulings on a page are on the page, or in the rulings."""
    page, known = page_of(game), rulings_of(game)
    own = places(page)
    found = [(page.count("\n", 0, at) + 1, place, ruled) for at, place, ruled in cited(page)]

    assert "" == "\n".join(
        f"line {line}: {place}"
        for line, place, ruled in found
        if place not in (known if ruled else own) and (ruled or not place.isdecimal())
    )


def data_of(game, name):
    return json.loads((ROOT / "services" / game / "data" / name).read_text(encoding="utf-8"))


def neighbours_on(page):
    """By the first column, what the last one lists, of all tables that say what is adjacent."""
    found, is_map = {}, False
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        is_map = cells[-1] == "adjacent to" or (is_map and line.startswith("|"))
        if is_map:
            found[cells[0]] = set(re.sub(r" \([^)]*\)", "", cells[-1]).split(", "))
    return found


def test_the_map_of_risk_is_that_of_the_data():
    """Who is adjacent to whom, and how, can be read off the page."""
    data, told = data_of("risk", "map.json"), neighbours_on(page_of("risk"))
    names = {t["id"]: t["name"] for t in data["territories"]}
    edges = [(names[e["a"]], names[e["b"]]) for e in data["edges"]]

    for name in names.values():
        assert told[name] == {a for a, b in edges if b == name} | {b for a, b in edges if a == name}
    assert page_of("risk").count(" (over a bridge)") == 2 * len(data["bridges"])
    assert page_of("risk").count(" (by sea)") == 2 * len(data["sea_routes"])


def test_the_map_of_war_of_the_ring_is_that_of_the_data():
    """All borders that can be crossed."""
    regions = data_of("warofthering", "regions.json")["regions"]
    names = {region["id"]: region["name"] for region in regions}
    told = neighbours_on(page_of("warofthering"))

    for region in regions:
        assert told[region["name"]] == {names[near] for near in region["adjacent"]}


@pytest.mark.parametrize(
    ("game", "name", "lists"),
    [
        ("risk", "adventure_cards.json", ("cards",)),
        ("warofthering", "cards.json", ("cards", "combats")),
    ],
)
def test_each_card_is_in_a_table(game, name, lists):
    """A card's row begins with its name, or with its number and its name."""
    rows = re.findall(r"^\| (?:\d+ \| )?([^|]+) \|", page_of(game), re.MULTILINE)
    data = data_of(game, name)
    cards = {card.get("title") or card["name"] for key in lists for card in data[key]}

    assert set() == cards - set(rows)


@pytest.mark.parametrize("kind", ["cards", "combats"])
def test_the_cards_of_war_of_the_ring_read_as_in_the_game(kind):
    """What a card says when it is looked up in the game stands in its row."""
    page = page_of("warofthering")

    assert [] == [
        c["name"] for c in data_of("warofthering", "cards.json")[kind] if c["text"] not in page
    ]


@pytest.mark.parametrize("game", GAMES)
def test_each_option_and_preset_is_on_the_page(game):
    """With every value that is a word."""
    rules, page = rules_of(game), page_of(game)
    told = {*rules.presets, *(option.name for option in rules.options)}
    values = {value for option in rules.options for value in option.values}

    assert set() == {word for word in told | values if not re.search(rf"\b{word}\b", page)}


# What finds citations is tried on texts that have them, have none, and have wrong ones.


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Moving (RULES 7): two", ["7"]),
        ("see RULES 11.2 B1 to B3, 17.1: each", ["11.2", "B1", "B2", "B3", "17.1"]),
        ("RULES 16.1 to 16.3, S13, and 19.2.", ["16.1", "16.2", "16.3", "S13", "19.2"]),
        ("(RULES 14, H10 to\n  H12; 13.3)", ["14", "H10", "H11", "H12", "13.3"]),
        ("battle (RULES 5 B5-B7, 6)", ["5", "B5", "B6", "B7", "6"]),
        ("is out of the game (2).", ["2"]),
        ("by its owner (16.6, D38)", ["16.6", "D38"]),
        ("like H9 and D07, but S05", ["D07", "H9", "S05"]),
        ("(D4, ruling R-31)", ["D4", "Ruling R-31"]),
        ("by RULES 4, RULINGS 4 and 12", ["4", "Ruling 12", "Ruling 4"]),
        ("Rulings 3, 7: as R-09 says", ["Ruling 3", "Ruling 7", "Ruling R-09"]),
        ("5 dice, 2 of 3 hits, a six (or 4.5 on average), 12.6 seconds", []),
        ("in 2002, on 10 of 11; level (2 of them), d6, R2D2, B-52, x7.1", []),
        ("the ruling 2002, RULES.ask(3), RULES and (three 4s)", []),
    ],
)
def test_forms_of_citations(text, found):
    """These are citations, and those are not."""
    said = [f"Ruling {place}" if is_ruling else place for _, place, is_ruling in cited(text)]

    assert sorted(found) == sorted(said)


def test_a_range_stays_within_a_section():
    """`7.1 to 8.2` says nothing certain."""
    with pytest.raises(AssertionError, match=r"7\.1 to 8\.2"):
        list(cited("RULES 7.1 to 8.2"))


def test_what_is_read_of_code():
    """Comments and docstrings, and what ends with a code; other texts and code are not words."""
    code = '"""Doc (1.1)."""\nX = "(2.2) S02"\n# One (RULES 3.3,\n#  4.4).\n'
    code += 'Y = ["It is (D05)."]  # 5.5\n'

    assert [
        (1, "Doc (1.1)."),
        (3, "One (RULES 3.3,\n4.4)."),
        (5, "(D05)."),
        (5, "5.5"),
    ] == sorted(of_python(code))


@pytest.fixture
def project(tmp_path):
    """A project of one game, whose files cite what is there and what is not."""
    files = {
        "services/chess/play/move.py": '"""Moves.\n\nA pawn (1.2), en passant (Ruling 2).\n"""\n',
        "services/chess/RULINGS.md": "# Chess\n\n1. no\n\n## Rulings\n\n1. **Fine** (1.1).\n",
        "tests/games/chess/test_it.py": "X = 3  # a king (RULES 9)\n",
        "tests/cases/chess/pawns.txt": "# Pawns (1.2)\n\ncase   K3, 1.3 a pawn\nthen   9.9\n",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


PAGE = "# Chess\n\n## 1. Moves\n\n**1.1.** Steps.\n\n### 1.2 Pawns\n\n* **K3.** x\n\n## 2. Ends\n"


def test_a_wrong_citation_is_found_where_it_stands(project):
    """The message has the file, the line and the number."""
    known = places(PAGE)
    found = citations("chess", project)

    assert {"1": 3, "1.1": 5, "1.2": 7, "K3": 9, "2": 11} == known
    assert [
        "tests/cases/chess/pawns.txt:3: 1.3",
        "tests/games/chess/test_it.py:1: 9",
    ] == [str(c) for c in found if not c.is_ruling and c.place not in known]
    ruled = rulings((project / "services/chess/RULINGS.md").read_text(encoding="utf-8"))
    assert ["services/chess/play/move.py:3: Ruling 2"] == [
        str(c) for c in found if c.is_ruling and c.place not in ruled
    ]


def test_an_uncited_section_is_found(project):
    """A section is cited if it is, or anything in it."""
    used = {c.place for c in citations("chess", project) if not c.is_ruling}

    assert {"1": ["1", "1.1", "1.2", "K3"], "1.2": ["1.2", "K3"], "2": ["2"]} == sections(PAGE)
    assert ["2"] == [name for name, within in sections(PAGE).items() if not used & set(within)]


def test_a_number_stands_in_one_place():
    """Two paragraphs of one number would make citations of it ambiguous."""
    with pytest.raises(AssertionError, match=r"1\.1 stands in two places, line 13"):
        places(PAGE + "\n**1.1.** Again.\n")
