"""The frames of a game are those that its modules define, and nobody lists them."""

from __future__ import annotations

from pathlib import Path

import pytest

from services.core.chapters import frames_of
from tests.games.skirmish.rules import RULES

FRAME = """
from dataclasses import dataclass
from typing import ClassVar
from services.core.frames import Procedure, Question

@dataclass(slots=True)
class {name}(Procedure):
    script: ClassVar = ("begin",)

    def begin(self, g): ...
"""
PATTERNS = """
@dataclass(slots=True)
class Pattern(Question):
    pass

@dataclass(slots=True)
class Asked(Pattern):
    prompt: ClassVar = "chapter.asked"

class Ordinary:
    pass
"""


def written(folder: Path, game: str, files: dict[str, str]) -> str:
    """The rules of a game with these files of its own, by the name of their module."""
    for name, text in {"rules.py": "", **files}.items():
        path = folder / game / name
        path.parent.mkdir(parents=True, exist_ok=True)
        for package in {path.parent, folder / game}:
            (package / "__init__.py").touch()
        path.write_text(text)
    return f"{game}.rules"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def test_frames_are_found_in_every_chapter_though_nobody_imports_it(folder: Path) -> None:
    files = {
        "play/turn.py": FRAME.format(name="Turn"),
        "play/hunt/__init__.py": FRAME.format(name="Hunt"),
        "play/hunt/tile.py": FRAME.format(name="Tile"),
        "cards/__init__.py": FRAME.format(name="Card"),
        "cards/event.py": FRAME.format(name="Event") + PATTERNS,
        "rules.py": FRAME.format(name="Match"),
    }
    found = frames_of(written(folder, "found_in_chapters", files))

    names = ["Asked", "Card", "Event", "Hunt", "Match", "Tile", "Turn"]
    assert names == [frame.__name__ for frame in found]


def test_a_frame_that_is_imported_is_found_once(folder: Path) -> None:
    files = {
        "play/turn.py": FRAME.format(name="Turn"),
        "play/round.py": "from imported_twice.play.turn import Turn\n",
    }

    assert 1 == len(frames_of(written(folder, "imported_twice", files)))


def test_a_game_without_chapters_has_its_frames_beside_its_rules() -> None:
    names = ["Battle", "DrawCards", "Roll", "SealCards", "TakeLosses"]

    assert names == [frame.__name__ for frame in RULES.frames]


def test_two_frames_of_one_name_are_refused_with_their_places(folder: Path) -> None:
    """A saved position could not tell which of them it means."""
    files = {
        "play/turn.py": FRAME.format(name="Turn"),
        "cards/event.py": FRAME.format(name="Turn"),
    }
    home = written(folder, "named_twice", files)

    with pytest.raises(TypeError, match=r"Turn: in named_twice\.play\.turn and in named_twice\.c"):
        frames_of(home)


def test_a_chapter_that_cannot_be_imported_is_an_error(folder: Path) -> None:
    """Else its frames would be missing from the day on which someone needs them."""
    files = {"play/turn.py": "import nowhere_at_all\n"}

    with pytest.raises(ModuleNotFoundError, match="nowhere_at_all"):
        frames_of(written(folder, "lacking_something", files))
