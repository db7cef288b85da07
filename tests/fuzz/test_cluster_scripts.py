"""The scripts of a store that is a cluster: run as they are, with servers on loopback.

Each server has an address of its own on loopback, and another one when it comes back, as pods have.
What stands in for redis-cli knows where a name is at the moment, as the names of a cluster do.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bree.redis.address import Nodes
from bree.redis.cluster_map import ClusterMap
from tests.clients.toolchains import missing
from tests.deploy.checkers import KUBERNETES
from tests.fuzz.test_store_scripts import PASSWORD, server_program, until
from tests.redis_server import free_port

pytestmark = [
    pytest.mark.timeout(300),
    pytest.mark.skipif(sys.platform != "linux", reason="only one address of loopback is there"),
]

SCRIPTS = KUBERNETES / "options/store-cluster"
MAKING_SECONDS = 180
"""More than the Job's script ever takes here."""

CLIENT = """#!{python} -IS
import os, pathlib, socket, sys
words = sys.argv[1:]
host, port, words = words[1], int(words[3]), words[4:]
known = pathlib.Path({hosts!r}, host)
host = known.read_text() if known.exists() else host
def line(*parts):
    texts = [part.encode() for part in parts]
    return b"*%d\\r\\n" % len(texts) + b"".join(b"$%d\\r\\n%s\\r\\n" % (len(t), t) for t in texts)
def answer(file):
    head = file.readline().decode().strip()
    kind, rest = head[:1], head[1:]
    if kind == "*":
        return "\\n".join(answer(file) for _ in range(int(rest)))
    return file.read(int(rest) + 2).decode()[:-2] if kind == "$" else rest
with socket.create_connection((host, port), timeout=2) as at, at.makefile("rb") as file:
    at.sendall(line("AUTH", os.environ["REDISCLI_AUTH"]) + line(*words))
    answer(file)
    print(answer(file))
"""


class Pods:
    """Servers that are started by their script, each under a name and at some address."""

    def __init__(self, folder: Path, count: int) -> None:
        self.folder, self.names = folder, [f"store-{n}.store" for n in range(count)]
        self.port, self.bus = free_port(), free_port()
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        self.places = folder / "bin"
        self.hosts = folder / "hosts"
        self.places.mkdir()
        self.hosts.mkdir()
        (self.places / "redis-server").symlink_to(server_program())
        client = self.places / "redis-cli"
        client.write_text(CLIENT.format(python=sys.executable, hosts=str(self.hosts)), "utf-8")
        client.chmod(0o755)
        self.told = {
            "PATH": f"{self.places}:{os.environ['PATH']}", "STORE_PASSWORD": PASSWORD,
            "REDISCLI_AUTH": PASSWORD, "STORE_PORT": str(self.port), "STORE_BUS": str(self.bus),
            "STORE_NODES": " ".join(self.names), "STORE_MEMORY": "32mb", "AWAIT_SECONDS": "0.2",
        }  # fmt: skip

    def start(self, generation: int, *names: str) -> None:
        """Start some, each at an address that it has in this generation alone."""
        for name in names:
            number = self.names.index(name) + 1
            home, address = self.folder / name, f"127.{40 + generation}.7.{number}"
            home.mkdir(exist_ok=True)
            (self.hosts / name).write_text(address, "utf-8")
            text = (SCRIPTS / "cluster.conf").read_text("utf-8")
            changed = {"dir /data": f'dir "{home}"', "node-timeout 5000": "node-timeout 2000"}
            for old, new in changed.items():
                assert old in text
                text = text.replace(old, new)
            (home / "conf").write_text(f"{text}\nbind {address}\n", "utf-8")
            own = {"STORE_HOST": name, "POD_IP": address, "STORE_FILE": str(home / "conf")}
            with (home / "log").open("ab") as log:
                self.running[name] = subprocess.Popen(
                    [SCRIPTS / "start-node"], env={**self.told, **own}, stdout=log, stderr=log,
                    start_new_session=True,
                )  # fmt: skip

    def kill(self, *names: str) -> None:
        for name in names:
            process = self.running.pop(name)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def make(self) -> subprocess.CompletedProcess[str]:
        """What the Job does."""
        return subprocess.run(
            [SCRIPTS / "make-cluster"], env=self.told, capture_output=True, text=True, check=False,
            timeout=MAKING_SECONDS,
        )  # fmt: skip

    def is_made(self) -> None:
        done = self.make()
        assert 0 == done.returncode, done.stderr
        assert done.stderr.endswith("make-cluster: it is a cluster\n")

    def ask(self, name: str, *words: str) -> str:
        """What one replies; nothing while it is away."""
        done = subprocess.run(
            [self.places / "redis-cli", "-h", name, "-p", str(self.port), *words],
            env=self.told, capture_output=True, text=True, check=False,
        )  # fmt: skip
        return done.stdout.strip()

    def in_step(self, name: str) -> bool:
        """What the probe of readiness says."""
        address = (self.hosts / name).read_text("utf-8")
        done = subprocess.run(
            [SCRIPTS / "is-in-step"], env={**self.told, "POD_IP": address},
            capture_output=True, check=False,
        )  # fmt: skip
        return done.returncode == 0

    def view(self, name: str) -> dict[str, tuple[str, ...]]:
        """Each server as one of them sees it: whom it follows, its epoch and its slots."""
        found = {}
        for row in self.ask(name, "cluster", "nodes").splitlines():
            _, place, flags, follows, *_, epoch, link = row.split()[:8]
            role = "master" if "master" in flags else "slave"
            if link == "connected":
                found[place.rpartition(",")[2]] = (role, follows, epoch, *row.split()[8:])
        return found

    def follow(self, name: str) -> list[str]:
        """How many follow each of the masters."""
        rows = self.view(name).values()
        masters = [row for row in rows if row[0] == "master"]
        follows = [row[1] for row in rows if row[0] == "slave"]
        return sorted(f"{follows.count(one)}" for one in {*follows} | {"-"} if one != "-") if (
            len(masters) == 3
        ) else []  # fmt: skip

    def said(self) -> dict[str, str]:
        return {name: (self.folder / name / "log").read_text("utf-8")[-800:] for name in self.names}


