"""Every action as a sentence: what it would do."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from services.core.decisions import Action, Seat
from services.core.frames import Game
from services.duel.board import REGION_COUNT, Board
from services.duel.play.armies import PlaceUnits
from services.duel.play.cost import card_price, discard_income, is_chained, tile_price
from services.duel.play.discards import PlayFromDiscard
from services.duel.tables import (
    BONUS_AT,
    BONUS_EFFECTS,
    CARD_NAMES,
    CHAIN_FROM,
    CHAINS,
    MANEUVERS,
    REGION_NAMES,
    TILE_NAMES,
    TOKEN_RACE,
)
from services.duel.words.printed import (
    card_needs,
    card_text,
    effect_text,
    listed,
    many,
    race_name,
    tile_needs,
    tile_text,
    token_name,
    token_text,
)

G = Game[Board]


def sentence(g: G, seat: Seat, action: Action) -> str:
    """What an action would do."""
    return SENTENCES[action.verb](g, seat, action.nouns)


Nouns = tuple[int, ...]


def _coins(price: int) -> str:
    return f"for {many(price, 'coin')}" if price else "for nothing"


def _needing(needs: str) -> str:
    return f"; it needs {needs}" if needs else ""


def _play(g: G, seat: Seat, nouns: Nouns) -> str:
    (card,) = nouns
    name, text = CARD_NAMES[card], card_text(card)
    if isinstance(g.question(), PlayFromDiscard):
        return f"Play {name} from the discard pile: {text}."
    price = _coins(card_price(g.board, seat, card))
    if is_chained(g.board, seat, card):
        price = f"free through the {CHAINS[CHAIN_FROM[card]]}"
    return f"Play {name} {price}: {text}{_needing(card_needs(card))}."


def _discard(g: G, seat: Seat, nouns: Nouns) -> str:
    b = g.board
    coins = discard_income(b, seat)
    if b.settings.limited:
        coins = min(coins, b.reserve)
    return f"Discard {CARD_NAMES[nouns[0]]} {_coins(coins)}."


def _landmark(g: G, seat: Seat, nouns: Nouns) -> str:
    (tile,) = nouns
    price = _coins(tile_price(g.board, seat, tile))
    return f"Take {TILE_NAMES[tile]} {price}: {tile_text(tile)}{_needing(tile_needs(tile))}."


def _advance(g: G, seat: Seat, nouns: Nouns) -> str:
    (steps,) = nouns
    before = g.board.quest[seat]
    gains = [
        f" ({effect_text(bonus)})"
        for at, bonus in zip(BONUS_AT, BONUS_EFFECTS, strict=True)
        if before < at <= before + steps
    ]
    return f"Advance {many(steps, 'quest step')}, to step {before + steps}{''.join(gains)}."


def _place(g: G, seat: Seat, nouns: Nouns) -> str:
    b, asked = g.board, g.question()
    units = min(asked.units, b.supply[seat]) if isinstance(asked, PlaceUnits) else 1
    return f"Place {many(units, 'unit')} in {REGION_NAMES[nouns[0]]}{_against(g, seat, nouns[0])}."


def _move(g: G, seat: Seat, nouns: Nouns) -> str:
    start, to = nouns
    ways = f"from {REGION_NAMES[start]} to {REGION_NAMES[to]}"
    return f"Move a unit {ways}{_against(g, seat, to)}."


def _against(g: G, seat: Seat, region: int) -> str:
    enemies = g.board.units[(1 - seat) * REGION_COUNT + region]
    return f", against {many(enemies, 'enemy unit')}" if enemies else ""


PASSES = {
    "turn.again": "Leave the next turn to your opponent.",
    "armies.place": "Place no units.",
    "armies.place_freely": "Place no more units.",
    "armies.build": "Build no fortress.",
    "armies.move": "Make no more movements.",
    "armies.remove": "Remove no more units.",
    "armies.raze": "Remove no fortress.",
    "quest.advance": "Make no steps.",
    "alliance.race": "Choose no race.",
    "alliance.three": "Wait for another race.",
    "discard.play": "Play none of these cards.",
    "discard.strip": "Leave your opponent every grey card.",
    "maneuver.choose": "Make no more maneuvers.",
}


def _pass(g: G, seat: Seat, nouns: Nouns) -> str:
    asked = g.question()
    assert asked is not None
    return PASSES[asked.prompt]


def _maneuver(g: G, seat: Seat, nouns: Nouns) -> str:
    return f"Maneuver: {effect_text(MANEUVERS[nouns[0]])}."


SENTENCES: Mapping[str, Callable[[G, Seat, Nouns], str]] = {
    "deal": lambda g, s, n: f"Turn up {CARD_NAMES[n[0]]}.",
    "set_aside": lambda g, s, n: f"Set {CARD_NAMES[n[0]]} aside.",
    "turn_up": lambda g, s, n: f"Turn up {TILE_NAMES[n[0]]}.",
    "draw": lambda g, s, n: f"Draw {token_name(n[0])}.",
    "discard": _discard,
    "play": _play,
    "landmark": _landmark,
    "again": lambda g, s, n: "Take another turn.",
    "pass": _pass,
    "advance": _advance,
    "build": lambda g, s, n: f"Build a fortress in {REGION_NAMES[n[0]]}.",
    "place": _place,
    "move": _move,
    "remove": lambda g, s, n: f"Remove a unit from {REGION_NAMES[n[0]]}.",
    "raze": lambda g, s, n: f"Remove the fortress from {REGION_NAMES[n[0]]}.",
    "keep": lambda g, s, n: f"Keep the {race_name(TOKEN_RACE[n[0]])} token: {token_text(n[0])}.",
    "call": lambda g, s, n: f"Choose a token of the {race_name(n[0])}.",
    "unite": lambda g, s, n: f"Unite {listed(map(race_name, n), 'and')}.",
    "strip": lambda g, s, n: f"Your opponent loses {CARD_NAMES[n[0]]}: {card_text(n[0])}.",
    "maneuver": _maneuver,
}
