"""What every store does with names, sessions and login codes, in a ledger and in memory."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from gateway.contract import Claim
from gateway.documents import Account, Session
from gateway.matches import now_ms

GUEST = Account("a1", "quick-otter-4711", guest=True, created_ms=17)
PHONE = Session("phone234", "hash-p", 10, 10, "Firefox on  a phone")
LAPTOP = Session("laptop23", "hash-l", 20, 20)


@pytest.fixture
def store_of(every_store_of):
    return every_store_of


@pytest.fixture
def guest(loop, store):
    loop.run(store.add_account(GUEST, "own"))
    return GUEST.id


async def test_a_guest_takes_a_name(store, guest):
    """He is found by both, in capitals or not, and asking again changes nothing."""
    rosie = replace(GUEST, name="Rosie", guest=False, first_name=GUEST.name)

    for _ in range(2):
        assert Claim.CLAIMED is await store.claim_name(guest, "Rosie")
    assert (rosie, "own") == await store.credentials(guest)
    assert [rosie, None] == await store.accounts([guest, "a9"])
    for name in ("rOSIE", "Quick-otter-4711"):
        assert rosie == await store.account_named(name)
    assert [None, rosie] == await store.accounts_named(["sam", GUEST.name])
    assert GUEST.name == rosie.player
    assert Claim.NAMED is await store.claim_name(guest, "Rose")
    assert not await store.add_account(Account("a2", GUEST.name), "hash")
    assert await store.add_account(Account("a2", "Rose"), "hash")


async def test_a_name_that_is_taken_is_not_claimed(store, guest):
    """In capitals or not; the guest may ask for another one at once."""
    await store.add_account(Account("a2", "Rosie"), "hash")

    assert Claim.TAKEN is await store.claim_name(guest, "ROSIE")
    assert (GUEST, "own") == await store.credentials(guest)
    assert "a2" == (await store.account_named("Rosie")).id
    assert Claim.CLAIMED is await store.claim_name(guest, "Rose")


async def test_one_of_many_claims_a_name(store):
    """The others stay guests, and may take other names."""
    guests = [Account(f"a{n}", f"quick-otter-{n:04}", guest=True) for n in range(10)]
    for one in guests:
        await store.add_account(one, "hash")
    found = await asyncio.gather(*(store.claim_name(one.id, "Rosie") for one in guests))

    assert 9 == found.count(Claim.TAKEN)
    winner = guests[found.index(Claim.CLAIMED)]
    assert winner.id == (await store.account_named("rosie")).id
    for one in guests:
        kept = (await store.credentials(one.id)).account
        assert ("Rosie", False) if one is winner else (one.name, True) == (kept.name, kept.guest)


async def test_one_account_claims_one_name_at_once(store, guest):
    """Whatever it asks for at the same time: it bears one of them, and the others are free."""
    names = [f"Rosie{n}" for n in range(10)]
    found = await asyncio.gather(*(store.claim_name(guest, name) for name in names))
    [number] = [n for n, claim in enumerate(found) if claim is Claim.CLAIMED]
    kept = (await store.credentials(guest)).account

    assert {Claim.NAMED} == set(found) - {Claim.CLAIMED}
    assert names[number] == kept.name
    free = [await store.add_account(Account(f"b{n}", name), "hash") for n, name in enumerate(names)]
    assert 9 == sum(free)


async def test_a_session_is_kept_as_it_was(store, guest):
    """Beginning it again changes nothing, and it is its account's alone."""
    for _ in range(2):
        assert await store.add_session(guest, PHONE, 5)
    assert await store.add_session(guest, LAPTOP, 5)

    assert PHONE == await store.session(guest, PHONE.id)
    assert [LAPTOP, PHONE] == sorted(await store.sessions(guest), key=lambda s: s.id)
    assert {"own", "hash-p", "hash-l"} == await store.token_hashes(guest)
    assert await store.session("a2", PHONE.id) is None
    assert [] == await store.sessions("a2")
    assert set() == await store.token_hashes("a2")
    assert not await store.add_session("a2", PHONE, 5)


