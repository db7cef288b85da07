"""Sessions of browsers: begun as a guest, by a code or a token, and ended from anywhere."""

from __future__ import annotations

import asyncio
import re

import grpc
import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from bree.process.statuses import Denied, denied_by
from gateway import accounts, sessions
from gateway.accounts import hash_of
from gateway.matches import now_ms
from tests.gateway.town import Caller, reason, refusal, until


async def begun(town, process=None, **given):
    """Somebody with a new session, and what he was told."""
    caller = town.nobody(process)
    told = await caller.ask(pb.StartSessionRequest(**given))
    return Caller(caller.channel, told.token, told.account.name), told


async def another(town, caller, process=None, **given):
    """The same account on another device."""
    code = (await caller.ask(pb.CreateLoginCodeRequest())).code
    return await begun(town, process, code=code, **given)


async def listed(caller):
    return (await caller.ask(pb.ListSessionsRequest())).sessions


async def is_in(caller):
    """Whether a token is still worth something."""
    try:
        await accounts_of(caller)
    except grpc.aio.AioRpcError as error:
        return denied_by(error).reason != "UNAUTHENTICATED"
    return True


async def accounts_of(caller):
    return (await caller.ask(pb.GetAccountRequest())).account


# Beginning.


async def test_a_visitor_is_a_guest_at_once(town):
    """With a token that is good for everything; it has the session's id in it."""
    rosie, told = await begun(town, device="Firefox on Linux")
    account = await accounts_of(rosie)

    assert told.account == account
    assert account.guest
    assert re.fullmatch(rf"{account.id}\.{told.session.id}\.[\w-]{{43}}", told.token)
    match = await town.running_match(rosie, "novice")
    assert 1 == (await town.act(rosie, match, "red")).standing.revision
    [session] = await listed(rosie)
    assert ("Firefox on Linux", True, told.session.id) == (
        session.device,
        session.current,
        session.id,
    )
    assert session.create_time == session.use_time == told.session.create_time


async def test_only_the_hash_of_a_sessions_token_is_kept(town):
    """And of a code what nobody can try codes on without the platform's token."""
    rosie, told = await begun(town)
    code = (await rosie.ask(pb.CreateLoginCodeRequest())).code.replace("-", "").lower()
    kept = await town.store.session(told.account.id, told.session.id)

    assert hash_of(rosie.token) == kept.token_hash
    assert rosie.token.rpartition(".")[2] not in repr(kept)
    assert "" == await town.store.account_of_code(code)
    assert "" == await town.store.account_of_code(hash_of(code))


async def test_a_second_device_comes_in_by_a_code(town):
    """However it is typed; both are the same account, and play the same matches."""
    rosie, first = await begun(town, device="one")
    code = (await rosie.ask(pb.CreateLoginCodeRequest())).code
    assert re.fullmatch(r"[A-Z2-9]{4}-[A-Z2-9]{4}", code)
    assert not set("LO01") & set(code)
    typed = f" {code[:2].lower()} {code[2:4]} -- {code[5:]}\t"
    phone, second = await begun(town, code=typed, device="two")

    assert first.account == second.account
    assert first.session.id != second.session.id
    match = await town.running_match(rosie, "novice")
    assert 1 == (await town.act(phone, match, "red")).standing.revision
    assert {("one", False), ("two", True)} == {(s.device, s.current) for s in await listed(phone)}


async def test_a_code_is_used_once(town):
    """A new one voids the older, and nobody is told which was wrong."""
    rosie, _ = await begun(town)
    older, code = [(await rosie.ask(pb.CreateLoginCodeRequest())).code for _ in range(2)]
    said = [(await refusal(begun(town, code=older)))]
    await begun(town, code=code)
    said += [await refusal(begun(town, code=wrong)) for wrong in (code, "2222-2222")]

    assert {("UNAUTHENTICATED", "this code is worth nothing: ask for a new one")} == {
        (denied.reason, denied.message) for denied in said
    }
    assert 2 == len(await listed(rosie))


async def test_a_code_lasts_for_minutes(town, monkeypatch):
    """As it says."""
    rosie, _ = await begun(town)
    told = await rosie.ask(pb.CreateLoginCodeRequest())
    assert abs(told.expire_time.ToMilliseconds() - now_ms() - 300_000) < 30_000
    monkeypatch.setattr(sessions, "CODE_MS", -1)
    code = (await rosie.ask(pb.CreateLoginCodeRequest())).code

    assert "UNAUTHENTICATED" == await reason(begun(town, code=code))


async def test_one_of_many_comes_in_by_a_code(town):
    """However many type it at once, at two gateways."""
    other = await town.gateway()
    rosie, _ = await begun(town)
    code = (await rosie.ask(pb.CreateLoginCodeRequest())).code
    tries = [begun(town, process, code=code) for process in (town.process, other) * 4]
    found = await asyncio.gather(*tries, return_exceptions=True)

    assert 1 == sum(isinstance(one, tuple) for one in found)
    assert 2 == len(await listed(rosie))


