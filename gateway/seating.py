"""Taking and giving up the seats of a match: decisions on the match alone, which change nothing."""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import NamedTuple

from gateway.documents import Account, Match, Seat, State
from gateway.refusals import (
    creator_only,
    no_free_seat,
    not_open,
    resign_instead,
    seat_not_filled,
    seat_taken,
    unknown_seat,
)

BY_CHANCE = "random"
"""The name of no seat: it stands for any of the free ones."""
MOST_LEFT = 100
"""How many accounts that gave their seats up are remembered, the latest ones."""


class Seated(NamedTuple):
    """A match, and the seat that somebody has there now."""

    match: Match
    seat: str


def join(match: Match, account: Account, wanted: str, nonce: bytes) -> Seated:
    """Seat an account: where it sits already if no seat is named, else at a free one."""
    mine = match.seats_of(account)
    if wanted in ("", BY_CHANCE) and mine:
        return Seated(match, mine[0].name)
    seat = _wanted(match, wanted)
    if seat.account == account.id:
        return Seated(match, seat.name)
    taken = replace(
        seat, account=account.id, label=account.name, nonce=nonce.hex(), program=account.bot
    )
    return Seated(_sit(match, seat, taken), seat.name)


def add_bot(match: Match, account: Account, wanted: str, level: str, nonce: bytes) -> Seated:
    """Seat a hosted bot; at a named seat, one of this level may sit there already."""
    if account.id != match.creator:
        raise creator_only(match)
    seat = _wanted(match, wanted)
    if seat.bot_level == level:
        return Seated(match, seat.name)
    return Seated(_sit(match, seat, replace(seat, bot_level=level, nonce=nonce.hex())), seat.name)


def remove_bot(match: Match, account: Account, wanted: str) -> Match:
    """Free a seat at which a hosted bot sits; one that is free stays so."""
    if account.id != match.creator:
        raise creator_only(match)
    seat = _wanted(match, wanted)
    if match.state is not State.OPEN:
        raise not_open(match)
    if seat.is_free:
        return match
    if not seat.bot_level:
        raise seat_taken(match, seat.name)
    return _with(match, {seat.name: Seat(seat.name)})


def _wanted(match: Match, wanted: str) -> Seat:
    if wanted in ("", BY_CHANCE):
        free = [seat for seat in match.seats if seat.is_free]
        if match.state is not State.OPEN:
            raise not_open(match)
        if not free:
            raise no_free_seat(match)
        return secrets.choice(free) if wanted else free[0]
    seat = match.seat(wanted)
    if seat is None:
        raise unknown_seat(match, wanted)
    return seat


def _sit(match: Match, seat: Seat, taken: Seat) -> Match:
    if match.state is not State.OPEN:
        raise not_open(match)
    if not seat.is_free:
        raise seat_taken(match, seat.name)
    return _with(match, {seat.name: taken})


def _with(match: Match, changed: dict[str, Seat]) -> Match:
    return replace(match, seats=tuple(changed.get(seat.name, seat) for seat in match.seats))


def leave(match: Match, account: Account) -> Match:
    """Free an account's seats; without its creator a match is closed."""
    if match.state is State.CLOSED:
        return match
    if match.state is not State.OPEN:
        raise resign_instead(match)
    freed = {seat.name: Seat(seat.name) for seat in match.seats_of(account)}
    if freed:
        left = (*(other for other in match.left if other != account.id), account.id)
        match = replace(_with(match, freed), left=left[-MOST_LEFT:])
    return replace(match, state=State.CLOSED) if account.id == match.creator else match


def begin(match: Match, account: Account) -> Match:
    """Fix the seats of a match, so that its engine can begin it."""
    if account.id != match.creator:
        raise creator_only(match)
    if match.state is State.CLOSED:
        raise not_open(match)
    if match.state is not State.OPEN:
        return match
    for seat in match.seats:
        if seat.is_free:
            raise seat_not_filled(match, seat.name)
    return replace(match, state=State.STARTING)
