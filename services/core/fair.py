"""Fair chance: every draw follows from secrets that nobody holds alone, and can be checked.

Design. The host commits to a secret before the seats add a nonce each; the seed is made of all of
them, so neither side can choose it. The nth draw is a keyed hash of the seed and n: there is no
generator state that a search could copy or a view could leak. `docs/fairness.md` has the algorithm
and test vectors for programs in other languages.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from typing import NamedTuple

from services.core.decisions import Pick
from services.core.errors import Invalid

SECRET_BYTES = 32
NONCE_BYTES = (1, 64)  # the shortest and the longest

MOST_CHOICES = 1 << 64
"""No draw is among more."""


def commitment(secret: bytes) -> str:
    """What is published before the game: it binds the host to `secret` and tells nothing of it."""
    return hashlib.sha256(b"bree commitment 1\n" + secret).hexdigest()


def seed(secret: bytes, nonces: Sequence[bytes]) -> bytes:
    """The seed of a match: the host's secret mixed with one nonce a seat, in seat order."""
    if len(secret) != SECRET_BYTES:
        raise Invalid(f"a secret has {SECRET_BYTES} bytes, not {len(secret)}")
    mixed = hmac.new(secret, b"bree seed 1\n", hashlib.sha256)
    for nonce in nonces:
        if not NONCE_BYTES[0] <= len(nonce) <= NONCE_BYTES[1]:
            raise Invalid(f"a nonce has 1 to 64 bytes, not {len(nonce)}")
        mixed.update(bytes([len(nonce)]) + nonce)
    return mixed.digest()


class Draw(NamedTuple):
    """One draw as a record tells it: which of how many, counted from 1."""

    drawn: int
    choices: int

    def __str__(self) -> str:
        return f"{self.drawn} of {self.choices}"


class DrawLog:
    """What chance draws, kept as it is drawn."""

    __slots__ = ("_pick", "draws")

    def __init__(self, pick: Pick) -> None:
        self._pick = pick
        self.draws: list[Draw] = []

    def pick(self, choices: int) -> int:
        """The next draw: one of 0 … choices - 1."""
        drawn = self._pick(choices)
        self.draws.append(Draw(drawn + 1, choices))
        return drawn


class Fate:
    """The draws of one match, numbered from 0 in the order in which chance was asked."""

    __slots__ = ("drawn", "seed")

    def __init__(self, seed: bytes, drawn: int = 0) -> None:
        self.seed = seed
        self.drawn = drawn

    def pick(self, choices: int) -> int:
        """The next draw: one of 0 … choices - 1, each as likely as the next."""
        number, self.drawn = self.drawn, self.drawn + 1
        return draw(self.seed, number, choices)


def draw(seed: bytes, number: int, choices: int) -> int:
    """The draw with this number; the same whoever computes it, whenever."""
    assert 1 <= choices <= MOST_CHOICES
    fair = (
        MOST_CHOICES - MOST_CHOICES % choices
    )  # numbers from here up would favour the low choices
    attempt = 0
    while True:
        message = number.to_bytes(8, "big") + attempt.to_bytes(4, "big")
        value = int.from_bytes(hmac.digest(seed, message, "sha256")[:8], "big")
        if value < fair:
            return value % choices
        attempt += 1
