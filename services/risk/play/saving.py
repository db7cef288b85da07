"""A board as whole numbers, strings and lists of these, and back.

Design. Holders are one string with a digit for each territory, battalions one with two hexadecimal
digits for each, or four, or eight. Every entry of a record has a digest of the gist, which is what
is quickest to make.
"""

from __future__ import annotations

from functools import lru_cache
from operator import attrgetter
from struct import Struct
from typing import Any

from services.core.canonical import canonical
from services.core.errors import Invalid
from services.core.saving import number, numbers, parts, word
from services.risk.board import CORSAIRS, REASONS, STORMS, Board, Lasting, Secret
from services.risk.settings import Settings
from services.risk.tables import (
    ALL_ADVENTURES,
    ALL_LANDS,
    ALL_TERRITORY_CARDS,
    BRIDGES,
    LANDS,
    MOUNT_DOOM,
    NOBODY,
    TERRITORY_CARDS,
)

_MOST = 2**32 - 1  # battalions anywhere
_DIGITS = bytes(48 + holder % 10 for holder in range(256))
_ORDERS = 15  # of a seat, all at once


def dump(b: Board) -> list[Any]:
    """The board, such that `load` makes it again."""
    return [
        b.settings.text,
        b.owner.translate(_DIGITS).decode(),
        _battalions(b),
        [b.led, b.ring, b.turn, b.number],
        [b.conquered, b.sited, b.extra_cards, b.moves_left],
        [b.boons, b.roll_more],
        [b.locked, b.rested, b.stands, b.stands_seen],
        [list(b.reserve), list(b.gone), list(b.placing), b.reason],
        [list(effect) for effect in b.lasting],
        [b.territory_deck, b.territory_discard, *b.territory_cards],
        [list(b.territory_pools), list(b.territory_seen)],
        [list(secret) for secret in b.secrets],
        [b.deck, b.discard, b.removed, *b.hands],
        [list(b.pools), list(b.played)],
        [list(b.orders), list(b.orders_maybe)],
    ]


def gist(b: Board) -> str:
    """All of it in canonical form, such that boards that differ have gists that do.

    Cards and turn stay as they are for many decisions, and so do their texts.
    """
    lands = f'"{b.owner.hex()}","{_armies(*b.army).hex()}"'
    return f"[{_written(b.settings.text)},{lands},{_written(_cards(b))},{_written(_turn(b))}]"


CARDS = (
    "territory_cards", "territory_deck", "territory_discard", "territory_pools", "territory_seen",
    "secrets", "hands", "deck", "discard", "played", "removed", "pools",
)  # fmt: skip
TURN = (
    "led", "ring", "reserve", "turn", "number", "gone", "conquered", "sited", "extra_cards",
    "moves_left", "boons", "roll_more", "locked", "rested", "stands",
    "stands_seen", "orders", "orders_maybe", "lasting", "placing", "reason",
)  # fmt: skip
_armies = Struct(f">{LANDS}I").pack  # eight digits for each territory
_cards, _turn = attrgetter(*CARDS), attrgetter(*TURN)


@lru_cache(maxsize=1000)
def _written(values: object) -> str:
    return canonical(values)


def _battalions(b: Board) -> str:
    if max(b.army) < 256:
        return bytes(b.army.tolist()).hex()
    width = 4 if max(b.army) < 65536 else 8
    return "".join([f"{battalions:0{width}x}" for battalions in b.army])


def load(settings: Settings, saved: list[Any]) -> Board:
    """The board that was dumped, its options already agreed; `Invalid` if it was not."""
    b = Board(settings)
    _, owner, army, *rest = parts(saved, 15)
    holders, armies = _text(owner, LANDS), _text(army, None)
    width = len(armies) // LANDS
    for land, holder in enumerate(holders):
        battalions = int(armies[width * land : width * (land + 1)], 16)
        b.give(land, number(int(holder), 0, NOBODY), number(battalions, 0, _MOST))
    _load_turn(b, rest[:6])
    _load_cards(b, rest[6:])
    return b


def _text(saved: object, length: int | None) -> str:
    if not isinstance(saved, str) or length not in (None, len(saved)):
        raise Invalid(f"here stands a text of {length or 'some'} signs", said=repr(saved)[:80])
    return saved


def _load_turn(b: Board, saved: list[Any]) -> None:
    seats = len(b.territory_cards)
    numbered, turn, cards, marks, seating, lasting = saved
    b.led, b.ring, b.turn, b.number = numbers(numbered, 4, 0, ALL_LANDS)
    number(b.ring, 0, MOUNT_DOOM)
    number(b.turn, 0, seats - 1)
    b.conquered, b.sited, b.extra_cards, b.moves_left = numbers(turn, 4, 0, 99)
    b.boons, b.roll_more = numbers(cards, 2, -99, 99)
    b.locked, b.rested, b.stands, b.stands_seen = numbers(marks, 4, 0, ALL_LANDS)
    reserve, gone, placing, reason = parts(seating, 4)
    b.reserve = tuple(numbers(reserve, seats, 0, b.settings.battalions))
    b.gone = tuple(numbers(gone, None, 0, seats - 1))
    b.placing = tuple(numbers(placing, seats if placing else 0, 0, seats))
    b.reason = word(reason, REASONS)
    for effect in parts(lasting, None):
        kind, of, seat = numbers(effect, 3, 0, ALL_LANDS)
        number(kind, 0, CORSAIRS)
        number(of, 0, ALL_LANDS if kind == STORMS else len(BRIDGES) - 1)
        b.lasting = (*b.lasting, Lasting(kind, of, number(seat, 0, seats - 1)))
    b.derive()


def _load_cards(b: Board, saved: list[Any]) -> None:
    seats = len(b.territory_cards)
    territory, seen, secrets, adventures, played, said = saved
    b.territory_deck, b.territory_discard, *hands = numbers(
        territory, 2 + seats, 0, ALL_TERRITORY_CARDS
    )
    b.territory_cards = tuple(hands)
    pools, known = parts(seen, 2)
    b.territory_pools = tuple(numbers(pools, None, 0, ALL_TERRITORY_CARDS))
    b.territory_seen = tuple(numbers(known, seats, 0, ALL_TERRITORY_CARDS))
    b.secrets = tuple(_secret(secret, seats) for secret in parts(secrets, None))
    b.deck, b.discard, b.removed, *hands = numbers(adventures, 3 + seats, 0, ALL_ADVENTURES)
    b.hands = tuple(hands)
    pools, lying_open = parts(played, 2)
    b.pools = tuple(numbers(pools, None, 0, ALL_ADVENTURES))
    b.played = tuple(numbers(lying_open, seats, 0, ALL_ADVENTURES))
    orders, maybe = parts(said, 2)
    b.orders = tuple(numbers(orders, seats, 0, _ORDERS))
    b.orders_maybe = tuple(numbers(maybe, seats, 1, 2 << _ORDERS))


def _secret(saved: object, seats: int) -> Secret:
    seat, card, barred, laid = parts(saved, 4)
    return Secret(
        number(seat, 0, seats - 1),
        number(card, 0, len(TERRITORY_CARDS) - 1),
        number(barred, 0, ALL_LANDS),
        number(laid, 0, 1),
    )
