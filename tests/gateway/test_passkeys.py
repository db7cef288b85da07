"""Passkeys: made, shown, and everything that is refused."""

from __future__ import annotations

import asyncio
import json
from copy import copy

import pytest

from bree.gateway.v1 import gateway_pb2 as pb
from bree.gateway.v1 import passkeys_pb2 as passkeys
from gateway import once, webauthn_words
from gateway import passkeys as logic
from gateway.accounts import hash_of
from gateway.keyring import Identity
from gateway.public_url import public_url
from gateway.scopes import may_call
from tests.gateway.authenticator import (
    BACKED_UP,
    ELIGIBLE,
    PRESENT,
    USUAL,
    VERIFIED,
    Authenticator,
    read,
    written,
)
from tests.gateway.test_sessions import begun, listed
from tests.gateway.town import reason, refusal

HERE = "http://localhost:7080"
WITH_PAGE = {"public_url": HERE, "looks_burst": 10_000}
pytestmark = pytest.mark.parametrize("town", [WITH_PAGE], indirect=True)


async def creation(caller):
    return (await caller.ask(passkeys.BeginPasskeyRequest())).options


async def request(town, process=None):
    """What somebody is asked who wants to log in."""
    return (await town.nobody(process).ask(passkeys.BeginLoginRequest())).options


async def made(caller, **given):
    """A passkey of an account, on a new device."""
    device = Authenticator(**{"origin": HERE} | given)
    answer = device.make(await creation(caller))
    await caller.ask(passkeys.AddPasskeyRequest(response=answer, name="my phone"))
    return device


async def shown(town, device, process=None, **given):
    """Somebody who comes in by a passkey."""
    answer = device.show(await request(town, process), **given)
    return await begun(town, process, passkey=answer)


async def held(caller):
    return (await caller.ask(passkeys.ListPasskeysRequest())).passkeys


# Coming in.


@pytest.mark.parametrize("kind", ["es256", "ed25519"])
async def test_who_has_made_a_passkey_comes_in_by_it(town, kind):
    """Without a name, as himself, with a session of his own."""
    rosie = await town.account()
    device = await made(rosie, kind=kind)
    again, told = await shown(town, device)

    assert rosie.name == told.account.name == again.name
    assert rosie.name == (await again.ask(pb.GetAccountRequest())).account.name
    assert 1 == len(await listed(again))


async def test_what_is_asked_is_what_browsers_take(town):
    """A passkey that is found without a name, with a person who is verified; no attestation."""
    rosie = await town.account()
    first = await made(rosie)
    said = json.loads(await creation(rosie))
    login = json.loads(await request(town))

    assert ("localhost", "Bree") == (said["rp"]["id"], said["rp"]["name"])
    assert rosie.name == said["user"]["name"]
    assert ("required", "required", True) == (
        said["authenticatorSelection"]["residentKey"],
        said["authenticatorSelection"]["userVerification"],
        said["authenticatorSelection"]["requireResidentKey"],
    )
    assert "none" == said["attestation"]
    assert {-7, -8, -257} == {one["alg"] for one in said["pubKeyCredParams"]}
    assert [first.name] == [one["id"] for one in said["excludeCredentials"]]
    assert ["hybrid", "internal"] == said["excludeCredentials"][0]["transports"]
    assert ("localhost", "required") == (login["rpId"], login["userVerification"])
    assert not login.get("allowCredentials"), "or it would be told who is known"
    assert 32 == len(read(login["challenge"]))


async def test_a_passkey_is_listed_as_it_is(town):
    """Whether it is elsewhere besides, and when it was used."""
    rosie = await town.account()
    plain, synced = Authenticator(HERE), Authenticator(HERE)
    for device, flags, name in (
        (plain, USUAL, "my key"),
        (synced, USUAL | ELIGIBLE, "my phone"),
    ):
        answer = device.make(await creation(rosie), flags)
        await rosie.ask(passkeys.AddPasskeyRequest(response=answer, name=name))
    await shown(town, synced, flags=USUAL | ELIGIBLE | BACKED_UP)
    one, two = await held(rosie)

    assert ("my key", False, False) == (one.name, one.syncable, one.synced)
    assert ("my phone", True, True) == (two.name, two.syncable, two.synced)
    assert [plain.name, synced.name] == [one.id, two.id]
    assert one.create_time == one.use_time
    assert two.create_time.ToMilliseconds() < two.use_time.ToMilliseconds()


