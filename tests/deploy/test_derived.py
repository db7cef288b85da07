"""What is derived from the games' manifests is up to date, and follows them."""

from __future__ import annotations

import runpy
import shutil

import pytest

from services import GAMES, rules_of
from services.manifests import Manifest, manifests, read
from tests.deploy.checkers import ROOT

DERIVED = runpy.run_path(str(ROOT / "scripts/derived.py"))
FILES = DERIVED["derived"](ROOT, manifests().values())
WHOLE = 'title = "A"\nseats = [2, 4]\n'


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_is_derived_is_up_to_date(path):
    """`make derived` would change nothing."""
    assert FILES[path] == path.read_text("utf-8")


def test_no_folder_of_a_game_is_left_behind():
    """A game that is gone is not deployed."""
    folders = {path.name for path in (ROOT / "deploy/kubernetes/games").iterdir()}

    assert set(GAMES) == folders


def test_a_game_is_found_by_its_manifest():
    """And nothing in services/ is a game without one."""
    with_rules = {path.parent.name for path in (ROOT / "services").glob("*/rules.py")}

    assert with_rules == set(GAMES) == set(manifests())


@pytest.mark.parametrize("game", GAMES)
def test_a_manifest_says_what_is_so(game):
    """Its title and its seats are those of the rules, under every preset."""
    rules, told = rules_of(game), manifests()[game]
    seats = {len(rules.seats(rules.agree(options))) for options in rules.presets.values()}

    assert game == told.name
    assert rules.title == told.title
    assert (min(seats), max(seats)) == told.seats
    assert rules.agree(told.short)


def test_a_replica_more_is_everywhere(tmp_path):
    """Its service, its address, what asks for its figures, and its traces."""
    shutil.copytree(ROOT / "deploy", tmp_path / "deploy", ignore=shutil.ignore_patterns(".*"))
    one = Manifest("skirmish", "A Skirmish", (2, 2), replicas=1)
    three = Manifest("duel", "Duel", (2, 2), replicas=3)

    def text(*games):
        found = DERIVED["derived"](tmp_path, games)
        return {str(path.relative_to(tmp_path / "deploy")): text for path, text in found.items()
                if path.is_relative_to(tmp_path / "deploy")}  # fmt: skip

    told = text(three, one)
    compose = told["compose/compose.yaml"]
    assert "duel=duel-1:7100,duel-2:7100,duel-3:7100;\n      skirmish=skirmish-1:7100\n" in compose
    assert "  duel-3: *duel\n" in compose
    assert "      skirmish-1: {condition: service_healthy}\n" in compose
    assert "confrontation" not in compose
    assert "duel-3: *traced" in told["compose/traces.yaml"]
    assert "names: [duel-1, duel-2, duel-3]" in told["prometheus/prometheus.yaml"]
    assert "skirmish-engine.bree.svc" in told["prometheus/kubernetes.yaml"]
    assert "duel-engine-2.duel-engine:7100;skirmish=" in told["kubernetes/kustomization.yaml"]
    assert "  - games/skirmish\n" in told["kubernetes/kustomization.yaml"]
    assert "count: 3" in told["kubernetes/games/duel/kustomization.yaml"]
    assert "  duel: {replicas: 3, image: bree-engine}\n" in told["helm/bree/values.yaml"]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("title = 3\nseats = [2, 2]", "title, image and board are text"),
        ('title = ""\nseats = [2, 2]', "title and image are not empty"),
        ('title = "A"', "'seats'"),
        ('title = "A"\nseats = [2]', "not enough values"),
        ('title = "A"\nseats = [4, 2]', "the fewest seats come first"),
        ('title = "A"\nseats = [0, 2]', "the fewest seats come first"),
        ('title = "A"\nseats = [2.0, 2]', "seats and replicas are whole numbers"),
        (WHOLE + "replicas = 0", "replicas are one or more"),
        (WHOLE + "replicas = true", "seats and replicas are whole numbers"),
        (WHOLE + "short = 3", "short is a table of options"),
        (WHOLE + 'bench.speed = "fast"', "bench.speed is a number"),
        (WHOLE + "bench.sped = 3.0", "unexpected keyword argument 'sped'"),
        (WHOLE + "colour = 3", "unexpected keyword argument 'colour'"),
        (WHOLE + "=", "Invalid"),
    ],
)
def test_a_manifest_that_is_wrong_says_where_and_what(text, wrong):
    """Whoever adds a game is told in a sentence."""
    with pytest.raises(ValueError, match=r"services/skirmish/game\.toml: ") as caught:
        read("skirmish", text)

    assert wrong in str(caught.value)
