"""The page's files, out of memory.

Design. They are read when the gateway starts, and again when a new index.html lies there: so no
path that somebody asks for ever reaches the disk. Names under assets/ hold a hash of what is in
them, and are kept by browsers for ever; all else is asked for again each time, by its tag.
"""

from __future__ import annotations

import hashlib
import mimetypes
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

from gateway.door import shields
from gateway.door.message import NOTHING, Headers, Pairs, Reply, Request, accepts

PAGE = Path(__file__).resolve().parents[1] / "page"
"""Where the page is built to."""

INDEX, ASSETS = "index.html", "assets/"
CODINGS = {"br": ".br", "gzip": ".gz"}
"""How a file may be compressed beforehand, the smallest first, and what its name then ends with."""

KINDS = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".webp": "image/webp",
    ".avif": "image/avif",
    ".woff2": "font/woff2",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".txt": "text/plain; charset=utf-8",
    ".ogg": "audio/ogg",
    ".mp3": "audio/mpeg",
}
"""Types that do not depend on what the machine knows."""

SHIELDS = {
    **dict.fromkeys((".js", ".mjs"), shields.SCRIPT),
    **dict.fromkeys((".css", ".woff2", ".wasm", ".png", ".webp", ".avif"), shields.PART),
}
"""By the ending of a name; whatever else there is may be shown as a page."""

FOR_EVER, EACH_TIME = "public, max-age=31536000, immutable", "no-cache"

NOT_BUILT = (
    b"<!doctype html><meta charset=utf-8><title>Bree</title>"
    b"<p>The page is not built yet: <code>make page</code> in Bree's folder builds it, "
    b"and it is here when you load this again.</p>\n"
)
NOT_FOUND = b"there is no such file\n"
TEXT = shields.DATA.with_more(("content-type", "text/plain; charset=utf-8"))
ALLOW: Pairs = ((b"allow", b"GET, HEAD"),)


@dataclass(slots=True)
class Variant:
    """A file as it is sent: plain, or compressed."""

    body: bytes
    tag: str
    headers: Headers


@dataclass(slots=True)
class File:
    """A file, by the coding that it is compressed with; the plain one by nothing."""

    variants: dict[str, Variant] = field(default_factory=dict)

    def best(self, accepted: str) -> Variant:
        """The smallest that a browser accepts."""
        for coding in CODINGS:
            if coding in self.variants and accepts(accepted, coding):
                return self.variants[coding]
        return self.variants[""]


class Files:
    """Everything in a folder."""

    def __init__(self, folder: Path = PAGE) -> None:
        self.folder = folder
        self._files: dict[str, File] = {}
        self._built = 0  # when, as its index.html says
        self.look()

    def look(self) -> None:
        """Read the folder, if it is another page than before."""
        try:
            built = (self.folder / INDEX).stat().st_mtime_ns
        except OSError:
            built = 0
        if built != self._built:
            self._built = built
            self._files = dict(_read(self.folder)) if built else {}

    async def answer(self, request: Request, reply: Reply, more: Pairs = NOTHING) -> None:
        """Give a file; any path that is none is a place within the page, if it looks so."""
        if request.method not in {"GET", "HEAD"}:
            await reply.whole(405, TEXT, b"this can only be read\n", ALLOW + more)
            return
        path = unquote(request.path.partition("?")[0]).lstrip("/")
        file = self._files.get(path)
        if file is None and not path.startswith(ASSETS) and _is_place(path, request):
            path = INDEX
        if path == INDEX:
            self.look()
            file = self._files.get(path)
        if file is not None:
            await _give(file, request, reply, more)
        elif path == INDEX:
            await reply.whole(200, _headers(INDEX, EACH_TIME), NOT_BUILT, more)
        else:
            await reply.whole(404, TEXT, NOT_FOUND, more)


def _is_place(path: str, request: Request) -> bool:
    """Whether somebody goes to a place within the page: no file, or what a person has typed."""
    return "." not in path or "text/html" in request.header("accept")


async def _give(file: File, request: Request, reply: Reply, more: Pairs) -> None:
    found = file.best(request.header("accept-encoding"))
    if _has(request.header("if-none-match"), found.tag):
        await reply.whole(304, found.headers, more=more)
    else:
        await reply.whole(200, found.headers, found.body, more)


def _has(said: str, tag: str) -> bool:
    """Whether a browser has this already; what proxies compress they call weak."""
    tags = {one.strip().removeprefix("W/") for one in said.split(",")}
    return tag in tags or "*" in tags


def _read(folder: Path) -> Iterator[tuple[str, File]]:
    endings = tuple(CODINGS.values())
    for path in sorted(folder.rglob("*")):
        is_inside = path.resolve().is_relative_to(folder.resolve())
        if path.is_file() and is_inside and not path.name.endswith(endings):
            name = path.relative_to(folder).as_posix()
            yield name, _file(path, name)


def _file(path: Path, name: str) -> File:
    keep = FOR_EVER if name.startswith(ASSETS) else EACH_TIME
    file = File()
    for coding, ending in {"": "", **CODINGS}.items():
        there = path.with_name(path.name + ending)
        if not there.is_file() or there.stat().st_mtime_ns < path.stat().st_mtime_ns:
            continue  # there is none, or it is of an older file
        body = there.read_bytes()
        tag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
        headers = _headers(name, keep).with_more(("etag", tag), ("vary", "accept-encoding"))
        if coding:
            headers = headers.with_more(("content-encoding", coding))
        file.variants[coding] = Variant(body, tag, headers)
    return file


def _headers(name: str, keep: str) -> Headers:
    ending = Path(name).suffix
    kind = KINDS.get(ending) or mimetypes.guess_type(name)[0]
    return SHIELDS.get(ending, shields.PAGE).with_more(
        ("content-type", kind or "application/octet-stream"), ("cache-control", keep)
    )
