"""What a request must look like, whatever stands in the store. Every complaint names its field."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence

from bree.engine.v1 import engine_pb2 as engine
from bree.engine.v1 import types_pb2 as types
from bree.process.bounds import LONGEST_CLOCK_MS
from services.core.chain import SALT_BYTES
from services.core.fair import NONCE_BYTES
from services.core.reading import HEAD, NAME
from services.host import refusals
from services.host.clocks import Clock
from services.host.requests import BOT, PERSON
from services.host.serialization import Player
from services.host.wire import OFFER_KINDS

LONGEST_ID = 40
LONGEST_LABEL = 40
LONGEST_WORD = 40
LARGEST_NUMBER = 2**53 - 1

_MATCH = re.compile(r"[a-z0-9-]{4,40}")
_PAYER = re.compile(r"[a-z0-9-]{0,40}")


DECIDERS = {engine.DECIDER_UNSPECIFIED: "", engine.DECIDER_PERSON: PERSON, engine.DECIDER_BOT: BOT}


def match_name(said: str) -> str:
    """The name of a match."""
    if not _MATCH.fullmatch(said):
        why = "is 4 to 40 characters, lower-case letters, digits and hyphens"
        raise refusals.invalid("match", why)
    return said


def seat_name(said: str, field: str = "seat") -> str:
    """The name of a seat of some match."""
    if not NAME.fullmatch(said):
        raise refusals.invalid(field, "is the name of a seat")
    return said


def viewer_name(viewer: engine.Viewer) -> str:
    """Whose eyes these are: a seat's name, or nothing for a spectator."""
    return seat_name(viewer.seat, "viewer.seat") if viewer.seat else ""


def wanted(said: int, viewer: str) -> int:
    """How much a watcher is told. Nobody but a seat is asked questions."""
    if said not in engine.Wanted.values():
        raise refusals.invalid("wanted", "is a value of Wanted")
    if said and not viewer:
        raise refusals.invalid("wanted", "is everything, for a spectator")
    return said


def request_id(said: str) -> str:
    """The id of a request."""
    if not 1 <= len(said) <= LONGEST_ID or not said.isprintable() or " " in said:
        raise refusals.invalid("request_id", "is 1 to 40 printable characters without blanks")
    return said


def action_text(said: str) -> str:
    """The text of an action, of some game or of none."""
    if not said:
        raise refusals.invalid("action", "is missing")
    return said


def number(said: int, field: str, first: int, last: int = LARGEST_NUMBER) -> int:
    """A number within bounds."""
    if not first <= said <= last:
        raise refusals.invalid(field, f"is a number from {first} to {last}")
    return said


def options(said: Sequence[types.OptionChoice]) -> Mapping[str, str]:
    """Options by name."""
    chosen: dict[str, str] = {}
    for n, choice in enumerate(said):
        if not 1 <= len(choice.name) <= LONGEST_WORD:
            raise refusals.invalid(f"options[{n}].name", f"has 1 to {LONGEST_WORD} characters")
        if not 1 <= len(choice.value) <= LONGEST_WORD:
            raise refusals.invalid(f"options[{n}].value", f"has 1 to {LONGEST_WORD} characters")
        if choice.name in chosen:
            raise refusals.invalid(f"options[{n}].name", "was given before")
        chosen[choice.name] = choice.value
    return chosen


def offer_kind(said: int) -> str:
    """What is proposed, of some game or of none."""
    kinds = {int(number): kind for kind, number in OFFER_KINDS.items()}
    if said not in kinds:
        raise refusals.invalid("kind", "is a value of OfferKind that names something")
    return kinds[said]


def decider(said: engine.Decider.ValueType) -> str:
    """Who answers for a seat, or nothing."""
    if said not in DECIDERS:
        raise refusals.invalid("by", "is a value of Decider")
    return DECIDERS[said]


def level(said: str, field: str, levels: Sequence[str]) -> str:
    """A level of the hosted bots."""
    if said not in levels:
        raise refusals.invalid(field, f"is one of these levels: {', '.join(levels) or 'none'}")
    return said


def head(said: str) -> str:
    """The head that a client keeps, or nothing."""
    if said and not HEAD.fullmatch(said):
        raise refusals.invalid("head", "is 64 hexadecimal digits")
    return said


def payer(said: str) -> str:
    """Who pays for bots' thinking, or nothing."""
    if not _PAYER.fullmatch(said):
        raise refusals.invalid("payer", "is at most 40 lower-case letters, digits and hyphens")
    return said


def players(
    said: Sequence[engine.Player], match: str, seats: Sequence[str], levels: Sequence[str]
) -> tuple[Player, ...]:
    """One player for each seat, in the order of the seats."""
    names = [seat_name(player.seat, f"players[{n}].seat") for n, player in enumerate(said)]
    for name in names:
        if name not in seats:
            raise refusals.unknown_seat(match, name, seats)
    for seat in seats:
        if names.count(seat) != 1:
            why = "nobody sits at" if seat not in names else "more than one sits at"
            raise refusals.not_filled(seat, f"{why} {seat}")
    if tuple(names) != tuple(seats):
        raise refusals.invalid("players", "stand in the order of the seats")
    return tuple(_player(player, n, levels) for n, player in enumerate(said))


def _player(said: engine.Player, n: int, levels: Sequence[str]) -> Player:
    label = said.label
    if len(label) > LONGEST_LABEL or not label.isprintable() or label != label.strip():
        why = "is at most 40 printable characters, without blanks at its ends"
        raise refusals.invalid(f"players[{n}].label", why)
    if said.bot_level:
        level(said.bot_level, f"players[{n}].bot_level", levels)
    if not said.nonce:
        raise refusals.not_filled(said.seat, f"{said.seat} has no nonce")
    if len(said.nonce) > NONCE_BYTES[1]:
        raise refusals.invalid(f"players[{n}].nonce", f"has 1 to {NONCE_BYTES[1]} bytes")
    return Player(said.seat, label, said.bot_level, said.nonce, os.urandom(SALT_BYTES))


def clock(said: engine.Clock, levels: Sequence[str]) -> Clock:
    """The terms on which seats have time."""
    for field, ms in (("clock.bank_ms", said.bank_ms), ("clock.move_ms", said.move_ms)):
        number(ms, field, 0, LONGEST_CLOCK_MS)
    if not said.bank_ms and not said.move_ms:
        raise refusals.invalid("clock", "gives no time at all")
    if said.bot_level:
        level(said.bot_level, "clock.bot_level", levels)
    return Clock(said.bank_ms, said.move_ms, said.bot_level)
