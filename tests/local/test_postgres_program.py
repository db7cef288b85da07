"""Which PostgreSQL a local run takes, and as whom it is run."""

from __future__ import annotations

import os
import subprocess

import pytest

from bree.local import postgres_program
from bree.local.as_user import NAMESPACE, OTHER
from bree.local.postgres_program import Program, find, identity, installed
from bree.local.settings import CannotStart
from tests.postgres_server import PROGRAMS


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Puts programs where systems put them, and takes away all others."""
    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
    monkeypatch.setattr(postgres_program, "PLACES", (f"{tmp_path}/usr/*/bin",))
    monkeypatch.setattr(postgres_program, "_shipped", lambda: None)

    def install(version, name=None, *tools):
        folder = tmp_path / "usr" / (name or version) / "bin"
        folder.mkdir(parents=True)
        for tool in tools or ("postgres", "initdb"):
            program = folder / tool
            program.write_text(f"#!/bin/sh\necho '{tool} (PostgreSQL) {version} (Somebody 1)'\n")
            program.chmod(0o755)
        return folder

    return install


def test_the_machines_newest_is_taken(install):
    """Its numbers are compared as numbers; what is too old is passed over."""
    install("14.9")
    install("15.18")
    newest = install("18.2", "b")
    install("9.6.24", "a")

    assert Program(newest, (18, 2)) == find("")
    assert [(18, 2), (15, 18)] == [program.version for program in installed()]


def test_the_shipped_one_is_taken_where_the_machine_has_none_that_fits(install, monkeypatch):
    """It comes last, however new it is."""
    shipped = install("18.6", "../shipped")
    monkeypatch.setattr(postgres_program, "_shipped", lambda: shipped)
    install("14.9")

    assert shipped == find("").folder

    own = install("15.1")

    assert own == find("").folder


def test_the_one_that_made_the_data_is_taken(install, monkeypatch):
    """Newer ones cannot read them; the shipped one can where it alone fits."""
    shipped = install("18.6", "../shipped")
    monkeypatch.setattr(postgres_program, "_shipped", lambda: shipped)
    older = install("15.1")
    install("16.1")

    assert older == find("", 15).folder
    assert shipped == find("", 18).folder


def test_none_is_one_sentence(install):
    """It says what to install. A folder without initdb is no server's."""
    install("16.1", None, "postgres")
    with pytest.raises(CannotStart, match=r"there is no PostgreSQL; install .* apt install"):
        find("")


def test_the_one_that_was_asked_for_must_do(install, tmp_path):
    """A wish is not silently passed over."""
    with pytest.raises(CannotStart, match=f"BREE_POSTGRES_SERVER: {tmp_path} is no folder of"):
        find(str(tmp_path))

    old = install("14.9")
    with pytest.raises(CannotStart, match=f"BREE_POSTGRES_SERVER: {old} is too old; install"):
        find(str(old))


def test_a_folder_that_says_nothing_of_postgres_is_none(install, tmp_path):
    """What the program says about itself decides."""
    folder = install("16.1")
    (folder / "postgres").write_text("#!/bin/sh\necho hello\n")

    assert [] == installed()


needs_root = pytest.mark.skipif(
    os.geteuid() != 0 or not PROGRAMS, reason="only root can be somebody else"
)


@needs_root
@pytest.mark.parametrize("way", [NAMESPACE, OTHER])
def test_root_runs_it_as_somebody_else_in_a_folder_that_is_closed(way, tmp_path):
    """Each way alone: data are made in a folder that is its owner's only, and nobody is root."""
    tmp_path.chmod(0o700)
    user = postgres_program._stand_in()
    prefix = postgres_program._prefix(way, user, tmp_path)
    if postgres_program._fault([*prefix, "/bin/true"]):
        pytest.skip(f"this machine does not let anyone go the way {way}")
    ends = subprocess.run(
        [*prefix, "/usr/bin/id", "-u"], capture_output=True, text=True, check=True
    )
    make = [PROGRAMS[0].tool("initdb"), "-D", str(tmp_path / "data"), "--no-sync", "-U", "bree"]
    subprocess.run([*prefix, *make], capture_output=True, check=True)
    owner = (tmp_path / "data" / "PG_VERSION").stat().st_uid

    assert str(user.pw_uid) == ends.stdout.strip()
    assert (0 if way == NAMESPACE else user.pw_uid) == owner


@needs_root
def test_the_second_way_is_gone_where_the_first_is_closed(tmp_path, monkeypatch):
    """As in a container that lets nobody make a namespace."""
    fault = postgres_program._fault
    monkeypatch.setattr(
        postgres_program,
        "_fault",
        lambda command: "closed" if NAMESPACE in command else fault(command),
    )
    found = identity(PROGRAMS[0], tmp_path)

    assert OTHER in found.prefix
    assert postgres_program._stand_in().pw_uid == found.owner


def test_where_no_way_is_open_it_is_said(tmp_path, monkeypatch):
    """With what can be done about it."""
    monkeypatch.setattr(postgres_program.os, "geteuid", lambda: 0)
    monkeypatch.setattr(postgres_program, "_fault", lambda _: "closed")
    sentence = "does not run as root, and not as another .*: run Bree as an ordinary user, or set"
    with pytest.raises(CannotStart, match=sentence):
        identity(Program(tmp_path, (15,)), tmp_path)


def test_an_ordinary_user_runs_it_himself(tmp_path, monkeypatch):
    """Nothing is put before the command; unless he has no name, which initdb asks for."""
    ordinary = postgres_program._stand_in().pw_uid
    monkeypatch.setattr(postgres_program.os, "geteuid", lambda: ordinary)

    assert ((), None) == identity(Program(tmp_path, (15,)), tmp_path)

    monkeypatch.setattr(postgres_program.os, "geteuid", lambda: 2**20 + 5)
    monkeypatch.setattr(postgres_program, "_fault", lambda _: "")

    assert NAMESPACE in identity(Program(tmp_path, (15,)), tmp_path).prefix
