"""Challenges: what is given to somebody, is good for one thing, and is worth something once.

Design. A challenge is 32 bytes. The first six stand for whom it was made for, an account or an
address, so that it is found among his and their number is bounded: of too many the oldest is
forgotten, so that whoever begins is never refused. The others are random. They say nothing of whom
they stand for without the platform's token.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import secrets
from collections.abc import Mapping

from gateway.keyring import KeyringStore

CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")
OWNER_BYTES, RANDOM_BYTES = 6, 26
OWNER_LENGTH = 8
"""How many letters the owner's bytes are."""

CODE_TRIES = 5
"""Wrong guesses of one code; the last one ends it."""

CODE_TRIES = 5
"""Wrong guesses of one code; the last one ends it."""

MOST_OF_ADDRESS, MOST_OF_ACCOUNT = 100, 10


class Once:
    """Makes challenges, and takes them back."""

    def __init__(self, store: KeyringStore, platform_token: str) -> None:
        self.store, self._key = store, platform_token.encode()

    async def for_address(
        self, purpose: str, address: str, ms: int, said: Mapping[str, str]
    ) -> str:
        """A new challenge for whoever calls from an address, with what is kept beside it."""
        return await self._make(purpose, f"address {address}", ms, MOST_OF_ADDRESS, said)

    async def for_account(
        self, purpose: str, account: str, ms: int, said: Mapping[str, str]
    ) -> str:
        """The same for an account."""
        return await self._make(purpose, f"account {account}", ms, MOST_OF_ACCOUNT, said)

    async def _make(
        self, purpose: str, owner: str, ms: int, most: int, said: Mapping[str, str]
    ) -> str:
        data = self.digest(owner)[:OWNER_BYTES] + secrets.token_bytes(RANDOM_BYTES)
        challenge = base64.urlsafe_b64encode(data).decode("ascii").rstrip("=")
        kept = json.dumps({**said, "purpose": purpose}, separators=(",", ":"))
        await self.store.keep_once(challenge[:OWNER_LENGTH], challenge, kept, ms, most)
        return challenge

    async def take(self, purpose: str, challenge: str) -> Mapping[str, str] | None:
        """What was kept beside a challenge, if it is good for this; it is worth nothing then."""
        if not CHALLENGE.fullmatch(challenge):
            return None
        text = await self.store.take_once(challenge[:OWNER_LENGTH], challenge)
        kept: Mapping[str, str] = json.loads(text) if text else {}
        return kept if kept.get("purpose") == purpose else None

    def digest(self, text: str) -> bytes:
        """What stands for a text for those who have the platform's token."""
        return hmac.new(self._key, text.encode(), hashlib.sha256).digest()

    # Codes that people type.

    async def keep_code(self, owner: str, purpose: str, code: str, ms: int, said: str = "") -> None:
        """Keep a code in the place of an older one for the same, with what belongs to it."""
        kept = f"{self._hash_of(purpose, code)} {said}"
        await self.store.keep_once(self._owner(owner), purpose, kept, ms, MOST_OF_ACCOUNT)

    async def guess_code(self, owner: str, purpose: str, code: str) -> str | None:
        """What belongs to a code, if it is the one; it is worth nothing after a few guesses."""
        guess = self._hash_of(purpose, code)
        return await self.store.guess_once(self._owner(owner), purpose, guess, CODE_TRIES)

    async def is_rare(self, owner: str, ms: int, most: int) -> bool:
        """Whether something is done for somebody not too often; this time counts."""
        return await self.store.count_once(self._owner(owner), ms, most)

    def _owner(self, owner: str) -> str:
        return self.digest(owner).hex()[:32]

    def _hash_of(self, purpose: str, code: str) -> str:
        return self.digest(f"{purpose} {code}").hex()


def bytes_of(challenge: str) -> bytes:
    """What WebAuthn signs."""
    return base64.urlsafe_b64decode(challenge + "=")
