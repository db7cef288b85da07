"""`bree top`: a platform at work, as one screen that is drawn again and again.

Design. Who plays what comes from the gateway's lists, as for anyone; how fast and how deep comes
from the processes' figures. Where either is out of reach, only its part of the screen is missing.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice

from rich.console import Group, RenderableType
from rich.live import Live
from rich.table import Table as Grid
from rich.text import Text

from bree.cli.online import words
from bree.cli.online.figures import Reader, Reading, Span, pages_at
from bree.cli.online.link import Link
from bree.cli.trouble import Away, Trouble
from bree.client.patience import Refused
from bree.gateway.v1 import gateway_pb2 as pb

MOST_COUNTED = 300
"""More matches of one kind are not counted, since each page of them is a call."""

MOST_SHOWN = 12
LISTS_SECONDS = 3.0
SHORTEST, LONGEST = 0.1, 60.0


@dataclass(slots=True)
class Lists:
    """What the gateway tells."""

    games: list[str] = field(default_factory=list)
    open: list[pb.Match] = field(default_factory=list)
    running: list[pb.Match] = field(default_factory=list)
    trouble: str = ""


class Top:
    """The screen."""

    def __init__(self, link: Link, places: Sequence[str]) -> None:
        self.link = link
        self.reader = Reader(pages_at(places, link.login.gateway))
        self.lists = Lists()
        self.listed = 0.0
        self.now = Reading(time.monotonic())
        self.span = Span(self.now, self.now)

    def run(self, every: float, *, once: bool) -> int:
        """Draw until nobody looks any more; or only once."""
        if not SHORTEST <= every <= LONGEST:
            raise Trouble(f"--every takes {SHORTEST:g} to {LONGEST:g} seconds, not {every:g}")
        talk = self.link.talk
        try:
            with talk.busy("Looking."):
                self.look()
                time.sleep(every)
                self.look()
            if self.lists.trouble and not self.now.pages:
                raise Away(self.lists.trouble)
            if once or not talk.console.is_terminal:
                talk.show(self.draw())
                return 0
            with Live(self.draw(), console=talk.console, screen=True, auto_refresh=False) as live:
                while True:
                    time.sleep(every)
                    self.look()
                    live.update(self.draw(), refresh=True)
        except KeyboardInterrupt:
            return 0
        finally:
            self.reader.close()

    # Looking.

    def look(self) -> None:
        """See how things stand now."""
        before, self.now = self.now, self.reader.read()
        self.span = Span(before, self.now)
        if time.monotonic() - self.listed >= LISTS_SECONDS or self.lists.trouble:
            self.lists = self._list()
            self.listed = time.monotonic()

    def _list(self) -> Lists:
        client = self.link.client
        try:
            games = [game.game for game in client.games()]
            waiting, running = (
                list(islice(client.matches(state=state), MOST_COUNTED))
                for state in (pb.MATCH_STATE_OPEN, pb.MATCH_STATE_RUNNING)
            )
        except Refused as refused:
            if not refused.is_passing:
                raise
            return Lists(self.lists.games, trouble=f"{self.link.login.gateway} does not answer")
        return Lists(games, waiting, running)

    # Drawing.

    def draw(self) -> RenderableType:
        """The whole screen."""
        parts: list[RenderableType] = [self._head(), Text(), self._games(), Text()]
        parts += self._platform() if self.now.pages else [self._no_figures()]
        return Group(*parts, Text(), *self._matches())

    def _head(self) -> Text:
        now = datetime.now().astimezone().strftime("%H:%M:%S")
        head = Text.assemble(("Bree", "bold green"), f" on {self.link.login.gateway}, {now}")
        if self.lists.trouble:
            head.append(f"  {self.lists.trouble}", "bold red")
        return head

    def _no_figures(self) -> Text:
        first = self.reader.urls[0].removeprefix("http://").removesuffix("/metrics")
        return Text(f"No process tells its figures at {first}; --metrics says where.", "yellow")

    def _games(self) -> Grid:
        grid = Grid(box=None, pad_edge=False, header_style="dim")
        grid.add_column("game")
        headings = ("open", "running", "moves/s", "bots/s", "queue", "oldest", "clocks", "to score")
        for heading in headings:
            grid.add_column(heading, justify="right")
        for game in self.lists.games:
            grid.add_row(game, *self._counts(game), *self._figures(game))
        return grid

    def _counts(self, game: str) -> tuple[str, str]:
        return _count(self.lists.open, game), _count(self.lists.running, game)

    def _figures(self, game: str) -> tuple[str, ...]:
        if not self.now.pages:
            return ()
        span, now = self.span, self.now
        due = [
            f"{now.highest('bree_due', game=game, kind=kind):.0f}"
            for kind in ("bot_turn", "clock", "score")
        ]
        oldest = now.highest("bree_due_age_seconds", game=game, kind="bot_turn")
        return (
            f"{span.rate('bree_decisions_total', game=game):.1f}",
            f"{span.rate('bree_bot_turns_total', game=game, result='played'):.1f}",
            due[0],
            f"{oldest:.1f} s",
            *due[1:],
        )

    def _platform(self) -> list[RenderableType]:
        """A line for the calls, one for what takes time, one for what should not happen."""
        span, now = self.span, self.now
        match = {"service": "MatchService"}
        calls = [
            f"{len(now.pages)} {'process' if len(now.pages) == 1 else 'processes'}",
            f"{span.rate('bree_calls_total', **match):.1f} calls/s",
            f"{now.total('bree_streams', method='WatchMatch'):.0f} watching",
        ]
        times = [
            f"a move takes {_ms(span.mean('bree_call_seconds', method='Act', **match))}",
            f"the store {_ms(span.mean('bree_append_seconds'))}",
            f"a bot thinks {_ms(span.mean('bree_bot_think_seconds'))}",
        ]
        bugs, frozen = now.total("bree_bugs_total"), now.total("bree_matches_frozen_total")
        refused = span.rate("bree_refusals_total")
        bad = f"{refused:.1f} refusals/s · bugs: {bugs:.0f} · frozen matches: {frozen:.0f}"
        lines = [Text(" · ".join(calls)), Text(" · ".join(times))]
        return [*lines, Text(bad, "bold red" if bugs or frozen else "dim")]

    def _matches(self) -> list[RenderableType]:
        if not self.lists.running:
            return [Text("No match is running.", "dim")]
        grid = Grid(box=None, pad_edge=False, header_style="dim")
        for heading in ("match", "game", "for", "seats"):
            grid.add_column(heading, no_wrap=True)
        for match in self.lists.running[:MOST_SHOWN]:
            age = words.duration(int((time.time() - match.create_time.seconds) * 1000))
            grid.add_row(match.id, match.game, age, words.seats(match))
        more = len(self.lists.running) - MOST_SHOWN
        return [grid, Text(f"and {more} more", "dim")] if more > 0 else [grid]


def _count(matches: Sequence[pb.Match], game: str) -> str:
    number = sum(match.game == game for match in matches)
    return f"{number}+" if len(matches) == MOST_COUNTED else str(number)


def _ms(seconds: float | None) -> str:
    return "–" if seconds is None else f"{seconds * 1000:.1f} ms"
