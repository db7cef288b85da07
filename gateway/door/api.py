"""The methods as an OpenAPI document, at /openapi.json: for tools that make clients of it.

Design. `make derived` writes it from protos/; here it is read once and sent as it is. It is the
same for everyone, so nobody needs an account for it, and it is asked for again by its tag.
"""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path

from gateway.door import shields
from gateway.door.files import ALLOW, TEXT
from gateway.door.message import Pairs, Reply, Request, accepts

ADDRESS = "/openapi.json"
FILE = Path(__file__).with_name("openapi.json")
JSON = shields.DOCUMENT.with_more(
    ("content-type", "application/json"),
    ("cache-control", "public, max-age=3600"),
    ("vary", "accept-encoding"),
)


class Api:
    """Answers those who want the document."""

    def __init__(self, file: Path = FILE) -> None:
        self.body = file.read_bytes()
        self.packed = gzip.compress(self.body, 9, mtime=0)
        self.tag = f'W/"{hashlib.sha256(self.body).hexdigest()[:20]}"'

    def has(self, path: str) -> bool:
        """Whether a request is for it."""
        return path.partition("?")[0] == ADDRESS

    async def answer(self, request: Request, reply: Reply, more: Pairs) -> None:
        """Give it."""
        if request.method not in {"GET", "HEAD"}:
            await reply.whole(405, TEXT, b"this can only be read\n", ALLOW + more)
            return
        more += ((b"etag", self.tag.encode()),)
        if self.tag in [tag.strip() for tag in request.header("if-none-match").split(",")]:
            await reply.whole(304, JSON, more=more)
        elif accepts(request.header("accept-encoding"), "gzip"):
            await reply.whole(200, JSON, self.packed, (*more, (b"content-encoding", b"gzip")))
        else:
            await reply.whole(200, JSON, self.body, more)
