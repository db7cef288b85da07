"""The PostgreSQL of a local run: what it keeps, whom it lets in, and how it comes back."""

from __future__ import annotations

import asyncio
import os
import pwd
import shutil
import signal
import subprocess
import sys

import asyncpg
import pytest

from bree.local import postgres_server
from bree.local.health import is_healthy
from bree.local.ledger import url_of_this_run
from bree.local.parts import Part, outline
from bree.local.postgres_program import Program
from bree.local.settings import CannotStart, LocalSettings, Trouble
from bree.local.state import POSTGRES, State, birth, running
from bree.local.strays import strays
from bree.local.supervisor import Supervisor
from tests.local.parts import free_ports
from tests.postgres_server import PROGRAMS

pytestmark = pytest.mark.skipif(not PROGRAMS, reason="there is no PostgreSQL")

SOON = 20


@pytest.fixture
def settings(settings):
    """Those of a run with the newest PostgreSQL there is."""
    (port,) = free_ports(1)
    folder = str(PROGRAMS[0].folder)
    return settings.model_copy(update={"postgres_port": port, "postgres_server": folder})


@pytest.fixture
def data(settings):
    return postgres_server.folder_of(settings.state) / "data"


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """A state directory with data of the newest version; making them takes a while."""
    made = State(tmp_path_factory.mktemp("made") / "state")
    settings = LocalSettings(state=made.root, postgres_server=str(PROGRAMS[0].folder))
    postgres_server.prepare(settings, made)
    made.close()
    return made.root


@pytest.fixture
def full(made, state):
    """What the tests below begin with: those data, in the state directory."""
    shutil.copytree(made / POSTGRES, state.root / POSTGRES, dirs_exist_ok=True)
    shutil.copy(made / "postgres_password", state.root)


@pytest.fixture
def serve(settings, state, said):
    """Has something asked of a server that is supervised; what comes of it."""

    def serve(work, settings=settings):
        async def run():
            command = postgres_server.prepare(settings, state)
            told = postgres_server.environment()
            part = Part(POSTGRES, POSTGRES, command, settings.postgres_port, environment=told)
            supervisor = Supervisor([part], state, settings, said.append)
            supervisor.prepare()
            try:
                await supervisor.start()
                return await work(supervisor)
            finally:
                await supervisor.stop()

        return asyncio.run(run())

    return serve


async def asked(settings, *commands):
    """The first value of what the last command gives."""
    connection = await asyncpg.connect(url_of_this_run(settings), timeout=SOON)
    try:
        for command in commands[:-1]:
            await connection.execute(command)
        return await connection.fetchval(commands[-1])
    finally:
        await connection.close()


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: f"postgres-{program.major}")
def test_it_keeps_what_it_says_it_keeps(program, settings, serve, data):
    """What is acknowledged is on the disk, and a page that a disk has spoilt is found."""
    settings = settings.model_copy(update={"postgres_server": str(program.folder)})
    wanted = {
        "fsync": "on", "synchronous_commit": "on", "full_page_writes": "on",
        "data_checksums": "on", "server_encoding": "UTF8", "lc_collate": "C",
        "password_encryption": "scram-sha-256", "listen_addresses": "127.0.0.1", "TimeZone": "UTC",
    }  # fmt: skip
    collation = "SELECT datcollate FROM pg_database WHERE datname = 'bree'"

    async def work(_):
        names = [name for name in wanted if name != "lc_collate"]
        has = {name: await asked(settings, f"SHOW {name}") for name in names}
        return {**has, "lc_collate": await asked(settings, collation)}

    assert wanted == serve(work, settings)
    assert str(program.major) == (data / "PG_VERSION").read_text().strip()
    assert [data] == [path for path in data.parent.iterdir() if path.is_dir()]
    assert not strays(data, POSTGRES)


def test_one_role_is_let_in_to_one_database_with_its_password(full, settings, serve):
    """Nobody else: neither by another password, nor to what is not Bree's; and it rules nothing."""
    right = "postgresql://bree:{password}@127.0.0.1:{port}/bree"

    async def work(supervisor):
        places = {"password": supervisor.state.secret("postgres_password"),
                  "port": settings.postgres_port}  # fmt: skip
        assert right.format(**places) == url_of_this_run(settings)
        for wrong in (
            right.format(**{**places, "password": "guess"}),
            right.format(**places).removesuffix("bree") + "postgres",
            right.format(**places).replace("bree:", "postgres:"),
        ):
            with pytest.raises(asyncpg.PostgresError):
                await asyncpg.connect(wrong, timeout=SOON)
        return await asked(settings, "SELECT rolsuper FROM pg_roles WHERE rolname = 'bree'")

    assert serve(work) is False


