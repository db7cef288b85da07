"""Who serves which slot of a cluster for tests, and slots that are moved step by step.

Design. What a node knows is what it says to `CLUSTER NODES`. A slot is moved as
operators' tools move it: both ends are told, its keys go over a few at a time, and then all masters
are told. Between any two of these steps it can be left, with a server killed there if need be, and
`end_move` finishes whatever it finds. Masters are known by their shards, since a shard has another
master when one was promoted meanwhile.
"""

from __future__ import annotations

import binascii
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from typing import NamedTuple

import redis

from tests.redis_node import HOST, Node, wait_until

SLOTS = 16384
AT_ONCE = 20
"""How many keys go over in one step."""

MIGRATE_MS = 1500


class Known(NamedTuple):
    """What one node knows of another, or of itself."""

    id: str
    port: int
    flags: frozenset[str]
    epoch: int
    slots: tuple[range, ...]
    moving: frozenset[int]  # of itself alone

    @classmethod
    def of(cls, line: str) -> Known:
        """It, from a line of `CLUSTER NODES`."""
        name, address, flags, _, _, _, epoch, _, *places = line.split()
        port = address.partition("@")[0].rpartition(":")[2]
        served = [place.split("-") for place in places if not place.startswith("[")]
        moving = [place.strip("[").split("-")[0] for place in places if place.startswith("[")]
        return cls(
            name,
            int(port),
            frozenset(flags.split(",")),
            int(epoch),
            tuple(range(int(ends[0]), int(ends[-1]) + 1) for ends in served),
            frozenset(map(int, moving)),
        )


