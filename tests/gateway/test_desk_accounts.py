"""Accounts at the host's desk: found, renamed, muted, banned and deleted, and who may do that."""

from __future__ import annotations

import asyncio
import itertools

import grpc
import pytest

from bree.gateway.v1 import desk_pb2 as desk
from bree.gateway.v1 import gateway_pb2 as pb
from gateway.accounts import hash_of, new_token
from gateway.desk.admins import Admins
from gateway.documents import Account, Session
from gateway.matches import now_ms
from gateway.memory_store import MemoryStore
from tests.gateway.desk import ADMIN, TOWN, WHY, acts, admin_of, audit, id_of, notices, until
from tests.gateway.page import opened
from tests.gateway.test_bad_input import request_of, snapshot
from tests.gateway.town import METHODS, Caller, reason, refusal
from tests.gateway.town import until as so

DESK = pytest.mark.parametrize("town", [TOWN], indirect=True)


async def ban(admin, who, seconds=3600, why=WHY):
    said = desk.BanAccountRequest(account=await id_of(who), until=until(seconds), why=why)
    return await admin.ask(said)


async def found(admin, **given):
    listed = await admin.ask(desk.FindAccountsRequest(**given))
    return [one.account.name for one in listed.accounts]


async def scoped(store, account, scope):
    """A token of an account that may do only so much."""
    word = f"{scope:x<8}"
    token = new_token(account, word)
    row = (account, word, scope, scope, hash_of(token), 1, now_ms())
    if isinstance(store, MemoryStore):
        await store.add_session(account, Session(word, row[4], 1, row[6], scope, scope), 20)
    else:
        await store.ledger.read("test", "INSERT INTO bree.tokens SELECT $1,$2,$3,$4,$5,$6,$7", *row)
        await store.ledger.read("test", "UPDATE bree.accounts SET version = version + 1")
        await store.deliver_copy(account)
    return token


# Who may sit there.


@DESK
async def test_only_those_whom_the_configuration_names_sit_at_the_desk(town):
    """Not somebody else, nor a name that looks like it; and they are told the same."""
    admin, rosie = await admin_of(town), await town.account()
    request = desk.GetQueuesRequest()
    assert not (await admin.ask(request)).away
    told = [await refusal(one.ask(request)) for one in (rosie, await town.account(ADMIN + "s"))]

    assert {("NOT_ALLOWED", "this is for the host of the platform", "the host")} == {
        (one.reason, one.message, one.metadata["needs"]) for one in told
    }
    assert "UNAUTHENTICATED" == await reason(town.nobody().ask(request))
    assert "UNAUTHENTICATED" == await reason(town.worker().ask(request))


@DESK
async def test_a_session_of_an_admin_does_and_a_token_with_a_scope_does_not(town):
    """Whatever the scope; it is told what everybody is told."""
    admin = await admin_of(town)
    told = await admin.ask(pb.StartSessionRequest(token=admin.token))
    session = Caller(admin.channel, told.token)
    assert not (await session.ask(desk.GetQueuesRequest())).away
    account = await id_of(admin)
    for scope in ("read", "play", "bot"):
        held = Caller(admin.channel, await scoped(town.store, account, scope))
        assert account == await id_of(held)
        denied = await refusal(held.ask(desk.GetQueuesRequest()))
        assert "this is for the host of the platform" == denied.message


@DESK
async def test_no_method_of_the_desk_is_anybody_elses(town):
    """With a good request on a match and an account that there are; and nothing is changed."""
    admin, rosie = await admin_of(town), await town.account()
    match = await town.running_match(rosie, rosie)
    account = await id_of(rosie)
    scopes = [await scoped(town.store, await id_of(admin), one) for one in ("read", "play", "bot")]
    others = [rosie, *(Caller(admin.channel, token) for token in scopes)]
    desks = [one for one in METHODS.values() if one.containing_service.name == "DeskService"]
    before = await snapshot(town)
    told = set()
    for method in desks:
        request = request_of(method.name, match)
        if "account" in request.DESCRIPTOR.fields_by_name:
            request.account = account
        for caller in others:
            denied = await refusal(caller.ask(request))
            told.add((denied.reason, denied.message, *denied.metadata.items()))

    assert 23 == len(desks)
    assert {("NOT_ALLOWED", "this is for the host of the platform", ("needs", "the host"))} == told
    assert before == await snapshot(town)


