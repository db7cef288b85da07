"""`bree games`: what can be played, and what players agree on before a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.padding import Padding
from rich.text import Text

from bree.cli.talk import Talk
from services import GAMES, rules_of
from services.core.contract import Option, Rules
from workers.bots import BOTS


def show_games(talk: Talk) -> int:
    """Print every game with its seats, options and presets, and the bots."""
    for name in GAMES:
        _show_game(talk, rules_of(name))
    talk.say(f"Bots: {', '.join(BOTS)}")
    return 0


def what_is_played(rules: Rules[Any], options: Mapping[str, str]) -> str:
    """The sentence of the preset that has these options; nothing, if none has."""
    for preset, choices in rules.presets.items():
        if dict(rules.agree(choices)) == dict(options):
            return rules.preset_meanings[preset]
    return ""


def _show_game(talk: Talk, rules: Rules[Any]) -> None:
    seats = rules.seats(rules.agree({}))
    talk.show(
        Text.assemble((rules.name, "bold green"), f"  {rules.title}, edition {rules.edition}")
    )
    talk.say(f"  bree play {rules.name} --seat {'|'.join(seats)}")
    talk.say()
    talk.say("  Options, as --option NAME=VALUE; the first value is the usual one:")
    for option in rules.options:
        line = Text.assemble((option.name, "bold"), f"  {option.meaning}")
        talk.show(Padding(line, (0, 0, 0, 4)))
        talk.show(Padding(_values(option), (0, 0, 0, 8)))
    if rules.presets:
        talk.say()
        talk.say("  Well-known choices of options, as --preset NAME:")
    for preset, choices in rules.presets.items():
        line = Text.assemble((preset, "bold"), f"  {rules.preset_meanings[preset]}")
        talk.show(Padding(line, (0, 0, 0, 4)))
        means = ", ".join(f"{name}={value}" for name, value in choices.items())
        talk.show(Padding(Text(means or "the usual value of every option", "dim"), (0, 0, 0, 8)))
    talk.say()


def _values(option: Option) -> Text:
    others = [value for value in option.values if value != option.default]
    if option.span:
        others.append(f"{option.span[0]} to {option.span[1]}")
    return Text(", ").join([Text(option.default, "green"), *map(Text, others)])
