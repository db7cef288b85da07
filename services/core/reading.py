"""Reading a record's file: every complaint names the line."""

from __future__ import annotations

import re
from collections.abc import Mapping

from services.core.errors import Invalid
from services.core.fair import MOST_CHOICES, SECRET_BYTES, Draw
from services.core.record import FORMAT, LARGEST, Fairness, Player, Record, players_of
from services.core.table import CHANCE_NAME, HOST_NAME, Entry

FIRST_LINE = f"bree record {FORMAT}"
FORMS = {"bree record 1": 1, FIRST_LINE: FORMAT}
"""The first line of a record, and what form it has."""
NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_DRAW = "[1-9][0-9]{0,19} of [1-9][0-9]{0,19}"
_ENTRY = re.compile(
    r"(?P<who>[a-z][a-z0-9_]{0,39})(?P<sign>[:!]) (?P<what>[a-z][a-z0-9_]*(?: [a-z0-9_]+)*)"
    rf"( \[(?P<draws>{_DRAW}(, {_DRAW})*)\])? ~(?P<digest>[0-9a-f]{{8}})"
)
_HEX = re.compile(r"([0-9a-f]{2})*")
HEAD = re.compile(r"[0-9a-f]{64}")
_EDITION = re.compile(r"[1-9][0-9]{0,5}")
_LONGEST_SALT = 128  # digits
LONGEST_WHAT = 400


def parse_record(text: str) -> Record:
    """The record that a file holds; `Invalid`, with the line, if it holds none."""
    return _Reader(text).record()


