"""Files of records: read with care, written so that a torn one is never left behind."""

from __future__ import annotations

import os
import shlex
from contextlib import suppress
from datetime import date
from itertools import count
from pathlib import Path
from typing import Any

from bree.cli.trouble import Trouble
from services import rules_of
from services.core.contract import Rules
from services.core.errors import Invalid
from services.core.reading import parse_record
from services.core.record import LARGEST, Record

_BYTES_A_CHARACTER = 4  # at most, in UTF-8


def read_record(path: Path) -> tuple[Record, Rules[Any]]:
    """The record in a file, and the rules of its game."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST * _BYTES_A_CHARACTER + 1)
    except OSError as e:
        raise Trouble(f"{path} cannot be read: {_why(e)}") from e
    try:
        record = parse_record(data.decode())
        return record, rules_of(record.game)
    except UnicodeDecodeError as e:
        raise Trouble(f"{path} is no record: it is not text in UTF-8") from e
    except Invalid as e:
        raise Trouble(f"{path} is no record that can be read: {e}") from e


def fresh_path(game: str, today: date) -> Path:
    """A name in the current folder that no file has yet."""
    stem = f"{game}-{today.isoformat()}"
    names = (Path(f"{stem}.record" if n == 1 else f"{stem}-{n}.record") for n in count(1))
    return next(path for path in names if not path.exists())


class RecordFile:
    """The file in which one game is kept, always whole: it is replaced, never written over."""

    def __init__(self, path: Path, *, fresh: bool) -> None:
        """Claim a fresh path, which must not exist; or go on with a record that is there."""
        self.path = path.resolve()
        self.is_fresh = fresh
        if fresh:
            try:
                self.path.touch(exist_ok=False)
            except FileExistsError as e:
                raise Trouble(f"{path} is there already") from e
            except OSError as e:
                raise Trouble(f"{path} cannot be written: {_why(e)}") from e

    def __str__(self) -> str:
        """The path as it can be pasted into a shell, short where it is in the current folder."""
        here = Path.cwd()
        inside = self.path.is_relative_to(here)
        return shlex.quote(str(self.path.relative_to(here) if inside else self.path))

    def save(self, record: Record) -> None:
        """Replace what is in the file."""
        self.write(record.text())

    def write(self, text: str) -> None:
        """Replace what is in the file by the text of a record."""
        beside = self.path.with_name(f".{self.path.name}.new")
        try:
            with beside.open("w", encoding="utf-8", newline="\n") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(self.path)
        except OSError as e:
            with suppress(OSError):
                beside.unlink(missing_ok=True)
            raise Trouble(f"{self.path} cannot be written: {_why(e)}") from e

    def discard(self) -> None:
        """Remove the file, unless it was there before: nothing was played."""
        if self.is_fresh:
            self.path.unlink(missing_ok=True)


def _why(e: OSError) -> str:
    return (e.strerror or str(e)).lower()
