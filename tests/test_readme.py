"""The README promises only what is so."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BROWSER = (ROOT / "docs/browser.md").read_text(encoding="utf-8")
EXAMPLE = re.search(r"```python\n(.*?)```", README, re.DOTALL)[1]

TARGETS = {
    "setup", "run", "test", "lint", "types", "protos", "bench", "ladder", "fuzz", "golden", "play",
    "clean",
}  # fmt: skip


def run(code):
    """What a program prints, run from the repository like a reader would run it."""
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": ""},
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )


def test_the_example_plays_a_game_to_its_end():
    """The ten lines run as they stand, and print how the game went."""
    done = run(EXAMPLE)

    assert (0, "") == (done.returncode, done.stderr)
    assert re.fullmatch(r"\d+ decisions: \{'good': -?\d+, 'dark': -?\d+\}\n", done.stdout)


def test_the_example_is_the_same_game_each_time():
    """Nothing in it depends on a clock or on chance that is not named."""
    assert run(EXAMPLE).stdout == run(EXAMPLE).stdout


def test_the_example_has_ten_lines():
    """The README says so."""
    assert 10 == len([line for line in EXAMPLE.splitlines() if line.strip()])


def test_every_command_is_a_target():
    """Each `make x` that the README names is in the Makefile, with its one line of help."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):.* ## ", makefile, re.MULTILINE))
    named = set(re.findall(r"(?:`|^ +)make ([a-z]+)", README, re.MULTILINE))

    assert {"run", "test", "play"} <= named <= targets


def test_make_alone_lists_the_targets():
    """Each target is listed with what it does, and nothing is made."""
    done = subprocess.run(
        ["/usr/bin/env", "make"], cwd=ROOT, capture_output=True, text=True, timeout=50, check=False
    )
    listed = dict(re.findall(r"^ +make ([a-z]+) +(\S.*)$", done.stdout, re.MULTILINE))

    assert 0 == done.returncode
    assert TARGETS <= set(listed)


def test_the_pythons_that_are_promised_are_those_that_are_tried():
    """In the README, in the workflow and in the guide to bots; the least is that of the project."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    workflow = (ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8")
    tried = re.findall(r'"(3\.\d+)"', re.search(r"python: \[(.*)\]", workflow)[1])
    told = re.findall(r"You need Python (\S+) to (\S+),", README)
    told += re.findall(
        r"You need Python (\S+) to (\S+),",
        (ROOT / "docs/write-a-bot.md").read_text(encoding="utf-8"),
    )

    assert [(tried[0], tried[-1])] * 2 == told
    assert f">={tried[0]}" == project["requires-python"].partition(",")[0]


PICTURES = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", README + BROWSER)


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_fetches_nothing(name):
    """It is there, it is small, and whoever looks at it asks no other server for anything."""
    picture = (ROOT / "docs" / name.removeprefix("docs/")).read_text(encoding="utf-8")

    assert ["http://www.w3.org/2000/svg"] == re.findall(r"https?://[^\"' )]+", picture)
    assert len(picture) < 450_000


def test_the_pictures_show_games_being_played():
    """One in the terminal, and boards of the page at every stage of a game; none is left over."""
    drawn = {path.name for path in (ROOT / "docs/pictures").iterdir()}

    assert drawn == {Path(name).name for name in PICTURES}
    assert "good&gt;" in (ROOT / "docs/pictures/game.svg").read_text(encoding="utf-8")
