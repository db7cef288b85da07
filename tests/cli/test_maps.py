"""The maps in the terminal tell the truth: read back from what is printed, and compared.

Every region is once on the pages; what touches is a neighbour or has a barrier between; who is
neighbours touches or is named; and what stands in a region is what the view says.
"""

from __future__ import annotations

import math
import re
from functools import cache

import pytest

from bree.cli.boards import drawing_of, duel_map, risk_map, warofthering_map
from bree.cli.boards.confrontation_facts import BESIDE, FORWARD, REGIONS, SIDEWAYS
from bree.cli.boards.duel_facts import REGIONS as REGIONS_OF_DUEL
from bree.cli.boards.duel_facts import TILES
from bree.cli.boards.warofthering_facts import CODE, TITLE, WHO
from bree.cli.tape import Tape
from services import GAMES, rules_of
from services.core.reading import parse_record
from tests.cli.drawn_maps import Page, printed
from tests.cli.terminal import ROOT
from tests.golden import FOLDER

LANDS = {"duel": duel_map.LAND, "risk": risk_map.LAND, "warofthering": warofthering_map.LAND}
RECORDS = {
    "confrontation": ("manual-1", "deluxe_draft-1"),
    "duel": ("standard-2", "generous-2"),
    "risk": ("four-3", "two-3"),
    "warofthering": ("two-2", "four-2"),
}
POSITIONS = 5  # of each record
KINDS = {"land": "open", "bridge": "bridge"}


def positions(game):
    """Views of recorded games, from the first position to the last, for all viewers in turn."""
    rules = rules_of(game)
    for name in RECORDS[game]:
        record = parse_record((FOLDER / game / f"{name}.record").read_text("utf-8"))
        tape, last = Tape(record, rules), len(record.entries)
        for number in range(POSITIONS):
            while tape.table.revision < last * number // (POSITIONS - 1):
                tape.play_next()
            viewers = [*range(len(record.seats)), None]
            yield rules.view(tape.table.game, viewers[number % len(viewers)])


def opening(game):
    rules = rules_of(game)
    return rules.view(rules.setup(rules.agree({})), 0)


def pages(game, view):
    """All pages as they are printed, with their parts."""
    atlas = LANDS[game].atlas
    drawn = drawing_of(game).pages(view, "all")
    for part, page in zip(atlas.parts, drawn, strict=True):
        yield part, Page(page, part.cells, atlas.names.values())


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


# What stands there.


def test_what_stands_in_the_regions_of_duel_is_what_the_view_says():
    for view in positions("duel"):
        ((_, page),) = pages("duel", view)
        offered = {tile["landmark"] for tile in view["landmarks"]}
        for region in view["regions"]:
            expected = []
            for side, sign in (("fellowship", "F"), ("sauron", "S")):
                count = region["units"][side]
                expected += [f"{sign}{count}"] * bool(count)
            if region["fortress"]:
                expected.append(f"♜{region['fortress'][0].upper()}")
            for key, tile in TILES.items():
                if tile["effects"][0]["region"] != region["region"]:
                    continue
                for side, sign in (("fellowship", "F"), ("sauron", "S")):
                    if key in view["players"][side]["landmarks"]:
                        expected.append(f"◆{sign} {tile['name']}")
                expected += [f"◇ {tile['name']}"] * (key in offered)
            told = page.told(REGIONS_OF_DUEL[region["region"]])
            assert (" ".join(expected) or "·") == told


def test_what_stands_in_the_territories_of_risk_is_what_the_view_says():
    printed_lands = {one["territory"]: one for one in opening("risk")["map"]["territories"]}
    path = [step["territory"] for step in opening("risk")["map"]["path"]]
    regions = {one["region"]: one["name"] for one in opening("risk")["map"]["regions"]}
    for view in positions("risk"):
        drawn = {name: page for _, page in pages("risk", view) for name in page.own}
        for land in view["territories"]:
            key = land["territory"]
            name, page = printed_lands[key]["name"], drawn[printed_lands[key]["name"]]
            words = page.told(name).split()
            holder, army, *rest = words
            assert (land["holder"] or "·")[0].upper() == holder
            assert f"{land['battalions']}{'★' * land['leader']}" == army
            steps = [int(word[1:]) for word in rest if word[0] in "◦•"]
            assert [n for n, one in enumerate(path, 1) if one == key] == steps
            assert (path[view["ring"] - 1] == key) is ("◎" in rest)
            fought = view["invasion"] and key in (view["invasion"]["from"], view["invasion"]["to"])
            assert bool(fought) is ("⚔" in rest)
            assert f"({regions[printed_lands[key]['region']][:3]})" == rest[-1]
            mark = {"stronghold": "■ ", "site_of_power": "○ ", None: ""}[land["place"]]
            assert page.own[name].startswith(f"{mark}{name.split()[0]}")


