"""What stands below the Confrontation's map: setting up, battle, journey, knowledge, whose turn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rich.text import Text

from bree.cli.boards.boxes import Lines, box, flow
from bree.cli.boards.confrontation_facts import CARDS, REGIONS, SIDES, TILES

View = Mapping[str, Any]

COLOUR = {"good": "cyan", "dark": "red"}
TITLE = {"good": "Good", "dark": "Dark"}


_WITH_ARTICLE = ("Misty Mountains", "Gap of Rohan")


def bold(text: str, side: str) -> Text:
    """Words about a side, in its colour."""
    return Text(text, f"bold {COLOUR[side]}")


def within(name: str) -> str:
    """A name as it stands within a sentence."""
    if name in _WITH_ARTICLE:
        return f"the {name}"
    return f"the {name[4:]}" if name.startswith("The ") else name


def tile(key: str, *, shown: bool = False, ring: str | None = None) -> Text:
    """A character: strength, name, and whether the enemy sees it or it bears the Ring."""
    printed = TILES[key]
    style = COLOUR[printed.side]
    name = Text(printed.short, f"{style} underline" if shown else style)
    mark = Text("◉", "bold yellow") if shown else Text(" ")
    bearer = Text(" ○", "bold yellow") if key == ring else Text("")
    return Text.assemble((str(printed.strength), f"bold reverse {style}"), mark, name, bearer)


def panels(view: View, width: int) -> Lines:
    """Everything below the map, from what is rarely there to what always is."""
    lines = [*_specials(view, width), *_knowledge(view, width), *_setting_up(view, width)]
    lines += [*_journey(view), *_duty(view), *_battle(view, width)]
    status = _status(view)
    return [*lines, status] if status else lines


# The battle.


def _battle(view: View, width: int) -> Lines:
    battle = view["battle"]
    if not battle:
        return []
    attacking = battle["attacking"]
    defending = "dark" if attacking == "good" else "good"
    line = Text.assemble(
        _combatant(battle["attacker"], attacking),
        "  attacks  ",
        _combatant(battle["defender"], defending),
    )
    title = Text(f"Battle in {within(REGIONS[battle['region']].name)}", "bold")
    body = [line, _battle_cards(view, battle)]
    return box(title, body, width=width, height=4, edge="yellow")


def _combatant(key: str | None, side: str) -> Text:
    return tile(key) if key else bold("?", side)


def _battle_cards(view: View, battle: View) -> Text:
    if battle["no_cards"]:
        return Text("No cards are used: the strengths decide.")
    return Text("    ").join(_battle_card(view, battle, side) for side in SIDES)


def _battle_card(view: View, battle: View, side: str) -> Text:
    played, counts = battle["cards"][side], battle["in_force"][side]
    if played:
        words = CARDS[played].name
        words += f", as {CARDS[counts].name}" if counts and counts != played else ""
    elif side == view["side"] and battle["your_card"]:
        words = f"{CARDS[battle['your_card']].name} (sealed)"
    else:
        words = "sealed" if battle["sealed"][side] else "not yet chosen"
    return Text.assemble(bold(f"{TITLE[side]}'s card: ", side), words)


# Lines without a frame.

_STAGES = {
    "draft": "choosing characters",
    "specials": "choosing special cards",
    "place": "placing the characters",
}
_FEW = 3
"""An enemy that may be in more regions than this is not worth a line."""


def _setting_up(view: View, width: int) -> Lines:
    setup = view["setup"]
    if not setup:
        return []
    done, stage = setup["done"], setup["stage"]
    chosen = [bold(f"{TITLE[side]} has chosen {done[side]}", side) for side in SIDES]
    line = Text(" · ").join([Text(f"Setting up: {_STAGES.get(stage, stage)}", "bold"), *chosen])
    if stage == "place" or not setup["yours"]:
        return [line]  # what is placed stands on the map
    names = [TILES[key].name if key in TILES else CARDS[key].name for key in setup["yours"]]
    return [line, *flow([Text("You have"), *map(Text, names)], width, between=" · ")]


def _journey(view: View) -> Lines:
    journey = view["journey"]
    if not journey:
        return []
    side, end = journey["by"], REGIONS[journey["to"]].name
    return [Text.assemble(bold(TITLE[side], side), f" goes through the tunnel to {end}.")]


def _duty(view: View) -> Lines:
    """What a special card asks of the next move."""
    duty = view["duty"]
    if not duty:
        return []
    hidden = "one hidden character"
    who = within(TILES[duty["character"]].name) if duty["character"] else hidden
    must = "must" if duty["must_move"] else "may not"
    side = duty["side"]
    return [Text.assemble(bold(TITLE[side], side), f" {must} move {who} now.")]


def _specials(view: View, width: int) -> Lines:
    words = [
        Text.assemble(bold(f"{TITLE[side]}: ", side), _cards(view["specials"][side]))
        for side in SIDES
        if view["specials"][side]
    ]
    return flow([Text("Special cards"), *words], width, between="  ") if words else []


def _cards(keys: Iterable[str]) -> str:
    return ", ".join(CARDS[key].short for key in keys)


def _knowledge(view: View, width: int) -> Lines:
    """Where the enemies may be of whom the viewer knows something, by all that it has seen."""
    inference = view["inference"]
    if not inference:
        return []
    found = [
        Text.assemble((TILES[key].short, COLOUR[TILES[key].side]), ": ", ", ".join(_places(places)))
        for key, places in inference["could_be"].items()
        if len(places) <= _FEW
    ]
    worlds = f"{inference['worlds']:,} ways the enemy may stand"
    return flow([Text(worlds, "bold"), *found], width, between=" · ")


def _places(keys: Iterable[str]) -> list[str]:
    return [REGIONS[key].name for key in keys]


def _status(view: View) -> Text:
    words: list[Text] = []
    if view["games"] > 1:
        first, second = view["points"]
        words.append(Text(f"Game {view['game']} of {view['games']}, points {first} : {second}"))
    if view["result"]:
        words.append(_result(view["result"]))
    elif view["turn"]:
        words += [
            Text(f"Turn {view['ply'] + 1}"),
            bold(f"{TITLE[view['turn']]} to move", view["turn"]),
        ]
    if _any_shown(view):
        words.append(Text.assemble(("◉", "bold yellow"), " seen by the enemy"))
    return Text(" · ").join(words)


def _result(result: View) -> Text:
    winner = result["winner"]
    return bold(result["sentence"], winner) if winner else Text(result["sentence"], "bold")


def _any_shown(view: View) -> bool:
    return any(piece["shown"] for r in view["regions"] for s in SIDES for piece in r[s]["pieces"])
