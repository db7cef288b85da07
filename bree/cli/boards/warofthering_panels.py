"""What stands below War of the Ring's map: battle, tracks, Hunt, dice, cards, whose turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.text import Text

from bree.cli.boards.boxes import Lines, box, flow
from bree.cli.boards.warofthering_facts import (
    CARDS,
    COLOUR,
    FACE,
    NATION_COLOUR,
    NATION_SHORT,
    PHASE,
    REGIONS,
    SEAT,
    SIDES,
    STEPS,
    TITLE,
    WHO,
)
from bree.cli.boards.warofthering_figures import figure_words

View = Mapping[str, Any]


def panels(view: View, width: int) -> Lines:
    """Everything below the map, from what is slow to what is at stake now."""
    return [
        Text("─" * width, "dim"),
        *_politics(view, width),
        *_reserves(view, width),
        *_fellowship(view, width),
        *_hunt(view, width),
        *(line for side in SIDES for line in _side(view, side, width)),
        *_table(view, width),
        *_hands(view, width),
        *_battle(view, width),
        *_selection(view, width),
        *flow(_status(view), width, between=" · "),
    ]


def bold(text: str, side: str) -> Text:
    """Words about a side, in its colour."""
    return Text(text, f"bold {COLOUR[side]}")


def _label(text: str) -> Text:
    return Text(f"{text}:", "bold")


# Tracks.


def _politics(view: View, width: int) -> Lines:
    words = [_label("Politics")]
    for nation in view["nations"]:
        step = "At War" if nation["at_war"] else str(nation["step"])
        passive = "" if nation["active"] else " passive"
        style = NATION_COLOUR[nation["nation"]]
        text = f"{NATION_SHORT[nation['nation']]} {step}{passive}"
        words.append(Text(text, f"bold {style}" if nation["at_war"] else style))
    return flow(words, width, between="  ")


def _reserves(view: View, width: int) -> Lines:
    """What can still be recruited."""
    words = figure_words(view["reserve"]) or [Text("none", "dim")]
    return flow([_label("Reinforcements"), *words], width, between="  ")


def _fellowship(view: View, width: int) -> Lines:
    ring = view["fellowship"]
    state = "hidden" if ring["hidden"] else "revealed"
    if ring["mordor"] is None:
        where = f"at {REGIONS[ring['region']]}, {state}, progress {ring['progress']}"
    else:
        steps = (f"[{s}]" if n == ring["mordor"] else s for n, s in enumerate(STEPS))
        where = f"on the Mordor Track {' '.join(steps)}, {state}"
    company = [WHO[key] for key in ring["company"] if key != ring["guide"]]
    back = [WHO[c["character"]] for c in view["characters"] if c["place"] == "returning"]
    words = [
        Text(where, "yellow"),
        Text(f"Corruption {ring['corruption']} of 12", "bold" if ring["corruption"] > 7 else ""),
        Text(f"Guide {WHO[ring['guide']]}"),
        Text(f"with {', '.join(company)}" if company else "nobody else"),
        *([Text(f"{', '.join(back)} coming back")] if back else []),
    ]
    return flow([_label("Fellowship"), *words], width, between="  ")


def _hunt(view: View, width: int) -> Lines:
    hunt = view["hunt"]
    words = [
        _label("Hunt"),
        Text(f"{hunt['shadow_dice']} Shadow and {hunt['free_dice']} Free dice in the box"),
        Text("pool"),
        *_tiles(hunt["pool"]),
    ]
    if hunt["waiting"]:
        words += [Text("and for Mordor"), *_tiles(hunt["waiting"])]
    return flow(words, width, between="  ")


def _tiles(tiles: Iterable[View]) -> list[Text]:
    words = [
        Text(_tile(tile["tile"]) + (f"×{tile['count']}" if tile["count"] > 1 else ""))
        for tile in tiles
    ]
    return words or [Text("empty", "dim")]


def _tile(tile: str) -> str:
    """A tile by its number and icon; a special one by the name of its card."""
    return CARDS.get(tile) or ("Eye" if tile == "eye" else tile)


# The sides.


def _side(view: View, side: str, width: int) -> Lines:
    state = view[side]
    words = [
        bold(f"{TITLE[side]}:", side),
        Text(_dice(state["dice"]), "bold" if state["dice"] else "dim"),
        Text(f"{state['points']} of {state['goal']} points"),
    ]
    if state["rings"]:
        words.append(
            Text(f"{'◦' * state['rings']} Elven Ring{'s' * (state['rings'] > 1)}", "yellow")
        )
    decks = ", ".join(f"{deck['left']} {deck['deck']}" for deck in state["decks"])
    words.append(Text(f"decks {decks}", "dim"))
    return flow(words, width, between="  ")


def _dice(faces: Sequence[str]) -> str:
    counts = Counter(faces)
    words = (f"{n}× {FACE[face]}" if n > 1 else FACE[face] for face, n in counts.items())
    return ", ".join(words) or "no dice"


def _table(view: View, width: int) -> Lines:
    cards = [Text(card["name"], COLOUR[side]) for side in SIDES for card in view[side]["table"]]
    return flow([_label("On the table"), *cards], width, between="  ") if cards else []


def _hands(view: View, width: int) -> Lines:
    lines: Lines = []
    for seat in view["seats"]:
        hand, name = seat["hand"], SEAT[seat["seat"]]
        title = bold("Your hand:" if seat["seat"] == view["seat"] else f"{name}:", seat["side"])
        count = hand["character"] + hand["strategy"]
        playable = {play["card"] for play in hand["plays"] if play["dice"]}
        cards = [
            Text(f"{card['name']} ({card['icon']})", "bold" if card["card"] in playable else "")
            for card in hand["cards"]
        ]
        if len(cards) < count or not count:
            backs = f"{hand['character']} Character and {hand['strategy']} Strategy cards"
            cards.append(Text(backs if not cards else f"of {backs}", "dim"))
        leads = seat["leading"] and len(view["seats"]) > 2
        star = [Text("leading", "dim")] if leads else []
        lines += flow([title, *star, *cards], width, between="  ")
    return lines


# The battle.

_KINDS = {"field": "Battle", "siege": "Storm", "sortie": "Sortie"}


def _battle(view: View, width: int) -> Lines:
    battle = view["battle"]
    if not battle:
        return []
    side = battle["attacker"]
    where = f"{_KINDS[battle['kind']]} of {REGIONS[battle['region']]}, round {battle['round']}"
    body = [line for one in SIDES for line in _force(view, one, width - 2)]
    title = Text.assemble((where, "bold"), ", attacked by ", bold(TITLE[side], side))
    return box(title, body, width=width, height=len(body) + 2, edge="yellow")


def _force(view: View, side: str, width: int) -> Lines:
    battle = view["battle"]
    force = battle[side]
    dice = "1 die" if force["dice"] == 1 else f"{force['dice']} dice"
    numbers = f"{dice} on {force['target']}+, Leadership {force['leadership']}"
    words = [bold(f"{TITLE[side]}:", side), *figure_words(force["figures"]), Text(numbers)]
    if force["hits"]:
        words.append(Text(f"hits {force['hits']}", "bold"))
    card = force["card"]
    mine = battle["your_card"]
    if card:
        words.append(Text(f"card {card['combat']}", "bold"))
    elif mine and mine["side"] == side:
        words.append(Text(f"card {mine['combat']} (face down)"))
    elif force["back"]:
        words.append(Text(f"a {force['back'].capitalize()} card face down"))
    return flow(words, width, between="  ")


def _selection(view: View, width: int) -> Lines:
    chosen = view["selection"]
    if not chosen:
        return []
    words = figure_words(chosen["figures"]) or [Text("nobody yet")]
    return flow([_label("Picked"), *words], width, between="  ")


# Whose turn.

_REASONS = {
    "ring_destroyed": "the Ring is destroyed",
    "corruption": "the Ring-bearers are corrupted",
    "shadow_conquest": "by conquest",
    "free_conquest": "by conquest",
    "turn_limit": "the last turn is over",
    "forfeit": "the other gave up",
}


def _status(view: View) -> list[Text]:
    result = view["result"]
    words = [Text(f"Turn {view['turn']}", "bold")]
    if result:
        winner = result["winner"]
        who = (
            bold(f"The {TITLE[winner]} win" + "s" * (winner == "shadow"), winner)
            if winner
            else (Text("Nobody wins", "bold"))
        )
        return [*words, Text.assemble(who, f" ({_REASONS[result['reason']]})")]
    words.append(Text(PHASE[view["phase"]]))
    sides = {seat["seat"]: seat["side"] for seat in view["seats"]}
    words += [bold(f"{SEAT[seat]} to decide", sides[seat]) for seat in view["acting"]]
    return words
