"""The script that waits for a migration, run as it is; `tests/fuzz` has those of the store."""

from __future__ import annotations

import os
import subprocess

import pytest

from tests.deploy.checkers import DEPLOY


@pytest.fixture
def awaited(tmp_path):
    """Runs `await-ledger` with a `bree ledger status` that ends so, one time after the other."""
    codes, python = tmp_path / "codes", tmp_path / "python"
    asked = tmp_path / "asked"
    python.write_text(
        f'#!/bin/sh\necho "$*" >>"{asked}"\nread -r code <"{codes}"\n'
        f'sed -i 1d "{codes}"\nexit "$code"\n',
        encoding="utf-8",
    )
    python.chmod(0o755)

    def awaited(*ends):
        codes.write_text("".join(f"{code}\n" for code in ends), encoding="utf-8")
        environment = {
            "PATH": f"{tmp_path}:{os.environ['PATH']}", "AWAIT_SECONDS": "0", "AWAY_TRIES": "3",
        }  # fmt: skip
        done = subprocess.run(
            [DEPLOY / "images/await-ledger"], env=environment, check=False, timeout=60
        )
        return done.returncode, asked.read_text("utf-8").splitlines()

    return awaited


def test_a_migration_is_waited_for_as_long_as_it_takes(awaited):
    """A ledger of another schema answers; that is asked again until it has the right one."""
    code, asked = awaited(2, 1, 2, 1, 1, 2, 0)

    assert (0, 7) == (code, len(asked))
    assert {"-m bree ledger status"} == set(asked)


def test_a_ledger_that_is_away_is_waited_for_a_while(awaited):
    """As matches go on without it: an engine that starts then has something to do."""
    code, asked = awaited(3, 1, 3, 3, 0)

    assert (0, 4) == (code, len(asked))