def test_who_stands_in_the_regions_of_the_war_is_who_the_view_says():
    for view in positions("warofthering"):
        drawn = {name: page for _, page in pages("warofthering", view) for name in page.own}
        settlements = {one["region"]: one for one in view["settlements"]}
        for region in view["map"]["regions"]:
            key, told = region["region"], drawn[region["name"]].told(region["name"])
            nation, told = re.fullmatch(r"(?:\((\w\w)\) ?)?(.*)", told).groups()
            assert nation == CODE.get(region["nation"]), key
            taken = re.match(r"taken by ([A-Z]\w+(?: Peoples)?) ?", told)
            told = told[taken.end() :] if taken else told
            settled = settlements.get(key)
            lost = settled and settled["owner"] != settled["controller"]
            assert (TITLE[settled["controller"]] if lost else None) == (taken and taken[1]), key
            assert figures_in_view(view, key) == figures_in(told), key
            ring = view["fellowship"]
            state = "hidden" if ring["hidden"] else "revealed"
            assert (ring["region"] == key) is told.endswith(f"◎ Fellowship, {state}"), key
        steps = [line for page in drawn.values() for line in page.below if "Mordor Track" in line]
        assert bool(steps) is (view["fellowship"]["mordor"] is not None)


ARMY = re.compile(rf"\b({'|'.join(CODE.values())})(?: (\d+)/(\d+))?(?: L(\d+))?(?= |\]|$)")


def figures_in(told):
    """The figures that are written in a region: those shut in, and the others."""
    inside, besieged, outside = told.partition("] besieged by")
    if not besieged:
        inside, outside = "", told
    outside = re.sub(r"\(mixed, [^)]*\)|◎ .*", "", outside)
    return tuple(figures_of(part.strip("[ ")) for part in (inside, outside))


def figures_of(text):
    nations = {one[1]: tuple(int(n or 0) for n in one.groups()[1:]) for one in ARMY.finditer(text)}
    rest = ARMY.sub("", text)
    nazgul = sum(int(n) for n in re.findall(r"\bN(\d+)", rest))
    rest = re.sub(r"\bN\d+", "", rest)
    who = set()
    for name in sorted(WHO.values(), key=len, reverse=True):
        if name in rest:
            who.add(name)
            rest = rest.replace(name, "", 1)
    assert not rest.strip(), rest
    return nations, nazgul, who


def figures_in_view(view, region):
    found = []
    for garrison in (True, False):
        nations, nazgul, who = {}, 0, set()
        for army in view["armies"]:
            if (army["region"], army["garrison"]) != (region, garrison):
                continue
            for one in army["figures"]["nations"]:
                counts = (one["regulars"], one["elites"], one["leaders"])
                nations[CODE[one["nation"]]] = counts
            nazgul += army["figures"]["nazgul"]
            who |= {WHO[key] for key in army["figures"]["characters"]}
        found.append((nations, nazgul, who))
    return tuple(found)


# The whole.


@pytest.mark.parametrize("game", ["risk", "warofthering"])
def test_the_whole_shows_how_the_pages_lie(game):
    """What touches there is joined by some border, and what stands in the parts is added up."""
    land = LANDS[game]
    names = {f"{part.number} {part.name}": part for part in land.atlas.parts}
    page_of = {key: part.number for part in land.atlas.parts for key in part.own}
    joined = {
        frozenset(page_of[key] for key in pair)
        for pair, way in land.borders.items()
        if way.value != "none" and len({page_of[key] for key in pair}) == 2
    }
    for view in positions(game):
        (drawn,) = drawing_of(game).pages(view, "")
        whole = Page(drawn, land.atlas.whole, names, above=0)
        assert joined == {frozenset(names[one].number for one in pair) for pair in whole.borders()}
        for name, part in names.items():
            assert SUMS[game](view, part.own) == sorted(words_of(whole.told(name)))


def words_of(told):
    return re.split(r",? (?=[A-Z◎·])", told)


def sum_of_risk(view, keys):
    found = {}
    for land in view["territories"]:
        if land["territory"] in keys:
            sign = (land["holder"] or "·")[0].upper()
            battalions, count = found.get(sign, (0, 0))
            found[sign] = battalions + land["battalions"], count + 1
    ring = view["map"]["path"][view["ring"] - 1]["territory"] in keys
    words = [f"{sign} {battalions} in {count}" for sign, (battalions, count) in found.items()]
    return sorted([*words, *["◎"] * ring])


def sum_of_the_war(view, keys):
    units = {"free": 0, "shadow": 0}
    for army in view["armies"]:
        if army["region"] in keys:
            counts = (one["regulars"] + one["elites"] for one in army["figures"]["nations"])
            units[army["side"]] += sum(counts)
    ring = view["fellowship"]
    is_there = ring["region"] in keys or (ring["mordor"] is not None and "gorgoroth" in keys)
    return sorted([f"Free {units['free']}", f"Shadow {units['shadow']}", *["◎"] * is_there])


SUMS = {"risk": sum_of_risk, "warofthering": sum_of_the_war}


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
