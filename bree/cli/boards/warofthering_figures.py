"""Figures of War of the Ring in a few letters, and in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.text import Text

from bree.cli.boards.warofthering_facts import CODE, COLOUR, NATION_COLOUR, NATION_SHORT, SEAT, WHO

View = Mapping[str, Any]


def army_words(army: View) -> list[Text]:
    """An army: its nations, Nazgûl and characters, in the colour of each."""
    words = figure_words(army["figures"])
    if army["mixed"]:
        words.append(Text(f"(mixed, {SEAT[army['commander']]})", "dim"))
    return words


def figure_words(figures: View) -> list[Text]:
    """Figures as words: `Go 3/1 L2`, `N2`, `Strider`."""
    words = [_nation(one) for one in figures["nations"]]
    if figures["nazgul"]:
        words.append(Text(f"N{figures['nazgul']}", f"bold {COLOUR['shadow']}"))
    words += [Text(WHO[key], "bold") for key in figures["characters"]]
    return words


def _nation(one: View) -> Text:
    units = f" {one['regulars']}/{one['elites']}" if one["regulars"] or one["elites"] else ""
    leaders = f" L{one['leaders']}" if one["leaders"] else ""
    return Text(f"{CODE[one['nation']]}{units}{leaders}", NATION_COLOUR[one["nation"]])


def force_words(figures: View) -> str:
    """Figures in whole words."""
    words = []
    for one in figures["nations"]:
        kinds = ((one[kind], kind) for kind in ("regulars", "elites", "leaders"))
        counts = ", ".join(f"{n} {kind}" for n, kind in kinds if n)
        words.append(f"{NATION_SHORT[one['nation']]} {counts}")
    words += [f"{figures['nazgul']} Nazgûl"] if figures["nazgul"] else []
    words += [WHO[key] for key in figures["characters"]]
    return "; ".join(words)
