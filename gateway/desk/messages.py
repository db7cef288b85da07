"""What the desk and its players are told, as messages. No decisions."""

from __future__ import annotations

from collections.abc import Mapping

from google.protobuf.timestamp_pb2 import Timestamp

from bree.engine.v1 import engine_pb2 as engine
from bree.gateway.v1 import desk_pb2 as desk
from bree.gateway.v1 import gateway_pb2 as pb
from bree.ledger.audit import Line
from gateway import wire
from gateway.desk.contract import Flag, Notice, NoticeKind, Report, Ways
from gateway.documents import Account

NOTICE_KINDS = {
    NoticeKind.NEWS: pb.NOTICE_KIND_NEWS,
    NoticeKind.BANNED: pb.NOTICE_KIND_ACCOUNT,
    NoticeKind.MUTED: pb.NOTICE_KIND_ACCOUNT,
    NoticeKind.ACCOUNT: pb.NOTICE_KIND_ACCOUNT,
    NoticeKind.MATCH: pb.NOTICE_KIND_MATCH,
}
FLAGS = {
    desk.ACCOUNT_FLAG_BANNED: Flag.BANNED,
    desk.ACCOUNT_FLAG_MUTED: Flag.MUTED,
    desk.ACCOUNT_FLAG_LEAVING: Flag.LEAVING,
    desk.ACCOUNT_FLAG_BOT: Flag.BOT,
}
REPORT_KINDS = {
    desk.REPORT_KIND_OTHER: "other",
    desk.REPORT_KIND_NAME: "name",
    desk.REPORT_KIND_TALK: "talk",
    desk.REPORT_KIND_STALLING: "stalling",
    desk.REPORT_KIND_CHEATING: "cheating",
}
KINDS = {name: kind for kind, name in REPORT_KINDS.items()}


def notice(n: Notice) -> pb.Notice:
    """A notice, for those whom it is for."""
    return pb.Notice(
        number=n.number,
        kind=NOTICE_KINDS[n.kind],
        text=n.text,
        why=n.why,
        match=n.match,
        create_time=wire.time(n.at_ms),
        expire_time=wire.time(n.until_ms),
    )


def account(a: Account, now_ms: int) -> desk.DeskAccount:
    """An account, for the host."""
    return desk.DeskAccount(
        account=wire.account(a),
        first_name=a.first_name,
        banned_until=_later(a.banned_ms, now_ms),
        muted_until=_later(a.muted_ms, now_ms),
        leaving_time=_later(a.leaving_ms, 0),
    )


def _later(ms: int, now_ms: int) -> Timestamp | None:
    return wire.time(ms) if ms > now_ms else None


def way(w: Ways) -> desk.WayIn:
    """A kind of proof."""
    used = wire.time(w.used_ms) if w.used_ms else None
    return desk.WayIn(kind=w.kind, count=w.number, use_time=used)


def report(r: Report, names: Mapping[str, str]) -> desk.Report:
    """A report, for the host."""
    return desk.Report(
        report=r.number,
        create_time=wire.time(r.at_ms),
        by=desk.DeskPerson(id=r.by, name=names.get(r.by, "")),
        about=desk.DeskPerson(id=r.about, name=names.get(r.about, "")),
        match=r.match,
        kind=KINDS.get(r.kind, desk.REPORT_KIND_OTHER),
        text=r.text,
        close_time=_later(r.closed_ms, 0),
        closed_by=r.closed_by,
        verdict=r.verdict,
    )


def line(one: Line) -> desk.AuditLine:
    """A line of the audit log."""
    return desk.AuditLine(**one._asdict())


def due(one: engine.Due) -> desk.DueThing:
    """What is to happen in a match: not under which number a seat was asked."""
    return desk.DueThing(kind=one.kind, seat=one.seat, since=one.since, bot_level=one.bot_level)
