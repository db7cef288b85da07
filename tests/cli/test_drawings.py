"""What every drawing of a game keeps to: found by the game's name, facts from the game's module."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bree.cli import boards
from bree.cli.boards import drawing_of, plain
from tests.test_rooms import imports

FOLDER = Path(boards.__file__).parent
FILES = {"io", "json", "os", "pathlib", "pkgutil", "tomllib"}
"""By which a drawing could read a game's files past the game."""


def test_a_fifth_game_is_drawn_by_a_module_of_its_name_that_nothing_lists(monkeypatch, tmp_path):
    monkeypatch.setattr(boards, "__path__", [*boards.__path__, str(tmp_path)])
    before = drawing_of("skirmish")
    (tmp_path / "skirmish.py").write_text("def draw(view): return 'a field'\n")
    after = drawing_of("skirmish")
    monkeypatch.delitem(sys.modules, "bree.cli.boards.skirmish")

    assert plain is before
    assert "a field" == after.draw({})


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_a_drawing_reads_no_files(path: Path) -> None:
    """Who may import whom does not see what is read by path."""
    found = {name for _, name in imports(path.name, path.read_text(encoding="utf-8"))}
    reading = {name for name in found if name.partition(".")[0] in FILES or "resources" in name}

    assert reading - ({"json"} if path.stem == "plain" else set()) == set()
    assert "open(" not in path.read_text(encoding="utf-8")
