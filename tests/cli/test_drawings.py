"""What every drawing of a game keeps to: named by the manifest, facts from the game's module."""

from __future__ import annotations

from pathlib import Path

import pytest

from bree.cli import boards
from bree.cli.boards import drawing_of, plain
from services import GAMES
from services.manifests import Manifest, manifests
from tests.test_rooms import imports

FOLDER = Path(boards.__file__).parent
FILES = {"io", "json", "os", "pathlib", "pkgutil", "tomllib"}
"""By which a drawing could read a game's files past the game."""


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_drawn_by_what_its_manifest_names(game):
    """Each of the platform's games has a drawing of its own."""
    told = manifests()[game].board

    assert f"bree.cli.boards.{told}" == drawing_of(game).__name__
    assert drawing_of(game) is not plain


def test_a_game_whose_manifest_names_none_is_drawn_plainly(monkeypatch):
    """And one that is not installed, which a platform may serve."""
    known = {**manifests(), "skirmish": Manifest("skirmish", "A Skirmish", (2, 2))}
    monkeypatch.setattr(boards, "manifests", lambda: known)

    assert plain is drawing_of("skirmish") is drawing_of("chess")


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_a_drawing_reads_no_files(path: Path) -> None:
    """Who may import whom does not see what is read by path."""
    found = {name for _, name in imports(path.name, path.read_text(encoding="utf-8"))}
    reading = {name for name in found if name.partition(".")[0] in FILES or "resources" in name}

    assert reading - ({"json"} if path.stem == "plain" else set()) == set()
    assert "open(" not in path.read_text(encoding="utf-8")
