"""What lies on the desk besides: notices to everybody, the audit log, queues, and limits."""

from __future__ import annotations

import asyncio

from google.protobuf.timestamp_pb2 import Timestamp

from bree.engine.v1 import engine_pb2 as engine
from bree.gateway.v1 import desk_pb2 as desk
from bree.process.statuses import Denied
from gateway import fields, sessions
from gateway.desk import messages, reports
from gateway.desk.acts import Acts, deed
from gateway.desk.contract import Notice, NoticeKind
from gateway.documents import Account
from gateway.engines import Engines
from gateway.matches import now_ms
from gateway.news_stream import MOST_FOLLOWED
from gateway.refusals import invalid
from gateway.settings import GatewaySettings

LONGEST_NOTICE = 400
YEAR_MS = 366 * 86_400_000
MOST_LINES, USUAL_LINES = 500, 100

SETTINGS = (
    *("calls_a_second", "calls_burst", "most_streams", "bots_a_minute", "bots_burst"),
    *("notes_a_minute", "notes_burst", "most_open", "most_matches", "most_alone"),
    *("looks_a_second", "looks_burst", "most_visits", "most_connections"),
    *("wrong_tokens_a_minute", "wrong_tokens_burst"),
    *("new_accounts_a_minute", "new_accounts_burst"),
    *("call_seconds", "request_seconds", "idle_seconds", "stall_seconds", "largest_message"),
    *("watch_backlog", "listen_backlog", "open_seconds", "live_seconds"),
)
"""The settings that are limits of what players may do."""

FIXED = {
    "sessions_of_an_account": sessions.MOST_SESSIONS,
    "reports_a_day": reports.MOST_A_DAY,
    "characters_of_a_report": reports.LONGEST_TEXT,
    "characters_of_a_note": fields.LONGEST_NOTE,
    "matches_followed_by_a_stream": MOST_FOLLOWED,
    "entries_of_a_page": fields.LARGEST_PAGE,
}


class Papers:
    """Tells the host how things stand, and everybody what the host says."""

    def __init__(self, settings: GatewaySettings, acts: Acts, engines: Engines) -> None:
        self.settings, self.acts, self.engines = settings, acts, engines
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

    async def limits(
        self, _: Account, __: desk.GetLimitsInForceRequest
    ) -> desk.GetLimitsInForceResponse:
        settings = {f"BREE_{name.upper()}": getattr(self.settings, name) for name in SETTINGS}
        limits = [(name, f"{value:g}") for name, value in settings.items()]
        limits += [(name, str(value)) for name, value in FIXED.items()]
        return desk.GetLimitsInForceResponse(
            limits=[desk.LimitInForce(name=name, value=value) for name, value in limits]
        )


def _until(time: Timestamp) -> int:
    now, until = now_ms(), time.seconds * 1000 + time.nanos // 1_000_000
    if not now < until <= now + YEAR_MS:
        raise invalid("until", "until is later than now, and at most a year")
    return until
