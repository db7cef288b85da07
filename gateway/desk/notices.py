"""Notices: what the host has to tell everybody, or one player of what was done."""

from __future__ import annotations

import base64
from collections.abc import Iterable

import structlog
from google.protobuf.message import DecodeError

from bree.gateway.v1 import desk_pb2 as desk
from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.statuses import Denied
from gateway import fields, page_tokens
from gateway.contract import Store
from gateway.desk import messages
from gateway.desk.contract import Notice
from gateway.documents import Account, ListEntry, News
from gateway.match_changes import MatchChanges
from gateway.matches import now_ms

log = structlog.get_logger()

LATEST = 1 << 62
"""No notice has this number."""


class Notices:
    """Lists notices, and tells of new ones."""

    def __init__(self, store: Store, changes: MatchChanges) -> None:
        self.store, self.changes = store, changes

    async def listed(
        self, account: Account, r: desk.ListNoticesRequest
    ) -> desk.ListNoticesResponse:
        found, token = await self.page(account.id, now_ms(), r.page_size, r.page_token)
        return desk.ListNoticesResponse(notices=found, next_page_token=token)

    async def page(
        self, account: str, now: int, page_size: int, page_token: str
    ) -> tuple[list[pb.Notice], str]:
        """A page of notices to everybody and to an account, and the token of the next."""
        size, which = fields.page_size(page_size), ("notices", account, bool(now))
        after = page_tokens.decode(page_token, *which)
        before = page_tokens.whole(after) if after else LATEST
        found = await self.store.notices_to(account, now, before, size + 1)
        shown = found[:size]
        last = ListEntry(shown[-1].number, "") if found[size:] else None
        token = page_tokens.encode(last, *which)
        return [messages.notice(notice) for notice in shown], token

    async def tell(self, notices: Iterable[Notice]) -> None:
        """Tell those who listen; who is missed lists them."""
        for notice in notices:
            shown = messages.notice(notice).SerializeToString()
            said = base64.urlsafe_b64encode(shown).decode()
            accounts = (notice.account,) if notice.account else ()
            try:
                await self.store.tell(News("notice", accounts=accounts, more=said))
            except Denied as denied:
                log.info("notice not told", reason=denied.reason)
                return

    def hear_of(self, accounts: tuple[str, ...], said: str) -> None:
        """The host has told something: to these accounts, or to everybody."""
        try:
            notice = pb.Notice.FromString(base64.urlsafe_b64decode(said))
        except (ValueError, DecodeError):  # of a gateway of another release, perhaps
            log.warning("news not understood", said=said[:100])
            return
        streams = [stream for one in accounts for stream in self.changes.streams_of(one)]
        for stream in streams if accounts else self.changes.every_stream():
            which = ("notice", str(notice.number))
            stream.put(which, pb.ListenNewsResponse(notice=notice))
