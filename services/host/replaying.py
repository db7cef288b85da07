"""Whether a match replays under the rules at hand, whatever rules it was played by.

Design. Nothing is noted by it: a match that would go differently is not frozen, and one that is
frozen may be found to replay again. Rules of another edition may fail in any way on what was
decided under older ones; every such failure means that the entry leads elsewhere.
"""

from __future__ import annotations

from contextlib import aclosing
from typing import NamedTuple

import structlog

from services.core.record import FORMAT
from services.host import refusals
from services.host.following import check_head, follow
from services.host.match_state import MatchState
from services.host.matches import Matches
from services.host.serialization import SETUP, Setup
from services.host.steps import Diverged

log = structlog.get_logger()


class Replayed(NamedTuple):
    """What came of it."""

    edition: int
    revision: int
    replays: bool
    differs_at: int = 0  # the first entry that leads elsewhere, from 1


async def replayed(matches: Matches, name: str) -> Replayed:
    """Play all entries of a match again."""
    stored = await matches.read(name)
    setup = Setup.of(stored.fields[SETUP])
    if setup.form != FORMAT:
        raise refusals.outdated(name, matches.rules, setup.edition)
    secret = matches.promised(name, setup.commitment)
    if secret is None:
        raise refusals.unavailable("engine", "this engine has another fate key")
    at = 0
    try:
        state = MatchState(matches.rules, setup, secret)
        async with aclosing(follow(state, stored)) as steps:
            async for _ in steps:
                at = state.revision
        check_head(state, stored)
    except Diverged as diverged:
        return Replayed(setup.edition, stored.revision, replays=False, differs_at=diverged.revision)
    except Exception as error:  # noqa: BLE001 (rules of another edition may fail in any way)
        log.info("not replayed", match=name, error=repr(error))
        first = min(at + 1, stored.revision)
        return Replayed(setup.edition, stored.revision, replays=False, differs_at=first)
    return Replayed(setup.edition, stored.revision, replays=True)
