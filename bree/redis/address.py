"""Where a Redis is, and how to be let in: of one server, of whom Sentinels name, of a cluster."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

from bree.redis.resp import Argument
from bree.redis.sentinels import Address, Nobody, Sentinels, addresses_of, login_of, primary

PORT = 6379


@dataclass(frozen=True, slots=True)
class RedisAddress:
    """Where a Redis is, and how to be let in."""

    host: str = "127.0.0.1"
    port: int = PORT
    path: str = ""  # of a socket, instead of host and port
    tls: bool = False
    user: str = ""
    password: str = ""
    database: int = 0

    @classmethod
    def of(cls, url: str) -> RedisAddress:
        """The address that a URL names: `redis://`, `rediss://` or `unix://`."""
        parts = urlsplit(url)
        if parts.scheme not in ("redis", "rediss", "unix"):
            raise ValueError("a store is named as redis://host:port/database")
        local = parts.scheme == "unix"
        number = parse_qs(parts.query).get("db", ["0"])[0] if local else parts.path.strip("/")
        if number and not (number.isascii() and number.isdecimal()):
            raise ValueError(f"a database is a number, not {number!r}")
        return cls(
            host=parts.hostname or "127.0.0.1",
            port=parts.port or PORT,
            path=parts.path if local else "",
            tls=parts.scheme == "rediss",
            user=unquote(parts.username or ""),
            password=unquote(parts.password or ""),
            database=int(number or 0),
        )

    def __str__(self) -> str:
        return self.path or f"{self.host}:{self.port}"

    def greeting(self) -> list[tuple[Argument, ...]]:
        """What a connection says first."""
        commands: list[tuple[Argument, ...]] = []
        if self.password:
            user = (self.user,) if self.user else ()
            commands.append(("AUTH", *user, self.password))
        if self.database:
            commands.append(("SELECT", self.database))
        return commands


class Place:
    """Where the primary is: always at one address, or wherever Sentinels say."""

    def __init__(self, url: str) -> None:
        self.sentinels = Sentinels.of(url)
        self._address = None if self.sentinels else RedisAddress.of(url)

    def __str__(self) -> str:
        return str(self.sentinels or self._address)

    async def address(self) -> RedisAddress:
        """Where it is now; `Nobody` if there is none."""
        if self.sentinels is None:
            assert self._address is not None
            return self._address
        return RedisAddress.of(self.sentinels.server(await primary(self.sentinels)))


CLUSTERS = {"redis+cluster": False, "rediss+cluster": True}
"""The schemes of a cluster, each with whether its nodes are spoken to over TLS."""

CLUSTER_FORM = (
    "a cluster is named as redis+cluster://:password@host:port,host:port, with some of its nodes; "
    "it has no databases"
)


class Nodes(NamedTuple):
    """Some of the nodes of a cluster, and how to be let in by any."""

    seeds: tuple[Address, ...]
    way: RedisAddress  # to none of them in particular

    @classmethod
    def of(cls, url: str) -> Nodes | None:
        """Those that a URL names, if it names a cluster; `ValueError` if it does so badly."""
        parts = urlsplit(url)
        if parts.scheme not in CLUSTERS:
            return None
        user, password, hosts = login_of(parts.netloc)
        if parts.path.strip("/") not in ("", "0") or parts.query:
            raise ValueError(CLUSTER_FORM)
        return cls(
            addresses_of(hosts, PORT, CLUSTER_FORM),
            RedisAddress(tls=CLUSTERS[parts.scheme], user=user, password=password),
        )

    def __str__(self) -> str:
        return f"the cluster of {', '.join(map(str, self.seeds))}"

    def to(self, node: Address) -> RedisAddress:
        """Where a node is, and how to be let in."""
        return replace(self.way, host=node.host, port=node.port)


__all__ = ["Nobody", "Nodes", "Place", "RedisAddress"]
