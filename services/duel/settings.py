"""What players agree on before a game: what the published rules leave open (RULES 16)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from services.core.contract import Option, Options
from services.duel.tables import TOTAL_COINS

PRESETS: Mapping[str, Mapping[str, str]] = {
    "standard": {  # the usual values, named for who reads the list
        "coins": "30",
        "two_extra_turns": "one",
        "benefits": "may_be_refused",
        "three_races": "at_once",
    },
    "generous": {  # each open ruling as it gives more
        "coins": "unlimited",
        "two_extra_turns": "add_up",
        "three_races": "may_wait",
    },
    "brisk": {"benefits": "automatic"},  # fewer questions
}

OPTIONS = (
    Option("coins", "30", "how many coins there are, in hands and reserve", ("30", "unlimited")),
    Option(
        "two_extra_turns",
        "one",
        "whether two extra turns earned in one turn are one, or add up",
        ("one", "add_up"),
    ),
    Option(
        "benefits",
        "may_be_refused",
        "whether a player may refuse whatever an effect, a bonus space or an extra turn brings, "
        "or only units in any region, movements, removals and cards of the discard pile",
        ("may_be_refused", "automatic"),
    ),
    Option(
        "three_races",
        "at_once",
        "whether the alliance of three races is made with the first three, or may wait",
        ("at_once", "may_wait"),
    ),
    Option(
        "expansions",
        "none",
        "which expansions are played: the fans' leader cards and further landmarks have no rules "
        "here and are not offered, and the opponent of who plays alone is a bot",
        ("none",),
    ),
)
assert OPTIONS[0].default == str(TOTAL_COINS)

PRESET_MEANINGS: Mapping[str, str] = {
    "standard": "The whole base game; where its rules leave something open, the plainest reading.",
    "generous": "The whole base game; where its rules leave something open, the reading that gives"
    " players more.",
    "brisk": "The whole base game, with every effect used that can be: fewer questions.",
}


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of one match, as the rules ask for them."""

    options: Mapping[str, str]
    text: str  # all of them
    limited: bool  # the reserve can run out
    adds_up: bool
    refusable: bool  # all that is not sure to be good
    may_wait: bool


def resolve(options: Options) -> Settings:
    """What agreed options mean to the rules."""
    return Settings(
        options=options,
        text=" ".join(f"{name}={value}" for name, value in options.items()),
        limited=options["coins"] != "unlimited",
        adds_up=options["two_extra_turns"] == "add_up",
        refusable=options["benefits"] == "may_be_refused",
        may_wait=options["three_races"] == "may_wait",
    )
