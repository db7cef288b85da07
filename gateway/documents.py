"""What the gateway keeps: accounts, matches and ratings, and the text a match has in the store.

Design. A match is one immutable document. Whoever changes it makes another one of it and swaps the
two in the store, if nobody was faster: so every race is decided in one place.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Account:
    """A person or a program."""

    id: str
    name: str
    guest: bool = False
    created_ms: int = 0
    first_name: str = ""  # under which his ratings are kept, if it is not his name
    bot: bool = False  # he has said that he is a program
    no_bots: bool = False  # he wants to meet none
    banned_ms: int = 0  # until when he may not play
    muted_ms: int = 0  # until when nobody reads what he writes
    leaving_ms: int = 0  # when he is deleted; 0: he stays
    terms: str = ""  # what he plays, if he is a program: see `terms.py`

    @property
    def player(self) -> str:
        """Under which name ratings are kept: the first one, or `=` and the id; it never changes."""
        return self.first_name or self.name

    @property
    def is_visitor(self) -> bool:
        """Whether it only stands for an address from which somebody looks."""
        return self.id.startswith(VISITOR)


VISITOR = "@"
"""With this begins what is no account's id."""


def visitor(address: str) -> Account:
    """Whoever looks from an address and has shown no token; he sits nowhere."""
    return Account(VISITOR + address, "")


class Credentials(NamedTuple):
    """An account and the hash of its token, which is empty once the token is revoked."""

    account: Account
    token_hash: str


@dataclass(frozen=True, slots=True)
class Session:
    """What one device or program has of an account: a token of its own."""

    id: str
    token_hash: str
    created_ms: int
    used_ms: int  # to within an hour
    device: str = ""
    scope: str = ""  # what it may do, if that is not everything; then it is no device's

    @property
    def is_token(self) -> bool:
        """Whether it was made by name for a program, and not begun on a device."""
        return bool(self.scope)


class Proof(NamedTuple):
    """What somebody has shown of an account: its own token, or that of a session."""

    token_hash: str
    session: str = ""  # its id


class State(StrEnum):
    """How far a match has come. It never goes back, but for a start that its engine refused."""

    OPEN = "open"
    STARTING = "starting"  # the seats are fixed, and its engine may have it
    RUNNING = "running"
    OVER = "over"
    CLOSED = "closed"

    @property
    def has_started(self) -> bool:
        """Whether its engine has it."""
        return self in (State.RUNNING, State.OVER)


LISTED = (State.OPEN, State.RUNNING, State.OVER, State.CLOSED)
"""The states that matches are listed by; a starting match is still listed as open."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A place in a match: free, an account's or a hosted bot's."""

    name: str
    account: str = ""  # its id
    label: str = ""  # its name
    bot_level: str = ""
    nonce: str = ""  # in hex; nobody is shown it before the match starts
    program: bool = False  # the account is a bot

    @property
    def is_bot(self) -> bool:
        """Whether a program sits there, a hosted one or not."""
        return self.program or bool(self.bot_level)

    @property
    def is_free(self) -> bool:
        """Whether somebody may still sit there."""
        return not self.account and not self.bot_level

    @property
    def player(self) -> str:
        """Who plays there, as the record calls him; he may have taken another name since."""
        return f"bot:{self.bot_level}" if self.bot_level else self.label


class Team(NamedTuple):
    """Seats that play on one side."""

    name: str
    seats: tuple[str, ...]


class StandIn(NamedTuple):
    """A seat of a person for which a hosted bot plays, or has played."""

    seat: str
    bot_level: str  # empty once the person plays again
    changes: int  # which never fall: of two, the one with more is the newer one


class Hold(NamedTuple):
    """Whether the host holds a match, and how often that has changed, which never falls."""

    held: bool
    changes: int


NEVER_HELD = Hold(held=False, changes=0)


class Clock(NamedTuple):
    """The time that seats have."""

    bank_ms: int
    move_ms: int
    bot_level: str


