"""`bree arena`: from the command line to games between bots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path

from bree.cli.arena.contest import Played
from bree.cli.arena.report import progress, show
from bree.cli.arena.results import Results
from bree.cli.arena.run import Plan, everyone, ladder, run
from bree.cli.talk import Talk
from bree.cli.trouble import Trouble
from services import GAMES, rules_of
from workers.bots import BOTS


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the command line asks for."""

    games: Sequence[str]
    bots: Sequence[str]
    pairs: int
    minutes: float | None
    keep: Path | None
    options: dict[str, str]
    jobs: int = 0  # games at the same time; 0 is one a core


def arena(talk: Talk, wanted: Wanted) -> int:
    """Play the games that are missing, and show where things stand."""
    plans = [_plan(game, wanted) for game in wanted.games or GAMES]
    results = Results(wanted.keep)
    seconds = inf if wanted.minutes is None else 60 * wanted.minutes / len(plans)

    def tell(played: Played, done: int, number: int) -> None:
        talk.say(progress(played, done, number), "dim")

    for plan in plans:
        whole = run(plan, results, seconds, tell, wanted.jobs)
        show(talk, plan, results)
        if not whole:
            talk.say("Time is up; the same command goes on from here.", "yellow")
    return 0


def _plan(game: str, wanted: Wanted) -> Plan:
    rules = rules_of(game)
    rules.agree(wanted.options)
    for bot in wanted.bots:
        if bot not in BOTS:
            raise Trouble(f"there is no bot {bot!r}; there are {', '.join(BOTS)}")
    if len(wanted.bots) == 1 or len(set(wanted.bots)) < len(wanted.bots):
        raise Trouble("name two different bots or more, or none for the whole ladder")
    pairings = everyone(wanted.bots) if wanted.bots else ladder()
    assert all(a != b for a, b in pairings)
    return Plan(game, pairings, wanted.pairs, wanted.options)
