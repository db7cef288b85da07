"""War of the Ring's table in a terminal, drawn from a view and nothing else.

Design. A map of 105 regions does not fit a terminal, so it is read by parts of Middle-earth, in two
columns: a line for each region in which something stands, something was conquered, or the
Fellowship is. Empty settlements of a part share a line; other regions are on the map alone, of
which each part is a page (`warofthering_map`). An army is its nation, Regulars and Elites: `Go 3/1
L2` is Gondor with 3 Regulars, 1 Elite and 2 Leaders, and `N2` are Nazgûl. A garrison under siege is
in brackets. All is 79 columns wide.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from bree.cli.boards import warofthering_map
from bree.cli.boards.boxes import Lines, beside, block, fit, flow
from bree.cli.boards.names import plain
from bree.cli.boards.warofthering_facts import (
    CAST,
    COLOUR,
    FACE,
    GROUPS,
    MARK,
    NATION_SHORT,
    REGIONS,
    SEAT,
    SIDES,
    TITLE,
    WHO,
)
from bree.cli.boards.warofthering_figures import force_words, presence
from bree.cli.boards.warofthering_map import is_conquered
from bree.cli.boards.warofthering_panels import panels

View = Mapping[str, Any]

WIDTH = 79
_COLUMN = 39
_INDENT = "    "
_LEGEND = "■ Stronghold ▲ City ● Town ‡ Fort · 3/1 Regulars/Elites · L Leaders · N Nazgûl"


def draw(view: View) -> RenderableType:
    """The whole position as one viewer sees it."""
    lines = [fit(line, WIDTH) for line in (*_map(view), *panels(view, WIDTH))]
    for line in lines:
        line.no_wrap, line.overflow = True, "crop"
    return Group(*lines)


def unite(views: Sequence[View], seat: int = 0) -> View:
    """All that the seats together see, drawn as for `seat`; for games that are over."""
    hands = [view["seats"][n]["hand"] for n, view in enumerate(views)]
    seats = [{**one, "hand": hand} for one, hand in zip(views[seat]["seats"], hands, strict=True)]
    return {**views[seat], "seats": seats}


# The map.


def _map(view: View) -> Lines:
    printed = {region["region"]: region for region in view["map"]["regions"]}
    groups = [
        _group(view, f"{number} {title}", keys, printed)
        for number, (title, keys) in enumerate(GROUPS, 1)
    ]
    columns = _balanced(groups)
    height = max(len(column) for column in columns)
    return [*beside([block(column, _COLUMN, height) for column in columns]), Text(_LEGEND, "dim")]


def _balanced(groups: Sequence[Lines]) -> tuple[Lines, Lines]:
    """The groups in two columns of about the same height, in their order within each."""
    columns: tuple[Lines, Lines] = ([], [])
    for group in groups:
        min(columns, key=len).extend(group)
    return columns


def _group(view: View, title: str, keys: Sequence[str], printed: Mapping[str, View]) -> Lines:
    """One part of Middle-earth: a title, a line or more a region, and the empty settlements."""
    line = Text(title, "bold underline")
    control = {one["region"]: one for one in view["settlements"]}
    busy: Lines = []
    empty: list[Text] = []
    for key in keys:
        body = presence(view, key)
        name = _name(printed[key], control.get(key))
        if body or is_conquered(control.get(key)):
            busy += _with_indent([name, *body])
        elif key in control:
            empty.append(name)
    return [line, *busy, *flow(empty, _COLUMN, between=", ")]


def _name(region: View, settlement: View | None) -> Text:
    mark = MARK[region["settlement"]]
    style = COLOUR[settlement["controller"]] if settlement else ""
    name = Text.assemble((mark, style), " ", (region["name"], style))
    if is_conquered(settlement):
        assert settlement is not None
        name.append(f" taken by the {TITLE[settlement['controller']]}", f"bold {style}")
    return name


def _with_indent(words: Sequence[Text]) -> Lines:
    """Words in lines of a column; what follows the first is indented."""
    lines = flow(words, _COLUMN - len(_INDENT))
    first, *more = flow(words, _COLUMN) if len(lines) == 1 else lines
    return [first, *(Text(_INDENT) + line for line in more)]


pages = warofthering_map.drawn
legend = warofthering_map.legend


# What is printed.


def about(view: View, words: str) -> list[tuple[str, str]]:
    """The regions, cards and characters that these words name; with no words, the viewer's hand."""
    hands = {
        card["card"]: card
        for seat in view["seats"]
        for card in seat["hand"]["cards"]
        if words.split() or seat["seat"] == view["seat"]
    }
    table = {card["card"]: card for side in SIDES for card in view[side]["table"]}
    plays = {play["card"]: play for seat in view["seats"] for play in seat["hand"]["plays"]}
    cards = [
        (_title(card), _text(card, plays.get(card["card"]))) for card in {**hands, **table}.values()
    ]
    named = plain(words).split()
    if not named:
        return cards
    armies = [
        (f"The army in {REGIONS[army['region']]}", force_words(army["figures"]))
        for army in view["armies"]
        if "army" in named
    ]
    printed = [*cards, *map(_person, CAST.values()), *armies]
    found = [(t, text) for t, text in printed if all(word in plain(t) for word in named)]
    return [*warofthering_map.about(view, words), *found]


def _title(card: View) -> str:
    players = f", {' or '.join(SEAT[seat] for seat in card['players'])}" if card["players"] else ""
    return f"{card['name']} ({card['deck']} deck, {card['icon']} icon{players})"


def _text(card: View, play: View | None) -> str:
    needs = f" Needs: {card['needs']}" if card["needs"] else ""
    combat = f" ({card['combat_needs']})" if card["combat_needs"] else ""
    event = f"{card['text']}{needs}{_now(play)}"
    return f"{event}\nIn a battle, {card['combat']}: {card['combat_text']}{combat}"


def _now(play: View | None) -> str:
    """Whether a card in hand can be played now."""
    if play is None:
        return ""
    dice = " or ".join(FACE[face] for face in play["dice"])
    return f"\nNow: it can be played with {dice}." if dice else f"\nNow: no. {play['reason']}"


def _person(person: View) -> tuple[str, str]:
    short = WHO.get(person["id"], "")
    title = person["name"] if short in person["name"] else f"{person['name']} ({short})"
    words = [f"{TITLE[person['side']]}"]
    words += [f"Level {person['level']}"] if person["level"] < 10 else ["flies"]
    words.append(f"Leadership {person['leadership']}")
    rouses = person["rouses"]
    words += [f"can activate {NATION_SHORT.get(rouses, 'any Free Peoples nation')}"] * bool(rouses)
    words += ["brings an Action die"] if person["die"] else []
    return title, ", ".join(words)
