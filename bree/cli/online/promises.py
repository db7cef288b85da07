"""What a match promised and told while nobody could know its chance, to be compared at its end.

Design. A platform that cheats would change its commitment, or the nonces, once it knows the game,
or a line of what it has acknowledged. So this machine notes what it was told when a match was first
seen, the nonces that it sent, and heads of the history that it played or watched. A head binds all
before it, so a few of them, spread over the match, are kept; what was noted first stays.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from bree.cli.online.login import folder
from bree.cli.online.names import is_match
from bree.cli.trouble import Trouble
from bree.engine.v1.engine_pb2 import Standing
from services.core.reading import HEAD
from services.core.record import Record

T = TypeVar("T")

MOST_HEADS = 64
_LOST = ".lost"
_LARGEST = 1 << 16  # bytes
_REVISION = re.compile(r"0|[1-9][0-9]{0,8}")


@dataclass(slots=True)
class Promise:
    """A commitment, the nonces of the seats that were taken from here, and heads by revision.

    Some heads were told before the platform said that it had lost moves: those may be of these.
    """

    commitment: str
    nonces: dict[str, str] = field(default_factory=dict)
    heads: dict[int, str] = field(default_factory=dict)
    unsure: dict[int, str] = field(default_factory=dict)

    def lost(self, record: Record) -> int:
        """How many heads were told here of what the platform has said to be lost."""
        heads = set(record.heads())
        return sum(head not in heads for head in self.unsure.values())

    def broken_by(self, record: Record) -> str:
        """What in a record is not as it was promised or told; nothing, if all is."""
        if self.commitment not in ("", record.fairness.commitment):
            return "its commitment is not the one that was published before"
        used = dict(zip(record.seats, record.fairness.nonces, strict=True))
        for seat, nonce in self.nonces.items():
            if seat not in used or used[seat].hex() != nonce:
                return f"its nonce of {seat} is not the one that was sent from here"
        return self._otherwise_told(record)

    def _otherwise_told(self, record: Record) -> str:
        if self.heads and record.form == 1:
            return "it is of form 1, and cannot have had the heads that were told here"
        last, heads = len(record.entries), list(record.heads())
        for revision, head in sorted(self.heads.items()):
            if revision > last:
                return f"the head of entry {revision} was told here, but it has no more than {last}"
            # With the last entry of a match that is over, the end is told.
            if head not in (heads[last:] if revision == last else heads[revision : revision + 1]):
                return f"up to entry {revision} it is not the history whose head was told here"
        return ""


class Promises:
    """A few small files for each match: what it promised, and heads that it told."""

    def __init__(self, root: Path | None = None) -> None:
        self.root = root or folder() / "promises"

    def of(self, match: str) -> Promise | None:
        """What was noted of a match, if anything was; `Trouble` if it cannot be read any more."""
        said, heads = _read(self._path(match), _promise), self._heads(match)
        unsure = self._heads(match, _LOST)
        if said is None and not heads and not unsure:
            return None
        commitment, nonces = said or ("", {})
        return Promise(commitment, nonces, heads, unsure)

    def note(self, match: str, commitment: str, nonces: Mapping[str, bytes] | None = None) -> None:
        """Note what is new; a commitment that was noted before stays."""
        # Whoever cannot keep promises can still play; verifying then says so.
        with suppress(OSError, Trouble):
            first, sent = _read(self._path(match), _promise) or (commitment, {})
            sent |= {seat: nonce.hex() for seat, nonce in (nonces or {}).items()}
            _write(self._path(match), {"commitment": first, "nonces": sent})

    def note_head(self, match: str, standing: Standing) -> None:
        """Note where the history of a match stands; a head that was noted before stays."""
        # Heads come while others note nonces: in a file of their own they are in nobody's way.
        with suppress(OSError, Trouble):
            heads, told = self._heads(match), {str(standing.revision): standing.head}
            if _is_told(told) and standing.revision not in heads:
                self._keep(match, {**heads, standing.revision: standing.head})

    def doubt_heads(self, match: str) -> None:
        """The platform says that it has lost moves: heads told so far may be of what is lost."""
        with suppress(OSError, Trouble):
            self._keep(match, self._heads(match, _LOST) | self._heads(match), _LOST)
            self._keep(match, {})

    def _keep(self, match: str, heads: Mapping[int, str], kind: str = ".heads") -> None:
        _write(self._path(match, kind), {str(n): head for n, head in _spread(heads).items()})

    def _heads(self, match: str, kind: str = ".heads") -> dict[int, str]:
        return _read(self._path(match, kind), _told) or {}

    def _path(self, match: str, kind: str = "") -> Path:
        # The name comes from a platform: it must not lead out of the folder.
        return self.root / f"{match if is_match(match) else 'none'}{kind}.json"


def _read(path: Path, parse: Callable[[Any], T]) -> T | None:
    """What a file holds; nothing without one, and `Trouble` if it holds something else."""
    try:
        with path.open("rb") as file:
            return parse(json.loads(file.read(_LARGEST).decode()))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as e:
        said = "where what this match promised and told was kept, cannot be read"
        raise Trouble(f"{path}, {said}; remove it to verify without") from e


def _write(path: Path, said: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    beside = path.with_name(f"{path.name}.{os.getpid()}.new")
    beside.write_text(json.dumps(said) + "\n", encoding="utf-8")
    beside.replace(path)


def _promise(said: Any) -> tuple[str, dict[str, str]]:
    """A commitment, and nonces by seat."""
    match said:
        case {"commitment": str(commitment), "nonces": nonces}:
            return commitment, _texts(nonces)
    raise ValueError("there is no commitment, or there are no nonces")


def _told(said: Any) -> dict[int, str]:
    """Heads by revision."""
    heads = _texts(said)
    if not _is_told(heads):
        raise ValueError("there is a head that is none")
    return {int(revision): head for revision, head in heads.items()}


def _is_told(heads: Mapping[str, str]) -> bool:
    """Whether these can be heads, by revision."""
    return all(_REVISION.fullmatch(n) and HEAD.fullmatch(head) for n, head in heads.items())


def _texts(said: Any) -> dict[str, str]:
    """An object whose values are texts."""
    if not isinstance(said, dict) or not all(isinstance(text, str) for text in said.values()):
        raise ValueError("there is something else than text")
    return said


def _spread(heads: Mapping[int, str]) -> dict[int, str]:
    """No more heads than are kept: if there are too many, every other goes, but not the latest."""
    revisions = sorted(heads)
    if len(revisions) > MOST_HEADS:
        revisions = revisions[-1::-2]
    return {revision: heads[revision] for revision in revisions}
