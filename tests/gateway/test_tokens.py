"""Tokens that are made by name for programs: told once, listed, and ended alone."""

from __future__ import annotations

import asyncio
import re

import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from bree.gateway.v1 import tokens_pb2 as tokens
from gateway import accounts
from gateway.accounts import hash_of
from gateway.matches import now_ms
from tests.gateway.test_sessions import accounts_of, another, begun, is_in
from tests.gateway.town import Caller, reason, refusal, until

READ, PLAY, BOT = (
    tokens.TOKEN_SCOPE_READ,
    tokens.TOKEN_SCOPE_PLAY,
    tokens.TOKEN_SCOPE_BOT,
)


async def made(caller, name="my program", scope=PLAY, process=None):
    """A program with a token, and what was told of it."""
    told = await caller.ask(tokens.CreateTokenRequest(name=name, scope=scope))
    return Caller(caller.channel, told.secret, caller.name), told.token


async def listed(caller):
    return (await caller.ask(tokens.ListTokensRequest())).tokens


async def test_a_program_gets_a_token_of_its_own(town):
    """It is the same account, and may do what its scope says."""
    rosie, told = await begun(town)
    program, token = await made(rosie, "my p\u00e4ge", PLAY)

    assert re.fullmatch(rf"{told.account.id}\.{token.id}\.[\w-]{{43}}", program.token)
    assert told.account == await accounts_of(program)
    match = await town.running_match(program, "novice")
    assert 1 == (await town.act(program, match, "red")).standing.revision
    [kept] = await listed(rosie)
    assert token == kept
    assert ("my p\u00e4ge", PLAY, False) == (kept.name, kept.scope, kept.current)
    assert abs(kept.create_time.ToMilliseconds() - now_ms()) < 60_000
    assert kept.create_time == kept.use_time


async def test_only_the_hash_of_a_token_is_kept(town):
    """The store cannot give it back, and no list tells it."""
    rosie = await town.account()
    program, token = await made(rosie)
    account, _, secret = program.token.split(".")
    kept = await town.store.session(account, token.id)

    assert hash_of(program.token) == kept.token_hash
    assert secret not in repr(kept) + repr(await listed(rosie))


async def test_tokens_and_sessions_are_listed_apart(town):
    """Each by the latest use; only the caller's own account's."""
    rosie, _ = await begun(town, device="a phone")
    for name, scope in (("one", READ), ("two", BOT)):
        await made(rosie, name, scope)
    await made(await town.account(), "a stranger's")

    assert {("one", READ), ("two", BOT)} == {(t.name, t.scope) for t in await listed(rosie)}
    sessions = (await rosie.ask(pb.ListSessionsRequest())).sessions
    assert ["a phone"] == [session.device for session in sessions]


async def test_the_use_of_a_token_is_told_to_within_an_hour(town, monkeypatch):
    """And those are listed first that were used last."""
    rosie = await town.account()
    program, token = await made(rosie, "one")
    await made(rosie, "two")
    later = now_ms() + accounts.USE_MS + 1
    monkeypatch.setattr(accounts, "now_ms", lambda: later)
    await accounts_of(program)
    found = await listed(rosie)

    assert ["one", "two"] == [one.name for one in found]
    assert later == found[0].use_time.ToMilliseconds()
    assert token.create_time == found[0].create_time


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "   "}, "name"),
        ({"name": "x" * 61}, "name"),
        ({"name": "two\nlines"}, "name"),
        ({"name": "\u202ex"}, "name"),
        ({"scope": 0}, "scope"),
        ({"scope": 9}, "scope"),
        ({"scope": -1}, "scope"),
    ],
)
async def test_a_bad_wish_makes_nothing(town, given, field):
    """And says which field is wrong."""
    rosie = await town.account()
    request = tokens.CreateTokenRequest(**({"name": "mine", "scope": PLAY} | given))
    denied = await refusal(rosie.ask(request))

    assert ("INVALID_REQUEST", field) == (denied.reason, denied.metadata["field"])
    assert not await listed(rosie)
    assert (await made(rosie, "\u00e4" * 60))[0].token


async def test_an_account_has_twenty(town):
    """Also if it asks for many at once, at two gateways; one that is ended makes room."""
    other = await town.gateway()
    rosie = await town.account()
    there = town.same(rosie, other)
    wishes = [made(one, f"t{n}") for n in range(12) for one in (rosie, there)]
    found = await asyncio.gather(*wishes, return_exceptions=True)
    denied = await refusal(made(rosie))

    assert 20 == len(await listed(rosie)) == sum(isinstance(one, tuple) for one in found)
    assert ("LIMIT_REACHED", "20", "tokens") == (
        denied.reason,
        denied.metadata["limit"],
        denied.metadata["of"],
    )
    await rosie.ask(tokens.EndTokenRequest(token=(await listed(rosie))[0].id))
    assert await made(rosie)


# Ending.


async def test_a_token_that_ended_is_worth_nothing(town, monkeypatch):
    """Once that is said, though another gateway has just believed it, and hears no news."""
    monkeypatch.setattr(accounts, "BELIEVED_SECONDS", 0.3)
    other = await town.gateway()
    await other.gateway.news_subscriber.close()
    rosie = await town.account()
    (program, token), (stays, _) = await made(rosie), await made(rosie, "another")
    there = town.same(program, other)
    assert await is_in(there)
    call = asyncio.ensure_future(rosie.ask(tokens.EndTokenRequest(token=token.id)))
    while not call.done() and await is_in(there):
        """It is believed until the answer comes, or nearly so."""
    await call

    assert [False, False, True] == [await is_in(one) for one in (there, program, stays)]
    assert ["another"] == [one.name for one in await listed(rosie)]
    await rosie.ask(tokens.EndTokenRequest(token=token.id))  # once more changes nothing


