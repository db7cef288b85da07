"""War of the Ring's map in a terminal: all 105 regions, their borders, and who is where."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from bree.cli.boards.atlas import Part
from bree.cli.boards.cells import Border
from bree.cli.boards.pages import Entry, Land, Told, key_to, overview, page, pages, ways
from bree.cli.boards.warofthering_facts import (
    ATLAS,
    BARRIERS,
    CODE,
    COLOUR,
    MARK,
    NATION_SHORT,
    REGIONS,
    ROADS,
    SEAT,
    SIDES,
    STEPS,
    TITLE,
    View,
)
from bree.cli.boards.warofthering_figures import force_words, presence

LAND = Land(
    ATLAS,
    {frozenset(road): Border.OPEN for road in ROADS},
    {frozenset(pair): Border.BARRED for pair in BARRIERS},
)


def drawn(view: View, words: str) -> list[RenderableType]:
    """The pages that these words name; without words, how they lie in the world."""
    return pages(
        LAND,
        words,
        lambda part: _page(view, part),
        lambda: overview(ATLAS, lambda part: _sum(view, part)),
    )


# A page.


def _page(view: View, part: Part) -> Group:
    printed = {region["region"]: region for region in view["map"]["regions"]}
    control = {one["region"]: one for one in view["settlements"]}

    def entry(key: str) -> Entry:
        return _entry(view, printed[key], control.get(key))

    return page(LAND, part, entry, _track(view, part))


def _entry(view: View, region: View, settlement: View | None) -> Entry:
    """A region: its settlement's mark and name, its nation, who has taken it, who is there."""
    here = presence(view, region["region"])
    style = COLOUR[settlement["controller"]] if settlement else ""
    words = [Text(f"({CODE[region['nation']]})", "dim")] if region["nation"] else []
    if settlement and is_conquered(settlement):
        words.append(Text(f"taken by {TITLE[settlement['controller']]}", f"bold {style}"))
    name = Text(region["name"], f"bold {style}".strip() if here else style)
    return Entry(name, _broken([*words, *here]), MARK[region["settlement"]].strip())


def _broken(words: Sequence[Text]) -> list[Text]:
    """Words that may be broken where they have blanks, so that they fit a narrow region."""
    return [part for word in words for part in (word.split(" ") if len(word) > _LONG else [word])]


_LONG = 11
"""What is longer than the narrowest region is wide."""


def is_conquered(settlement: View | None) -> bool:
    """Whether a settlement is not in the hands of its own side."""
    return settlement is not None and settlement["controller"] != settlement["owner"]


def _track(view: View, part: Part) -> list[Text]:
    """The Fellowship within Mordor, below the page on which Mordor is."""
    step = view["fellowship"]["mordor"]
    if step is None or "gorgoroth" not in part.own:
        return []
    steps = " ".join(f"[{name}]" if n == step else name for n, name in enumerate(STEPS))
    return [Text(f"◎ The Fellowship is on the Mordor Track: {steps}", "bold yellow")]


def _sum(view: View, part: Part) -> Entry:
    """What is in a part of the world, in numbers."""
    words = []
    for side in SIDES:
        armies = [army for army in view["armies"] if army["side"] == side]
        units = sum(_units(army) for army in armies if army["region"] in part.own)
        words.append(Text(f"{TITLE[side].split(' ', maxsplit=1)[0]} {units}", COLOUR[side]))
    ring = view["fellowship"]
    if ring["region"] in part.own or _track(view, part):
        words.append(Text("◎", "bold yellow"))
    return Entry(Text(part.name), words)


def _units(army: View) -> int:
    return sum(one["regulars"] + one["elites"] for one in army["figures"]["nations"])


# In words.


def about(view: View, words: str) -> list[Told]:
    """The regions that these words name: what they are, who is there, what is beside them."""
    return [_told(view, key) for key in ATLAS.regions(words)]


def _told(view: View, key: str) -> Told:
    region = next(one for one in view["map"]["regions"] if one["region"] == key)
    settlement = next((one for one in view["settlements"] if one["region"] == key), None)
    kinds = [NATION_SHORT.get(region["nation"], "no nation")]
    if region["settlement"]:
        kinds.append(region["settlement"].capitalize())
    sentences = [_held(region, settlement)] if settlement else []
    here = [army for army in view["armies"] if army["region"] == key]
    for army in sorted(here, key=lambda army: not army["garrison"]):
        where = "Besieged in it" if army["garrison"] else "There"
        mixed = f" ({SEAT[army['commander']]} leads)" if army["mixed"] else ""
        sentences.append(f"{where}: {force_words(army['figures'])}{mixed}.")
    if view["fellowship"]["region"] == key:
        sentences.append("The Fellowship was last seen there." if view["fellowship"]["hidden"]
                         else "The Fellowship is there.")  # fmt: skip
    words = " ".join([*sentences, ways(LAND, key), f"Map {ATLAS.part_of(key).number}."])
    return f"{REGIONS[key]} ({', '.join(kinds)})", words


def _held(region: View, settlement: View) -> str:
    points = {0: "", 1: ", 1 point"}.get(region["points"], f", {region['points']} points")
    holder = TITLE[settlement["controller"]]
    how = "taken by" if is_conquered(settlement) else "held by"
    return f"{how.capitalize()} the {holder}{points}."


def legend() -> list[Told]:
    """All signs of the drawing and of the map."""
    codes = ", ".join(f"{code} {NATION_SHORT[nation]}" for nation, code in CODE.items())
    return [
        ("■ ▲ ● ‡", "a Stronghold (2 points), a City (1 point), a Town, a Fortification"),
        ("(Go)", "after a region's name: the nation within whose border it lies"),
        ("Go 3/1 L2", f"an army: its nation, 3 Regulars, 1 Elite, 2 Leaders ({codes})"),
        ("N2", "2 Nazgûl"),
        ("[Go 2/0]", "shut in a Stronghold and besieged by those who are named next"),
        ("mixed", "an army of two team-mates, and who leads it"),
        ("◎", "the Fellowship where it was last seen"),
        ("1: Free 9", "on the map of the whole: a page, and how many units of a side are there"),
        *key_to(LAND),
        ("3 1r×2 Eye", "Hunt tiles in the pool: the damage, `r` if it reveals, how many of these"),
        ("◦", "an Elven Ring that can still be used"),
        ("[2]", "on the Mordor Track: the Fellowship's step"),
    ]
