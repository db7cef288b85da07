"""The maps in the terminal tell the truth: read back from what is printed, and compared.

Every region is once on the pages; what touches is a neighbour or has a barrier between; and who is
neighbours touches or is named. Of what stands in the regions tells `test_map_figures`.
"""

from __future__ import annotations

import math
import re
from functools import cache

import pytest

from bree.cli.boards import drawing_of
from bree.cli.boards.confrontation_facts import BESIDE, FORWARD, REGIONS, SIDEWAYS
from services import GAMES
from tests.cli.drawn_maps import LANDS, opening, pages, positions, printed
from tests.cli.terminal import ROOT

KINDS = {"land": "open", "bridge": "bridge"}


@cache
def opening_pages(game):
    return [page for _, page in pages(game, opening(game))]


def truth(game):
    """What lies between any two regions, as the rules have it: neighbours, and barriers."""
    view = opening(game)
    if game == "warofthering":
        names = [region["name"] for region in view["map"]["regions"]]
        return tuple(
            {
                frozenset((region["name"], names[other])): kind
                for region in view["map"]["regions"]
                for other in region[key]
            }
            for key, kind in (("borders", "open"), ("barriers", "mountains"))
        )
    if game == "duel":
        names = LANDS[game].atlas.names
        near = {
            frozenset((names[region["region"]], names[other])): "open"
            for region in view["regions"]
            for other in region["borders"]
        }
        return near, {}
    names = {land["territory"]: land["name"] for land in view["map"]["territories"]}
    near = {
        frozenset((names[road["a"]], names[road["b"]])): KINDS.get(road["via"], "sea")
        for road in view["map"]["roads"]
    }
    shut = {
        frozenset(names[key] for key in pair): border.value
        for pair, border in LANDS[game].barriers.items()
    }
    return near, shut


@pytest.mark.parametrize("game", LANDS)
def test_every_region_is_once_on_the_pages(game):
    """And whoever lies beyond a page's edge is where its arrow points."""
    drawn = opening_pages(game)
    own = [name for page in drawn for name in page.own]

    assert sorted(own) == sorted(LANDS[game].atlas.names.values())
    for page in drawn:
        for name, number in page.beyond.items():
            assert name in drawn[number - 1].own, name


@pytest.mark.parametrize("game", LANDS)
def test_what_touches_is_a_neighbour_or_is_barred_and_drawn_so(game):
    near, shut = truth(game)

    assert not near.keys() & shut.keys()
    for page in opening_pages(game):
        for pair, drawn in page.borders().items():
            if not pair & page.own.keys():
                continue
            told = {**shut, **near}[pair]
            allowed = {"bridge", "river"} if told == "bridge" else {told}
            assert drawn <= allowed, (pair, drawn)
            assert told in drawn, (pair, drawn)


@pytest.mark.parametrize("game", LANDS)
def test_all_neighbours_touch_or_are_named_below(game):
    """On the page of each of the two."""
    near, _ = truth(game)
    for page in opening_pages(game):
        touching, below = page.borders(), " ".join(page.below)
        for pair, kind in near.items():
            for name in pair & page.own.keys():
                (other,) = pair - {name}
                if kind == "sea":
                    assert re.search(rf"{name} ~ by sea to [^~]*{other}", below), pair
                else:
                    assert pair in touching, pair


@pytest.mark.parametrize("game", ["risk", "warofthering"])
def test_every_barrier_is_drawn(game):
    """On one page at least, and on each that has both regions."""
    _, shut = truth(game)
    drawn = [page.borders() for page in opening_pages(game)]

    for pair in shut:
        assert any(pair in borders for borders in drawn), pair


def test_mountains_of_risk_run_along_a_printed_range():
    ranges = [set(one["territories"]) for one in opening("risk")["map"]["mountains"]]

    for pair, border in LANDS["risk"].barriers.items():
        if border.value == "mountains":
            assert any(pair <= one for one in ranges), pair


