"""Positions of Risk in words, each at a step of somebody's turn.

given  players 3; option cap_dice_at_6 true
given  turn red; at fellowship                 # start, reinforce, combat, fortify, cards, leader
given  yellow: the_shire 3 leader, buckland 2  # a number, and a Leader if there is one
given  rest red 1                              # who holds all others, and how many in each
given  yellow holds power_ambush mission_bree  # Adventure cards
given  yellow deeds forlindon wild_1           # Territory cards
given  yellow played power_gollum
given  yellow asks attacked fellowship         # when it is asked for cards; `keeps missions`
given  yellow secret moria                     # of a Local Uprising
given  discard power_ambush; spent forlindon   # of the Adventure deck; of the Territory deck
given  only power_ambush                       # no other Adventure card is left in the deck
given  ring moria
given  effect corsairs red; effect bridge bridge_01 red; effect storms moria red
given  conquered; sited; extra 1

Lines may be joined by semicolons. Without any territory the game is at its setup.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from services.core.contract import Rules
from services.core.frames import Game
from services.risk.board import BLOCK, CORSAIRS, STORMS, Board
from services.risk.play.orders import ATTACKED, FELLOWSHIP, KEEPS, may_change, replace_orders
from services.risk.play.setup import Match
from services.risk.play.turn import Turn
from services.risk.tables import (
    ADVENTURE,
    BRIDGES,
    LANDS,
    NEUTRAL,
    NOBODY,
    PATH,
    TERRITORY,
    TERRITORY_CARDS,
    bits,
    mask,
)
from tests.games.risk.facts import assert_fact

STEPS = {
    "start": "begin",
    "reinforce": "reinforce",
    "combat": "combat",
    "fortify": "fortify",
    "cards": "earn_territory_card",
    "leader": "replace_leader",
    "fellowship": "fellowship",
}


@dataclass
class Sketch:
    """What the lines of a position say."""

    options: dict[str, str] = field(default_factory=lambda: {"players": "2"})
    lands: list[tuple[str, str]] = field(default_factory=list)  # an army and what it holds
    rest: tuple[str, int] = ("neutral", 2)
    said: list[list[str]] = field(default_factory=list)
    turn: str = "yellow"
    step: str = "combat"


def options(lines: Sequence[str]) -> dict[str, str]:
    """The options that the lines name."""
    return _sketch(lines).options


def given(rules: Rules[Board], lines: Sequence[str]) -> Game[Board]:
    """The position that the lines describe."""
    sketch = _sketch(lines)
    game = rules.setup(rules.agree(sketch.options))
    if sketch.lands:
        _arrange(game.board, sketch)
        turn = Turn(at=Turn.index_of[STEPS[sketch.step]])
        game.stack = [Match(at=Match.index_of["next_turn"]), turn]
        game.advance()
        game.events.clear()
        rules.audit(game)
    return game


def then(rules: Rules[Board], game: Game[Board], line: str) -> None:
    """Assert that a position is as the line says."""
    assert_fact(rules, game, line)


def _sketch(lines: Sequence[str]) -> Sketch:
    sketch = Sketch()
    for line in lines:
        for part in line.split(";"):
            _read(sketch, part.strip())
    return sketch


def _read(sketch: Sketch, line: str) -> None:
    army, colon, lands = line.partition(":")
    if colon:
        sketch.lands += [(army, land.strip()) for land in lands.split(",")]
        return
    match line.split():
        case ["players", number]:
            sketch.options["players"] = number
        case ["option", name, value]:
            sketch.options[name] = value
        case ["turn", seat]:
            sketch.turn = seat
        case ["at", step] if step in STEPS:
            sketch.step = step
        case ["rest", army, number]:
            sketch.rest = (army, int(number))
        case [*words] if words:
            sketch.said.append(words)
        case _:
            raise ValueError(f"{line!r} is no line of a position")


def _arrange(b: Board, sketch: Sketch) -> None:
    names = (*b.settings.seats, "neutral")
    for land in range(LANDS):  # some may have been dealt already
        b.give(land, NOBODY, 0)
    for army, text in sketch.lands:
        name, number, *leader = text.split()
        b.give(TERRITORY[name], _army(names, army), int(number))
        if leader == ["leader"]:
            b.led |= 1 << TERRITORY[name]
        elif leader:
            raise ValueError(f"{text!r} is not held so")
    army, number = sketch.rest
    for land in bits(b.held[NOBODY]):
        b.give(land, _army(names, army), number)
    b.reserve = (0,) * len(b.territory_cards)
    b.number, b.moves_left = 1, 1
    b.turn = _army(names, sketch.turn)
    for words in sketch.said:
        _say(b, words)


def _army(names: tuple[str, ...], name: str) -> int:
    return NEUTRAL if name == "neutral" else names.index(name)


def _cards(names: Sequence[str]) -> list[int]:
    return [ADVENTURE[name] for name in names]


def _deeds(names: Sequence[str]) -> list[int]:
    return [TERRITORY_CARDS.index(name) for name in names]


def _say(b: Board, words: list[str]) -> None:
    first, *rest = words
    if first in b.settings.seats:
        _hold(b, b.settings.seats.index(first), rest[0], rest[1:])
    elif first == "effect":
        _effect(b, rest[0], rest[1:-1], b.settings.seats.index(rest[-1]))
    elif first in _FLAGS:
        setattr(b, _FLAGS[first], int(rest[0]) if rest else 1)
    elif first == "ring":
        b.ring = PATH.index(TERRITORY[rest[0]])
    elif first in ("discard", "spent"):
        for name in rest:
            turn = b.turn_over_adventure if first == "discard" else b.turn_over_territory_card
            turn((ADVENTURE if first == "discard" else DEED)[name])
    else:
        _only(b, first, rest)


DEED = {name: number for number, name in enumerate(TERRITORY_CARDS)}
_ORDERS = {"attacked": ATTACKED, "fellowship": FELLOWSHIP, "missions": KEEPS}
_FLAGS = {"conquered": "conquered", "sited": "sited", "extra": "extra_cards"}


def _only(b: Board, what: str, names: list[str]) -> None:
    """All other cards of a deck lie elsewhere: Adventure cards out of the game, deeds discarded."""
    if what == "only":
        kept = mask(_cards(names))
        b.removed |= b.deck & ~kept
        b.deck &= kept
    elif what == "only_deeds":
        kept = mask(_deeds(names))
        b.territory_discard |= b.territory_deck & ~kept
        b.territory_deck &= kept
    else:
        raise ValueError(f"{what!r} begins no line of a position")


def _effect(b: Board, kind: str, of: list[str], seat: int) -> None:
    if kind == "storms":
        b.begin_effect(STORMS, mask(TERRITORY[name] for name in of), seat)
    elif kind == "bridge":
        b.begin_effect(BLOCK, BRIDGES.index(of[0]), seat)
    elif kind == "corsairs":
        b.begin_effect(CORSAIRS, 0, seat)
    else:
        raise ValueError(f"there is no effect {kind!r}")


def _hold(b: Board, seat: int, what: str, names: list[str]) -> None:
    if what == "holds":
        for card in _cards(names):
            b.draw_adventure(seat, card)
    elif what == "played":
        for card in _cards(names):
            b.draw_adventure(seat, card)
            b.play_adventure(seat, card)
    elif what == "deeds":
        for card in _deeds(names):
            b.draw_territory_card(seat, card)
    elif what in ("asks", "keeps"):
        may_change(b, seat)
        replace_orders(b, seat, b.orders[seat] | sum(_ORDERS[name] for name in names))
    elif what == "secret":
        for card in _deeds(names):
            b.keep_secret(seat, card)
    else:
        raise ValueError(f"nobody {what} anything")
