"""Accounts, as the host finds and changes them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from google.protobuf.timestamp_pb2 import Timestamp

from bree.gateway.v1 import desk_pb2 as desk
from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.statuses import Denied
from gateway import fields, page_tokens
from gateway.accounts import Accounts, check_name
from gateway.desk import messages
from gateway.desk.acts import KEPT_MS, Acts, deed, named
from gateway.desk.contract import Flag, Given, Notice, NoticeKind, Renamed, Wanted
from gateway.desk.words import day
from gateway.documents import Account, ListEntry, Match, News, State
from gateway.lobby import Lobby
from gateway.matches import now_ms
from gateway.refusals import invalid, name_taken, unknown_account

PREFIX = re.compile(r"[A-Za-z0-9_-]{0,24}")
LONGEST_MS = 100 * 366 * 86_400_000
MOST_SEATED = 1000
SHUT = {Flag.BANNED: NoticeKind.BANNED, Flag.MUTED: NoticeKind.MUTED}


class Shutting(NamedTuple):
    """That an account is shut out of something until a time, or of nothing, at 0."""

    how: Flag
    until: int
    what: str  # as it is noted
    text: str  # as it is told


class DeskAccounts:
    """What the host does with accounts."""

    def __init__(self, acts: Acts, accounts: Accounts, lobby: Lobby) -> None:
        self.acts, self.accounts, self.lobby = acts, accounts, lobby
        self.store = acts.store

    # Looking.

    async def find(self, _: Account, r: desk.FindAccountsRequest) -> desk.FindAccountsResponse:
        size, now = fields.page_size(r.page_size), now_ms()
        wanted = _wanted(r, now)
        which = ("accounts", *wanted[:-1])
        place = page_tokens.decode(r.page_token, *which)
        after = (page_tokens.whole(place), place.name) if place else None
        found = await self.store.find_accounts(wanted, after, size + 1)
        last = found[size - 1] if found[size:] else None
        entry = ListEntry(last.created_ms, last.id) if last else None
        return desk.FindAccountsResponse(
            accounts=[messages.account(one, now) for one in found[:size]],
            next_page_token=page_tokens.encode(entry, *which),
        )

    async def show(
        self, _: Account, r: desk.GetAccountForDeskRequest
    ) -> desk.GetAccountForDeskResponse:
        found = await self.acts.account(fields.account_id(r.account))
        facts = await self.store.account_facts(found.id)
        return desk.GetAccountForDeskResponse(
            account=messages.account(found, now_ms()),
            ways=[messages.way(way) for way in facts.ways],
            live_matches=len(await self.store.live(found.id)),
            ended_matches=facts.ended,
            open_reports=facts.open_reports,
            all_reports=facts.all_reports,
        )

    # Changing.

    async def rename(
        self, admin: Account, r: desk.RenameByHostRequest
    ) -> desk.RenameByHostResponse:
        why = fields.why(r.why)
        check_name(r.name)
        who = await self.acts.account(fields.account_id(r.account))
        if who.name == r.name:
            return desk.RenameByHostResponse(account=messages.account(who, now_ms()))
        said = deed(admin, f"rename {named(who)} to {r.name}", why)
        text = f"The host has given you the name {r.name}."
        notice = _notice(who, NoticeKind.ACCOUNT, text, why)
        renamed, given = await self.store.rename_by_host(who.id, r.name, said, notice)
        if renamed is Renamed.TAKEN:
            raise name_taken(r.name)
        await self.store.tell(News("named", accounts=(who.id,), more=who.name))
        changed = await self._told(who, given)
        return desk.RenameByHostResponse(account=messages.account(changed, now_ms()))

    async def mute(self, admin: Account, r: desk.MuteAccountRequest) -> desk.MuteAccountResponse:
        until = _until(r.until)
        text = f"Nobody is to read what you write until {day(until)}."
        what = f"mute until {day(until)}"
        changed = await self._shut(admin, r, Shutting(Flag.MUTED, until, what, text))
        return desk.MuteAccountResponse(account=messages.account(changed, now_ms()))

    async def lift_mute(self, admin: Account, r: desk.LiftMuteRequest) -> desk.LiftMuteResponse:
        text = "What you write is read again."
        changed = await self._shut(admin, r, Shutting(Flag.MUTED, 0, "lift the mute", text))
        return desk.LiftMuteResponse(account=messages.account(changed, now_ms()))

    async def ban(self, admin: Account, r: desk.BanAccountRequest) -> desk.BanAccountResponse:
        until = _until(r.until)
        text = f"You are shut out until {day(until)}."
        what = f"ban until {day(until)}"
        changed = await self._shut(admin, r, Shutting(Flag.BANNED, until, what, text))
        left = await self._leave_open_matches(changed)
        return desk.BanAccountResponse(account=messages.account(changed, now_ms()), left=left)

    async def lift_ban(self, admin: Account, r: desk.LiftBanRequest) -> desk.LiftBanResponse:
        text = "You are shut out no longer."
        changed = await self._shut(admin, r, Shutting(Flag.BANNED, 0, "lift the ban", text))
        return desk.LiftBanResponse(account=messages.account(changed, now_ms()))

    async def delete(
        self, admin: Account, r: desk.DeleteByHostRequest
    ) -> desk.DeleteByHostResponse:
        why = fields.why(r.why)
        who = await self.acts.account(fields.account_id(r.account))
        if live := await self._live(who):
            raise _still_there(who, live)
        # The log is kept for ever, so it does not say what somebody was called who is forgotten.
        gone = await self.store.delete_by_host(who.id, deed(admin, f"delete account {who.id}", why))
        if gone is None:
            raise unknown_account(who.id)
        await self.store.tell(News("named", accounts=(who.id,), more=who.name))
        await self.accounts.spread(who)
        return desk.DeleteByHostResponse(pseudonym=gone.pseudonym, matches=gone.matches)

    async def _shut(self, admin: Account, r: _ShutRequest, shutting: Shutting) -> Account:
        why = fields.why(r.why)
        who = await self.acts.account(fields.account_id(r.account))
        how, until, what, text = shutting
        kind = SHUT[how] if until else NoticeKind.ACCOUNT
        notice = _notice(who, kind, text, why, until)
        said = deed(admin, f"{what}, {named(who)}", why)
        return await self._told(who, await self.store.shut(who.id, how, until, said, notice))

    async def _told(self, who: Account, given: Given | None) -> Account:
        """An account as it is now, once every gateway goes by that."""
        if given is None:
            raise unknown_account(who.id)
        await self.acts.notices.tell(given.notices)
        await self.accounts.spread(who)
        return await self.acts.account(who.id)

    async def _leave_open_matches(self, who: Account) -> int:
        """Close the open matches that somebody has made, and leave those of others."""
        left = 0
        for match in await self._live(who):
            if match.state is State.OPEN and (match.creator == who.id or match.seats_of(who)):
                left += await self._leave(who, match.id)
        return left

    async def _live(self, who: Account) -> list[Match]:
        """The matches in which somebody has a part and which the ledger does not have yet."""
        store = self.store
        entries = [*await store.reserved(who.id), *await store.live(who.id)]
        entries += await store.seated(who.id, None, MOST_SEATED, past=False)
        ids = list(dict.fromkeys(entry.name for entry in entries))
        found = [match for match in await store.matches(ids, past=False) if match]
        return [m for m in found if who.id in {m.creator, *m.left} or m.seats_of(who)]

    async def _leave(self, who: Account, match: str) -> bool:
        try:
            await self.lobby.leave(who, pb.LeaveMatchRequest(match=match))
        except Denied as denied:
            if denied.reason != "NOT_ALLOWED":  # else it was begun at this moment
                raise
            return False
        return True


_ShutRequest = (
    desk.MuteAccountRequest | desk.LiftMuteRequest | desk.BanAccountRequest | desk.LiftBanRequest
)


def _still_there(who: Account, live: Sequence[Match]) -> Denied:
    """That somebody cannot be deleted now: what is live names him."""
    message = (
        f"{who.name} has a part in {len(live)} matches that are live or have just ended, "
        f"{live[0].id} among them: end them, and delete him an hour later"
    )
    return Denied("NOT_ALLOWED", message, needs="no match that is live", match=live[0].id)


def _wanted(r: desk.FindAccountsRequest, now: int) -> Wanted:
    if not PREFIX.fullmatch(r.prefix):
        raise invalid("prefix", 'prefix is at most 24 letters, digits, "-" or "_"')
    if r.id:
        fields.account_id(r.id)
    unknown = [flag for flag in r.flags if flag not in messages.FLAGS]
    if unknown or len(r.flags) > len(messages.FLAGS):
        raise invalid("flags", "flags are values of AccountFlag that name something, each once")
    flags = tuple(sorted({messages.FLAGS[flag] for flag in r.flags}))
    return Wanted(r.prefix.lower(), r.id, flags, now)


def _until(time: Timestamp) -> int:
    """A time that is to come."""
    now, until = now_ms(), time.seconds * 1000 + time.nanos // 1_000_000
    if not now < until <= now + LONGEST_MS:
        raise invalid("until", "until is later than now, and at most 100 years")
    return until


def _notice(who: Account, kind: NoticeKind, text: str, why: str, until: int = 0) -> Notice:
    now = now_ms()
    return Notice(now, max(until, now + KEPT_MS), who.id, kind, "", text, why)
