"""Under which names ratings are kept: no two accounts ever share one, whatever names they take."""

from __future__ import annotations

import random

import pytest

from bree.ledger import people
from bree.ledger.people import PSEUDONYM
from gateway.contract import NAME_KEPT_MS, RENAME_MS, Claim, Renaming
from gateway.documents import Account, Proof
from gateway.matches import now_ms
from tests.gateway.stores import joined

STEPS = 160
NAMES = ("Rosie", "rosie", "ROSIE", "Sam", "sam", "Tom", "quick-otter-4711", "quick-otter-4712")
BOT = "bot:greedy"
PLAYED = """
INSERT INTO bree.ratings (game, player, version, matches, mu, sigma, ordinal)
VALUES ('duel', $1, 1, 1, 25, 8, 1)
ON CONFLICT (game, player) DO UPDATE SET matches = ratings.matches + 1
"""
KNOWN = "SELECT player, matches FROM bree.ratings WHERE game = 'duel'"


@pytest.fixture
def store_of(fresh_redis, ledger_url):
    return joined(fresh_redis, ledger_url)


class Crowd:
    """People who take names from each other as fast as they may, and play meanwhile."""

    def __init__(self, store, seed):
        self.store, self.numbers = store, random.Random(seed)
        self.now_ms = now_ms()
        self.played = {}  # by account, which is still there
        self.rated_as = {}  # likewise
        self.orphans = set()  # under which somebody who is gone was rated
        self.pseudonyms = []
        self.done = dict.fromkeys(("come", "claim", "rename", "go", "free", "late", "old"), 0)

    async def step(self):
        """Something happens."""
        acts = (self.come, self.come, self.claim, self.claim, self.rename, self.rename, self.rename)
        acts += (self.go, self.free, self.play, self.play, self.play, self.late)
        await self.numbers.choice(acts)()

    @property
    def name(self):
        """One of few names; or that of somebody who is gone."""
        return self.numbers.choice((*NAMES, *self.pseudonyms[-1:]))

    def somebody(self):
        return self.numbers.choice(sorted(self.played)) if self.played else None

    async def come(self):
        account = Account(f"id{sum(self.done.values()):04}", self.name, self.numbers.random() < 0.5)
        if await self.store.add_account(account, "own"):
            self.played[account.id] = 0
            self.rated_as[account.id] = (await self.account(account.id)).player
            self.done["come"] += 1
            self.done["old"] += self.rated_as[account.id] != account.name

    async def account(self, account):
        return (await self.store.credentials(account, surely=True)).account

    async def claim(self):
        if who := self.somebody():
            self.done["claim"] += Claim.CLAIMED is await self.store.claim_name(who, self.name)

    async def rename(self):
        if who := self.somebody():
            self.now_ms += self.numbers.choice((0, RENAME_MS))
            told = await self.store.rename(who, self.name, self.now_ms, Proof("own"))
            self.done["rename"] += told.how is Renaming.DONE

    async def free(self):
        self.now_ms += self.numbers.choice((0, NAME_KEPT_MS // 2, NAME_KEPT_MS))
        self.done["free"] += await self.store.free_names(self.now_ms, 3)

    async def play(self):
        """A match of somebody's is settled, as he is known in Redis."""
        if who := self.somebody():
            [known] = await self.store.accounts([who])
            await self.write(known.player)
            self.played[who] += 1
        await self.write(BOT)

    async def write(self, player):
        await self.store.ledger.write("test", lambda c: c.execute(PLAYED, player))

    async def go(self):
        """Somebody is taken away, with whatever he is called now or was before."""
        who = self.somebody()
        if who is None or self.numbers.random() < 0.5:
            return
        name = (await self.account(who)).name

        async def work(connection):
            found = await people.person(connection, name)
            return found.id, await people.delete(connection, found, "a test")

        account, deleted = await self.store.ledger.write("test", work)
        assert account == who
        await self.store.deliver_copy(who)
        self.orphans.add(self.rated_as.pop(who))
        del self.played[who]
        self.pseudonyms.append(deleted.pseudonym)
        self.done["go"] += 1

    async def late(self):
        """What was still under way for somebody who is gone comes too late."""
        if self.orphans:
            await self.write(self.numbers.choice(sorted(self.orphans)))
            self.done["late"] += 1

    async def check(self):
        """Everybody has what he has played, and nothing of anybody else."""
        known = dict(map(tuple, await self.store.ledger.read("test", KNOWN)))
        found = {who: (await self.account(who)) for who in self.played}

        assert self.rated_as == {who: account.player for who, account in found.items()}
        assert len(found) == len({account.player for account in found.values()})
        assert not {account.player for account in found.values()} & {BOT, *self.pseudonyms}
        for who, account in found.items():
            assert self.played[who] == known.get(account.player, 0), account
            assert account == await self.store.account_named(account.name)
        by_player = await self.store.accounts_rated_as(list(self.rated_as.values()))
        assert list(self.rated_as) == [account.id for account in by_player]


@pytest.mark.parametrize("seed", range(6))
async def test_ratings_are_nobody_elses(store, seed):
    """Over random arrivals, claims, renames, deletions and names that become free."""
    crowd = Crowd(store, seed)
    for _ in range(STEPS):
        await crowd.step()
        await crowd.check()

    assert all(crowd.done.values()), crowd.done


async def test_the_pseudonym_of_somebody_who_is_gone_is_nobodys(store):
    """Where it could be taken for a name all the same, no rating comes with it."""
    await store.add_account(Account("a1", "Rosie"), "own")
    await store.ledger.write("test", lambda c: c.execute(PLAYED, "Rosie"))

    async def work(connection):
        return await people.delete(connection, await people.person(connection, "Rosie"), "a test")

    gone = (await store.ledger.write("test", work)).pseudonym
    assert gone.startswith(PSEUDONYM)
    assert await store.add_account(Account("a2", gone), "own")
    assert not await store.add_account(Account("a3", "Rosie"), "own"), "it is kept for a while"
    assert 1 == await store.free_names(now_ms() + NAME_KEPT_MS + 1000, 3)
    assert await store.add_account(Account("a3", "Rosie"), "own")

    found = [account.player for account in await store.accounts(["a2", "a3"])]
    assert ["=a2", "=a3"] == found
    assert [None, None] == await store.ratings("duel", found)
