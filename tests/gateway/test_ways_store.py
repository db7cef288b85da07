"""What every store does with tokens, recovery codes and other names, in a ledger and in memory."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from gateway.contract import NAME_KEPT_MS, RENAME_MS, Added, Claim, Renamed, Renaming
from gateway.documents import Account, Proof, Session
from gateway.matches import now_ms

ROSIE = Account("a1", "Rosie", created_ms=17)
OWN = Proof("own")
PHONE = Session("phone234", "hash-p", 10, 10, "a phone")
READER = Session("reader23", "hash-r", 30, 30, "my page", "read")


@pytest.fixture
def store_of(every_store_of):
    return every_store_of


@pytest.fixture
def rosie(loop, store):
    loop.run(store.add_account(ROSIE, "own"))
    return ROSIE.id


# Tokens.


async def test_a_token_is_kept_as_it_was(store, rosie):
    """It proves its account beside the sessions, and is listed apart from them."""
    for _ in range(2):
        assert Added.ADDED is await store.add_token(rosie, READER, 5, OWN)
    await store.add_session(rosie, PHONE, 5)

    assert READER == await store.session(rosie, READER.id)
    assert [READER] == await store.tokens(rosie)
    assert [PHONE] == await store.sessions(rosie)
    assert {"own", "hash-p", "hash-r"} == await store.token_hashes(rosie)
    assert Added.REFUSED is await store.add_token("a2", READER, 5, OWN)


async def test_so_many_tokens_and_no_more(store, rosie):
    """However many are made at once; none makes room for another by itself."""
    made = [replace(READER, id=f"t{n}", token_hash=f"h{n}") for n in range(8)]
    found = await asyncio.gather(*(store.add_token(rosie, one, 3, OWN) for one in made))

    assert (3, 5) == (found.count(Added.ADDED), found.count(Added.FULL))
    kept = await store.tokens(rosie)
    assert 3 == len(kept)
    await store.end_token(rosie, kept[0].id)
    assert Added.ADDED is await store.add_token(rosie, READER, 3, OWN)


async def test_what_is_worth_nothing_makes_nothing(store, rosie):
    """A session that has ended, another token, a token by name: looked at when it counts."""
    await store.add_session(rosie, PHONE, 5)
    phone = Proof("hash-p", PHONE.id)
    assert Added.ADDED is await store.add_token(rosie, READER, 5, phone)
    await store.end_sessions(rosie, [PHONE.id])

    for wrong in (phone, Proof("other"), Proof("hash-r", READER.id), Proof("own", PHONE.id)):
        assert Added.REFUSED is await store.add_token(rosie, replace(READER, id="t2"), 5, wrong)
        assert not await store.keep_recovery_codes(rosie, ["c1"], 1, wrong)
        assert not await store.keep_code(rosie, "code", now_ms() + 60_000, wrong)
        assert not await store.add_session(rosie, replace(PHONE, id="s2"), 5, by=wrong)
        assert Renamed(Renaming.REFUSED) == await store.rename(rosie, "Rose", 1, wrong)
        assert not await store.swap_token(rosie, wrong.token_hash, "new", wrong.session)
    assert ([READER], []) == (await store.tokens(rosie), await store.sessions(rosie))
    assert (0, 0) == await store.recovery_codes(rosie)


async def test_the_use_of_a_token_is_noted(store, rosie):
    """As that of a session is; not once it has ended, nor a use that is older."""
    await store.add_token(rosie, READER, 5, OWN)
    for ms in (90, 60):
        await store.use_session(rosie, READER, ms)
    await store.use_session(rosie, replace(READER, token_hash="other"), 99)
    assert [replace(READER, used_ms=90)] == await store.tokens(rosie)
    await store.end_token(rosie, READER.id)
    await store.use_session(rosie, READER, 200)

    assert [] == await store.tokens(rosie)
    assert await store.session(rosie, READER.id) is None
    await store.end_token(rosie, READER.id)


async def test_all_ends_at_once(store, rosie):
    """Sessions but for one, the login code, and tokens if that is wanted."""
    until = now_ms() + 60_000
    for number in range(3):
        await store.add_session(rosie, replace(PHONE, id=f"s{number}"), 5)
    await store.add_token(rosie, READER, 5, OWN)
    await store.keep_code(rosie, "code", until)

    assert (2, 0) == await store.end_all(rosie, "s1", tokens_too=False)
    assert ["s1"] == [session.id for session in await store.sessions(rosie)]
    assert not await store.add_session(rosie, PHONE, 5, "code")
    assert (1, 1) == await store.end_all(rosie, "", tokens_too=True)
    assert {"own"} == await store.token_hashes(rosie)
    assert (0, 0) == await store.end_all(rosie, "", tokens_too=True)


async def test_revoking_ends_every_way_in(store, rosie):
    """Tokens and recovery codes, too."""
    await store.add_token(rosie, READER, 5, OWN)
    await store.keep_recovery_codes(rosie, ["c1"], 5, OWN)
    assert await store.swap_token(rosie, "own", "")

    assert set() == await store.token_hashes(rosie)
    assert ([], (0, 0)) == (await store.tokens(rosie), await store.recovery_codes(rosie))
    assert "" == await store.account_of_recovery_code("c1")
    assert not await store.add_session(rosie, PHONE, 5, recovery="c1")


# Recovery codes.


async def test_a_recovery_code_is_worth_something_once(store, rosie):
    """And only until there are new ones; a repetition after a lost answer succeeds."""
    assert await store.keep_recovery_codes(rosie, ["old"], 5, OWN)
    assert await store.keep_recovery_codes(rosie, ["c1", "c2"], 7, OWN)
    assert (2, 7) == await store.recovery_codes(rosie)
    assert (rosie, "") == (
        await store.account_of_recovery_code("c1"),
        await store.account_of_recovery_code("old"),
    )

    assert not await store.add_session(rosie, PHONE, 5, recovery="old")
    for _ in range(2):
        assert await store.add_session(rosie, PHONE, 5, recovery="c1")
    assert not await store.add_session(rosie, replace(PHONE, id="s2"), 5, recovery="c1")
    assert (1, 7) == await store.recovery_codes(rosie)
    assert [PHONE] == await store.sessions(rosie)


async def test_a_recovery_code_is_its_accounts_alone(store, rosie):
    """Whoever else it is tried for."""
    await store.add_account(Account("a2", "Sam"), "hash")
    await store.keep_recovery_codes(rosie, ["c1"], 5, OWN)

    assert not await store.add_session("a2", PHONE, 5, recovery="c1")
    assert (1, 5) == await store.recovery_codes(rosie)


async def test_one_of_many_uses_a_recovery_code(store, rosie):
    """However many type it at once."""
    await store.keep_recovery_codes(rosie, ["c1"], 5, OWN)
    found = await asyncio.gather(
        *(store.add_session(rosie, replace(PHONE, id=f"s{n}"), 20, recovery="c1") for n in range(9))
    )

    assert 1 == sum(found)
    assert 1 == len(await store.sessions(rosie))


# Other names.


async def test_an_account_takes_another_name(store, rosie):
    """It is found by both, and its ratings stay where they are; asking again changes nothing."""
    rose = replace(ROSIE, name="Rose", first_name="Rosie")
    for ms in (1000, 2000):
        told = await store.rename(rosie, "Rose", ms, OWN)
        assert Renamed(Renaming.DONE, 1000 + RENAME_MS) == told

    assert (rose, "own") == await store.credentials(rosie)
    for name in ("rosie", "ROSE"):
        assert rose == await store.account_named(name)
    assert [rose, None] == await store.accounts_rated_as(["Rosie", "Rose"])
    assert not await store.add_account(Account("a2", "ROSIE"), "hash")


async def test_once_in_thirty_days(store, rosie):
    """Also back to the older name."""
    await store.rename(rosie, "Rose", 1000, OWN)
    early = Renamed(Renaming.EARLY, 1000 + RENAME_MS)
    for name in ("Rosa", "Rosie", "rose"):
        assert early == await store.rename(rosie, name, 999 + RENAME_MS, OWN)

    assert "Rose" == (await store.account_named("Rosie")).name
    assert Renaming.DONE is (await store.rename(rosie, "Rosie", 1000 + RENAME_MS, OWN)).how
    assert "Rosie" == (await store.account_named("Rose")).name


async def test_a_guest_is_told_to_choose_first(store):
    """And his first choice counts for nothing."""
    guest = Account("g1", "quick-otter-4711", guest=True)
    await store.add_account(guest, "own")
    assert Renamed(Renaming.GUEST) == await store.rename(guest.id, "Rosa", 1000, OWN)
    assert Claim.CLAIMED is await store.claim_name(guest.id, "Rosa")

    assert Renaming.DONE is (await store.rename(guest.id, "Rose", 1001, OWN)).how
    assert guest.name == (await store.account_named("Rose")).player


async def test_a_name_of_somebody_else_is_refused(store, rosie):
    """Also one that is only kept for him; then the asker may try another one at once."""
    await store.add_account(Account("a2", "Sam"), "own")
    await store.rename("a2", "Samwise", 1000, OWN)
    for name in ("SAM", "samwise"):
        assert Renamed(Renaming.TAKEN) == await store.rename(rosie, name, 1000, OWN)

    assert ROSIE == (await store.credentials(rosie)).account
    assert Renaming.DONE is (await store.rename(rosie, "Rose", 1000, OWN)).how


async def test_an_older_name_is_free_after_ninety_days(store, rosie):
    """Not before; and not if its bearer has taken it again."""
    await store.rename(rosie, "Rose", 1000, OWN)
    assert 0 == await store.free_names(999 + NAME_KEPT_MS, 9)
    assert not await store.add_account(Account("a2", "Rosie"), "hash")
    await store.rename(rosie, "Rosie", 1000 + RENAME_MS, OWN)
    assert 0 == await store.free_names(1000 + NAME_KEPT_MS, 9)
    assert 1 == await store.free_names(1000 + RENAME_MS + NAME_KEPT_MS, 9)

    assert "a1" == (await store.account_named("Rosie")).id
    assert await store.account_named("Rose") is None
    assert await store.add_account(Account("a2", "Rose"), "hash")
    assert 0 == await store.free_names(1 << 60, 9)


async def test_names_are_freed_so_many_at_once(store):
    """Those whose time was over first; two that do it at once free each name once."""
    for number in range(5):
        account = Account(f"b{number}", f"Name{number}")
        await store.add_account(account, "own")
        await store.rename(account.id, f"Other{number}", 1000, OWN)
    freed = await asyncio.gather(*(store.free_names(1 << 60, 2) for _ in range(2)))

    assert {0, 2} >= set(freed)
    freed.append(await store.free_names(1 << 60, 9))
    assert 5 == sum(freed)


async def test_capitals_are_a_name_of_ones_own(store, rosie):
    """Then no name is kept besides, and ratings stay where they are."""
    assert Renaming.DONE is (await store.rename(rosie, "ROSIE", 1000, OWN)).how

    assert 0 == await store.free_names(1 << 60, 9)
    found = await store.account_named("rosie")
    assert ("ROSIE", "Rosie") == (found.name, found.player)


async def test_of_two_who_want_a_name_one_has_it(store):
    """Whether it is taken by a new account, by a guest or by somebody who has another one."""
    for number in range(6):
        await store.add_account(Account(f"b{number}", f"quick-{number}", number % 2 == 0), "own")
    wishes = [
        *(store.claim_name(f"b{number}", "Rosie") for number in (0, 2, 4)),
        *(store.rename(f"b{number}", "rosie", 1000, OWN) for number in (1, 3, 5)),
        *(store.add_account(Account(f"c{number}", "ROSIE"), "own") for number in range(3)),
    ]
    found = await asyncio.gather(*wishes)
    done = [one in (Claim.CLAIMED, True) or getattr(one, "how", 0) == "done" for one in found]

    assert 1 == sum(done), found
    assert await store.account_named("rosie")
