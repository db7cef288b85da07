"""Which addresses serve a game, as BREE_ENGINES spells them, and which is asked about a match.

Design. Gateways and workers read the same text and rank by the same hash, so that a match is in the
memory of one replica only. Rendezvous hashing: if a replica goes, only its own matches move. What
waits at a broker is spread by the same hash (`process.brokers`).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping

GAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
ADDRESS = re.compile(
    r"(dns:(//[A-Za-z0-9_.:\[\]-]*/)?|ipv4:)?[A-Za-z0-9_.-]+:[0-9]{1,5}"
    r"|(ipv6:)?\[[0-9A-Fa-f:.]+\]:[0-9]{1,5}"
    r"|unix:[^\s,;]+"
)
"""What gRPC connects to: a host and a port, with or without its word for how to find it."""

Addresses = tuple[str, ...]


def engines_of(text: str) -> Mapping[str, Addresses]:
    """The replicas of each game in `confrontation=10.0.0.1:7100,10.0.0.2:7100;duel=[::1]:7100`."""
    games: dict[str, Addresses] = {}
    for part in filter(None, (part.strip() for part in text.split(";"))):
        game, _, listed = part.partition("=")
        if not GAME.fullmatch(game):
            raise ValueError(f"not the name of a game: {game!r}")
        if game in games:
            raise ValueError(f"{game} is given twice")
        addresses = tuple(checked(address.strip()) for address in listed.split(","))
        if len(set(addresses)) < len(addresses):
            raise ValueError(f"{game} has the same address twice")
        games[game] = addresses
    if not games:
        raise ValueError("no engine is given; it looks like confrontation=127.0.0.1:7101")
    return games


def checked(address: str) -> str:
    """The same address, if it is one."""
    if not ADDRESS.fullmatch(address):
        raise ValueError(f"not an address: {address!r}")
    return address


def ranked(key: str, addresses: Iterable[str]) -> list[str]:
    """The addresses that a key leads to, such as the name of a match: the first one first."""
    return sorted(addresses, key=lambda address: _weight(key, address), reverse=True)


def _weight(key: str, address: str) -> bytes:
    return hashlib.blake2b(f"{address} {key}".encode(), digest_size=8).digest()