def test_one_that_is_killed_is_started_again_with_all_it_kept(full, settings, serve, said, data):
    """None of its processes outlives the first, and what was acknowledged is there."""

    async def work(supervisor):
        await asked(
            settings, "CREATE TABLE kept (n int)", "INSERT INTO kept VALUES (7)", "SELECT 1"
        )
        first = running(supervisor.state.root)[POSTGRES]
        busy = asyncio.create_task(asked(settings, "SELECT pg_sleep(600)"))
        os.kill(first, signal.SIGKILL)
        async with asyncio.timeout(SOON):
            while not any("is back" in line for line in said):  # noqa: ASYNC110  # another's work
                await asyncio.sleep(0.05)
        with pytest.raises((OSError, asyncpg.PostgresError)):
            await busy
        assert await is_healthy(supervisor.parts[0], settings, supervisor.state.passwords())
        return await asked(settings, "SELECT n FROM kept")

    assert 7 == serve(work)
    assert not strays(data, POSTGRES)


def test_a_stop_does_not_wait_for_those_who_talk_to_it(full, settings, serve, said):
    """They are hung up on, and nothing has to be recovered at the next start."""

    async def work(supervisor):
        connection = await asyncpg.connect(url_of_this_run(settings), timeout=SOON)
        await connection.execute("BEGIN")
        await supervisor.stop()
        connection.terminate()
        return supervisor.state.log(POSTGRES)

    log = serve(work)

    assert "postgres does not stop; it is killed" not in said
    assert "database system is shut down" in log.read_text()


CUT_OFF = """
import asyncio, os, sys
from pathlib import Path
from bree.local import postgres_server
from bree.local.parts import Part
from bree.local.settings import LocalSettings
from bree.local.state import State
from bree.local.supervisor import Supervisor

async def run(state, port, program):
    settings = LocalSettings(state=Path(state), postgres_port=int(port), postgres_server=program)
    state = State(settings.state)
    command = postgres_server.prepare(settings, state)
    part = Part("postgres", "postgres", command, settings.postgres_port)
    supervisor = Supervisor([part], state, settings, print)
    supervisor.prepare()
    await supervisor.start()
    print("up", flush=True)
    await asyncio.sleep(600)

asyncio.run(run(*sys.argv[1:]))
"""


def test_what_a_run_left_behind_is_ended_by_the_next(full, settings, serve, state, said, data):
    """The whole run is killed, and its server goes on; the next one has the data to itself."""
    state.close()
    arguments = (str(settings.state), str(settings.postgres_port), settings.postgres_server)
    with subprocess.Popen(
        [sys.executable, "-c", CUT_OFF, *arguments], stdout=subprocess.PIPE, text=True
    ) as run:
        assert "up\n" == run.stdout.readline()
        asyncio.run(asked(settings, "CREATE TABLE kept (n int)", "SELECT 1"))
        run.kill()
    (left,) = running(settings.state).values()
    family = strays(data, POSTGRES)

    async def work(_):
        return await asked(settings, "SELECT count(*) FROM kept")

    assert left in family
    assert len(family) > 3
    assert 0 == serve(work)
    assert ["an earlier run was cut off; what it left is stopped: postgres"] == said
    assert not [pid for pid in family if birth(pid)]


def test_what_outlives_the_server_is_ended_and_nobody_else(state, data):
    """The first process is gone with the run; another still has the data. A shell may be there."""
    data.mkdir()
    shutil.copy(shutil.which("sleep"), data.parent / POSTGRES)
    with (
        subprocess.Popen([data.parent / POSTGRES, "600"], cwd=data) as stray,
        subprocess.Popen([shutil.which("sleep"), "600"], cwd=data) as other,
    ):
        try:
            found = strays(data, POSTGRES)
            state.end_leftovers()
            ends = stray.wait(SOON), other.poll()
        finally:
            stray.kill()
            other.kill()

    assert [stray.pid] == found
    assert (-signal.SIGKILL, None) == ends


def test_a_file_that_names_another_process_is_harmless(full, settings, serve, data):
    """As after a restart of the machine, when its number is somebody else's."""

    async def work(_):
        return await asked(settings, "SELECT 1")

    serve(work)
    with subprocess.Popen([shutil.which("sleep"), "600"]) as other:  # not its parent: it knows that
        lines = (other.pid, data, 1, 1, "", "127.0.0.1", "1 1", "ready")
        (data / "postmaster.pid").write_text("".join(f"{line}\n" for line in lines))
        try:
            assert 1 == serve(work)
        finally:
            other.kill()


def test_what_was_cut_off_while_it_was_made_is_made_again(settings, serve, state, data):
    """Half of the data is none; and a folder that is there and empty is filled."""
    half = data.parent / "making-77"
    half.mkdir()
    (half / "PG_VERSION").write_text("15\n")
    data.mkdir()
    postgres_server.prepare(settings, state)

    assert not half.exists()
    assert str(PROGRAMS[0].major) == (data / "PG_VERSION").read_text().strip()


