"""An upgrade's parts: which versions there are, in which order, and how one is told."""

from __future__ import annotations

import os
import subprocess
from collections import Counter

import pytest

from bree.local.parts import Part
from tests.chaos.upgrade import in_turn
from tests.chaos.versions import MARK, ROOT, Version, version, version_of

PARTS = [
    Part("redis", "redis", ("redis-server",)),
    *(Part(f"duel-{n}", "engine", ("python", "-m", "services.duel")) for n in (1, 2)),
    *(Part(name, "gateway", ("python", "-m", "gateway")) for name in ("gateway", "gateway-2")),
    Part("worker-1", "worker", ("python", "-m", "workers")),
]


def test_everything_of_ours_is_replaced_once():
    """In an order that the seed decides; the servers stay."""
    orders = {tuple(part.name for part in in_turn(PARTS, seed)) for seed in range(20)}

    assert {frozenset(Counter({part.name: 1 for part in PARTS[1:]}).items())} == {
        frozenset(Counter(order).items()) for order in orders
    }
    assert len(orders) > 10
    assert in_turn(PARTS, 7) == in_turn(PARTS, 7)


def test_a_part_is_started_from_the_tree_of_its_version(tmp_path):
    """What it imports is found there first, and it says which version it is."""
    (tmp_path / "services").mkdir()
    (tmp_path / "services/__init__.py").touch()
    (tmp_path / "services/duel.py").write_text("print(__file__, flush=True); input()\n")
    part = Version("next", tmp_path).of(Part("duel-1", "engine", ("python", "-m", "services.duel"),
                                             environment=dict(os.environ)))  # fmt: skip
    with subprocess.Popen(
        part.command, env=part.environment, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT,
    ) as process:  # fmt: skip
        where = process.stdout.readline().strip()
        told = version_of(process.pid)
        process.communicate("\n")

    assert str(tmp_path / "services/duel.py") == where
    assert "next" == told
    assert "services.duel" == part.command[-1]


def test_servers_are_of_no_version():
    """They are not replaced, and started as they were."""
    assert PARTS[0] is Version("next", ROOT).of(PARTS[0])
    assert MARK not in os.environ


def test_this_tree_is_a_version_and_what_git_does_not_know_is_none(tmp_path):
    """Which is said, and nothing of it stays."""
    with version("old", "", tmp_path) as one:
        assert ROOT == one.tree
        assert "" == one.migrate({})
    with pytest.raises(subprocess.CalledProcessError), version("old", "no-such-thing", tmp_path):
        raise AssertionError

    assert [] == list(tmp_path.iterdir())
