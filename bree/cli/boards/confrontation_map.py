"""The Confrontation's regions in words: where they lead, and who is there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bree.cli.boards.confrontation_facts import (
    BESIDE,
    FORWARD,
    REGIONS,
    SIDES,
    SIDEWAYS,
    TILES,
)
from bree.cli.boards.confrontation_panels import TITLE
from bree.cli.boards.names import named

View = Mapping[str, Any]
Told = tuple[str, str]

_ARCS: Mapping[str, str] = {
    "eregion": "The Tunnel of Moria leads Good to Fangorn.",
    "fangorn": "The Anduin leads Good to Rohan; the Tunnel of Moria ends here.",
    "mirkwood": "The Anduin leads Good to Fangorn.",
    "rohan": "The Anduin ends here.",
}


def regions(words: str) -> list[str]:
    """The regions that these words name."""
    return named(words, REGIONS, lambda key: (REGIONS[key].name, key))


def about(view: View, words: str) -> list[Told]:
    """The regions that these words name: what they are, where they lead, who is there."""
    held = {region["region"]: region for region in view["regions"]}
    return [_told(held[key]) for key in regions(words)]


def _told(region: View) -> Told:
    key = region["region"]
    printed = REGIONS[key]
    kind = "mountains" if printed.mountain else "region"
    if printed.home_of:
        kind = f"{TITLE[printed.home_of]}'s home"
    here = " ".join(_there(region, side) for side in SIDES if region[side]["count"])
    forward = [
        f"Forward for {TITLE[side]}: {_names(FORWARD[side][key])}."
        for side in SIDES
        if FORWARD[side][key]
    ]
    shut = tuple(near for near in BESIDE[key] if near not in SIDEWAYS[key])
    beside = [f"Beside it: {_names(SIDEWAYS[key])}."] if SIDEWAYS[key] else []
    beside += [f"No way to {_names(shut)}."] if shut else []
    room = f"Room for {printed.capacity} of a side."
    arc = [_ARCS[key]] if key in _ARCS else []
    return f"{printed.name} ({kind})", " ".join(
        [here or "Nobody is there.", *forward, *beside, *arc, room]
    )


def _names(keys: tuple[str, ...]) -> str:
    return ", ".join(REGIONS[key].name for key in keys)


def _there(region: View, side: str) -> str:
    known = [TILES[piece["character"]].name for piece in region[side]["pieces"]]
    hidden = region[side]["count"] - len(known)
    words = [*known, f"{hidden} hidden"] if hidden else known
    return f"{TITLE[side]} has {', '.join(words)} there."


def legend() -> list[Told]:
    """All signs of the drawing."""
    return [
        ("╭ Rohan ╮ 1/2", "a region, how many are there, and for how many of a side there is room"),
        ("▲", "mountains"),
        ("┃", "between regions of a row: nobody passes"),
        ("› ‹", "the Anduin, the way it runs: Good may go along it"),
        ("tunnel →", "from there the Tunnel of Moria leads Good to Fangorn"),
        ("5 Gandalf", "a character and its strength"),
        ("5◉Gandalf", "one that the enemy sees, too; of the enemy's: one that you see"),
        ("○", "bears the Ring"),
        ("■■ 2 hidden", "pieces of which you see no more than how many there are"),
        ("≈5 Shelob", "can only stand there, by all that you have seen"),
    ]
