"""`bree admin replay`: what a change of the rules would break, found out before it does.

Design. It is run with the version of Bree that is to come, beside the platform that runs: that one
is read, and goes on. The exit code says whether anything would go differently.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from rich.table import Table

from bree.backup.taking import Refused
from bree.ledger.refusals import TROUBLES, sentence
from bree.local.backup import keys_of_this_run, run, where_of
from bree.local.screen import Screen
from bree.local.settings import LocalSettings, Trouble
from bree.redis.clients import FAILURES
from bree.rehearsal.rehearsing import OfGame, Rehearsed, rehearse
from bree.rehearsal.sources import Wanted
from services import GAMES, rules_of

DIFFERENT = 1
STEP = 2000
"""After so many matches it is said how many have been."""


def replay(games: Sequence[str], sample: int, seed: str, *, as_json: bool) -> int:
    """Run matches through the rules at hand; the exit code."""
    wanted = Wanted(games, sample, seed)
    return run(lambda settings, screen: _replay(settings, screen, wanted, as_json=as_json))


async def _replay(settings: LocalSettings, screen: Screen, wanted: Wanted, *, as_json: bool) -> int:
    if unknown := set(wanted.games) - set(GAMES):
        raise Trouble(f"there is no game {min(unknown)}: {', '.join(GAMES)}", 2)
    keys = keys_of_this_run(settings)
    if not keys:
        why = "there is no fate key here, so no match that runs can be followed: set BREE_FATE_KEY"
        raise Trouble(why, 2)
    told = 0

    def tell(number: int) -> None:
        nonlocal told
        if not as_json and number // STEP > told // STEP:
            screen.say(f"{number} matches so far")
        told = number

    try:
        found = await rehearse(where_of(settings), keys, wanted, tell)
    except FAILURES as error:
        raise Refused(f"the store cannot be read: {error}", is_away=True) from None
    except TROUBLES as error:
        raise Refused(sentence(error), is_away=True) from None
    if as_json:
        screen.console.print_json(json.dumps({game: _said(one) for game, one in found.items()}))
    else:
        _show(screen, found)
    return DIFFERENT if any(one.differ for one in found.values()) else 0


def _said(of: OfGame) -> dict[str, Any]:
    return {
        "running": of.running,
        "finished": of.finished,
        "differ": of.differ,
        "unread": dict(of.unread),
        "first": [one._asdict() for one in of.first],
    }


def _show(screen: Screen, found: Rehearsed) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("game", "edition", "running", "finished", "would differ", "not read"):
        table.add_column(heading, justify="left" if heading == "game" else "right")
    for game, of in found.items():
        edition = str(rules_of(game).edition) if game in GAMES else "?"
        numbers = (of.running, of.finished, of.differ, of.unread.total())
        table.add_row(game, edition, *map(str, numbers))
    screen.console.print(table)
    for game, of in found.items():
        for one in of.first:
            kind = "runs" if one.is_live else "is over"
            screen.say(
                f"{game}: look at {one.match}, which {kind} (edition {one.edition}): {one.why}"
            )
        if of.differ > len(of.first):
            screen.say(f"{game}: and {of.differ - len(of.first)} more")
        for why, number in of.unread.most_common():
            screen.say(f"{game}: {number} not read: {why}")
    if not any(of.differ for of in found.values()):
        screen.say("every match that was read goes as it went")
