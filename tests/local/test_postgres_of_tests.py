"""The PostgreSQL of the tests: fresh databases, plugs that are pulled, and nothing left behind."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import asyncpg
import pytest

from bree.local.state import birth
from tests.guard import children
from tests.postgres_server import PROGRAMS

ROOT = Path(__file__).resolve().parents[2]


def said(url, postgres, command):
    """What a database replies."""
    return [tuple(row) for row in postgres.say(command, database=url.rpartition("/")[2])]


def test_each_database_is_empty_and_apart(postgres):
    """What one test writes no other reads; a copy has what its template has."""
    tables = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
    with postgres.fresh() as one, postgres.fresh() as other:
        said(one, postgres, "CREATE TABLE here ()")

        assert [] == said(other, postgres, tables)
        with postgres.fresh(like=one.rpartition("/")[2]) as copy:
            assert [("here",)] == said(copy, postgres, tables)

    with pytest.raises(asyncpg.InvalidCatalogNameError):
        said(one, postgres, tables)


def test_a_database_is_text_in_utf8_and_ordered_by_its_bytes(database, postgres):
    """As in a local run, whatever the language of the machine."""
    asked = "SELECT current_setting('server_encoding'), 'é' > 'z', current_setting('timezone')"

    assert [("UTF8", True, "UTC")] == said(database, postgres, asked)


def test_what_was_durable_is_there_after_a_kill(own_postgres):
    """The server starts again on the same port."""
    own_postgres.say("CREATE TABLE kept (n int)", "INSERT INTO kept VALUES (1)")
    before = own_postgres.url()
    own_postgres.kill()
    own_postgres.start()

    assert before == own_postgres.url()
    assert [(1,)] == [tuple(row) for row in own_postgres.say("SELECT n FROM kept")]


def test_one_that_pauses_says_nothing_until_it_goes_on(own_postgres):
    """It takes connections, and answers none."""
    own_postgres.pause()
    with pytest.raises(TimeoutError):
        own_postgres.say("SELECT 1")
    own_postgres.resume()

    assert [(1,)] == [tuple(row) for row in own_postgres.say("SELECT 1")]


HOLD = """
import signal, sys, time
from tests.postgres_server import postgres_server
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where tests run unwatched
with postgres_server() as server:
    if sys.argv[1] == "paused":
        server.pause()
    print(server.pid, server.folder, flush=True)
    time.sleep(600)
"""


@pytest.mark.skipif(not PROGRAMS, reason="there is no PostgreSQL")
@pytest.mark.parametrize(
    ("sign", "how"),
    [(signal.SIGKILL, "running"), (signal.SIGKILL, "paused"), (signal.SIGINT, "running")],
)
def test_nothing_is_left_of_a_test_run_that_was_ended(sign, how):
    """Neither its processes nor its folder, however the run came to its end."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, how], cwd=ROOT, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True,
    ) as run:  # fmt: skip
        pid, folder = run.stdout.readline().split()
        family = [int(pid), *children(int(pid))]
        run.send_signal(sign)
    until = time.monotonic() + 20
    while time.monotonic() < until and (any(map(birth, family)) or Path(folder).exists()):
        time.sleep(0.05)

    assert len(family) > 3
    assert not [pid for pid in family if birth(pid)]
    assert not Path(folder).exists()
