"""What the gateway needs of a store, in words of its own. `ledger_store.py` has it.

Design. Whatever must change together is one method, and each of them may be repeated after a lost
connection. Lists (open, live, seated, listed) are written before what they point to and cleared
after it, so they may name too much and never too little; readers look at the match itself. What is
live and what is past may be kept apart: whoever asks without the past gets what is live, always.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import AbstractAsyncContextManager
from enum import StrEnum
from typing import NamedTuple, Protocol

from gateway.desk.contract import DeskStore
from gateway.documents import (
    Account,
    Credentials,
    ListEntry,
    Match,
    News,
    Note,
    Proof,
    Rating,
    RatingPoint,
    Recorded,
    Result,
    Session,
    State,
)
from gateway.keyring import KeyringStore
from gateway.people_contract import PersonalStore, ProgramStore


class Reservation(NamedTuple):
    """An open match that an account wants, or has, room for."""

    match: str
    digest: str  # of the request that asked for it
    request_id: str = ""


class Claim(StrEnum):
    """What came of a guest's asking for a name."""

    CLAIMED = "claimed"  # now, or before
    TAKEN = "taken"  # by somebody else
    NAMED = "named"  # he is no guest


class Renaming(StrEnum):
    """What came of somebody's asking for another name."""

    DONE = "done"  # now, or before
    TAKEN = "taken"  # by somebody else, or kept for him
    GUEST = "guest"  # he has not chosen his first one
    EARLY = "early"  # it is too soon after the last time
    REFUSED = "refused"  # what he has shown is worth nothing any more


class Renamed(NamedTuple):
    """That, and from when he may take another one; 0 if at once."""

    how: Renaming
    next_ms: int = 0


class Added(StrEnum):
    """What came of making a token."""

    ADDED = "added"  # now, or before
    FULL = "full"  # there are as many as there may be
    REFUSED = "refused"  # what was shown is worth nothing any more


class Ended(NamedTuple):
    """How many were ended."""

    sessions: int
    tokens: int


RENAME_MS = 30 * 86_400_000
"""Once in so long an account may take another name."""

NAME_KEPT_MS = 90 * 86_400_000
"""For so long the name that it had before is kept from others."""


ALL = -1
"""In the place of a most: however many there are."""


MOST_ASKED = 32
"""Among so many notes of its team, the latest, is looked for one that was sent before."""


class Archived(NamedTuple):
    """What the ledger has of a settled match, by what it can be compared."""

    head: str
    revision: int


class Settled(NamedTuple):
    """What came of settling: done now, done before, or refused for a rating that has changed."""

    now: bool
    changed: int | None = None
    in_pace: bool = False  # it is the one of the match's pace that has changed


class Filter(NamedTuple):
    """Which results are wanted; what is empty restricts nothing."""

    game: str = ""
    account: str = ""  # whose, by his id
    player: str = ""  # whose, by the name under which ratings are kept; takes a game
    options: str = ""
    pace: str = ""
    side: str = ""  # a side or a seat
    opponents: tuple[str, ...] = ()  # who sat on another side, by their players
    others: tuple[str, ...] = ()  # who sat at any seat, likewise
    result: str = ""
    rated: bool | None = None
    from_ms: int = 0
    until_ms: int = 1 << 62
    least: int = 0  # entries of the record
    most: int = 1 << 62


class Place(NamedTuple):
    """A place among results, of which the newest come first."""

    ended_ms: int
    match: str
    seat: str = ""


class Listed(NamedTuple):
    """Some results, and where those after them begin if there may be more."""

    results: list[Result]
    after: Place | None


class Counted(NamedTuple):
    """Results that have something in common, and how many they are."""

    game: str
    by: str  # what they have in common: side, options, pace or opponent; empty: the game alone
    of: str  # which
    result: str
    number: int


class Counts(NamedTuple):
    """Results counted, those before a time left out if there were too many."""

    counted: list[Counted]
    since_ms: int | None


class History(NamedTuple):
    """What a rating was; thinned if there are more points."""

    points: list[RatingPoint]
    thinned: bool