@pytest.mark.parametrize(
    ("text", "account", "is_one"),
    [
        ("", Account("a" * 16, ""), False),
        ("Rosie, Sam_2", Account("a" * 16, "sam_2"), True),
        ("rosie", Account("a" * 16, "Rosie2"), False),
        ("abcdefgh23456789", Account("abcdefgh23456789", "Rosie"), True),
        ("abcdefgh23456789", Account("a" * 16, "abcdefgh23456789"), False),
        ("Abcdefgh23456789", Account("a" * 16, "abcdefgh23456789"), True),
    ],
)
def test_nobody_becomes_an_admin_by_taking_his_id_for_a_name(text, account, is_one):
    """What looks like an id is one."""
    assert is_one == Admins.of(text).has(account)


@pytest.mark.parametrize("text", [",", "a", "Rosie,,Sam", "Rosie Sam", "rosie;sam", "x" * 25])
def test_a_list_of_admins_that_is_none_is_refused(text):
    """At the start, not when somebody calls."""
    with pytest.raises(ValueError, match="is no name of an account"):
        Admins.of(text)


# Finding.


@DESK
async def test_accounts_are_found_by_name_id_and_what_they_are(town):
    """The newest first, page after page; and nothing by which anybody could come in."""
    admin = await admin_of(town)
    for name in ("Willow_1", "Willow_2", "Willow_3", "Aspen"):
        who = await town.account(name)
        await asyncio.sleep(0.002)  # so that each has a time of its own
    await ban(admin, who)
    whole = await found(admin, prefix="willow")
    assert ["Willow_3", "Willow_2", "Willow_1"] == whole
    pages, token = [], ""
    for _ in range(3):
        said = desk.FindAccountsRequest(prefix="willow", page_size=1, page_token=token)
        page = await admin.ask(said)
        pages += [one.account.name for one in page.accounts]
        token = page.next_page_token

    assert whole == pages
    assert not token
    assert ["Aspen"] == await found(admin, flags=[desk.ACCOUNT_FLAG_BANNED])
    assert [] == await found(admin, flags=[desk.ACCOUNT_FLAG_BANNED, desk.ACCOUNT_FLAG_MUTED])
    assert ["Aspen"] == await found(admin, id=await id_of(who))
    assert "INVALID_REQUEST" == await reason(found(admin, prefix="%"))
    told = await admin.ask(desk.GetAccountForDeskRequest(account=await id_of(who)))
    assert {"token": 1} == {way.kind: way.count for way in told.ways}
    secret = who.token.rpartition(".")[2]
    assert not {secret, hash_of(who.token)} & {str(told), *str(told).split('"')}


# Banning.


@DESK
async def test_who_is_banned_may_look_at_what_is_his_and_do_nothing_else(town):
    """On every gateway at once; he is told until when and why, and comes in again afterwards."""
    other = await town.gateway()
    admin, rosie = await admin_of(town), await town.account()
    there = town.same(rosie, other)
    await there.ask(pb.GetAccountRequest())
    done = await ban(admin, rosie)
    assert done.account.HasField("banned_until")
    for one in (rosie, there):
        denied = await refusal(one.ask(pb.CreateMatchRequest(game="hopscotch")))
        assert "NOT_ALLOWED" == denied.reason
        assert "you are shut out until" in denied.message
        assert WHY in denied.message
        assert rosie.name == (await one.ask(pb.GetAccountRequest())).account.name
    [notice] = await notices(rosie)
    assert (pb.NOTICE_KIND_ACCOUNT, WHY) == (notice.kind, notice.why)
    lift = desk.LiftBanRequest(account=await id_of(rosie), why="A mistake.")
    assert not (await admin.ask(lift)).account.HasField("banned_until")

    assert await rosie.ask(pb.CreateMatchRequest(game="hopscotch"))
    whats = [what for what, _ in await acts(admin, await id_of(rosie))]
    assert ["ban until", "lift the"] == [what[:9].strip()[:9] for what in whats]


