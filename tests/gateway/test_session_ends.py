"""Sessions that are ended from anywhere, and tokens for programs beside them."""

from __future__ import annotations

import asyncio

import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from gateway import accounts
from tests.gateway.test_sessions import accounts_of, another, begun, is_in
from tests.gateway.town import Caller, reason, refusal


@pytest.mark.parametrize("how", ["itself", "another one", "all", "revoking"])
async def test_a_session_that_ended_is_worth_nothing(town, monkeypatch, how):
    """Once that is said, though another gateway has just believed it, and hears no news."""
    monkeypatch.setattr(accounts, "BELIEVED_SECONDS", 0.3)
    other = await town.gateway()
    await other.gateway.news_subscriber.close()
    rosie, _ = await begun(town)
    phone, told = await another(town, rosie)
    there = town.same(phone, other)
    ending = {
        "itself": lambda: phone.ask(pb.EndSessionRequest()),
        "another one": lambda: rosie.ask(pb.EndSessionRequest(session=told.session.id)),
        "all": lambda: rosie.ask(pb.EndAllSessionsRequest()),
        "revoking": lambda: rosie.ask(pb.RevokeTokenRequest()),
    }[how]
    call = asyncio.ensure_future(ending())
    while not call.done() and await is_in(there):
        """It is believed until the answer comes, or nearly so."""
    await call

    assert [False, False] == [await is_in(there), await is_in(phone)]
    assert (how in ("itself", "another one")) == await is_in(rosie)
    for _ in range(2 if how == "another one" else 0):  # once more changes nothing
        await rosie.ask(pb.EndSessionRequest(session=told.session.id))


@pytest.mark.parametrize("how", ["itself", "another one", "all"])
async def test_streams_end_with_their_session(town, how):
    """At both gateways and at once; those of other sessions and of the account's token go on."""
    other = await town.gateway()
    rosie, _ = await begun(town)
    phone, told = await another(town, rosie)
    program = Caller(rosie.channel, (await rosie.ask(pb.RotateTokenRequest())).token)
    match = await town.running_match(rosie, "novice")
    request = pb.WatchMatchRequest(match=match)
    ends = [phone.stream(request), town.same(phone, other).stream(request)]
    stays = [program.stream(request), town.same(program, other).stream(request)]
    stays += [] if how == "all" else [rosie.stream(request)]
    for stream in ends + stays:
        await stream.next()
    if how == "all":
        assert 2 == (await program.ask(pb.EndAllSessionsRequest())).ended
    else:
        session = told.session.id if how == "another one" else ""
        await (rosie if session else phone).ask(pb.EndSessionRequest(session=session))

    for stream in ends:
        async with asyncio.timeout(1):
            assert "UNAUTHENTICATED" == await reason(stream.rest())
    town.count(match)
    for stream in stays:
        assert 1 == (await stream.next()).standing.revision


async def test_all_sessions_end_but_for_this_one(town):
    """If that is wanted; the account's own token stays, and no code stands any more."""
    rosie, _ = await begun(town)
    program = Caller(rosie.channel, (await rosie.ask(pb.RotateTokenRequest())).token)
    phones = [(await another(town, rosie))[0] for _ in range(2)]
    code = (await rosie.ask(pb.CreateLoginCodeRequest())).code
    assert 2 == (await rosie.ask(pb.EndAllSessionsRequest(keep_current=True))).ended

    assert [False, False, True, True] == [await is_in(one) for one in (*phones, rosie, program)]
    assert "UNAUTHENTICATED" == await reason(begun(town, code=code))
    assert 1 == (await program.ask(pb.EndAllSessionsRequest(keep_current=True))).ended
    assert 0 == (await program.ask(pb.EndAllSessionsRequest())).ended
    assert await is_in(program)


async def test_a_session_of_somebody_else_is_not_ended(town):
    """Nobody learns that there is one."""
    rosie, _ = await begun(town)
    _, told = await begun(town)
    await rosie.ask(pb.EndSessionRequest(session=told.session.id))

    assert [told.session.id] == [
        session.id for session in await town.store.sessions(told.account.id)
    ]
    program = await town.account()
    denied = await refusal(program.ask(pb.EndSessionRequest()))
    assert {"field": "session"} == denied.metadata
    for wrong in ("x", "X" * 8, "a" * 9, "{a:b}-cd"):
        denied = await refusal(rosie.ask(pb.EndSessionRequest(session=wrong)))
        assert {"field": "session"} == denied.metadata


# Tokens for programs.


async def test_a_page_shows_a_programmer_a_token(town):
    """Of an account whose own token was never told; its sessions stay, an older token does not."""
    rosie, told = await begun(town)
    phone, _ = await another(town, rosie)
    first = Caller(rosie.channel, (await rosie.ask(pb.RotateTokenRequest())).token)
    assert told.account == await accounts_of(first)
    second = Caller(rosie.channel, (await phone.ask(pb.RotateTokenRequest())).token)

    assert [False, True, True, True] == [await is_in(one) for one in (first, second, rosie, phone)]
    third = Caller(rosie.channel, (await second.ask(pb.RotateTokenRequest())).token)
    assert [False, True, True] == [await is_in(one) for one in (second, third, rosie)]


async def test_revoking_ends_everything(town):
    """From a session, too; no token and no code brings anybody back."""
    rosie, _ = await begun(town)
    phone, _ = await another(town, rosie)
    program = Caller(rosie.channel, (await rosie.ask(pb.RotateTokenRequest())).token)
    code = (await rosie.ask(pb.CreateLoginCodeRequest())).code
    await phone.ask(pb.RevokeTokenRequest())

    assert [False] * 3 == [await is_in(one) for one in (rosie, phone, program)]
    assert "UNAUTHENTICATED" == await reason(begun(town, code=code))
    assert "UNAUTHENTICATED" == await reason(begun(town, token=program.token))


async def test_a_session_that_has_ended_rotates_nothing(town, monkeypatch):
    """Though it is still believed at this moment."""
    monkeypatch.setattr(accounts, "BELIEVED_SECONDS", 5)
    rosie, told = await begun(town)
    await accounts_of(rosie)
    await town.store.end_sessions(told.account.id, [told.session.id])

    assert "UNAUTHENTICATED" == await reason(rosie.ask(pb.RotateTokenRequest()))
    assert "UNAUTHENTICATED" == await reason(rosie.ask(pb.RevokeTokenRequest()))


async def test_malformed_tokens_of_sessions_are_worth_nothing(town):
    """Each part is looked at."""
    rosie, _ = await begun(town)
    sam, _ = await begun(town)
    (account, session, secret), theirs = rosie.token.split("."), sam.token.split(".")
    wrong = [
        f"{account}.{secret}",
        f"{account}.{theirs[1]}.{secret}",
        f"{theirs[0]}.{session}.{secret}",
        f"{account}.{session}.{theirs[2]}",
        f"{account}.{session}",
        f"{account}..{secret}",
        f"{account}.{session.upper()}.{secret}",
        f"{rosie.token}.{secret}",
    ]

    assert not any([await is_in(Caller(rosie.channel, token)) for token in wrong])
    assert await is_in(rosie)
