"""What one seat may see, gathered in one place (RULES 11). Nothing is shown unless it is put here.

Nearly everything lies open. Hidden are the cards that are face down, the stacks, and the cards set
aside in this chapter from who has not looked through the discard pile.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from services.core.decisions import Seat
from services.core.frames import Game
from services.duel.board import (
    FACE_DOWN,
    IN_BAG,
    IN_STACK,
    KEPT,
    OFFERED,
    ON_TOP,
    OWNED,
    RACE_COUNT,
    REGION_COUNT,
    SHARED,
    SKILL_COUNT,
    TAKEN,
    UNDECIDED,
    Board,
)
from services.duel.play.alliance import revealed
from services.duel.play.cost import (
    card_price,
    discard_income,
    is_chained,
    missing,
    short_of,
    surcharge,
    tile_price,
)
from services.duel.play.ending import support
from services.duel.tables import (
    ADJACENT,
    BONUS_AT,
    BONUS_EFFECTS,
    CARD_NAMES,
    CARDS,
    CHAIN_FROM,
    CHAIN_TO,
    CHAINS,
    CHOICE_OF,
    CHOICES,
    COINS,
    COLOUR,
    COLOURS,
    COVERED_BY,
    GOAL,
    NEEDS,
    NONE,
    RACES,
    REGIONS,
    SIDES,
    SKILLS,
    SLOT_AT,
    SLOTS,
    TILE_AT,
    TILE_NAMES,
    TILE_NEEDS,
    TILES,
    TOKEN_RACE,
    TOKENS,
    available,
)
from services.duel.words.printed import card_text, effect_text, tile_text, token_text

G = Game[Board]
View = Mapping[str, object]
Needs = tuple[tuple[int, int], ...]
"""Skills, each with how many symbols of it."""


def view(g: G, seat: Seat | None) -> View:
    """Everything that a seat, or a spectator, may know."""
    b = g.board
    free = available(b.chapter, b.left)
    return {
        "side": None if seat is None else SIDES[seat],
        "chapter": b.chapter,
        "turn": SIDES[b.turn],
        "turns": b.turns,
        "extra_turns": b.extra,
        "display": [_slot(b, slot, is_free=slot in free) for slot in range(SLOTS)],
        "landmarks": [_tile(b, t) for t, where in enumerate(b.tiles) if where == OFFERED],
        "landmark_stack": b.tiles.count(IN_STACK),
        "regions": [_region(b, region) for region in range(REGION_COUNT)],
        "track": _track(b),
        "stacks": [_stack(b, race) for race in range(RACE_COUNT)],
        "revealed": [_token(token) for token in revealed(b)],
        "players": _by_side(lambda side: _player(b, side)),
        "reserve": b.reserve if b.settings.limited else None,
        "discard": _discard(b, seat),
        "options": dict(b.settings.options),
        "result": _result(b),
    }


def _by_side(of: Callable[[int], object]) -> dict[str, object]:
    return {name: of(side) for side, name in enumerate(SIDES)}


def _name(names: tuple[str, ...], number: int) -> str | None:
    return None if number == NONE else names[number]


def _bits(names: tuple[str, ...], chosen: int) -> list[str]:
    return [name for number, name in enumerate(names) if chosen >> number & 1]


# The display and the landmarks.


def _slot(b: Board, slot: int, *, is_free: bool) -> dict[str, object]:
    """A place of the display, what covers it now, and the card if it is face up."""
    face, layout = b.display[slot], b.chapter - 1
    row, x = SLOT_AT[layout][slot]
    return {
        "slot": slot,
        "row": row,
        "x": x,
        "taken": face == TAKEN,
        "covered_by": [over for over in COVERED_BY[layout][slot] if b.left >> over & 1],
        "available": is_free,
        "card": _face(b, face) if face < FACE_DOWN else None,
    }


def _face(b: Board, card: int) -> dict[str, object]:
    return {**_printed(card), "prices": _by_side(lambda side: _card_price(b, side, card))}


@cache
def _printed(card: int) -> Mapping[str, object]:
    return {
        "card": CARDS[card],
        "name": CARD_NAMES[card],
        "colour": COLOURS[COLOUR[card]],
        "coins": COINS[card],
        "skills": _skills(NEEDS[card]),
        "chain_from": _name(CHAINS, CHAIN_FROM[card]),
        "chain_to": _name(CHAINS, CHAIN_TO[card]),
        "text": card_text(card),
    }


def _skills(symbols: Needs) -> dict[str, int]:
    return {SKILLS[skill]: count for skill, count in symbols}


def _card_price(b: Board, side: int, card: int) -> dict[str, object]:
    if is_chained(b, side, card):
        return {**_price(b, side, 0, ()), "chained": True}
    return _price(b, side, card_price(b, side, card), NEEDS[card])


def _price(b: Board, side: int, coins: int, needs: Needs) -> dict[str, object]:
    return {
        "coins": coins,
        "missing": missing(b, side, needs),
        "chained": False,
        "affordable": coins <= b.coins[side],
        "short": _skills(short_of(b, side, needs)),
    }


def _tile(b: Board, tile: int) -> dict[str, object]:
    return {
        "landmark": TILES[tile],
        "name": TILE_NAMES[tile],
        "region": REGIONS[TILE_AT[tile]],
        "skills": _skills(TILE_NEEDS[tile]),
        "text": tile_text(tile),
        "prices": _by_side(
            lambda side: _price(b, side, tile_price(b, side, tile), TILE_NEEDS[tile])
        ),
    }


# The middle of the table.


def _region(b: Board, region: int) -> dict[str, object]:
    fort = b.forts[region]
    return {
        "region": REGIONS[region],
        "borders": [REGIONS[near] for near in ADJACENT[region]],
        "units": _by_side(lambda side: b.units[side * REGION_COUNT + region]),
        "fortress": SIDES[fort - 1] if fort else None,
    }


def _track(b: Board) -> dict[str, object]:
    return {
        "goal": GOAL,
        "steps": _by_side(lambda side: b.quest[side]),
        "bonuses": [
            {"step": step, "text": effect_text(bonus)}
            for step, bonus in zip(BONUS_AT, BONUS_EFFECTS, strict=True)
        ],
    }


def _stack(b: Board, race: int) -> dict[str, object]:
    """A race's tokens that are in its stack; the one that was put back on top is known to all."""
    top = b.race_tokens(race, ON_TOP)
    return {
        "race": RACES[race],
        "unseen": len(b.race_tokens(race, IN_BAG)),
        "top": _token(top[0]) if top else None,
    }


