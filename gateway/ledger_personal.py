"""One's own data in the ledger and in Redis: how somebody leaves, and what is kept of him."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from functools import partial
from typing import Any

from bree.ledger import exporting, people
from bree.ledger.link import Undo
from bree.ledger.people import Person
from gateway.documents import Account, ListEntry, Match, match_of
from gateway.keys import account_key
from gateway.ledger_accounts import HASH_OF, NO_CODE, AccountsInLedger
from gateway.people_contract import Kept, Pages, Proof
from gateway.store import RedisStore

LOCKED = "SELECT token_hash, leaving_ms FROM bree.accounts WHERE id = $1 FOR UPDATE"
LEAVES = """
UPDATE bree.accounts SET token_hash = $2, leaving_ms = $3 WHERE id = $1
"""
ENDED = (
    "DELETE FROM bree.sessions WHERE account = $1 AND id <> $2",
    "DELETE FROM bree.tokens WHERE account = $1 AND id <> $2",
)
STAYS = "UPDATE bree.accounts SET leaving_ms = 0 WHERE id = $1"
LEAVING = """
SELECT leaving_ms, id FROM bree.accounts
WHERE leaving_ms > 0 AND (leaving_ms, id) > ($1, $2::text) ORDER BY leaving_ms, id LIMIT $3
"""

LISTS = ("live", "seated", "open", "asked", "ended", "export")
BESIDE = ("", ".alone", ".pairs")
"""What stands after an account's id where its matches of a kind are counted."""


class PersonalInLedger(AccountsInLedger, RedisStore):
    """The part of a `contract.Store` that concerns one's own data."""

    # Leaving.

    async def leave(self, account: str, proof: Proof, until_ms: int) -> int:
        when = 0

        async def leave(connection: Any) -> None:
            nonlocal when
            kept = await connection.fetchrow(LOCKED, account)
            own = known = kept["token_hash"] if kept else ""
            if known and proof.session:
                own = proof.spare_hash
                known = await connection.fetchval(HASH_OF, account, proof.session)
            if not known or known != proof.token_hash:
                raise Undo(value=False)
            for end in ENDED:
                await connection.execute(end, account, proof.session)
            await connection.execute(NO_CODE, account)
            when = kept["leaving_ms"] or until_ms
            await connection.execute(LEAVES, account, own, when)

        return when if await self._changed("leave", account, leave, takes=True) else 0

    async def keep_account(self, account: str, now_ms: int) -> bool:
        async def keep(connection: Any) -> None:
            kept = await connection.fetchrow(LOCKED, account)
            if kept is None or 0 < kept["leaving_ms"] <= now_ms:
                raise Undo(value=False)
            await connection.execute(STAYS, account)

        return await self._changed("keep_account", account, keep, takes=True)

    async def leaving(self, after: ListEntry | None, most: int) -> list[ListEntry]:
        place = (int(after.score), after.name) if after else (0, "")
        rows = await self.ledger.read("leaving", LEAVING, *place, most)
        return [ListEntry(float(row[0]), row[1]) for row in rows]

    async def begin_erasing(self, account: str, now_ms: int) -> str:
        async def begin(connection: Any) -> str:
            kept = await connection.fetchrow(LOCKED, account)
            if kept is None or not 0 < kept["leaving_ms"] <= now_ms:
                raise Undo("")
            return await people.begin(connection, account)

        pseudonym = await self.ledger.write("begin_erasing", begin)
        if pseudonym:
            await self._follow(account, done=True)
        return pseudonym

    async def erase(self, account: str, pseudonym: str, by: str) -> None:
        who = {"account": account, "pseudonym": pseudonym}
        after: people.Place | None = people.LATEST
        while after:
            strike = partial(people.strike, **who, after=after)
            after = (await self.ledger.write("strike", strike)).after
        last: str | None = ""
        while last is not None:
            made = partial(people.strike_made, **who, after=last)
            last = await self.ledger.write("strike_made", made) or None
        await self.ledger.write("finish", partial(people.finish, account=account, by=by))

    async def drop_lists(self, account: str) -> None:
        for beside in BESIDE:
            for part in LISTS:
                await self.drop(account_key(f"{account}{beside}", part))

    async def allow(self, account: str, what: str, lease_ms: int) -> int:
        key = account_key(account, what)
        if await self._run("take_turn", [key], secrets.token_hex(8), lease_ms):
            return 0
        return max(1, int(await self._ask("PTTL", key)))

    # Giving out.

    async def _fetch(self, query: str, *values: Any) -> Any:
        return await self.ledger.read("export", query, *values)

    async def kept_of(self, account: Account) -> Kept:
        who = Person(
            account.id, account.name, account.first_name, account.guest, account.created_ms
        )
        return await exporting.whole(self._fetch, who)

    async def kept_pages(self, account: Account, kept: Kept) -> Pages:
        parts = {
            "ratings": exporting.history(self._fetch, kept),
            "reports": exporting.reports(self._fetch, account.id),
            "notices": exporting.notices(self._fetch, account.id),
        }
        for part, pages in parts.items():
            async for page in pages:
                yield part, page

    async def kept_matches(self, account: Account, kept: Kept) -> AsyncIterator[str]:
        async for match in exporting.over(self._fetch, account.id, kept["at_ms"]):
            yield match

    async def kept_match(self, match: str) -> tuple[Match, str] | None:
        found = await exporting.match(self._fetch, match)
        return (match_of(found[0]), found[1]) if found else None
