"""The text form of a game: a header, then one line a decision, then how it ended.

Design. The record is the match: all else is derived by replaying it. So it is a file that a person
can read and another program can write, and it says where it ends, so that a torn file is never
mistaken for a whole one. `docs/record.md` describes it line by line; `services.core.reading` reads
it, and `services.core.replaying` plays it again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from services.core.chain import Chain, mark, salt_of
from services.core.fair import Fate, commitment, seed
from services.core.table import Entry, Table

FORMAT = 2
"""The form of the file that is written now; records of form 1 are still read and replayed."""
LARGEST = 4_000_000
"""No record has more characters than this."""


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
class Player:
    """Who sat at a seat. Name and salt may be gone; what the history is bound to stays."""

    name: str = ""
    salt: bytes = b""
    mark: str = ""  # of name and salt; empty where nobody was named

    @classmethod
    def of(cls, name: str, salt: bytes) -> Player:
        """A player with the mark that name and salt make, if there is a name."""
        return cls(name, salt, mark(salt, name)) if name else cls()


def players_of(names: tuple[str, ...], seats: tuple[str, ...], secret: bytes) -> tuple[Player, ...]:
    """The players of seats by their names, with salts that nobody need keep apart."""
    named = zip(names or ("",) * len(seats), seats, strict=True)
    return tuple(Player.of(name, salt_of(secret, seat)) for name, seat in named)


@dataclass(frozen=True, slots=True)
class Heading:
    """What a match begins with: all that its history is bound to from the first."""

    game: str
    edition: int
    options: Mapping[str, str]
    seats: tuple[str, ...]
    nonces: tuple[bytes, ...]
    marks: tuple[str, ...]
    commitment: str

    def text(self) -> str:
        """The lines at the beginning of the file that never change."""
        lines = [f"bree record {FORMAT}", f"game {self.game}", f"edition {self.edition}"]
        lines += [f"option {name} {value}" for name, value in self.options.items()]
        for seat, nonce, marked in zip(self.seats, self.nonces, self.marks, strict=True):
            lines.append(f"seat {seat} {nonce.hex()} {marked}".rstrip())
        lines.append(f"commitment {self.commitment}")
        return "\n".join(lines)


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
    sitting: tuple[Player, ...] = ()  # by seat; who played, for people
    form: int = FORMAT
    claimed_head: str = field(default="", compare=False)  # as its file has it, right or wrong

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the players by seat; nothing at all if nobody is named."""
        names = tuple(player.name for player in self.sitting)
        return names if any(names) else ()

    def heading(self) -> Heading:
        """What the match began with."""
        marks = tuple(player.mark for player in self.sitting) or ("",) * len(self.seats)
        fair = self.fairness
        return Heading(
            self.game, self.edition, self.options, self.seats, fair.nonces, marks, fair.commitment
        )

    def text(self) -> str:
        """The record as a file."""
        if self.form == 1:
            return _text_of_form_1(self)
        lines = [self.heading().text(), *self._named()]
        lines += [f"secret {self.fairness.secret.hex()}", ""]
        lines += [entry.text() for entry in self.entries]
        lines += ["", self.ending(), f"head {self.claimed_head or self.head()}"]
        return "\n".join(lines) + "\n"

    def _named(self) -> Iterator[str]:
        for seat, player in zip(self.seats, self.sitting, strict=bool(self.sitting)):
            if player.name:
                yield f"player {seat} {player.salt.hex()} {player.name}"

    def ending(self) -> str:
        """How it ended, in a line of the file."""
        count = len(self.entries)
        return ending(count, self.seats, self.scores, aborted=self.aborted)

    def heads(self) -> Iterator[str]:
        """The head before the first entry and after each; then, of a match that ended, the last."""
        chain = Chain(self.fairness.secret, self.heading().text())
        yield chain.head
        for entry in self.entries:
            chain.link(entry.text())
            yield chain.head
        if self.aborted or self.scores is not None:
            yield chain.closed(self.ending())

    def head(self) -> str:
        """What binds all of it."""
        *_, last = self.heads()
        return last


def ending(
    count: int, seats: tuple[str, ...], scores: tuple[int, ...] | None, *, aborted: bool
) -> str:
    """How a match of `count` entries ended, in a line of the file."""
    if aborted:
        return f"aborted {count}"
    if scores is None:
        return f"open {count}"
    by_seat = " ".join(f"{seat} {score}" for seat, score in zip(seats, scores, strict=True))
    return f"finished {count} {by_seat}"


def record_of(
    table: Table[Any], fairness: Fairness, players: tuple[str | Player, ...] = ()
) -> Record:
    """The record of a game as it stands; players by name, or as another record has them."""
    rules = table.rules
    names = tuple(player for player in players if isinstance(player, str))
    kept = tuple(player for player in players if isinstance(player, Player))
    return Record(
        game=rules.name,
        edition=rules.edition,
        options=table.options,
        seats=table.seats,
        fairness=fairness,
        entries=tuple(table.entries),
        scores=rules.scores(table.game) if table.is_over and not table.aborted else None,
        aborted=table.aborted,
        sitting=kept or (players_of(names, table.seats, fairness.secret) if names else ()),
    )


def _text_of_form_1(record: Record) -> str:
    """A record as files of form 1 had it: without marks, draws and a head."""
    lines = ["bree record 1", f"game {record.game}", f"edition {record.edition}"]
    lines += [f"option {name} {value}" for name, value in record.options.items()]
    players = record.players or ("",) * len(record.seats)
    for seat, player, nonce in zip(record.seats, players, record.fairness.nonces, strict=True):
        lines.append(f"seat {seat} {nonce.hex()} {player}".rstrip())
    lines.append(f"commitment {record.fairness.commitment}")
    lines += [f"secret {record.fairness.secret.hex()}", ""]
    lines += [entry.text() for entry in record.entries]
    lines += ["", record.ending()]
    return "\n".join(lines) + "\n"
