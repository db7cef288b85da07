"""What the arena tells: progress while games are played, tables when they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean

from rich.table import Table as Grid

from bree.cli.arena.contest import Played
from bree.cli.arena.ratings import Score, Span, elo, points
from bree.cli.arena.results import Results
from bree.cli.arena.run import Plan
from bree.cli.talk import Talk
from services import rules_of

ANCHORS = ("uniform", "greedy", "novice")
"""The first of these that has played has the rating 0."""


def complete(played: Sequence[Played]) -> Iterator[tuple[Played, Played]]:
    """Games with the same chance whose other half has been played too."""
    halves = {(one.contest.seed, one.contest.swapped): one for one in played}
    for (seed, swapped), one in halves.items():
        if not swapped and (seed, True) in halves:
            yield one, halves[seed, True]


def show(talk: Talk, plan: Plan, results: Results) -> None:
    """Print the points of every pairing, and the ratings that follow from them."""
    scores: list[Score] = []
    grid = Grid(box=None, pad_edge=False)
    for heading in ("bots", "games", "points", "95 %", *_seats(plan), "ms each"):
        grid.add_column(heading, justify="left" if heading == "bots" else "right", no_wrap=True)
    for pairing in plan.pairings:
        pairs = list(complete(results.of(plan.contests(pairing))))
        if pairs:
            scores += [Score(pairing, a.points + b.points, 2) for a, b in pairs]
            grid.add_row(*_row(pairing, pairs))
    talk.say(rules_of(plan.game).title, "bold green")
    talk.show(grid)
    if scores:
        talk.show(_ratings(scores))


def _seats(plan: Plan) -> list[str]:
    """Headings of the first bot's points by where it sat, if there are two seats."""
    rules = rules_of(plan.game)
    seats = rules.seats(rules.agree(plan.options))
    return [f"as {seat}" for seat in seats] if len(seats) == 2 else ["even seats", "odd seats"]


def _row(pairing: tuple[str, str], pairs: Sequence[tuple[Played, Played]]) -> Iterator[str]:
    yield f"{pairing[0]} – {pairing[1]}"
    yield str(2 * len(pairs))
    span = points(sum(a.points + b.points for a, b in pairs), 2 * len(pairs))
    yield f"{100 * span.value:.1f} %"
    yield f"{100 * span.low:.0f}–{100 * span.high:.0f}"
    for half in zip(*pairs, strict=True):
        yield f"{100 * fmean(game.points for game in half):.0f} %"
    games = [game for pair in pairs for game in pair]
    yield " / ".join(f"{fmean(game.ms[bot] for game in games):.1f}" for bot in (0, 1))


def _ratings(scores: Sequence[Score]) -> Grid:
    bots = {bot for score in scores for bot in score.bots}
    anchor = next((bot for bot in ANCHORS if bot in bots), min(bots))
    grid = Grid(box=None, pad_edge=False)
    for heading in ("bot", "Elo", "95 %"):
        grid.add_column(heading, justify="left" if heading == "bot" else "right")
    rated = sorted(elo(scores, anchor).items(), key=lambda item: -item[1].value)
    for bot, span in rated:
        grid.add_row(bot, f"{span.value:+.0f}", _interval(span) if bot != anchor else "set to 0")
    return grid


def _interval(span: Span) -> str:
    return f"{span.low:+.0f} … {span.high:+.0f}"


def progress(played: Played, done: int, number: int) -> str:
    """One game, in a line."""
    contest = played.contest
    sits = "second" if contest.swapped else "first"
    name, other = contest.bots
    return (
        f"{done}/{number}  {contest.game} {contest.seed}: {name}, sitting {sits}, "
        f"{_went(played.points)} {other} in {played.decisions} decisions"
    )


def _went(points_won: float) -> str:
    if points_won == 0.5:
        return "draws with"
    return "beats" if points_won > 0.5 else "loses to"