async def test_a_programmer_comes_in_by_a_token(town):
    """Of the account, or of a session; a wrong one is refused."""
    rosie = await town.account("Rosie_1")
    page, told = await begun(town, token=rosie.token)
    again, _ = await begun(town, token=page.token)

    assert "Rosie_1" == told.account.name
    assert told.account == await accounts_of(again)
    for wrong in (rosie.token[:-1], rosie.token[:-1] + "~", f"{'a' * 16}.{'A' * 43}", "x"):
        assert "UNAUTHENTICATED" == await reason(begun(town, token=wrong))


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"code": "AAAA-AAAA", "token": "x"}, "token"),
        ({"device": "x" * 61}, "device"),
        ({"device": "two\nlines"}, "device"),
        ({"device": "\u202e"}, "device"),
        ({"code": "AAAA-AAA"}, "code"),
        ({"code": "AAAA-AAA0"}, "code"),
        ({"code": "A" * 9}, "code"),
        ({"code": "A" + " " * 40 + "AAAAAAA"}, "code"),
        ({"code": "-"}, "code"),
    ],
)
async def test_a_bad_request_begins_nothing(town, given, field):
    """And says which field is wrong."""
    denied = await refusal(begun(town, **given))

    assert ("INVALID_REQUEST", field) == (denied.reason, denied.metadata["field"])
    assert await begun(town, device="\u00e4" * 60)


# Limits.

SLOW = {"new_accounts_burst": 2, "wrong_tokens_burst": 3}


@pytest.mark.parametrize("town", [SLOW], indirect=True)
async def test_new_guests_are_new_accounts(town):
    """An address makes so many, in both ways together."""
    await begun(town)
    await town.account()
    denied = await refusal(begun(town))

    assert ("RATE_LIMITED", "20 accounts a minute") == (denied.reason, denied.metadata["limit"])
    assert "RATE_LIMITED" == await reason(town.nobody().ask(pb.CreateAccountRequest()))


@pytest.mark.parametrize("town", [SLOW], indirect=True)
@pytest.mark.parametrize("kind", ["code", "token"])
async def test_an_address_guesses_so_often(town, kind):
    """Codes and tokens are counted together; right ones are no guesses."""
    rosie, told = await begun(town)
    for _ in range(5):
        await another(town, rosie)
        await begun(town, token=rosie.token)
    for number in range(3):
        wrong = {"code": f"2222-222{number + 2}"}
        if kind == "token":
            wrong = {"token": f"{told.account.id}.{number:043d}"}
        assert "UNAUTHENTICATED" == await reason(begun(town, **wrong))
    denied = await refusal(another(town, rosie))

    assert ("RATE_LIMITED", "30 wrong tokens a minute") == (denied.reason, denied.metadata["limit"])
    assert "RATE_LIMITED" == await reason(begun(town, token=f"{told.account.id}.{9:043d}"))


async def test_of_too_many_sessions_the_longest_unused_one_goes(town, monkeypatch):
    """With its streams; the others stay."""
    monkeypatch.setattr(sessions, "MOST_SESSIONS", 3)
    rosie, _ = await begun(town)
    devices = [rosie] + [(await another(town, rosie))[0] for _ in range(2)]
    streams = [device.stream(pb.ListenQuestionsRequest()) for device in devices]
    await until(town.process.gateway.streams.accounts)
    monkeypatch.setattr(accounts, "USE_MS", 0)
    await asyncio.sleep(0.1)
    for device in (devices[0], devices[2]):
        await accounts_of(device)
    await another(town, rosie)

    assert "UNAUTHENTICATED" == await reason(streams[1].rest())
    await asyncio.sleep(0.1)
    assert [True, False, True] == [await is_in(device) for device in devices]
    assert 3 == len(await listed(rosie))


# Use.


async def test_the_use_of_a_session_is_noted_once_an_hour(town, monkeypatch):
    """Else a call would cost a write."""
    rosie, told = await begun(town)
    noted, note = [], town.store.use_session

    async def use_session(*given):
        noted.append(given)
        await note(*given)

    monkeypatch.setattr(town.store, "use_session", use_session)
    for _ in range(3):
        await accounts_of(rosie)
        await asyncio.sleep(2 * accounts.BELIEVED_SECONDS)
    assert not noted
    later = now_ms() + accounts.USE_MS + 1
    monkeypatch.setattr(accounts, "now_ms", lambda: later)
    for _ in range(3):
        await accounts_of(rosie)
        await asyncio.sleep(2 * accounts.BELIEVED_SECONDS)

    assert 1 == len(noted)
    [session] = await listed(rosie)
    assert later == session.use_time.ToMilliseconds()
    assert told.session.create_time == session.create_time


async def test_a_use_that_cannot_be_noted_is_no_matter(town, monkeypatch):
    """A store that is full is still read."""
    rosie, _ = await begun(town)
    monkeypatch.setattr(accounts, "USE_MS", 0)

    async def refuse(*_):
        raise Denied("UNAVAILABLE", "the store is full", part="store")

    monkeypatch.setattr(town.store, "use_session", refuse)

    assert await accounts_of(rosie)


async def test_sessions_are_listed_by_their_use(town, monkeypatch):
    """The latest first; only the caller's own account's."""
    rosie, _ = await begun(town, device="one")
    phone, _ = await another(town, rosie, device="two")
    await begun(town, device="a stranger's")
    later = iter([now_ms() + 2 * accounts.USE_MS, now_ms() + 4 * accounts.USE_MS])
    await asyncio.sleep(2 * accounts.BELIEVED_SECONDS)
    for device in (phone, rosie):
        now = next(later)
        monkeypatch.setattr(accounts, "now_ms", lambda now=now: now)
        await accounts_of(device)

    assert ["one", "two"] == [session.device for session in await listed(rosie)]
    program = await town.account()
    assert not await listed(program)