@pytest.mark.parametrize("town", [{"rescan_seconds": 600}], indirect=True)
async def test_streams_end_with_their_token(town):
    """At both gateways and at once; those of other tokens and sessions go on."""
    other = await town.gateway()
    rosie, _ = await begun(town)
    (program, token), (stays, _) = await made(rosie), await made(rosie, "another")
    match = await town.running_match(rosie, "novice")
    request = pb.WatchMatchRequest(match=match)
    ends = [program.stream(request), town.same(program, other).stream(request)]
    goes_on = [stays.stream(request), town.same(rosie, other).stream(request)]
    for stream in ends + goes_on:
        await stream.next()
    await rosie.ask(tokens.EndTokenRequest(token=token.id))

    for stream in ends:
        assert "UNAUTHENTICATED" == await reason(stream.rest())
    town.count(match)
    for stream in goes_on:
        assert 1 == (await stream.next()).standing.revision


async def test_streams_end_with_their_token_though_nobody_tells(town):
    """News may be lost; tokens are looked up now and then."""
    rosie = await town.account()
    program, token = await made(rosie, scope=BOT)
    stream = program.stream(pb.ListenQuestionsRequest())
    await until(town.process.gateway.streams.accounts)
    await town.store.end_token(rosie.token.partition(".")[0], token.id)

    assert "UNAUTHENTICATED" == await reason(stream.rest())


async def test_a_token_of_somebody_else_is_not_ended(town):
    """Nor is a session by this; nobody learns what there is."""
    rosie, told = await begun(town)
    sam = await town.account()
    _, theirs = await made(sam)
    for token in (theirs.id, told.session.id, "aaaaaaaa"):
        await rosie.ask(tokens.EndTokenRequest(token=token))
    for wrong in ("", "x", "X" * 8, "a" * 9, "{a:b}-cd"):
        denied = await refusal(rosie.ask(tokens.EndTokenRequest(token=wrong)))
        assert {"field": "token"} == denied.metadata

    assert await is_in(rosie)
    assert 1 == len(await listed(sam))


@pytest.mark.parametrize("too", [False, True])
async def test_all_sessions_end_and_tokens_if_that_is_wanted(town, too):
    """The account's own token stays."""
    rosie, _ = await begun(town)
    phone, _ = await another(town, rosie)
    own = Caller(rosie.channel, (await rosie.ask(pb.RotateTokenRequest())).token)
    program, _ = await made(rosie)
    request = pb.EndAllSessionsRequest(keep_current=True, tokens_too=too)
    told = await rosie.ask(request)

    assert (1, int(too)) == (told.ended, told.tokens_ended)
    found = [await is_in(one) for one in (rosie, phone, own, program)]
    assert [True, False, True, not too] == found


async def test_a_new_token_of_the_account_leaves_them_and_revoking_ends_them(town):
    """With all else."""
    rosie = await town.account()
    program, _ = await made(rosie)
    again = Caller(rosie.channel, (await rosie.ask(pb.RotateTokenRequest())).token)
    assert [False, True, True] == [await is_in(one) for one in (rosie, program, again)]
    await again.ask(pb.RevokeTokenRequest())

    assert [False, False] == [await is_in(one) for one in (program, again)]


async def test_whoever_was_shut_out_leaves_nothing_behind(town, monkeypatch):
    """A thief whose session has ended is believed for a moment longer: he makes no way in of it."""
    monkeypatch.setattr(accounts, "BELIEVED_SECONDS", 5)
    rosie, _ = await begun(town)
    thief, _ = await another(town, rosie)
    await accounts_of(thief)
    account = rosie.token.partition(".")[0]
    await town.store.end_all(account, rosie.token.split(".")[1], tokens_too=True)
    assert await is_in(thief), "he is believed, as the test takes for granted"

    for request in (
        tokens.CreateTokenRequest(name="mine", scope=PLAY),
        pb.CreateLoginCodeRequest(),
        pb.RenameAccountRequest(name="Thief"),
        pb.RotateTokenRequest(),
        pb.StartSessionRequest(token=thief.token),
    ):
        assert "UNAUTHENTICATED" == await reason(thief.ask(request)), request
    assert not await town.store.tokens(account)
    assert 1 == len(await town.store.sessions(account))


@pytest.mark.parametrize("town", [{"wrong_tokens_burst": 3}], indirect=True)
async def test_tokens_are_guessed_no_oftener_than_others(town):
    """A wrong one costs as much as any other, whether there is a token of this id or not."""
    rosie = await town.account()
    program, token = await made(rosie)
    account, _, _ = program.token.split(".")
    wrong = [f"{account}.{session}.{n:043d}" for n, session in enumerate((token.id, "a" * 8) * 2)]
    said = [await refusal(Caller(rosie.channel, one).ask(pb.GetAccountRequest())) for one in wrong]

    assert ["UNAUTHENTICATED"] * 3 + ["RATE_LIMITED"] == [denied.reason for denied in said]
    assert 1 == len({denied.message for denied in said[:3]})