def said_of(settings, state):
    """Why it cannot start; nothing was touched by asking."""
    folder = postgres_server.folder_of(settings.state)
    before = sorted((path, path.lstat().st_mtime_ns) for path in folder.rglob("*"))
    with pytest.raises(CannotStart) as caught:
        postgres_server.prepare(settings, state)

    assert before == sorted((path, path.lstat().st_mtime_ns) for path in folder.rglob("*"))
    return str(caught.value)


@pytest.mark.parametrize("version", ["13", "99"])
def test_data_of_another_version_are_left_alone(settings, state, data, version):
    """An older and a newer one: the sentence says which, where, and what to do."""
    data.mkdir()
    (data / "PG_VERSION").write_text(f"{version}\n")
    sentence = said_of(settings, state)

    assert sentence.startswith(f"PostgreSQL {version} has kept the ledger in {data}, and ")
    assert f"install PostgreSQL {version} beside it, or carry the data over" in sentence


def test_what_is_no_data_is_left_alone(settings, state, data):
    data.mkdir()
    (data / "letter").write_text("dear Bilbo")

    assert f"{data} is no data of PostgreSQL; move it away" == said_of(settings, state)


def test_a_password_that_is_gone_is_not_made_anew(full, settings, state, data):
    """The server would not let anyone in with it."""
    (state.root / "postgres_password").unlink()

    assert said_of(settings, state).endswith("is missing; put its backup in its place")
    assert not (state.root / "postgres_password").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give away a folder")
def test_data_of_somebody_else_are_left_alone(full, settings, state, data):
    """Of a user as whom Bree has run here; what root has lent to a stand-in comes back."""
    stand_in, other = pwd.getpwnam("nobody"), pwd.getpwnam("daemon")
    for path in (data, *data.rglob("*")):
        os.chown(path, stand_in.pw_uid, -1)
    postgres_server.prepare(settings, state)

    assert {0} == {path.stat().st_uid for path in (data, *data.rglob("*"))}

    for path in (data.parent, data):
        os.chown(path, other.pw_uid, -1)

    assert f"{data} belongs to daemon; run Bree as that user" in said_of(settings, state)


def test_a_fault_of_its_makers_is_told(settings, state, data, tmp_path):
    """In its own words; and nothing of what was begun stays."""
    for name, script in (
        ("postgres", "echo 'postgres (PostgreSQL) 18.1'"),
        ("initdb", "mkdir \"$2\"; echo 'initdb: error: the moon is wrong' >&2; exit 1"),
    ):
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / name).chmod(0o755)
    broken = settings.model_copy(update={"postgres_server": str(tmp_path)})
    with pytest.raises(CannotStart, match="cannot make its data: initdb: error: the moon is wrong"):
        postgres_server.prepare(broken, state)

    assert [] == list(data.parent.iterdir())


def test_a_full_disk_is_one_sentence(settings, state, data):
    """A real one of a few megabytes, where this machine lets anyone mount it."""
    small = ["-t", "tmpfs", "-o", "size=8m,mode=700", "bree", str(data.parent)]
    mount, umount = shutil.which("mount"), shutil.which("umount")
    if not mount or subprocess.run([mount, *small], capture_output=True, check=False).returncode:
        pytest.skip("only root can mount a disk that is full soon")
    try:
        with pytest.raises(CannotStart, match="the disk is full: make room for PostgreSQL"):
            postgres_server.prepare(settings, state)

        assert [] == list(data.parent.iterdir())
    finally:
        subprocess.run([umount, str(data.parent)], check=True)


def test_a_ledger_of_ones_own_needs_none(settings):
    """Nothing of the local one is started or looked for; likewise with the store."""
    own = settings.model_copy(update={"ledger_url": "postgresql://a@b/c"})

    assert POSTGRES in {part.kind for part in outline(settings)}
    assert POSTGRES not in {part.kind for part in outline(own)}
    assert "redis" in {part.kind for part in outline(own)}
    assert "postgresql://a@b/c" == url_of_this_run(own)

    own = settings.model_copy(update={"store_url": "redis://b/0"})

    assert "redis" not in {part.kind for part in outline(own)}


def test_a_ledger_that_was_never_made_is_one_sentence(settings):
    with pytest.raises(Trouble, match="nothing has ever run on"):
        url_of_this_run(settings)


def test_paths_stand_in_the_configuration_as_they_are(tmp_path):
    """With whatever a folder is called."""
    folder = tmp_path / "Bilbo's \\ home"
    folder.mkdir()
    conf = postgres_server._configure(folder, 7002)

    assert f"{tmp_path}/Bilbo''s \\\\ home/bree.hba" in conf.read_text()


def test_the_newest_that_fits_is_chosen_for_new_data(settings, monkeypatch):
    monkeypatch.setattr(postgres_server, "find", lambda *asked: Program(asked, (18, 1)))

    assert (settings.postgres_server, 0) == postgres_server.choose(settings).folder
