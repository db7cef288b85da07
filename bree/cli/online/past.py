"""What was played: a profile, results and a search, as tables or, in a pipe, as plain lines.

Design. In a pipe each row is one line, its parts with tabs between, without headings: so it can be
cut and counted. On a screen the same rows are a table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import TypeVar

from google.protobuf.timestamp_pb2 import Timestamp
from rich.table import Table as Grid

from bree.cli.online import words
from bree.cli.online.link import Link
from bree.cli.talk import Talk
from bree.cli.trouble import Trouble
from bree.gateway.v1 import gateway_pb2 as pb
from bree.gateway.v1 import profiles_pb2 as profiles

PACES = {"live": pb.PACE_LIVE, "slow": pb.PACE_SLOW, "free": pb.PACE_FREE}
PACE_NAMES = {number: name for name, number in PACES.items()}
RESULTS = {
    "won": profiles.RESULT_KIND_WON,
    "lost": profiles.RESULT_KIND_LOST,
    "drawn": profiles.RESULT_KIND_DRAWN,
    "aborted": profiles.RESULT_KIND_ABORTED,
}
ANY = profiles.RESULT_KIND_UNSPECIFIED
RESULT_NAMES = {number: name for name, number in RESULTS.items()}
LENGTH = re.compile(r"(\d{0,9})-(\d{0,9})")
BOT = "bot:"
V = TypeVar("V")
NUMBERS = {"rating", "matches", "won", "lost", "drawn", "aborted", "entries", *PACES}
WHOLE = {"match", "ended", "game", "side", "result", "pace", *NUMBERS}
"""Columns of numbers, and those whose words stay in one piece."""

COLOURS = {"won": "green", "lost": "red"}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the command line says about which results are wanted."""

    game: str | None = None
    options: str | None = None
    pace: str | None = None
    side: str | None = None
    against: str | None = None
    result: str | None = None
    rated: bool | None = None
    since: str | None = None
    until: str | None = None
    length: str | None = None

    def filter(self) -> profiles.ResultFilter:
        """The same for the platform."""
        least, most = _lengths(self.length)
        return profiles.ResultFilter(
            game=self.game or "",
            options=self.options or "",
            pace=_one_of("--pace", PACES, self.pace) if self.pace else pb.PACE_UNSPECIFIED,
            side=self.side or "",
            opponent=self.against or "",
            result=_one_of("--result", RESULTS, self.result) if self.result else ANY,
            rated=self.rated,
            from_time=_day("--since", self.since),
            until_time=_day("--until", self.until),
            least_length=least,
            most_length=most,
        )


def _one_of(option: str, known: Mapping[str, V], said: str) -> V:
    if said not in known:
        raise Trouble(f"{option} takes {words.listed(list(known), 'or')}, not {said!r}")
    return known[said]


def _day(option: str, said: str | None) -> Timestamp | None:
    """The beginning of a day, or a moment, by UTC where nothing else is said."""
    if said is None:
        return None
    try:
        at = datetime.fromisoformat(said)
        time = Timestamp()
        time.FromDatetime(at if at.tzinfo else at.replace(tzinfo=UTC))
    except (ValueError, OverflowError):
        raise Trouble(f"{option} takes a day such as 2026-01-31, not {said!r}") from None
    return time


def _lengths(said: str | None) -> tuple[int, int]:
    found = LENGTH.fullmatch(said or "-")
    if found is None:
        raise Trouble(f"--length takes entries such as 50-200, 50- or -200, not {said!r}")
    return int(found[1] or 0), int(found[2] or 0)


# What is printed.


def profile(link: Link, name: str | None) -> int:
    """Print who somebody is, how strong he has proved to be, and what he has played."""
    with link.talk.busy("Asking who that is."):
        shown = link.client.profile(name or "")
        by_pace = {pace: link.client.profile(name or "", pace).ratings for pace in PACE_NAMES}
        summaries = _summaries(link, name or "", shown)
    _show_account(link.talk, shown.account)
    _show_ratings(link.talk, shown.ratings, by_pace)
    for summary in summaries:
        _show_summary(link.talk, summary)
    if link.talk.console.is_terminal and not any(summary.games for summary in summaries):
        link.talk.say("No match is settled yet.")
    return 0


def _show_account(talk: Talk, account: pb.Account) -> None:
    kinds = [kind for kind, is_so in (("guest", account.guest), ("program", account.bot)) if is_so]
    if account.name.startswith(BOT):
        kinds.append("hosted bot")
    since = _date(account.create_time) if account.HasField("create_time") else ""
    if talk.console.is_terminal:
        talk.say(account.name, "bold green")
        talk.say(f"  {', '.join([*kinds, f'since {since}'] if since else kinds)}")
    else:
        _show(talk, (), [("account", account.name, ", ".join(kinds), since)])


