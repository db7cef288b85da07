"""Which server is the primary: told by Sentinels, and believed of one that says so itself.

Design. A store or a broker is one server, `redis://host:port/0`, or whichever Sentinels name at the
moment: `redis+sentinel://user:password@host:port,host:port,host:port/SERVICE/0`. All Sentinels are
asked at each connection, and the one with the latest configuration is heard first, since one that
is cut off from the others goes on naming a primary that was replaced. Who is named must say itself
that it is one. Nothing is remembered, so nothing can be out of date.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple
from urllib.parse import parse_qs, quote, unquote, urlsplit

from bree.process.unobserved import redis

SCHEMES = {"redis+sentinel": "redis", "rediss+sentinel": "rediss"}
"""Each with the scheme of the servers that are named."""

PORT = 26379
FORM = (
    "Sentinels are named as redis+sentinel://:password@host:port,host:port/SERVICE, "
    "with the name by which they know the primary"
)
ANSWER_SECONDS = 1.0
"""How long one of them may take to answer."""

_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9_.-]+)(?::([0-9]{1,5}))?")


class Address(NamedTuple):
    """Where one server is."""

    host: str
    port: int

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


class Sentinels(NamedTuple):
    """Who is asked, what for, and how to be let in by them and by whom they name."""

    addresses: tuple[Address, ...]
    service: str
    scheme: str = "redis"
    user: str = ""
    password: str = ""
    database: int = 0
    own_user: str = ""
    own_password: str = ""

    @classmethod
    def of(cls, url: str) -> Sentinels | None:
        """Those that a URL names, if it names any; `ValueError` if that is no sensible URL."""
        parts = urlsplit(url)
        if parts.scheme not in SCHEMES:
            return None
        user, password, hosts = login_of(parts.netloc)
        service, _, database = parts.path.strip("/").partition("/")
        more = parse_qs(parts.query)
        known = more.keys() <= {"sentinel_user", "sentinel_password"}
        if not service or not known or (database and not re.fullmatch("[0-9]{1,4}", database)):
            raise ValueError(FORM)
        return cls(
            addresses_of(hosts, PORT, FORM),
            unquote(service),
            SCHEMES[parts.scheme],
            user,
            password,
            int(database or 0),
            *(more.get(name, [""])[0] for name in ("sentinel_user", "sentinel_password")),
        )

    def __str__(self) -> str:
        return f"{self.service} of {', '.join(map(str, self.addresses))}"

    def server(self, at: Address) -> str:
        """The URL of a server that they have named."""
        return f"{self.scheme}://{_login(self.user, self.password)}{at}/{self.database}"

    def sentinel(self, at: Address) -> str:
        """The URL of one of themselves."""
        return f"{self.scheme}://{_login(self.own_user, self.own_password)}{at}"

    def broker(self) -> tuple[str, dict[str, Any]]:
        """The same for Celery: its URL, and the options of its transport."""
        login = _login(self.user, self.password)
        places = ";".join(f"sentinel://{login}{at}/{self.database}" for at in self.addresses)
        own = {"username": self.own_user, "password": self.own_password}
        tls = {"ssl": True} if self.scheme == "rediss" else {}
        asked: dict[str, Any] = {key: value for key, value in own.items() if value} | tls
        asked |= {"socket_timeout": ANSWER_SECONDS, "socket_connect_timeout": ANSWER_SECONDS}
        return places, {"master_name": self.service, "sentinel_kwargs": asked}


def login_of(place: str) -> tuple[str, str, str]:
    """User, password and the rest of `user:password@host:port,host:port`."""
    login, _, hosts = place.rpartition("@")
    user, _, password = login.partition(":")
    return unquote(user), unquote(password), hosts


def addresses_of(text: str, port: int, form: str) -> tuple[Address, ...]:
    """Where several servers are, `host:port,host`; else `ValueError`, with how it is written."""
    found = [_HOST.fullmatch(one) for one in text.split(",")]
    places = [Address(one[1].strip("[]"), int(one[2] or port)) for one in found if one]
    if len(places) < len(found) or any(one.port > 65_535 for one in places):  # there are no others
        raise ValueError(form)
    return tuple(places)


def _login(user: str, password: str) -> str:
    return f"{quote(user, safe='')}:{quote(password, safe='')}@" if user or password else ""


# What they say.


class Said(NamedTuple):
    """Whom a Sentinel names, and the number of the configuration in which it does."""

    epoch: int
    primary: Address


def commands(service: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What a Sentinel is asked."""
    return ("SENTINEL", "GET-MASTER-ADDR-BY-NAME", service), ("SENTINEL", "MASTER", service)


