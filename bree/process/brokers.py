"""Which brokers there are, as BREE_BROKER_URL spells them, and at which of them a turn waits.

Design. All turns of one payer wait at one broker, so that it is fair to all payers that it has
(`process.turns`) without asking another. Who sends chooses it as a match's replica is chosen, by
rendezvous hashing: of where brokers are, whatever their order and their passwords. If one is added
or taken away, only those payers move whom it gets or had. Brokers are parted by blanks, of which a
URL has none: commas part the Sentinels of one broker, and a semicolon may stand in a password.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Generic, TypeVar

from bree.process.replicas import ranked
from bree.redis.address import Nodes, RedisAddress
from bree.redis.primaries import PATTERN
from bree.redis.sentinels import Sentinels

T = TypeVar("T")

SERVER = rf"redis\+socket://\S+|{PATTERN}"
"""What one broker looks like."""

FORM = "a broker is named as redis://host:port/database, and several with blanks between them"


def brokers_of(text: str, store: str = "") -> tuple[str, ...]:
    """The brokers in a list such as `redis://10.0.0.1:6379/0 redis://10.0.0.2:6379/0`.

    Where it names none, it is the store.
    """
    urls = tuple(text.split() or filter(None, [store]))
    if any(Nodes.of(url) for url in urls):
        raise ValueError("the broker is no cluster: name a server for it as BREE_BROKER_URL")
    if not all(re.fullmatch(SERVER, url) for url in urls):
        raise ValueError(FORM)
    if len(set(map(place_of, urls))) < len(urls):
        raise ValueError("the same broker is named twice")
    return urls


def place_of(url: str) -> str:
    """Where a broker is: the same for all who reach it, whoever they say they are."""
    sentinels = Sentinels.of(url)
    if sentinels is not None:
        asked = ",".join(sorted(map(str, sentinels.addresses)))
        return f"{sentinels.service}@{asked}/{sentinels.database}"
    address = RedisAddress.of(url.replace("redis+socket://", "unix://", 1))
    return f"{address}/{address.database}"


class Spread(Generic[T]):
    """Something for each broker, and which of them is that of a payer, or of a match."""

    def __init__(self, brokers: Iterable[str], make: Callable[[str], T]) -> None:
        self._at = {place_of(url): make(url) for url in brokers}

    def of(self, key: str) -> T:
        """That of whom all that has this key goes to."""
        return self._at[ranked(key, self._at)[0]]

    def __iter__(self) -> Iterator[T]:
        return iter(self._at.values())
