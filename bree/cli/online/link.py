"""The connection to a platform: who calls, how long it is waited for, and what went wrong.

Design. A call that is refused becomes one sentence. A platform that is away is waited for, a moment
by commands that answer at once and long by those who play or watch, and the person is told so once.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from bree.cli.online.login import Login, known, nobody
from bree.cli.online.steps import Steps
from bree.cli.talk import Talk
from bree.cli.trouble import Away, Trouble
from bree.client.client import Client
from bree.client.patience import Refused
from bree.gateway.v1 import gateway_pb2 as pb

SHORT = 5.0
LONG = 600.0
"""Seconds that a platform may be away: for a command that answers at once, and for a game."""


class Link:
    """A platform, and the person who talks to it."""

    def __init__(self, login: Login, talk: Talk, patience: float = SHORT) -> None:
        self.login = login
        self.talk = talk
        self._is_away = False
        self._is_open = True
        self._is_named = False
        self._steps: list[Steps] = []
        self.client = Client(
            login.gateway,
            login.token,
            authority=_authority(login),
            patience=patience,
            tell=self._tell,
        )

    @property
    def name(self) -> str:
        """The name of the account; it may be another one than when somebody logged in here."""
        if not self._is_named:
            self.login = replace(self.login, name=self.client.account().name)
            self._is_named = True
        return self.login.name

    def seats_of(self, match: pb.Match) -> list[str]:
        """Where this account sits."""
        return [seat.seat for seat in match.seats if seat.account == self.name]

    def steps(self, match: str, seat: str) -> Steps:
        """What happens in a match, read from now on until the link is closed."""
        self._steps.append(Steps(self.client.watch(match, seat)))
        return self._steps[-1]

    def close(self) -> None:
        """End all calls, and wait for those who read."""
        self._is_open = False
        self.client.close()
        for steps in self._steps:
            steps.end()

    def _tell(self, refused: Refused | None) -> None:
        """Say once that the platform is away, and once that it is back."""
        is_away = refused is not None
        silent = self.talk.is_asking or not self.talk.console.is_terminal or not self._is_open
        if silent or is_away == self._is_away:
            return
        self._is_away = is_away
        gateway, seconds = self.login.gateway, self.client.patience
        if is_away:
            words = f"{gateway} does not answer; trying again for {seconds:g} s."
            self.talk.say(words, "yellow")
        else:
            self.talk.say(f"{gateway} answers again.", "green")


@contextmanager
def linked(talk: Talk, patience: float | None = None) -> Iterator[Link]:
    """The platform on which this person has an account."""
    login = known()
    if login is None:
        raise Trouble("you have no account on a platform yet: bree login --at HOST:PORT")
    with opened(login, talk, patience) as link:
        yield link


@contextmanager
def looked_at(talk: Talk, at: str | None = None) -> Iterator[Link]:
    """A platform of which one needs no account."""
    login = None if at else known()
    with opened(login or nobody(at), talk) as link:
        yield link


@contextmanager
def opened(login: Login, talk: Talk, patience: float | None = None) -> Iterator[Link]:
    """A connection; whatever is refused over it is `Trouble`."""
    link = Link(login, talk, SHORT if patience is None else patience)
    try:
        yield link
    except Refused as refused:
        raise trouble(refused, login) from refused
    finally:
        link.close()


def trouble(refused: Refused, login: Login) -> Trouble:
    """A refusal as a sentence that says what to do."""
    said = "".join(c if c.isprintable() else " " for c in refused.message)
    if refused.is_passing:
        return Away(_away(refused, login, said))
    if refused.reason == "UNAUTHENTICATED" and login.token:
        return Trouble(f"{login.gateway} does not take your token; bree login makes a new account")
    if refused.reason == "UNAUTHENTICATED":
        return Trouble("this needs an account: bree login")
    if refused.reason == "BUG":
        incident = refused.metadata.get("incident", "unknown")
        return Trouble(f"this is a bug in Bree; its log tells more under incident {incident}")
    return Trouble(said if refused.reason else f"{login.gateway} is no gateway of Bree: {said}")


def _away(refused: Refused, login: Login, said: str) -> str:
    if refused.reason == "RATE_LIMITED":
        return f"{login.gateway} asks for patience: {said}"
    if refused.reason:
        return f"{login.gateway} cannot do this now: {said}"
    return f"{login.gateway} does not answer; perhaps no platform runs there"


def _authority(login: Login) -> Path | None:
    if not login.authority:
        return None
    path = Path(login.authority)
    if not path.is_file():
        raise Trouble(f"{path}, which proves who the gateway is, is not there")
    return path
