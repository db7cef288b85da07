"""The text form of a game: a header, then one line a decision, then how it ended.

Design. The record is the match: all else is derived by replaying it. So it is a file that a person
can read and another program can write, and it says where it ends, so that a torn file is never
mistaken for a whole one. `docs/record.md` describes it line by line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from services.core.contract import Options, Rules
from services.core.decisions import Event
from services.core.errors import Invalid, Refused
from services.core.fair import SECRET_BYTES, Fate, commitment, seed
from services.core.frames import B
from services.core.table import Entry, Table

FIRST_LINE = "bree record 1"
LARGEST = 4_000_000
"""No record has more characters than this."""

NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_ENTRY = re.compile(r"([a-z][a-z0-9_]{0,39}): ([a-z][a-z0-9_ ]{0,399}) ~([0-9a-f]{8})")
_HEX = re.compile(r"([0-9a-f]{2})*")
_EDITION = re.compile(r"[1-9][0-9]{0,5}")


@dataclass(frozen=True, slots=True)
class Fairness:
    """What the chance of a match is made from, and what was promised before it began."""

    secret: bytes
    nonces: tuple[bytes, ...]  # by seat
    commitment: str

    @classmethod
    def of(cls, secret: bytes, nonces: tuple[bytes, ...]) -> Fairness:
        """Fairness with the commitment that the secret calls for."""
        return cls(secret, nonces, commitment(secret))

    def fate(self) -> Fate:
        """The draws of the match, from the first."""
        return Fate(seed(self.secret, self.nonces))


@dataclass(frozen=True, slots=True)
class Record:
    """One match, finished or not."""

    game: str
    edition: int
    options: Mapping[str, str]
    seats: tuple[str, ...]
    fairness: Fairness
    entries: tuple[Entry, ...]
    scores: tuple[int, ...] | None = None  # by seat; None while nobody has finished it
    aborted: bool = False
    players: tuple[str, ...] = field(default=())  # by seat; who played, for people

    def text(self) -> str:
        """The record as a file."""
        lines = [FIRST_LINE, f"game {self.game}", f"edition {self.edition}"]
        lines += [f"option {name} {value}" for name, value in self.options.items()]
        players = self.players or ("",) * len(self.seats)
        for seat, player, nonce in zip(self.seats, players, self.fairness.nonces, strict=True):
            lines.append(f"seat {seat} {nonce.hex()} {player}".rstrip())
        lines.append(f"commitment {self.fairness.commitment}")
        lines.append(f"secret {self.fairness.secret.hex()}")
        lines.append("")
        lines += [f"{who}: {what} ~{digest}" for who, what, digest in self.entries]
        lines += ["", self.ending()]
        return "\n".join(lines) + "\n"

    def ending(self) -> str:
        """The last line of the file."""
        if self.aborted:
            return f"aborted {len(self.entries)}"
        if self.scores is None:
            return f"open {len(self.entries)}"
        scores = " ".join(f"{s} {n}" for s, n in zip(self.seats, self.scores, strict=True))
        return f"finished {len(self.entries)} {scores}"

    @classmethod
    def parse(cls, text: str) -> Record:
        """The record that a file holds; `Invalid`, with the line, if it holds none."""
        return _Reader(text).record()


def record_of(table: Table[Any], fairness: Fairness, players: tuple[str, ...] = ()) -> Record:
    """The record of a game as it stands."""
    rules = table.rules
    return Record(
        game=rules.name,
        edition=rules.edition,
        options=table.options,
        seats=table.seats,
        fairness=fairness,
        entries=tuple(table.entries),
        scores=rules.scores(table.game) if table.is_over and not table.aborted else None,
        aborted=table.aborted,
        players=players,
    )


class Replay:
    """A record being played again, entry by entry, each checked as far as it can be."""

    def __init__(self, record: Record, rules: Rules[Any]) -> None:
        _check_header(record, rules)
        self.record = record
        self.fate = record.fairness.fate()
        self.table = Table(rules, record.options)  # without fate: chance answers from the record
        self.table.takes_back = False
        self.events: list[Event] = []  # what the last decision caused

    def step(self) -> Entry:
        """Make the next decision; `Invalid` if it cannot have happened so."""
        table = self.table
        entry = self.record.entries[table.revision]
        line = f"entry {table.revision + 1}"
        try:
            if entry.who == "chance" and table.waiting() == (-1,):
                self._check_draw(entry)
            self.events = table.enter(entry.who, entry.what)
        except Refused as e:
            raise type(e)(
                f"{line}: {e.why}", said=f"{entry.who}: {entry.what}", where=e.where
            ) from e
        if table.entries[-1] != entry:
            raise Invalid(f"{line}: the game is not where the record says", said=entry.what)
        return entry

    def _check_draw(self, entry: Entry) -> None:
        rules, game = self.table.rules, self.table.game
        dealt = rules.spell(rules.deal(game, self.fate.pick))
        if dealt != entry.what:
            raise Invalid(f"chance dealt {dealt!r}", said=entry.what)

    def run(self) -> Table[Any]:
        """Play to the record's end, and check that it ends as it says."""
        while self.table.revision < len(self.record.entries):
            self.step()
        table, record = self.table, self.record
        scores = table.rules.scores(table.game) if table.is_over and not table.aborted else None
        if table.aborted != record.aborted or scores != record.scores:
            raise Invalid("the record claims another ending", said=record.ending())
        return table


