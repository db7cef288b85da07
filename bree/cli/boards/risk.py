"""The board of Risk in a terminal, drawn from a view and nothing else.

Design. The regions lie as on the map, in three columns from the Blue Mountains to Rhûn and three
rows from Forodwaith to Harad. A line is a territory: its holder's letter, its battalions, a Leader,
its name, its place and the Ring. Below stand the Ring's way, the players, and what the viewer
holds. All is 79 columns wide.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from bree.cli.boards import risk_map
from bree.cli.boards.boxes import Lines, beside, block, fit, flow
from bree.cli.boards.names import plain
from bree.cli.boards.risk_facts import CARDS, MARKS, STYLE, SYMBOLS, WHEN, Card
from bree.cli.boards.risk_map import letter

View = Mapping[str, Any]

WIDTH = 79
_COLUMN = 25
_ROWS = (
    (("eriador",), ("arnor",), ("rhun", "mirkwood")),
    (("rohan",), ("rhovanion",), ("mordor",)),
    (("gondor",), ("haradwaith",), ()),
)
_REASONS = {"ring_destroyed": "the Ring is destroyed", "last_player": "nobody else is left"}
_EFFECTS = {
    "storms": "Winter Storms over ",
    "bridge": "only Leaders cross the bridge ",
    "corsairs": "Corsairs take 3 from invasions by sea",
}


def draw(view: View) -> RenderableType:
    """The whole position as one viewer sees it."""
    lines = [fit(line, WIDTH) for line in [*_map(view), *_status(view), *_hand(view)]]
    for line in lines:
        line.no_wrap, line.overflow = True, "crop"
    return Group(*lines)


def unite(views: Sequence[View], seat: int = 0) -> View:
    """All that the seats together see; for games that are over."""
    own = {view["seat"]: view["players"][number] for number, view in enumerate(views)}
    return {**views[seat], "players": [own[player["seat"]] for player in views[seat]["players"]]}


# The map.


def _map(view: View) -> Lines:
    names = {land["territory"]: land for land in view["map"]["territories"]}
    held = {land["territory"]: land for land in view["territories"]}
    regions = {region["region"]: region for region in view["map"]["regions"]}
    lines: Lines = []
    for row in _ROWS:
        blocks = [
            [line for key in keys for line in _region(view, regions[key], names, held)]
            for keys in row
        ]
        if not row[-1]:
            blocks[-1] = _legend(view)
        height = max(map(len, blocks))
        lines += beside([block(part, _COLUMN, height) for part in blocks], gap="  ")
    return lines


def _region(view: View, region: View, names: View, held: View) -> Lines:
    holders = {held[key]["holder"] for key in region["territories"]}
    style = STYLE[holders.pop()] if len(holders) == 1 else "bold"
    title = Text.assemble((region["name"], f"{style} underline"), (f"  +{region['bonus']}", style))
    return [title, *(_territory(view, names[key], held[key]) for key in region["territories"])]


def _territory(view: View, printed: View, land: View) -> Text:
    style = STYLE[land["holder"]]
    ring = view["map"]["path"][view["ring"] - 1]["territory"] == land["territory"]
    fought = view["invasion"] and land["territory"] in (
        view["invasion"]["from"],
        view["invasion"]["to"],
    )
    return Text.assemble(
        (letter(land["holder"]), style),
        (f"{land['battalions']:>3}", style),
        ("★" if land["leader"] else " ", style),
        (printed["name"], "reverse" if fought else ""),
        (f" {MARKS[land['place']] or ' '}", "bold"),
        (" ◎" if ring else "", "bold yellow"),
    )


def _legend(view: View) -> Lines:
    lines = [
        Text("★ Leader  ◎ the Ring", "dim"),
        Text("■ stronghold", "dim"),
        Text("○ site of power", "dim"),
        Text(""),
    ]
    for player in view["players"]:
        turn = "▶ " if player["seat"] == view["turn"] else "  "
        name = Text.assemble(turn, (player["seat"].capitalize(), STYLE[player["seat"]]))
        points = f" {player['points']['total']} points"
        lines.append(name + (" is out" if player["out"] else points))
    return lines


# The Ring, the players, what goes on.


def _status(view: View) -> Lines:
    path = view["map"]["path"]
    names = {land["territory"]: land["name"] for land in view["map"]["territories"]}
    here = path[view["ring"] - 1]
    rolls = ", rolls to leave" if here["die"] else ""
    left = len(path) - view["ring"]
    way = "at Mount Doom" if not left else f"{left} steps from Mount Doom"
    lines = [
        Text(""),
        Text(f"◎ The Ring: {names[here['territory']]}{rolls}; {way}. Turn {view['number']}."),
    ]
    lines += [_player(player) for player in view["players"]]
    for effect in view["effects"]:
        lines += _flowed(_EFFECTS[effect["effect"]] + _where(view, effect, names))
    return lines + _invasion(view, names) + _end(view)


def _player(player: View) -> Text:
    points = player["points"]
    cards = f"{player['territory_cards']['count']}T {player['adventure_cards']['count']}A"
    items = "+".join(
        str(part)
        for part in (
            points["territories"],
            2 * points["strongholds"],
            points["regions"],
            points["cards"],
        )
    )
    return Text.assemble(
        (f"{player['seat'].capitalize():<7}", STYLE[player["seat"]]),
        f"{player['alignment']:<5}",
        f"{points['territories']:>3} territories {player['battalions']:>4} battalions  {cards}  ",
        f"{points['total']:>3} points ({items})",
        (" out" if player["out"] else "", "dim"),
    )


def _where(view: View, effect: View, names: View) -> str:
    if effect["effect"] == "storms":
        return ", ".join(names[key] for key in effect["territories"])
    if effect["effect"] == "bridge":
        ends = next(b for b in view["map"]["bridges"] if b["bridge"] == effect["bridge"])
        return f"{names[ends['a']]}–{names[ends['b']]}"
    return ""


def _invasion(view: View, names: View) -> Lines:
    invasion = view["invasion"]
    if not invasion:
        return []
    to = names[invasion["to"]] if invasion["to"] else "…"
    more = [
        words
        for key, words in (
            ("below_mountains", "below the mountains"),
            ("black_sails", "Black Sails"),
            ("no_walls", "without the stronghold's bonus"),
        )
        if invasion[key]
    ]
    text = f"⚔ {names[invasion['from']]} against {to}" + "".join(f", {word}" for word in more)
    return [Text(text, "bold")]


def _end(view: View) -> Lines:
    if not view["result"]:
        return []
    winners = " and ".join(name.capitalize() for name in view["result"]["winners"])
    verb = "win" if len(view["result"]["winners"]) > 1 else "wins"
    return [Text(f"{winners} {verb}: {_REASONS[view['result']['reason']]}.", "bold")]


# What the viewer holds.


def _hand(view: View) -> Lines:
    symbols = {land["territory"]: land["symbol"] for land in view["map"]["territories"]}
    names = {land["territory"]: land["name"] for land in view["map"]["territories"]}
    lines: Lines = []
    for player in view["players"]:
        whose = "Your" if player["seat"] == view["seat"] else f"{player['seat'].capitalize()}'s"
        territories = [
            f"{names[card]} ({SYMBOLS[symbols[card]]})" if card in names else "wild card"
            for card in player["territory_cards"]["known"]
        ]
        cards = [CARDS[card].title for card in player["adventure_cards"]["known"]]
        secrets = [names[card] for card in player["secrets"]["known"]]
        played = [CARDS[card].title for card in player["played"]]
        for what, found in (
            (f"{whose} Territory cards", territories),
            (f"{whose} Adventure cards", cards),
            (f"{whose} secret", secrets),
            (f"{player['seat'].capitalize()} has played", played),
        ):
            if found:
                lines += _flowed(f"{what}: {', '.join(found)}")
        if whose != "Your":
            continue
        if player["stands"]:
            lines.append(Text("You defend with two dice without being asked."))
        if player["orders"] and view["turn"]:
            lines += _orders(player["orders"])
    return lines + _placing(view, names)


def _orders(orders: View) -> Lines:
    """Of what the viewer has said beforehand, when he is asked for cards."""
    words = (("attacked", "when you are attacked"), ("fellowship", "when the Ring is to move"))
    when = [word for key, word in words if orders[key]]
    asked = " and ".join(when) if when else "on your own turn only, unless you say so"
    rests = "; no more this turn" if orders["rests"] and when else ""
    lines = _flowed(f"You are asked for cards {asked}{rests}.")
    return lines + [Text("You keep your missions.")] * orders["keeps_missions"]


def _placing(view: View, names: View) -> Lines:
    planned = [f"{names[part['territory']]} +{part['battalions']}" for part in view["planned"]]
    lines = _flowed(f"To be placed as you said: {', '.join(planned)}") if planned else []
    if view["to_place"]:
        lines.append(Text(f"Still to be placed: {view['to_place']}", "bold"))
    return lines


def _flowed(text: str) -> Lines:
    return flow((Text(word) for word in text.split()), WIDTH)


pages = risk_map.drawn
legend = risk_map.legend

# What is printed.


def about(view: View, words: str) -> Iterable[tuple[str, str]]:
    """Regions, territories and cards; without words, the viewer's own cards."""
    named = plain(words).split()
    own = {
        card
        for player in view["players"]
        for card in (*player["adventure_cards"]["known"], *player["played"])
    }
    if not named:
        return [_card(CARDS[key]) for key in sorted(own)]
    cards = {_card(card) for card in CARDS.values()}
    found = sorted(card for card in cards if all(word in plain(card[0]) for word in named))
    return [*risk_map.about(view, words), *found]


def _card(card: Card) -> tuple[str, str]:
    how = " (reconstructed)" if card.reconstructed else ""
    points = f"Points{how}: {card.good} for good, {card.evil} for evil."
    return card.title, f"{card.text}. {points}{WHEN.get(card.title, '')}"
