"""A tar archive packed by gzip, made a file at a time and never held as a whole."""

from __future__ import annotations

import tarfile
import zlib

GZIP = 16 + zlib.MAX_WBITS
LEVEL = 6


class Tarball:
    """Files go in, pieces of the archive come out."""

    def __init__(self, made_s: int) -> None:
        self._made_s = made_s
        self._packer = zlib.compressobj(LEVEL, zlib.DEFLATED, GZIP)

    def add(self, name: str, data: bytes) -> bytes:
        """What comes next in the archive, once it has this file."""
        info = tarfile.TarInfo(name)
        info.size, info.mtime, info.mode = len(data), self._made_s, 0o600
        padding = bytes(-len(data) % tarfile.BLOCKSIZE)
        return self._packer.compress(info.tobuf(tarfile.PAX_FORMAT) + data + padding)

    def end(self) -> bytes:
        """The last of it."""
        return self._packer.compress(bytes(2 * tarfile.BLOCKSIZE)) + self._packer.flush()
