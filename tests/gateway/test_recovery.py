"""Recovery codes: ten to write down, each of which begins a session once."""

from __future__ import annotations

import asyncio
import re

import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from bree.gateway.v1 import recovery_pb2 as recovery
from gateway import names
from tests.gateway.test_sessions import accounts_of, begun
from tests.gateway.town import Caller, reason, refusal

WORTHLESS = ("UNAUTHENTICATED", "this recovery code is worth nothing: try another one")


async def made(caller):
    return (await caller.ask(recovery.CreateRecoveryCodesRequest())).codes


async def left(caller):
    return await caller.ask(recovery.CountRecoveryCodesRequest())


async def test_ten_codes_that_are_easily_typed(town):
    """Of eighty bits each, in letters that nobody takes for each other; each one is another."""
    rosie = await town.account()
    assert recovery.CountRecoveryCodesResponse() == await left(rosie)
    codes = await made(rosie)

    assert 10 == len(set(codes))
    for code in codes:
        assert re.fullmatch(r"(?:[A-Z2-9]{4}-){3}[A-Z2-9]{4}", code)
        assert not set("LO01") & set(code)
    assert (32, 80) == (len(names.ALPHABET), 5 * len(codes[0].replace("-", "")))
    told = await left(rosie)
    assert (10, True) == (told.codes, told.create_time.seconds > 1_600_000_000)


async def test_only_hashes_of_codes_are_kept(town):
    """With which nobody can try codes without the platform's token."""
    rosie = await town.account()
    code = (await made(rosie))[0].replace("-", "").lower()
    store = town.store
    kept = repr(getattr(store, "_recovery", None))
    if hasattr(store, "ledger"):
        query = "SELECT t::text FROM bree.recovery_codes t"
        kept = repr(await store.ledger.read("test", query))

    assert code not in kept.lower()
    assert 10 == len(set(re.findall(r"[0-9a-f]{64}", kept)))


async def test_somebody_without_a_device_comes_in(town):
    """However he types a code; it is the same account, and nine codes are left."""
    rosie = await town.account("Rosie_R")
    codes = await made(rosie)
    typed = f" {codes[3][:4].lower()} {codes[3][5:9]} -- {codes[3][10:]}\t"
    phone, told = await begun(town, recovery_code=typed, device="a new phone")

    assert "Rosie_R" == told.account.name == (await accounts_of(phone)).name
    assert "a new phone" == told.session.device
    assert 9 == (await left(phone)).codes


async def test_a_code_is_worth_something_once(town):
    """What was used, replaced, mistyped or somebody's login code: all are told the same."""
    rosie, sam = await town.account(), await town.account()
    older, codes = await made(rosie), await made(rosie)
    login = (await rosie.ask(pb.CreateLoginCodeRequest())).code
    await begun(town, recovery_code=codes[0])
    await made(sam)
    wrong = [codes[0], older[0], "2222-2222-2222-2222", f"{login}-{login}"]
    said = [await refusal(begun(town, recovery_code=code)) for code in wrong]

    assert {WORTHLESS} == {(denied.reason, denied.message) for denied in said}
    assert [{}] * 4 == [denied.metadata for denied in said]
    assert (9, 10) == ((await left(rosie)).codes, (await left(sam)).codes)


async def test_one_of_many_comes_in_by_a_code(town):
    """However many type it at once, at two gateways."""
    other = await town.gateway()
    rosie = await town.account()
    code = (await made(rosie))[0]
    tries = [begun(town, process, recovery_code=code) for process in (town.process, other) * 4]
    found = await asyncio.gather(*tries, return_exceptions=True)

    assert 1 == sum(isinstance(one, tuple) for one in found)
    assert 1 == len((await rosie.ask(pb.ListSessionsRequest())).sessions)
    assert 9 == (await left(rosie)).codes


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"recovery_code": "x"}, "recovery_code"),
        ({"recovery_code": "AAAA-AAAA-AAAA-AAA0"}, "recovery_code"),
        ({"recovery_code": "AAAA-AAAA-AAAA-AAAAA"}, "recovery_code"),
        ({"recovery_code": "-"}, "recovery_code"),
        ({"recovery_code": "A" * 8 + " " * 80 + "A" * 8}, "recovery_code"),
        ({"recovery_code": "\u00c5" * 16}, "recovery_code"),
        ({"recovery_code": "AAAA-AAAA-AAAA-AAAA", "token": "x"}, "recovery_code"),
        ({"recovery_code": "AAAA-AAAA-AAAA-AAAA", "code": "x"}, "recovery_code"),
    ],
)
async def test_a_bad_request_begins_nothing(town, given, field):
    """And says which field is wrong."""
    denied = await refusal(begun(town, **given))

    assert ("INVALID_REQUEST", field) == (denied.reason, denied.metadata["field"])


@pytest.mark.parametrize("town", [{"wrong_tokens_burst": 3}], indirect=True)
async def test_an_address_guesses_so_often(town):
    """Together with tokens and login codes; right ones are no guesses."""
    rosie = await town.account()
    await rosie.ask(pb.GetAccountRequest())
    codes = await made(rosie)
    for code in codes[:5]:
        await begun(town, recovery_code=code)
    for wrong in (
        {"recovery_code": codes[0]},
        {"code": "2222-2222"},
        {"recovery_code": "2222-2222-2222-2222"},
    ):
        assert "UNAUTHENTICATED" == await reason(begun(town, **wrong))
    denied = await refusal(begun(town, recovery_code=codes[7]))

    assert ("RATE_LIMITED", "30 wrong tokens a minute") == (denied.reason, denied.metadata["limit"])
    assert 5 == (await left(rosie)).codes


async def test_codes_are_one_accounts_and_end_with_it(town):
    """Ending all sessions leaves them; revoking the account does not."""
    rosie, _ = await begun(town)
    sam = await town.account()
    codes = await made(rosie)
    await made(sam)
    await rosie.ask(pb.EndAllSessionsRequest(tokens_too=True))
    again, told = await begun(town, recovery_code=codes[0])
    assert rosie.name == told.account.name
    program = Caller(again.channel, (await again.ask(pb.RotateTokenRequest())).token)
    assert 9 == (await left(program)).codes
    await program.ask(pb.RevokeTokenRequest())

    denied = await refusal(begun(town, recovery_code=codes[1]))
    assert WORTHLESS == (denied.reason, denied.message)
    assert 10 == (await left(sam)).codes
