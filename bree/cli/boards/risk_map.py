"""The map of Risk in a terminal: all territories, who holds them, rivers, mountains and bridges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from bree.cli.boards.atlas import Part
from bree.cli.boards.boxes import flow
from bree.cli.boards.cells import Border
from bree.cli.boards.names import fits, named
from bree.cli.boards.pages import WIDTH, Entry, Land, Told, key_to, overview, page, pages, ways
from bree.cli.boards.risk_facts import (
    ATLAS,
    MARKS,
    MOUNTAINS,
    RIVERS,
    ROADS,
    STYLE,
    SYMBOLS,
    View,
)

_WAYS: Mapping[str, Border] = {"land": Border.OPEN, "bridge": Border.BRIDGE, "sea": Border.NONE}
LAND = Land(
    ATLAS,
    {frozenset((one, other)): _WAYS[via] for one, other, via in ROADS},
    {frozenset(pair): Border.BARRED for pair in MOUNTAINS}
    | {frozenset(pair): Border.RIVER for pair in RIVERS},
)
_STEP, _DIE_STEP = "◦", "•"


def drawn(view: View, words: str) -> list[RenderableType]:
    """The pages that these words name; without words, how they lie in the world."""
    return pages(
        LAND,
        words,
        lambda part: _page(view, part),
        lambda: overview(ATLAS, lambda part: _sum(view, part)),
    )


def letter(holder: str | None) -> str:
    """An army in one letter; what nobody holds is a dot."""
    return (holder or "·")[0].upper()


# A page.


def _page(view: View, part: Part) -> Group:
    names = {land["territory"]: land for land in view["map"]["territories"]}
    held = {land["territory"]: land for land in view["territories"]}
    regions = {region["region"]: region for region in view["map"]["regions"]}
    also = [line for key in _regions(part, names) for line in _bonus(view, regions[key], held)]
    return page(LAND, part, lambda key: _entry(view, names[key], held[key]), also)


def _entry(view: View, printed: View, land: View) -> Entry:
    style = STYLE[land["holder"]]
    leader = "★" if land["leader"] else ""
    words = [Text(f"{letter(land['holder'])} {land['battalions']}{leader}", style)]
    words += [Text(word, "bold yellow") for word in _on_the_path(view, land["territory"])]
    if _is_fought_over(view, land["territory"]):
        words.append(Text("⚔", "bold"))
    words.append(Text(f"({_short(view, printed['region'])})", "dim"))
    return Entry(Text(printed["name"], "bold"), words, MARKS[land["place"]])


def _on_the_path(view: View, territory: str) -> list[str]:
    """The Fellowship's steps in a territory, and the Ring where it is."""
    found = []
    for number, step in enumerate(view["map"]["path"], 1):
        if step["territory"] == territory:
            found.append(f"{_DIE_STEP if step['die'] else _STEP}{number}")
            found += ["◎"] * (number == view["ring"])
    return found


def _is_fought_over(view: View, territory: str) -> bool:
    invasion = view["invasion"]
    return bool(invasion) and territory in (invasion["from"], invasion["to"])


def _short(view: View, key: str) -> str:
    """A region in three letters; no two have the same."""
    name = next(one["name"] for one in view["map"]["regions"] if one["region"] == key)
    return str(name[:3])


def _regions(part: Part, names: Mapping[str, View]) -> list[str]:
    """The regions of which a page has territories, in their order on it."""
    return list(dict.fromkeys(names[key]["region"] for key in part.own))


def _bonus(view: View, region: View, held: Mapping[str, View]) -> list[Text]:
    """A region's bonus, and how many of its territories each army has."""
    counts = Counter(held[key]["holder"] for key in region["territories"])
    seats = [player["seat"] for player in view["players"]]
    armies = sorted(counts, key=lambda army: seats.index(army) if army in seats else len(seats))
    parts = [Text(f"{_called(army)} {counts[army]}", STYLE[army]) for army in armies]
    name = f"{region['name']} ({_short(view, region['region'])})"
    head = Text(f"{name} +{region['bonus']} for all {len(region['territories'])}:")
    return flow([head, *parts], WIDTH, between="  ")


def _called(army: str | None) -> str:
    return army.capitalize() if army else "unclaimed"