async def test_any_gateway_takes_what_another_has_begun(town):
    """The challenge is in the store."""
    other = await town.gateway()
    rosie = await town.account()
    device = await made(town.same(rosie, other))
    answer = device.show(await request(town, town.process))
    _, told = await begun(town, other, passkey=answer)

    assert rosie.name == told.account.name


# What is worth nothing.


async def test_an_answer_is_worth_something_once(town):
    """However many show it at once, at two gateways; a replay later is none either."""
    other = await town.gateway()
    rosie = await town.account()
    device = await made(rosie)
    answer = device.show(await request(town))
    tries = [begun(town, process, passkey=answer) for process in (town.process, other) * 4]
    found = await asyncio.gather(*tries, return_exceptions=True)

    assert 1 == sum(isinstance(one, tuple) for one in found)
    denied = await refusal(begun(town, passkey=answer))
    assert ("UNAUTHENTICATED", "this passkey is worth nothing here: begin again") == (
        denied.reason,
        denied.message,
    )


async def wrong_answers(town, rosie, device):
    """Answers that are wrong in one way each."""
    stranger = await town.account()
    theirs = await made(stranger)
    twin = copy(device)
    twin.key = theirs.key
    gone = Authenticator(HERE)
    gone.user = device.user
    fresh = [await request(town) for _ in range(16)]
    never = written(b"x" * 32)
    return {
        "of another site": device.show(fresh[0], origin="https://localhost:7080"),
        "of another port": device.show(fresh[1], origin="http://localhost:7081"),
        "for another host": device.show(fresh[2], host="bree.example"),
        "of a registration": device.show(fresh[3], kind="webauthn.create"),
        "with nobody verified": device.show(fresh[4], flags=PRESENT),
        "with nobody present": device.show(fresh[5], flags=VERIFIED),
        "of a challenge of nobody": device.show(fresh[6], challenge=never),
        "of a challenge for something else": device.show(
            await request(town), challenge=json.loads(await creation(rosie))["challenge"]
        ),
        "signed by another": twin.show(fresh[7]),
        "signed by nobody": device.show(fresh[8], signature=b"\0" * 70),
        "of somebody else, as he says": device.show(fresh[9], user=theirs.user),
        "of nobody, as he says": device.show(fresh[10], user=None),
        "of a passkey that nobody has": gone.show(fresh[11]),
        "that claims what cannot be": device.show(fresh[12], flags=USUAL | BACKED_UP),
    }


async def test_every_wrong_answer_is_refused_alike(town):
    """So that nobody learns what was wrong, nor who is known here; and nothing has changed."""
    rosie = await town.account()
    device = await made(rosie, counts=False)
    before = list(await held(rosie))
    for what, answer in (await wrong_answers(town, rosie, device)).items():
        denied = await refusal(begun(town, passkey=answer))
        said = (denied.reason, denied.message)

        assert ("UNAUTHENTICATED", "this passkey is worth nothing here: begin again") == said, what
    assert before == list(await held(rosie))
    assert await shown(town, device)


async def test_a_page_within_another_sites_page_asks_for_nothing(town):
    """As the browser says."""
    device = await made(await town.account())
    answer = device.show(await request(town), cross=True)

    assert "INVALID_REQUEST" == await reason(begun(town, passkey=answer))


@pytest.mark.parametrize("count", [1, 5])
async def test_a_count_that_goes_back_shows_a_copy(town, count):
    """The same one, too; the true device goes on."""
    rosie = await town.account()
    device = await made(rosie)
    device.count = 4
    await shown(town, device)

    assert "UNAUTHENTICATED" == await reason(shown(town, device, count=count))
    assert await shown(town, device)


async def test_a_count_that_goes_back_is_seen_before_anything_is_asked(town):
    """By the library, whatever the store says later."""
    rosie = await town.account()
    device = await made(rosie)
    kept = await town.store.passkey(device.name)
    said = webauthn_words.shown(device.show(await request(town), count=7))
    where = public_url(HERE)

    assert 7 == webauthn_words.proved(said, where, kept._replace(sign_count=6)).sign_count
    for count in (7, 8):
        with pytest.raises(webauthn_words.Wrong):
            webauthn_words.proved(said, where, kept._replace(sign_count=count))