@pytest.mark.parametrize("game", ["risk", "warofthering"])
def test_regions_lie_where_they_lie_on_the_board(game):
    """Each to that side of its neighbours on which it is."""
    view = opening(game)["map"]
    points = {one["name"]: (one["x"], one["y"]) for one in view.get("territories", view["regions"])}
    for page in opening_pages(game):
        for one, other in map(sorted, page.borders()):
            if {one, other} <= page.own.keys():
                turned = turn(page.middle(one), page.middle(other), points[one], points[other])
                assert turned < 95, (one, other, turned)


def turn(drawn_one, drawn_other, one, other):
    """By how many degrees a direction is drawn otherwise than it is."""
    drawn = math.atan2(drawn_other[1] - drawn_one[1], drawn_other[0] - drawn_one[0])
    true = math.atan2(other[1] - one[1], other[0] - one[0])
    return abs((math.degrees(drawn - true) + 180) % 360 - 180)


@pytest.mark.parametrize("game", LANDS)
def test_no_line_is_wider_than_the_page_and_no_page_much_longer_than_a_screen(game):
    for page in opening_pages(game):
        assert {79} == {len(line) for line in page.lines}
        assert 45 >= len(page.lines)


# The Confrontation, whose board is its map.


def test_regions_of_the_confrontation_touch_where_a_step_leads():
    """Each row lies on the next as forward steps lead, and what is shut is drawn thick."""
    (drawn,) = drawing_of("confrontation").pages(opening("confrontation"), "")
    lines = printed(drawn)
    names = {region.name: key for key, region in REGIONS.items()}
    boxes = {}
    for y, line in enumerate(lines):
        for found in re.finditer(r"╭ ▲?([A-Z][A-Za-z ]+?) ─*╮", line):
            bottom = next(n for n in range(y + 1, len(lines)) if lines[n][found.start()] == "╰")
            boxes[names[found[1]]] = (found.start(), found.end() - 1, y, bottom)

    assert boxes.keys() == REGIONS.keys()
    for one, (left, right, top, bottom) in boxes.items():
        above = {
            key for key, box in boxes.items()
            if box[3] == top - 1 and box[0] < right and box[1] > left
        }  # fmt: skip
        assert above == set(FORWARD["good"][one])
        beside = {key: box for key, box in boxes.items() if box[2] == top and box[0] == right + 2}
        for other in beside:
            signs = {lines[y][right + 1] for y in range(top + 1, bottom)}
            assert other in BESIDE[one]
            assert ({"┃"} == signs) is (other not in SIDEWAYS[one])


def test_the_map_of_the_confrontation_is_that_of_its_board():
    drawing = drawing_of("confrontation")
    for view in positions("confrontation"):
        (page,) = drawing.pages(view, "")
        board = printed(drawing.draw(view))
        drawn = printed(page)[:-2]

        assert [line.rstrip() for line in drawn] == [line.rstrip() for line in board[: len(drawn)]]


def test_the_example_in_the_guide_is_what_is_drawn():
    """Line for line, from the page that it names."""
    guide = (ROOT / "docs/terminal.md").read_text("utf-8")
    example = re.search(r"`map gondor`.*?```text\n(.*?)```", guide, re.DOTALL)[1]
    (page,) = drawing_of("warofthering").pages(opening("warofthering"), "gondor")

    assert example in "".join(f"{line.rstrip()}\n" for line in printed(page))


# Words.


