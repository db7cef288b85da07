"""Records of matches that are over, at addresses of their own: `/m/MATCH/record.txt`."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection
from urllib.parse import unquote

from typing_extensions import override

from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.statuses import Denied
from gateway import fields
from gateway.documents import Account
from gateway.door import shields
from gateway.door.callers import Callers
from gateway.door.looks import Given, Looks
from gateway.methods import Access, Method
from gateway.play import Play
from gateway.refusals import invalid

ADDRESS = re.compile(r"/m/([^/]+)/record\.txt")
PRICE = 2


def methods(play: Play) -> tuple[Method, ...]:
    """These records as methods, so that callers are let in as they are to others."""
    asked = pb.GetMatchRecordRequest
    return (Method(Records.path, asked, Access.LOOKER, play.record, streams=False, price=PRICE),)


class Records(Looks):
    """Answers those who want records."""

    path = "/bree.gateway.v1.Records/GetRecord"
    headers = shields.DOCUMENT
    keep = b"no-cache"

    def __init__(self, play: Play, callers: Callers) -> None:
        super().__init__(callers)
        self.play = play

    @override
    def has(self, path: str) -> bool:
        return ADDRESS.fullmatch(path.partition("?")[0]) is not None

    @override
    def check(self, path: str) -> None:
        _match(path)

    @override
    async def given(self, account: Account, path: str, has: Collection[str]) -> Given:
        match = _match(path)
        said = await self.play.record(account, pb.GetMatchRecordRequest(match=match))
        if not said.text:
            why = "this match goes on: its record is told when it is over"
            raise Denied("NOT_ALLOWED", why, needs="a match that is over", match=match)
        body = said.text.encode()
        tag = hashlib.sha256(body).hexdigest()[:20]
        name = f"{match}.record"
        return Given(b"text/plain; charset=utf-8", name, tag, b"" if tag in has else body)


def _match(path: str) -> str:
    place, _, query = path.partition("?")
    found = ADDRESS.fullmatch(place)
    assert found is not None, "this is no record"
    if query:
        raise invalid("", "a record has nothing behind a question mark")
    return fields.match_id(unquote(found[1]))
