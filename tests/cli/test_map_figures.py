"""What stands on the maps in the terminal is what the view says, in positions of recorded games."""

from __future__ import annotations

import re

import pytest

from bree.cli.boards import drawing_of
from bree.cli.boards.duel_facts import REGIONS, TILES
from bree.cli.boards.warofthering_facts import CODE, TITLE, WHO
from tests.cli.drawn_maps import LANDS, Page, opening, pages, positions

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
            told = page.told(REGIONS[region["region"]])
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