async def test_of_two_uses_of_one_count_one_is_refused(town, monkeypatch):
    """Also if both were looked at before one was noted."""
    rosie = await town.account()
    device = await made(rosie)
    kept = await town.store.passkey(device.name)
    used = kept._replace(sign_count=kept.sign_count + 1)

    assert [True, False] == [await town.store.use_passkey(used, now) for now in (1, 2)]
    assert not await town.store.use_passkey(kept._replace(sign_count=0), 3)


async def test_a_challenge_lasts_for_minutes(town, monkeypatch):
    monkeypatch.setattr(logic, "CHALLENGE_MS", 1)
    rosie = await town.account()
    device = Authenticator(HERE)
    answer = device.make(await creation(rosie))
    await asyncio.sleep(0.01)

    adding = passkeys.AddPasskeyRequest(response=answer, name="late")
    assert "UNAUTHENTICATED" == await reason(rosie.ask(adding))
    assert 5 * 60_000 == 300_000


async def test_a_revoked_account_is_not_come_into(town):
    """Its passkeys are worth nothing any more."""
    rosie = await town.account()
    device = await made(rosie)
    await rosie.ask(pb.RevokeTokenRequest())

    assert "UNAUTHENTICATED" == await reason(shown(town, device))


# Taking away.


async def test_a_passkey_that_is_removed_is_worth_nothing(town):
    """The last one goes only if that is said; another account's stays."""
    rosie, sam = await town.account(), await town.account()
    first, last, theirs = await made(rosie), await made(rosie), await made(sam)
    await rosie.ask(passkeys.RemovePasskeyRequest(passkey=first.name))
    await rosie.ask(passkeys.RemovePasskeyRequest(passkey=first.name))
    await rosie.ask(passkeys.RemovePasskeyRequest(passkey=theirs.name))
    denied = await refusal(rosie.ask(passkeys.RemovePasskeyRequest(passkey=last.name)))

    assert ("NOT_ALLOWED", "even_if_last") == (denied.reason, denied.metadata["needs"])
    assert "even_if_last" in denied.message
    assert "UNAUTHENTICATED" == await reason(shown(town, first))
    assert [last.name] == [one.id for one in await held(rosie)]
    assert await shown(town, last)
    assert await shown(town, theirs)
    await rosie.ask(passkeys.RemovePasskeyRequest(passkey=last.name, even_if_last=True))
    assert "UNAUTHENTICATED" == await reason(shown(town, last))


async def test_an_identity_of_nowhere_is_no_way_in(town):
    """So the last passkey stays the last way."""
    rosie = await town.account()
    device = await made(rosie)
    account = (await rosie.ask(pb.GetAccountRequest())).account.id
    await town.store.add_identity(
        Identity("https://old.example", "s", account, "", 1, 1), 9, hash_of(rosie.token)
    )

    removing = passkeys.RemovePasskeyRequest(passkey=device.name)
    assert "NOT_ALLOWED" == await reason(rosie.ask(removing))


@pytest.mark.parametrize("name", ["", "~", "x" * 1365, "a\0b"])
async def test_what_is_no_id_names_no_passkey(town, name):
    denied = await refusal((await town.account()).ask(passkeys.RemovePasskeyRequest(passkey=name)))

    assert ("INVALID_REQUEST", "passkey") == (denied.reason, denied.metadata["field"])


# Limits.


async def test_of_too_many_that_an_address_begins_the_oldest_goes(town, monkeypatch):
    """So that nobody is refused, and nothing grows."""
    monkeypatch.setattr(once, "MOST_OF_ADDRESS", 3)
    rosie = await town.account()
    device = await made(rosie)
    begins = [await request(town) for _ in range(4)]

    assert "UNAUTHENTICATED" == await reason(begun(town, passkey=device.show(begins[0])))
    assert await begun(town, passkey=device.show(begins[1]))
    assert await begun(town, passkey=device.show(begins[3]))


async def test_a_scope_makes_no_passkeys(town):
    """A program's token is no person's way in."""
    methods = set(passkeys.DESCRIPTOR.services_by_name["PasskeyService"].methods_by_name)
    assert 5 == len(methods)
    assert not any(may_call(scope, name) for scope in ("read", "play", "bot") for name in methods)


async def test_nobody_can_tell_whom_a_challenge_is_for(town):
    """It says nothing of the address without the platform's token."""
    challenges = [json.loads(await request(town))["challenge"] for _ in range(2)]

    assert challenges[0][:8] == challenges[1][:8]
    assert challenges[0] != challenges[1]
    assert read(challenges[0])[:6].hex() not in hash_of("127.0.0.1")