async def test_the_longest_unused_session_makes_room(store, guest):
    """Not the oldest one."""
    for number in range(3):
        await store.add_session(guest, replace(PHONE, id=f"s{number}", used_ms=number), 3)
    await store.use_session(guest, replace(PHONE, id="s0"), 50)
    await store.add_session(guest, replace(PHONE, id="s3", used_ms=60), 3)

    assert {"s0", "s2", "s3"} == {session.id for session in await store.sessions(guest)}
    await store.add_session(guest, replace(PHONE, id="s4", used_ms=70), 1)
    assert ["s4"] == [session.id for session in await store.sessions(guest)]


async def test_a_session_that_ended_is_not_used(store, guest):
    """Nor does an older use count, or one with another token."""
    await store.add_session(guest, PHONE, 5)
    await store.use_session(guest, PHONE, 30)
    await store.use_session(guest, PHONE, 25)
    await store.use_session(guest, replace(PHONE, token_hash="other"), 99)
    assert replace(PHONE, used_ms=30) == await store.session(guest, PHONE.id)

    assert 1 == await store.end_sessions(guest, [PHONE.id, "none"])
    assert 0 == await store.end_sessions(guest, [PHONE.id])
    assert 0 == await store.end_sessions(guest, [])
    await store.use_session(guest, PHONE, 100)
    assert await store.session(guest, PHONE.id) is None


async def test_a_session_swaps_the_token_of_its_account(store, guest):
    """As long as it lasts; it stays, as the others do."""
    await store.add_session(guest, PHONE, 5)

    assert not await store.swap_token(guest, "hash-l", "new", PHONE.id)
    assert not await store.swap_token(guest, "own", "new", PHONE.id)
    assert not await store.swap_token(guest, "hash-p", "new")
    assert not await store.swap_token(guest, "hash-p", "new", "laptop23")
    assert await store.swap_token(guest, "hash-p", "new", PHONE.id)
    assert await store.swap_token(guest, "hash-p", "new", PHONE.id)
    assert {"new", "hash-p"} == await store.token_hashes(guest)
    await store.end_sessions(guest, [PHONE.id])
    assert not await store.swap_token(guest, "hash-p", "newer", PHONE.id)


@pytest.mark.parametrize("session", ["", PHONE.id])
async def test_revoking_ends_every_session(store, guest, session):
    """And none begins after it, with a code or without."""
    await store.add_session(guest, PHONE, 5)
    await store.add_session(guest, LAPTOP, 5)
    await store.keep_code(guest, "code", now_ms() + 60_000)
    assert await store.swap_token(guest, "hash-p" if session else "own", "", session)

    assert [] == await store.sessions(guest)
    assert set() == await store.token_hashes(guest)
    assert not await store.add_session(guest, PHONE, 5)
    assert not await store.add_session(guest, PHONE, 5, "code")
    assert not await store.swap_token(guest, "", "new")


async def test_a_code_is_worth_something_once(store, guest):
    """The latest one, until its time is over; a repetition after a lost answer succeeds."""
    until = now_ms() + 60_000
    for code in ("older", "code"):
        await store.keep_code(guest, code, until)
    assert guest == await store.account_of_code("code")
    assert "" == await store.account_of_code("none")

    assert not await store.add_session(guest, PHONE, 5, "older")
    assert await store.add_session(guest, PHONE, 5, "code")
    assert await store.add_session(guest, PHONE, 5, "code")
    assert not await store.add_session(guest, LAPTOP, 5, "code")
    await store.keep_code(guest, "late", now_ms() - 1)
    assert not await store.add_session(guest, LAPTOP, 5, "late")
    await store.keep_code(guest, "none", until)
    assert (1, 0) == await store.end_all(guest, "", tokens_too=False)
    assert not await store.add_session(guest, LAPTOP, 5, "none")


async def test_one_of_many_uses_a_code(store, guest):
    """However many type it at once."""
    await store.keep_code(guest, "code", now_ms() + 60_000)
    found = await asyncio.gather(
        *(store.add_session(guest, replace(PHONE, id=f"s{n}"), 20, "code") for n in range(10))
    )

    assert 1 == sum(found)
