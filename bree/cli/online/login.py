"""Who the person at the terminal is on which platform, kept between commands.

Design. The token is all there is to prove an account, so the file is made for its owner's eyes
alone and replaced whole. What the environment says goes before it: programs need no file.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from bree.cli.trouble import Trouble

GATEWAY = "127.0.0.1:7000"
PORT = 7000
_ADDRESS = re.compile(r"(?:[\w.-]+|\[[0-9a-fA-F:.]+\])(?::([0-9]{1,5}))?", re.ASCII)
_OTHERS = 0o077


@dataclass(frozen=True, slots=True)
class Login:
    """An account on a platform; without a token, nobody yet."""

    gateway: str
    token: str = ""
    name: str = ""
    authority: str = ""  # a PEM file; empty: no TLS


def address(text: str) -> str:
    """An address as it was typed, its port filled in; `Trouble` if it is none."""
    found = _ADDRESS.fullmatch(text)
    if not found or int(found[1] or PORT) > 65535:
        raise Trouble(f"an address is a host and a port, such as {GATEWAY}, not {text!r}")
    return text if found[1] else f"{text}:{PORT}"


def folder(env: Mapping[str, str] = os.environ) -> Path:
    """Where this person's things are kept."""
    base = env.get("XDG_CONFIG_HOME", "")
    # A relative path there is to be ignored, says the convention that the variable comes from.
    root = Path(base) if Path(base).is_absolute() else Path.home() / ".config"
    return root / "bree"


def login_path(env: Mapping[str, str] = os.environ) -> Path:
    """The file of the login: what BREE_LOGIN names, or the usual one."""
    return Path(env["BREE_LOGIN"]) if env.get("BREE_LOGIN") else folder(env) / "login.json"


def from_environment(env: Mapping[str, str] = os.environ) -> Login | None:
    """The login that the environment gives, for programs."""
    token = env.get("BREE_TOKEN", "")
    if not token:
        return None
    gateway = address(env.get("BREE_GATEWAY") or GATEWAY)
    return Login(gateway, token, authority=env.get("BREE_AUTHORITY", ""))


def known(env: Mapping[str, str] = os.environ) -> Login | None:
    """Who one is, by the environment or else by the file; where, the environment says first."""
    login = from_environment(env) or LoginFile(login_path(env)).read()
    if login is None:
        return None
    gateway = address(env["BREE_GATEWAY"]) if env.get("BREE_GATEWAY") else login.gateway
    return replace(login, gateway=gateway, authority=env.get("BREE_AUTHORITY") or login.authority)


def nobody(
    at: str | None = None, authority: Path | None = None, env: Mapping[str, str] = os.environ
) -> Login:
    """Nobody yet, on the platform that was named here, or else by the environment."""
    gateway = address(at or env.get("BREE_GATEWAY") or GATEWAY)
    proof = str(authority.resolve()) if authority else env.get("BREE_AUTHORITY", "")
    return Login(gateway, authority=proof)


class LoginFile:
    """The file in which a login is kept."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or login_path()

    def read(self) -> Login | None:
        """The login that is kept, or none."""
        try:
            if self.path.stat().st_mode & _OTHERS:
                raise Trouble(f"others can read {self.path}; run: chmod 600 {self.path}")
            said = json.loads(self.path.read_text(encoding="utf-8"))
            return Login(**{key: str(said[key]) for key in Login.__slots__})
        except FileNotFoundError:
            return None
        except OSError as e:
            raise Trouble(f"{self.path} cannot be read: {_why(e)}") from e
        except (ValueError, KeyError, TypeError) as e:
            raise Trouble(f"{self.path} holds no login; put its backup there, or remove it") from e

    def prepare(self) -> None:
        """See that a login can be kept, before there is one that could be lost."""
        self._write("")
        with suppress(OSError):
            self._beside.unlink()

    def save(self, login: Login) -> None:
        """Keep a login, in the place of what was kept."""
        self._write(json.dumps(asdict(login), indent=1) + "\n")
        try:
            self._beside.replace(self.path)
        except OSError as e:
            raise Trouble(f"{self.path} cannot be written: {_why(e)}") from e

    def forget(self) -> None:
        """Remove the file."""
        try:
            self.path.unlink(missing_ok=True)
        except OSError as e:
            raise Trouble(f"{self.path} cannot be removed: {_why(e)}") from e

    @property
    def _beside(self) -> Path:
        return self.path.with_name(f".{self.path.name}.{os.getpid()}")

    def _write(self, text: str) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._beside.unlink(missing_ok=True)
            how = os.O_WRONLY | os.O_CREAT | os.O_EXCL
            with os.fdopen(os.open(self._beside, how, 0o600), "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
        except OSError as e:
            raise Trouble(f"{self.path} cannot be written: {_why(e)}") from e


def _why(e: OSError) -> str:
    return (e.strerror or str(e)).lower()
