"""Duel's table in a terminal, drawn from a view and nothing else.

Design. The display lies at the top as it does on the table, row over row: a card's lower edge is
hidden by the row that covers it, and a row of cards that are face down takes less room. What is
available has a double edge. Prices are the viewer's own; a spectator sees those of the side on
turn. Beside a price stand the skills that the card needs, by their first letters. All is 79 columns
wide.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from bree.cli.boards import duel_map
from bree.cli.boards.boxes import Lines, fit
from bree.cli.boards.duel_facts import (
    CARD_COLOUR,
    CARDS,
    COIN,
    DOOM,
    SHORT,
    SKILLS,
    TILES,
    TITLE,
    TOKENS,
    cost_words,
    letter,
)
from bree.cli.boards.duel_panels import needs_text, owner, panels, price_text
from bree.cli.boards.names import plain

View = Mapping[str, Any]

WIDTH = 79
_CARD = 13
_INNER = _CARD - 2
_LEGEND = Text("Needs: " + ", ".join(f"{letter(skill)} {skill}" for skill in SKILLS), "dim")
_COVERED, _AVAILABLE = tuple("┌─┐│└┘"), tuple("╔═╗║╚╝")


def draw(view: View) -> RenderableType:
    """The whole position as one viewer sees it."""
    lines = [fit(line, WIDTH) for line in (*_display(view), _LEGEND, *panels(view, WIDTH))]
    for line in lines:
        line.no_wrap, line.overflow = True, "crop"
    return Group(*lines)


def unite(views: Sequence[View], seat: int = 0) -> View:
    """All that the seats together see, drawn as for `seat`; for games that are over."""
    known = {card["card"]: card for view in views for card in view["discard"]["known"]}
    return {**views[seat], "discard": {**views[seat]["discard"], "known": list(known.values())}}


# The display.


def _display(view: View) -> Lines:
    rows: dict[int, list[View]] = {}
    for slot in view["display"]:
        if not slot["taken"]:
            rows.setdefault(slot["row"], []).append(slot)
    lines: Lines = []
    for row, slots in sorted(rows.items()):
        height = _height(slots)
        cards = [(_left(slot["x"]), _card(view, slot, height)) for slot in slots]
        lines += [_row(cards, line) for line in range(height)]
        if row + 1 not in rows or not _lies_under(slots):
            lines.append(_row(cards, height))
    return lines


def _height(slots: Sequence[View]) -> int:
    """How many lines of a row are seen though the next one lies over it."""
    shown = [SHORT[slot["card"]["card"]] for slot in slots if slot["card"]]
    if not shown:
        return 2
    return 4 if any(short.chain for short in shown) else 3


def _lies_under(slots: Sequence[View]) -> bool:
    """Whether each of these cards is covered, so that no lower edge is seen."""
    return all(slot["covered_by"] for slot in slots)


def _left(x: int) -> int:
    """The column where a card begins; a card is two halves wide."""
    return (WIDTH - _CARD + x * _CARD) // 2


def _row(cards: Sequence[tuple[int, Lines]], line: int) -> Text:
    text = Text()
    for left, card in sorted(cards, key=lambda card: card[0]):
        text.append(" " * (left - text.cell_len))
        text.append_text(card[line])
    return text


def _card(view: View, slot: View, height: int) -> Lines:
    """`height` lines and the lower edge: price and skills, name, effect, the chain it gives."""
    left, line, right, side, low, high = _AVAILABLE if slot["available"] else _COVERED
    card = slot["card"]
    if card is None:
        edge = "dim"
        top, bodies = Text(line * _INNER, edge), [Text("░" * _INNER, edge)] * (height - 1)
    else:
        edge = CARD_COLOUR[card["colour"]]
        top = _tag(view, card, line, edge)
        short = SHORT[card["card"]]
        chain = f"»{short.chain}" if short.chain else ""
        effect = Text(short.effect, "bold" if slot["available"] else "")
        bodies = [Text(card["name"], edge), effect, Text(chain, edge)][: height - 1]
    middle = [Text.assemble((side, edge), fit(body, _INNER), (side, edge)) for body in bodies]
    bottom = Text(f"{low}{line * _INNER}{high}", edge)
    return [Text.assemble((left, edge), top, (right, edge)), *middle, bottom]


def _tag(view: View, card: View, line: str, edge: str) -> Text:
    """The upper edge: what the card costs today, and the skills that it needs."""
    price = card["prices"][owner(view)]
    coins, needs = price_text(price), needs_text(card["skills"], price)
    gap = _INNER - coins.cell_len - needs.cell_len
    return Text.assemble(coins, (line * gap, edge), needs)


# The map.

pages = duel_map.drawn


def legend() -> list[tuple[str, str]]:
    """All signs of the drawing and of the map."""
    return [*_SIGNS, *duel_map.legend()]


_SIGNS = [
    ("╔═╗ ║", "a card that may be taken now"),
    ("┌─┐", "a card that others cover"),
    ("░░░", "a card that lies face down"),
    (f"3{COIN} free", "what it costs you today, in coins; nothing, by a chain"),
    *((letter(skill), f"{skill}: a skill that it needs") for skill in SKILLS),
    ("»horseshoe", "a chain symbol that it gives"),
    (f"+2{COIN} -2{COIN}", "coins that it gives you, coins that it takes from the other side"),
    ("quest 2", "steps on the track of the Ring"),
    ("2 Gon/Roh", "units for either of two regions, by their first letters"),
    ("2→ 2×", "movements of units, enemy units that are removed"),
    (f"F N {DOOM}", "on the track: Frodo and Sam, the Nazgûl, Mount Doom"),
]


# What is printed.


def about(view: View, words: str) -> list[tuple[str, str]]:
    """The cards, landmarks and tokens that these words name; with no words, what may be taken."""
    shown = [slot["card"] for slot in view["display"] if slot["card"]]
    free = [slot["card"] for slot in view["display"] if slot["available"] and slot["card"]]
    tiles = [(_tile_title(tile), tile["text"]) for tile in view["landmarks"]]
    if not words.split():
        return [*((_title(card), _text(card)) for card in free), *tiles]
    tokens = [
        (f"{token['race'].capitalize()} token: {TOKENS[token['token']]['name']}", token["text"])
        for token in _tokens(view)
    ]
    printed = [*((_title(card), _text(card)) for card in shown), *tiles, *tokens, *_played(view)]
    named = plain(words).split()
    found = [
        (t, text) for t, text in printed if all(word in plain(f"{t} {text}") for word in named)
    ]
    return [*duel_map.about(view, words), *found]


def _title(card: View) -> str:
    return f"{card['name']} ({card['colour']}), cost {cost_words(card['coins'], card['skills'])}"


def _text(card: View) -> str:
    words = [str(card["text"])]
    if card["chain_from"]:
        words.append(f"free with the {card['chain_from']}")
    if card["chain_to"]:
        words.append(f"gives the {card['chain_to']}")
    return "; ".join(words)


def _tile_title(tile: View) -> str:
    return f"{tile['name']}, cost {cost_words(0, TILES[tile['landmark']]['skills'])} and surcharge"


def _tokens(view: View) -> list[View]:
    """Every token that lies open."""
    kept = [token for has in view["players"].values() for token in has["tokens"]]
    tops = [stack["top"] for stack in view["stacks"] if stack["top"]]
    return [*view["revealed"], *kept, *tops]


def _played(view: View) -> list[tuple[str, str]]:
    """The cards of the play areas and the known ones of the pile."""
    places = {f"played by {TITLE[side]}": has["cards"] for side, has in view["players"].items()}
    places["in the discard pile"] = view["discard"]["known"]
    return [
        (f"{CARDS[card['card']]['name']} ({card['colour']})", f"{place}: {_printed(card['card'])}")
        for place, cards in places.items()
        for card in cards
    ]


def _printed(key: str) -> str:
    chain = SHORT[key].chain
    return SHORT[key].effect + (f"; gives the {chain}" if chain else "")
