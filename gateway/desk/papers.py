"""What lies on the desk besides: notices to everybody, the audit log, and queues."""

from __future__ import annotations

import asyncio

from google.protobuf.timestamp_pb2 import Timestamp

from bree.engine.v1 import engine_pb2 as engine
from bree.gateway.v1 import desk_pb2 as desk
from bree.process.statuses import Denied
from gateway import fields
from gateway.desk import messages
from gateway.desk.acts import Acts, deed
from gateway.desk.contract import Notice, NoticeKind
from gateway.documents import Account
from gateway.engines import Engines
from gateway.matches import now_ms
from gateway.refusals import invalid

LONGEST_NOTICE = 400
YEAR_MS = 366 * 86_400_000
MOST_LINES, USUAL_LINES = 500, 100


class Papers:
    """Tells the host how things stand, and everybody what the host says."""

    def __init__(self, acts: Acts, engines: Engines) -> None:
        self.acts, self.engines = acts, engines
        self.store, self.notices = acts.store, acts.notices

    # Notices.

    async def post(self, admin: Account, r: desk.PostNoticeRequest) -> desk.PostNoticeResponse:
        text, why = fields.line("text", r.text, LONGEST_NOTICE), fields.why(r.why)
        until = _until(r.until)
        notice = Notice(now_ms(), until, "", NoticeKind.NEWS, "", text, "")
        given = await self.store.give(deed(admin, f"notice to everybody: {text}", why), [notice])
        await self.notices.tell(given.notices)
        shown = [messages.notice(one) for one in given.notices or (notice,)]
        return desk.PostNoticeResponse(notice=shown[0])

    async def posted(
        self, _: Account, r: desk.ListPostedNoticesRequest
    ) -> desk.ListPostedNoticesResponse:
        account = fields.account_id(r.account) if r.account else ""
        found, token = await self.notices.page(account, 0, r.page_size, r.page_token)
        return desk.ListPostedNoticesResponse(notices=found, next_page_token=token)

    # The log.

    async def audit(self, _: Account, r: desk.ListAuditRequest) -> desk.ListAuditResponse:
        if not 0 <= r.page_size <= MOST_LINES:
            raise invalid("page_size", f"page_size is 0 to {MOST_LINES}")
        if r.after < 0:
            raise invalid("after", "after is the number of a line, or 0")
        found = await self.store.audit(r.after, r.page_size or USUAL_LINES)
        return desk.ListAuditResponse(lines=[messages.line(line) for line in found])

    # Queues and limits.

    async def queues(self, _: Account, __: desk.GetQueuesRequest) -> desk.GetQueuesResponse:
        games = sorted(self.engines.replicas)
        counted = await asyncio.gather(*(self._counted(game) for game in games))
        pairs = list(zip(games, counted, strict=True))
        return desk.GetQueuesResponse(
            queues=[
                desk.Queue(game=game, kind=one.kind, waiting=one.count, oldest_ms=one.oldest_ms)
                for game, counts in pairs
                if counts
                for one in counts.counts
            ],
            away=[game for game, counts in pairs if counts is None],
        )

    async def _counted(self, game: str) -> engine.CountDueResponse | None:
        try:
            found: engine.CountDueResponse = await self.engines.ask(
                "CountDue", game, engine.CountDueRequest()
            )
        except Denied:
            return None
        return found


def _until(time: Timestamp) -> int:
    now, until = now_ms(), time.seconds * 1000 + time.nanos // 1_000_000
    if not now < until <= now + YEAR_MS:
        raise invalid("until", "until is later than now, and at most a year")
    return until