def replay(record: Record, rules: Rules[B]) -> Table[B]:
    """The game that a record leads to, every draw, decision, digest and the result checked."""
    return Replay(record, rules).run()


def _check_header(record: Record, rules: Rules[Any]) -> None:
    if record.game != rules.name:
        raise Invalid(f"this is not a record of {rules.name}", said=record.game)
    if record.edition != rules.edition:
        said = f"edition {record.edition}"
        raise Invalid(f"{rules.name} replays edition {rules.edition} only", said=said)
    options: Options = rules.agree(record.options)
    if dict(options) != dict(record.options):
        missing = sorted(set(options) - set(record.options))
        raise Invalid("options are missing", said=" ".join(missing))
    if rules.seats(options) != record.seats:
        raise Invalid("these are not the seats of this game", said=" ".join(record.seats))
    if commitment(record.fairness.secret) != record.fairness.commitment:
        raise Invalid("the secret is not the one that was committed to")


class _Reader:
    """Reads a record's lines from the top; every complaint names the line."""

    def __init__(self, text: str) -> None:
        if len(text) > LARGEST:
            raise Invalid(f"a record has at most {LARGEST} characters")
        if not text.endswith("\n"):
            raise Invalid("the record is torn: its last line has no end", said=text[-40:])
        self.lines = text[:-1].split("\n")
        self.next = 0

    def record(self) -> Record:
        if self._line() != FIRST_LINE:
            raise self._bad(f"a record begins with {FIRST_LINE!r}")
        game = self._word("game", NAME)
        edition = int(self._word("edition", _EDITION))
        options = self._options()
        seats = self._seats()
        promised = self._word("commitment", _HEX)
        secret = bytes.fromhex(self._word("secret", _HEX))
        if len(secret) != SECRET_BYTES:
            raise self._bad(f"a secret has {SECRET_BYTES} bytes")
        self._blank()
        entries = self._entries()
        ending = self._ending(tuple(seats), len(entries))
        fairness = Fairness(secret, tuple(nonce for nonce, _ in seats.values()), promised)
        players = tuple(player for _, player in seats.values())
        if not any(players):
            players = ()
        return Record(game, edition, options, tuple(seats), fairness, entries, *ending, players)

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
            if name in seats or not player.isprintable() or player != player.strip():
                raise self._bad("this seat cannot be taken so")
            seats[name] = (bytes.fromhex(nonce), player)
        if not seats:
            raise self._bad("nobody plays")
        return seats

    def _entries(self) -> tuple[Entry, ...]:
        entries = []
        while self._peek():
            found = _ENTRY.fullmatch(self._line())
            if found is None:
                raise self._bad("an entry is who, what and a digest")
            entries.append(Entry(*found.groups()))
        self._blank()
        return tuple(entries)

    def _ending(self, seats: tuple[str, ...], count: int) -> tuple[tuple[int, ...] | None, bool]:
        how, *words = self._line().split(" ")
        if self.next != len(self.lines):
            raise self._bad("nothing follows the ending")
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

    def _word(self, key: str, form: re.Pattern[str]) -> str:
        found, _, value = self._line().partition(" ")
        if found != key or not form.fullmatch(value):
            raise self._bad(f"here stands {key!r} and its value")
        return value

    def _blank(self) -> None:
        if self._line():
            raise self._bad("here stands an empty line")

    def _bad(self, why: str) -> Invalid:
        return Invalid(f"line {self.next}: {why}", said=self.lines[self.next - 1][:80])


def _is_score(word: str) -> bool:
    return re.fullmatch(r"0|-?[1-9][0-9]{0,5}", word) is not None
