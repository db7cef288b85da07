"""All that is kept of somebody, as one file that is made while it is read.

Design. The file is a tar archive packed by gzip: people can open it, programs can read it, and it
can be made a file at a time, so no more of it is in memory than one match and a piece to be sent.
Each match is in it once: those of the live store come first, from the ledger where it has them
already, and then those that were over when the account was looked up. The token is looked at again
now and then, so nobody reads on whom the owner has shut out.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from datetime import UTC, datetime
from typing import Any

from google.protobuf.json_format import MessageToDict

from bree.gateway.v1 import personal_pb2 as pb
from gateway import call_context, terms, wire
from gateway.contract import Store
from gateway.documents import Account, Match
from gateway.people_contract import Kept
from gateway.refusals import exported_lately, unauthenticated
from gateway.tarball import Tarball

HOUR_MS = 3_600_000
PIECE = 1 << 16
"""So many bytes a piece has at most."""

LOOK_EVERY = 100
"""After so many files it is looked whether the token is still good."""

MOST_NOTES = 1000
PAGE = 100
TIMES = "_ms"

README = """\
All that this platform keeps of the account {name}, as it was on {at}.

account.json       the account, its wishes and terms, its names, sessions, tokens, passkeys,
                   identities, address, recovery codes (when they were made), and ratings
ratings-*.jsonl    how the ratings came to be what they are: one change on each line
reports-*.jsonl    what the account has reported to the host
notices-*.jsonl    what the host has told the account
matches/*.json     each match in which it sits or sat, as everyone may see it, and the notes that
                   it has written there
records/*.txt      the record of each match that is over: every decision, by which it can be
                   replayed and verified

What proves who somebody is, such as tokens, is not kept itself and so is not here. Who else sat in
a match stands in its record; what others have written is theirs.
"""

File = tuple[str, bytes]


class Exports:
    """Gives out what is kept of those who ask."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def export(
        self, account: Account, _: pb.ExportDataRequest
    ) -> AsyncGenerator[pb.ExportDataResponse, None]:
        """The file, piece by piece."""
        token = call_context.token_hash.get()
        kept = await self.store.kept_of(account)  # first: what is away now may be back in a moment
        if wait := await self.store.allow(account.id, "export", HOUR_MS):
            raise exported_lately(wait)
        tar, waiting, number = Tarball(kept["at_ms"] // 1000), bytearray(), 0
        async with aclosing(self._files(account, kept)) as files:
            async for name, data in files:
                waiting += await asyncio.to_thread(tar.add, name, data)
                while len(waiting) >= PIECE:
                    yield pb.ExportDataResponse(data=bytes(waiting[:PIECE]))
                    del waiting[:PIECE]
                number += 1
                if not number % LOOK_EVERY:
                    await self._check(account, token)
        waiting += tar.end()
        for at in range(0, len(waiting), PIECE):
            yield pb.ExportDataResponse(data=bytes(waiting[at : at + PIECE]))

    async def _check(self, account: Account, token: str) -> None:
        if token not in await self.store.token_hashes(account.id):
            raise unauthenticated()

    async def _files(self, account: Account, kept: Kept) -> AsyncGenerator[File, None]:
        at = _readable("at_ms", kept["at_ms"])[1]
        yield "README.txt", README.format(name=account.name, at=at).encode()
        yield "account.json", _written(_whole(account, kept))
        pages = Counter[str]()
        async for part, rows in self.store.kept_pages(account, kept):
            pages[part] += 1
            lines = [json.dumps(_told(row), ensure_ascii=False) + "\n" for row in rows]
            yield f"{part}-{pages[part]:05}.jsonl", "".join(lines).encode()
        given = set[str]()
        async for match in self._live(account):
            given.add(match.id)
            async for file in self._match(account, match.id, match):
                yield file
        async for name in self.store.kept_matches(account, kept):
            if name not in given:
                async for file in self._match(account, name, None):
                    yield file

    async def _live(self, account: Account) -> AsyncIterator[Match]:
        """The matches of the live store in which he sits, sat, or sits no more."""
        after = None
        while page := await self.store.seated(account.id, after, PAGE, past=False):
            for match in await self.store.matches([entry.name for entry in page], past=False):
                if match and (match.seats_of(account) or account.id in match.left):
                    yield match
            after = page[-1]

    async def _match(self, account: Account, name: str, live: Match | None) -> AsyncIterator[File]:
        """What there is of a match: as it is kept for good, if it is, and else as it is now."""
        kept = await self.store.kept_match(name)
        match, record = kept or (live, "")
        if match is None:
            return  # it was given up by the platform at this moment
        shown = MessageToDict(wire.match(match, {}))
        notes = await self._notes(account, match)
        yield f"matches/{name}.json", _written({"match": shown, "notes": notes})
        if record:
            yield f"records/{name}.txt", record.encode()

    async def _notes(self, account: Account, match: Match) -> list[dict[str, Any]]:
        found = [
            note
            for team in match.teams
            for note in await self.store.notes(match.id, team.name, MOST_NUMBER, MOST_NOTES)
            if note.account == account.id
        ]
        return [_told({"seat": n.seat, "text": n.text, "at_ms": n.at_ms}) for n in found]


MOST_NUMBER = 1 << 53
"""No note has a higher one."""


def _whole(account: Account, kept: Kept) -> dict[str, Any]:
    """What a bounded number is kept of."""
    said = {part: _told(rows) for part, rows in kept.items() if part not in ("at_ms", "player")}
    own = MessageToDict(terms.message(terms.terms_of(account)))
    return {**said, "terms": own}


def _told(said: Any) -> Any:
    """The same with times that people can read."""
    if isinstance(said, dict):
        return dict(_readable(key, _told(value)) for key, value in said.items())
    return [_told(one) for one in said] if isinstance(said, list) else said


def _readable(key: str, value: Any) -> tuple[str, Any]:
    if not key.endswith(TIMES) or not isinstance(value, int):
        return key, value
    time = datetime.fromtimestamp(value / 1000, UTC).isoformat(timespec="milliseconds")
    return f"{key.removesuffix(TIMES)}_time", time.replace("+00:00", "Z") if value else None


def _written(said: Any) -> bytes:
    return (json.dumps(said, indent=1, ensure_ascii=False) + "\n").encode()