def _summaries(
    link: Link, name: str, shown: pb.GetProfileResponse
) -> list[profiles.SummarizeResultsResponse]:
    """What was played; of a hosted bot by game, for it has played much."""
    if not name.startswith(BOT):
        return [link.client.summary(name)]
    games = [rating.game for rating in shown.ratings]
    return [link.client.summary(name, profiles.ResultFilter(game=game)) for game in games]


def _show_ratings(
    talk: Talk,
    ratings: Iterable[pb.Rating],
    by_pace: Mapping[pb.Pace.ValueType, Iterable[pb.Rating]],
) -> None:
    paces = {
        (rating.game, pace): f"{rating.ordinal:.1f}"
        for pace, found in by_pace.items()
        for rating in found
    }
    rows = [
        (
            *("rating", one.game, f"{one.ordinal:.1f}", f"{one.mu:.1f} ± {one.sigma:.1f}"),
            str(one.matches),
            *(paces.get((one.game, pace), "–") for pace in PACE_NAMES),
        )
        for one in ratings
    ]
    headings = ("", "game", "rating", "estimate", "matches", *PACE_NAMES.values())
    _show(talk, headings, rows)


def _show_summary(talk: Talk, summary: profiles.SummarizeResultsResponse) -> None:
    kinds = (
        ("game", summary.games),
        ("side", summary.sides),
        ("options", summary.options),
        ("pace", summary.paces),
        ("against", summary.opponents),
    )
    rows = [
        (kind, one.game, one.of or PACE_NAMES.get(one.pace, ""), *_counts(one))
        for kind, tallies in kinds
        for one in tallies
    ]
    _show(talk, ("", "game", "", "won", "lost", "drawn", "aborted"), rows)
    if summary.HasField("since_time") and talk.console.is_terminal:
        talk.say(f"  Only matches since {_date(summary.since_time)} are counted.", "dim")


def _counts(tally: profiles.Tally) -> tuple[str, ...]:
    return tuple(map(str, (tally.won, tally.lost, tally.drawn, tally.aborted)))


def results(link: Link, name: str | None, wanted: Wanted, most: int) -> int:
    """Print what came of somebody's matches, the newest first."""
    found = link.client.results(name or "", wanted.filter())
    with link.talk.busy("Asking for results."):
        rows = [_row(one) for one in islice(found, _positive(most))]
    headings = ("match", "ended", "game", "side", "result", "against", "pace", "options", "entries")
    _show(link.talk, headings, rows)
    if not rows and link.talk.console.is_terminal:
        link.talk.say("There is none.")
    return 0


def _row(one: profiles.Result) -> tuple[str, ...]:
    team = next((team.seats for team in one.match.teams if team.name == one.side), [one.seat])
    others = [words.who(seat) for seat in one.match.seats if seat.seat not in team]
    return (
        *(one.match.id, _date(one.end_time), one.match.game, one.side),
        *(RESULT_NAMES.get(one.result, ""), ", ".join(others)),
        *(PACE_NAMES.get(one.pace, ""), one.options, str(one.length)),
    )


def search(link: Link, players: Sequence[str], wanted: Wanted, most: int) -> int:
    """Print matches that are over, the newest first."""
    if not players and not wanted.game:
        raise Trouble("say which game, or whose matches: bree search GAME --player NAME")
    found = link.client.found(players, wanted.filter())
    with link.talk.busy("Looking for matches."):
        rows = [
            (
                *(one.match.id, _date(one.end_time), one.match.game, words.seats(one.match)),
                words.verdict(one.match.outcome).rstrip("."),
                *(PACE_NAMES.get(one.pace, ""), one.options, str(one.length)),
            )
            for one in islice(found, _positive(most))
        ]
    headings = ("match", "ended", "game", "seats", "outcome", "pace", "options", "entries")
    _show(link.talk, headings, rows)
    if not rows and link.talk.console.is_terminal:
        link.talk.say("There is none.")
    return 0


def _positive(most: int) -> int:
    if most < 1:
        raise Trouble(f"--most takes a number from 1, not {most}")
    return most


def _date(time: Timestamp) -> str:
    return f"{time.ToDatetime(UTC):%Y-%m-%d}"


def _show(talk: Talk, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Rows as a table; in a pipe as lines."""
    if not talk.console.is_terminal:
        for row in rows:
            talk.line("\t".join(row))
        return
    if not rows:
        return
    grid = Grid(box=None, pad_edge=False, header_style="dim")
    for heading in headings:
        grid.add_column(
            heading,
            no_wrap=heading in WHOLE,
            justify="right" if heading in NUMBERS else "left",
        )
    for row in rows:
        styled = next((COLOURS[part] for part in row if part in COLOURS), "")
        grid.add_row(*row, style=styled)
    talk.show(grid)
    talk.say()
