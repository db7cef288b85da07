"""Accounts, names and tokens."""

from __future__ import annotations

import asyncio
import base64
import re

import grpc
import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from gateway import accounts, names
from gateway.accounts import hash_of
from tests.gateway.town import Caller, reason, refusal, until


async def test_an_account_is_what_it_was_made(town):
    """What is told when it is made is told ever after."""
    nobody = town.nobody()
    made = await nobody.ask(pb.CreateAccountRequest(name="Rosie_C-1"))
    shown = await Caller(nobody.channel, made.token).ask(pb.GetAccountRequest())

    assert made.account == shown.account
    assert ("Rosie_C-1", False) == (shown.account.name, shown.account.guest)
    assert shown.account.create_time.seconds > 1_600_000_000


async def test_a_guest_gets_a_name(town):
    """A different one for each, that keeps to the rules of names."""
    nobody = town.nobody()
    made = [(await nobody.ask(pb.CreateAccountRequest())).account for _ in range(5)]

    assert all(account.guest for account in made)
    assert 5 == len({account.name for account in made})
    assert all(re.fullmatch(r"[a-z]+-[a-z]+-\d{4}", account.name) for account in made)


def test_the_longest_name_of_a_guest_is_a_name():
    """No two words together are too long."""
    longest = [max(map(len, words.split())) for words in (names.FIRST, names.LAST)]

    assert sum(longest) + len("--1234") <= 24


async def test_a_guest_never_takes_a_name_that_is_taken(town, monkeypatch):
    """Another one is made up."""
    given = iter(["Rosie", "rosie", "sam"])
    monkeypatch.setattr(names, "guest_name", lambda: next(given))
    nobody = town.nobody()
    made = [(await nobody.ask(pb.CreateAccountRequest())).account.name for _ in range(2)]

    assert ["Rosie", "sam"] == made


@pytest.mark.parametrize(
    "name",
    [
        "x",
        "x" * 25,
        "two words",
        "Jos\u00e9",
        "a.b",
        "bot:novice",
        "-\n-",
        "\u202erosie",
        "host",
        "Chance",
    ],
)
async def test_a_bad_name_is_refused(town, name):
    """With the field that is wrong."""
    denied = await refusal(town.nobody().ask(pb.CreateAccountRequest(name=name)))

    assert ("INVALID_REQUEST", {"field": "name"}) == (denied.reason, denied.metadata)


async def test_a_name_is_taken_once(town):
    """In capitals or not."""
    await town.account("Rosie2")
    denied = await refusal(town.nobody().ask(pb.CreateAccountRequest(name="ROSIE2")))

    assert ("INVALID_REQUEST", {"field": "name"}) == (denied.reason, denied.metadata)
    assert "taken" in denied.message


async def test_only_the_hash_of_a_token_is_kept(town):
    """A token has 32 random bytes, and the store cannot give it back."""
    rosie = await town.account()
    account, _, secret = rosie.token.partition(".")
    kept = await town.store.credentials(account)

    assert 32 == len(base64.urlsafe_b64decode(secret + "="))
    assert hash_of(rosie.token) == kept.token_hash
    assert secret not in repr(kept)


async def test_a_token_that_was_proved_is_believed_for_a_moment(town, monkeypatch):
    """The store is not asked at every call."""
    monkeypatch.setattr(accounts, "BELIEVED_SECONDS", 0.3)
    rosie = await town.account()
    looked, look = [], town.store.credentials

    async def credentials(account, *, surely=False):
        looked.append(account)
        return await look(account, surely=surely)

    monkeypatch.setattr(town.store, "credentials", credentials)
    for _ in range(3):
        await rosie.ask(pb.GetAccountRequest())
    assert 1 == len(looked)
    await asyncio.sleep(0.3)
    await rosie.ask(pb.GetAccountRequest())
    assert 2 == len(looked)


@pytest.mark.parametrize("method", [pb.RotateTokenRequest, pb.RevokeTokenRequest])
async def test_a_token_is_worth_nothing_once_that_is_said(town, method, monkeypatch):
    """Though another gateway has just believed it, and hears no news."""
    monkeypatch.setattr(accounts, "BELIEVED_SECONDS", 0.3)
    other = await town.gateway()
    await other.gateway.news_subscriber.close()
    rosie = await town.account()
    there = town.same(rosie, other)
    changing = asyncio.ensure_future(rosie.ask(method()))
    while not changing.done():
        try:
            await there.ask(pb.GetAccountRequest())
        except grpc.aio.AioRpcError:
            break
    await changing

    assert "UNAUTHENTICATED" == await reason(there.ask(pb.GetAccountRequest()))
    assert "UNAUTHENTICATED" == await reason(rosie.ask(pb.GetAccountRequest()))


async def test_a_rotated_token_is_worth_nothing(town):
    """The new one is the account's."""
    rosie = await town.account()
    other = await town.gateway()
    new = (await rosie.ask(pb.RotateTokenRequest())).token
    again = Caller(rosie.channel, new)

    assert new != rosie.token
    assert rosie.name == (await again.ask(pb.GetAccountRequest())).account.name
    assert "UNAUTHENTICATED" == await reason(rosie.ask(pb.GetAccountRequest()))
    assert "UNAUTHENTICATED" == await reason(town.same(rosie, other).ask(pb.GetAccountRequest()))


async def test_a_token_is_rotated_once(town):
    """Of many who hold it, one gets a new one; the others are told that it is worth nothing."""
    rosie = await town.account()
    found = await asyncio.gather(
        *(rosie.ask(pb.RotateTokenRequest()) for _ in range(10)), return_exceptions=True
    )
    new = [said.token for said in found if isinstance(said, pb.RotateTokenResponse)]

    assert 1 == len(new)
    assert await Caller(rosie.channel, new[0]).ask(pb.GetAccountRequest())


async def test_a_revoked_account_is_gone(town):
    """Its name is not given again."""
    rosie = await town.account("Rosie3")
    await rosie.ask(pb.RevokeTokenRequest())

    assert "UNAUTHENTICATED" == await reason(rosie.ask(pb.GetAccountRequest()))
    assert "UNAUTHENTICATED" == await reason(rosie.ask(pb.RotateTokenRequest()))
    assert "INVALID_REQUEST" == await reason(
        town.nobody().ask(pb.CreateAccountRequest(name="Rosie3"))
    )


@pytest.mark.parametrize("method", [pb.RotateTokenRequest, pb.RevokeTokenRequest])
async def test_streams_end_with_their_token(town, method):
    """Also those at another gateway."""
    other = await town.gateway()
    rosie, sam = await town.account(), await town.account()
    match = await town.running_match(rosie, sam)
    here = rosie.stream(pb.ListenQuestionsRequest())
    there = town.same(rosie, other).stream(pb.WatchMatchRequest(match=match))
    sams = town.same(sam, other).stream(pb.WatchMatchRequest(match=match))
    for stream in (here, there, sams):
        await stream.next()
    await rosie.ask(method())

    assert "UNAUTHENTICATED" == await reason(here.rest())
    assert "UNAUTHENTICATED" == await reason(there.rest())
    town.count(match)
    assert 1 == (await sams.next()).standing.revision


async def test_streams_end_with_their_token_though_nobody_tells(town, monkeypatch):
    """News may be lost; tokens are looked up now and then."""
    rosie = await town.account()
    stream = rosie.stream(pb.ListenQuestionsRequest())
    await until(town.process.gateway.streams.accounts)
    account = rosie.token.partition(".")[0]
    await town.store.swap_token(account, hash_of(rosie.token), "")

    assert "UNAUTHENTICATED" == await reason(stream.rest())
