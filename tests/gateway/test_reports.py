"""Reports of players, notices to them, and what else lies on the host's desk."""

from __future__ import annotations

import asyncio

import pytest

from bree.engine.v1 import engine_pb2 as engine
from bree.gateway.v1 import desk_pb2 as desk
from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.statuses import Denied
from gateway import page_tokens
from gateway.documents import ListEntry
from tests.gateway.desk import TOWN, WHY, acts, admin_of, id_of, notices, until
from tests.gateway.page import listening, opened
from tests.gateway.town import reason, refusal
from tests.gateway.town import until as so

DESK = pytest.mark.parametrize("town", [TOWN], indirect=True)
TALK = desk.REPORT_KIND_TALK


async def report(who, about, text="He swears.", **given):
    said = desk.ReportAccountRequest(account=about.name, text=text, **({"kind": TALK} | given))
    return (await who.ask(said)).report


async def reports(admin, **given):
    return list((await admin.ask(desk.ListReportsRequest(**given))).reports)


# Reports.


@DESK
async def test_a_report_is_read_and_closed(town):
    """With who it is by and about, and a verdict; the log has it."""
    admin, rosie, sam = await admin_of(town), await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    number = await report(rosie, sam, match=match)
    [one] = await reports(admin)
    assert (number, rosie.name, sam.name, match) == (
        one.report,
        one.by.name,
        one.about.name,
        one.match,
    )
    assert (TALK, "He swears.") == (one.kind, one.text)
    facts = await admin.ask(desk.GetAccountForDeskRequest(account=await id_of(sam)))
    assert (1, 1) == (facts.open_reports, facts.all_reports)
    closing = desk.CloseReportRequest(report=number, verdict="He was told.")
    closed = (await admin.ask(closing)).report
    assert ("He was told.", f"{await id_of(admin)} {admin.name}") == (
        closed.verdict,
        closed.closed_by,
    )
    assert closed == (await admin.ask(closing)).report

    assert [] == await reports(admin)
    assert [closed] == await reports(admin, all=True, about=await id_of(sam))
    assert [(f"close report {number}", "He was told.")] == [
        one for one in await acts(admin, f"report {number}") if one[1] == "He was told."
    ]
    other = desk.CloseReportRequest(report=number, verdict="Otherwise.")
    assert "NOT_ALLOWED" == await reason(admin.ask(other))


@DESK
async def test_reports_are_listed_page_after_page(town):
    """The oldest open one first, or the latest of all."""
    admin, rosie, sam = await admin_of(town), await town.account(), await town.account()
    numbers = [await report(rosie, sam, f"{n}") for n in range(3)]
    for listed, everyone in ((numbers, False), (numbers[::-1], True)):
        found, token = [], ""
        for _ in listed:
            said = desk.ListReportsRequest(all=everyone, page_size=1, page_token=token)
            page = await admin.ask(said)
            found += [one.report for one in page.reports]
            token = page.next_page_token
        assert (listed, "") == (found, token)


@DESK
async def test_who_says_it_twice_has_said_it_once(town):
    """Until it is closed."""
    admin, rosie, sam = await admin_of(town), await town.account(), await town.account()
    number = await report(rosie, sam)
    assert number == await report(rosie, sam)
    await admin.ask(desk.CloseReportRequest(report=number, verdict="Done."))

    assert number != await report(rosie, sam)


@DESK
async def test_an_account_reports_so_often_a_day(town):
    """However many of its programs try at once, at two gateways."""
    other = await town.gateway()
    rosie, sam = await town.account(), await town.account()
    tries = [report(town.same(rosie, (town.process, other)[n % 2]), sam, f"{n}") for n in range(14)]
    done = await asyncio.gather(*tries, return_exceptions=True)
    denied = await refusal(report(rosie, sam, "more"))

    assert 10 == sum(isinstance(one, int) for one in done)
    assert ("RATE_LIMITED", "10 reports a day") == (denied.reason, denied.metadata["limit"])
    assert 0 < int(denied.metadata["retry_after_ms"]) <= 86_400_000


