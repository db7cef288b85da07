"""What everybody but its rules needs to know of a game: the file `game.toml` in its folder.

Every list of games follows from these files: what is served, hosted, drawn, measured and deployed.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

FILE = "game.toml"


@dataclass(frozen=True, slots=True)
class Bench:
    """How a game is measured."""

    speed: float = 1.0  # the least ratio of its random play to python-chess's
    matches: Sequence[int] = (32,)  # at once, in one round of load each
    stands_for_all: bool = False  # where one game is enough, it is this one
    moves_unfinished: int = 0  # by which nobody has won, in a game that makes long records


USUAL_BENCH = Bench()


@dataclass(frozen=True, slots=True)
class Manifest:
    """A game as others list it."""

    name: str  # of its folder, its proto package and its service
    title: str
    seats: tuple[int, int]  # the fewest and the most
    image: str = "bree-engine"  # that runs its engine
    replicas: int = 2  # of its engine, where more than one machine serves it
    short: Mapping[str, str] = field(default_factory=dict)  # options of a match that ends soon
    board: str = ""  # the module of bree.cli.boards that draws it; without one it is listed plainly
    bench: Bench = USUAL_BENCH


@cache
def manifests() -> dict[str, Manifest]:
    """The manifest of every game there is, by name, in the order of their names."""
    folders = sorted(files("services").iterdir(), key=lambda folder: folder.name)
    return {
        folder.name: read(folder.name, (folder / FILE).read_text("utf-8"))
        for folder in folders
        if (folder / FILE).is_file()
    }


def read(name: str, text: str) -> Manifest:
    """The manifest of the game in this folder; `ValueError` says what is wrong with it."""
    try:
        told = tomllib.loads(text)
        fewest, most = told.pop("seats")
        bench = Bench(**told.pop("bench", {}))
        manifest = Manifest(name=name, seats=(fewest, most), bench=bench, **told)
    except (KeyError, TypeError, ValueError) as e:
        raise ValueError(f"services/{name}/{FILE}: {e}") from e
    for what, is_right in _checks(manifest):
        if not is_right:
            raise ValueError(f"services/{name}/{FILE}: {what}")
    return manifest


def _checks(told: Manifest) -> tuple[tuple[str, bool], ...]:
    words = (told.title, told.image, told.board)
    numbers = (*told.seats, told.replicas)
    return (
        ("a folder's name is one word in small letters", told.name.isidentifier()),
        ("title, image and board are text", all(isinstance(word, str) for word in words)),
        ("title and image are not empty", bool(told.title and told.image)),
        ("seats and replicas are whole numbers", all(type(number) is int for number in numbers)),
        ("the fewest seats come first, and there are some", 1 <= told.seats[0] <= told.seats[1]),
        ("replicas are one or more", told.replicas >= 1),
        ("short is a table of options", isinstance(told.short, dict)),
        ("bench.speed is a number", isinstance(told.bench.speed, int | float)),
    )


def usual_game() -> str:
    """The game that stands for all where one is enough."""
    return max(manifests(), key=lambda game: manifests()[game].bench.stands_for_all)