class Outcome(NamedTuple):
    """How a match ended: the number of an Ending, and each seat's score."""

    ending: int
    scores: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Match:
    """Everything the gateway knows of a match."""

    id: str
    game: str
    options: tuple[tuple[str, str], ...]
    seats: tuple[Seat, ...]
    creator: str  # an account's id
    creator_name: str
    created_ms: int
    commitment: str
    clock: Clock | None = None
    state: State = State.OPEN
    outcome: Outcome | None = None
    settled: str = ""  # "counted" or "uncounted", once its ratings are settled
    left: tuple[str, ...] = ()  # accounts that had a seat and gave it up, the latest ones
    teams: tuple[Team, ...] = ()
    stand_ins: tuple[StandIn, ...] = ()
    hold: Hold = NEVER_HELD
    version: int = 1

    def seat(self, name: str) -> Seat | None:
        """The seat of this name, if there is one."""
        return next((seat for seat in self.seats if seat.name == name), None)

    def seats_of(self, account: Account) -> tuple[Seat, ...]:
        """The seats at which an account sits."""
        return tuple(seat for seat in self.seats if seat.account == account.id)

    def team_of(self, name: str) -> Team | None:
        """The team of a seat that has team-mates."""
        return next((team for team in self.teams if name in team.seats and team.seats[1:]), None)

    def stand_in(self, name: str) -> str:
        """The level of the bot that plays for the person at a seat, as far as is known."""
        return next((one.bot_level for one in self.stand_ins if one.seat == name), "")

    def is_alone(self, *leaving: str) -> bool:
        """Whether no person plays there, so that nobody waits; or once these seats are left."""
        return all(
            seat.bot_level or seat.name in leaving or self.stand_in(seat.name)
            for seat in self.seats
        )

    @property
    def is_rateable(self) -> bool:
        """Whether its result says anything: nobody plays against himself."""
        return len({seat.account or seat.player for seat in self.seats}) == len(self.seats)


def text_of(match: Match) -> str:
    """A match as the store keeps it."""
    said = asdict(match)
    for seat in said["seats"]:
        if not seat["program"]:  # a gateway that knows of no programs reads the others
            del seat["program"]
    return json.dumps(said, separators=(",", ":"))


def match_of(text: str) -> Match:
    """The match that was kept as this text."""
    d = json.loads(text)
    outcome = d["outcome"]
    return Match(
        id=d["id"],
        game=d["game"],
        options=tuple((name, value) for name, value in d["options"]),
        seats=tuple(Seat(**seat) for seat in d["seats"]),
        creator=d["creator"],
        creator_name=d["creator_name"],
        created_ms=d["created_ms"],
        commitment=d["commitment"],
        clock=Clock(*d["clock"]) if d["clock"] else None,
        state=State(d["state"]),
        outcome=Outcome(outcome[0], tuple((s, n) for s, n in outcome[1])) if outcome else None,
        settled=d["settled"],
        left=tuple(d["left"]),
        teams=tuple(Team(name, tuple(seats)) for name, seats in d.get("teams", ())),
        stand_ins=tuple(StandIn(*one) for one in d.get("stand_ins", ())),
        hold=Hold(*d.get("hold", NEVER_HELD)),
        version=d["version"],
    )


class Note(NamedTuple):
    """What somebody at a seat has written to his team."""

    account: str  # its id
    label: str  # its name then
    seat: str
    text: str
    at_ms: int
    request_id: str
    number: int = 0  # among those of the team


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong a player has proved to be in one game. `version` counts its changes."""

    player: str
    mu: float
    sigma: float
    ordinal: float
    matches: int = 0
    version: int = 0


class Result(NamedTuple):
    """What came of a match for one who sat there."""

    match: str
    seat: str
    side: str  # its team, if it has team-mates; else the seat
    account: str  # its id; empty: a hosted bot
    player: str  # under which name his ratings are kept
    game: str
    pace: str
    options: str  # all of them, as `results.spelt` writes them
    ended_ms: int
    length: int  # the number of the record's entries
    result: str  # won, lost, drawn or aborted
    score: int
    rated: bool


class RatingPoint(NamedTuple):
    """What a rating was after a match."""

    at_ms: int
    match: str
    mu: float
    sigma: float
    ordinal: float
    version: int


class Recorded(NamedTuple):
    """What is kept of a match besides its document."""

    text: str  # of its record, as it was verified
    kept: bytes  # what its engine wants back when it is asked for it
    head: str  # of its history
    revision: int  # the number of its entries


class ListEntry(NamedTuple):
    """Where a page of a list ends: what it is sorted by, then the name."""

    score: float
    name: str


class News(NamedTuple):
    """What gateways tell each other. Some may be missed: then `listening` comes first again."""

    kind: str  # "started", "changed", "token", "named", "stream", "follow", "note" or "listening"
    match: str = ""
    accounts: tuple[str, ...] = ()
    more: str = ""  # one word of whatever else there is to say
