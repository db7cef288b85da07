"""What stands below Duel's display: landmarks, the map, the track, what both sides have."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.text import Text

from bree.cli.boards.boxes import Lines, beside, block, fit, flow
from bree.cli.boards.duel_facts import (
    BONUSES,
    CARD_COLOUR,
    COIN,
    COLOUR,
    DOOM,
    FORT,
    LETTER,
    RACES,
    REASONS,
    REGIONS,
    SIDES,
    SKILLS,
    TILES,
    TITLE,
    View,
    letter,
    many,
)

_CELL = 14
_MAP_WIDTH = 3 * _CELL
_GRID = (
    ("lindon", "arnor", "rhovanion"),
    (None, "enedwaith", "rohan"),
    (None, "gondor", "mordor"),
)
"""The map as a grid: neighbours in a row or a column are connected, and the two diagonals."""
_SHORT_BONUS = {
    "gain_coins": "coin",
    "place_units": "unit",
    "extra_turn": "turn",
    "remove_enemy_fortress": "raze",
}


def side_name(side: str, style: str = "bold") -> Text:
    """A side in its colour."""
    return Text(TITLE[side], f"{style} {COLOUR[side]}")


def owner(view: View) -> str:
    """Whose prices are drawn: the viewer's, or those of the side on turn."""
    return str(view["side"] or view["turn"])


def price_text(price: View) -> Text:
    """A price: green if it can be paid."""
    style = "bold green" if price["affordable"] else "dim"
    return Text("free" if price["chained"] else f"{price['coins']}{COIN}", style)


def needs_text(skills: View, price: View) -> Text:
    """The skills of a cost as letters: bold those that the owner of the price does not produce."""
    text = Text()
    for skill in SKILLS:
        short = price["short"].get(skill, 0)
        text.append(letter(skill) * (skills.get(skill, 0) - short), "dim")
        text.append(letter(skill) * short, "bold yellow")
    return text


def panels(view: View, width: int) -> Lines:
    """Everything below the display."""
    lines = landmarks(view, width)
    lines.append(Text(""))
    lines += beside([block(_map(view), _MAP_WIDTH, 8), block(_track(view), width - 43, 8)])
    lines += [Text(""), *_players(view, width), *_stacks(view, width), _status(view)]
    return lines


# Landmarks.


def landmarks(view: View, width: int) -> Lines:
    """The landmark tiles that lie face up, with their prices."""
    rest = f"  {view['landmark_stack']} more face down" if view["landmark_stack"] else ""
    title = "Landmarks" if view["landmarks"] else "No landmark is face up"
    lines = [Text.assemble((title, "bold"), (rest, "dim"))]
    for tile in view["landmarks"]:
        price = tile["prices"][owner(view)]
        asked = needs_text(tile["skills"], price)
        name = Text.assemble(fit(price_text(price), 4), asked, " ", (tile["name"], "bold"), ": ")
        words = [Text(word) for word in tile["text"].split(" ")]
        told = flow(words, width - name.cell_len)
        lines.append(Text.assemble(name, told[0]))
        lines += [Text.assemble(" " * name.cell_len, line) for line in told[1:]]
    return lines


# The map.


def _map(view: View) -> Lines:
    regions = {region["region"]: region for region in view["regions"]}
    lines: Lines = []
    for number, row in enumerate(_GRID):
        if number:
            gap = " " * _CELL
            lines.append(Text(f"{gap}│{' ' * (_CELL - 3)}/ │", "dim"))
        names = [_named(key, last=column == 2) for column, key in enumerate(row)]
        lines.append(Text.assemble(*names))
        lines.append(Text.assemble(*(_held(regions.get(key or "")) for key in row)))
    return lines


def _named(key: str | None, *, last: bool) -> Text:
    if key is None:
        return Text(" " * _CELL)
    name = REGIONS[key]
    way = "" if last else " " + "─" * (_CELL - len(name) - 2) + " "
    return Text.assemble((name, "bold"), (way, "dim"))


def _held(region: View | None) -> Text:
    """Who is present: units by number, and a fortress."""
    if region is None:
        return Text(" " * _CELL)
    words = [
        Text(f"{LETTER[side]}{region['units'][side]}", f"bold {COLOUR[side]}")
        for side in SIDES
        if region["units"][side]
    ]
    fort = region["fortress"]
    if fort:
        words.append(Text(f"{FORT}{LETTER[fort]}", f"bold {COLOUR[fort]}"))
    return fit(Text(" ").join(words or [Text("·", "dim")]), _CELL)


# The quest track.


def _track(view: View) -> Lines:
    track = view["track"]
    goal, steps = track["goal"], track["steps"]
    frodo, sauron = steps["fellowship"], steps["sauron"]
    places = {frodo + sauron: Text("N", "bold red"), goal + frodo: Text("F", "bold cyan")}
    marks = [places.get(n, Text("·", "dim")) for n in range(2 * goal)]
    line = Text.assemble(*marks, (DOOM, "bold yellow"))
    if frodo == goal:
        line = Text.assemble(*marks, ("F", "bold cyan"))
    return [
        Text("Quest of the Ring", "bold"),
        line,
        Text.assemble(("Frodo and Sam", "cyan"), f": {goal - frodo} from Mount Doom"),
        Text.assemble(("The Nazgûl", "red"), f": {goal - sauron} behind them"),
        Text(""),
        *(_bonuses(track, side) for side in SIDES),
    ]


