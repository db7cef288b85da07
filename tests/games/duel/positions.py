"""Positions of Duel for Middle-earth in words, each at the main choice of a turn.

given  chapter 2                       # without this: 1
given  option coins unlimited
given  turn fellowship                 # without this: Sauron
given  display gimli, orcs             # these are available, and nothing else lies in the display
given  slot 15: face_down; slot 18: ballista
given  bag saruman, gandalf            # what may be turned up where a card is face down
given  aside imrahil, fellowship, orcs # set aside in this chapter
given  searched fellowship             # has looked at these
given  fellowship: legolas, gimli      # the cards it has played
given  coins fellowship 7
given  army sauron: rohan 2, gondor 1  # all of its units; without this: as at the start
given  fortress sauron: gondor         # and its tile is Sauron's
given  fallen sauron: gondor           # its tile is Sauron's, the fortress was removed
given  landmarks bree, erebor          # face up
given  token sauron: hobbits_eagle
given  top elves_wild_skill            # put back on top of its stack
given  quest fellowship 5
given  trio fellowship                 # has made its alliance of three races

Lines may be joined by semicolons. Cards of the chapter or of earlier ones that no line names lie in
the discard pile; three of the chapter's, set aside, if no line says which.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from services.core.contract import Rules
from services.core.frames import Game
from services.duel.board import FACE_DOWN, KEPT, OFFERED, ON_TOP, OWNED, REGION_COUNT, TAKEN, Board
from services.duel.play.turn import Match
from services.duel.tables import (
    CARD,
    CHAPTER,
    DECKS,
    REGION,
    SAURON,
    SET_ASIDE,
    SIDES,
    TILE,
    TILE_AT,
    TOKEN,
    UNITS,
)
from tests.games.duel.facts import assert_fact

ROOM = {1: range(14, 20), 2: range(6), 3: range(11, 15)}
"""Where cards that are just available lie: in the widest row of each layout."""


@dataclass
class Sketch:
    """What the lines of a position say, read but not yet checked against each other."""

    options: dict[str, str] = field(default_factory=dict)
    chapter: int = 1
    turn: int = SAURON
    slots: dict[int, int] = field(default_factory=dict)
    display: list[int] = field(default_factory=list)
    bag: list[int] = field(default_factory=list)
    aside: list[int] | None = None
    searched: int = 0
    areas: tuple[list[int], list[int]] = field(default_factory=lambda: ([], []))
    changes: list[tuple[str, list[str]]] = field(default_factory=list)


def options(lines: Sequence[str]) -> dict[str, str]:
    """The options that the lines name."""
    return _sketch(lines).options


def given(rules: Rules[Board], lines: Sequence[str]) -> Game[Board]:
    """The position that the lines describe."""
    sketch = _sketch(lines)
    game = rules.setup(rules.agree(sketch.options))
    b = game.board
    b.chapter, b.turn, b.turns = sketch.chapter, sketch.turn, 1
    _lay_out(b, sketch)
    for what, words in sketch.changes:
        _CHANGES[what](b, words)
    game.stack = [Match(at=Match.index_of["choose"])]
    game.advance()
    game.events.clear()
    rules.audit(game)
    return game


def then(rules: Rules[Board], game: Game[Board], line: str) -> None:
    """Assert that a position is as the line says."""
    assert_fact(rules, game, line)


# Reading.


def _sketch(lines: Sequence[str]) -> Sketch:
    sketch = Sketch()
    for line in lines:
        for part in line.split(";"):
            _read(sketch, part.replace(",", " ").replace(":", " : ").split())
    return sketch


def _read(sketch: Sketch, words: list[str]) -> None:
    match words:
        case ["chapter", ("1" | "2" | "3") as number]:
            sketch.chapter = int(number)
        case ["option", name, value]:
            sketch.options[name] = value
        case ["turn", ("fellowship" | "sauron") as side]:
            sketch.turn = SIDES.index(side)
        case ["searched", ("fellowship" | "sauron") as side]:
            sketch.searched |= 1 << SIDES.index(side)
        case [what, *rest] if what in _CHANGES and rest:
            sketch.changes.append((what, [word for word in rest if word != ":"]))
        case _:
            _read_cards(sketch, words)


def _read_cards(sketch: Sketch, words: list[str]) -> None:
    match words:
        case ["display", *cards] if cards:
            sketch.display += _cards(cards)
        case ["slot", number, ":", card]:
            sketch.slots[int(number)] = FACE_DOWN if card == "face_down" else _of(CARD, card)
        case ["bag", *cards] if cards:
            sketch.bag += _cards(cards)
        case ["aside", *cards] if cards:
            sketch.aside = _cards(cards)
        case [("fellowship" | "sauron") as side, ":", *cards] if cards:
            sketch.areas[SIDES.index(side)].extend(_cards(cards))
        case _:
            raise ValueError(f"{' '.join(words)!r} is no line of a position")


def _of(ids: dict[str, int], name: str) -> int:
    if name not in ids:
        raise ValueError(f"there is no {name!r}")
    return ids[name]


def _cards(names: Iterable[str]) -> list[int]:
    return [_of(CARD, name) for name in names]


# Building.


def _lay_out(b: Board, sketch: Sketch) -> None:
    """Put every card of this chapter and of earlier ones somewhere."""
    slots = {**sketch.slots, **dict(zip(ROOM[b.chapter], sketch.display, strict=False))}
    if len(slots) < len(sketch.slots) + len(sketch.display):
        raise ValueError("there is no room for so many cards in the display")
    for slot in range(len(b.display)):
        b.display[slot] = slots.get(slot, TAKEN)
    b.left = sum(1 << slot for slot in slots)
    for side, cards in enumerate(sketch.areas):
        for card in cards:
            b.add_card(side, card)
    placed = [*(c for c in slots.values() if c != FACE_DOWN), *b.areas[0], *b.areas[1]]
    placed += [*sketch.bag, *(sketch.aside or ())]
    if len(set(placed)) < len(placed):
        raise ValueError("a card is in two places")
    unnamed = [card for card in DECKS[b.chapter] if card not in placed]
    hidden = list(slots.values()).count(FACE_DOWN)
    bag = sketch.bag + [unnamed.pop(0) for _ in range(hidden - len(sketch.bag))]
    aside = sketch.aside
    if aside is None:
        aside = [unnamed.pop(0) for _ in range(min(SET_ASIDE, len(unnamed)))]
    b.bag, b.aside = bytearray(sorted(bag)), bytearray(sorted(aside))
    earlier = [c for c in range(len(CARD)) if CHAPTER[c] < b.chapter and c not in placed]
    b.discard = bytearray([*earlier, *unnamed])
    b.looked = sketch.searched


def _coins(b: Board, words: list[str]) -> None:
    side, coins = words
    b.coins[SIDES.index(side)] = int(coins)


def _army(b: Board, words: list[str]) -> None:
    side, *pairs = words
    base = SIDES.index(side) * REGION_COUNT
    b.units[base : base + REGION_COUNT] = bytes(REGION_COUNT)
    for region, units in zip(pairs[::2], pairs[1::2], strict=True):
        b.units[base + _of(REGION, region)] = int(units)
    b.supply[SIDES.index(side)] = UNITS - sum(b.units[base : base + REGION_COUNT])


def _fortress(b: Board, words: list[str], *, stands: bool = True) -> None:
    side, *regions = words
    for region in regions:
        place = _of(REGION, region)
        b.forts[place] = SIDES.index(side) + 1 if stands else 0
        b.tiles[TILE_AT.index(place)] = OWNED + SIDES.index(side)


def _landmarks(b: Board, words: list[str]) -> None:
    for tile in words:
        b.tiles[_of(TILE, tile)] = OFFERED


def _token(b: Board, words: list[str]) -> None:
    side, *tokens = words
    for token in tokens:
        b.tokens[_of(TOKEN, token)] = KEPT + SIDES.index(side)


def _top(b: Board, words: list[str]) -> None:
    for token in words:
        b.tokens[_of(TOKEN, token)] = ON_TOP


def _quest(b: Board, words: list[str]) -> None:
    side, steps = words
    b.quest[SIDES.index(side)] = int(steps)


def _trio(b: Board, words: list[str]) -> None:
    b.trio[SIDES.index(words[0])] = 1


_CHANGES = {
    "coins": _coins,
    "army": _army,
    "fortress": _fortress,
    "fallen": lambda b, words: _fortress(b, words, stands=False),
    "landmarks": _landmarks,
    "token": _token,
    "top": _top,
    "quest": _quest,
    "trio": _trio,
}