class Shards:
    """The nodes of a cluster: those of a shard have the same slots, one as their master."""

    def __init__(self, shards: Sequence[Sequence[Node]]) -> None:
        self.shards = shards
        self._begun: dict[int, Sequence[Node]] = {}

    @property
    def nodes(self) -> list[Node]:
        """All, the masters of the beginning first."""
        return [shard[n] for n in range(len(self.shards[0])) for shard in self.shards]

    # Who serves what.

    def known_by(self, node: Node) -> list[Known]:
        """What a node knows of all."""
        said = node.say("CLUSTER", "NODES")
        assert isinstance(said, str)
        return [Known.of(line) for line in said.splitlines()]

    def itself(self, node: Node) -> Known:
        """What a node knows of itself."""
        return next(known for known in self.known_by(node) if "myself" in known.flags)

    def master_of(self, shard: Sequence[Node]) -> Node | None:
        """Who says that it is, and of two who say so the one with the later configuration."""
        claims = []
        for node in shard:
            with suppress(redis.RedisError):
                if node.hears and "master" in (known := self.itself(node)).flags:
                    claims.append((known.epoch, node.port, node))
        return max(claims)[-1] if claims else None

    def masters(self) -> list[Node]:
        """Those of all shards that have one now."""
        found = [self.master_of(shard) for shard in self.shards]
        return [node for node in found if node is not None]

    def replicas_of(self, master: Node) -> list[Node]:
        """The others of its shard, whatever they are."""
        return [node for node in self.shard_of(master) if node is not master]

    def shard_of(self, node: Node) -> Sequence[Node]:
        """Those among whom a node is."""
        return next(shard for shard in self.shards if node in shard)

    def slots_of(self, master: Node) -> list[int]:
        """What it serves, as it knows."""
        return [slot for served in self.itself(master).slots for slot in served]

    def owner(self, slot: int) -> Node:
        """Who serves a slot."""
        claims = []
        for node in self.masters():
            known = self.itself(node)
            if any(slot in served for served in known.slots):
                claims.append((known.epoch, node.port, node))
        assert claims, f"nobody serves {slot}"
        return max(claims)[-1]

    def full_slots_of(self, master: Node) -> list[int]:
        """Those of its slots that hold keys."""
        slots = self.slots_of(master)
        held = master.say_all([("CLUSTER", "COUNTKEYSINSLOT", slot) for slot in slots])
        return [slot for slot, keys in zip(slots, held, strict=True) if keys]

    # Moves.

    @property
    def moving(self) -> list[int]:
        """The slots whose move has begun and not ended."""
        return list(self._begun)

    def move(self, slots: Collection[int], to: Node) -> None:
        """Let another master serve these, one after the other."""
        for slot in slots:
            self.begin_move(slot, to)
            self.end_move(slot)

    def move_at_once(self, slots: Collection[int], to: Node) -> None:
        """The same as one, done by both servers among themselves: see `can_move_at_once`."""
        ends = [end for slot in slots for end in (slot, slot)]
        source = self.owner(min(slots))
        how = ("SLOTSRANGE", *ends, "NODE", self.itself(to).id)
        source.say("CLUSTER", "MIGRATESLOTS", *how)
        wait_until(lambda: {*slots} <= {*self.slots_of(to)}, f"slots do not come to {to}")

    @property
    def can_move_at_once(self) -> bool:
        """From Valkey 9.0 on."""
        return self._valkey >= 9

    @property
    def remembers_moves(self) -> bool:
        """Whether a replica that is promoted knows which slots move; from Valkey 8.0 on."""
        return self._valkey >= 8

    @property
    def _valkey(self) -> int:
        said = self.masters()[0].say("INFO", "server")
        assert isinstance(said, dict)
        return int(str(said.get("valkey_version", "0")).partition(".")[0])

    def begin_move(self, slot: int, to: Node) -> None:
        """Tell both ends that a slot moves: what the old one has not, it sends to the new one."""

        def is_done() -> bool:
            with suppress(redis.RedisError):  # its replicas may be slow to note it, too
                self._open(slot, self.owner(slot), to)
                return True
            return False

        self._begun[slot] = self.shard_of(to)
        wait_until(is_done, f"slot {slot} does not begin to move")

    def move_some_keys(self, slot: int, number: int) -> int:
        """Let so many keys go over, and say how many did."""
        source, target = self._ends(slot)
        found = source.say("CLUSTER", "GETKEYSINSLOT", slot, number)
        assert isinstance(found, list)
        if found:
            self._migrate(source, target, found)
        return len(found)

    def end_move(self, slot: int) -> None:
        """Finish it, also if servers were killed or promoted meanwhile."""
        wait_until(lambda: self._ended(slot), f"slot {slot} cannot be moved")
        del self._begun[slot]

    def end_moves(self) -> None:
        """Finish all that have begun."""
        for slot in self.moving:
            self.end_move(slot)

    def _ended(self, slot: int) -> bool:
        with suppress(redis.RedisError, Missing):
            source, target = self._ends(slot)
            if source is not target:
                self._open(slot, source, target)
                while self.move_some_keys(slot, AT_ONCE):
                    pass
            self._close(slot, source, target)
            return True
        return False

    def _open(self, slot: int, source: Node, target: Node) -> None:
        source_id, target_id = self.itself(source).id, self.itself(target).id
        target.say("CLUSTER", "SETSLOT", slot, "IMPORTING", source_id)
        source.say("CLUSTER", "SETSLOT", slot, "MIGRATING", target_id)

    def _close(self, slot: int, source: Node, target: Node) -> None:
        """Tell the new one first: then there is always one who serves it."""
        name = self.itself(target).id
        others = [node for node in self.masters() if node not in (source, target)]
        for node in dict.fromkeys((target, source, *others)):
            node.say("CLUSTER", "SETSLOT", slot, "NODE", name)

    def _ends(self, slot: int) -> tuple[Node, Node]:
        """Who serves a slot that moves, and who is to serve it."""
        masters = self.masters()
        target = self.master_of(self._begun[slot])
        if target is None or len(masters) < len(self.shards):
            raise Missing
        return self.owner(slot), target

    def _migrate(self, source: Node, target: Node, keys: Iterable[object]) -> None:
        """What the source has is newer than what came over before, and was not taken away here."""
        let_in = ("AUTH", source.password) if source.password else ()
        how = ("REPLACE", *let_in, "KEYS", *keys)
        source.say("MIGRATE", HOST, target.port, "", 0, MIGRATE_MS, *how)


class Missing(Exception):
    """A shard has no master just now."""


def slot_of(key: str) -> int:
    """Where a key belongs: by what is between its first braces, if there is anything."""
    _, opened, rest = key.partition("{")
    tag, closed, _ = rest.partition("}")
    hashed = tag if opened and closed and tag else key
    return binascii.crc_hqx(hashed.encode(), 0) % SLOTS


def key_in(slots: Collection[int], name: str = "") -> str:
    """A key that belongs into one of these."""
    tries = (f"{{{number}}}{name}" for number in range(100 * SLOTS))
    return next(key for key in tries if slot_of(key) in slots)
