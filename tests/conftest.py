"""What every test relies on: steady hypotheses, and assertions that explain themselves."""

from __future__ import annotations

import pytest
from hypothesis import settings

from tests.postgres_server import database, own_postgres, postgres

__all__ = ["database", "own_postgres", "postgres"]  # fixtures for every room

pytest.register_assert_rewrite("tests.conform", "tests.core", "tests.games", "tests.play")

settings.register_profile("bree", derandomize=True, deadline=None, database=None)
settings.load_profile("bree")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "fuzz: runs for BREE_FUZZ_SECONDS, on fresh seeds")
