"""What is kept of ways in, on every kind of store; and what is worth something once."""

from __future__ import annotations

import asyncio

import pytest

from gateway.documents import Account, Proof, Session
from gateway.keyring import ANYHOW, Identity, Kept, Passkey, Usable

ALL = Usable(passkeys=True, issuer="https://i", mail=True)


@pytest.fixture
def store(loop, every_store_of):
    made = every_store_of()
    yield made
    loop.run(made.close())


async def account(store, name="Rosie", id_="a1"):
    await store.add_account(Account(id_, name, guest=True), f"hash of {id_}")
    return id_


def passkey(id_="k1", account="a1", **given):
    usual = Passkey(id_, account, b"\0key", 0, "my phone", "usb", 1, 1, True, False)
    return usual._replace(**given)


def identity(subject="s1", account="a1", **given):
    return Identity("https://i", subject, account, "Rosie C", 1, 1)._replace(**given)


# Once.


async def test_what_is_kept_is_taken_once(store):
    """By one of many; the same one may be kept again."""
    await store.keep_once("o", "n", "a value with blanks \u00e4", 60_000, 5)
    taken = await asyncio.gather(*(store.take_once("o", "n") for _ in range(8)))

    assert ["a value with blanks \u00e4"] == [one for one in taken if one]
    assert "" == await store.take_once("o", "n")
    assert "" == await store.take_once("nobody", "n")
    await store.keep_once("o", "n", "again", 60_000, 5)
    assert "again" == await store.take_once("o", "n")


async def test_what_is_too_old_is_gone(store):
    await store.keep_once("o", "n", "value", 1, 5)
    await store.keep_once("o", "m", "word rest", 1, 5)
    await asyncio.sleep(0.02)

    assert "" == await store.take_once("o", "n")
    assert await store.guess_once("o", "m", "word", 5) is None


async def test_of_too_many_the_oldest_goes(store):
    """Of its owner; what is replaced makes room itself, and what is too old does not count."""
    await store.keep_once("o", "late", "x", 1, 3)
    await asyncio.sleep(0.02)
    for number in range(3):
        await store.keep_once("o", f"n{number}", str(number), 60_000 + number, 3)
    await store.keep_once("other", "n0", "theirs", 60_000, 3)
    await store.keep_once("o", "n2", "new", 60_002, 3)
    await store.keep_once("o", "n3", "3", 60_003, 3)
    kept = [await store.take_once("o", f"n{number}") for number in range(4)]

    assert ["", "1", "new", "3"] == kept
    assert "theirs" == await store.take_once("other", "n0")


async def test_a_guess_is_right_once_and_wrong_a_few_times(store):
    await store.keep_once("o", "n", "word and the rest", 60_000, 5)
    assert [None, None] == [await store.guess_once("o", "n", wrong, 3) for wrong in ("wor", "x")]
    assert "and the rest" == await store.guess_once("o", "n", "word", 3)
    assert await store.guess_once("o", "n", "word", 3) is None
    await store.keep_once("o", "n", "word ", 60_000, 5)
    for _ in range(3):
        assert await store.guess_once("o", "n", "wrong", 3) is None
    assert await store.guess_once("o", "n", "word", 3) is None
    await store.keep_once("o", "n", "word ", 60_000, 5)
    assert "" == await store.guess_once("o", "n", "word", 3)


async def test_of_many_guesses_at_once_few_count(store):
    """However many come at the same time."""
    await store.keep_once("o", "n", "word rest", 60_000, 5)
    guesses = [store.guess_once("o", "n", f"wrong{number}", 3) for number in range(20)]
    assert {None} == set(await asyncio.gather(*guesses))

    assert await store.guess_once("o", "n", "word", 3) is None


async def test_what_is_done_is_counted_for_a_while(store):
    """Of each owner for himself."""
    often = [await store.count_once("o", 60_000, 2) for _ in range(4)]

    assert [True, True, False, False] == often
    assert await store.count_once("p", 60_000, 2)
    for _ in range(4):
        assert await store.count_once("q", 1, 1)
        await asyncio.sleep(0.02)


# Passkeys.


