"""The file of a backup: a ZIP of parts, of which the last says what the others must be.

Design. Parts are written one after the other, counted and hashed on the way, so that nothing need
fit into memory. The manifest comes last: what was cut off has none. The file gets its name when all
of it is on the disk, and nobody but its owner may read it: it has what tokens are checked by.
"""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, NamedTuple, Self

FORMAT = 1
MANIFEST = "manifest.json"
CHUNK = 1 << 20

NOT_ONE = "it is no backup of Bree, or one that was cut off"


class Broken(Exception):
    """A file that is no backup, or not what was written; in a sentence."""


class Part(NamedTuple):
    """What a part must be."""

    name: str
    rows: int
    size: int
    digest: str


class PartWriter:
    """A part that is being written."""

    def __init__(self, to: IO[bytes]) -> None:
        self.rows = self.size = 0
        self.hash = hashlib.sha256()
        self._to = to

    def write(self, data: bytes) -> None:
        """Add bytes."""
        self._to.write(data)
        self.size += len(data)
        self.hash.update(data)

    def add(self, row: Any) -> None:
        """Add a row: one line of JSON."""
        self.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
        self.rows += 1


class Writer:
    """A backup that is being written."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.parts: list[Part] = []
        self._fresh = path.with_name(f".{path.name}.{os.getpid()}")
        self._file = os.fdopen(
            os.open(self._fresh, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "w+b"
        )
        self._zip = zipfile.ZipFile(self._file, "w", zipfile.ZIP_DEFLATED)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError, ValueError):  # what was given up may end anywhere
            self._zip.close()
        self._file.close()
        self._fresh.unlink(missing_ok=True)

    @contextmanager
    def part(self, name: str) -> Iterator[PartWriter]:
        """Write one part."""
        with self._zip.open(name, "w", force_zip64=True) as to:
            writer = PartWriter(to)
            yield writer
        self.parts.append(Part(name, writer.rows, writer.size, writer.hash.hexdigest()))

    def finish(self, said: Mapping[str, Any]) -> None:
        """Say what there is, and give the file its name."""
        manifest = {"format": FORMAT, **said, "parts": self.parts}
        self._zip.writestr(MANIFEST, json.dumps(manifest, indent=1))
        self._zip.close()
        self._file.flush()
        os.fsync(self._file.fileno())
        self._fresh.replace(self.path)


class Reader:
    """A backup that was written."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._zip = zipfile.ZipFile(path)
            said = json.loads(self._zip.read(MANIFEST))
            self.said: dict[str, Any] = said
            form = said["format"]
            self.parts = {part[0]: Part(*part) for part in said["parts"]}
        except OSError as error:
            raise Broken(f"{path} cannot be read: {error.strerror or error}") from None
        except (zipfile.BadZipFile, KeyError, ValueError, TypeError):
            raise Broken(f"{path}: {NOT_ONE}") from None
        if form != FORMAT:
            raise Broken(f"{path} has form {form}, and this version of Bree reads form {FORMAT}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    def open(self, name: str) -> IO[bytes]:
        """A part, to be read."""
        return self._zip.open(name)

    def rows(self, name: str) -> Iterator[Any]:
        """The rows of a part that has some."""
        if name in self.parts:
            with self.open(name) as lines:
                yield from map(json.loads, lines)

    def named(self, kind: str) -> Sequence[str]:
        """The parts of a kind."""
        return [name for name in self.parts if name.startswith(kind + "/")]

    def check(self) -> None:
        """Raise `Broken` if a part is not what was written."""
        for part in self.parts.values():
            try:
                found = self._digest(part.name)
            except (zipfile.BadZipFile, OSError, EOFError, KeyError, ValueError):
                found = ""
            if found != part.digest:
                raise Broken(f"{self.path}: {part.name} is not what was written")

    def _digest(self, name: str) -> str:
        hashed = hashlib.sha256()
        with self.open(name) as source:
            while chunk := source.read(CHUNK):
                hashed.update(chunk)
        return hashed.hexdigest()