@DESK
async def test_a_ban_ends_by_itself(town):
    """When its time is over."""
    admin, rosie = await admin_of(town), await town.account()
    await ban(admin, rosie, seconds=2)

    async def is_in():
        try:
            await rosie.ask(pb.ListMatchesRequest())
        except grpc.aio.AioRpcError:
            return False
        return True

    assert await so(is_in)
    assert rosie.name not in await found(admin, flags=[desk.ACCOUNT_FLAG_BANNED])


@DESK
async def test_streams_of_who_is_banned_end(town):
    """Those of others stay, and he can open no new one."""
    other = await town.gateway()
    admin, rosie, sam = await admin_of(town), await town.account(), await town.account()
    page, _ = await opened(town.same(rosie, other))
    stays, _ = await opened(town.same(sam, other))
    await ban(admin, rosie)
    denied = await refusal(page.stream.rest())

    assert "you are shut out until" in denied.message
    assert "NOT_ALLOWED" == await reason(rosie.stream(pb.ListenQuestionsRequest()).next())
    assert await stays.quiet()


@DESK
async def test_open_matches_of_who_is_banned_are_closed_and_running_ones_go_on(town):
    """His seats in those of others are free again; what runs may be handed over."""
    admin, rosie, sam = await admin_of(town), await town.account(), await town.account()
    running = await town.running_match(rosie, sam)
    mine, theirs = await town.open_match(rosie), await town.open_match(sam)
    await rosie.ask(pb.JoinMatchRequest(match=theirs))
    assert 2 == (await ban(admin, rosie)).left
    assert 0 == (await ban(admin, rosie)).left

    async def state(match):
        return (await sam.ask(pb.GetMatchRequest(match=match))).match

    assert pb.MATCH_STATE_CLOSED == (await state(mine)).state
    assert not any(seat.account for seat in (await state(theirs)).seats)
    assert pb.MATCH_STATE_RUNNING == (await state(running)).state
    assert "NOT_ALLOWED" == await reason(town.act(rosie, running, "red"))
    given = desk.HandOverSeatByHostRequest(match=running, seat="red", level="novice", why=WHY)
    await admin.ask(given)
    assert "novice" == (await state(running)).seats[0].stand_in


# Muting and renaming.


@DESK
@pytest.mark.parametrize("options", [{"seats": 4}])
async def test_who_is_muted_writes_nothing_that_others_read(town, options):
    """Neither notes nor a name; he plays on."""
    admin = await admin_of(town)
    players = [await town.account() for _ in range(4)]
    match = await town.running_match(*players, **options)
    note = pb.SayNoteRequest(
        match=match, seat="red", channel=pb.NOTE_CHANNEL_TEAM, text="Hi", request_id="r"
    )
    given = {"account": await id_of(players[0]), "why": WHY}
    await admin.ask(desk.MuteAccountRequest(until=until(), **given))
    assert "NOT_ALLOWED" == await reason(players[0].ask(note))
    assert "NOT_ALLOWED" == await reason(players[0].ask(pb.ClaimNameRequest(name="Rosie_M")))
    assert 1 == (await town.act(players[0], match, "red")).standing.revision
    await admin.ask(desk.LiftMuteRequest(**given))

    assert (await players[0].ask(note)).note.text == "Hi"
    assert 2 == len(await notices(players[0]))