def said_by(named: Sequence[Any] | None, known: Mapping[Any, Any] | Sequence[Any]) -> Said | None:
    """What its answers mean; nothing if it does not know the service."""
    if not named:
        return None
    flat = known if isinstance(known, Mapping) else dict(zip(known[::2], known[1::2], strict=False))
    return Said(int(flat.get("config-epoch", 0)), Address(str(named[0]), int(named[1])))


def in_order(said: Iterable[Said | None]) -> list[Address]:
    """Whom to believe first: who was named in the latest configuration."""
    known = sorted({one for one in said if one}, reverse=True)
    return list(dict.fromkeys(one.primary for one in known))


class Nobody(redis.ConnectionError):
    """No Sentinel names a server that says that it is a primary."""

    def __init__(self, sentinels: Sentinels) -> None:
        super().__init__(f"there is no primary for {sentinels}")


PASSING = (redis.RedisError, OSError, ValueError)
_BRIEFLY: dict[str, Any] = {
    "socket_timeout": ANSWER_SECONDS,
    "socket_connect_timeout": ANSWER_SECONDS,
    "decode_responses": True,
    "protocol": 2,
}


async def primary(sentinels: Sentinels) -> Address:
    """Where the primary is now; `Nobody` if there is none."""
    said = await asyncio.gather(*(_ask(sentinels, at) for at in sentinels.addresses))
    for named in in_order(said):
        with suppress(*PASSING):
            async with _asked(sentinels.server(named)) as server:
                if (await _execute(server, "ROLE"))[0] == "master":
                    return named
    raise Nobody(sentinels)


async def _ask(sentinels: Sentinels, at: Address) -> Said | None:
    with suppress(*PASSING):
        async with _asked(sentinels.sentinel(at)) as sentinel:
            named, known = commands(sentinels.service)
            return said_by(await _execute(sentinel, *named), await _execute(sentinel, *known))
    return None


async def _execute(server: redis.asyncio.Redis, *command: str) -> Any:
    return await server.execute_command(*command)  # type: ignore[no-untyped-call]  # theirs


def _asked(url: str) -> redis.asyncio.Redis:
    retry = redis.asyncio.retry.Retry(redis.backoff.NoBackoff(), 0)
    return redis.asyncio.Redis.from_url(url, retry=retry, **_BRIEFLY)


def primary_now(sentinels: Sentinels) -> Address:
    """The same for a caller that has no loop."""
    for named in in_order([_ask_now(sentinels, at) for at in sentinels.addresses]):
        with suppress(*PASSING), _asked_now(sentinels.server(named)) as server:
            if server.execute_command("ROLE")[0] == "master":
                return named
    raise Nobody(sentinels)


def _ask_now(sentinels: Sentinels, at: Address) -> Said | None:
    with suppress(*PASSING), _asked_now(sentinels.sentinel(at)) as sentinel:
        named, known = commands(sentinels.service)
        return said_by(sentinel.execute_command(*named), sentinel.execute_command(*known))
    return None


def _asked_now(url: str) -> redis.Redis:
    retry = redis.retry.Retry(redis.backoff.NoBackoff(), 0)
    return redis.Redis.from_url(url, retry=retry, **_BRIEFLY)