def _bonuses(track: View, side: str) -> Text:
    """The bonuses that a side still has before it."""
    made = track["steps"][side]
    pairs = zip(track["bonuses"], BONUSES, strict=True)
    left = [f"{bonus['step']} {_SHORT_BONUS[b]}" for bonus, b in pairs if bonus["step"] > made]
    return Text.assemble((f"{LETTER[side]} {made}: ", f"bold {COLOUR[side]}"), "  ".join(left))


# What both sides have.


def _players(view: View, width: int) -> Lines:
    half = width // 2 - 1
    columns = [_player(view, side, half) for side in SIDES]
    height = max(map(len, columns))
    return beside([block(column, half, height) for column in columns], gap="   ")


def _player(view: View, side: str, width: int) -> Lines:
    has = view["players"][side]
    you = " (you)" if view["side"] == side else ""
    supply = f" {many(has['units'], 'unit')} {many(has['fortresses'], 'fort')}"
    return [
        Text.assemble(side_name(side), (you, "bold"), f" {has['coins']}{COIN}", (supply, "dim")),
        *_listed("Skills", _skills(has), width),
        *_listed("Races", _races(has), width),
        *_listed("Chains", has["chains"], width),
        *_listed("Landmarks", (TILES[key]["name"] for key in has["landmarks"]), width),
        *_tokens(has["tokens"], width),
        *_listed("Cards", _cards(has["cards"]), width),
        Text.assemble(("Present in ", "dim"), f"{has['presence']} of {len(REGIONS)} regions"),
    ]


def _skills(has: View) -> list[str]:
    words = [f"{name} {has['skills'][name]}" for name in SKILLS if has["skills"][name]]
    return [*words, *("/".join(options) for options in has["choices"])]


def _races(has: View) -> list[str]:
    words = [
        name.capitalize() + (f" {has['races'][name]}" if has["races"][name] > 1 else "")
        for name in RACES
        if has["races"][name]
    ]
    return [*words, f"support {has['support']} of {len(RACES)}"] if has["support"] else []


def _listed(title: str, words: Iterable[str], width: int) -> Lines:
    """A title and what belongs to it, if anything does."""
    found = list(words)
    if not found:
        return []
    named = [Text(f"{word},") for word in found[:-1]] + [Text(found[-1])]
    return flow([Text(f"{title}:", "dim"), *named], width)


def _tokens(tokens: Sequence[View], width: int) -> Lines:
    lines: Lines = []
    for token in tokens:
        words = [Text(f"{token['race'].capitalize()}:", "dim"), *map(Text, token["text"].split())]
        lines += flow(words, width)
    return lines


def _cards(cards: Sequence[View]) -> list[str]:
    """How many cards of each colour were played."""
    counts = {c: sum(card["colour"] == c for card in cards) for c in CARD_COLOUR}
    return [f"{count} {colour}" for colour, count in counts.items() if count]


# Tokens, the pile, whose turn it is.


def _stacks(view: View, width: int) -> Lines:
    words = [Text("Token stacks:", "dim")]
    for stack in view["stacks"]:
        known = f" (top: {stack['top']['text']})" if stack["top"] else ""
        count = stack["unseen"] + (stack["top"] is not None)
        words.append(Text(f"{stack['race'].capitalize()} {count}{known}"))
    lines = [Text(""), *_wrapped(words, width)]
    lines += [
        Text.assemble(("Revealed ", "bold"), f"{token['race'].capitalize()}: {token['text']}")
        for token in view["revealed"]
    ]
    discard = view["discard"]
    known = f", {len(discard['known'])} of them known" if discard["count"] else ""
    coins = "no end of coins" if view["reserve"] is None else many(view["reserve"], "coin")
    pile = many(discard["count"], "card")
    lines.append(Text(f"Discard pile: {pile}{known}. Reserve: {coins}.", "dim"))
    return lines


def _wrapped(parts: Sequence[Text], width: int) -> Lines:
    words = []
    for number, part in enumerate(parts):
        comma = "," if 0 < number < len(parts) - 1 else ""
        words += [Text(word, part.style) for word in (part.plain + comma).split(" ")]
    return flow(words, width)


def _status(view: View) -> Text:
    words = [Text(f"Chapter {view['chapter']}"), Text(f"turn {view['turns']}")]
    result = view["result"]
    if result:
        reason = REASONS[result["reason"]]
        winner = result["winner"]
        outcome = (
            Text.assemble(side_name(winner), " wins")
            if winner
            else Text("A shared victory", "bold")
        )
        return Text(" · ").join([*words, Text.assemble(outcome, f" ({reason})")])
    words.append(Text.assemble(side_name(view["turn"]), (" to play", "bold")))
    if view["extra_turns"]:
        words.append(Text("and once more", "bold"))
    return Text(" · ").join(words)
