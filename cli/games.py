"""`bree games`: what can be played, and what players agree on before a game."""

from __future__ import annotations

from typing import Any

from rich.table import Table as Grid
from rich.text import Text

from cli.talk import Talk
from services import GAMES, rules_of
from services.core.contract import Option, Rules
from workers.bots import BOTS


def show_games(talk: Talk) -> int:
    """Print every game with its seats, options and presets, and the bots."""
    for name in GAMES:
        _show_game(talk, rules_of(name))
    talk.say(f"Bots: {', '.join(BOTS)}")
    return 0


def _show_game(talk: Talk, rules: Rules[Any]) -> None:
    seats = rules.seats(rules.agree({}))
    talk.show(
        Text.assemble((rules.name, "bold green"), f"  {rules.title}, edition {rules.edition}")
    )
    talk.say(f"  bree play {rules.name} --seat {'|'.join(seats)}")
    talk.say()
    grid = Grid.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="bold")
    grid.add_column(ratio=1)
    for option in rules.options:
        grid.add_row(f"  {option.name}", _option(option))
    talk.show(grid)
    talk.say()
    for preset, choices in rules.presets.items():
        means = ", ".join(f"{name}={value}" for name, value in choices.items())
        talk.show(Text.assemble("  --preset ", (preset, "bold"), f"  {means}"))
    talk.say()


def _option(option: Option) -> Text:
    values = Text.assemble((option.default, "green"), " (as usual)")
    others = [value for value in option.values if value != option.default]
    if option.span:
        others.append(f"{option.span[0]} to {option.span[1]}")
    for value in others:
        values.append(f", {value}")
    return Text.assemble(f"{option.meaning}: ", values)
