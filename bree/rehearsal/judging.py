"""One match, run through the rules at hand: whether it goes as it went, and if not, from where.

Design. It is followed as an engine follows it: every decision made again, chance dealt again, each
digest compared, the end too. The edition that it began with is not looked at, for that is what is
asked: whether the next edition would replay it. Nothing is written anywhere, and a match that was
frozen before is judged like any other, for the rules at hand may be what thaws it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import NamedTuple

from bree.ledger.packing import unpack
from services import GAMES, rules_of
from services.core.errors import Refused
from services.core.reading import parse_record
from services.core.record import FORMAT
from services.host.following import check_head, follow
from services.host.kept import Unreadable, unpacked
from services.host.match_state import MatchState
from services.host.serialization import SETUP, Setup
from services.host.steps import Diverged
from services.host.store import Stored

NEVER = -1
"""Where a match goes differently that does not."""


class Case(NamedTuple):
    """A match that is to be judged: as a store has it, or as the ledger does."""

    game: str
    match: str
    secret: bytes = b""
    stored: Stored | None = None
    record: bytes = b""
    kept: bytes = b""

    @property
    def is_live(self) -> bool:
        """Whether it is in the live store."""
        return self.stored is not None


class Verdict(NamedTuple):
    """What came of it."""

    game: str
    match: str
    is_live: bool
    edition: int = 0  # the one that it began with
    at: int = NEVER  # the first entry that is another now; 0: it cannot even begin
    why: str = ""
    unread: str = ""  # why it could not be judged

    @property
    def differs(self) -> bool:
        """Whether it would go differently."""
        return self.at != NEVER


def judged(cases: Sequence[Case]) -> list[Verdict]:
    """The verdicts on some matches; runs in a process of its own."""
    return asyncio.run(_judged(cases))


async def _judged(cases: Sequence[Case]) -> list[Verdict]:
    return [await judge(case) for case in cases]


async def judge(case: Case) -> Verdict:
    """The verdict on one match."""
    verdict = Verdict(case.game, case.match, case.is_live)
    if case.game not in GAMES:
        return verdict._replace(unread="this version of Bree does not know the game")
    try:
        secret, stored = _opened(case)
        setup = Setup.of(stored.fields[SETUP])
    except (Refused, Unreadable, ValueError, KeyError) as error:
        return verdict._replace(unread=f"it cannot be read: {error}")
    if not secret:
        return verdict._replace(unread="it began with another fate key")
    verdict = verdict._replace(edition=setup.edition)
    if setup.form != FORMAT:
        return verdict._replace(unread="its record is of the first form, which binds no history")
    return await _followed(verdict, setup, secret, stored)


def _opened(case: Case) -> tuple[bytes, Stored]:
    """What a match is followed with; of one that is over, its record tells the secret."""
    if case.stored is not None:
        return case.secret, case.stored
    text = unpack(case.record).decode()
    return parse_record(text).fairness.secret, unpacked(unpack(case.kept), text)


async def _followed(verdict: Verdict, setup: Setup, secret: bytes, stored: Stored) -> Verdict:
    try:
        state = MatchState(rules_of(verdict.game), setup, secret)
    except Exception as error:  # noqa: BLE001 (whatever new rules say to options of old)
        return verdict._replace(at=0, why=f"it cannot begin: {error!r}")
    try:
        async for _ in follow(state, stored):
            pass
        if stored.head:
            check_head(state, stored)
    except Diverged as diverged:
        return verdict._replace(at=diverged.revision, why=str(diverged))
    return verdict