class Store(ProgramStore, PersonalStore, KeyringStore, DeskStore, Protocol):
    """Accounts, matches with their lists and notes, ratings, who is here, and news."""

    def fenced(self) -> AbstractAsyncContextManager[None]:
        """What is read within cannot be lost once this has ended; else `OUTCOME_UNKNOWN`."""
        ...

    async def add_account(self, account: Account, token_hash: str) -> bool:
        """Keep a new account; False if its name is taken, in capitals or not."""

    async def credentials(self, account: str, *, surely: bool = False) -> Credentials | None:
        """The account with this id; surely, what there is and no copy that may be older."""

    async def accounts(self, ids: Sequence[str]) -> list[Account | None]:
        """The accounts with these ids."""

    async def account_named(self, name: str) -> Account | None:
        """The account to which this name leads: that has it, or had it; in capitals or not."""

    async def accounts_named(self, names: Sequence[str]) -> list[Account | None]:
        """The same, of several names."""

    async def accounts_rated_as(self, players: Sequence[str]) -> list[Account | None]:
        """The accounts whose ratings are kept under these names."""

    async def claim_name(self, account: str, name: str) -> Claim:
        """Give a guest a name; the one he had stays his, and nobody else ever gets it."""

    async def rename(self, account: str, name: str, now_ms: int, by: Proof) -> Renamed:
        """Give somebody who is no guest another name; the older one is kept for him for a time."""

    async def free_names(self, now_ms: int, most: int) -> int:
        """Let go of names that were kept until now, so many at most; how many those were."""

    async def swap_token(self, account: str, old: str, new: str, session: str = "") -> bool:
        """Replace the hash of an account's token, which is the old one, or that of a session.

        False if the old one is worth nothing any more. An empty one ends all sessions as well.
        """

    async def token_hashes(self, account: str) -> set[str]:
        """The hashes of its tokens that are worth something: its own and those of sessions."""

    async def add_session(
        self,
        account: str,
        session: Session,
        most: int,
        code: str = "",
        *,
        recovery: str = "",
        by: Proof | None = None,
    ) -> bool:
        """Keep a new session; if there are too many then, the longest unused one ends.

        False if the account is revoked, if the login or recovery code, of which this is the hash,
        does not stand, or the proof; a code is used up by this.
        """

    async def session(self, account: str, session: str, *, surely: bool = False) -> Session | None:
        """The session or token of an account with this id; surely, as it is now."""

    async def sessions(self, account: str) -> list[Session]:
        """All sessions of an account, which are those of devices."""

    async def tokens(self, account: str) -> list[Session]:
        """All tokens of an account that were made by name."""

    async def add_token(self, account: str, token: Session, most: int, by: Proof) -> Added:
        """Keep a new token, of so many at most."""

    async def end_token(self, account: str, token: str) -> None:
        """End a token, if there is one with this id."""

    async def use_session(self, account: str, session: Session, now_ms: int) -> None:
        """Note that a session or token was used, if it has not ended."""

    async def end_sessions(self, account: str, sessions: Sequence[str]) -> int:
        """End sessions; gives how many of them there were."""

    async def end_all(self, account: str, keep: str, *, tokens_too: bool) -> Ended:
        """End the login code and all sessions but this one, and all tokens if that is wanted."""

    async def keep_code(
        self, account: str, code: str, until_ms: int, by: Proof | None = None
    ) -> bool:
        """Keep the hash of a login code in place of an older one; False without proof."""

    async def account_of_code(self, code: str) -> str:
        """The id of the account for which a code with this hash was made, or nothing."""

    async def keep_recovery_codes(
        self, account: str, codes: Sequence[str], now_ms: int, by: Proof
    ) -> bool:
        """Keep the hashes of codes in place of all older ones; False without proof."""

    async def recovery_codes(self, account: str) -> tuple[int, int]:
        """How many codes are left, and when they were made; 0 if there are none."""

    async def account_of_recovery_code(self, code: str) -> str:
        """The id of the account for which a code with this hash was made, or nothing."""

    async def reservation(self, account: str, request_id: str) -> Reservation | None:
        """What was reserved for a request of this account."""

    async def reserve(
        self, account: str, wanted: Reservation, now_ms: int, most: int
    ) -> Reservation | None:
        """Make room for an open match; gives the one that holds, or nothing if there is no room."""

    async def reserved(self, account: str) -> list[ListEntry]:
        """The open matches of an account, each with the time it was reserved."""

    async def unreserve(self, account: str, entries: Sequence[ListEntry]) -> None:
        """Give up reservations that have not been renewed since."""

    async def add_match(self, match: Match) -> Match:
        """Keep a new match; gives the one of its name that is kept."""

    async def match(self, match: str, *, past: bool = True) -> Match | None:
        """The match with this id; without the past, if it may not be over at least."""

    async def matches(self, ids: Sequence[str], *, past: bool = True) -> list[Match | None]:
        """The matches with these ids; without the past, those that may not be over at least."""

    async def swap_match(self, old: Match, new: Match) -> bool:
        """Replace a match by another version of itself; False if it has changed meanwhile."""

    async def list_match(self, match: Match, state: State) -> None:
        """Put a match on the list of its game and a state."""

    async def unlist_match(self, match: Match, state: State) -> None:
        """Take it from that list."""

    async def listed(
        self, game: str, state: State, after: ListEntry | None, most: int
    ) -> list[ListEntry]:
        """The matches on a list, the newest first."""

    async def enter(self, account: str, match: Match, now_ms: int, most: int) -> bool:
        """Put a match on an account's lists; False if the list of live ones is full."""

    async def live(self, account: str) -> list[ListEntry]:
        """The matches that an account may sit in and that may not be over."""

    async def unlive(self, account: str, entries: Sequence[ListEntry]) -> None:
        """Take matches from that list that have not been entered again since."""

    async def finish(self, match: Match) -> None:
        """Take a match that is over from the lists of those that are open, running or live.

        Accounts for which it was live until now have it on the list of ends to be told.
        """

    async def ended(self, account: str) -> list[ListEntry]:
        """The ends that an account may not have been told; the latest thousand, for a week."""

    async def unended(self, account: str, entries: Sequence[ListEntry]) -> None:
        """Take ends from that list that were told."""

    async def seated(
        self, account: str, after: ListEntry | None, most: int, *, past: bool = True
    ) -> list[ListEntry]:
        """The matches that an account may sit in or may have sat in, the newest first.

        Without the past, those that may not be over at least.
        """

    async def ratings(self, game: str, players: Sequence[str]) -> list[Rating | None]:
        """The ratings of players that have one."""

    async def leaders(
        self, game: str, after: ListEntry | None, most: int, *, people: bool = False
    ) -> list[Rating]:
        """The best of a game, by their ordinals; or the best people, without bots of any kind."""

    async def settled(self, game: str, match: str) -> str:
        """Whether the match is settled, and how: "counted" or "uncounted", else nothing."""

    async def settle(
        self,
        match: Match,
        ratings: Sequence[Rating],
        recorded: Recorded,
        results: Sequence[Result] = (),
        paced_ratings: Sequence[Rating] = (),
    ) -> Settled:
        """Keep a match that is over for good, with its record and all that follows from it.

        The version of each rating is the one that was read; those in `paced_ratings` are of
        the match's pace. When it was over, the store says. All is written, or nothing.
        """

    async def results(self, wanted: Filter, after: Place | None, most: int) -> Listed:
        """The newest results that are wanted, as many as were found among so many."""

    async def found(self, wanted: Filter, after: Place | None, most: int) -> Listed:
        """The same, of each match one."""

    async def counts(self, wanted: Filter, *, with_opponents: bool) -> Counts:
        """How many results there are, in several ways."""

    async def rating_history(
        self, game: str, player: str, from_ms: int, until_ms: int, most: int
    ) -> History:
        """What a rating was at so many times at most, the oldest first."""

    async def archived(self, match: str) -> Archived | None:
        """What is kept for good of a match that is settled."""

    async def keep_closed(self, match: Match) -> None:
        """Keep a match for good that was closed before it began."""

    async def keep_notes(self, match: Match) -> None:
        """Keep the notes of a match for good that is kept itself."""

    async def take_out(self, match: Match) -> None:
        """Take a match that is kept for good from what is live, with its notes and from lists."""

    async def aged(
        self, game: str, state: State, after: ListEntry | None, before_ms: int, most: int
    ) -> list[ListEntry]:
        """The next matches on a list of what is live, the oldest first, from until that time."""

    async def unlist(self, game: str, state: State, matches: Sequence[str]) -> None:
        """Take matches from a list, whatever they are."""

    async def take_turn(self, what: str, holder: str, lease_ms: int) -> bool:
        """Whether it is one's turn to do what one at a time does, for so long."""

    async def add_note(self, match: str, team: str, note: Note, most: int) -> Note:
        """Keep a note under the next number, and of all of its team so many, the latest.

        Gives the one that is kept under its writer's request id.
        """

    async def notes(self, match: str, team: str, before: int, most: int) -> list[Note]:
        """The notes of a team with lower numbers than this, the latest first; `ALL` is of all."""

    async def arrive(self, account: str, now_ms: int, until_ms: int) -> bool:
        """Note that an account is here, until then at least; whether it was not."""

    async def stay(self, accounts: Sequence[str], until_ms: int) -> None:
        """Note that accounts are here until then at least."""

    async def depart(self, account: str, until_ms: int) -> None:
        """Note that an account is here no longer than until then, unless somebody says that."""

    async def gone(self, now_ms: int, most: int) -> list[str]:
        """Accounts that are here no longer; each is told to one caller, once."""

    async def here(self, accounts: Sequence[str], now_ms: int) -> set[str]:
        """Who of these accounts is here."""

    async def tell(self, news: News) -> None:
        """Tell every gateway that listens."""

    def news(self) -> AsyncGenerator[News, None]:
        """What gateways tell; `listening` first, and again whenever some may have been missed."""

    async def close(self) -> None:
        """Let go of connections."""
