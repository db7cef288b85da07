"""Passkeys are made for who began, by what browsers answer, and so many at most."""

from __future__ import annotations

import asyncio

import pytest

from bree.gateway.v1 import passkeys_pb2 as passkeys
from gateway import passkeys as logic
from tests.gateway.authenticator import PRESENT, VERIFIED, Authenticator
from tests.gateway.test_passkeys import HERE, WITH_PAGE, creation, held, made
from tests.gateway.test_sessions import begun
from tests.gateway.town import reason, refusal

pytestmark = pytest.mark.parametrize("town", [WITH_PAGE], indirect=True)


async def test_a_passkey_is_for_the_account_that_began(town):
    """What was made for one cannot be added to another, nor twice, nor to any other account."""
    rosie, sam = await town.account(), await town.account()
    device = Authenticator(HERE)
    answer = device.make(await creation(rosie))
    adding = passkeys.AddPasskeyRequest(response=answer, name="a")
    assert "UNAUTHENTICATED" == await reason(sam.ask(adding))
    assert "UNAUTHENTICATED" == await reason(rosie.ask(adding)), "a try is the only one"
    for caller, allowed in ((rosie, True), (sam, False), (rosie, True)):
        again = device.make(await creation(caller))
        asking = caller.ask(passkeys.AddPasskeyRequest(response=again, name="a"))
        if allowed:
            await asking
        else:
            assert "UNAUTHENTICATED" == await reason(asking)

    assert ([device.name], []) == ([one.id for one in await held(rosie)], list(await held(sam)))


@pytest.mark.parametrize(
    "given",
    [
        {"origin": "http://localhost"},
        {"host": "elsewhere.example"},
        {"kind": "webauthn.get"},
        {"flags": PRESENT},
        {"flags": VERIFIED},
        {"attested": bytes(16) + b"\0\x04abcd" + b"\xa1\x01\x02"},
        {"attested": bytes(16) + b"\xff\xffabcd"},
        {"attested": b"x"},
        {"challenge": "AAAA"},
    ],
    ids=str,
)
async def test_a_wrong_passkey_is_not_kept(town, given):
    """And the one that is right is, after it."""
    rosie = await town.account()
    answer = Authenticator(HERE).make(await creation(rosie), **given)
    adding = passkeys.AddPasskeyRequest(response=answer, name="a")

    assert await reason(rosie.ask(adding)) in {"UNAUTHENTICATED", "INVALID_REQUEST"}
    assert not await held(rosie)
    assert await made(rosie)


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": " "}, "name"),
        ({"name": "x" * 61}, "name"),
        ({"name": "two\nlines"}, "name"),
        ({"response": ""}, "response"),
        ({"response": "x"}, "response"),
        ({"response": "[" * 16_000}, "response"),
        ({"response": "x" * 16_385}, "response"),
        ({"response": "[]"}, "response"),
        ({"response": '{"id": 1}'}, "response"),
        ({"response": '{"id":"a","rawId":"a","type":"public-key","response":{}}'}, "response"),
    ],
    ids=lambda said: str(said)[:40],
)
async def test_a_bad_request_makes_nothing(town, given, field):
    """And says which field is wrong; the attempt goes on."""
    rosie = await town.account()
    answer = Authenticator(HERE).make(await creation(rosie))
    right = {"response": answer, "name": "my phone"}
    denied = await refusal(rosie.ask(passkeys.AddPasskeyRequest(**(right | given))))

    assert ("INVALID_REQUEST", field) == (denied.reason, denied.metadata["field"])
    assert await rosie.ask(passkeys.AddPasskeyRequest(**right))


@pytest.mark.parametrize(
    "by",
    [
        {"fmt": "android-safetynet", "attStmt": {"ver": "1", "response": b"a.b.c"}},
        {"fmt": "tpm", "attStmt": {"ver": "2.0", "alg": -257, "x5c": [b"x"], "sig": b"x"}},
        {"fmt": "fido-u2f", "attStmt": {"x5c": [b"x"], "sig": b"x"}},
        {"fmt": "apple", "attStmt": {"x5c": [b"x"]}},
        {"fmt": "packed", "attStmt": {"alg": -7, "x5c": [b"x"], "sig": b"x"}},
        {"fmt": "nobody's"},
        {"fmt": 7},
    ],
    ids=str,
)
async def test_an_attestation_that_nobody_has_asked_for_is_not_read(town, by):
    """There is nothing to be learnt by it."""
    rosie = await town.account()
    answer = Authenticator(HERE).make(await creation(rosie), attested_by=by)
    denied = await refusal(rosie.ask(passkeys.AddPasskeyRequest(response=answer, name="a")))

    assert ("INVALID_REQUEST", "response") == (denied.reason, denied.metadata["field"])


async def test_a_passkey_may_vouch_for_itself(town):
    """As some do though nobody asks; if it does so wrongly, it is none."""
    rosie = await town.account()
    answers = [Authenticator(HERE).make(await creation(rosie), vouched=by) for by in (True, False)]
    right, wrong = [passkeys.AddPasskeyRequest(response=one, name="a") for one in answers]

    assert await rosie.ask(right)
    assert "UNAUTHENTICATED" == await reason(rosie.ask(wrong))


@pytest.mark.parametrize("said", ["x", "{}", "[]", "x" * 8_193, "[" * 8_000, "null"])
async def test_what_is_no_answer_of_a_browser_is_told(town, said):
    denied = await refusal(begun(town, passkey=said))

    assert ("INVALID_REQUEST", "passkey") == (denied.reason, denied.metadata["field"])


async def test_proofs_exclude_each_other(town):
    denied = await refusal(begun(town, passkey="{}", token="x"))

    assert ("INVALID_REQUEST", "passkey") == (denied.reason, denied.metadata["field"])


async def test_an_account_has_so_many_at_most(town, monkeypatch):
    """Also if two are made at once."""
    assert 20 == logic.MOST_PASSKEYS
    monkeypatch.setattr(logic, "MOST_PASSKEYS", 2)
    rosie = await town.account()
    await made(rosie)
    answers = [Authenticator(HERE).make(await creation(rosie)) for _ in range(3)]
    adding = [rosie.ask(passkeys.AddPasskeyRequest(response=one, name="a")) for one in answers]
    found = await asyncio.gather(*adding, return_exceptions=True)

    assert 1 == sum(isinstance(one, passkeys.AddPasskeyResponse) for one in found)
    denied = await refusal(rosie.ask(passkeys.BeginPasskeyRequest()))
    assert ("LIMIT_REACHED", "2", "passkeys") == (
        denied.reason,
        denied.metadata["limit"],
        denied.metadata["of"],
    )
