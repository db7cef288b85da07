"""Figures of War of the Ring in a few letters, and in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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


def presence(view: View, region: str) -> list[Text]:
    """Who is in a region: the besieged in brackets, armies, the Fellowship."""
    here = [army for army in view["armies"] if army["region"] == region]
    shut_in = [word for army in here if army["garrison"] for word in army_words(army)]
    words = _in_brackets(shut_in)
    words += [word for army in here if not army["garrison"] for word in army_words(army)]
    ring = view["fellowship"]
    if ring["region"] == region:
        state = "hidden" if ring["hidden"] else "revealed"
        words.append(Text(f"◎ Fellowship, {state}", "bold yellow"))
    return words


def _in_brackets(words: Sequence[Text]) -> list[Text]:
    if not words:
        return []
    first, *rest = [*words]
    opened = [Text.assemble("[", first), *rest]
    *before, last = opened
    return [*before, Text.assemble(last, "]"), Text("besieged by", "dim")]


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
        counts = ", ".join(f"{n} {kind[:-1] if n == 1 else kind}" for n, kind in kinds if n)
        words.append(f"{NATION_SHORT[one['nation']]} {counts}")
    words += [f"{figures['nazgul']} Nazgûl"] if figures["nazgul"] else []
    words += [WHO[key] for key in figures["characters"]]
    return "; ".join(words)
