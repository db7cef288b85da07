"""What the commands of `bree admin` do, each from its arguments to its exit code."""

from __future__ import annotations

import re
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp
from rich.table import Table as Grid

from bree.cli.late import imported
from bree.cli.online import words
from bree.cli.online.link import Link, linked
from bree.cli.talk import Talk
from bree.cli.trouble import Trouble
from bree.client.patience import Refused
from bree.engine.v1 import engine_pb2 as engine
from bree.gateway.v1 import desk_pb2 as desk
from bree.gateway.v1 import gateway_pb2 as pb

TIME = re.compile(r"([0-9]{1,5})([mhdw])")
SECONDS = {"m": 60, "h": 3600, "d": 86_400, "w": 7 * 86_400}
EVER = 99 * 366 * 86_400
ID = re.compile(r"[a-z0-9]{16}")
FLAGS = {
    "banned": desk.ACCOUNT_FLAG_BANNED,
    "muted": desk.ACCOUNT_FLAG_MUTED,
    "leaving": desk.ACCOUNT_FLAG_LEAVING,
    "bot": desk.ACCOUNT_FLAG_BOT,
}
SHUT: dict[str, tuple[str, Any, str, Any]] = {
    "mute": ("MuteAccount", desk.MuteAccountRequest, "LiftMute", desk.LiftMuteRequest),
    "ban": ("BanAccount", desk.BanAccountRequest, "LiftBan", desk.LiftBanRequest),
}
BROKEN = 1
"""The exit code, if the log does not hold."""


@contextmanager
def _sitting() -> Iterator[Link]:
    with linked(Talk()) as link:
        yield link


# Accounts.


def accounts(prefix: str, flags: Sequence[str], most: int) -> int:
    """`bree admin accounts`."""
    request = desk.FindAccountsRequest(prefix=prefix, flags=[FLAGS[flag] for flag in flags])
    with _sitting() as link:
        found = link.client.desk_pages("FindAccounts", request, "accounts")
        rows = [(one.account.name, one.account.id, _how(one)) for one in islice(found, most)]
        _show(link, ("account", "id", "is"), rows)
    return 0


def account(who: str) -> int:
    """`bree admin account`."""
    with _sitting() as link:
        request = desk.GetAccountForDeskRequest(account=_id(link, who))
        found = link.client.at_desk("GetAccountForDesk", request)
        one = found.account
        link.talk.say(one.account.name, "bold green")
        link.talk.say(f"  id {one.account.id}, made {_day(one.account.create_time)}")
        link.talk.say(f"  {_how(one) or 'nothing against it'}")
        for way in found.ways:
            used = f", last used {_day(way.use_time)}" if way.HasField("use_time") else ""
            link.talk.say(f"  {way.kind}: {way.count}{used}")
        link.talk.say(f"  matches: {found.live_matches} live, {found.ended_matches} kept")
        link.talk.say(f"  reports: {found.open_reports} open of {found.all_reports}")
    return 0


def rename(who: str, name: str, why: str) -> int:
    """`bree admin rename`."""
    with _sitting() as link:
        request = desk.RenameByHostRequest(account=_id(link, who), name=name, why=why)
        renamed = link.client.at_desk("RenameByHost", request).account
        link.talk.say(f"{who} is {renamed.account.name} now.")
    return 0


def shut(who: str, what: str, lasting: str, why: str) -> int:
    """`bree admin mute` and `bree admin ban`."""
    method, kind, _, _ = SHUT[what]
    until = _until(lasting)
    with _sitting() as link:
        request = kind(account=_id(link, who), until=until, why=why)
        done = link.client.at_desk(method, request).account
        link.talk.say(f"{done.account.name}: {_how(done)}.")
    return 0


def open_again(who: str, what: str, why: str) -> int:
    """`bree admin unmute` and `bree admin unban`."""
    _, _, method, kind = SHUT[what]
    with _sitting() as link:
        done = link.client.at_desk(method, kind(account=_id(link, who), why=why)).account
        link.talk.say(f"{done.account.name}: {_how(done) or 'nothing against it'}.")
    return 0


def delete(who: str, why: str, *, sure: bool) -> int:
    """`bree admin delete`."""
    if not sure:
        raise Trouble("that cannot be undone: say --yes if it is meant")
    with _sitting() as link:
        request = desk.DeleteByHostRequest(account=_id(link, who), why=why)
        gone = link.client.at_desk("DeleteByHost", request)
        link.talk.say(f"{who} is gone; {gone.matches} matches keep {gone.pseudonym}.")
    return 0


# Matches.


