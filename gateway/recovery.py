"""Recovery codes: ten to write down, each of which begins a session once.

Design. A code has 80 random bits, in letters that are not easily taken for each other. What is kept
of it is worth nothing without the platform's token; so whoever has read the ledger has no code, and
a host who changes that token makes all of them worth nothing.
"""

from __future__ import annotations

import hashlib
import hmac
import re

from bree.gateway.v1 import recovery_pb2 as pb
from gateway import call_context, names, wire
from gateway.contract import Store
from gateway.documents import Account
from gateway.matches import now_ms
from gateway.refusals import invalid, unauthenticated
from gateway.settings import GatewaySettings

CODES, GROUPS, GROUP = 10, 4, 4
LENGTH = GROUPS * GROUP
LONGEST = 80
"""How long what is typed for a code may be, with blanks and all."""

CODE = re.compile(rf"[{names.ALPHABET}]{{{LENGTH}}}")
BETWEEN = re.compile(r"[\s-]+")


class Recovery:
    """Makes codes, and knows them again."""

    def __init__(self, settings: GatewaySettings, store: Store) -> None:
        self.store = store
        self._key = settings.platform_token.get_secret_value().encode()

    async def create(
        self, account: Account, _: pb.CreateRecoveryCodesRequest
    ) -> pb.CreateRecoveryCodesResponse:
        codes = [names.random_word(LENGTH) for _ in range(CODES)]
        hashes, by = [self._hash_of(code) for code in codes], call_context.proof()
        if not await self.store.keep_recovery_codes(account.id, hashes, now_ms(), by):
            raise unauthenticated()  # it was revoked at this moment
        return pb.CreateRecoveryCodesResponse(codes=[_shown(code) for code in codes])

    async def count(
        self, account: Account, _: pb.CountRecoveryCodesRequest
    ) -> pb.CountRecoveryCodesResponse:
        left, made_ms = await self.store.recovery_codes(account.id)
        made = wire.time(made_ms) if left else None
        return pb.CountRecoveryCodesResponse(codes=left, create_time=made)

    def hash_of(self, said: str) -> str:
        """What is kept of a code that somebody has typed; refused if it cannot be one."""
        code = BETWEEN.sub("", said).lower()
        if len(said) > LONGEST or not CODE.fullmatch(code):
            why = f"a recovery code is {LENGTH} letters and digits, none of them l o 0 1"
            raise invalid("recovery_code", why)
        return self._hash_of(code)

    def _hash_of(self, code: str) -> str:
        # With the word before it, it is never the hash of a login code.
        return hmac.new(self._key, f"recovery {code}".encode(), hashlib.sha256).hexdigest()


def _shown(code: str) -> str:
    groups = [code[at : at + GROUP] for at in range(0, LENGTH, GROUP)]
    return "-".join(groups).upper()