class _Reader:
    """Reads a record's lines from the top; every complaint names the line."""

    def __init__(self, text: str) -> None:
        if len(text) > LARGEST:
            raise Invalid(f"a record has at most {LARGEST} characters")
        if not text.endswith("\n"):
            raise Invalid("the record is torn: its last line has no end", said=text[-40:])
        self.lines = text[:-1].split("\n")
        self.next = 0
        self.form = FORMAT

    def record(self) -> Record:
        form = FORMS.get(self._line())
        if form is None:
            raise self._bad(f"a record begins with {' or '.join(map(repr, FORMS))}")
        self.form = form
        game = self._word("game", NAME)
        edition = int(self._word("edition", _EDITION))
        options = self._options()
        seated = self._seats()
        seats, nonces = tuple(seated), tuple(nonce for nonce, _ in seated.values())
        promised = self._word("commitment", _HEX)
        players = {seat: player for seat, (_, player) in seated.items()}
        sitting = self._sitting(players) if form > 1 else ()
        secret = bytes.fromhex(self._word("secret", _HEX))
        if len(secret) != SECRET_BYTES:
            raise self._bad(f"a secret has {SECRET_BYTES} bytes")
        if form == 1 and any(players.values()):
            sitting = players_of(tuple(players.values()), seats, secret)
        self._blank()
        entries = self._entries()
        scores, aborted = self._ending(seats, len(entries))
        head = self._word("head", HEAD) if form > 1 else ""
        if self.next != len(self.lines):
            raise self._bad("nothing follows the ending")
        fairness = Fairness(secret, nonces, promised)
        return Record(
            game, edition, options, seats, fairness, entries, scores, aborted, sitting, form, head
        )

    def _options(self) -> dict[str, str]:
        options: dict[str, str] = {}
        while self._peek().startswith("option "):
            name, _, value = self._line().removeprefix("option ").partition(" ")
            if not NAME.fullmatch(name) or not re.fullmatch(r"[a-z0-9_]{1,40}", value):
                raise self._bad("an option is a name and a value")
            if name in options:
                raise self._bad("this option was given before")
            options[name] = value
        return options

    def _seats(self) -> dict[str, tuple[bytes, str]]:
        seats: dict[str, tuple[bytes, str]] = {}
        while self._peek().startswith("seat "):
            name, _, rest = self._line().removeprefix("seat ").partition(" ")
            nonce, _, player = rest.partition(" ")
            if not NAME.fullmatch(name) or not _HEX.fullmatch(nonce) or not 2 <= len(nonce) <= 128:
                raise self._bad("a seat is a name, a nonce and who sits there")
            is_marked = rest == nonce or HEAD.fullmatch(player) is not None
            is_whole = is_marked if self.form > 1 else _is_label(player)
            if name in (*seats, CHANCE_NAME, HOST_NAME) or not is_whole:
                raise self._bad("this seat cannot be taken so")
            seats[name] = (bytes.fromhex(nonce), player)
        if not seats:
            raise self._bad("nobody plays")
        return seats

    def _sitting(self, marks: Mapping[str, str]) -> tuple[Player, ...]:
        """Who sat at the seats with these marks, where a name is still told."""
        named: dict[str, Player] = {}
        while self._peek().startswith("player "):
            seat, _, rest = self._line().removeprefix("player ").partition(" ")
            salt, _, name = rest.partition(" ")
            if seat not in marks or seat in named or not _HEX.fullmatch(salt) or not salt:
                raise self._bad("a player is a seat, a salt and a name")
            if not name or not _is_label(name) or len(salt) > _LONGEST_SALT:
                raise self._bad("nobody can be called so")
            named[seat] = Player.of(name, bytes.fromhex(salt))
            if named[seat].mark != marks[seat]:
                raise self._bad("another name stands at this seat")
        if not any(marks.values()):
            return ()
        return tuple(named.get(seat, Player(mark=mark)) for seat, mark in marks.items())

    def _entries(self) -> tuple[Entry, ...]:
        entries = []
        while self._peek():
            found = _ENTRY.fullmatch(self._line())
            if found is None or len(found["what"]) > LONGEST_WHAT:
                raise self._bad("an entry is who, what and a digest")
            entries.append(self._entry(found))
        self._blank()
        return tuple(entries)

    def _entry(self, found: re.Match[str]) -> Entry:
        is_note, drawn = found["sign"] == "!", found["draws"]
        if self.form == 1 and (is_note or drawn):
            raise self._bad("an entry is who, what and a digest")
        if drawn and (is_note or found["who"] != CHANCE_NAME):
            raise self._bad("only chance draws")
        draws = tuple(map(self._draw, drawn.split(", "))) if drawn else ()
        return Entry(found["who"], found["what"], found["digest"], draws, is_note)

    def _draw(self, text: str) -> Draw:
        drawn, choices = map(int, text.split(" of "))
        if not 1 <= drawn <= choices <= MOST_CHOICES:
            raise self._bad("a draw is one of so many, counted from 1")
        return Draw(drawn, choices)

    def _ending(self, seats: tuple[str, ...], count: int) -> tuple[tuple[int, ...] | None, bool]:
        how, *words = self._line().split(" ")
        if how not in ("finished", "open", "aborted") or words[:1] != [str(count)]:
            raise self._bad(f"a record of {count} entries does not end so")
        if how != "finished":
            if len(words) > 1:
                raise self._bad("only a finished game has scores")
            return None, how == "aborted"
        named, scores = words[1::2], words[2::2]
        if tuple(named) != seats or len(scores) != len(seats) or not all(map(_is_score, scores)):
            raise self._bad("scores are given by seat")
        return tuple(int(word) for word in scores), False

    def _peek(self) -> str:
        if self.next == len(self.lines):
            raise Invalid(
                "the record is torn: it stops before its ending", said=self.lines[-1][:80]
            )
        return self.lines[self.next]

    def _line(self) -> str:
        line = self._peek()
        self.next += 1
        return line

    def _word(self, key: str, pattern: re.Pattern[str]) -> str:
        found, _, value = self._line().partition(" ")
        if found != key or not pattern.fullmatch(value):
            raise self._bad(f"here stands {key!r} and its value")
        return value

    def _blank(self) -> None:
        if self._line():
            raise self._bad("here stands an empty line")

    def _bad(self, why: str) -> Invalid:
        return Invalid(f"line {self.next}: {why}", said=self.lines[self.next - 1][:80])


def _is_score(word: str) -> bool:
    return re.fullmatch(r"0|-?[1-9][0-9]{0,5}", word) is not None


def _is_label(text: str) -> bool:
    """Whether this may be written as who sat somewhere."""
    return text.isprintable() and text == text.strip()
