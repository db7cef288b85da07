"""What a platform has: games, hosted bots, matches and the best of each game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from bree.cli.online import words
from bree.cli.online.link import Link
from bree.cli.talk import Talk
from bree.cli.trouble import Trouble
from bree.engine.v1.engine_pb2 import DescribeGameResponse
from bree.engine.v1.types_pb2 import OptionSpec
from bree.gateway.v1 import gateway_pb2 as pb

MOST_LOOKED_AT = 20
"""Running matches that are asked whose turn it is; each is a call."""


# Games and bots.


def games(link: Link) -> int:
    """Print what the platform plays, with all that can be chosen."""
    found = link.client.games()
    if not found:
        raise Trouble(f"{link.login.gateway} has no game to play just now")
    for game in found:
        _show_game(link.talk, game)
    return 0


def _show_game(talk: Talk, game: DescribeGameResponse) -> None:
    title = f"  {game.title}, edition {game.edition}"
    talk.show(Text.assemble((game.game, "bold green"), title))
    talk.say(f"  bree new {game.game} --seat {'|'.join(game.seats)}")
    talk.say(f"  Hosted bots, the weakest first: {', '.join(game.bot_levels) or 'none'}")
    if game.options:
        talk.say("  Options, as --option NAME=VALUE; the first value is the usual one:")
    for option in game.options:
        line = Text.assemble((option.name, "bold"), f"  {option.meaning}")
        talk.show(Padding(line, (0, 0, 0, 4)))
        talk.show(Padding(_values(option), (0, 0, 0, 8)))
    if game.presets:
        talk.say("  Well-known choices of options, as --preset NAME:")
    for preset in game.presets:
        line = Text.assemble((preset.name, "bold"), f"  {preset.meaning}")
        talk.show(Padding(line, (0, 0, 0, 4)))
        means = ", ".join(f"{one.name}={one.value}" for one in preset.options)
        talk.show(Padding(Text(means or "the usual value of every option", "dim"), (0, 0, 0, 8)))
    talk.say()


def _values(option: OptionSpec) -> Text:
    others = [value for value in option.values if value != option.default_value]
    if option.HasField("span"):
        others.append(f"{option.span.first} to {option.span.last}")
    return Text(", ").join([Text(option.default_value, "green"), *map(Text, others)])


def bots(link: Link, game: str | None) -> int:
    """Print the hosted bots of each game, and how strong they have proved to be."""
    grid = _grid("game", "bot", "rating", "matches")
    known = {one.game: one.bot_levels for one in link.client.games()}
    if game is not None and game not in known:
        raise Trouble(f"{link.login.gateway} plays {words.listed(list(known), 'or')}, not {game!r}")
    with link.talk.busy("Asking for their ratings."):
        for name in [game] if game else known:
            for level in known[name]:
                rating = link.client.rating(name, f"bot:{level}")
                grid.add_row(name, level, f"{rating.ordinal:.1f}", str(rating.matches))
    link.talk.show(grid)
    link.talk.say("A match against one: bree new GAME --against BOT --play")
    return 0


# Matches.


def matches(link: Link, *, everyones: bool, game: str | None, state: str | None, most: int) -> int:
    """Print matches, the newest first: one's own, or everybody's."""
    numbers = {name: number for number, name in words.STATES.items()}
    if state is not None and state not in numbers:
        raise Trouble(f"--state takes {words.listed(list(numbers), 'or')}, not {state!r}")
    if most < 1:
        raise Trouble(f"--most takes a number from 1, not {most}")
    wanted = numbers[state] if state else pb.MATCH_STATE_UNSPECIFIED
    with link.talk.busy("Asking for matches."):
        found = link.client.matches(game or "", wanted, mine=not everyones)
        rows = list(_rows(link, islice(found, most)))
    if not rows:
        link.talk.say("There is none." if everyones else "You have none; bree new GAME opens one.")
        return 0
    grid = _grid("match", "game", "state", "seats", "")
    for row in rows:
        grid.add_row(*row)
    link.talk.show(grid)
    return 0


def _rows(link: Link, found: Iterable[pb.Match]) -> Iterator[Sequence[str]]:
    looked_at = 0
    for match in found:
        note = ""
        if match.state == pb.MATCH_STATE_OVER:
            note = words.verdict(match.outcome, link.seats_of(match)).rstrip(".")
        elif match.state == pb.MATCH_STATE_RUNNING and link.seats_of(match):
            looked_at += 1
            note = _turn(link, match) if looked_at <= MOST_LOOKED_AT else ""
        yield match.id, match.game, words.STATES.get(match.state, ""), words.seats(match), note


def _turn(link: Link, match: pb.Match) -> str:
    """Whether the person is waited for."""
    waiting = link.client.view(match.id).standing.waiting
    return "your turn" if set(waiting) & set(link.seats_of(match)) else ""


# Ratings.


def ranks(link: Link, game: str | None, most: int) -> int:
    """Print the best of a game, or of each, and where the person stands."""
    if most < 1:
        raise Trouble(f"--most takes a number from 1, not {most}")
    names = [game] if game else [one.game for one in link.client.games()]
    for name in names:
        with link.talk.busy("Asking for ratings."):
            leaders = list(islice(link.client.leaders(name), most))
            mine = link.client.rating(name)
        _show_ranks(link.talk, name, leaders, mine)
    return 0


def _show_ranks(talk: Talk, game: str, leaders: Sequence[pb.Rating], mine: pb.Rating) -> None:
    talk.say(game, "bold green")
    grid = _grid("", "account", "rating", "estimate", "matches")
    for place, one in enumerate(leaders, 1):
        style = "bold yellow" if one.account == mine.account else ""
        grid.add_row(str(place), *_figures(one), style=style)
    if leaders:
        talk.show(grid)
    if not mine.matches:
        talk.say("None of your matches has counted yet.")
    elif mine.account not in [one.account for one in leaders]:
        talk.say(f"You: {' '.join(_figures(mine)[1:])} matches.")
    talk.say()


def _figures(one: pb.Rating) -> tuple[str, ...]:
    estimate = f"{one.mu:.1f} ± {one.sigma:.1f}"
    return one.account, f"{one.ordinal:.1f}", estimate, str(one.matches)


def _grid(*headings: str) -> Grid:
    grid = Grid(box=None, pad_edge=False, header_style="dim")
    for heading in headings:
        grid.add_column(heading, no_wrap=heading in {"match", "game", "state"})
    return grid