async def test_a_passkey_is_kept_as_it_is(store):
    """Once, for one account, and no more of them than there may be."""
    a1, a2 = await account(store), await account(store, "Sam", "a2")
    by = {a1: f"hash of {a1}", a2: f"hash of {a2}"}
    first = passkey(public_key=b"\0\xff" * 100, name="\u00e4", transports="hybrid usb")
    assert [Kept.KEPT] * 2 == [await store.add_passkey(first, 1, by[a1]) for _ in range(2)]

    assert first == await store.passkey("k1")
    assert Kept.TAKEN == await store.add_passkey(passkey(account=a2), 5, by[a2])
    assert Kept.FULL == await store.add_passkey(passkey("k2"), 1, by[a1])
    assert Kept.KEPT == await store.add_passkey(passkey("k2", created_ms=0), 2, by[a1])
    assert ["k2", "k1"] == [one.id for one in await store.passkeys(a1)]
    assert [] == await store.passkeys(a2)
    assert await store.passkey("k3") is None


async def test_a_new_way_in_is_kept_by_what_is_worth_something(store):
    """The account's own token, or that of a session; in the same moment."""
    a1 = await account(store)
    await store.add_session(a1, Session("s1", "hash of s1", 1, 1), 5)
    for by, kept in (("hash of s1", Kept.KEPT), ("hash of x", Kept.REFUSED), ("", Kept.REFUSED)):
        assert kept == await store.add_passkey(passkey(f"k {by}"), 9, by)
        assert kept == await store.add_identity(identity(f"s {by}"), 9, by)
        assert kept == await store.add_address(a1, f"{by.replace(' ', '')}@x.yz", 1, by)
    await store.end_sessions(a1, ["s1"])
    assert Kept.REFUSED == await store.add_passkey(passkey("k9"), 9, "hash of s1")
    assert Kept.KEPT == await store.add_passkey(passkey("k9"), 9, f"hash of {a1}")
    await store.swap_token(a1, f"hash of {a1}", "")
    assert Kept.REFUSED == await store.add_passkey(passkey("k8"), 9, "")


@pytest.mark.parametrize(
    ("kept", "count", "may"),
    [(0, 0, True), (0, 1, True), (5, 6, True), (5, 5, False), (5, 4, False), (5, 0, False)],
)
async def test_a_count_never_goes_back(store, kept, count, may):
    """But where none is kept at all."""
    a1 = await account(store)
    one = passkey(sign_count=kept)
    await store.add_passkey(one, 5, f"hash of {a1}")
    used = one._replace(sign_count=count, backed_up=True)

    assert may == await store.use_passkey(used, 7)
    after = await store.passkey("k1")
    assert (max(kept, count), 7 if may else 1, may) == (
        after.sign_count,
        after.used_ms,
        after.backed_up,
    )
    assert not await store.use_passkey(passkey("gone", sign_count=9), 8)


async def test_of_two_uses_with_one_count_one_counts(store):
    a1 = await account(store)
    await store.add_passkey(passkey(), 5, f"hash of {a1}")
    used = passkey(sign_count=3)

    assert [False] * 4 + [True] == sorted(
        await asyncio.gather(*(store.use_passkey(used, 2) for _ in range(5)))
    )


# Identities.


async def test_an_identity_is_linked_with_one_account(store):
    a1, a2 = await account(store), await account(store, "Sam", "a2")
    by = {a1: f"hash of {a1}", a2: f"hash of {a2}"}
    assert [Kept.KEPT] * 2 == [await store.add_identity(identity(), 1, by[a1]) for _ in range(2)]
    assert Kept.TAKEN == await store.add_identity(identity(account=a2), 5, by[a2])
    assert Kept.FULL == await store.add_identity(identity("s2"), 1, by[a1])
    await store.use_identity(identity(label="R. Cotton"), 9)

    assert identity(label="R. Cotton", used_ms=9) == await store.identity("https://i", "s1")
    assert ["s1"] == [one.subject for one in await store.identities(a1)]
    assert await store.identity("https://j", "s1") is None


