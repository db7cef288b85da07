"""What the host keeps of a match, to text and back: its fields, its log, what is due."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from services.core.contract import Options
from services.core.fair import Draw
from services.core.record import FORMAT, Heading
from services.core.record import Player as Sitting
from services.core.table import HOST_NAME, Entry
from services.host.clocks import Clock

SETUP, DUE, ENDED, SETTLED, FROZEN, HANDOVERS = (
    "setup", "due", "ended", "settled", "frozen", "handovers"
)  # fmt: skip
"""The fields of a match. Only the first is always there, and it never changes."""

UNBOUND = 1
"""The format of records from before histories were bound."""

UNSALTED = 4
"""How many parts the text of a setup has of a player of that time."""

ABORTED = "aborted"
FINISHED = "finished"


class Player(NamedTuple):
    """Who sits at a seat when the match begins."""

    seat: str
    label: str
    level: str  # of the hosted bot, or empty
    nonce: bytes
    salt: bytes = b""  # what hides the label in the history
    mark: str = ""  # what stays in the history of somebody who is no longer named

    def sitting(self) -> Sitting:
        """As a record has it."""
        return Sitting(mark=self.mark) if self.mark else Sitting.of(self.label, self.salt)

    def parts(self, form: int) -> list[str]:
        """As the text of a setup has them; players of form 1 have no salt."""
        parts = [self.seat, self.label, self.level, self.nonce.hex()]
        if form != UNBOUND:
            parts += [self.salt.hex(), self.mark] if self.mark else [self.salt.hex()]
        return parts


@dataclass(frozen=True, slots=True)
class Setup:
    """What a match begins with."""

    edition: int
    options: Options
    players: tuple[Player, ...]
    clock: Clock | None
    commitment: str
    created: int  # when, in ms since 1970
    form: int = FORMAT  # of its record
    payer: str = ""  # who pays for its bots' thinking

    def heading(self, game: str) -> Heading:
        """What the history of the match is bound to from the first."""
        return Heading(
            game=game,
            edition=self.edition,
            options=self.options,
            seats=tuple(player.seat for player in self.players),
            nonces=tuple(player.nonce for player in self.players),
            marks=tuple(player.sitting().mark for player in self.players),
            commitment=self.commitment,
        )

    def text(self) -> str:
        """All of it, in one line."""
        players = [player.parts(self.form) for player in self.players]
        parts = [self.edition, self.created, self.commitment, self.clock, players]
        payer = [self.payer] if self.payer else []
        return json.dumps([*parts, dict(self.options), *payer], separators=(",", ":"))

    @classmethod
    def of(cls, text: str) -> Setup:
        """What `text` made one line of."""
        edition, created, commitment, clock, players, options, *payer = json.loads(text)
        return cls(
            edition=edition,
            options=options,
            players=tuple(_player(*player) for player in players),
            clock=Clock(*clock) if clock else None,
            commitment=commitment,
            created=created,
            form=FORMAT if all(len(player) > UNSALTED for player in players) else UNBOUND,
            payer="".join(payer),
        )

    def choice(self) -> str:
        """A fingerprint of what the one who created the match chose: the same for the same."""
        players = tuple(tuple(player)[:UNSALTED] for player in self.players)  # salts are chance's
        chosen = (dict(self.options), players, self.clock, self.commitment)
        return hashlib.sha256(repr(chosen).encode()).hexdigest()


def _player(
    seat: str, label: str, level: str, nonce: str, salt: str = "", mark: str = ""
) -> Player:
    return Player(seat, label, level, bytes.fromhex(nonce), bytes.fromhex(salt), mark)


NOTE_SIGN = "!"


class LogEntry(NamedTuple):
    """One entry of the record as the log has it."""

    who: str
    what: str
    digest: str
    at: int  # when it was made, in ms since the match was created
    request: str = ""  # the id of the request; empty for chance, and for the host's own
    draws: tuple[Draw, ...] = ()
    is_note: bool = False

    def text(self) -> str:
        """The line of the log; whoever makes a note has a sign behind the name."""
        draws, sign = self.draws, NOTE_SIGN if self.is_note else ""
        drawn = " ".join([f"{draw.drawn}/{draw.choices}" for draw in draws]) if draws else ""
        return f"{self.who}{sign}\t{self.what}\t{self.digest}\t{self.at}\t{self.request}\t{drawn}"

    @classmethod
    def of(cls, text: str) -> LogEntry:
        """What a line of the log says; those of form 1 tell no draws."""
        who, what, digest, at, request, *more = text.split("\t")
        drawn = more[0].split(" ") if more and more[0] else ()
        pairs = (draw.partition("/") for draw in drawn)
        draws = tuple([Draw(int(which), int(choices)) for which, _, choices in pairs])
        is_note = who.endswith(NOTE_SIGN)
        return cls(who.rstrip(NOTE_SIGN), what, digest, int(at), request, draws, is_note)

    def entry(self) -> Entry:
        """The entry of the record."""
        return Entry(self.who, self.what, self.digest, self.draws, self.is_note)

    def asker(self) -> str:
        """Whose request this was, as ids belong to who chose them: a seat's name, or nothing."""
        if self.who != HOST_NAME:
            return self.who
        return self.what.partition(" ")[2].partition(" ")[0]


HOST_HOLDS, HELD = "@host", "held"
"""In the place of a seat: the host holds the match, or lets it go on after so many ms in all."""


class Handover(NamedTuple):
    """A seat went to a bot: handed over, or out of time, or from a bot that failed; or back.

    Or the host holds the match, or lets it go on.
    """

    revision: int  # of the last entry before
    seat: str
    level: str  # of the bot; empty for the person who sits there
    at: int  # in ms since the match was created


def handovers_text(handovers: Sequence[Handover]) -> str:
    """All of them, in one text."""
    return ";".join(" ".join(map(str, handover)) for handover in handovers)


def handovers_of(text: str) -> tuple[Handover, ...]:
    """What `handovers_text` put into one text."""
    found = []
    for part in filter(None, text.split(";")):
        revision, seat, level, at = part.split(" ")
        found.append(Handover(int(revision), seat, level, int(at)))
    return tuple(found)


BOT_TURN, CLOCK, SCORE, LEAVE = "bot_turn", "clock", "score", "leave"
"""The kinds of things that are due."""


class Due(NamedTuple):
    """One thing that must happen next, and when it became due, or will, in ms since 1970."""

    kind: str
    match: str
    seat: str
    question: int
    level: str
    since: int
    payer: str = ""  # of a bot's turn
    alone: bool = False

    def member(self) -> str:
        """How the list of what is due calls it."""
        *what, since, payer, alone = self
        paid = (payer, int(alone)) if payer or alone else ()
        return "|".join(map(str, (*what, *paid, since)))

    @classmethod
    def of(cls, member: str) -> Due:
        """What a member of the list says."""
        kind, match, seat, question, level, *paid, since = member.split("|")
        payer, alone = paid or ("", "0")
        return cls(kind, match, seat, int(question), level, int(since), payer, alone == "1")
