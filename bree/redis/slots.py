"""Which node of a cluster has which keys: hash slots, and what nodes say of who has them.

Design. Nodes learn of changes at different times, and one that is cut off goes on telling what was.
So several are asked, and of each slot whoever has it by the latest configuration is believed.
"""

from __future__ import annotations

from binascii import crc_hqx
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from bree.redis.connection import Command
from bree.redis.resp import Reply
from bree.redis.sentinels import Address

SLOTS = 16_384

KEY_OF_SCRIPT = 3
"""Where the first key of a script stands."""


def slot_of(key: str) -> int:
    """The slot of a key: that of its hash tag, if it has one."""
    _, brace, rest = key.partition("{")
    tag, end, _ = rest.partition("}")
    return crc_hqx((tag if brace and end and tag else key).encode(), 0) % SLOTS


def slot_of_command(command: Command) -> int:
    """The slot of the keys that a command names."""
    is_script = command[0] in ("EVAL", "EVALSHA")
    return slot_of(str(command[KEY_OF_SCRIPT if is_script else 1]))


@lru_cache(maxsize=1)
def _tags() -> Sequence[str]:
    found: dict[int, str] = {}
    number = 0
    while len(found) < SLOTS:
        found.setdefault(crc_hqx(b"%d" % number, 0) % SLOTS, str(number))
        number += 1
    return [found[slot] for slot in range(SLOTS)]


def tag_of(slot: int) -> str:
    """A hash tag that is in a slot."""
    return _tags()[slot]


class Range(NamedTuple):
    """Slots that one node has."""

    first: int
    last: int
    node: Address
    epoch: int  # of the configuration in which it has them


class Layout:
    """Who has each slot, as far as is known."""

    def __init__(self, ranges: Iterable[Range] = ()) -> None:
        self._nodes: list[Address | None] = [None] * SLOTS
        self._slots: dict[Address, list[int]] | None = None  # until they are asked for
        for found in sorted(ranges, key=lambda one: one.epoch):  # the latest one stays
            for slot in range(found.first, found.last + 1):
                self._nodes[slot] = found.node

    def node(self, slot: int) -> Address | None:
        """Whoever has a slot, if that is known."""
        return self._nodes[slot]

    def give(self, slot: int, node: Address) -> None:
        """A node has said that another has a slot."""
        self._nodes[slot], self._slots = node, None

    def nodes(self) -> dict[Address, int]:
        """All who have slots, each with its lowest one."""
        return {node: slots[0] for node, slots in self._owned().items()}

    def slots(self, node: Address) -> Sequence[int]:
        """What one of them has, in order."""
        return self._owned().get(node, ())

    def _owned(self) -> dict[Address, list[int]]:
        if self._slots is None:
            self._slots = {}
            for slot, node in enumerate(self._nodes):
                if node is not None:
                    self._slots.setdefault(node, []).append(slot)
        return self._slots


def ranges_of(asked: Address, slots: Reply, nodes: Reply) -> list[Range]:
    """What a node means by its answers to `CLUSTER SLOTS` and `CLUSTER NODES`."""
    epochs = epochs_of(str(nodes))
    assert isinstance(slots, list)
    return [_range(row, asked, epochs) for row in slots if isinstance(row, list)]


def _range(row: Sequence[Reply], asked: Address, epochs: Mapping[str, int]) -> Range:
    first, last, primary = row[0], row[1], row[2]
    assert isinstance(primary, list)
    host, port, known = primary[:3]
    named = str(host) if host not in (None, "", "?") else asked.host
    return Range(
        int(str(first)), int(str(last)), Address(named, int(str(port))), epochs.get(str(known), 0)
    )


def epochs_of(said: str) -> dict[str, int]:
    """The epoch of each node's configuration, by its name."""
    rows = (line.split() for line in said.splitlines())
    return {row[0]: int(row[6]) for row in rows if len(row) > 6}  # as documented


class Redirection(NamedTuple):
    """What a node says of a command that belongs elsewhere."""

    slot: int
    node: Address


def redirection(said: str, asked: Address) -> Redirection:
    """What is meant by `MOVED 3999 127.0.0.1:6381`, or the same with `ASK`."""
    _, slot, place = said.split()[:3]
    host, _, port = place.rpartition(":")
    named = host.strip("[]")
    return Redirection(
        int(slot), Address(named if named not in ("", "?") else asked.host, int(port))
    )
