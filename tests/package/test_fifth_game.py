"""A fifth game is one folder in services/: no other file is written by hand.

The toy game's folder is put into a copy of the tree, and the other games are taken away, so that
whatever lists a game by name is found out.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys

import pytest

from services import GAMES
from tests.local.parts import places
from tests.package.clones import ROOT, clone_into

pytestmark = [pytest.mark.timeout(180), pytest.mark.xdist_group("fifth game")]


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """The project with the toy game in it, and what follows from manifests written again."""
    tree = clone_into(tmp_path_factory.mktemp("tree"))
    for contract in (ROOT / "bree").glob("*/v1"):
        shutil.copytree(contract, tree / contract.relative_to(ROOT))
    shutil.copytree(
        tree / "tests/games/skirmish", tree / "services/skirmish",
        ignore=shutil.ignore_patterns("positions.py"),
    )  # fmt: skip
    run(tree, "scripts/derived.py")
    return tree


@pytest.fixture(scope="module")
def alone(tree):
    """The same without any of the four games."""
    for game in GAMES:
        shutil.rmtree(tree / "services" / game)
    return tree


def run(tree, *arguments, typed="", **settings):
    """What a program of that tree prints."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("BREE_")}
    given = {f"BREE_{name.upper()}": str(value) for name, value in settings.items()}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=tree, input=typed, capture_output=True, text=True,
        env={**clean, **given, "PYTHONPATH": str(tree), "COLUMNS": "120"}, check=False,
    )  # fmt: skip
    assert 0 == done.returncode, done.stdout + done.stderr
    return done.stdout


def test_a_game_more_changes_only_what_is_derived(tree):
    """Its deployment is in every file that has one, and nothing else of the tree is touched."""
    changed = {
        path.relative_to(tree).as_posix()
        for path in (tree / "deploy").rglob("*")
        if path.is_file()
        and (ROOT / path.relative_to(tree)).exists()
        and path.read_bytes() != (ROOT / path.relative_to(tree)).read_bytes()
    }

    assert {
        "deploy/compose/compose.yaml", "deploy/compose/traces.yaml",
        "deploy/kubernetes/kustomization.yaml", "deploy/prometheus/kubernetes.yaml",
        "deploy/prometheus/prometheus.yaml",
    } == changed  # fmt: skip
    assert "skirmish=skirmish-1:7100" in (tree / "deploy/compose/compose.yaml").read_text("utf-8")
    assert (tree / "deploy/kubernetes/games/skirmish/kustomization.yaml").exists()


def test_it_is_listed_and_played_in_the_terminal(tree):
    """Against a bot that searches, with the plain board, to the end; and its record holds."""
    listed = run(tree, "-m", "bree", "games")
    played = run(
        tree, "-m", "bree", "play", "skirmish", "--bot", "novice", "--seed", "01",
        "--record", "skirmish.record", typed="1\n" * 200,
    )  # fmt: skip
    verified = run(tree, "-m", "bree", "verify", "skirmish.record")

    assert "skirmish  Skirmish, edition 1" in listed
    assert re.search(r"^(You win|You lose|It is a draw)\.$", played, re.MULTILINE)
    assert verified.startswith("skirmish.record holds.\n")


def test_it_is_served_and_hosted_bots_play_it(alone, tmp_path):
    """All parts of the platform: a match of two levels is played, verified and scored."""
    said = run(alone, "-m", "bree", "run", "--check", **places(tmp_path / "state"))

    assert "starting 6 processes" in said
    assert re.search(r"^bree: checked: a match of skirmish with \d+ decisions was played in .* s, "
                     r"verified and scored$", said, re.MULTILINE)  # fmt: skip


def test_it_is_measured(alone):
    """Bench has its random play beside python-chess's, its copies and its replays."""
    program = "from bench.play import measures; print(*(m.name for m in measures()), sep='\\n')"
    named = run(alone, "-c", program).splitlines()

    assert "skirmish duel: random play" in named
    assert [] == [name for name in named if not name.startswith("skirmish")]