@pytest.fixture
def pods(tmp_path):
    """As many as a test asks for, ended with it."""
    if server_program() is None:
        missing("there is no redis-server and no valkey-server")
    made = []

    def pods(count):
        made.append(Pods(tmp_path, count))
        made[0].start(0, *made[0].names)
        return made[0]

    yield pods
    for one in made:
        one.kill(*list(one.running))


def slots_by_client(pods):
    """Where our client looks for slots: as many names as have some."""

    async def asked():
        hosts = {name: (pods.hosts / name).read_text("utf-8") for name in pods.names}
        seeds = ",".join(f"{host}:{pods.port}" for host in hosts.values())
        nodes = Nodes.of(f"redis+cluster://:{PASSWORD}@{seeds}")
        assert nodes is not None
        known = ClusterMap(nodes, lambda _: None)
        try:
            return {node.host for node in (await known.known()).nodes()}
        finally:
            await known.close()

    return asyncio.run(asked())


def test_nine_servers_become_a_cluster_once(pods):
    """Three masters with two replicas each; run again, and after a failover, nothing changes."""
    nine = pods(9)
    first, *_, last = nine.names
    until(lambda: nine.ask(last, "ping") == "PONG", nine.said)
    assert not any(nine.in_step(name) for name in nine.names)
    nine.is_made()

    assert ["2", "2", "2"] == nine.follow(first)
    assert all(nine.in_step(name) for name in nine.names)
    assert set(nine.names[:3]) == slots_by_client(nine)
    nine.kill(first)
    until(lambda: len(slots_by_client(nine) - {first}) == 3, nine.said)
    nine.start(0, first)
    until(lambda: all(nine.in_step(name) for name in nine.names), nine.said)
    until(lambda: [nine.view(n) for n in nine.names] == 9 * [nine.view(first)], nine.said)
    before = nine.view(last)
    assert "slave" == before[first][0]
    nine.is_made()

    assert before == nine.view(last) == nine.view(first)


def test_servers_that_all_have_new_addresses_find_each_other(pods):
    """By their names: nobody is where he was, and what was stored is there."""
    six = pods(6)
    six.is_made()
    before = {name: row[:2] for name, row in six.view(six.names[0]).items()}
    master = six.names[0]
    assert "OK" == six.ask(master, "set", "{3}", "7")  # in a slot of the first of three
    assert "1" == six.ask(master, "wait", "1", "5000")
    six.kill(*six.names)
    six.start(1, *six.names)
    until(lambda: all(six.in_step(name) for name in six.names), six.said)
    until(lambda: len(six.view(master)) == 6, six.said)

    assert set(six.names[:3]) == slots_by_client(six)
    assert "7" == six.ask(master, "get", "{3}")
    assert before == {name: row[:2] for name, row in six.view(master).items()}
    until(lambda: six.ask(master, "set", "{3}", "8") == "OK", six.said)


def test_a_server_that_has_lost_its_volume_is_let_in(pods):
    """With another name of its own, as the replica of whoever has fewest; the others stay."""
    six = pods(6)
    six.is_made()
    first, *_, lost = six.names
    was, of = six.ask(lost, "cluster", "myid"), six.view(first)[lost][1]
    six.kill(lost)
    for path in (six.folder / lost).rglob("*"):
        if path.is_file() and path.name != "log":
            path.unlink()
    six.start(1, lost)
    until(lambda: six.ask(lost, "ping") == "PONG", six.said)
    until(lambda: was in _gone(six, first), six.said)
    until(lambda: "cluster_state:ok" in six.ask(lost, "cluster", "info"), six.said)
    assert not six.in_step(lost)  # the others have found it, and it has nothing yet
    six.is_made()
    until(lambda: six.view(first)[lost][1] == of, six.said)

    assert was != six.ask(lost, "cluster", "myid")
    assert all(six.in_step(name) for name in six.names)
    assert ["1", "1", "1"] == six.follow(first)


def _gone(pods, name):
    rows = pods.ask(name, "cluster", "nodes").splitlines()
    return {row.split()[0] for row in rows if "fail" in row.split()[2].split(",")}


def test_what_was_not_finished_is_finished(pods):
    """A run that ended after the first master had its slots."""
    six = pods(6)
    until(lambda: six.ask(six.names[0], "ping") == "PONG", six.said)
    assert "OK" == six.ask(six.names[0], "cluster", "addslotsrange", "0", "5460")
    six.is_made()

    assert ["1", "1", "1"] == six.follow(six.names[0])


def test_keys_in_slots_that_are_nobodys_are_the_hosts_to_decide_about(pods):
    """What is there may be all that is left of a platform; nothing is changed."""
    six = pods(6)
    held = six.names[4]
    until(lambda: six.ask(held, "ping") == "PONG", six.said)
    assert "OK" == six.ask(held, "cluster", "addslotsrange", "0", "16000")
    assert "OK" == six.ask(held, "config", "set", "min-replicas-to-write", "0")
    until(lambda: six.ask(held, "set", "{3}", "7") == "OK", six.said)
    before = {name: six.view(name) for name in six.names}
    done = six.make()

    assert 1 == done.returncode
    assert f"{held} has 1 keys, and 383 slots are nobody's" in done.stderr
    assert before == {name: six.view(name) for name in six.names}
