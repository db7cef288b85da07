"""`bree login`, `logout` and `token`: becoming somebody on a platform, and ceasing to be.

Design. A token and a code are typed unseen or piped in, and never an argument, which others could
read. Who comes in by a code has a session, which is a token like the account's own.
"""

from __future__ import annotations

import getpass
import platform
from dataclasses import dataclass, replace
from pathlib import Path

from bree.cli.online.link import Link, linked, opened
from bree.cli.online.login import Login, LoginFile, address, from_environment, nobody
from bree.cli.online.sure import make_sure
from bree.cli.talk import Talk
from bree.cli.trouble import Trouble
from bree.client.patience import Refused
from bree.gateway.v1 import gateway_pb2 as pb

LOGIN_CODE = 8
"""How long a login code is; a longer one is a recovery code."""

LONGEST = 60
"""How long what a device is called may be."""

_LOST = "Without its token or a recovery code nobody can ever use the account again, you included."
_GONE = "No token and no code brings it back."


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the command line says about who to be."""

    at: str | None
    name: str | None
    token: bool
    code: bool
    authority: Path | None


def login(talk: Talk, wanted: Wanted) -> int:
    """Make an account, or take up one whose token is known; or say who one is already."""
    if from_environment():
        raise Trouble("BREE_TOKEN says who you are: unset it to log in")
    if wanted.token and wanted.code:
        raise Trouble("--token and --code exclude each other")
    if (wanted.token or wanted.code) and wanted.name:
        option = "--token" if wanted.token else "--code"
        raise Trouble(f"{option} takes up an account that has its name: leave --name away")
    file = LoginFile()
    known = file.read()
    if known and (name := _stands(talk, known)):
        if name != known.name:
            file.save(known := replace(known, name=name))
        return _already(talk, known, wanted)
    file.prepare()
    fresh = nobody(wanted.at, wanted.authority)
    fresh = replace(fresh, token=_secret(talk, "token")) if wanted.token else fresh
    code = _secret(talk, "code") if wanted.code else ""
    with opened(fresh, talk) as link, talk.busy(f"Calling {fresh.gateway}."):
        account = _become(link, wanted.name or "", code)
        file.save(replace(fresh, token=link.client.token, name=account.name))
    talk.say(f"You are {account.name} on {fresh.gateway}.", "bold green")
    talk.say(f"The token that proves it is in {file.path}; keep it to yourself.")
    return 0


def _become(link: Link, name: str, code: str) -> pb.Account:
    """The account that a token or a code proves, or a new one."""
    if code:
        is_short = sum(letter.isalnum() for letter in code) <= LOGIN_CODE
        kind = "code" if is_short else "recovery_code"
        try:
            return link.client.begin(**{kind: code}, device=f"bree on {platform.node()}"[:LONGEST])
        except Refused as refused:
            if refused.reason != "UNAUTHENTICATED":
                raise
            raise Trouble(refused.message) from None  # it is the code that is worth nothing
    return link.client.account() if link.client.token else link.client.register(name)


def _stands(talk: Talk, known: Login) -> str:
    """The name of a login that is kept, if it is still worth something."""
    with opened(known, talk) as link:
        try:
            return link.client.account().name
        except Refused as refused:
            if refused.reason != "UNAUTHENTICATED":
                raise
            words = f"{known.gateway} no longer takes the token of {known.name}; it is replaced."
            talk.say(words, "yellow")
            return ""


def _already(talk: Talk, known: Login, wanted: Wanted) -> int:
    other = (wanted.at and address(wanted.at) != known.gateway) or (
        wanted.name and wanted.name != known.name
    )
    if other or wanted.token or wanted.code:
        raise Trouble(
            f"you are {known.name} on {known.gateway}: bree logout first, "
            "or set BREE_LOGIN to another file"
        )
    talk.say(f"You are {known.name} on {known.gateway}.", "bold green")
    return 0


def _secret(talk: Talk, what: str) -> str:
    """A token or a code, typed unseen or piped in."""
    said = getpass.getpass(f"{what.capitalize()}: ") if talk.is_live else talk.read_quietly()
    if not said.strip():
        raise Trouble(f"no {what} was given")
    return said.strip()


def logout(talk: Talk, *, sure: bool) -> int:
    """Forget the login."""
    file = LoginFile()
    known = file.read()
    if known is None:
        raise Trouble("you are not logged in")
    make_sure(talk, f"{known.name} on {known.gateway} is forgotten here. {_LOST}", sure=sure)
    file.forget()
    talk.say(f"You are no longer {known.name}.")
    return 0


def show_token() -> int:
    """Print the token, to take it elsewhere."""
    login = from_environment() or LoginFile().read()
    if login is None:
        raise Trouble("you are not logged in")
    print(login.token)
    return 0


def rotate(talk: Talk) -> int:
    """Get another token, after which the old one is worth nothing."""
    file = _own_file()
    file.prepare()
    with linked(talk) as link, talk.busy("Waiting until every gateway knows."):
        link.client.rotate_token()
        file.save(replace(file.read() or link.login, token=link.client.token))
    talk.say("Your token is a new one; the old one is worth nothing.")
    return 0


def revoke(talk: Talk, *, sure: bool) -> int:
    """Give the account up for ever."""
    file = _own_file()
    with linked(talk) as link:
        make_sure(talk, f"The account {link.name} is given up for ever. {_GONE}", sure=sure)
        _revoke(link)
    file.forget()
    talk.say("The account is given up. Its matches and ratings stay under its name.")
    return 0


def _revoke(link: Link) -> None:
    with link.talk.busy("Waiting until every gateway knows."):
        link.client.revoke_token()


def _own_file() -> LoginFile:
    if from_environment():
        raise Trouble("BREE_TOKEN says who you are, and bree cannot change it there")
    return LoginFile()
