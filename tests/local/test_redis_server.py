"""Which Redis a local run takes, and what it refuses to do with the data of another one."""

from __future__ import annotations

import pytest

from bree.local import redis_server
from bree.local.redis_server import Program, configure, find
from bree.local.settings import CannotStart


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Puts programs called redis-server on the path, and takes away all others."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(redis_server, "_shipped", lambda: None)

    def install(version, name="redis-server"):
        program = tmp_path / name
        program.write_text(f"#!/bin/sh\necho 'Redis server v={version} sha=0:0 bits=64'\n")
        program.chmod(0o755)
        return str(program)

    return install


def test_the_machines_own_server_is_taken_if_it_is_new_enough(install):
    """The one that comes with the system is updated with the system."""
    path = install("7.0.15")

    assert find("") == Program(path, (7, 0, 15))


def test_the_shipped_server_is_taken_where_the_machines_is_too_old(install, monkeypatch):
    """A server without what the scripts need is passed over."""
    install("6.0.16")
    shipped = install("6.2.14", "shipped")
    monkeypatch.setattr(redis_server, "_shipped", lambda: shipped)

    assert find("") == Program(shipped, (6, 2, 14))


def test_no_server_is_one_sentence(install):
    """It says what to install."""
    with pytest.raises(CannotStart, match=r"there is no Redis server; install .* apt install"):
        find("")


def test_the_server_that_was_asked_for_must_do(install):
    """A wish is not silently passed over."""
    with pytest.raises(CannotStart, match="BREE_REDIS_SERVER: other is no redis-server"):
        find("other")

    install("5.0.1", "old")
    with pytest.raises(CannotStart, match="old is too old"):
        find("old")


def test_a_program_that_is_no_redis_is_passed_over(install, tmp_path):
    """What it says about itself decides."""
    (tmp_path / "redis-server").write_text("#!/bin/sh\necho hello\n")
    (tmp_path / "redis-server").chmod(0o755)

    with pytest.raises(CannotStart, match="there is no Redis server"):
        find("")


def test_every_write_is_on_the_disk_before_it_is_acknowledged(state):
    """The configuration says so; it holds a password, and is its owner's alone."""
    path = configure(Program("redis-server", (6, 2, 14)), state.root, 7001, "a password")
    lines = path.read_text().splitlines()

    assert {"appendonly yes", "appendfsync always", "bind 127.0.0.1"} <= set(lines)
    assert "requirepass a password" in lines
    assert path.stat().st_mode & 0o777 == 0o600


def test_an_old_server_does_not_start_empty_beside_the_data_of_a_new_one(state):
    """The matches would seem to be gone."""
    (state.root / "redis" / "appendonlydir").mkdir()

    with pytest.raises(CannotStart, match="a newer Redis has kept the matches"):
        configure(Program("redis-server", (6, 2, 14)), state.root, 7001, "")
    configure(Program("redis-server", (7, 2, 0)), state.root, 7001, "")
