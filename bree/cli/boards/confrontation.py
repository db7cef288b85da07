"""The Confrontation's board in a terminal, drawn from a view and nothing else.

Design. The map is a diamond, so the viewer's corners are free: each side's hand and its fallen
stand there, beside its own home. The viewer's home is at the bottom; the map turns with it. All is
79 columns wide. What a viewer cannot see is not in the view, so nothing here hides anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from bree.cli.boards import confrontation_charts, confrontation_map
from bree.cli.boards.boxes import Lines, beside, block, box, fit, flow
from bree.cli.boards.confrontation_facts import (
    BESIDE,
    CARDS,
    REGIONS,
    ROWS,
    SIDES,
    SIDEWAYS,
    TILES,
)
from bree.cli.boards.confrontation_panels import COLOUR, TITLE, bold, panels, tile
from bree.cli.boards.names import plain

View = Mapping[str, Any]

WIDTH = 79
_BOX = 19
_HOME = 2 * _BOX + 1
_CORNER = (WIDTH - _HOME) // 2 - 1
_PASSAGE = {"eregion": "tunnel →", "fangorn": "→ tunnel"}
_RIVER = (("mirkwood", "fangorn"), ("fangorn", "rohan"))


def draw(view: View) -> RenderableType:
    """The whole position as one viewer sees it."""
    below = [fit(line, WIDTH) for line in panels(view, WIDTH)]
    lines = [*_map(_as_planned(view)), *below]
    for line in lines:
        line.no_wrap, line.overflow = True, "crop"
    return Group(*lines)


def unite(views: Sequence[View], seat: int = 0) -> View:
    """All that the seats together see, the map lying as for `seat`; for games that are over."""
    by_side = {view["side"]: _as_planned(view) for view in views}
    regions = [
        {"region": good["region"], "good": good["good"], "dark": dark["dark"]}
        for good, dark in zip(by_side["good"]["regions"], by_side["dark"]["regions"], strict=True)
    ]
    rosters = {side: by_side[side]["rosters"][side] for side in SIDES}
    battle = views[seat]["battle"]
    if battle:
        sealed = {side: by_side[side]["battle"]["your_card"] for side in SIDES}
        cards = {side: battle["cards"][side] or sealed[side] for side in SIDES}
        battle = {**battle, "cards": cards}
    known = {"regions": regions, "rosters": rosters, "battle": battle, "inference": None}
    return {**views[seat], **known}


# The map.


def _map(view: View) -> Lines:
    bottom = view["side"] or "good"
    top = "dark" if bottom == "good" else "good"
    regions = {region["region"]: region for region in view["regions"]}
    rows = [_row(view, regions, keys, bottom) for keys in ROWS]
    if bottom == "good":
        rows.reverse()
    upper = _with_corners(view, top, [*rows[0], *rows[1]])
    middle = [fit(_centred(line), WIDTH) for row in rows[2:5] for line in row]
    lower = _with_corners(view, bottom, [*rows[5], *rows[6]])
    return [*upper, *middle, *lower]


def _row(view: View, regions: View, keys: Sequence[str], bottom: str) -> Lines:
    ordered = keys if bottom == "good" else keys[::-1]
    bodies = {key: _body(view, regions[key]) for key in ordered}
    height = 2 + max(len(body) for body in bodies.values())
    boxes = [_region(view, regions[key], bodies[key], height) for key in ordered]
    lines = boxes[0]
    for left, right, placed in zip(ordered, ordered[1:], boxes[1:], strict=False):
        lines = beside([lines, _between(left, right, height), placed], gap="")
    return lines


def _between(left: str, right: str, height: int) -> Lines:
    """The gap between two neighbours: mountains that nobody crosses, or the Anduin as it runs."""
    sign = Text(" ")
    if (left, right) in _RIVER:
        sign = Text("›", "bold blue")
    elif (right, left) in _RIVER:
        sign = Text("‹", "bold blue")
    elif right in BESIDE[left] and right not in SIDEWAYS[left]:
        sign = Text("┃", "bold")
    return block([Text(" "), *[sign] * (height - 2)], 1, height)


def _centred(line: Text) -> Text:
    return Text(" " * ((WIDTH - line.cell_len) // 2)) + line


def _as_planned(view: View) -> View:
    """While the viewer places its pieces: the view as if what it has chosen stood already."""
    side = view["side"]
    if not side or not view["setup"] or view["setup"]["stage"] != "place":
        return view
    placed = dict(text.split() for text in view["setup"]["yours"])
    home = next(key for key, region in REGIONS.items() if region.home_of == side)
    regions = []
    for region in view["regions"]:
        key = region["region"]
        here = [who for who in view["rosters"][side] if placed.get(who, home) == key]
        pieces = [{"character": who, "shown": False} for who in here]
        regions.append({**region, side: {"count": len(here), "pieces": pieces}})
    return {**view, "regions": regions}


# One region.


def _body(view: View, region: View) -> Lines:
    """The pieces in a region, with a line for each that has room there."""
    printed = REGIONS[region["region"]]
    lines = [line for side in SIDES for line in _pieces(view, region, side)]
    if printed.home_of:
        lines = _in_two_columns(lines, _HOME - 2)
    room = printed.capacity // (2 if printed.home_of else 1)
    return lines + [Text("")] * (room - len(lines))


def _region(view: View, region: View, body: Lines, height: int) -> Lines:
    key = region["region"]
    printed = REGIONS[key]
    battle = view["battle"] and view["battle"]["region"] == key
    held = [side for side in SIDES if region[side]["count"]]
    edge = "bold yellow" if battle else COLOUR[held[0]] if held else "dim"
    count = max(region[side]["count"] for side in SIDES)
    name = ("▲" if printed.mountain and len(printed.name) < _BOX - 5 else "") + printed.name
    return box(
        Text(name, "bold" if held else ""),
        body,
        width=_HOME if printed.home_of else _BOX,
        height=height,
        edge=edge,
        feet=(_PASSAGE.get(key, ""), f"{count}/{printed.capacity}"),
    )


def _pieces(view: View, region: View, side: str) -> Lines:
    """One line for each piece that the viewer knows, and one for all others."""
    known = [
        tile(piece["character"], shown=piece["shown"], ring=view["ring_bearer"])
        for piece in region[side]["pieces"]
    ]
    hidden = region[side]["count"] - len(known)
    guessed = _certain(view, region, side)[:hidden]
    known += [Text("≈", COLOUR[side]) + tile(key) for key in guessed]
    rest = hidden - len(guessed)
    if rest:
        known.append(Text.assemble(("■" * rest, COLOUR[side]), (f" {rest} hidden", "dim")))
    return known


def _certain(view: View, region: View, side: str) -> list[str]:
    """Hidden pieces that can only stand here, by what the viewer has seen."""
    if not view["inference"]:
        return []
    seen = {piece["character"] for piece in region[side]["pieces"]}
    return [
        key
        for key, places in view["inference"]["could_be"].items()
        if places == [region["region"]] and TILES[key].side == side and key not in seen
    ]


def _in_two_columns(body: Lines, width: int) -> Lines:
    half = width // 2
    pairs = [body[n : n + 2] for n in range(0, len(body), 2)]
    return [Text("").join(fit(line, half) for line in pair) for pair in pairs]


# The corners.


def _with_corners(view: View, side: str, lines: Lines) -> Lines:
    """Two rows of the map between what a side holds in hand and what it has lost."""
    height = len(lines)
    middle = [Text(" " * ((_HOME - line.cell_len) // 2)) + line for line in lines]
    left = block(_cards(view, side), _CORNER, height)
    right = block(_fallen(view, side), _CORNER, height)
    return beside([left, [fit(line, _HOME) for line in middle], right])


def _cards(view: View, side: str) -> Lines:
    hand, used = view["hands"][side], view["used"][side]
    lines = [bold(f"{TITLE[side]}: hand", side), *_names(hand, COLOUR[side])]
    if used:
        lines += [Text("used", "dim"), *_names(used, "dim")]
    return lines


def _names(keys: Iterable[str], style: str) -> Lines:
    return flow((Text(CARDS[key].short, style) for key in keys), _CORNER)


def _fallen(view: View, side: str) -> Lines:
    fallen = view["fallen"][side]
    names = [Text(TILES[key].short, "strike dim") for key in fallen]
    title = f"{TITLE[side]}: {len(fallen) or 'none'} fallen"
    return [bold(title, side), *flow(names, _CORNER, between=", ")]


# The map alone, and what is printed.


def pages(view: View, words: str) -> list[RenderableType]:
    """The map, whatever it is called by: it has one page."""
    if words and plain(words) != "all" and not confrontation_map.regions(words):
        return []
    lines = [*_map(_as_planned(view)), *flow(map(Text, _HOW_TO_GO.split(" ")), WIDTH)]
    for line in lines:
        line.no_wrap, line.overflow = True, "crop"
    return [Group(*lines)]


_HOW_TO_GO = (
    "Forward leads to the regions that touch in the next row: to Mordor for Good, to the Shire for"
    " Dark. Nobody passes ┃. about REGION tells its neighbours."
)
legend = confrontation_map.legend


def about(view: View, words: str) -> list[tuple[str, str]]:
    """The regions, characters and cards that these words name; with no words the charts."""
    regions = confrontation_map.about(view, words)
    if regions:
        return [*regions, *confrontation_charts.named_in(view, words)]
    return confrontation_charts.about(view, words)
