"""What is measured of each game, and how it should compare."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from services import GAMES


@dataclass(frozen=True, slots=True)
class Sample:
    """How one game is measured. A game without a row of its own is measured like this."""

    speed: float = 1.0  # the least ratio of its random play to python-chess's
    matches: tuple[int, ...] = (32,)  # at once, in one round of load each
    stands_for_all: bool = False  # where one game is enough, it is this one
    moves_unfinished: int = 0  # by which nobody has won, in a game that makes long records


SAMPLES: Mapping[str, Sample] = {
    "confrontation": Sample(speed=3.0, matches=(1, 32, 256), stands_for_all=True),
    "duel": Sample(speed=2.0),
    "risk": Sample(moves_unfinished=500),
}


def sample_of(game: str) -> Sample:
    """How this game is measured."""
    return SAMPLES.get(game, Sample())


def usual_game() -> str:
    """The game that stands for all."""
    return max(GAMES, key=lambda game: sample_of(game).stands_for_all)


def long_game() -> str:
    """The game whose records grow longest."""
    return max(GAMES, key=lambda game: sample_of(game).moves_unfinished)