async def test_a_new_account_comes_with_its_identity(store):
    """Or none is made, and its name stays free."""
    rosie, sam = Account("a1", "Rosie", guest=True), Account("a2", "Sam", guest=True)
    assert "a1" == await store.add_account_of(rosie, "h1", identity())
    assert "a1" == await store.add_account_of(rosie, "h1", identity())
    assert "a1" == await store.add_account_of(sam, "h2", identity(account="a2"))
    assert await store.credentials("a2") is None
    assert await store.account_named("sam") is None
    third = Account("a3", "ROSIE", guest=True)
    assert "" == await store.add_account_of(third, "h3", identity("s3", "a3"))
    assert await store.identity("https://i", "s3") is None

    assert "h1" == (await store.credentials("a1")).token_hash


async def test_of_new_accounts_with_one_identity_one_is_made(store):
    """At once."""
    made = [Account(f"b{n}", f"New{n}", guest=True) for n in range(4)]
    owners = await asyncio.gather(
        *(store.add_account_of(one, "h", identity(account=one.id)) for one in made)
    )

    assert 1 == len(set(owners))
    assert 1 == sum([await store.credentials(one.id) is not None for one in made])


# Addresses.


async def test_an_address_is_one_accounts(store):
    """A newer one takes its place; nobody takes another's."""
    a1, a2 = await account(store), await account(store, "Sam", "a2")
    by = {a1: f"hash of {a1}", a2: f"hash of {a2}"}
    assert Kept.KEPT == await store.add_address(a1, "r@x.yz", 1, by[a1])
    assert Kept.KEPT == await store.add_address(a1, "r@x.yz", 2, by[a1])
    assert Kept.KEPT == await store.add_address(a2, "old@x.yz", 2, by[a2])
    assert Kept.TAKEN == await store.add_address(a2, "r@x.yz", 2, by[a2])
    assert ["r@x.yz", "old@x.yz"] == [await store.address(one) for one in (a1, a2)]
    assert Kept.KEPT == await store.add_address(a1, "new@x.yz", 3, by[a1])

    assert [a1, "", a2] == [
        await store.account_at(one) for one in ("new@x.yz", "r@x.yz", "old@x.yz")
    ]


# Taking away.


async def test_the_last_way_in_stays_unless_it_is_said(store):
    """Whichever it is; one that is of no use here is none."""
    a1 = await account(store)
    by = f"hash of {a1}"
    await store.add_passkey(passkey(), 5, by)
    await store.add_identity(identity(), 5, by)
    await store.add_identity(identity(issuer="https://old"), 5, by)
    await store.add_address(a1, "r@x.yz", 1, by)
    assert await store.remove_passkey(a1, "k1", ALL)
    assert await store.remove_identity(a1, "https://i", "s1", ALL)
    assert not await store.remove_address(a1, ALL)
    assert "r@x.yz" == await store.address(a1)
    assert await store.remove_identity(a1, "https://old", "s1", ALL), "which is no way in"
    await store.add_passkey(passkey(), 5, by)
    no_mail = ALL._replace(mail=False)
    assert not await store.remove_passkey(a1, "k1", no_mail)
    assert await store.remove_address(a1, no_mail)
    assert not await store.remove_passkey(a1, "k1", ALL)
    assert await store.remove_passkey(a1, "k1", ANYHOW)
    assert await store.passkeys(a1) == []


async def test_a_recovery_code_is_a_way_in(store):
    """With one that is left, anything may go."""
    a1 = await account(store)
    await store.add_passkey(passkey(), 5, f"hash of {a1}")
    assert not await store.remove_passkey(a1, "k1", ALL)
    assert await store.keep_recovery_codes(a1, ["c"], 1, Proof(f"hash of {a1}"))

    assert await store.remove_passkey(a1, "k1", ALL)


async def test_nobody_takes_away_what_is_anothers(store):
    """Nor what there is not."""
    a1, a2 = await account(store), await account(store, "Sam", "a2")
    await store.add_passkey(passkey(), 5, f"hash of {a1}")
    await store.add_identity(identity(), 5, f"hash of {a1}")

    assert await store.remove_passkey(a2, "k1", ANYHOW)
    assert await store.remove_identity(a2, "https://i", "s1", ANYHOW)
    assert await store.remove_address(a2, ANYHOW)
    assert passkey() == await store.passkey("k1")
    assert identity() == await store.identity("https://i", "s1")