@pytest.mark.parametrize(
    ("game", "words", "parts"),
    [
        ("warofthering", "gondor", ["Gondor and Harad"]),
        ("warofthering", "2", ["The Misty Mountains"]),
        ("warofthering", "minas tirith", ["Gondor and Harad"]),
        ("warofthering", "LORIEN", ["Mirkwood and the Anduin"]),
        ("warofthering", "barad_dur", ["Mordor and the Brown Lands"]),
        ("warofthering", "mordor", ["Mordor and the Brown Lands"]),
        ("warofthering", "fords isen", ["Rohan and Isengard"]),
        ("warofthering", "misty", ["The Misty Mountains"]),
        ("warofthering", "8", []),
        ("warofthering", "0", []),
        ("warofthering", "numenor", []),
        ("risk", "rhun", ["Rhovanion, Mirkwood and Rhûn"]),
        ("risk", "shire", ["Eriador and Arnor"]),
        ("risk", "haradwaith", ["Mordor and Haradwaith"]),
        ("duel", "rohan", ["Middle-earth"]),
        ("duel", "1", ["Middle-earth"]),
    ],
)
def test_a_page_is_found_by_its_number_its_name_and_its_regions(game, words, parts):
    found = drawing_of(game).pages(opening(game), words)

    assert parts == [re.split(r"  ", printed(page)[0])[0] for page in found]


def test_words_that_several_pages_have_are_answered_by_which():
    text = "\n".join(
        line for page in drawing_of("warofthering").pages(opening("warofthering"), "minas")
        for line in printed(page)
    )  # fmt: skip

    assert "map 5  Mordor and the Brown Lands: Minas Morgul" in text
    assert "map 7  Gondor and Harad: Minas Tirith" in text


def test_a_region_without_room_says_so_and_is_told_below():
    """A host of every nation, which no region's box holds."""
    names = ("isengard", "sauron", "southrons", "rohan", "north", "elves")
    nations = [{"nation": name, "regulars": 5, "elites": 5, "leaders": 4} for name in names]
    figures = {"nations": nations, "nazgul": 8, "characters": ["witch_king", "saruman"]}
    army = {"region": "minas_tirith", "garrison": False, "side": "shadow", "figures": figures}
    view = {**opening("warofthering"), "armies": [{**army, "mixed": False}]}
    page = [page for _, page in pages("warofthering", view)][6]

    assert "…" in page.own["Minas Tirith"]
    assert "Is 5/5 L4 Sa 5/5 L4 So 5/5 L4 Ro 5/5 L4" in page.told("Minas Tirith")
    assert page.told("Minas Tirith").endswith("El 5/5 L4 N8 Witch-king Saruman")


@pytest.mark.parametrize("game", GAMES)
def test_about_tells_of_every_region_what_is_beside_it(game):
    """By name, by id, and without accents."""
    drawing, view = drawing_of(game), opening(game)
    names = {key: one.name for key, one in REGIONS.items()} if game == "confrontation" else (
        LANDS[game].atlas.names
    )  # fmt: skip
    for key, name in names.items():
        for words in (key, name, name.upper()):
            told = [text for title, text in drawing.about(view, words) if title.startswith(name)]
            assert told, words
            for other in near_of(game, key):
                assert names[other] in told[0], (words, other)


def near_of(game, key):
    if game == "confrontation":
        return {*FORWARD["good"][key], *FORWARD["dark"][key], *BESIDE[key]}
    return {*LANDS[game].near(key), *LANDS[game].barred(key)}


@pytest.mark.parametrize("game", GAMES)
def test_the_legend_explains_every_sign(game):
    """Whatever is neither a letter nor a figure, on the board and on all pages."""
    drawing = drawing_of(game)
    told = "".join(sign + meaning for sign, meaning in drawing.legend())
    for view in positions(game):
        drawn = [drawing.draw(view), *drawing.pages(view, ""), *drawing.pages(view, "all")]
        signs = {sign for one in drawn for line in printed(one) for sign in line}
        unknown = {sign for sign in signs if not sign.isalnum() and sign not in told}

        assert set() == unknown - ORDINARY


CORNERS = {chr(sign) for sign in range(0x2500, 0x2580)}
ORDINARY = {*" ·.,:;'’()[]+-–/&!?%", *CORNERS} - {"┃", "━", "═", "║", "┆", "┄"}
"""What needs no telling."""