def _sum(view: View, part: Part) -> Entry:
    """What each army has in a part of the world."""
    held = [land for land in view["territories"] if land["territory"] in part.own]
    battalions: Counter[str | None] = Counter()
    for land in held:
        battalions[land["holder"]] += land["battalions"]
    counts = Counter(land["holder"] for land in held)
    told = [(f"{letter(army)} {battalions[army]} in {n}", army) for army, n in counts.most_common()]
    words = [Text(f"{text},", STYLE[army]) for text, army in told[:-1]]
    words += [Text(text, STYLE[army]) for text, army in told[-1:]]
    if view["map"]["path"][view["ring"] - 1]["territory"] in part.own:
        words.append(Text("◎", "bold yellow"))
    return Entry(Text(part.name), words)


# In words.


def about(view: View, words: str) -> list[Told]:
    """The regions, territories and places that these words name."""
    territories = view["map"]["territories"]
    meant = named(words, [*view["map"]["regions"], *territories], _names)
    more = [land for land in territories if land not in meant and fits(words, *_names(land))]
    return [
        _told_land(view, one) if "territory" in one else _told_region(view, one)
        for one in (*meant, *more)
    ]


def _names(one: View) -> Sequence[str]:
    """What a territory is called, by its place too; or what a region is."""
    key = one.get("territory", one["region"])
    return [one["name"], key, one.get("place_name") or one["name"]]


def _told_region(view: View, region: View) -> Told:
    names = {land["territory"]: land["name"] for land in view["map"]["territories"]}
    held = {land["territory"]: land["holder"] for land in view["territories"]}
    sentences = [f"{region['bonus']} battalions a turn to who holds all of it."]
    for army in sorted({held[key] for key in region["territories"]}, key=str):
        lands = [names[key] for key in region["territories"] if held[key] == army]
        sentences.append(f"{_called(army).capitalize()}: {', '.join(lands)}.")
    return f"{region['name']} (region)", " ".join(sentences)


def _told_land(view: View, printed: View) -> Told:
    key = printed["territory"]
    regions = {region["region"]: region["name"] for region in view["map"]["regions"]}
    land = next(one for one in view["territories"] if one["territory"] == key)
    place = land["place"].replace("_", " ") if land["place"] else ""
    sentences = [f"{printed['place_name']}, a {place}."] if place else []
    sentences.append(_holding(land))
    path = _on_the_path(view, key)
    if path:
        steps = [f"step {word[1:]}" for word in path if word != "◎"]
        here = "; the Ring is here" if "◎" in path else ""
        sentences.append(f"On the Fellowship's path: {', '.join(steps)}{here}.")
    sentences += [ways(LAND, key), f"On its card: {SYMBOLS[printed['symbol']]}."]
    sentences.append(f"Map {ATLAS.part_of(key).number}.")
    return f"{printed['name']} ({regions[printed['region']]})", " ".join(sentences)


def _holding(land: View) -> str:
    count = land["battalions"]
    army = f"{count} battalion{'s' * (count != 1)}" + (" and a Leader" if land["leader"] else "")
    return f"{_called(land['holder']).capitalize()}: {army}." if land["holder"] else "Unclaimed."


def legend() -> list[Told]:
    """All signs of the drawing and of the map."""
    return [
        ("Y R G B N", "the armies: Yellow, Red, Green, Black, and the neutral one"),
        ("Y 12★ ·", "12 battalions of Yellow's with a Leader; a territory that nobody has claimed"),
        ("■ ○", "a stronghold, a site of power"),
        ("◎", "the Ring"),
        ("◦6 •9", "steps of the Fellowship's path; a black one is left only by a roll"),
        ("⚔", "where an invasion comes from and goes to"),
        ("(Arn)", "the region to which a territory belongs; its bonus stands below the map"),
        ("Arnor +7", "the battalions that a whole region brings each turn"),
        (
            "Y 9 in 4",
            "on the map of the whole: so many battalions in so many territories of a page",
        ),
        *key_to(LAND),
        ("▶", "whose turn it is"),
        ("3T 2A", "Territory cards and Adventure cards in a hand"),
        ("9 points (4+2+0+3)", "for territories, strongholds, regions and cards"),
    ]