def matches(of: str, game: str, state: str, older: str, *, held: bool, most: int) -> int:
    """`bree admin matches`."""
    numbers = {name: number for number, name in words.STATES.items()}
    if state and state not in numbers:
        raise Trouble(f"--state takes {words.listed(list(numbers), 'or')}, not {state!r}")
    older_ms = 1000 * _seconds(older, "--older") if older else 0
    with _sitting() as link:
        request = desk.FindMatchesForDeskRequest(
            account=_id(link, of) if of else "",
            game=game,
            state=numbers[state] if state else pb.MATCH_STATE_UNSPECIFIED,
            older_than_ms=older_ms,
            held=held,
        )
        found = link.client.desk_pages("FindMatchesForDesk", request, "matches")
        rows = [
            (one.id, one.game, _state(one), _day(one.create_time), words.seats(one))
            for one in islice(found, most)
        ]
        _show(link, ("match", "game", "state", "opened", "seats"), rows)
    return 0


def match(name: str) -> int:
    """`bree admin match`."""
    with _sitting() as link:
        found = link.client.at_desk("LookAtMatch", desk.LookAtMatchRequest(match=name))
        one, standing = found.match, found.standing
        link.talk.say(f"{one.id}, {one.game}, {_state(one)}", "bold green")
        link.talk.say(f"  {words.seats(one)}")
        if found.frozen:
            link.talk.say(f"  {found.frozen}", "yellow")
        if found.HasField("standing"):
            waiting = words.listed(list(standing.waiting)) or "nobody"
            link.talk.say(f"  {standing.revision} entries, edition {found.edition}")
            link.talk.say(f"  waiting for {waiting}")
            link.talk.say(f"  head {standing.head}")
        for clock in standing.clocks:
            link.talk.say(f"  {clock.seat} has {words.duration(clock.left_ms)} left")
        for bot in standing.stand_ins:
            link.talk.say(
                f"  {bot.seat}: bot {bot.bot_level or 'none'}, changed {bot.changes} times"
            )
        for due in found.due:
            what = engine.DueKind.Name(due.kind).removeprefix("DUE_KIND_").lower()
            link.talk.say(f"  due: {what} {due.seat} {due.bot_level}, {_day(due.since)}")
        link.talk.say(f"  bree watch {one.id}")
    return 0


def replay(name: str) -> int:
    """`bree admin match --replay`."""
    with _sitting() as link:
        found = link.client.at_desk("ReplayMatch", desk.ReplayMatchRequest(match=name))
        said = f"edition {found.edition}, played again under edition {found.rules_edition}"
        if found.replays:
            link.talk.say(f"All {found.entries} entries lead where they led: {said}.", "green")
            return 0
        link.talk.say(f"Of {found.entries} entries, {found.trouble}: {said}.", "yellow")
    return BROKEN


def act(method: str, name: str, why: str, **more: str) -> int:
    """What is done to a match, and how it is then."""
    request = getattr(desk, f"{method}Request")(match=name, why=why, **more)
    with _sitting() as link:
        done = link.client.at_desk(method, request).match
        link.talk.say(f"{done.id}: {_state(done)}. {words.seats(done)}.")
    return 0


def adjudicate(name: str, seat: str, team: str, why: str) -> int:
    """`bree admin adjudicate`."""
    if bool(seat) == bool(team):
        raise Trouble("say who has lost: --seat SEAT or --team TEAM")
    return act("AdjudicateMatch", name, why, **({"seat": seat} if seat else {"team": team}))


# Reports and notices.


def reports(of: str, *, everything: bool, most: int) -> int:
    """`bree admin reports`."""
    with _sitting() as link:
        about = _id(link, of) if of else ""
        request = desk.ListReportsRequest(all=everything, about=about)
        found = link.client.desk_pages("ListReports", request, "reports")
        rows = [
            (
                str(one.report),
                _day(one.create_time),
                one.about.name or one.about.id,
                one.by.name or one.by.id,
                desk.ReportKind.Name(one.kind).removeprefix("REPORT_KIND_").lower(),
                one.match,
                one.text,
                one.verdict,
            )
            for one in islice(found, most)
        ]
        heads = ("report", "made", "about", "by", "kind", "match", "text", "verdict")
        _show(link, heads, rows)
    return 0


def close(number: int, verdict: str) -> int:
    """`bree admin close`."""
    with _sitting() as link:
        request = desk.CloseReportRequest(report=number, verdict=verdict)
        done = link.client.at_desk("CloseReport", request).report
        link.talk.say(f"Report {done.report} is closed: {done.verdict}")
    return 0


def notices(of: str, most: int) -> int:
    """`bree admin notices`."""
    with _sitting() as link:
        account = _id(link, of) if of else ""
        request = desk.ListPostedNoticesRequest(account=account)
        found = link.client.desk_pages("ListPostedNotices", request, "notices")
        rows = [
            (str(one.number), _day(one.create_time), _day(one.expire_time), one.text, one.why)
            for one in islice(found, most)
        ]
        _show(link, ("notice", "given", "until", "text", "why"), rows)
    return 0


