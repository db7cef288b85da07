"""What every test relies on: steady hypotheses, and assertions that explain themselves."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.memory import use_memory
from tests.postgres_server import database, own_postgres, postgres
from tests.sharing import Sharing

__all__ = ["database", "own_postgres", "postgres"]  # fixtures for every room

pytest.register_assert_rewrite("tests.conform", "tests.core", "tests.games", "tests.play")

settings.register_profile("bree", derandomize=True, deadline=None, database=None)
settings.load_profile("bree")

COMPILED = Path(__file__).resolve().parent.parent / ".pytest_cache" / "compiled"
"""Where modules are kept compiled if nothing may be written beside them."""


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "fuzz: runs for BREE_FUZZ_SECONDS, on fresh seeds")
    keep_what_is_compiled()
    use_memory()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """With `--dist loadgroup`, files are shared out, and not single tests."""
    return Sharing(config, log) if config.getvalue("dist") == "loadgroup" else None


def keep_what_is_compiled() -> None:
    """So that hundreds of servers and commands, and each worker, do not compile everything anew."""
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = str(COMPILED)
        sys.dont_write_bytecode = False
