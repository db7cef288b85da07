"""What a match promised while nobody could know its chance: kept here, to be compared at its end.

Design. A platform that cheats would change its commitment, or the nonces, once it knows the game.
So this machine notes what it was told when a match was first seen, and the nonces that it sent.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from cli.online.login import folder
from cli.online.names import is_match
from services.core.record import Record


@dataclass(slots=True)
class Promise:
    """A commitment, and the nonces of the seats that were taken from here."""

    commitment: str
    nonces: dict[str, str] = field(default_factory=dict)

    def broken_by(self, record: Record) -> str:
        """What in a record is not as it was promised; nothing, if all is."""
        if record.fairness.commitment != self.commitment:
            return "its commitment is not the one that was published before"
        sent = zip(record.seats, record.fairness.nonces, strict=True)
        for seat, nonce in sent:
            if self.nonces.get(seat, nonce.hex()) != nonce.hex():
                return f"its nonce of {seat} is not the one that was sent from here"
        return ""


class Promises:
    """One small file for each match."""

    def __init__(self, root: Path | None = None) -> None:
        self.root = root or folder() / "promises"

    def of(self, match: str) -> Promise | None:
        """What was noted of a match, if anything was."""
        try:
            said = json.loads(self._path(match).read_text(encoding="utf-8"))
            return Promise(str(said["commitment"]), dict(said["nonces"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def note(self, match: str, commitment: str, nonces: Mapping[str, bytes] | None = None) -> None:
        """Note what is new; a commitment that was noted before stays."""
        promise = self.of(match) or Promise(commitment)
        promise.nonces |= {seat: nonce.hex() for seat, nonce in (nonces or {}).items()}
        text = json.dumps({"commitment": promise.commitment, "nonces": promise.nonces})
        path = self._path(match)
        # Whoever cannot keep promises can still play; verifying then says that none was noted.
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            beside = path.with_suffix(".new")
            beside.write_text(text + "\n", encoding="utf-8")
            beside.replace(path)

    def _path(self, match: str) -> Path:
        # The name comes from a platform: it must not lead out of the folder.
        return self.root / f"{match if is_match(match) else 'none'}.json"