def notice(text: str, lasting: str, why: str) -> int:
    """`bree admin notice`."""
    until = _until(lasting)
    with _sitting() as link:
        request = desk.PostNoticeRequest(text=text, until=until, why=why)
        given = link.client.at_desk("PostNotice", request, safe=False).notice
        link.talk.say(f"Everybody is told, until {_day(given.expire_time)}.")
    return 0


# How things stand.


def queues() -> int:
    """`bree admin queues`."""
    with _sitting() as link:
        found = link.client.at_desk("GetQueues", desk.GetQueuesRequest())
        rows = [
            (
                one.game,
                engine.DueKind.Name(one.kind).removeprefix("DUE_KIND_").lower(),
                str(one.waiting),
                f"{one.oldest_ms / 1000:.1f} s",
            )
            for one in found.queues
        ]
        _show(link, ("game", "kind", "waiting", "oldest"), rows)
        for game in found.away:
            link.talk.say(f"No engine of {game} answers.", "yellow")
    return 0


def limits() -> int:
    """`bree admin limits`."""
    with _sitting() as link:
        rows = [(one.name, f"{one.value:g}", one.meaning) for one in link.client.limits()]
        _show(link, ("limit", "value", "what it bounds"), rows)
    return 0


def log(last: int) -> int:
    """`bree admin log`."""
    audit = imported("bree.ledger.audit")
    chain, begun = audit.Chain(), audit.Unfinished()
    latest: deque[Any] = deque(maxlen=last or None)
    trouble = ""
    with _sitting() as link:
        for said in link.client.audit():
            line = audit.Line(
                said.n, said.at_ms, said.who, said.what, said.why, said.before, said.hash
            )
            trouble = trouble or chain.trouble(line)
            begun.take(line)
            latest.append(line)
        rows = [
            (str(one.n), _time(one.at_ms), one.who, one.what, one.why, _mark(one.n, begun.found))
            for one in latest
        ]
        _show(link, ("line", "when", "who", "what", "why", ""), rows)
        if trouble:
            link.talk.say(f"The log does not hold: {trouble}.", "bold red")
            return BROKEN
        link.talk.say(f"All {chain.n} lines hold. The hash of the last:", "green")
        link.talk.say(f"  {chain.hash}")
        if begun.found:
            numbers = words.listed([str(n) for n in begun.found])
            link.talk.say(f"Begun and not finished: {numbers}; do it again.", "yellow")
    return 0


def _mark(n: int, unfinished: Iterable[int]) -> str:
    return "unfinished" if n in unfinished else ""


# What all of them need.


def _id(link: Link, who: str) -> str:
    """The id of an account, by its name or itself."""
    try:
        return link.client.id_of(who)
    except Refused as refused:
        if refused.reason == "INVALID_REQUEST" and ID.fullmatch(who):
            return who
        raise


def _seconds(text: str, option: str) -> int:
    said = TIME.fullmatch(text)
    if text == "ever":
        return EVER
    if not said or not int(said[1]):
        raise Trouble(f"{option} takes a time such as 30m, 12h, 3d or 2w, not {text!r}")
    return min(EVER, int(said[1]) * SECONDS[said[2]])


def _until(lasting: str) -> Timestamp:
    return Timestamp(seconds=int(time.time()) + _seconds(lasting, "--for"))


def _how(one: desk.DeskAccount) -> str:
    """What an account is, in words."""
    said = []
    if one.HasField("banned_until"):
        said.append(f"banned until {_day(one.banned_until)}")
    if one.HasField("muted_until"):
        said.append(f"muted until {_day(one.muted_until)}")
    if one.HasField("leaving_time"):
        said.append(f"leaving on {_day(one.leaving_time)}")
    said += [
        word for word, is_so in (("bot", one.account.bot), ("guest", one.account.guest)) if is_so
    ]
    return ", ".join(said)


def _state(one: pb.Match) -> str:
    state = words.STATES.get(one.state, "")
    return f"{state}, held" if one.held else state


def _day(when: Timestamp) -> str:
    return _time(when.seconds * 1000)


def _time(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%d %H:%M")


def _show(link: Link, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table on a screen; in a pipe a line for each row, with tabs between."""
    if not rows:
        link.talk.say("There is none.")
        return
    if not link.talk.console.is_terminal:
        for row in rows:
            print("\t".join(row))  # a line stays one line, however long
        return
    grid = Grid(box=None, pad_edge=False, header_style="dim")
    for head in heads:
        grid.add_column(head, no_wrap=head in {"match", "id", "account", "line", "report"})
    for row in rows:
        grid.add_row(*row)
    link.talk.show(grid)