@DESK
async def test_a_report_that_cannot_be_is_refused(town):
    """Of nobody, of oneself, of a bot, of somebody who was not there."""
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, rosie)
    nobody = await town.account()
    nobody.name = "Nobody_At_All"
    for who, given in (
        (nobody, {}),
        (rosie, {}),
        (sam, {"match": match}),
        (sam, {"kind": desk.REPORT_KIND_UNSPECIFIED}),
        (sam, {"text": "x" * 1001}),
        (sam, {"text": "two\nlines"}),
    ):
        assert "INVALID_REQUEST" == await reason(report(rosie, who, **given))
    assert "UNKNOWN_MATCH" == await reason(report(rosie, sam, match="h-0000000000"))


# Notices.


@DESK
async def test_a_notice_to_everybody_is_told_at_once_and_listed(town):
    """On the streams of all gateways; not after its time."""
    other = await town.gateway()
    admin, rosie = await admin_of(town), await town.account()
    await listening(town.process, other)
    page, _ = await opened(town.same(rosie, other))
    posted = desk.PostNoticeRequest(text="We move at nine.", until=until(), why=WHY)
    given = (await admin.ask(posted)).notice
    await admin.ask(desk.PostNoticeRequest(text="Soon over.", until=until(2), why=WHY))

    assert ("We move at nine.", pb.NOTICE_KIND_NEWS, "") == (given.text, given.kind, given.why)
    assert given == await page.next("notice")
    assert given in await notices(rosie)
    assert [("notice to everybody: We move at nine.", WHY)] == (
        await acts(admin, "We move at nine.")
    )[-1:]

    async def is_over():
        return "Soon over." not in [one.text for one in await notices(rosie)]

    assert await so(is_over)
    listed = (await admin.ask(desk.ListPostedNoticesRequest())).notices
    assert ["Soon over.", "We move at nine."] == [one.text for one in listed]


@DESK
async def test_a_notice_to_one_is_told_to_him_alone(town):
    """By whatever was done with his account."""
    admin, rosie, sam = await admin_of(town), await town.account(), await town.account()
    await listening(town.process)
    page, _ = await opened(rosie)
    others, _ = await opened(sam)
    given = {"account": await id_of(rosie), "until": until(), "why": WHY}
    await admin.ask(desk.MuteAccountRequest(**given))
    told = await page.next("notice")

    assert (pb.NOTICE_KIND_ACCOUNT, WHY) == (told.kind, told.why)
    assert [told] == [one for one in await notices(rosie) if one.kind == told.kind]
    assert [] == [one for one in await notices(sam) if one.kind == told.kind]
    assert await others.quiet()


@DESK
async def test_notices_are_listed_page_after_page(town):
    """The latest first."""
    admin, rosie = await admin_of(town), await town.account()
    for n in range(3):
        await admin.ask(desk.PostNoticeRequest(text=f"{n}", until=until(), why=WHY))
    found, token = [], ""
    for _ in range(3):
        page = await rosie.ask(desk.ListNoticesRequest(page_size=1, page_token=token))
        found += [one.text for one in page.notices]
        token = page.next_page_token

    assert (["2", "1", "0"], "") == (found, token)
    sam = await town.account()
    stolen = desk.ListNoticesRequest(page_size=1, page_token="x" * 10)
    assert "INVALID_REQUEST" == await reason(sam.ask(stolen))
    for score in (1e300, -1e300, 0.5):
        which = ("notices", await id_of(sam), True)
        made_up = page_tokens.encode(ListEntry(score, ""), *which)
        assert await sam.ask(desk.ListNoticesRequest(page_token=made_up)) is not None


# Queues and limits.


@DESK
async def test_the_desk_sees_what_waits(town):
    """Of each game; one whose engines are away is named."""
    admin = await admin_of(town)
    [queue] = (await admin.ask(desk.GetQueuesRequest())).queues
    assert ("hopscotch", engine.DUE_KIND_BOT_TURN, 3, 70) == (
        queue.game,
        queue.kind,
        queue.waiting,
        queue.oldest_ms,
    )
    town.engine.before["CountDue"].append(Denied("UNAVAILABLE", "gone", part="engine"))
    found = await admin.ask(desk.GetQueuesRequest())

    assert (["hopscotch"], []) == (list(found.away), list(found.queues))
