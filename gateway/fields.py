"""What a field of a request may hold, whatever the state of anything."""

from __future__ import annotations

import re
from unicodedata import category

from bree.engine.v1 import engine_pb2 as engine
from bree.gateway.v1 import gateway_pb2 as pb
from gateway.refusals import invalid
from gateway.wire import PACES

MATCH = re.compile(r"[a-z0-9-]{4,40}")
WORD = re.compile(r"[a-z][a-z0-9_]{0,39}")
NAME = re.compile(r"[A-Za-z0-9_-]{2,24}")
HEAD = re.compile(r"[0-9a-f]{64}")
SESSION = re.compile(r"[a-z0-9]{8}")
CREDENTIAL = re.compile(r"[A-Za-z0-9_-]{1,1364}")
ACCOUNT_ID = re.compile(r"[a-z0-9]{16}")
PLAYER = re.compile(r"(bot:)?[A-Za-z0-9_-]{1,40}")
BOT = "bot:"
UNFIT = ("Cc", "Cs", "Cn", "Zl", "Zp")
"""Kinds of characters that no note has: those that control, that break lines, that are none."""
TURNING = frozenset(
    map(chr, (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)))
)
"""Characters that turn the direction of writing: with them a text may look like another one."""

LONGEST_ACTION = 400
LONGEST_DEVICE = 60
LONGEST_NOTE = 400
LONGEST_NONCE = 64
LONGEST_REQUEST_ID = 40
LONGEST_WHY = 400
LONGEST_WORD = 40
MOST_OPTIONS = 100
LARGEST_PAGE = 100
USUAL_PAGE = 20


def match_id(text: str) -> str:
    """The id of a match."""
    if not MATCH.fullmatch(text):
        raise invalid("match", "match is 4 to 40 lower-case letters, digits and hyphens")
    return text


def word(field: str, text: str) -> str:
    """The name of a game, a seat, an option, a level."""
    if not WORD.fullmatch(text):
        raise invalid(field, f"{field} is one lower-case word of at most 40 characters")
    return text


def optional_word(field: str, text: str) -> str:
    """The same, or nothing."""
    return word(field, text) if text else ""


def short(field: str, text: str) -> str:
    """Text whose meaning an engine knows."""
    if not 1 <= len(text) <= LONGEST_WORD:
        raise invalid(field, f"{field} is 1 to {LONGEST_WORD} characters")
    return text


def request_id(text: str, field: str = "request_id") -> str:
    """The id that a caller gives his request, or a stream."""
    printable = text.isprintable() and not any(letter.isspace() for letter in text)
    if not 1 <= len(text) <= LONGEST_REQUEST_ID or not printable:
        raise invalid(field, f"{field} is 1 to 40 printable characters without blanks")
    return text


def player(name: str) -> str:
    """The name of an account or of a hosted bot."""
    if not PLAYER.fullmatch(name):
        raise invalid("account", "account is the name of an account, or bot:LEVEL")
    return name


def device(text: str) -> str:
    """What a device is called, or nothing."""
    if len(text) > LONGEST_DEVICE or not text.isprintable():
        raise invalid("device", f"device is at most {LONGEST_DEVICE} printable characters")
    return text


def label(field: str, text: str) -> str:
    """What people call something of theirs."""
    if not 1 <= len(text) <= LONGEST_DEVICE or not text.isprintable() or not text.strip():
        raise invalid(field, f"{field} is 1 to {LONGEST_DEVICE} printable characters")
    return text


def nonce(data: bytes) -> bytes:
    """What a seat adds to the chance of a match, or nothing."""
    if len(data) > LONGEST_NONCE:
        raise invalid("nonce", "nonce is 1 to 64 bytes")
    return data


def action(text: str) -> str:
    """The text of an action: its engine says what it means."""
    if not 1 <= len(text) <= LONGEST_ACTION:
        raise invalid("action", f"action is 1 to {LONGEST_ACTION} characters")
    return text


def note(text: str, field: str = "text") -> str:
    """What somebody writes to others: on one line, with something on it."""
    unfit = any(category(letter) in UNFIT or letter in TURNING for letter in text)
    if not 1 <= len(text) <= LONGEST_NOTE or not text.strip() or unfit:
        message = f"{field} is 1 to {LONGEST_NOTE} characters on one line, none of them for control"
        raise invalid(field, message)
    return text


def line(field: str, text: str, longest: int, least: int = 1) -> str:
    """A text on one line, in which nothing is hidden; where it may be empty, `least` is 0."""
    unfit = any(category(letter) in UNFIT or letter in TURNING for letter in text)
    is_blank = bool(least or text) and not text.strip()
    if not least <= len(text) <= longest or is_blank or unfit:
        message = (
            f"{field} is {least} to {longest} characters on one line, none of them for control"
        )
        raise invalid(field, message)
    return text


def why(text: str) -> str:
    """The reason of what the host does."""
    return line("why", text, LONGEST_WHY)


def account_id(text: str) -> str:
    """The id of an account."""
    if not ACCOUNT_ID.fullmatch(text):
        raise invalid(
            "account", "account is the id of an account: 16 lower-case letters and digits"
        )
    return text


def note_channel(channel: pb.NoteChannel.ValueType) -> None:
    """Whom a note is for."""
    if channel != pb.NOTE_CHANNEL_TEAM:
        raise invalid("channel", "channel is a value of NoteChannel that names something")


def head(text: str) -> str:
    """The head of a history, or nothing."""
    if text and not HEAD.fullmatch(text):
        raise invalid("head", "head is 64 hexadecimal digits")
    return text


def question(number: int) -> int:
    """The number of a question."""
    if number < 1:
        raise invalid("question", "question is the number of a question, so at least 1")
    return number


def offer(number: int) -> int:
    """The number of an offer."""
    if number < 1:
        raise invalid("offer", "offer is the number of an offer, so at least 1")
    return number


def offer_kind(kind: engine.OfferKind.ValueType) -> engine.OfferKind.ValueType:
    """What is proposed: whether the game knows it, its engine says."""
    if not kind or kind not in engine.OfferKind.values():
        raise invalid("kind", "kind is a value of OfferKind that names something")
    return kind


def revision(field: str, number: int) -> int:
    """How far a match has come."""
    if number < 0:
        raise invalid(field, f"{field} is never negative")
    return number


def page_size(size: int) -> int:
    """How many entries a page has at most."""
    if not 0 <= size <= LARGEST_PAGE:
        raise invalid("page_size", f"page_size is 0 to {LARGEST_PAGE}")
    return size or USUAL_PAGE


def pace(number: pb.Pace.ValueType) -> str:
    """A pace as it is kept; nothing where none is named."""
    for name, known in PACES.items():
        if known == number:
            return name
    raise invalid("pace", "pace is a value of Pace")