@DESK
async def test_a_name_that_offends_is_replaced(town):
    """Nobody gets the old one; a name of somebody else is refused, and nothing changed."""
    admin, rosie = await admin_of(town), await town.account("Rude_Name")
    await town.account("Taken_1")
    given = {"account": await id_of(rosie), "why": WHY}
    for name, field in (("taken_1", "name"), ("admin", "name"), ("x", "name")):
        denied = await refusal(admin.ask(desk.RenameByHostRequest(name=name, **given)))
        assert ("INVALID_REQUEST", field) == (denied.reason, denied.metadata["field"])
    assert [] == await acts(admin, await id_of(rosie))
    done = await admin.ask(desk.RenameByHostRequest(name="Kind_Name", **given))

    assert ("Kind_Name", "Rude_Name") == (done.account.account.name, done.account.first_name)
    assert "Kind_Name" == (await rosie.ask(pb.GetAccountRequest())).account.name
    assert "INVALID_REQUEST" == await reason(town.account("rude_name"))
    [(what, why)] = await acts(admin, await id_of(rosie))
    assert what.startswith("rename account ")
    assert (WHY, WHY) == (why, (await notices(rosie))[0].why)


# Deleting.


@DESK
async def test_a_deleted_account_is_gone(town):
    """With its ways in; the log says which it was and not what it was called."""
    admin, rosie = await admin_of(town), await town.account("Short_Lived")
    account = await id_of(rosie)
    gone = await admin.ask(desk.DeleteByHostRequest(account=account, why=WHY))

    assert gone.pseudonym.startswith("gone-")
    assert "UNAUTHENTICATED" == await reason(rosie.ask(pb.GetAccountRequest()))
    assert [(f"delete account {account}", WHY)] == await acts(admin, account)
    assert not [line for line in await audit(admin) if "Short_Lived" in line.what]
    again = pb.CreateAccountRequest(name="Short_Lived")
    assert "INVALID_REQUEST" == await reason(town.nobody().ask(again)), "it is kept for a while"


@DESK
async def test_who_has_a_part_in_what_is_live_is_not_deleted_yet(town):
    """Else his name would come into the ledger with the match; nothing is changed or noted."""
    admin, rosie = await admin_of(town), await town.account()
    account = await id_of(rosie)
    match = await town.open_match(rosie)
    await rosie.ask(pb.JoinMatchRequest(match=match))
    denied = await refusal(admin.ask(desk.DeleteByHostRequest(account=account, why=WHY)))
    assert ("NOT_ALLOWED", match) == (denied.reason, denied.metadata["match"])
    assert [] == await acts(admin, account)
    await rosie.ask(pb.LeaveMatchRequest(match=match))
    assert "NOT_ALLOWED" == await reason(
        admin.ask(desk.DeleteByHostRequest(account=account, why=WHY))
    )
    closed = await town.store.match(match, past=False)
    await town.store.keep_closed(closed)
    await town.store.take_out(closed)

    assert await admin.ask(desk.DeleteByHostRequest(account=account, why=WHY))


@DESK
async def test_what_there_is_not_is_refused_and_not_noted(town):
    """Each act on an account that nobody has."""
    admin, nobody = await admin_of(town), "z" * 16
    before = len(await audit(admin))
    for request in (
        desk.GetAccountForDeskRequest(account=nobody),
        desk.RenameByHostRequest(account=nobody, name="Willow_9", why=WHY),
        desk.MuteAccountRequest(account=nobody, until=until(), why=WHY),
        desk.LiftMuteRequest(account=nobody, why=WHY),
        desk.BanAccountRequest(account=nobody, until=until(), why=WHY),
        desk.LiftBanRequest(account=nobody, why=WHY),
        desk.DeleteByHostRequest(account=nobody, why=WHY),
    ):
        assert "account" == (await refusal(admin.ask(request))).metadata["field"]

    assert before == len(await audit(admin))


@DESK
async def test_two_admins_at_once_leave_one_log(town):
    """Every act of both has its line, in one chain."""
    other = await town.gateway()
    admin, players = await admin_of(town), [await town.account() for _ in range(6)]
    at = [admin, town.same(admin, other)]
    ids = [await id_of(who) for who in players]
    requests = [
        desk.MuteAccountRequest(account=who, until=until(3600 + n), why=f"{n}")
        for n in range(2)
        for who in ids
    ]
    await asyncio.gather(*(at[n % 2].ask(one) for n, one in enumerate(requests)))
    lines = await audit(admin)

    noted = [line for line in lines if any(who in line.what for who in ids)]
    assert len(requests) == len(noted)
    assert all(line.before == before.hash for before, line in itertools.pairwise(lines))
