"""A misspelt variable is said at the start, whatever starts."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bree.process.variables import BESIDES, VARIABLES, slips

ROOT = Path(__file__).parents[2]
SLIP = "BREE_METRIC_PORT"
SENTENCE = "BREE_METRIC_PORT: there is no such variable; is BREE_METRICS_PORT meant?"


def test_all_variables_are_those_of_the_page():
    """No setting is taken for a slip, and none that was taken away is known."""
    page = (ROOT / "docs/configuration.md").read_text("utf-8")
    rows = re.findall(r"^\| `(BREE_\w+)`", page, re.MULTILINE)

    assert set(rows) | {"BREE_BOT_TOKEN"} == VARIABLES


def test_what_others_read_is_no_slip():
    """Compose, Grafana and the tests have variables of their own."""
    files = [*(ROOT / "deploy").rglob("*.yaml"), *(ROOT / "deploy").rglob("*.example")]
    files += [ROOT / "Makefile", *(ROOT / "tests/fuzz").glob("*.py")]
    read = {name for path in files for name in re.findall(r"\bBREE_[A-Z_]+\b", path.read_text())}

    assert set() == read - VARIABLES - BESIDES


@pytest.mark.parametrize(
    ("name", "told"),
    [
        (SLIP, [SENTENCE]),
        ("BREE_LOGLEVEL", ["BREE_LOGLEVEL: there is no such variable; is BREE_LOG_LEVEL meant?"]),
        ("BREE_XYZZY", ["BREE_XYZZY: there is no such variable"]),
        ("BREE_LOG_LEVEL", []),
        ("BREE_FUZZ_SECONDS", []),
        ("PATH", []),
    ],
)
def test_what_is_meant_is_guessed(name, told):
    """By the nearest name, if one is near."""
    assert told == slips([name])


@pytest.mark.parametrize(
    "command",
    [
        ["-m", "gateway"], ["-m", "services.duel"], ["-m", "workers"], ["-m", "workers.sweeper"],
        ["-m", "bree", "run", "--check"], ["-m", "bree", "games"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_every_process_says_it_at_its_start(command, tmp_path):
    """Each of them gets no further here than to its first words."""
    given = {
        "BREE_PLATFORM_TOKEN": "x" * 16, "BREE_FATE_KEY": "0" * 64, "BREE_STATE": str(tmp_path),
        "BREE_ENGINES": "duel=127.0.0.1:1", "BREE_STORE_URL": "redis://127.0.0.1:1/0", SLIP: "1",
        "BREE_LEDGER_URL": "postgresql://127.0.0.1:1/bree",
        "BREE_REDIS_SERVER": str(tmp_path / "none"),
    }  # fmt: skip
    process = subprocess.Popen(
        [sys.executable, *command], cwd=ROOT, env={**os.environ, **given}, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    try:
        assert any(SENTENCE in line for line in process.stdout)
    finally:
        process.kill()
        process.communicate()
