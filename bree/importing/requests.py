"""What is remembered of the requests that opened matches: only of those that the store has yet."""

from __future__ import annotations

from collections.abc import Sequence

from bree.importing.old_store import ASKED, OldStore, account_key, match_key


async def tidy(old: OldStore) -> None:
    """Forget the requests of matches that are gone, and note of others by which each was opened."""
    async for batch in old.found(ASKED):
        for account in batch:
            await _tidy(old, account_key(account, "asked"))


async def _tidy(old: OldStore, key: str) -> None:
    kept = await old.hash(key)
    asked = {request: text.partition(" ")[0] for request, text in kept.items() if request[0] != " "}
    there = await old.many([("EXISTS", match_key(match)) for match in asked.values()])
    gone = [request for request, is_there in zip(asked, there, strict=True) if not is_there]
    stays = [request for request in asked if request not in gone]
    commands: list[Sequence[str]] = [("HDEL", key, *gone)] if gone else []
    commands += [("HSET", key, f" {asked[request]}", request) for request in stays]
    await old.many(commands, whole=True)
