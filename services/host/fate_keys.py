"""Whether an engine has the key that the chance of the matches in its store follows from.

Design. The store keeps a fingerprint of each key that matches began with, and never a key. An
engine with none of these keys could go on with no match, and would find that out one by one.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from typing import Protocol

LOST = (
    "BREE_FATE_KEY: the matches in the store began with another key ({known}): put that one behind "
    "the new one, with a comma between; if it is lost, so are these matches: run "
    "python -m bree.process.accept --lost-key, and start again"
)


class Noted(Protocol):
    """What a store keeps of keys."""

    async def fate_keys(self) -> set[str]:
        """The fingerprints of those that matches began with."""
        ...

    async def add_fate_key(self, fingerprint: str) -> None:
        """Note one that matches begin with from now on."""
        ...


def fingerprint(key: bytes) -> str:
    """What tells one key from another, and nothing else of it."""
    return hmac.digest(key, b"bree fingerprint 1\n", "sha256")[:8].hex()


async def why_not(store: Noted, keys: Sequence[bytes]) -> str:
    """Why an engine with these keys must not start; empty if it may, and then its key is noted."""
    known, ours = await store.fate_keys(), [fingerprint(key) for key in keys]
    if known and known.isdisjoint(ours):
        return LOST.format(known=" ".join(sorted(known)))
    if ours[0] not in known:
        await store.add_fate_key(ours[0])
    return ""