def _token(token: int) -> dict[str, object]:
    return {
        "token": TOKENS[token],
        "race": RACES[TOKEN_RACE[token]],
        "text": token_text(token),
    }


def _discard(b: Board, seat: Seat | None) -> dict[str, object]:
    """How many cards were discarded, and those of them that the viewer knows."""
    known = sorted((*b.discard, *(b.aside if b.knows_aside(seat) else ())))
    return {
        "count": len(b.discard) + len(b.aside),
        "known": [_card(card) for card in known],
        "searched": _by_side(b.knows_aside),
    }


def _card(card: int) -> dict[str, object]:
    return {"card": CARDS[card], "colour": COLOURS[COLOUR[card]]}


# The play areas.


def _player(b: Board, side: int) -> dict[str, object]:
    return {
        "coins": b.coins[side],
        "cards": [_card(card) for card in b.areas[side]],
        "skills": {name: b.skills[side * SKILL_COUNT + skill] for skill, name in enumerate(SKILLS)},
        "choices": [
            _bits(SKILLS, CHOICE_OF[card])
            for number, card in enumerate(CHOICES)
            if b.choices[side] >> number & 1
        ],
        "chains": _bits(CHAINS, b.chains[side]),
        "races": {name: b.races[side * RACE_COUNT + race] for race, name in enumerate(RACES)},
        "support": support(b, side),
        "three_races": bool(b.trio[side]),
        "tokens": [_token(t) for t, where in enumerate(b.tokens) if where == KEPT + side],
        "landmarks": [TILES[t] for t, where in enumerate(b.tiles) if where == OWNED + side],
        "units": b.supply[side],
        "fortresses": REGION_COUNT - b.fortresses(side),
        "presence": b.presence(side),
        "discard_income": discard_income(b, side),
        "surcharge": surcharge(b, side),
    }


def _result(b: Board) -> dict[str, object] | None:
    if b.result == UNDECIDED:
        return None
    return {"winner": None if b.result == SHARED else SIDES[b.result], "reason": b.reason}
